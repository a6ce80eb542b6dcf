//! The files of a format under `fixtures`, each beside its report. `MAREY_BLESS=1` writes the reports anew; see
//! `fixtures/README.md`.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Once;

use marey_formats::{FormatsError, MotionFile};
use marey_motion::Code;

use super::expectation::{Expectation, Point};
use super::invariants::Promises;

/// The fixtures of one format.
pub(crate) struct Shelf {
    /// The folder below `fixtures`.
    pub(crate) name: &'static str,
    /// The folders in it that hold files to read.
    pub(crate) folders: &'static [&'static str],
    /// The endings of files to read; others lie beside them.
    pub(crate) endings: &'static [&'static str],
    /// What holds of every reading.
    pub(crate) promises: Promises,
    /// Works out the points of a good file another way, where there is one; else they are kept as they stand in the report.
    pub(crate) points: Option<fn(&Fixture, &Expectation) -> Vec<Point>>,
    /// Set once the reports are written, where that is asked for.
    pub(crate) blessed: Once,
}

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

    /// Reads it as its report says.
    pub(crate) fn read(&self) -> Result<MotionFile, FormatsError> {
        self.expectation().read.apply(&self.path, &self.bytes)
    }

    pub(crate) fn is_named(&self, name: &str) -> bool {
        self.path.file_name().is_some_and(|file| file == name)
    }
}

impl Shelf {
    /// The fixtures of a folder, in order of names, once their reports are written where that is asked for.
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

    /// One fixture by its file's name.
    pub(crate) fn named(&self, folder: &str, name: &str) -> Fixture {
        let found = self.all(folder).into_iter().find(|fixture| fixture.is_named(name));
        found.unwrap_or_else(|| panic!("no fixture {name}"))
    }

    /// Writes a report anew, as the file is read now.
    fn bless(&self, fixture: &Fixture, folder: &str) {
        let wanted = fixture.expectation();
        let found = Expectation::of(&wanted.about, &wanted.read, &fixture.read());
        let mut found = found.worded_as(&wanted);
        found.points = match self.points {
            Some(points) if folder.starts_with("good") => points(fixture, &wanted),
            _ => wanted.points,
        };
        fs::write(fixture.report_path(), toml::to_string(&found).unwrap()).unwrap();
    }

    /// The files of a folder, in order of names. A report without its file fails.
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

    /// Fails where a file of a folder is not read or refused as its report says.
    pub(crate) fn check(&self, folder: &str, at_least: usize) {
        let fixtures = self.all(folder);
        assert!(fixtures.len() >= at_least, "only {} files in {folder}", fixtures.len());
        let faults: Vec<String> = fixtures
            .iter()
            .filter_map(|fixture| Some(format!("{} {}", fixture.path.display(), self.fault(fixture)?)))
            .collect();
        assert!(faults.is_empty(), "{}", faults.join("\n\n"));
        if folder.starts_with("good") {
            for fixture in fixtures {
                assert!(fixture.expectation().refused.is_none(), "{}", fixture.path.display());
            }
        }
    }

    /// What is wrong with a fixture, in a sentence.
    fn fault(&self, fixture: &Fixture) -> Option<String> {
        let wanted = fixture.expectation();
        if wanted.about.is_empty() {
            return Some("has no report, or one that does not say what it is about".into());
        }
        let reading = fixture.read();
        self.promises.hold(&fixture.bytes, &reading);
        let found = Expectation::of(&wanted.about, &wanted.read, &reading).worded_as(&wanted);
        let (wanted_text, found_text) = (wanted.without_points(), found.without_points());
        if wanted_text != found_text {
            return Some(format!("should be\n{wanted_text}\nbut is\n{found_text}"));
        }
        let import = reading.ok()?;
        wanted.points.iter().find_map(|point| point.fault_in(&import))
    }

    /// Fails where a code of the lists is in no report, but for those that no bytes can be read with, each with a reason.
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
