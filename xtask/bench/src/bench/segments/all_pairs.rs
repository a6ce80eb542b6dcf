//! Distances of all pairs of segments.

use marey_motion::Clip;
use marey_ops::cloud::{Cloud, Settings};
use marey_ops::contacts;
use marey_ops::distances::Distances;

use super::walks::walks;
use crate::args::Args;
use crate::clock::race;
use crate::row::{Aim, Row};

pub(super) fn rows(args: &Args) -> Option<Vec<Row>> {
    let count = if args.quick { 300 } else { 1200 };
    let clips = walks(count * 25, args.seed);
    let mut rows = Vec::new();
    for (body, settings) in [("hands and feet", Settings::default()), ("14 joints", Settings::whole_body())] {
        let raw = steps(&clips, &settings, count)?;
        let stretched: Vec<Cloud> = raw.iter().map(|cloud| cloud.stretched(settings.frames.into())).collect();
        let rounds = if args.quick { 1 } else { 3 };
        let [fast, stretching, plain] = race(
            rounds,
            [
                &mut || Distances::of(&stretched).map_or(0, |all| all.items()),
                &mut || plain_loop(&raw, |a, b| distance_of_raw(a, b, settings.frames.into())),
                &mut || plain_loop(&stretched, |a, b| a.aligned(b).map_or(0.0, |found| found.rms_m())),
            ],
        );
        let pairs = (raw.len() * (raw.len() - 1) / 2) as f64;
        let subject = format!("{} steps of walks, {body} × {} frames, one core", raw.len(), settings.frames);
        let name = "all pairs of segments: stretched, aligned, measured";
        rows.push(
            Row::new(name, &subject, pairs / fast, "pairs/s")
                .against("plain loop over pairs", pairs / stretching)
                .aim(Aim::RatioAtLeast(20.0)),
        );
        rows.push(
            Row::new("all pairs of segments: aligned, measured", subject, pairs / fast, "pairs/s")
                .against("plain loop, stretched beforehand", pairs / plain),
        );
    }
    Some(rows)
}

/// Segments from one plant of a foot to the next, as they are.
fn steps(clips: &[Clip], settings: &Settings, count: usize) -> Option<Vec<Cloud>> {
    let mut steps = Vec::new();
    for clip in clips {
        let found = contacts::detect(clip, &contacts::Settings::default()).ok()?;
        let mut starts: Vec<usize> =
            found.contacts.all().iter().map(|contact| contact.frames.start).collect();
        starts.dedup();
        for pair in starts.windows(2).filter(|pair| pair[1] - pair[0] > 4) {
            let frames = u16::try_from(pair[1] - pair[0]).ok()?;
            steps.extend(Cloud::of(clip, pair[0]..pair[1], &Settings { frames, ..settings.clone() }));
        }
    }
    steps.truncate(count);
    Some(steps)
}

/// A pair as one would take it: both stretched to the common length, one put on the other, what is left summed up.
fn distance_of_raw(a: &Cloud, b: &Cloud, frames: usize) -> f32 {
    a.stretched(frames).aligned(&b.stretched(frames)).map_or(0.0, |found| found.rms_m())
}

/// Every pair in turn.
fn plain_loop(clouds: &[Cloud], distance: impl Fn(&Cloud, &Cloud) -> f32) -> usize {
    let mut metres = Vec::with_capacity(clouds.len() * (clouds.len() - 1) / 2);
    for (i, a) in clouds.iter().enumerate() {
        metres.extend(clouds[i + 1..].iter().map(|b| distance(a, b)));
    }
    metres.len()
}
