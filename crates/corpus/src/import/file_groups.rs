//! Groups files of actors that were recorded together.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use marey_formats::{FormatsError, FoundFile};
use marey_motion::Place;
use serde::{Deserialize, Serialize};

use crate::{CorpusError, Result, codes};

/// File names with a part in common, whose files become one take: `60_{i}.bvh=61_{i}.bvh` for two or more actors that are named
/// after their files, or `leader=60_{i}.bvh` for one actor and its name. The name in braces is arbitrary.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct PairPattern {
    /// The actor, if the pattern names one.
    actor: Option<String>,
    /// For each actor, the text before and after the common part.
    sides: Vec<(String, String)>,
    text: String,
}

impl FromStr for PairPattern {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, Self::Err> {
        let mut sides: Vec<&str> = text.split('=').collect();
        if sides.len() < 2 {
            return Err("expected NAME=FILES, as in 'leader=60_{i}.bvh', or '60_{i}.bvh=61_{i}.bvh'".into());
        }
        let actor = match sides.as_slice() {
            [name, _] if !name.is_empty() && !name.contains(['{', '}']) => Some(sides.remove(0).to_owned()),
            _ => None,
        };
        let side = |side: &&str| {
            let (before, rest) = side.split_once('{')?;
            let (_, behind) = rest.split_once('}')?;
            (!behind.contains('{')).then(|| (before.to_owned(), behind.to_owned()))
        };
        let side = |one: &&str| side(one).ok_or_else(|| format!("{one:?} does not have one part in braces"));
        let sides = sides.iter().map(side).collect::<std::result::Result<Vec<_>, _>>()?;
        Ok(Self { actor, sides, text: text.to_owned() })
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

/// The patterns of takes of several actors.
struct TakePattern {
    /// Names of the actors, or none.
    actors: Vec<String>,
    sides: Vec<(String, String)>,
    text: String,
}

impl TakePattern {
    /// Patterns of one named actor each belong together; each other pattern stands alone.
    fn all(patterns: &[PairPattern]) -> Result<Vec<Self>> {
        let (named, others): (Vec<&PairPattern>, Vec<&PairPattern>) =
            patterns.iter().partition(|pattern| pattern.actor.is_some());
        if let [only] = named.as_slice() {
            let message = format!("{} has no partner: name the other actor too", only.text);
            return Err(CorpusError::request(&codes::NO_PARTNER, message));
        }
        let alone = |pattern: &&PairPattern| Self {
            actors: Vec::new(),
            sides: pattern.sides.clone(),
            text: pattern.text.clone(),
        };
        let mut all: Vec<Self> = others.iter().map(alone).collect();
        if !named.is_empty() {
            all.push(Self {
                actors: named.iter().filter_map(|pattern| pattern.actor.clone()).collect(),
                sides: named.iter().flat_map(|pattern| pattern.sides.clone()).collect(),
                text: named.iter().map(|pattern| pattern.text.as_str()).collect::<Vec<_>>().join(" with "),
            });
        }
        Ok(all)
    }

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
    /// Names of the actors, or none if they are named after the files.
    #[serde(default)]
    pub actors: Vec<String>,
    /// Why the file cannot be paired as requested.
    #[serde(default)]
    pub missing_partner: Option<String>,
    /// Whether pairs were asked for, and the file is in none.
    #[serde(default)]
    pub is_unpaired: bool,
}

impl FileGroup {
    /// Files that are read where they are.
    pub fn new(sources: Vec<PathBuf>) -> Self {
        Self { sources, files: Vec::new(), actors: Vec::new(), missing_partner: None, is_unpaired: false }
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
    let listed = table.map(read_table).transpose()?.unwrap_or_default();
    let mut groups: Vec<(Vec<PathBuf>, Vec<String>)> =
        listed.into_iter().map(|files| (files, Vec::new())).collect();
    let mut without_partner: BTreeMap<PathBuf, String> = BTreeMap::new();
    let patterns = TakePattern::all(patterns)?;
    for pattern in &patterns {
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
                groups.push((sides.into_iter().flatten().collect(), pattern.actors.clone()));
            }
        }
    }
    let mut group_of: BTreeMap<PathBuf, usize> = BTreeMap::new();
    for (number, (group, _)) in groups.iter().enumerate() {
        for path in group {
            if group_of.insert(canonical(path), number).is_some() {
                let message = format!("{} would be in two takes", path.display());
                return Err(CorpusError::request(&codes::PAIRED_TWICE, message));
            }
        }
    }
    let mut all = Vec::new();
    for FoundFile { path, error, .. } in files {
        let group = group_of.get(&canonical(&path)).and_then(|number| groups.get_mut(*number));
        if let Some((files, actors)) = group {
            // The group stands in the place of its first file.
            if !files.is_empty() {
                let (files, actors) = (std::mem::take(files), std::mem::take(actors));
                all.push(Ok(FileGroup { actors, ..FileGroup::new(files) }));
            }
        } else if let Some(error) = error {
            all.push(Err(Box::new((path, error))));
        } else {
            let missing_partner = without_partner.remove(&path);
            let is_unpaired = !patterns.is_empty() && missing_partner.is_none();
            all.push(Ok(FileGroup { missing_partner, is_unpaired, ..FileGroup::new(vec![path]) }));
        }
    }
    let others = groups.into_iter().filter(|(files, _)| !files.is_empty());
    all.extend(others.map(|(files, actors)| Ok(FileGroup { actors, ..FileGroup::new(files) })));
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
    use marey_motion::Coded;

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
    fn named_patterns_belong_together_and_name_the_actors() {
        let files = ["a/60_01.bvh", "a/61_01.bvh", "a/62.bvh"].iter().map(found).collect();
        let patterns = ["leader=60_{i}.bvh", "follower=61_{i}.bvh"].map(|text| text.parse().unwrap());
        let groups = group_files(files, &patterns, None).unwrap();
        let [pair, other] = groups.as_slice() else { panic!("{groups:?}") };
        assert_eq!(pair.as_ref().unwrap().actors, ["leader", "follower"]);
        assert_eq!(pair.as_ref().unwrap().sources.len(), 2);
        assert!(other.as_ref().unwrap().is_unpaired && !pair.as_ref().unwrap().is_unpaired);
        let alone = group_files(vec![], &patterns[..1], None).unwrap_err();
        assert_eq!(alone.code().id, "corpus/no-partner");
    }

    #[test]
    fn patterns_that_pair_nothing_are_refused() {
        for bad in ["", "a", "a{n}", "a{n}=b", "a=b", "=a{n}", "a{n}{n}=b{n}"] {
            assert!(bad.parse::<PairPattern>().is_err(), "{bad}");
        }
    }
}
