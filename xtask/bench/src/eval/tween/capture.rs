//! In-betweening on captured motion: success rate, speed and likelihood of paths.

use std::time::Instant;

use marey_capture::Half;
use marey_motion::Clip;
use marey_plan::Seed;
use marey_tween::{Dependence, MotionStyle, PathSearchSettings, StyleSettings, find_path};
use rand::RngExt;

use super::salsa;
use crate::BoxError;
use crate::args::Args;
use crate::data;
use crate::row::{Aim, Row};

/// Number of pairs of postures.
const PAIRS: usize = 100;

pub(super) fn rows(args: &Args) -> Result<Vec<Row>, BoxError> {
    let Some(folder) = data::captured(args, "cmu") else { return Ok(Vec::new()) };
    let clips: Vec<Clip> = salsa::clips(data::bvh_files_to_report(&folder.join(salsa::FOLDER)))?
        .into_iter()
        .map(|(_, clip)| clip)
        .collect();
    let captured: usize = clips.iter().map(Clip::frames).sum();
    let mut rows = Vec::new();
    for dependence in [Dependence::Learned, Dependence::Body, Dependence::None] {
        let settings = StyleSettings { dependence, ..StyleSettings::default() };
        let start = Instant::now();
        let style = MotionStyle::learn(&clips, &settings)?;
        let learning_secs = start.elapsed().as_secs_f64();
        let mut rng = Seed(args.seed).rng(0);
        let mut secs = Vec::new();
        let (mut solved, mut steps, mut cost) = (0usize, 0usize, 0.0);
        let pairs = if args.quick { PAIRS / 5 } else { PAIRS };
        for _ in 0..pairs {
            let mut draw = || {
                let frame = rng.random_range(0..style.frames().len());
                style.frames().posture(frame).to_vec()
            };
            let (from, to) = (draw(), draw());
            let start = Instant::now();
            match find_path(&style, &from, &to, None, &PathSearchSettings::default()) {
                Ok(path) => {
                    solved += 1;
                    steps += path.postures.len() - 1;
                    cost += path.cost;
                }
                Err(error) => eprintln!("{error}"),
            }
            secs.push(start.elapsed().as_secs_f64());
        }
        secs.sort_by(f64::total_cmp);
        let at = |share: f64| secs[((secs.len() - 1) as f64 * share).round() as usize];
        let subject = format!("CMU salsa, {captured} frames, {pairs} pairs, dependence {dependence:?}");
        rows.push(
            Row::new("tween: pairs with a path", &subject, solved as f64 / pairs as f64, "share")
                .aim(Aim::AtLeast(0.95)),
        );
        rows.push(
            Row::new("tween: time of a search, median; one core", &subject, at(0.5), "s")
                .aim(Aim::AtMost(0.3))
                .by_clock(),
        );
        rows.push(
            Row::new("tween: time of a search, 95th percentile", &subject, at(0.95), "s")
                .aim(Aim::AtMost(2.0))
                .by_clock(),
        );
        rows.push(Row::new("tween: learning", &subject, learning_secs, "s"));
        rows.push(Row::new(
            "tween: steps of a path, mean",
            &subject,
            steps as f64 / solved.max(1) as f64,
            "steps",
        ));
        let mean = cost / steps.max(1) as f64;
        let step = Row::new("tween: negative log-likelihood of a step, mean", &subject, mean, "nats");
        rows.push(step.against("steps of the capture itself", captured_cost(&style)));
    }
    Ok(rows.into_iter().map(|row| row.of_half(Half::Report)).collect())
}

/// Mean negative log-likelihood of a step of the clips that the style was learned from, in nats.
fn captured_cost(style: &MotionStyle) -> f64 {
    let (mut cost, mut steps) = (0.0, 0usize);
    let frames = style.frames();
    for clip in frames.clips() {
        for frame in clip.skip(1) {
            cost += style.step_cost(frames.posture(frame - 1), frames.posture(frame));
            steps += 1;
        }
    }
    cost / steps.max(1) as f64
}
