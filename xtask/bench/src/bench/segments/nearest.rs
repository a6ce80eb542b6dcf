//! The nearest neighbour among a million frames.

use marey_motion::Clip;
use marey_ops::features::{DIMS, FeatureScale, FeatureSettings, features};
use marey_ops::nearest::NearestIndex;
use wide::f32x8;

use super::walks::walks;
use crate::args::Args;
use crate::clock::race;
use crate::row::{Aim, Row};

/// Offset of the seeds of the walks that queries come from, so that none is in the table.
const HELD_OUT: u64 = 1_000_000;

pub(super) fn rows(args: &Args) -> Option<Vec<Row>> {
    let frames = if args.quick { 100_000 } else { 1_000_000 };
    let settings = FeatureSettings::default();
    let mut table = table(&walks(frames, args.seed), &settings)?;
    let mut held_out = self::table(&walks(9_000, args.seed + HELD_OUT), &settings)?;
    let scale = FeatureScale::fit(&table, &settings).ok()?;
    scale.apply(&mut table);
    scale.apply(&mut held_out);
    table.truncate(frames * DIMS);
    let perturbed = perturbed(&table);
    let scan = Scan::of(&table);
    let start = std::time::Instant::now();
    let index = NearestIndex::build(&table, DIMS).ok()?;
    let building = Row::new(
        "nearest frame: building the index",
        format!("{frames} × {DIMS}, one core"),
        start.elapsed().as_secs_f64(),
        "s",
    );
    let mut rows = vec![building];
    for (kind, queries) in
        [("frames of other walks", held_out), ("frames of the table with noise", perturbed)]
    {
        let queries: Vec<&[f32]> =
            queries.chunks_exact(DIMS).step_by(queries.len() / DIMS / 100).take(100).collect();
        let exact = queries.iter().all(|query| {
            index.nearest(query, 1, None).is_ok_and(|found| found[0].row == scan.nearest(query).0)
        });
        let [ours, brute] = race(
            if args.quick { 2 } else { 5 },
            [
                &mut || {
                    queries.iter().map(|q| index.nearest(q, 1, None).map_or(0, |found| found[0].row)).sum()
                },
                &mut || queries.iter().map(|q| scan.nearest(q).0).sum(),
            ],
        );
        let subject = format!("{frames} × {DIMS}, {kind}, one core");
        let count = queries.len() as f64;
        rows.push(
            Row::new("nearest frame", &subject, count / ours, "queries/s")
                .against("linear scan, 8 rows at a time", count / brute)
                .aim(Aim::RatioAtLeast(10.0)),
        );
        rows.push(
            Row::new("nearest frame: same as the scan", subject, f64::from(u8::from(exact)), "all queries")
                .aim(Aim::AtLeast(1.0)),
        );
    }
    Some(rows)
}

fn table(clips: &[Clip], settings: &FeatureSettings) -> Option<Vec<f32>> {
    let tables = clips.iter().map(|clip| features(clip, settings).ok());
    Some(tables.collect::<Option<Vec<_>>>()?.concat())
}

/// A thousand rows of a table, with noise of up to a tenth of a standard deviation.
fn perturbed(table: &[f32]) -> Vec<f32> {
    let rows = table.len() / DIMS;
    let chosen = (0..1000).flat_map(|i| &table[(i * 7919 % rows) * DIMS..][..DIMS]);
    chosen.enumerate().map(|(i, v)| v + 0.1 * ((i as f64 * 0.618_034).fract() as f32 * 2.0 - 1.0)).collect()
}

/// The baseline: computes the distance of every row, eight rows at a time, from blocks that interleave eight rows.
struct Scan {
    rows: usize,
    blocks: Vec<[f32x8; DIMS]>,
}

impl Scan {
    fn of(table: &[f32]) -> Self {
        let blocks = table.chunks(8 * DIMS).map(|rows| {
            let at = |dim: usize| {
                f32x8::new(std::array::from_fn(|lane| rows.get(lane * DIMS + dim).copied().unwrap_or(0.0)))
            };
            std::array::from_fn(at)
        });
        Self { rows: table.len() / DIMS, blocks: blocks.collect() }
    }

    /// The nearest row and its squared distance; the first of several equal ones.
    fn nearest(&self, query: &[f32]) -> (usize, f32) {
        let query: [f32x8; DIMS] = std::array::from_fn(|dim| f32x8::splat(query[dim]));
        let mut best = (0, f32::INFINITY);
        for (i, block) in self.blocks.iter().enumerate() {
            let mut sum = f32x8::ZERO;
            for (v, q) in block.iter().zip(&query) {
                let away = *v - *q;
                sum += away * away;
            }
            if sum.simd_lt(f32x8::splat(best.1)).any() {
                for (lane, squared) in sum.to_array().into_iter().enumerate() {
                    let row = 8 * i + lane;
                    if squared < best.1 && row < self.rows {
                        best = (row, squared);
                    }
                }
            }
        }
        best
    }
}
