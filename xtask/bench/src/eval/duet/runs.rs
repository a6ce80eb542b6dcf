//! Runs: free, along a path, by commands.
//!
//! It calls the engine, because it compares runs with and without single passes, and inspects sessions; `captured` measures the verb.

use marey_body::BodyCapsules;
use marey_duet::{Duet, DuetLabelSettings, DuetModel, DuetModelSettings, RecordedPair};
use marey_motion::{Take, WorldPose};

use super::labels::labelled_bout;
use super::{Measured, automatic, controlled};
use crate::args::Args;

pub(super) fn rows(args: &Args) -> Measured {
    let settings =
        DuetLabelSettings { iterations: if args.quick { 200 } else { 2000 }, ..DuetLabelSettings::default() };
    // Not one of the bouts that the labels are evaluated on.
    let (example, labels) = labelled_bout(args.seed * 100 + 50, &settings)?;
    let pairs = [RecordedPair::from_take(&example.take)?];
    let model = DuetModel::train(&pairs, &labels, &DuetModelSettings::default())?;
    let duet = Duet::new(&pairs, model)?;
    let mut rows = automatic::rows(args, &duet, &pairs[0], &example.take)?;
    rows.extend(controlled::along_path(args, &duet)?);
    rows.extend(controlled::by_commands(args, &duet)?);
    Ok(rows)
}

/// Returns the maximum overlap of the two bodies, in centimetres.
pub(super) fn deepest_cm(take: &Take) -> f64 {
    let clips = [0, 1].map(|person| &take.actors()[person].clip);
    let shapes = clips.map(|clip| BodyCapsules::of(clip.skeleton()));
    let mut worlds = clips.map(|clip| WorldPose::scratch(clip.skeleton()));
    let mut deepest = f32::NEG_INFINITY;
    for frame in 0..take.frames() {
        for (world, clip) in worlds.iter_mut().zip(clips) {
            world.set(clip.pose(frame));
        }
        deepest = deepest.max(BodyCapsules::overlap_m(shapes.each_ref(), worlds.each_ref()));
    }
    f64::from(deepest) * 100.0
}

pub(super) fn quantile(sorted: &[f64], share: f64) -> f64 {
    sorted.get(((sorted.len().max(1) - 1) as f64 * share).round() as usize).copied().unwrap_or(0.0)
}
