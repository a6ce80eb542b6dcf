//! Chaotic variation: similarity to the original compared with shuffles, and separation of nearby starts.
//!
//! It calls the engine, because the paper varies sequences of symbols; `vary_dance` measures the verb.

use marey_plan::Seed;
use marey_vary::{
    CellMap, ChaoticSystem, Chunk, VariationStatistics, VaryError, VarySettings, WINDOWS, chunks,
    shuffle_chunks, shuffle_elements,
};

use super::vary_dance;
use crate::args::Args;
use crate::row::{Aim, Row};

/// Number of key frames of the paper's ballets.
const CELLS: usize = 1720;

/// Number of seeds of a mean.
const SEEDS: u64 = 20;

pub(crate) fn rows(args: &Args) -> Vec<Row> {
    let mut rows = Vec::new();
    for part in [measure, vary_dance::rows] {
        match part(args) {
            Ok(some) => rows.extend(some),
            Err(error) => eprintln!("not measured: {error}"),
        }
    }
    rows
}

fn measure(args: &Args) -> Result<Vec<Row>, Box<dyn std::error::Error>> {
    let seeds: Vec<Seed> = (0..SEEDS).map(|n| Seed(args.seed * 1000 + n)).collect();
    let original: Vec<usize> = (0..CELLS).collect();
    let mut rows = Vec::new();
    for (rule, settings) in
        [("the paper's rule", VarySettings::for_symbols()), ("for frames", VarySettings::default())]
    {
        let chaos =
            seeds.iter().map(|seed| varied(&settings, *seed)).collect::<Result<Vec<_>, VaryError>>()?;
        let chaos = Mean::of(&original, &chaos);
        let chance: Vec<Vec<usize>> =
            seeds.iter().map(|seed| shuffle_chunks(CELLS, chaos.mean_run, *seed)).collect();
        let chance = Mean::of(&original, &chance);
        let frames: Vec<Vec<usize>> = seeds.iter().map(|seed| shuffle_elements(CELLS, *seed)).collect();
        let frames = Mean::of(&original, &frames);
        let subject = format!("Lorenz, {CELLS} key frames, {SEEDS} seeds, {rule}");
        for (index, length) in WINDOWS.into_iter().enumerate() {
            let name = format!("vary: runs of {length} that are the original's");
            let value = chaos.windows[index];
            let row =
                Row::new(&name, &subject, value, "share").against("frames shuffled", frames.windows[index]);
            rows.push(if length == 2 { row.aim(Aim::AtLeast(0.5)) } else { row });
            rows.push(
                Row::new(&name, &subject, value, "share").against("chunks by chance", chance.windows[index]),
            );
        }
        let moved = Row::new("vary: places with another frame", &subject, chaos.moved, "share");
        rows.push(moved.against("frames shuffled", frames.moved).aim(Aim::AtLeast(0.5)));
        let used = Row::new("vary: frames of the original that are used", &subject, chaos.used, "share");
        rows.push(used.against("chunks by chance", chance.used));
        rows.push(Row::new("vary: mean run in the original's order", subject, chaos.mean_run, "frames"));
    }
    rows.extend(separation(&seeds)?);
    Ok(rows)
}

fn varied(settings: &VarySettings, seed: Seed) -> Result<Vec<usize>, VaryError> {
    let variation = CellMap::new(CELLS, settings)?.vary(seed, CELLS)?;
    let whole = 0..CELLS;
    let chunks = chunks(&variation.cells, std::slice::from_ref(&whole), settings);
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
            let settings = VarySettings { system: system.clone(), shift, ..VarySettings::default() };
            let cell_map = CellMap::new(CELLS, &settings)?;
            let mut kept = 0;
            for seed in seeds {
                let variation = cell_map.vary(*seed, CELLS)?;
                let near = |(index, cell): &(usize, &usize)| index.abs_diff(**cell) <= settings.drift_cells;
                kept += variation.cells.iter().enumerate().take_while(near).count();
            }
            let kept = kept as f64 / seeds.len() as f64;
            let row = Row::new(
                "vary: frames with the original, before it is left",
                format!("{system}, start moved by {shift:.0e} of its size"),
                kept,
                "frames",
            );
            rows.push(match before {
                Some((last, value)) => {
                    row.against(&format!("moved by {last:.0e}"), value).aim(Aim::AtLeast(value))
                }
                None => row,
            });
            before = Some((shift, kept));
        }
    }
    Ok(rows)
}
