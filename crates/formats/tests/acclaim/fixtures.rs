//! Every file under `fixtures/acclaim` beside its report. `MAREY_BLESS=1` writes the reports anew.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Once;

use marey_formats::acclaim;

use crate::expectation::Expectation;
use crate::invariants;

/// A file and the report it must produce.
pub(crate) struct Fixture {
    pub(crate) path: PathBuf,
    pub(crate) bytes: Vec<u8>,
}

impl Fixture {
    fn report_path(&self) -> PathBuf {
        PathBuf::from(format!("{}.report.toml", self.path.display()))
    }

    /// What its report says; empty where there is none yet.
    pub(crate) fn expectation(&self) -> Expectation {
        let path = self.report_path();
        let Ok(text) = fs::read_to_string(&path) else { return Expectation::default() };
        toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    fn found(&self) -> Expectation {
        let wanted = self.expectation();
        Expectation::of(&wanted.about, &wanted.read, &wanted.read.apply(&self.path, &self.bytes))
    }

    /// What is wrong with it, in a sentence.
    fn fault(&self) -> Option<String> {
        let wanted = self.expectation();
        if wanted.about.is_empty() {
            return Some("has no report, or one that does not say what it is about".into());
        }
        invariants::hold(&wanted.read.apply(&self.path, &self.bytes), &self.bytes);
        let found = self.found();
        let printed = |expectation| toml::to_string(expectation).unwrap();
        (wanted != found).then(|| format!("should be\n{}\nbut is\n{}", printed(&wanted), printed(&found)))
    }
}

/// The fixtures of a folder below `fixtures/acclaim`, in order of names, once their reports are written where that is asked for.
pub(crate) fn all(name: &str) -> Vec<Fixture> {
    static BLESSED: Once = Once::new();
    if std::env::var_os("MAREY_BLESS").is_some_and(|value| !value.is_empty()) {
        BLESSED.call_once(|| {
            for fixture in FOLDERS.into_iter().flat_map(listed) {
                fs::write(fixture.report_path(), toml::to_string(&fixture.found()).unwrap()).unwrap();
            }
        });
    }
    listed(name)
}

const FOLDERS: [&str; 3] = ["good", "good/alone", "bad"];

fn listed(name: &str) -> Vec<Fixture> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/acclaim").join(name);
    let mut paths: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let is_motion =
        |path: &PathBuf| path.extension().is_some_and(|ending| ending == "asf" || ending == "amc");
    let files: Vec<PathBuf> = paths.iter().filter(|path| is_motion(path)).cloned().collect();
    for report in paths.iter().filter_map(|path| path.to_str()?.strip_suffix(".report.toml")) {
        assert!(files.contains(&PathBuf::from(report)), "the report of {report} belongs to no file");
    }
    files.into_iter().map(|path| Fixture { bytes: fs::read(&path).unwrap(), path }).collect()
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
    check("good", 20);
    check("good/alone", 2);
    let good = all("good").into_iter().chain(all("good/alone"));
    good.for_each(|fixture| assert_eq!(fixture.expectation().refused, None, "{}", fixture.path.display()));
}

#[test]
fn bad_files_are_refused_or_read_as_their_reports_say() {
    check("bad", 60);
}

#[test]
fn every_code_occurs_in_a_fixture() {
    let mut seen = BTreeSet::new();
    for wanted in FOLDERS.into_iter().flat_map(all).map(|fixture| fixture.expectation()) {
        seen.extend(wanted.refused.into_iter().map(|refusal| refusal.code));
        seen.extend(wanted.warnings.into_iter().map(|warning| warning.code));
    }
    for code in acclaim::codes::ALL {
        assert!(seen.contains(code.id), "{} is in no report", code.id);
    }
}
