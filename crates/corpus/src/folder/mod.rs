//! A corpus as a folder of plain files: for each take a BVH file with its motion and a JSON file with everything
//! else.
//!
//! Importing the folder gives an equal corpus: the same takes, provenance, annotations and segments, with joints
//! within a tenth of a millimetre. A take whose BVH file is unchanged keeps its hash, so that importing it into its
//! own corpus changes nothing. Derived data is not written, because it can be recomputed.

mod motion;
mod page;

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use marey_formats::file::{make_folder, write_file};
use marey_motion::{Observer, Place};
use page::{Motion, Page, PageActor};
use serde::{Deserialize, Serialize};

use crate::error::report;
use crate::prepared_take::{PreparedTake, sha256};
use crate::{
    Added, BatchItem, Corpus, CorpusError, Maker, Result, Span, TakeId, TakeInfo, body, codes, tables,
};

/// What to write to a folder.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ExportRequest {
    /// The folder.
    pub folder: PathBuf,
    /// Takes, by name or # and number; all takes if empty.
    pub takes: Vec<String>,
    /// Whether to write the tables of the whole corpus instead of takes.
    pub csv: bool,
}

impl ExportRequest {
    /// Checks that there is a folder, and that takes are not chosen for tables, which are of the whole corpus.
    pub fn validate(&self) -> Result<()> {
        let wrong = |message: &str| Err(CorpusError::request(&codes::REQUEST, message));
        match self {
            Self { folder, .. } if folder.as_os_str().is_empty() => wrong("no folder is given"),
            Self { csv: true, takes, .. } if !takes.is_empty() => {
                wrong("tables are of the whole corpus, but takes are named")
            }
            _ => Ok(()),
        }
    }
}

/// A take of an imported folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct ImportedPage {
    /// Its id.
    pub id: TakeId,
    /// Whether the corpus had the same content already.
    pub already: bool,
}

impl Corpus {
    /// Writes takes as BVH and JSON, or tables as CSV. Fails if a file exists. Returns the JSON or CSV files.
    pub fn export(&self, request: &ExportRequest, observer: Observer<'_>) -> Result<Vec<PathBuf>> {
        request.validate()?;
        let folder = &request.folder;
        if request.csv {
            let tables = tables::write_all(self)?;
            make_folder(folder)?;
            let write = |(name, text): (&str, String)| {
                let path = folder.join(format!("{name}.csv"));
                write_file(&path, text.as_bytes(), false)?;
                Ok(path)
            };
            return tables.into_iter().map(write).collect();
        }
        let takes = self.select(&request.takes)?;
        if let Some(name) = first_clash(&takes) {
            let message = format!("{name:?} would replace the file of another take");
            return Err(CorpusError::refused(&marey_formats::codes::SAME_OUTPUT, message));
        }
        let mut written = Vec::new();
        for take in &takes {
            written.push(self.export_take(take, folder)?);
            report(observer, "takes", written.len(), takes.len())?;
        }
        Ok(written)
    }

    /// Imports all takes of a folder that [`Corpus::export`] wrote into the corpus at `path`, which is created if it does not
    /// exist. Returns one item for each JSON file.
    pub fn import_folder_into(
        path: &Path,
        folder: &Path,
        observer: Observer<'_>,
    ) -> Result<Vec<BatchItem<ImportedPage>>> {
        // A folder without pages must not leave an empty corpus.
        let pages = pages(folder)?;
        let mut corpus = if path.exists() { Self::open(path)? } else { Self::create(path)? };
        let mut items = Vec::new();
        for page in &pages {
            let imported = corpus
                .import_take(page)
                .map(|added| ImportedPage { id: added.id(), already: matches!(added, Added::Already(_)) });
            let result = imported.map_err(|error| error.in_file(page));
            items.push(BatchItem { name: page.display().to_string(), result });
            report(observer, "files", items.len(), pages.len())?;
        }
        Ok(items)
    }

    /// Writes one take to a folder, as `NAME.bvh` and `NAME.json`. Fails if the files exist.
    pub fn export_take(&self, take: &TakeInfo, folder: &Path) -> Result<PathBuf> {
        let name = file_name(&take.name);
        let motion = motion::write(&self.take(take.id)?);
        let actors = take.actors.iter().enumerate().map(|(number, actor)| {
            let skeleton = self.skeleton(take.id, number)?;
            let text = body::to_json(&skeleton)?;
            let body =
                serde_json::from_str(&text).map_err(|error| CorpusError::damaged(error.to_string()))?;
            Ok(PageActor { name: actor.name.clone(), body })
        });
        let mut page = Page {
            name: take.name.clone(),
            content: take.content.clone(),
            rate_hz: take.rate_hz,
            provenance: take.provenance.clone(),
            motion: Motion { file: format!("{name}.bvh"), sha256: sha256(&motion) },
            actors: actors.collect::<Result<_>>()?,
            tags: Vec::new(),
            markers: Vec::new(),
            contacts: Vec::new(),
            labels: Vec::new(),
            segments: Vec::new(),
        };
        page.fill(self.annotations(take.id)?, self.segments_of(take.id)?);
        let text = serde_json::to_string_pretty(&page)
            .map_err(|error| CorpusError::damaged(error.to_string()))?
            + "\n";
        make_folder(folder)?;
        write_file(&folder.join(&page.motion.file), &motion, false)?;
        let path = folder.join(format!("{name}.json"));
        write_file(&path, text.as_bytes(), false)?;
        Ok(path)
    }

