//! Detected foot contacts, compared with the ground truth of generated walks.

use std::ops::Range;

use marey_examples::walk::{WalkSettings, walk};
use marey_motion::{Clip, Contacts, Role, WorldPose};
use marey_ops::contacts::{ContactSettings, detect};

use super::score::Score;
use crate::BoxError;
use crate::args::Args;
use crate::row::{Aim, Row};

/// Height of the floor in the walks, in metres.
const FLOOR_M: f32 = 0.03;

/// Tolerance of an event at 30 Hz, in frames.
const TOLERANCE: usize = 2;

const ROLES: [Role; 4] = [Role::LeftFoot, Role::RightFoot, Role::LeftToes, Role::RightToes];

pub(crate) fn rows(args: &Args) -> Vec<Row> {
    let walks = if args.quick { 4 } else { 24 };
    let (mut ours, mut by_threshold) = (Score::default(), Score::default());
    for seed in args.seed..args.seed + walks {
        if let Err(error) = judge(seed, &mut ours, &mut by_threshold) {
            eprintln!("seed {seed} is skipped: {error}");
        }
    }
    let subject = format!("{walks} generated walks, 30 Hz, 5 mm noise, floor at 3 cm");
    let mut rows = vec![
        Row::new("foot contacts: precision", &subject, ours.precision(), "share within ±2 frames")
            .against("below 8 cm and 0.4 m/s", by_threshold.precision())
            .aim(Aim::AtLeast(0.97)),
        Row::new("foot contacts: recall", subject, ours.recall(), "share within ±2 frames")
            .against("below 8 cm and 0.4 m/s", by_threshold.recall())
            .aim(Aim::AtLeast(0.97)),
    ];
    rows.extend(super::ops_steps::rows(args));
    rows.extend(super::ops_beats::rows(args));
    rows.extend(super::ops_bodies::rows(args));
    rows
}

fn judge(seed: u64, ours: &mut Score, by_threshold: &mut Score) -> Result<(), BoxError> {
    let settings =
        WalkSettings { seed, duration_secs: 30.0, rate_hz: 30.0, noise_mm: 5.0, ..Default::default() };
    let example = walk(&settings)?;
    let clip = example.take.first().lifted(FLOOR_M)?;
    let found = detect(&clip, &ContactSettings::default())?;
    let Some(truth) = example.truth.contacts() else { return Ok(()) };
    let baseline = by_thresholds(&clip);
    for role in ROLES {
        let events = |contacts: &Contacts| events(contacts.of(role).cloned(), clip.frames());
        let true_events = events(truth);
        let add = |score: &mut Score, found: &[Vec<usize>; 2]| {
            true_events.iter().zip(found).for_each(|(real, found)| score.add(real, found, TOLERANCE));
        };
        add(ours, &events(&found.contacts));
        let own = baseline.iter().filter(|(r, _)| *r == role).map(|(_, range)| range.clone());
        add(by_threshold, &self::events(own, clip.frames()));
    }
    Ok(())
}

/// The frames at which contacts start and end, except those at the ends of the clip.
fn events(contacts: impl Iterator<Item = Range<usize>>, frames: usize) -> [Vec<usize>; 2] {
    let (starts, ends): (Vec<usize>, Vec<usize>) = contacts.map(|range| (range.start, range.end)).unzip();
    let inside = |list: Vec<usize>| list.into_iter().filter(|frame| (1..frames).contains(frame)).collect();
    [inside(starts), inside(ends)]
}

/// The baseline: a joint is in contact while its height above y = 0 and its speed from frame to frame are below thresholds.
fn by_thresholds(clip: &Clip) -> Vec<(Role, Range<usize>)> {
    let mut world = WorldPose::scratch(clip.skeleton());
    let mut found = Vec::new();
    for role in ROLES {
        let Some(joint) = clip.skeleton().joint_of(role) else { continue };
        let path: Vec<marey_motion::Vec3> = clip
            .poses()
            .map(|pose| {
                world.set(pose);
                world.positions[joint]
            })
            .collect();
        let planted = |i: usize| {
            let speed = path[i].distance(path[i.saturating_sub(1)]) * clip.rate_hz() as f32;
            path[i].y < 0.08 && speed < 0.4
        };
        let mut start = None;
        for i in 0..=path.len() {
            match (i < path.len() && planted(i), start) {
                (true, None) => start = Some(i),
                (false, Some(from)) => {
                    found.push((role, from..i));
                    start = None;
                }
                _ => {}
            }
        }
    }
    found
}
