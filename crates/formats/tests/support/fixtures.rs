//! The files of a format under `fixtures`, each beside its report. `MAREY_BLESS=1` overwrites the reports; see
//! `fixtures/README.md`.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Once;

use marey_formats::{FormatsError, MotionFile};
use marey_motion::Code;

use super::expectation::{Expectation, Point};
use super::invariants::Invariants;

/// The fixtures of one format.
pub(crate) struct FixtureSet {
    /// The folder below `fixtures`.
    pub(crate) name: &'static str,
    /// Subfolders with files to read.
    pub(crate) folders: &'static [&'static str],
    /// The endings of files to read. Other files are companions.
    pub(crate) endings: &'static [&'static str],
    /// Invariants of every reading.
    pub(crate) invariants: Invariants,
    /// Computes the points of a good file independently. Without it, the points in the report are kept.
    pub(crate) points: Option<fn(&Fixture, &Expectation) -> Vec<Point>>,
    /// Completed once the reports are written, if `MAREY_BLESS` is set.
    pub(crate) blessed: Once,
}

/// A file with a report.
pub(crate) struct Fixture {
    pub(crate) path: PathBuf,
    pub(crate) bytes: Vec<u8>,
}

impl Fixture {
    fn report_path(&self) -> PathBuf {
        PathBuf::from(format!("{}.report.toml", self.path.display()))
    }

    /// Its report. Empty if there is none yet.
    pub(crate) fn expectation(&self) -> Expectation {
        let path = self.report_path();
        let Ok(text) = fs::read_to_string(&path) else { return Expectation::default() };
        toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// Reads it with the options in its report.
    pub(crate) fn read(&self) -> Result<MotionFile, FormatsError> {
        self.expectation().read.apply(&self.path, &self.bytes)
    }

    pub(crate) fn is_named(&self, name: &str) -> bool {
        self.path.file_name().is_some_and(|file| file == name)
    }
}

impl FixtureSet {
    /// The fixtures of a folder, sorted by name. Writes their reports first if `MAREY_BLESS` is set.
    pub(crate) fn all(&self, folder: &str) -> Vec<Fixture> {
        if std::env::var_os("MAREY_BLESS").is_some_and(|value| !value.is_empty()) {
            self.blessed.call_once(|| {
                for folder in self.folders {
                    self.listed(folder).iter().for_each(|fixture| self.bless(fixture, folder));
                }
            });
        }
        self.listed(folder)
    }

    /// The fixtures of all folders.
    pub(crate) fn everything(&self) -> impl Iterator<Item = Fixture> {
        self.folders.iter().flat_map(|folder| self.all(folder))
    }

    /// One fixture by its file name.
    pub(crate) fn named(&self, folder: &str, name: &str) -> Fixture {
        let found = self.all(folder).into_iter().find(|fixture| fixture.is_named(name));
        found.unwrap_or_else(|| panic!("no fixture {name}"))
    }

    /// Overwrites the report with the current result.
    fn bless(&self, fixture: &Fixture, folder: &str) {
        let wanted = fixture.expectation();
        let found = Expectation::of(&wanted.about, &wanted.read, &fixture.read());
        let mut found = found.with_messages_of(&wanted);
        found.points = match self.points {
            Some(points) if folder.starts_with("good") => points(fixture, &wanted),
            _ => wanted.points,
        };
        fs::write(fixture.report_path(), toml::to_string(&found).unwrap()).unwrap();
    }

    /// The files of a folder, sorted by name. Fails if a report has no file.
    fn listed(&self, folder: &str) -> Vec<Fixture> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
        let folder = root.join(self.name).join(folder);
        let mut paths: Vec<PathBuf> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        let is_read =
            |path: &&PathBuf| self.endings.iter().any(|e| path.extension().is_some_and(|x| x == *e));
        let files: Vec<PathBuf> = paths.iter().filter(is_read).cloned().collect();
        for report in paths.iter().filter_map(|path| path.to_str()?.strip_suffix(".report.toml")) {
            assert!(files.contains(&PathBuf::from(report)), "the report of {report} belongs to no file");
        }
        files.into_iter().map(|path| Fixture { bytes: fs::read(&path).unwrap(), path }).collect()
    }

    /// Checks that every file of a folder matches its report.
    pub(crate) fn check(&self, folder: &str, at_least: usize) {
        let fixtures = self.all(folder);
        assert!(fixtures.len() >= at_least, "only {} files in {folder}", fixtures.len());
        let faults: Vec<String> = fixtures
            .iter()
            .filter_map(|fixture| Some(format!("{} {}", fixture.path.display(), self.difference(fixture)?)))
            .collect();
        assert!(faults.is_empty(), "{}", faults.join("\n\n"));
        if folder.starts_with("good") {
            for fixture in fixtures {
                assert!(fixture.expectation().refused.is_none(), "{}", fixture.path.display());
            }
        }
    }

    /// Describes the difference between a fixture and its report, if there is one.
    fn difference(&self, fixture: &Fixture) -> Option<String> {
        let wanted = fixture.expectation();
        if wanted.about.is_empty() {
            return Some("has no report, or a report without `about`".into());
        }
        let reading = fixture.read();
        self.invariants.hold(&fixture.bytes, &reading);
        let found = Expectation::of(&wanted.about, &wanted.read, &reading).with_messages_of(&wanted);
        let (wanted_text, found_text) = (wanted.without_points(), found.without_points());
        if wanted_text != found_text {
            return Some(format!("should be\n{wanted_text}\nbut is\n{found_text}"));
        }
        let import = reading.ok()?;
        wanted.points.iter().find_map(|point| point.deviation(&import))
    }

    /// Checks that every code in the lists occurs in a report, except those that no file can produce, which have a reason.
    pub(crate) fn check_codes(&self, lists: &[&[&'static Code]], not_in_fixtures: &[(&str, &str)]) {
        let mut seen = BTreeSet::new();
        for wanted in self.everything().map(|fixture| fixture.expectation()) {
            seen.extend(wanted.refused.into_iter().map(|refusal| refusal.code));
            seen.extend(wanted.warnings.into_iter().map(|warning| warning.code));
        }
        for code in lists.concat() {
            match not_in_fixtures.iter().find(|(id, _)| *id == code.id) {
                Some((id, why)) => assert!(!seen.contains(*id), "{id} is in a fixture, though {why}"),
                None => assert!(seen.contains(code.id), "{} is in no fixture", code.id),
            }
        }
    }
}
