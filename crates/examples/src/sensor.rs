//! The noise of a motion-capture system.
//!
//! Every coordinate of each joint and tip in each frame has an independent, normally distributed error. The skeleton is then
//! fitted to these positions from the root down, as a solver would: each joint is rotated by the small rotation ω that brings its
//! children nearest to their measured positions. With d the offset of a child and e its error, ω is the least-squares solution of
//! Σ (|d|² I − d dᵀ) ω = Σ d × e. Bones keep their length, and errors do not add up along the chain.

use glam::Mat3;
use marey_motion::{Actor, Clip, Quat, Skeleton, Take, Vec3, WorldPose};
use rand::Rng;

use crate::random::normal;

/// Regularisation: bones much shorter than this do not rotate their joint, in square metres.
const SHORT_BONE_M2: f32 = 1e-5;

/// A take with capture noise of `deviation_mm`; unchanged if that is 0.
pub(crate) fn captured_take(
    take: Take,
    deviation_mm: f32,
    rng: &mut impl Rng,
) -> Result<Take, marey_motion::MotionError> {
    if deviation_mm <= 0.0 {
        return Ok(take);
    }
    let name = take.name().to_owned();
    let actors = take
        .into_actors()
        .into_iter()
        .map(|actor| Ok(Actor { clip: captured(&actor.clip, deviation_mm / 1000.0, rng)?, ..actor }));
    Take::new(name, actors.collect::<Result<_, marey_motion::MotionError>>()?)
}

/// A clip with capture noise of `deviation_m`.
fn captured(clip: &Clip, deviation_m: f32, rng: &mut impl Rng) -> Result<Clip, marey_motion::MotionError> {
    let skeleton = clip.skeleton().clone();
    let children = Children::of(&skeleton);
    let mut world = WorldPose::scratch(&skeleton);
    let joints = skeleton.len();
    let mut parts = clip.clone().into_parts();
    for frame in 0..clip.frames() {
        world.set(clip.pose(frame));
        let clean: Vec<Vec3> = world.positions.iter().copied().chain(world.tips()).collect();
        let measured: Vec<Vec3> = clean.iter().map(|&p| p + error(deviation_m, rng)).collect();
        parts.positions[frame] = measured[0];
        let rotations = &mut parts.rotations[frame * joints..][..joints];
        fit(&skeleton, &children, &measured, measured[0], rotations);
    }
    Clip::new(skeleton, clip.rate_hz(), parts)
}

fn error(deviation_m: f32, rng: &mut impl Rng) -> Vec3 {
    Vec3::from(std::array::from_fn(|_| deviation_m * normal(rng) as f32))
}

/// The children of each joint: the index of the measured point (joints, then tips) and its offset.
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

/// Rotates each joint, from the root down, towards the measured positions of its children.
fn fit(skeleton: &Skeleton, children: &Children, measured: &[Vec3], root: Vec3, rotations: &mut [Quat]) {
    let mut placed = vec![(root, Quat::IDENTITY); skeleton.len()];
    for j in 0..skeleton.len() {
        let (position, above) = match skeleton.joints()[j].parent {
            None => (root, Quat::IDENTITY),
            Some(p) => (placed[p].0 + placed[p].1 * skeleton.offsets()[j], placed[p].1),
        };
        let before = above * rotations[j];
        let turn = closest_rotation(before, position, &children.of_joint[j], measured);
        let after = (turn * before).normalize();
        placed[j] = (position, after);
        rotations[j] = above.inverse() * after;
    }
}

/// The small rotation that brings the children closest to their measured positions.
fn closest_rotation(rotation: Quat, position: Vec3, children: &[(usize, Vec3)], measured: &[Vec3]) -> Quat {
    let mut left = Mat3::from_diagonal(Vec3::splat(SHORT_BONE_M2));
    let mut right = Vec3::ZERO;
    for &(point, offset) in children {
        let d = rotation * offset;
        let e = measured[point] - position - d;
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
    use marey_body::BodyProportions;

    #[test]
    fn joint_errors_have_about_the_standard_deviation() {
        let skeleton = BodyProportions::default().skeleton().unwrap();
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
