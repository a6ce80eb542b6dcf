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
        eprintln!("vary is not measured: {error}");
        Vec::new()
    })
}

/// Where the variation starts, relative to the attractor's size.
const SHIFT: f64 = 0.01;

fn measure(args: &Args) -> Result<Vec<Row>, VaryError> {
    let rounds = if args.quick { 2 } else { 5 };
    let sizes: &[usize] = if args.quick { &[1_000, 10_000] } else { &[1_000, 10_000, 100_000, 1_000_000] };
    let settings = VarySettings::default();
    let mut rows = Vec::new();
    for &frames in sizes {
        let cell_map = CellMap::new(frames, &settings)?;
        let variation = cell_map.vary(Seed(args.seed), SHIFT, frames)?;
        let queries = &variation.points;
        // The exhaustive search is too slow for all points.
        let few_queries: Vec<StatePoint> =
            queries.iter().step_by((queries.len() / 20).max(1)).copied().collect();
        let [lookup_secs, exhaustive_secs, variation_secs] = race(
            rounds,
            [
                &mut || queries.iter().map(|point| cell_map.cell_at(*point)).sum(),
                &mut || few_queries.iter().map(|point| exhaustive_nearest(cell_map.points(), *point)).sum(),
                &mut || {
                    CellMap::new(frames, &settings)
                        .and_then(|map| map.vary(Seed(args.seed), SHIFT, frames))
                        .map_or(0, |v| v.cells.len())
                },
            ],
        );
        let subject = format!("{frames} frames");
        rows.push(
            Row::new("vary: cell lookups; one core", &subject, frames as f64 / lookup_secs, "frames/s")
                .against("exhaustive search", few_queries.len() as f64 / exhaustive_secs)
                .aim(Aim::AtLeast(1e6)),
        );
        rows.push(
            Row::new(
                "vary: whole variation with both trajectories; one core",
                subject,
                frames as f64 / variation_secs,
                "frames/s",
            )
            .against("the paper: 1,000 frames in under a minute", 1000.0 / 60.0),
        );
    }
    Ok(rows)
}

fn exhaustive_nearest(points: &[StatePoint], at: StatePoint) -> usize {
    let distance = |point: &StatePoint| point.iter().zip(&at).map(|(a, b)| (a - b) * (a - b)).sum::<f64>();
    let nearest = points.iter().map(distance).enumerate().min_by(|a, b| a.1.total_cmp(&b.1));
    nearest.map_or(0, |(cell, _)| cell)
}
