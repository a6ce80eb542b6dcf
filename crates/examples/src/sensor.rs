//! A motion-capture system's error: every joint seen a little beside where it is.
//!
//! Each joint and tip of each frame is seen with an error of normal distribution in every coordinate, independent of all
//! others. The skeleton is then fitted to what was seen, as a solver would, from the root down: each joint is turned
//! by the small rotation ω that brings its children, at d in its frame and seen e beside where they would be, nearest to
//! where they were seen, which is the least-squares solution of Σ (|d|² I − d dᵀ) ω = Σ d × e. Bones keep their length,
//! and the error of a joint does not add up along the chain.

use glam::Mat3;
use marey_motion::{Actor, Clip, Quat, Skeleton, Take, Vec3, WorldPose};
use rand::Rng;

use crate::wander::normal;

/// Turns are not taken from bones that are much shorter than this, in square metres.
const SHORT_BONE_M2: f32 = 1e-5;

/// A take as it would be captured, each coordinate off by `deviation_mm`; without deviation, as it is.
pub(crate) fn captured_take(take: Take, deviation_mm: f32, rng: &mut impl Rng) -> marey_motion::Result<Take> {
    if deviation_mm <= 0.0 {
        return Ok(take);
    }
    let name = take.name().to_owned();
    let actors = take
        .into_actors()
        .into_iter()
        .map(|actor| Ok(Actor { clip: captured(&actor.clip, deviation_mm / 1000.0, rng)?, ..actor }));
    Take::new(name, actors.collect::<marey_motion::Result<_>>()?)
}

/// The clip as it would be captured, each coordinate off by `deviation_m`.
fn captured(clip: &Clip, deviation_m: f32, rng: &mut impl Rng) -> marey_motion::Result<Clip> {
    let skeleton = clip.skeleton().clone();
    let children = Children::of(&skeleton);
    let mut world = WorldPose::scratch(&skeleton);
    let joints = skeleton.len();
    let mut parts = clip.clone().into_parts();
    for frame in 0..clip.frames() {
        world.set(clip.pose(frame));
        let clean: Vec<Vec3> = world.positions.iter().copied().chain(world.tips()).collect();
        let seen: Vec<Vec3> = clean.iter().map(|&p| p + error(deviation_m, rng)).collect();
        parts.positions[frame] = seen[0];
        let rotations = &mut parts.rotations[frame * joints..][..joints];
        fit(&skeleton, &children, &seen, seen[0], rotations);
    }
    Clip::new(skeleton, clip.rate_hz(), parts)
}

fn error(deviation_m: f32, rng: &mut impl Rng) -> Vec3 {
    Vec3::from(std::array::from_fn(|_| deviation_m * normal(rng) as f32))
}

/// What hangs on each joint: the point seen (joints, then tips) and its offset.
struct Children {
    of_joint: Vec<Vec<(usize, Vec3)>>,
}

impl Children {
    fn of(skeleton: &Skeleton) -> Self {
        let mut of_joint = vec![Vec::new(); skeleton.len()];
        for (j, joint) in skeleton.joints().iter().enumerate() {
            if let Some(parent) = joint.parent {
                of_joint[parent].push((j, joint.offset));
            }
        }
        for (t, tip) in skeleton.tips().iter().enumerate() {
            of_joint[tip.parent].push((skeleton.len() + t, tip.offset));
        }
        Self { of_joint }
    }
}

/// Turns each joint, from the root down, to where its children were seen.
fn fit(skeleton: &Skeleton, children: &Children, seen: &[Vec3], root: Vec3, rotations: &mut [Quat]) {
    let mut placed = vec![(root, Quat::IDENTITY); skeleton.len()];
    for j in 0..skeleton.len() {
        let (position, above) = match skeleton.joints()[j].parent {
            None => (root, Quat::IDENTITY),
            Some(p) => (placed[p].0 + placed[p].1 * skeleton.offsets()[j], placed[p].1),
        };
        let before = above * rotations[j];
        let turn = nearest_turn(before, position, &children.of_joint[j], seen);
        let after = (turn * before).normalize();
        placed[j] = (position, after);
        rotations[j] = above.inverse() * after;
    }
}

/// The small turn that brings the children nearest to where they were seen.
fn nearest_turn(rotation: Quat, position: Vec3, children: &[(usize, Vec3)], seen: &[Vec3]) -> Quat {
    let mut left = Mat3::from_diagonal(Vec3::splat(SHORT_BONE_M2));
    let mut right = Vec3::ZERO;
    for &(point, offset) in children {
        let d = rotation * offset;
        let e = seen[point] - position - d;
        left +=
            Mat3::from_diagonal(Vec3::splat(d.length_squared())) - Mat3::from_cols(d * d.x, d * d.y, d * d.z);
        right += d.cross(e);
    }
    Quat::from_scaled_axis(left.inverse() * right)
}

#[cfg(test)]
mod tests {
    use marey_motion::LocalPose;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::Body;

    #[test]
    fn every_joint_is_off_by_about_the_deviation() {
        let skeleton = Body::default().skeleton().unwrap();
        let still = Clip::still(skeleton.clone(), 30.0, LocalPose::rest(&skeleton)).unwrap();
        let clip = Clip::concat(&vec![still; 400]).unwrap();
        let noisy = captured(&clip, 0.005, &mut ChaCha8Rng::seed_from_u64(3)).unwrap().world();
        let clean = clip.world();
        for (j, joint) in skeleton.joints().iter().enumerate() {
            let squares = (0..clip.frames())
                .map(|f| noisy.positions_at(f)[j].distance_squared(clean.positions_at(f)[j]) / 3.0);
            let deviation = (squares.sum::<f32>() / clip.frames() as f32).sqrt();
            assert!((0.003..0.008).contains(&deviation), "{}: {deviation}", joint.name);
        }
    }
}
