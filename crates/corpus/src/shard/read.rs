//! Reads files into a shard.

use std::ops::Range;

use marey_motion::Report;
use marey_ops::cut::SegmentLengths;
use rayon::prelude::*;

use super::{Entry, TakeEntry, encode};
use crate::import::{FileGroup, ImportSettings, PreparedFile, PreparedFileTake};
use crate::{BatchItem, CutMethod, DetectedCuts, PreparedTake, Provenance, Result, SegmentSummary, Span};

/// Reads files, and detects cuts if a method is given. Returns the bytes of a shard.
pub fn read(
    groups: &[FileGroup],
    settings: &ImportSettings,
    method: Option<CutMethod>,
    lengths: &SegmentLengths,
) -> Result<Vec<u8>> {
    let method = method.map(|method| (method, lengths));
    let entry = |group: &FileGroup| match settings.read(group) {
        Ok(file) => file_entry(group.name(), file, method),
        Err(error) => {
            let failed = BatchItem::<()> { name: group.name(), result: Err(error) }.to_json("file");
            let (warnings, takes) = (Vec::new(), Vec::new());
            Ok((Entry { file: group.name(), failed: Some(failed), warnings, takes }, Vec::new()))
        }
    };
    let entries: Vec<(Entry, Vec<u8>)> =
        groups.par_iter().with_max_len(1).map(entry).collect::<Result<_>>()?;
    let (entries, takes): (Vec<Entry>, Vec<Vec<u8>>) = entries.into_iter().unzip();
    encode(&entries, &takes)
}

/// Reads one file or group of files, and detects cuts if a method is given. Returns the bytes of a shard, and the warnings.
pub fn read_one(
    group: &FileGroup,
    settings: &ImportSettings,
    method: Option<CutMethod>,
    lengths: &SegmentLengths,
) -> Result<(Vec<u8>, Report)> {
    let file = settings.read(group)?;
    let report = file.report.clone();
    let (entry, takes) = file_entry(group.name(), file, method.map(|method| (method, lengths)))?;
    Ok((encode(&[entry], &[takes])?, report))
}

/// The entry of a file that was read, and the bytes of its takes.
fn file_entry(
    name: String,
    file: PreparedFile,
    method: Option<(CutMethod, &SegmentLengths)>,
) -> Result<(Entry, Vec<u8>)> {
    let (mut takes, mut bytes) = (Vec::new(), Vec::new());
    for PreparedFileTake { take: prepared, provenance, unusable, fingerprint } in file.takes {
        let own = prepared.to_bytes()?;
        let detected = method.map(|(method, lengths)| detect(&prepared, method, lengths, &unusable));
        let (detected, uncut) = match detected.transpose() {
            Ok(detected) => (detected, None),
            Err(error) => {
                let item = BatchItem::<()> { name: prepared.name().to_owned(), result: Err(error) };
                (None, Some(item.to_json("take")))
            }
        };
        let (cuts, summaries) = detected.unzip();
        let summaries = summaries.unwrap_or_default();
        let Provenance { source, licence, credit, history } = provenance;
        takes.push(TakeEntry {
            source,
            licence,
            credit,
            history,
            unusable,
            fingerprint,
            bytes: own.len(),
            content: prepared.content().to_owned(),
            method: method.map(|(method, lengths)| (method, *lengths)),
            cuts,
            summaries,
            uncut,
        });
        bytes.extend(own);
    }
    let warnings = file.report.codes().into_iter().map(str::to_owned).collect();
    Ok((Entry { file: name, failed: None, warnings, takes }, bytes))
}

/// Detects the cuts of a take as it will be read from the corpus, and summarises its segments.
fn detect(
    prepared: &PreparedTake,
    method: CutMethod,
    lengths: &SegmentLengths,
    unusable: &[Range<usize>],
) -> Result<(String, Vec<(Span, SegmentSummary)>)> {
    let take = prepared.take()?;
    let detected = DetectedCuts::of_with(&take, method, lengths, unusable)?;
    Ok((detected.to_json(take.frames())?, detected.summarise(&take)?))
}
