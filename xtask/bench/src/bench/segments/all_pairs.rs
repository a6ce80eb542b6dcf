//! Distances of all pairs of segments.

use marey_motion::Clip;
use marey_ops::align::align;
use marey_ops::cloud::{Cloud, CloudSettings};
use marey_ops::cut::{Cut, segments};
use marey_ops::distances::Distances;
use marey_ops::{contacts, gait};

use super::walks::walks;
use crate::args::Args;
use crate::clock::race;
use crate::row::{Aim, Row};

pub(super) fn rows(args: &Args) -> Option<Vec<Row>> {
    let count = if args.quick { 300 } else { 1200 };
    let clips = walks(count * 25, args.seed);
    let mut rows = Vec::new();
    for (body, settings) in
        [("hands and feet", CloudSettings::default()), ("14 joints", CloudSettings::whole_body())]
    {
        let clouds = steps(&clips, &settings, count)?;
        let weights = settings.weights.iter().map(|weight| weight.1).collect::<Vec<f32>>();
        let weights = weights.repeat(settings.frames.into());
        let [fast, plain] = race(
            if args.quick { 1 } else { 3 },
            [&mut || Distances::of(&clouds).map_or(0, |all| all.items()), &mut || {
                plain_loop(&clouds, &weights)
            }],
        );
        let pairs = (clouds.len() * (clouds.len() - 1) / 2) as f64;
        let subject =
            format!("{} steps of walks, {body} × {} frames, one core", clouds.len(), settings.frames);
        rows.push(
            Row::new("distances of all pairs of segments", subject, pairs / fast, "pairs/s")
                .against("plain loop over pairs", pairs / plain)
                .aim(Aim::RatioAtLeast(20.0)),
        );
    }
    Some(rows)
}

/// Segments from one foot plant to the next, stretched to a common length.
fn steps(clips: &[Clip], settings: &CloudSettings, count: usize) -> Option<Vec<Cloud>> {
    let mut clouds = Vec::new();
    for clip in clips {
        let found = contacts::detect(clip, &contacts::ContactSettings::default()).ok()?;
        let steps = gait::steps(&found.contacts, clip.rate_hz(), &gait::GaitSettings::default()).ok()?;
        let cuts: Vec<Cut> = steps.into_iter().map(Cut::from).collect();
        for frames in segments(&cuts, clip.frames()) {
            clouds.push(Cloud::of(clip, frames, settings).ok()?);
        }
    }
    clouds.truncate(count);
    Some(clouds)
}

/// The baseline: aligns every pair in turn and sums up the residuals.
fn plain_loop(clouds: &[Cloud], weights: &[f32]) -> usize {
    let mut metres = Vec::with_capacity(clouds.len() * (clouds.len() - 1) / 2);
    for (i, a) in clouds.iter().enumerate() {
        let rest = clouds[i + 1..].iter();
        metres
            .extend(rest.map(|b| align(a.points(), b.points(), weights).map_or(0.0, |found| found.rms_m())));
    }
    metres.len()
}
