//! Forward kinematics.

use glam::Mat4;
use marey_motion::{Clip, Vec3};

use crate::args::Args;
use crate::clock::race;
use crate::row::{Aim, Row};

pub(crate) fn rows(args: &Args) -> Vec<Row> {
    let settings = marey_examples::walk::WalkSettings {
        seed: args.seed,
        duration_secs: if args.quick { 20.0 } else { 120.0 },
        rate_hz: 120.0,
        ..Default::default()
    };
    let example = match marey_examples::walk::walk(&settings) {
        Ok(example) => example,
        Err(error) => {
            eprintln!("forward kinematics is not measured: {error}");
            return Vec::new();
        }
    };
    let clip = example.take.first();
    let joints = (clip.frames() * clip.skeleton().len()) as f64;
    let rounds = if args.quick { 3 } else { 15 };
    let [ours, matrices] =
        race(rounds, [&mut || clip.world().positions.len(), &mut || by_matrices(clip).len()]);
    let subject = format!("{} frames × {} joints", clip.frames(), clip.skeleton().len());
    vec![
        Row::new("forward kinematics, one core, f32", subject, joints / ours, "joints/s")
            .against("4 × 4 matrices, parent by parent", joints / matrices)
            .aim(Aim::AtLeast(20e6)),
    ]
}

/// The textbook method: a matrix for each joint, multiplied by its parent's.
fn by_matrices(clip: &Clip) -> Vec<Vec3> {
    let skeleton = clip.skeleton();
    let mut world: Vec<Mat4> = Vec::new();
    let mut positions = Vec::with_capacity(clip.frames() * skeleton.len());
    for pose in clip.poses() {
        world.clear();
        let mut movers = skeleton.movers().iter().zip(pose.positions).peekable();
        for (j, joint) in skeleton.joints().iter().enumerate() {
            let moved = movers.next_if(|(mover, _)| **mover == j);
            let offset = moved.map_or(joint.offset, |(_, position)| *position);
            let local = Mat4::from_rotation_translation(pose.rotations[j], offset);
            world.push(joint.parent.map_or(local, |parent| world[parent] * local));
        }
        positions.extend(world.iter().map(|m| m.w_axis.truncate()));
    }
    positions
}
