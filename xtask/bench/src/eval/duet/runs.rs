//! Pairs that go on: by themselves, along a way, by commands.

use marey_duet::{Duet, LabelSettings, Model, ModelSettings, Pair, Shape};
use marey_measure::skate::skate;
use marey_motion::{Take, WorldPose};

use super::labels::labelled_bout;
use super::{Measured, automatic, led};
use crate::args::Args;

pub(super) fn rows(args: &Args) -> Measured {
    let settings =
        LabelSettings { iterations: if args.quick { 200 } else { 2000 }, ..LabelSettings::default() };
    // Not one of those that labels are judged by.
    let (example, labels) = labelled_bout(args.seed * 100 + 50, &settings)?;
    let pairs = [Pair::of_take(&example.take)?];
    let model = Model::train(&pairs, &labels, &ModelSettings::default())?;
    let duet = Duet::new(&pairs, model)?;
    let mut rows = automatic::rows(args, &duet, &pairs[0], &example.take)?;
    rows.extend(led::along_a_way(args, &duet)?);
    rows.extend(led::by_commands(args, &duet)?);
    Ok(rows)
}

/// How deep two bodies are in each other at the deepest.
pub(super) fn deepest_cm(take: &Take) -> f64 {
    let clips = [0, 1].map(|person| &take.actors()[person].clip);
    let shapes = clips.map(|clip| Shape::of(clip.skeleton()));
    let mut worlds = clips.map(|clip| WorldPose::scratch(clip.skeleton()));
    let mut deepest = f32::NEG_INFINITY;
    for frame in 0..take.frames() {
        for (world, clip) in worlds.iter_mut().zip(clips) {
            world.set(clip.pose(frame));
        }
        deepest = deepest.max(Shape::depth_m(shapes.each_ref(), worlds.each_ref()));
    }
    f64::from(deepest) * 100.0
}

/// How feet of one of a take slide while they are seen to stand, whatever plants were kept when it was made.
pub(super) fn seen_skate(take: &Take, seen: &Pair, person: usize) -> f64 {
    skate(&take.actors()[person].clip, &seen.people[person].contacts, 0.0).cm_per_sec
}

pub(super) fn quantile(sorted: &[f64], share: f64) -> f64 {
    sorted.get(((sorted.len().max(1) - 1) as f64 * share).round() as usize).copied().unwrap_or(0.0)
}
