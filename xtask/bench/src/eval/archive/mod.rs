//! Folders of captured motion as users have them, through the command: files in, motion on one character out.
//!
//! Each captured folder, whatever it holds, goes along twelve paths. A run that ends without motion is an error of ours, so all
//! runs are counted. The independent ruler measures the results and their sources.

mod folders;
mod paths;
mod steps;

use std::fs;

use folders::CapturedFolder;
use marey_capture::Half;
use marey_examples::character::{CharacterSettings, character};
use marey_formats::ReadOptions;
use marey_formats::file::read_file;
use marey_measure::path::path_error;

use super::feet::ruler::{self, RulerFigures, median};
use crate::args::Args;
use crate::row::{Aim, Row};
use crate::{BoxError, data, marey_command};

/// The number of folders and of paths with `--quick`.
const QUICK: usize = 3;
/// Metres per unit of results.
const METRES_PER_UNIT: f64 = 0.01;

pub(crate) fn rows(args: &Args) -> Vec<Row> {
    let Some(folder) = data::captured(args, "") else { return Vec::new() };
    let mut rows = Vec::new();
    match steps::rows(&folder) {
        Ok(found) => rows.extend(found),
        Err(error) => eprintln!("steps are not measured: {error}"),
    }
    let folders = folders::all(&folder, args.half);
    let count = if args.quick { QUICK } else { usize::MAX };
    let mut all = Vec::new();
    for folder in folders.iter().take(count) {
        match measure(folder, args) {
            Ok(result) => {
                rows.extend(result.rows(&folder.name, args.half));
                all.push(result);
            }
            Err(error) => eprintln!("{} is not measured: {error}", folder.name),
        }
    }
    rows.extend(FolderResult::total(&all).rows(&format!("all of {} folders", all.len()), args.half));
    rows
}

/// The figures of a folder.
#[derive(Debug, Default)]
struct FolderResult {
    runs: usize,
    /// Runs that ended with motion.
    done: usize,
    sources: Vec<RulerFigures>,
    results: Vec<RulerFigures>,
    /// Mean distance of the hips from the path in each run, in centimetres.
    path_cm: Vec<f64>,
}

fn measure(folder: &CapturedFolder, args: &Args) -> Result<FolderResult, BoxError> {
    let scratch = data::scratch_folder()?.join(format!("archive-{}-{}", args.half, folder.slug()));
    fs::create_dir_all(&scratch)?;
    let figure = scratch.join("character.glb");
    fs::write(&figure, character(&CharacterSettings::default())?)?;
    let count = if args.quick { QUICK } else { usize::MAX };
    let mut result = FolderResult::default();
    let mut outputs = Vec::new();
    for path in paths::all(folder.speed_mps()).into_iter().take(count) {
        let (table, output) =
            (scratch.join(format!("{}.csv", path.name)), scratch.join(format!("{}.bvh", path.name)));
        fs::write(&table, path.to_csv())?;
        let mut words = vec!["follow".into()];
        words.extend(folder.files.iter().cloned());
        words.extend([table, "-o".into(), output.clone(), "--force".into()]);
        words.extend(["--character".into(), figure.clone()]);
        result.runs += 1;
        match marey_command::run(&words, &scratch) {
            Ok(_) => {
                result.done += 1;
                let take = read_file(&output, &ReadOptions::default())?.into_first()?.take;
                result.path_cm.extend(path_error(take.first(), &path.clip()?).map(|error| error.mean_cm));
                outputs.push(output);
            }
            Err(error) => eprintln!("{}, {}: {error}", folder.name, path.name),
        }
    }
    result.sources = ruler::measure(&folder.files, folder.metres_per_unit, folder.first_frame)?;
    if !outputs.is_empty() {
        result.results = ruler::measure(&outputs, METRES_PER_UNIT, 0)?;
    }
    Ok(result)
}

impl FolderResult {
    fn total(all: &[Self]) -> Self {
        let figures = |of: fn(&Self) -> &Vec<RulerFigures>| all.iter().flat_map(of).copied().collect();
        Self {
            runs: all.iter().map(|result| result.runs).sum(),
            done: all.iter().map(|result| result.done).sum(),
            sources: figures(|result| &result.sources),
            results: figures(|result| &result.results),
            path_cm: all.iter().flat_map(|result| result.path_cm.iter().copied()).collect(),
        }
    }

    fn rows(&self, subject: &str, half: Half) -> Vec<Row> {
        let (sources, results) = (RulerFigures::median(&self.sources), RulerFigures::median(&self.results));
        let beside = |name: &str, of: fn(&RulerFigures) -> f64, unit| {
            Row::new(&format!("archive: {name}, by the ruler"), subject, of(&results), unit)
                .against("the sources", of(&sources))
        };
        let share = 100.0 * self.done as f64 / self.runs.max(1) as f64;
        let rows = [
            Row::new("archive: runs that end with motion", subject, share, "%").aim(Aim::AtLeast(100.0)),
            Row::new(
                "archive: hips off their path, median of runs",
                subject,
                median(self.path_cm.clone()),
                "cm",
            ),
            beside("skate", |figures| figures.skate_cm_per_sec, "cm/s").aim(Aim::RatioAtMost(1.0)),
            beside("acceleration, 99.9th percentile", |figures| figures.acceleration_mps2, "m/s²"),
            beside("mean jerk", |figures| figures.jerk_mps3, "m/s³").aim(Aim::RatioAtMost(1.0)),
        ];
        rows.map(|row| row.of_half(half)).to_vec()
    }
}
