//! What a worker does: files as a shard.

use std::path::{Path, PathBuf};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::{Entry, TakeEntry, closed, failed_row};
use crate::Error;
use crate::codes;
use crate::corpus::{CutMethod, FoundCuts, Prepared, Provenance, SegmentSummary, Span};
use crate::inputs::Input;
use crate::intake::{Job, PairPattern, Ready, Wish, jobs};

/// Files that are one take.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Errand {
    /// Where each file comes from, in the order of actors.
    pub sources: Vec<String>,
    /// The files here, where they are not where they come from.
    #[serde(default)]
    pub files: Vec<PathBuf>,
    /// Who has no partner, where a pair was asked for.
    #[serde(default)]
    pub lonely: Option<String>,
}

/// What is to be read of files: each alone, or together with its partners, as [`jobs`] puts them together.
pub fn errands(files: &[String], pairs: &[String], table: Option<&Path>) -> Result<Vec<Errand>, Error> {
    let pairs = pairs.iter().map(|text| text.parse().map_err(Error::settings));
    let pairs = pairs.collect::<Result<Vec<PairPattern>, Error>>()?;
    let input = |file: &String| Input { path: file.into(), relative: file.into(), refused: None };
    let errand = |job: Job| Errand {
        sources: job.files.iter().map(|file| file.display().to_string()).collect(),
        files: Vec::new(),
        lonely: job.refused.map(|failure| failure.message),
    };
    Ok(jobs(files.iter().map(input).collect(), &pairs, table)?.into_iter().map(errand).collect())
}

impl Errand {
    fn job(&self) -> Job {
        let files = if self.files.is_empty() {
            self.sources.iter().map(PathBuf::from).collect()
        } else {
            self.files.clone()
        };
        let refused = self.lonely.as_ref().map(|message| Error::new(&codes::NO_PARTNER, message));
        Job { files, refused }
    }
}

/// Reads files, and cuts their takes where a method is named.
pub fn read(errands: &[Errand], wish: &Wish, method: Option<CutMethod>) -> Result<Vec<u8>, Error> {
    let one = |errand: &Errand| -> Result<(Entry, Vec<u8>), Error> {
        let file = errand.sources.first().cloned().unwrap_or_default();
        match errand.job().read(wish) {
            Ok(ready) => entry(file, &errand.sources.join(" + "), ready, method),
            Err(failure) => {
                let failed = Some(failed_row("file", &file, &failure));
                Ok((Entry { file, failed, warnings: Vec::new(), takes: Vec::new() }, Vec::new()))
            }
        }
    };
    let read: Vec<(Entry, Vec<u8>)> =
        errands.par_iter().with_max_len(1).map(one).collect::<Result<_, Error>>()?;
    let (entries, takes): (Vec<Entry>, Vec<Vec<u8>>) = read.into_iter().unzip();
    closed(&entries, &takes)
}

/// The entry of a job that was read, and the bytes of its takes.
fn entry(
    file: String,
    source: &str,
    ready: Ready,
    method: Option<CutMethod>,
) -> Result<(Entry, Vec<u8>), Error> {
    let (mut takes, mut bytes) = (Vec::new(), Vec::new());
    for (prepared, Provenance { licence, credit, history, .. }) in ready.takes {
        let own = prepared.to_bytes()?;
        let found = method.map(|method| cuts(&prepared, method)).transpose();
        let (found, uncut) = match found {
            Ok(found) => (found, None),
            Err(failure) => (None, Some(failed_row("take", prepared.name(), &failure))),
        };
        let (cuts, summaries) = found.unzip();
        let summaries = summaries.unwrap_or_default();
        let source = source.to_owned();
        takes.push(TakeEntry { source, licence, credit, history, bytes: own.len(), cuts, summaries, uncut });
        bytes.extend(own);
    }
    let warnings = ready.report.codes().into_iter().map(str::to_owned).collect();
    Ok((Entry { file, failed: None, warnings, takes }, bytes))
}

/// Cuts a take as it will be read from the corpus, and sums its pieces up.
fn cuts(prepared: &Prepared, method: CutMethod) -> Result<(String, Vec<(Span, SegmentSummary)>), Error> {
    let take = prepared.take()?;
    let found = FoundCuts::of(&take, method)?;
    Ok((found.to_json(take.frames())?, found.sum_up(&take)?))
}

/// How takes are cut where they are read, by its name.
pub fn method(name: &str, every: usize) -> Result<CutMethod, Error> {
    match name {
        "steps" => Ok(CutMethod::Steps),
        "instants" => Ok(CutMethod::Instants),
        "beats" => Ok(CutMethod::Beats { every: every.max(1) }),
        _ => Err(Error::usage(&codes::SETTINGS, format!("there is no method {name:?} to cut by"))),
    }
}
