//! Groups files of actors that were recorded together.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use marey_formats::{FormatsError, FoundFile};
use marey_motion::Place;
use serde::{Deserialize, Serialize};

use crate::{CorpusError, Result, codes};

/// Two or more file names with a part in common, such as `60_{i}.bvh=61_{i}.bvh`. The name in braces is arbitrary.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct PairPattern {
    /// For each actor, the text before and after the common part.
    sides: Vec<(String, String)>,
    text: String,
}

impl FromStr for PairPattern {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, Self::Err> {
        let sides: Vec<&str> = text.split('=').collect();
        if sides.len() < 2 {
            return Err("expected LEFT=RIGHT, as in '60_{i}.bvh=61_{i}.bvh'".into());
        }
        let side = |side: &&str| {
            let (before, rest) = side.split_once('{')?;
            let (_, behind) = rest.split_once('}')?;
            (!behind.contains('{')).then(|| (before.to_owned(), behind.to_owned()))
        };
        let side = |one: &&str| side(one).ok_or_else(|| format!("{one:?} does not have one part in braces"));
        let sides = sides.iter().map(side).collect::<std::result::Result<Vec<_>, _>>()?;
        Ok(Self { sides, text: text.to_owned() })
    }
}

impl TryFrom<String> for PairPattern {
    type Error = String;

    fn try_from(text: String) -> std::result::Result<Self, String> {
        text.parse()
    }
}

impl From<PairPattern> for String {
    fn from(pattern: PairPattern) -> Self {
        pattern.text
    }
}

impl PairPattern {
    /// The index of the actor and the common part of the name, if the pattern matches a file.
    fn side_of(&self, path: &Path) -> Option<(usize, String)> {
        let path = path.to_str()?.replace('\\', "/");
        self.sides.iter().enumerate().find_map(|(actor, (before, behind))| {
            let front = path.strip_suffix(behind.as_str())?;
            // The common part has no slash in it; what stands before it may.
            let name = front.rfind('/').map_or(0, |slash| slash + 1);
            let at = if before.is_empty() { name } else { front.rfind(before.as_str())? };
            let common = front.get(at + before.len()..)?;
            let starts = at == 0 || before.is_empty() || front.get(..at)?.ends_with('/');
            (starts && !common.is_empty() && !common.contains('/')).then(|| (actor, common.to_owned()))
        })
    }
}

/// The files of one take: one for each actor.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileGroup {
    /// The files as provenance records them, in the order of actors.
    pub sources: Vec<PathBuf>,
    /// Local copies to read, if the sources are elsewhere.
    #[serde(default)]
    pub files: Vec<PathBuf>,
    /// Why the file cannot be paired as requested.
    #[serde(default)]
    pub missing_partner: Option<String>,
}

impl FileGroup {
    /// Files that are read where they are.
    pub fn new(sources: Vec<PathBuf>) -> Self {
        Self { sources, files: Vec::new(), missing_partner: None }
    }

    /// The files to read.
    pub fn files(&self) -> &[PathBuf] {
        if self.files.is_empty() { &self.sources } else { &self.files }
    }

    /// The first source, which stands for the group in tables.
    pub fn name(&self) -> String {
        self.sources.first().map(|file| file.display().to_string()).unwrap_or_default()
    }

    /// All sources.
    pub fn source(&self) -> String {
        let sources: Vec<String> = self.sources.iter().map(|file| file.display().to_string()).collect();
        sources.join(" + ")
    }
}

/// A group of files, or a file that cannot be read.
pub type FoundGroup = std::result::Result<FileGroup, Box<(PathBuf, FormatsError)>>;

