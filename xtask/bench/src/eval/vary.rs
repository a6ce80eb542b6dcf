//! Chaotic variation: similarity to the original compared with shuffles, and separation of nearby starts.
//!
//! It calls the engine, because the paper varies sequences of symbols; `vary_dance` measures the verb.

use marey_plan::Seed;
use marey_vary::{
    CellMap, ChaoticSystem, Chunk, Itinerary, VariationStatistics, VaryError, VarySettings, WINDOWS, chunks,
    shuffle_chunks, shuffle_elements,
};

use super::vary_dance;
use crate::BoxError;
use crate::args::Args;
use crate::row::{Aim, Row};

/// Number of keyframes of the paper's ballets.
const CELLS: usize = 1720;

/// Number of seeds of a mean.
const SEEDS: u64 = 20;

pub(crate) fn rows(args: &Args) -> Vec<Row> {
    let mut rows = Vec::new();
    for part in [measure, vary_dance::rows] {
        match part(args) {
            Ok(some) => rows.extend(some),
            Err(error) => eprintln!("a part of vary is not measured: {error}"),
        }
    }
    rows
}

fn measure(args: &Args) -> Result<Vec<Row>, BoxError> {
    let seeds: Vec<Seed> = (0..SEEDS).map(|n| Seed(args.seed * 1000 + n)).collect();
    let original: Vec<usize> = (0..CELLS).collect();
    let mut rows = Vec::new();
    for (rule, settings) in [
        ("the paper's rule", VarySettings::for_symbols(CELLS)),
        ("default settings", VarySettings::default()),
    ] {
        let varied =
            seeds.iter().map(|seed| vary(&settings, *seed)).collect::<Result<Vec<_>, VaryError>>()?;
        let varied = Mean::of(&original, &varied);
        let random_chunks: Vec<Vec<usize>> =
            seeds.iter().map(|seed| shuffle_chunks(CELLS, varied.mean_run, *seed)).collect();
        let random_chunks = Mean::of(&original, &random_chunks);
        let shuffled: Vec<Vec<usize>> = seeds.iter().map(|seed| shuffle_elements(CELLS, *seed)).collect();
        let shuffled = Mean::of(&original, &shuffled);
        let subject = format!("Lorenz, {CELLS} keyframes, {SEEDS} seeds, {rule}");
        for (index, length) in WINDOWS.into_iter().enumerate() {
            let name = format!("vary: runs of {length} that occur in the original");
            let value = varied.windows[index];
            let row =
                Row::new(&name, &subject, value, "share").against("shuffled frames", shuffled.windows[index]);
            rows.push(if length == 2 { row.aim(Aim::AtLeast(0.5)) } else { row });
            rows.push(
                Row::new(&name, &subject, value, "share")
                    .against("random chunks", random_chunks.windows[index]),
            );
        }
        let moved = Row::new("vary: positions with another frame", &subject, varied.moved, "share");
        rows.push(moved.against("shuffled frames", shuffled.moved).aim(Aim::AtLeast(0.5)));
        let used = Row::new("vary: frames of the original that are used", &subject, varied.used, "share");
        rows.push(used.against("random chunks", random_chunks.used));
        rows.push(Row::new(
            "vary: mean run in the order of the original",
            subject,
            varied.mean_run,
            "frames",
        ));
    }
    rows.extend(separation(&seeds)?);
    Ok(rows)
}

fn vary(settings: &VarySettings, seed: Seed) -> Result<Vec<usize>, VaryError> {
    let whole = 0..CELLS;
    let split = |itinerary: &Itinerary| chunks(&itinerary.cells, std::slice::from_ref(&whole), settings);
    let (_, chunks) = CellMap::new(CELLS, settings)?.variation(settings, seed, CELLS, split)?;
    Ok(chunks.iter().flat_map(Chunk::range).collect())
}

/// Means over seeds.
struct Mean {
    windows: [f64; WINDOWS.len()],
    moved: f64,
    used: f64,
    mean_run: f64,
}

impl Mean {
    fn of(original: &[usize], sequences: &[Vec<usize>]) -> Self {
        let all: Vec<VariationStatistics> =
            sequences.iter().map(|sequence| VariationStatistics::new(original, sequence)).collect();
        let mean = |of: &dyn Fn(&VariationStatistics) -> f64| {
            all.iter().map(of).sum::<f64>() / all.len().max(1) as f64
        };
        let mut windows = [0.0; WINDOWS.len()];
        for (index, window) in windows.iter_mut().enumerate() {
            *window = mean(&|statistics| statistics.windows[index]);
        }
        Self { windows, moved: mean(&|s| s.moved), used: mean(&|s| s.used), mean_run: mean(&|s| s.mean_run) }
    }
}

/// Number of cells for which a variation follows the original, by distance of its start.
fn separation(seeds: &[Seed]) -> Result<Vec<Row>, VaryError> {
    let mut rows = Vec::new();
    for system in [ChaoticSystem::Lorenz, ChaoticSystem::Rossler, ChaoticSystem::Chua] {
        let mut before: Option<(f64, f64)> = None;
        for shift in [1e-2, 1e-4, 1e-6, 1e-8] {
            let settings = VarySettings { system: system.clone(), ..VarySettings::default() };
            let cell_map = CellMap::new(CELLS, &settings)?;
            let mut kept = 0;
            for seed in seeds {
                let variation = cell_map.vary(*seed, shift, CELLS)?;
                let near = |(index, cell): &(usize, &usize)| index.abs_diff(**cell) <= settings.drift_cells;
                kept += variation.cells.iter().enumerate().take_while(near).count();
            }
            let kept = kept as f64 / seeds.len() as f64;
            let row = Row::new(
                "vary: frames before the variation leaves the original",
                format!("{system}, start shifted by {shift:.0e} of the attractor's size"),
                kept,
                "frames",
            );
            rows.push(match before {
                Some((last, value)) => {
                    row.against(&format!("shifted by {last:.0e}"), value).aim(Aim::AtLeast(value))
                }
                None => row,
            });
            before = Some((shift, kept));
        }
    }
    Ok(rows)
}
