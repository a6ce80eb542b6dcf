//! Files that belong together: those of several actors who were recorded at once.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use crate::Error;
use crate::codes;
use crate::inputs::{self, Input};

/// `60_{i}.bvh=61_{i}.bvh`: names of files with a part that they have in common, under any name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PairPattern {
    /// For each actor, what stands before and behind the common part.
    sides: Vec<(String, String)>,
    text: String,
}

impl FromStr for PairPattern {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let sides: Vec<&str> = text.split('=').collect();
        if sides.len() < 2 {
            return Err("not LEFT=RIGHT, as in '60_{i}.bvh=61_{i}.bvh'".into());
        }
        let side = |side: &&str| {
            let (before, rest) = side.split_once('{')?;
            let (_, behind) = rest.split_once('}')?;
            (!behind.contains('{')).then(|| (before.to_owned(), behind.to_owned()))
        };
        let side = |one: &&str| side(one).ok_or_else(|| format!("{one:?} does not have one part in braces"));
        let sides = sides.iter().map(side).collect::<Result<Vec<_>, _>>()?;
        Ok(Self { sides, text: text.to_owned() })
    }
}

impl PairPattern {
    /// Which actor a file is of, and the common part, where the file is meant.
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

/// What becomes one take: one file for each actor.
#[derive(Debug)]
pub struct Job {
    /// The files, in the order of actors.
    pub files: Vec<PathBuf>,
    /// Why there is nothing to read.
    pub refused: Option<Error>,
}

/// Puts files together by patterns and by a table; the rest stay alone. In the order of each job's first file.
pub fn jobs(inputs: Vec<Input>, patterns: &[PairPattern], table: Option<&Path>) -> Result<Vec<Job>, Error> {
    let mut groups: Vec<Vec<PathBuf>> = table.map(read_table).transpose()?.unwrap_or_default();
    let mut lonely: BTreeMap<PathBuf, String> = BTreeMap::new();
    for pattern in patterns {
        let mut found: BTreeMap<String, Vec<Option<PathBuf>>> = BTreeMap::new();
        for input in inputs.iter().filter(|input| input.refused.is_none()) {
            if let Some((actor, common)) = pattern.side_of(&input.path) {
                let sides = found.entry(common).or_insert_with(|| vec![None; pattern.sides.len()]);
                if let Some(side) = sides.get_mut(actor) {
                    side.get_or_insert_with(|| input.path.clone());
                }
            }
        }
        for (common, sides) in found {
            if sides.contains(&None) {
                let message = format!("{} has no partner for {common:?}", pattern.text);
                lonely.extend(sides.into_iter().flatten().map(|path| (path, message.clone())));
            } else {
                groups.push(sides.into_iter().flatten().collect());
            }
        }
    }
    let mut group_of: BTreeMap<PathBuf, usize> = BTreeMap::new();
    for (number, group) in groups.iter().enumerate() {
        for path in group {
            if group_of.insert(same(path), number).is_some() {
                let message = format!("{} would be in two takes", path.display());
                return Err(Error::usage(&codes::PAIRED_TWICE, message));
            }
        }
    }
    let mut jobs = Vec::new();
    for Input { path, refused, .. } in inputs {
        if let Some(group) = group_of.get(&same(&path)).and_then(|number| groups.get_mut(*number)) {
            // It goes in with the first of its files.
            if !group.is_empty() {
                jobs.push(Job { files: std::mem::take(group), refused: None });
            }
        } else {
            let alone =
                lonely.remove(&path).map(|message| Error::new(&codes::NO_PARTNER, message).in_file(&path));
            jobs.push(Job { files: vec![path], refused: refused.or(alone) });
        }
    }
    let others = groups.into_iter().filter(|group| !group.is_empty());
    jobs.extend(others.map(|files| Job { files, refused: None }));
    Ok(jobs)
}

/// One way of writing a path.
fn same(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// Lines of `first.bvh,second.bvh`, beside the table.
fn read_table(path: &Path) -> Result<Vec<Vec<PathBuf>>, Error> {
    let text = inputs::text(path)?;
    let mut groups = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let cells: Vec<&str> = line.split(',').map(|cell| cell.trim().trim_matches('"')).collect();
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        if cells.len() < 2 || cells.contains(&"") {
            let mut failure =
                Error::new(&codes::PAIRS_TABLE, format!("{line:?} does not name two files")).in_file(path);
            failure.place = Box::new(crate::motion::Place::at(number + 1, 1));
            return Err(failure);
        }
        groups.push(cells.iter().map(|cell| path.with_file_name("").join(cell)).collect());
    }
    Ok(groups)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn input(path: &str) -> Input {
        Input { path: path.into(), relative: path.into(), refused: None }
    }

    fn shown(files: &[&str], pattern: &str) -> Vec<String> {
        let inputs = files.iter().map(|file| input(file)).collect();
        let jobs = jobs(inputs, &[pattern.parse().unwrap()], None).unwrap();
        let show = |job: &Job| {
            let names: Vec<String> = job.files.iter().map(|file| file.display().to_string()).collect();
            format!("{}{}", names.join("+"), if job.refused.is_some() { "!" } else { "" })
        };
        jobs.iter().map(show).collect()
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
