//! Reads files and prepares their takes for storage.

use std::ops::Range;
use std::path::Path;

use marey_conventions::DetectedConventions;
use marey_formats::file::read_file;
use marey_formats::{FileTake, MotionFile, ReadOptions};
use marey_motion::{Place, Report, Take};

use super::actor_files::read_actors;
use super::{FileGroup, Fingerprint, FoundGroup, ImportPreparation};
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
    /// Names of the actors, in order, for takes with as many actors.
    pub actors: Vec<String>,
    /// The steps that prepare each take.
    pub prepare: ImportPreparation,
}

/// The takes of a file, ready to be stored.
#[derive(Debug, Clone, Default)]
pub struct PreparedFile {
    /// The takes.
    pub takes: Vec<PreparedFileTake>,
    /// The warnings of the reader, and what preparing changed.
    pub report: Report,
}

/// A take of a file, ready to be stored.
#[derive(Debug, Clone)]
pub struct PreparedFileTake {
    /// The take.
    pub take: PreparedTake,
    /// Its origin.
    pub provenance: Provenance,
    /// Frames that cannot be used.
    pub unusable: Vec<Range<usize>>,
    /// What nearly equal takes have in common; `None` if such takes are added.
    pub fingerprint: Option<Fingerprint>,
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
            [file] => self.prepare(&read_file(file, &self.options)?, &group.source()).map(|mut prepared| {
                if group.is_unpaired {
                    let message = "its name matches no pattern of --pair";
                    prepared.report.warn(&codes::UNPAIRED, Place::default(), message);
                }
                prepared
            }),
            files => {
                read_actors(files, &group.actors, &self.options).and_then(|(format, read, mut report)| {
                    let takes = vec![self.prepare_take(&read, &format, &group.source(), &mut report)?];
                    Ok(PreparedFile { takes, report })
                })
            }
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
    ) -> Result<PreparedFileTake> {
        let mut actors = read.take.clone().into_actors();
        if self.actors.len() == actors.len() {
            actors.iter_mut().zip(&self.actors).for_each(|(actor, name)| actor.name.clone_from(name));
        }
        let name = allowed_name(read.take.name());
        if name != read.take.name() {
            let message = format!("{:?} is called {name} here", read.take.name());
            report.warn(&codes::RENAMED, Place::default(), message);
        }
        let named = Take::new(name, actors)?;
        let prepared = self.prepare.apply(named, &read.detected, &self.options.conventions, report)?;
        let mut history = vec![history(format, &read.detected)];
        history.extend(prepared.history);
        let provenance = Provenance {
            source: source.to_owned(),
            licence: self.licence.clone(),
            credit: self.credit.clone(),
            history: history.join("; "),
        };
        let fingerprint = self.prepare.duplicates.then(|| Fingerprint::of(&prepared.take));
        let take = PreparedTake::of(&prepared.take)?;
        Ok(PreparedFileTake { take, provenance, unusable: prepared.unusable, fingerprint })
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
        let doubtful = if found.rate_hz.reason.contains("doubtful") { ", doubtful" } else { "" };
        format!(
            "unit {} ({}), up {} ({}), {} Hz ({}{doubtful})",
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
