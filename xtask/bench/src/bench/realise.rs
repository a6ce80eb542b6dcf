//! Realising plans: frames per second offline, and the time of a live frame.
//!
//! It calls the crate, because it times single passes and frames.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use marey_examples::walk::{WalkSettings, walk};
use marey_motion::{Clip, ClipParts, Joint, LocalPose, Quat, Skeleton, Vec3};
use marey_plan::{Plan, SourceRef};
use marey_realise::{Machine, MachineStep, PlacementChain, RealiseSettings, SourceClip};

use crate::BoxError;
use crate::args::Args;
use crate::clock::race;
use crate::row::{Aim, Row};

/// The number of joints of the skeleton.
const JOINTS: usize = 30;

pub(crate) fn rows(args: &Args) -> Vec<Row> {
    measure(args).unwrap_or_else(|error| {
        eprintln!("realise is not measured: {error}");
        Vec::new()
    })
}

fn measure(args: &Args) -> Result<Vec<Row>, BoxError> {
    let map = walks(args.seed)?;
    let plan = plan(&map, if args.quick { 10 } else { 60 })?;
    let frames = plan.frames() as f64;
    let rounds = if args.quick { 3 } else { 10 };
    let joined = RealiseSettings { plant: None, ..RealiseSettings::default() };
    let [planted_secs, joined_secs, sampled_secs] = race(
        rounds,
        [
            &mut || play(&plan, &map, RealiseSettings::default()).map_or(0, |times| times.len()),
            &mut || play(&plan, &map, joined).map_or(0, |times| times.len()),
            &mut || sampled(&plan, &map),
        ],
    );
    let subject =
        format!("{} frames × {JOINTS} joints, {} pieces", plan.frames(), plan.actors[0].placements.len());
    let mut rows = vec![
        Row::new("realise: place, stretch, join; one core", &subject, frames / joined_secs, "frames/s")
            .against("sampling the examples only", frames / sampled_secs)
            .aim(Aim::AtLeast(200e3)),
        Row::new(
            "realise: place, stretch, join, plant; one core",
            &subject,
            frames / planted_secs,
            "frames/s",
        )
        .against("sampling the examples only", frames / sampled_secs)
        .aim(Aim::AtLeast(100e3)),
    ];
    let mut times = play(&plan, &map, RealiseSettings::default())?;
    times.sort_by(f64::total_cmp);
    let at = |share: f64| 1e6 * times[((times.len() - 1) as f64 * share) as usize];
    rows.push(
        Row::new("realise: a live frame with all passes, 99th percentile", subject, at(0.99), "µs")
            .against("the median frame", at(0.5))
            .aim(Aim::AtMost(30.0)),
    );
    Ok(rows)
}

/// Generated walks on a skeleton with additional finger joints.
fn walks(seed: u64) -> Result<BTreeMap<SourceRef, SourceClip>, BoxError> {
    let mut map = BTreeMap::new();
    let mut body: Option<Arc<Skeleton>> = None;
    for walker in 0..4 {
        let settings = WalkSettings { seed: seed + walker, duration_secs: 30.0, ..WalkSettings::default() };
        let example = walk(&settings)?;
        let clip = example.take.first();
        let small = clip.skeleton();
        let extra = JOINTS.saturating_sub(small.len());
        let skeleton = match &body {
            Some(body) => body.clone(),
            None => {
                let mut joints = small.joints().to_vec();
                for i in 0..extra {
                    let offset = Vec3::new(0.02, 0.0, 0.01);
                    joints.push(Joint::new(format!("finger {i}"), Some(small.len() - 1 + i), offset));
                }
                body.insert(Arc::new(Skeleton::new(joints, small.tips().to_vec())?)).clone()
            }
        };
        let mut parts = ClipParts::default();
        for (frame, pose) in clip.poses().enumerate() {
            parts.rotations.extend_from_slice(pose.rotations);
            let bend = Quat::from_rotation_x(0.3 * (0.05 * frame as f32).sin());
            parts.rotations.extend(std::iter::repeat_n(bend, extra));
            parts.positions.extend_from_slice(pose.positions);
        }
        let clip = Clip::new(skeleton, clip.rate_hz(), parts)?;
        let contacts = example.truth.contacts().cloned().unwrap_or_default();
        map.insert(
            SourceRef { take: format!("walk-{walker}"), actor: 0 },
            SourceClip { clip, contacts, holds: vec![] },
        );
    }
    Ok(map)
}

/// A plan of pieces of 1.5 s, each stretched by a tenth.
fn plan(map: &BTreeMap<SourceRef, SourceClip>, pieces: usize) -> Result<Plan, BoxError> {
    let sources: Vec<&SourceRef> = map.keys().collect();
    let mut chain = PlacementChain::new(map);
    for piece in 0..pieces {
        let start = 100 + (piece * 347) % 1500;
        chain.add(sources[piece % sources.len()], start..start + 90, 99)?;
    }
    Ok(chain.plan("walker", 60.0))
}

/// The time of each frame of a plan, in seconds.
fn play(
    plan: &Plan,
    map: &BTreeMap<SourceRef, SourceClip>,
    settings: RealiseSettings,
) -> Result<Vec<f64>, BoxError> {
    let placements = &plan.actors[0].placements;
    let mut times = Vec::with_capacity(plan.frames());
    let first = &map[&placements[0].source];
    let mut machine = Machine::new(first.clip.skeleton().clone(), plan.rate_hz, settings)?;
    for placement in placements {
        machine.push(placement, &map[&placement.source])?;
    }
    machine.finish();
    loop {
        let start = Instant::now();
        let MachineStep::Frame(_) = machine.advance() else { break };
        times.push(start.elapsed().as_secs_f64());
    }
    Ok(times)
}

/// The baseline: samples the examples at the times of the plan and does nothing else.
fn sampled(plan: &Plan, map: &BTreeMap<SourceRef, SourceClip>) -> usize {
    let mut pose = LocalPose { rotations: Vec::new(), positions: Vec::new() };
    let mut count = 0;
    for placement in &plan.actors[0].placements {
        let clip = &map[&placement.source].clip;
        for frame in 0..placement.frames {
            clip.sample_into(placement.source_frame_at(frame as f64) / clip.rate_hz(), &mut pose);
            count += pose.rotations.len();
        }
    }
    count
}
