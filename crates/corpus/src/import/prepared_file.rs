//! Reads files and prepares their takes for storage.

use std::path::Path;

use marey_conventions::DetectedConventions;
use marey_formats::file::read_file;
use marey_formats::{FileTake, MotionFile, ReadOptions};
use marey_motion::{Place, Report, Take};

use super::actor_files::read_actors;
use super::{FileGroup, FoundGroup};
use crate::{BatchItem, CorpusError, PreparedTake, Provenance, Result, codes};

/// How files are read, and the provenance of all of them.
#[derive(Debug, Clone, Default)]
pub struct ImportSettings {
    /// Options of the reader.
    pub options: ReadOptions,
    /// The licence of the motion, such as `CC-BY-4.0`.
    pub licence: String,
    /// The author of the motion, and where it was published.
    pub credit: String,
}

/// The takes of a file, ready to be stored.
#[derive(Debug, Clone, Default)]
pub struct PreparedFile {
    /// The takes, each with its origin.
    pub takes: Vec<(PreparedTake, Provenance)>,
    /// The warnings of the reader.
    pub report: Report,
}

impl ImportSettings {
    /// Reads a group of files, or returns the error with which it was found.
    pub(crate) fn read_found(&self, found: &FoundGroup) -> BatchItem<PreparedFile> {
        match found {
            Ok(group) => BatchItem { name: group.name(), result: self.read(group) },
            Err(unreadable) => {
                let (path, error) = &**unreadable;
                let error = CorpusError::from(error.clone()).in_file(path);
                BatchItem { name: path.display().to_string(), result: Err(error) }
            }
        }
    }

    /// Reads the files of a group and prepares their takes.
    pub fn read(&self, group: &FileGroup) -> Result<PreparedFile> {
        let files = group.files();
        let first = files.first().map_or(Path::new(""), |file| file);
        if let Some(message) = &group.missing_partner {
            return Err(CorpusError::refused(&codes::NO_PARTNER, message).in_file(first));
        }
        let prepared = match files {
            [file] => self.prepare(&read_file(file, &self.options)?, &group.source()),
            files => read_actors(files, &self.options).and_then(|(format, read, mut report)| {
                let takes = vec![self.prepare_take(&read, &format, &group.source(), &mut report)?];
                Ok(PreparedFile { takes, report })
            }),
        };
        prepared.map_err(|error| error.in_file(first))
    }

    /// Prepares the takes of a file that was read from `source`.
    pub fn prepare(&self, file: &MotionFile, source: &str) -> Result<PreparedFile> {
        // A file of points is an error.
        file.take()?;
        let format = file.format.to_string();
        let mut report = file.report.clone();
        let takes = file.takes().iter().map(|read| self.prepare_take(read, &format, source, &mut report));
        Ok(PreparedFile { takes: takes.collect::<Result<_>>()?, report })
    }

    fn prepare_take(
        &self,
        read: &FileTake,
        format: &str,
        source: &str,
        report: &mut Report,
    ) -> Result<(PreparedTake, Provenance)> {
        let name = allowed_name(read.take.name());
        let prepared = if name == read.take.name() {
            PreparedTake::of(&read.take)?
        } else {
            let message = format!("{:?} is called {name} here", read.take.name());
            report.warn(&codes::RENAMED, Place::default(), message);
            PreparedTake::of(&Take::new(name, read.take.clone().into_actors())?)?
        };
        let provenance = Provenance {
            source: source.to_owned(),
            licence: self.licence.clone(),
            credit: self.credit.clone(),
            history: history(format, &read.detected),
        };
        Ok((prepared, provenance))
    }
}

/// The name without the characters that a corpus does not allow in the name of a take.
fn allowed_name(name: &str) -> String {
    let allowed: String = name.chars().filter(|c| !c.is_control() && *c != ':').take(200).collect();
    let allowed = allowed.trim().trim_start_matches('#').trim_start().to_owned();
    if allowed.is_empty() { "unnamed".into() } else { allowed }
}

/// The format and the conventions with which a take was read, in one line.
fn history(format: &str, detected: &[DetectedConventions]) -> String {
    let conventions = |found: &DetectedConventions| {
        format!(
            "unit {} ({}), up {} ({}), {} Hz ({})",
            found.unit.value,
            found.unit.source,
            found.up_axis.value,
            found.up_axis.source,
            found.rate_hz.value,
            found.rate_hz.source
        )
    };
    let mut each: Vec<String> = detected.iter().map(conventions).collect();
    each.dedup();
    format!("{format}: {}", each.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lose_what_a_corpus_does_not_allow() {
        for (name, allowed) in [
            ("walk 1", "walk 1"),
            ("a:b\n", "ab"),
            ("##x", "x"),
            ("# x", "x"),
            ("", "unnamed"),
            (" : ", "unnamed"),
        ] {
            assert_eq!(allowed_name(name), allowed);
        }
    }
}
