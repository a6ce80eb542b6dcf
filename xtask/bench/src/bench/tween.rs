//! In-betweening: time to learn from a corpus, and to fill a gap.

use std::time::Instant;

use marey_examples::walk::{WalkSettings, walk};
use marey_motion::{Clip, Observer};
use marey_tween::{EndPlace, GapExample, GapModel, GapSettings, NearSettings};

use crate::BoxError;
use crate::args::Args;
use crate::row::{Aim, Row};

/// Number of frames at the working rate that are learned from.
const FRAMES: usize = 30_000;
const RATE_HZ: f64 = 30.0;
const TAKES: usize = 20;
/// Number of gaps that are filled.
const GAPS: usize = 40;

pub(crate) fn rows(args: &Args) -> Vec<Row> {
    measure(args).unwrap_or_else(|error| {
        eprintln!("tween is not measured: {error}");
        Vec::new()
    })
}

fn measure(args: &Args) -> Result<Vec<Row>, BoxError> {
    let takes = if args.quick { TAKES / 5 } else { TAKES };
    let duration_secs = FRAMES as f64 / TAKES as f64 / RATE_HZ;
    let walker = |take: usize| -> Result<Clip, BoxError> {
        let seed = args.seed + take as u64;
        let settings = WalkSettings { seed, duration_secs, rate_hz: RATE_HZ, ..WalkSettings::default() };
        Ok(walk(&settings)?.take.first().clone())
    };
    let examples = (0..takes)
        .map(|take| Ok(GapExample { clip: walker(take)?, take }))
        .collect::<Result<Vec<GapExample>, BoxError>>()?;
    let frames: usize = examples.iter().map(|example| example.clip.frames()).sum();
    let start = Instant::now();
    let model = GapModel::learn(&examples, &NearSettings::default(), None, Observer::ignore())?;
    let learning_secs = start.elapsed().as_secs_f64();
    let unseen = walker(takes)?;
    let subject = format!("walks, {frames} frames at 30 Hz");
    let mut rows =
        vec![Row::new("tween: learning", &subject, learning_secs, "s").aim(Aim::AtMost(5.0)).by_clock()];
    for gap in [5, 15, 30, 45] {
        let mut millis: Vec<f64> = Vec::new();
        for number in 0..GAPS {
            let from = 20 + number * 7;
            let settings = GapSettings { rate_hz: RATE_HZ, frames: Some(gap + 2), end: EndPlace::AsGiven };
            let start = Instant::now();
            model.fill((&unseen, from), (&unseen, from + gap + 1), &settings)?;
            millis.push(1000.0 * start.elapsed().as_secs_f64());
        }
        millis.sort_by(f64::total_cmp);
        let subject = format!("{subject}, gaps of {gap} frames");
        let median = millis[GAPS / 2];
        rows.push(
            Row::new("tween: filling a gap, median", &subject, median, "ms")
                .aim(Aim::AtMost(20.0))
                .by_clock(),
        );
    }
    Ok(rows)
}
