//! Divides captured takes into a half to choose settings on and a half to report figures on.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fmt;
use std::path::{Path, PathBuf};

use crate::files;

/// CMU's subjects who were captured together: trial 3 of both subjects is one take.
const CMU_PAIRS: [(&str, &str); 5] = [("18", "19"), ("20", "21"), ("22", "23"), ("33", "34"), ("60", "61")];

/// One half of the captured takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Half {
    /// Settings are chosen on these takes.
    Tuning,
    /// Figures are reported for these takes.
    Report,
}

impl fmt::Display for Half {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Half::Tuning => "tuning",
            Half::Report => "report",
        })
    }
}

/// The half of each file, in the order given.
///
/// The takes of each folder, sorted by name, go alternately to the tuning half (first, third, …) and to the report half (second,
/// fourth, …). Both files of a pair are one take. The halves depend on the list, so pass all takes of a folder.
pub fn deal(files: &[PathBuf]) -> Vec<Half> {
    let mut takes: BTreeMap<(Option<&Path>, String), Vec<usize>> = BTreeMap::new();
    for (index, file) in files.iter().enumerate() {
        takes.entry((file.parent(), take_name(file))).or_default().push(index);
    }
    let mut halves = vec![Half::Tuning; files.len()];
    let mut last = None;
    let mut half = Half::Tuning;
    for ((folder, _), indices) in takes {
        half = match half {
            Half::Tuning if last == Some(folder) => Half::Report,
            _ => Half::Tuning,
        };
        last = Some(folder);
        indices.into_iter().for_each(|index| halves[index] = half);
    }
    halves
}

/// The files of one half with this extension in a folder and its subfolders, sorted.
///
/// # Panics
/// If a folder cannot be listed, as [`files`].
pub fn files_of_half(folder: &Path, extension: &str, half: Half) -> Vec<PathBuf> {
    let all = files(folder, extension);
    let halves = deal(&all);
    all.into_iter().zip(halves).filter(|(_, own)| *own == half).map(|(file, _)| file).collect()
}

/// The name that all files of a take share: for a pair, the name of its first subject's file.
fn take_name(file: &Path) -> String {
    let name = file.file_stem().unwrap_or_else(|| OsStr::new("")).to_string_lossy();
    let pair = name.split_once('_').and_then(|(subject, trial)| {
        let (first, _) = CMU_PAIRS.iter().find(|(_, second)| *second == subject)?;
        Some(format!("{first}_{trial}"))
    });
    pair.unwrap_or_else(|| name.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report_half(names: &[&str]) -> Vec<String> {
        let files: Vec<PathBuf> = names.iter().map(PathBuf::from).collect();
        let halves = deal(&files);
        let report = names.iter().zip(halves).filter(|(_, half)| *half == Half::Report);
        report.map(|(name, _)| (*name).to_owned()).collect()
    }

    #[test]
    fn takes_alternate_in_the_order_of_their_names() {
        assert_eq!(report_half(&["w/c.bvh", "w/a.bvh", "w/d.bvh", "w/b.bvh"]), ["w/d.bvh", "w/b.bvh"]);
    }

    #[test]
    fn each_folder_starts_with_the_tuning_half() {
        assert_eq!(report_half(&["a/1.bvh", "b/1.bvh", "b/2.bvh", "c/1.bvh"]), ["b/2.bvh"]);
    }

    #[test]
    fn both_files_of_a_pair_go_together() {
        let names =
            ["s/60_01.bvh", "s/60_03.bvh", "s/60_05.bvh", "s/61_01.bvh", "s/61_03.bvh", "s/61_05.bvh"];
        assert_eq!(report_half(&names), ["s/60_03.bvh", "s/61_03.bvh"]);
    }

    #[test]
    fn neighbouring_subjects_who_were_captured_alone_are_separate_takes() {
        assert_eq!(report_half(&["w/07_01.bvh", "w/08_01.bvh"]), ["w/08_01.bvh"]);
    }

    #[test]
    fn captured_takes_are_divided_evenly_in_every_folder() {
        let Some(folder) = crate::folder("cmu") else { return };
        let (tuning, report) =
            (files_of_half(&folder, "bvh", Half::Tuning), files_of_half(&folder, "bvh", Half::Report));
        assert_eq!(tuning.len() + report.len(), files(&folder, "bvh").len());
        for name in ["salsa_60_61", "two_person", "walk_path"] {
            let count =
                |files: &[PathBuf]| files.iter().filter(|file| file.starts_with(folder.join(name))).count();
            assert!(count(&tuning).abs_diff(count(&report)) <= 2, "{name}");
        }
    }
}
