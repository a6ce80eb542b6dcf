//! Realising plans: frames a second, and how long a live frame takes.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use marey_examples::walk::{WalkSettings, walk};
use marey_motion::{Clip, ClipParts, Joint, LocalPose, Quat, Skeleton, Vec3};
use marey_plan::{Plan, SourceRef};
use marey_realise::{Chain, Example, Machine, Settings, Step};

use crate::args::Args;
use crate::clock::race;
use crate::row::{Aim, Row};

/// How many joints the figure has.
const JOINTS: usize = 30;

pub(crate) fn rows(args: &Args) -> Vec<Row> {
    measure(args).unwrap_or_else(|error| {
        eprintln!("nothing to measure: {error}");
        Vec::new()
    })
}

fn measure(args: &Args) -> Result<Vec<Row>, Box<dyn std::error::Error>> {
    let map = walks(args.seed)?;
    let plan = plan(&map, if args.quick { 10 } else { 60 })?;
    let frames = plan.frames() as f64;
    let rounds = if args.quick { 3 } else { 10 };
    let joined = Settings { plant: None, ..Settings::default() };
    let [planted_secs, joined_secs, sampled_secs] = race(
        rounds,
        [
            &mut || play(&plan, &map, Settings::default()).map_or(0, |times| times.len()),
            &mut || play(&plan, &map, joined).map_or(0, |times| times.len()),
            &mut || sampled(&plan, &map),
        ],
    );
    let subject =
        format!("{} frames × {JOINTS} joints, {} pieces", plan.frames(), plan.actors[0].placements.len());
    let mut rows = vec![
        Row::new("realise: place, stretch, join; one core", &subject, frames / joined_secs, "frames/s")
            .against("examples sampled, nothing else", frames / sampled_secs)
            .aim(Aim::AtLeast(200e3)),
        Row::new("realise: the same and plant; one core", &subject, frames / planted_secs, "frames/s")
            .against("examples sampled, nothing else", frames / sampled_secs)
            .aim(Aim::AtLeast(30e3)),
    ];
    let mut times = play(&plan, &map, Settings::default())?;
    times.sort_by(f64::total_cmp);
    let at = |share: f64| 1e6 * times[((times.len() - 1) as f64 * share) as usize];
    rows.push(
        Row::new("realise: a live frame with everything on, 99 % take at most", subject, at(0.99), "µs")
            .against("the median frame", at(0.5))
            .aim(Aim::AtMost(30.0)),
    );
    Ok(rows)
}

/// Generated walks, with joints added to the hands.
fn walks(seed: u64) -> Result<BTreeMap<SourceRef, Example>, Box<dyn std::error::Error>> {
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
            Example { clip, contacts, holds: vec![] },
        );
    }
    Ok(map)
}

/// Pieces of a second and a half, each a tenth longer than recorded.
fn plan(map: &BTreeMap<SourceRef, Example>, pieces: usize) -> Result<Plan, Box<dyn std::error::Error>> {
    let sources: Vec<&SourceRef> = map.keys().collect();
    let mut chain = Chain::new(map);
    for piece in 0..pieces {
        let start = 100 + (piece * 347) % 1500;
        chain.add(sources[piece % sources.len()], start..start + 90, 99)?;
    }
    Ok(chain.plan("walker", 60.0))
}

/// Plays a plan through the machine; how long each frame took, in seconds.
fn play(
    plan: &Plan,
    map: &BTreeMap<SourceRef, Example>,
    settings: Settings,
) -> Result<Vec<f64>, Box<dyn std::error::Error>> {
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
        let Step::Moment(_) = machine.advance() else { break };
        times.push(start.elapsed().as_secs_f64());
    }
    Ok(times)
}

/// The examples at the times that the plan says, and nothing else.
fn sampled(plan: &Plan, map: &BTreeMap<SourceRef, Example>) -> usize {
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
