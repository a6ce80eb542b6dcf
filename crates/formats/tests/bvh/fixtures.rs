//! Every file under `fixtures/bvh` beside its report. `MAREY_BLESS=1` writes the reports anew; see `fixtures/README.md`.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Once;

use marey_formats::{bvh, door, roles};
use marey_motion::Code;

use crate::expectation::Expectation;
use crate::golden;
use crate::invariants;

/// Codes that no bytes can be read with, and why.
const NOT_IN_FIXTURES: [(&str, &str); 8] = [
    ("bvh/renamed", "of the writer: see round_trip"),
    ("bvh/rest-offset", "of the writer: see round_trip"),
    ("file/exists", "of the file system: see file.rs"),
    ("file/full", "of the file system: see file.rs"),
    ("file/io", "of the file system: see file.rs"),
    ("file/is-folder", "of the file system: see file.rs"),
    ("file/not-found", "of the file system: see file.rs"),
    ("file/permission", "of the file system: see file.rs"),
];

/// A file and the report it must produce.
pub(crate) struct Fixture {
    pub(crate) path: PathBuf,
    pub(crate) bytes: Vec<u8>,
}

impl Fixture {
    fn report_path(&self) -> PathBuf {
        self.path.with_extension("report.toml")
    }

    /// What its report says; `None` where there is none yet.
    pub(crate) fn expectation(&self) -> Option<Expectation> {
        let text = fs::read_to_string(self.report_path()).ok()?;
        Some(
            toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", self.report_path().display())),
        )
    }

    /// Writes its report anew, as it is read now, with points from the plain reader.
    fn bless(&self, is_good: bool) {
        let wanted = self.expectation().unwrap_or_default();
        let found = Expectation::of(&wanted.about, &wanted.read, &wanted.read.apply(&self.bytes));
        let mut found = found.worded_as(&wanted);
        if is_good {
            found.points = golden::points(self, &wanted);
        }
        fs::write(self.report_path(), toml::to_string(&found).unwrap()).unwrap();
    }

    /// What is wrong with it, in a sentence.
    fn fault(&self) -> Option<String> {
        let wanted = self.expectation().unwrap_or_default();
        if wanted.about.is_empty() {
            return Some("has no report, or one that does not say what it is about".into());
        }
        let reading = wanted.read.apply(&self.bytes);
        invariants::hold(&self.bytes, &reading);
        let found = Expectation::of(&wanted.about, &wanted.read, &reading).worded_as(&wanted);
        let (wanted_text, found_text) = (printed(&wanted), printed(&found));
        if wanted_text != found_text {
            return Some(format!("should be\n{wanted_text}\nbut is\n{found_text}"));
        }
        let import = reading.ok()?;
        wanted.points.iter().find_map(|point| golden::fault_of(point, &import))
    }
}

/// A report without its points.
fn printed(expectation: &Expectation) -> String {
    toml::to_string(&Expectation { points: vec![], ..expectation.clone() }).unwrap()
}

/// A folder below `fixtures/bvh`.
fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/bvh").join(name)
}

/// The fixtures of a folder, in order of names, once their reports are written where that is asked for.
pub(crate) fn all(name: &str) -> Vec<Fixture> {
    static BLESSED: Once = Once::new();
    if std::env::var_os("MAREY_BLESS").is_some_and(|value| !value.is_empty()) {
        BLESSED.call_once(|| {
            listed("good").iter().for_each(|fixture| fixture.bless(true));
            listed("bad").iter().for_each(|fixture| fixture.bless(false));
        });
    }
    listed(name)
}

/// The files of a folder, in order of names. A report without its file fails.
fn listed(name: &str) -> Vec<Fixture> {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder(name)).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let files: BTreeSet<PathBuf> =
        paths.iter().filter(|p| p.extension().is_some_and(|e| e == "bvh")).cloned().collect();
    for path in &paths {
        let file = PathBuf::from(path.to_str().unwrap().trim_end_matches(".report.toml").to_owned() + ".bvh");
        assert!(files.contains(path) || files.contains(&file), "{} belongs to no file", path.display());
    }
    files.into_iter().map(|path| Fixture { bytes: fs::read(&path).unwrap(), path }).collect()
}

/// One fixture by its name.
pub(crate) fn named(folder_name: &str, name: &str) -> Fixture {
    let is_it = |fixture: &Fixture| fixture.path.file_stem().is_some_and(|stem| stem == name);
    all(folder_name).into_iter().find(is_it).unwrap_or_else(|| panic!("no fixture {name}"))
}

fn check(name: &str, at_least: usize) {
    let fixtures = all(name);
    assert!(fixtures.len() >= at_least, "only {} files in {name}", fixtures.len());
    let faults: Vec<String> = fixtures
        .iter()
        .filter_map(|fixture| Some(format!("{} {}", fixture.path.display(), fixture.fault()?)))
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
}

#[test]
fn good_files_are_read_as_their_reports_say() {
    check("good", 12);
    for fixture in all("good") {
        let wanted = fixture.expectation().unwrap();
        assert!(wanted.refused.is_none() && !wanted.points.is_empty(), "{}", fixture.path.display());
    }
}

#[test]
fn bad_files_are_refused_or_read_as_their_reports_say() {
    check("bad", 60);
}

#[test]
fn every_code_occurs_in_a_fixture() {
    let mut seen = BTreeSet::new();
    for fixture in all("good").into_iter().chain(all("bad")) {
        let wanted = fixture.expectation().unwrap_or_default();
        seen.extend(wanted.refused.into_iter().map(|refusal| refusal.code));
        seen.extend(wanted.warnings.into_iter().map(|warning| warning.code));
    }
    let lists: [&[&Code]; 4] =
        [bvh::codes::ALL, door::codes::ALL, marey_formats::codes::ALL, roles::codes::ALL];
    for code in lists.concat() {
        match NOT_IN_FIXTURES.iter().find(|(id, _)| *id == code.id) {
            Some((id, why)) => assert!(!seen.contains(*id), "{id} is in a fixture, though {why}"),
            None => assert!(seen.contains(code.id), "{} is in no fixture", code.id),
        }
    }
}
