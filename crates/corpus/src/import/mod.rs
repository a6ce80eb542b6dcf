//! Adds motion files to a corpus.
//!
//! Files are read in parallel, and stored one after the other in the order of the files. The corpus therefore does not depend on
//! the number of threads or machines that read.

mod actor_files;
mod file_groups;
mod fingerprint;
mod preparation;
mod prepared_file;

use std::collections::BTreeSet;
use std::path::PathBuf;

use marey_formats::{ReadRequest, find_files};
use marey_motion::{Observer, Place, Report};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::corpus::Change;
use crate::error::report;
use crate::takes::{check_word, insert};
use crate::{Added, BatchItem, Corpus, CorpusError, Result, TakeId, codes, unusable};

pub use file_groups::{FileGroup, FoundGroup, PairPattern, group_files};
pub use fingerprint::{Fingerprint, KnownFingerprints};
pub use preparation::{ImportPreparation, PreparedMotion};
pub use prepared_file::{ImportSettings, PreparedFile, PreparedFileTake};

/// Which motion files to add to a corpus, and how to read them.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ImportRequest {
    /// Files, folders with their subfolders, and patterns such as `walks/**/*.bvh`.
    pub inputs: Vec<PathBuf>,
    /// Patterns of files that become one take of several actors.
    pub pairs: Vec<PairPattern>,
    /// A table with the files of one take in each line, relative to the table.
    pub table: Option<PathBuf>,
    /// Names of the actors, in order, for takes with as many actors; default: as the files name them.
    pub actors: Vec<String>,
    /// The licence of the motion, such as `CC-BY-4.0`.
    pub licence: String,
    /// The author of the motion, and where it was published.
    pub credit: String,
    /// How to read the files.
    pub read: ReadRequest,
    /// The steps that prepare each take.
    pub prepare: ImportPreparation,
}

/// What was added from one file.
#[derive(Debug, Clone, Default, Serialize)]
pub struct ImportedFile {
    /// Its takes.
    pub takes: Vec<ImportedTake>,
    /// The codes of the warnings.
    pub warnings: Vec<&'static str>,
    /// The warnings.
    #[serde(skip)]
    pub report: Report,
}

/// A take that was added.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ImportedTake {
    /// Its id.
    pub id: TakeId,
    /// Its name in the corpus.
    pub name: String,
    /// Whether the corpus had the same content, or a nearly equal take, already.
    pub already: bool,
}

impl ImportRequest {
    /// Checks that there is something to read, and the names of actors. Files are checked when they are read.
    pub fn validate(&self) -> Result<()> {
        if self.inputs.is_empty() && self.table.is_none() {
            return Err(CorpusError::request(&codes::REQUEST, "neither files nor a table of files is given"));
        }
        self.actors.iter().try_for_each(|name| check_word("an actor", name))?;
        let distinct: BTreeSet<&String> = self.actors.iter().collect();
        match distinct.len() == self.actors.len() {
            true => Ok(()),
            false => Err(CorpusError::request(&codes::NAME, "two actors would have the same name")),
        }
    }

    /// The groups of files to read, in order.
    pub fn groups(&self) -> Result<Vec<FoundGroup>> {
        group_files(find_files(&self.inputs)?.files, &self.pairs, self.table.as_deref())
    }

    /// How to read each group; reads the files of roles and skeleton.
    pub fn settings(&self) -> Result<ImportSettings> {
        let (licence, credit) = (self.licence.clone(), self.credit.clone());
        let (actors, prepare) = (self.actors.clone(), self.prepare);
        Ok(ImportSettings { options: self.read.options()?, licence, credit, actors, prepare })
    }
}

impl Corpus {
    /// Adds motion files. Returns one item for each file or group of files, in order; a file that cannot be read does not stop
    /// the others.
    pub fn import(
        &mut self,
        request: &ImportRequest,
        observer: Observer<'_>,
    ) -> Result<Vec<BatchItem<ImportedFile>>> {
        request.validate()?;
        let settings = request.settings()?;
        let groups = request.groups()?;
        let mut known = KnownFingerprints::load(self)?;
        // Some groups are read while those before them are stored.
        let mut windows = groups.chunks(4 * rayon::current_num_threads());
        let read = |groups: &[FoundGroup]| -> Vec<BatchItem<PreparedFile>> {
            groups.par_iter().with_max_len(1).map(|group| settings.read_found(group)).collect()
        };
        let mut ready = windows.next().map(read).unwrap_or_default();
        let mut items = Vec::with_capacity(groups.len());
        while !ready.is_empty() {
            let next = windows.next().unwrap_or_default();
            let store_all = || -> Result<()> {
                for BatchItem { name, result } in ready {
                    // If the corpus cannot be written, no other file can be stored either.
                    let result = match result {
                        Ok(file) => Ok(self.store_file(file, &mut known)?),
                        Err(error) => Err(error),
                    };
                    items.push(BatchItem { name, result });
                    report(observer, "files", items.len(), groups.len())?;
                }
                Ok(())
            };
            let (following, done) = rayon::join(|| read(next), store_all);
            done?;
            ready = following;
        }
        Ok(items)
    }

    /// Adds the takes of a file that was read before, possibly on another machine. `known` are the fingerprints of the corpus, which
    /// are extended by those of the takes that are added.
    pub fn store_file(&mut self, file: PreparedFile, known: &mut KnownFingerprints) -> Result<ImportedFile> {
        let mut imported = ImportedFile { report: file.report, ..ImportedFile::default() };
        for PreparedFileTake { take, provenance, unusable, fingerprint } in file.takes {
            let take = self.with_stored_bodies(&take)?;
            let near = fingerprint.as_ref().and_then(|fingerprint| known.find(fingerprint));
            let near = near.filter(|_| !matches!(self.find_content(take.content()), Ok(Some(_))));
            if let Some(near) = near {
                let info = self.info(near)?;
                let message = format!("{} is nearly equal to {} {}", take.name(), info.id, info.name);
                imported.report.warn(&codes::NEAR_DUPLICATE, Place::default(), message);
                imported.takes.push(ImportedTake { id: near, name: info.name, already: true });
                continue;
            }
            let added = self.change(|transaction| {
                let added = insert(transaction, &take, &provenance)?;
                if let Added::New(id) = added {
                    unusable::mark(transaction, id, &unusable)?;
                    fingerprint.iter().try_for_each(|fingerprint| fingerprint.store(transaction, id))?;
                }
                Ok::<_, Change>(added)
            })?;
            let info = self.info(added.id())?;
            let already = matches!(added, Added::Already(_));
            if let Some(fingerprint) = fingerprint.filter(|_| !already) {
                known.insert(added.id(), fingerprint);
            }
            if !already && info.name != take.name() {
                let message = format!("{} is called {} here", take.name(), info.name);
                imported.report.warn(&codes::RENAMED, Place::default(), message);
            }
            imported.takes.push(ImportedTake { id: info.id, name: info.name, already });
        }
        imported.warnings = imported.report.codes();
        Ok(imported)
    }
}