    /// Imports what [`Corpus::export_take`] wrote; `page` is the JSON. A take that exists already is not changed, but
    /// its annotations are added.
    pub fn import_take(&mut self, page: &Path) -> Result<Added> {
        let text =
            fs::read_to_string(page).map_err(|error| marey_formats::FormatsError::file(page, error))?;
        let sheet: Page = serde_json::from_str(&text).map_err(|error| {
            let place = Place::at(error.line(), error.column());
            CorpusError::Refused { code: &codes::PAGE, place, message: error.to_string() }
        })?;
        let motion = read_motion(&sheet, page)?;
        let untouched = sha256(&motion) == sheet.motion.sha256;
        let there = if untouched { self.find_content(&sheet.content)? } else { None };
        let added = match there {
            Some(there) => Added::Already(there),
            None => {
                let prepared = prepared(&sheet, &motion)?;
                let content = if untouched { sheet.content.clone() } else { prepared.content.clone() };
                self.add_prepared(&PreparedTake { content, ..prepared }, &sheet.provenance)?
            }
        };
        let id = added.id();
        self.annotate(&sheet.annotations(id))?;
        let mut by_maker: BTreeMap<&Maker, Vec<Span>> = BTreeMap::new();
        for (maker, span) in sheet.spans() {
            by_maker.entry(maker).or_default().push(span);
        }
        for (maker, spans) in by_maker {
            self.cut(id, &spans, maker)?;
        }
        let labels = sheet.segment_labels(id, &self.segments_of(id)?);
        self.annotate(&labels)?;
        Ok(added)
    }
}

/// The JSON files in a folder, sorted by name. Fails if there are none.
fn pages(folder: &Path) -> Result<Vec<PathBuf>> {
    let wrong = |error| CorpusError::File(marey_formats::FormatsError::file(folder, error));
    let mut pages = Vec::new();
    for entry in fs::read_dir(folder).map_err(wrong)? {
        let path = entry.map_err(wrong)?.path();
        if path.extension().is_some_and(|ending| ending == "json") {
            pages.push(path);
        }
    }
    if pages.is_empty() {
        let message = "no JSON file of an exported corpus is here";
        return Err(CorpusError::refused(&codes::NO_PAGES, message).in_file(folder));
    }
    pages.sort();
    Ok(pages)
}

/// The first take whose file name would collide with another: on some systems, file names cannot differ in case alone.
fn first_clash(takes: &[TakeInfo]) -> Option<&str> {
    let mut seen = HashSet::new();
    takes
        .iter()
        .find(|take| !seen.insert(file_name(&take.name).to_lowercase()))
        .map(|take| take.name.as_str())
}

/// A take's name as a portable file name; other characters are replaced by their numbers, so that names stay
/// distinct.
fn file_name(name: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_' | '~' | '+' | '(' | ')' | '.');
    let mut safe = String::new();
    for (i, c) in name.chars().enumerate() {
        if plain(c) && !(i == 0 && c == '.') {
            safe.push(c)
        } else {
            safe += &format!("%{:02x}", u32::from(c))
        }
    }
    safe
}

fn prepared(sheet: &Page, motion: &[u8]) -> Result<PreparedTake> {
    let body = |actor: &PageActor| Ok((actor.name.clone(), body::from_json(&actor.body.to_string())?));
    let bodies = sheet.actors.iter().map(body).collect::<Result<_>>()?;
    PreparedTake::of(&motion::read(motion, &sheet.name, sheet.rate_hz, bodies)?)
}

/// The bytes of the motion beside a JSON file, which must be in the same folder.
fn read_motion(sheet: &Page, page: &Path) -> Result<Vec<u8>> {
    let name = Path::new(&sheet.motion.file);
    if name.file_name().is_none_or(|plain| plain != name.as_os_str()) {
        let message = format!("{:?} is not the name of a file beside it", sheet.motion.file);
        return Err(CorpusError::refused(&codes::PAGE, message));
    }
    let path = page.with_file_name(name);
    fs::read(&path).map_err(|error| marey_formats::FormatsError::file(&path, error).into())
}