/// Groups files by patterns and by a table of pairs. Other files form groups of one. The groups are in the order of their
/// first files.
pub fn group_files(
    files: Vec<FoundFile>,
    patterns: &[PairPattern],
    table: Option<&Path>,
) -> Result<Vec<FoundGroup>> {
    let mut groups: Vec<Vec<PathBuf>> = table.map(read_table).transpose()?.unwrap_or_default();
    let mut without_partner: BTreeMap<PathBuf, String> = BTreeMap::new();
    for pattern in patterns {
        let mut found: BTreeMap<String, Vec<Option<PathBuf>>> = BTreeMap::new();
        for file in files.iter().filter(|file| file.error.is_none()) {
            if let Some((actor, common)) = pattern.side_of(&file.path) {
                let sides = found.entry(common).or_insert_with(|| vec![None; pattern.sides.len()]);
                if let Some(side) = sides.get_mut(actor) {
                    side.get_or_insert_with(|| file.path.clone());
                }
            }
        }
        for (common, sides) in found {
            if sides.contains(&None) {
                let message = format!("{} has no partner for {common:?}", pattern.text);
                without_partner.extend(sides.into_iter().flatten().map(|path| (path, message.clone())));
            } else {
                groups.push(sides.into_iter().flatten().collect());
            }
        }
    }
    let mut group_of: BTreeMap<PathBuf, usize> = BTreeMap::new();
    for (number, group) in groups.iter().enumerate() {
        for path in group {
            if group_of.insert(canonical(path), number).is_some() {
                let message = format!("{} would be in two takes", path.display());
                return Err(CorpusError::request(&codes::PAIRED_TWICE, message));
            }
        }
    }
    let mut all = Vec::new();
    for FoundFile { path, error, .. } in files {
        if let Some(group) = group_of.get(&canonical(&path)).and_then(|number| groups.get_mut(*number)) {
            // The group stands in the place of its first file.
            if !group.is_empty() {
                all.push(Ok(FileGroup::new(std::mem::take(group))));
            }
        } else if let Some(error) = error {
            all.push(Err(Box::new((path, error))));
        } else {
            let missing_partner = without_partner.remove(&path);
            all.push(Ok(FileGroup { missing_partner, ..FileGroup::new(vec![path]) }));
        }
    }
    let others = groups.into_iter().filter(|group| !group.is_empty());
    all.extend(others.map(|files| Ok(FileGroup::new(files))));
    Ok(all)
}

fn canonical(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// Reads lines of `first.bvh,second.bvh`, relative to the folder of the table.
fn read_table(path: &Path) -> Result<Vec<Vec<PathBuf>>> {
    let text = fs::read_to_string(path).map_err(|error| FormatsError::file(path, error))?;
    let mut groups = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let cells: Vec<&str> = line.split(',').map(|cell| cell.trim().trim_matches('"')).collect();
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        if cells.len() < 2 || cells.contains(&"") {
            let (place, message) = (Place::at(number + 1, 1), format!("{line:?} does not name two files"));
            return Err(CorpusError::Refused { code: &codes::PAIRS_TABLE, place, message }.in_file(path));
        }
        groups.push(cells.iter().map(|cell| path.with_file_name("").join(cell)).collect());
    }
    Ok(groups)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &&str) -> FoundFile {
        FoundFile { path: path.into(), relative: path.into(), error: None }
    }

    fn shown(files: &[&str], pattern: &str) -> Vec<String> {
        let files = files.iter().map(found).collect();
        let groups = group_files(files, &[pattern.parse().unwrap()], None).unwrap();
        let show = |group: &FoundGroup| {
            let group = group.as_ref().unwrap();
            let suffix = if group.missing_partner.is_some() { "!" } else { "" };
            group.source().replace(" + ", "+") + suffix
        };
        groups.iter().map(show).collect()
    }

    #[test]
    fn partners_are_found_by_what_their_names_have_in_common() {
        let files = ["a/60_01.bvh", "a/60_02.bvh", "a/160_01.bvh", "b/61_01.bvh", "b/61_03.bvh", "c.bvh"];
        assert_eq!(
            shown(&files, "60_{n}.bvh=61_{n}.bvh"),
            ["a/60_01.bvh+b/61_01.bvh", "a/60_02.bvh!", "a/160_01.bvh", "b/61_03.bvh!", "c.bvh"]
        );
        assert_eq!(shown(&["x/1.bvh", "y/1.bvh"], "x/{n}.bvh=y/{n}.bvh"), ["x/1.bvh+y/1.bvh"]);
        assert_eq!(
            shown(&["1a.bvh", "1b.bvh", "1c.bvh"], "{n}a.bvh={n}b.bvh={n}c.bvh"),
            ["1a.bvh+1b.bvh+1c.bvh"]
        );
    }

    #[test]
    fn patterns_that_pair_nothing_are_refused() {
        for bad in ["", "a", "a{n}", "a{n}=b", "a=b{n}", "a{n}{n}=b{n}"] {
            assert!(bad.parse::<PairPattern>().is_err(), "{bad}");
        }
    }
}
