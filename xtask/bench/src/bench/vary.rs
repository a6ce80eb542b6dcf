//! Speed of chaotic variation: cell lookup, and whole variations.
//!
//! It calls the engine, because it times the lookup of cells, which is a part of the verb.

use marey_plan::Seed;
use marey_vary::{CellMap, StatePoint, VaryError, VarySettings};

use crate::args::Args;
use crate::clock::race;
use crate::row::{Aim, Row};

pub(crate) fn rows(args: &Args) -> Vec<Row> {
    measure(args).unwrap_or_else(|error| {
        eprintln!("nothing to measure: {error}");
        Vec::new()
    })
}

fn measure(args: &Args) -> Result<Vec<Row>, VaryError> {
    let rounds = if args.quick { 2 } else { 5 };
    let sizes: &[usize] = if args.quick { &[1_000, 10_000] } else { &[1_000, 10_000, 100_000, 1_000_000] };
    let settings = VarySettings::default();
    let mut rows = Vec::new();
    for &frames in sizes {
        let cell_map = CellMap::new(frames, &settings)?;
        let variation = cell_map.vary(Seed(args.seed), frames)?;
        let asked = &variation.points;
        // The exhaustive search is too slow for all points.
        let few: Vec<StatePoint> = asked.iter().step_by((asked.len() / 20).max(1)).copied().collect();
        let [looked_up, tried, whole] = race(
            rounds,
            [
                &mut || asked.iter().map(|point| cell_map.cell_at(*point)).sum(),
                &mut || few.iter().map(|point| nearest_by_trying(cell_map.points(), *point)).sum(),
                &mut || {
                    CellMap::new(frames, &settings)
                        .and_then(|w| w.vary(Seed(args.seed), frames))
                        .map_or(0, |v| v.cells.len())
                },
            ],
        );
        let subject = format!("{frames} frames");
        rows.push(
            Row::new("vary: cells looked up; one core", &subject, frames as f64 / looked_up, "frames/s")
                .against("every cell tried", few.len() as f64 / tried)
                .aim(Aim::AtLeast(1e6)),
        );
        rows.push(
            Row::new(
                "vary: wrapped and varied, both trajectories integrated; one core",
                subject,
                frames as f64 / whole,
                "frames/s",
            )
            .against("the paper: 1,000 frames in under a minute", 1000.0 / 60.0),
        );
    }
    Ok(rows)
}

fn nearest_by_trying(points: &[StatePoint], at: StatePoint) -> usize {
    let distance = |point: &StatePoint| point.iter().zip(&at).map(|(a, b)| (a - b) * (a - b)).sum::<f64>();
    let nearest = points.iter().map(distance).enumerate().min_by(|a, b| a.1.total_cmp(&b.1));
    nearest.map_or(0, |(cell, _)| cell)
}
