//! The motion inside a gap as a curve that starts at zero: rotation vectors of all joints and displacements of all movers.
//!
//! | symbol | name |
//! |---|---|
//! | q(t) = q(0) exp x(t) | rotation of a joint, with x(0) = 0 |
//! | v = x(T) | what the gap changes |
//! | ω₀, ω₁ | velocity of x at the start and at the end, per working frame; absent if unknown |
//! | b(t) | base: v t/T + (ω₀ − v/T) h(t) − (ω₁ − v/T) h(T − t) |
//! | h(t) = t (1 − t/τ)³ | an offset of slope 1 that dies out after τ |
//! | r(t) = x(t) − b(t) ≈ Σ aₖ sin(kπt/T) | residual, zero at both ends |
//!
//! The base is spherical interpolation plus what inertia adds (D. Bollo, *Inertialization*, 2018, with a quartic).

use glam::{Quat, Vec3};
use marey_motion::{Ground, LocalPose, LocalPoseRef};

/// τ in working frames.
const INERTIA_FRAMES: f32 = 10.0;

/// The values of all channels: three per joint, then three per mover.
pub(crate) type Channels = Vec<Vec3>;

/// The two ends of a gap.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct GapEnds {
    /// T, in working frames.
    pub(crate) frames: f32,
    /// v.
    pub(crate) change: Channels,
    /// ω₀, if known.
    pub(crate) start_velocity: Option<Channels>,
    /// ω₁, if known.
    pub(crate) end_velocity: Option<Channels>,
}

impl GapEnds {
    /// b(t) of all channels.
    pub(crate) fn base(&self, at: f32) -> impl Iterator<Item = Vec3> + '_ {
        let (from_start, to_end) = (inertia(at, self.frames), inertia(self.frames - at, self.frames));
        let mut start_velocities = self.start_velocity.iter().flatten();
        let mut end_velocities = self.end_velocity.iter().flatten();
        self.change.iter().map(move |change| {
            let mean = *change / self.frames;
            let mut base = mean * at;
            if let Some(velocity) = start_velocities.next() {
                base += (*velocity - mean) * from_start;
            }
            if let Some(velocity) = end_velocities.next() {
                base -= (*velocity - mean) * to_end;
            }
            base
        })
    }
}

/// h(t).
pub(crate) fn inertia(at: f32, frames: f32) -> f32 {
    let fade = INERTIA_FRAMES.min(frames);
    let rest = (1.0 - at / fade).max(0.0);
    at * rest * rest * rest
}

/// x of a pose relative to the first pose of its gap, continuous with `near`, the x of a pose shortly before.
pub(crate) fn relative(
    first: LocalPoseRef<'_>,
    start: Ground,
    pose: LocalPoseRef<'_>,
    near: &[Vec3],
    out: &mut Channels,
) {
    out.clear();
    for (joint, (from, to)) in first.rotations.iter().zip(pose.rotations).enumerate() {
        out.push(rotation_vector_near(*from, *to, near.get(joint).copied().unwrap_or_default()));
    }
    let start_from_world = start.inverse();
    for (mover, (from, to)) in first.positions.iter().zip(pose.positions).enumerate() {
        let moved = *to - *from;
        out.push(if mover == 0 { start_from_world.direction(moved) } else { moved });
    }
}

/// The rotation vector from one rotation to another that is nearest to a given one.
fn rotation_vector_near(from: Quat, to: Quat, near: Vec3) -> Vec3 {
    let turn = from.inverse() * to;
    let turn = if turn.w < 0.0 { -turn } else { turn };
    let imaginary = Vec3::new(turn.x, turn.y, turn.z);
    let sine = imaginary.length();
    if sine < 1e-6 {
        return 2.0 * imaginary;
    }
    let angle = 2.0 * sine.atan2(turn.w);
    let axis = imaginary / sine;
    // Rotation vectors along one axis that differ by whole turns are the same rotation.
    let turns = ((near.dot(axis) - angle) / std::f32::consts::TAU).round();
    axis * (angle + turns * std::f32::consts::TAU)
}

/// How much of the change of velocity outside a gap is continued to its end; 0 takes the mean velocity of the last working frame, 1 is of
/// second order. Noise grows with it; without it, motion at high rates has a kink.
const CONTINUED: f32 = 0.3;

/// The velocity at a pose, per working frame, from x one and two frames outside the gap and x at the pose.
pub(crate) fn outward_velocity(one: &[Vec3], two: &[Vec3], at: &[Vec3]) -> Channels {
    let velocity = |((one, two), at): ((&Vec3, &Vec3), &Vec3)| {
        let (near, far) = (*one - *at, *two - *one);
        near + CONTINUED / 2.0 * (near - far)
    };
    one.iter().zip(two).zip(at).map(velocity).collect()
}

/// The pose at x.
pub(crate) fn pose_at(first: LocalPoseRef<'_>, start: Ground, x: &[Vec3]) -> LocalPose {
    let joints = first.rotations.len();
    let rotations =
        first.rotations.iter().zip(x).map(|(from, x)| (*from * Quat::from_scaled_axis(*x)).normalize());
    let positions = first.positions.iter().zip(x.iter().skip(joints)).enumerate();
    let position = |(mover, (from, moved)): (usize, (&Vec3, &Vec3))| {
        *from + if mover == 0 { start.direction(*moved) } else { *moved }
    };
    LocalPose { rotations: rotations.collect(), positions: positions.map(position).collect() }
}
