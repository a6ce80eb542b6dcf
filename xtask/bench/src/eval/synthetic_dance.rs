//! Synthetic dances with known beats.
//!
//! Arms, legs and trunk move from pose to pose, each in its own pattern for eight beats: to a new pose on every beat, on every other
//! beat, on every beat and half beat, or not at all. Arrivals are smooth and slightly early or late. The tempo drifts, the hips sink on
//! the beat and rise in between, and the dancer wanders about. Positions have 5 mm of noise.

use std::f64::consts::TAU;
use std::sync::Arc;

use glam::EulerRot;
use marey_body::BodyProportions;
use marey_motion::{Clip, ClipParts, LocalPose, Quat, Role, Side, Skeleton, Vec3, WorldPose};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::BoxError;

/// A dance: joint positions with sensor noise, on a skeleton in which every joint translates, and the frames of its beats.
pub(super) struct Dance {
    pub(super) clip: Clip,
    pub(super) beats: Vec<usize>,
}

/// Standard deviation of an arrival from the beat, in seconds.
const ARRIVAL_SECS: f64 = 0.012;
/// Standard deviation of the noise on every coordinate, in metres.
const NOISE_M: f64 = 0.005;

/// Generates a dance at 30 Hz with a drifting tempo.
pub(super) fn dance(seed: u64, bpm: f64, secs: f64) -> Result<Dance, BoxError> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let beat_secs = beat_times(&mut rng, bpm, secs);
    let skeleton = BodyProportions::default().skeleton()?;
    let joints: Vec<MovingJoint> =
        MovingJoint::all().map(|(role, range)| MovingJoint::new(role, range, &beat_secs, &mut rng)).collect();
    let bounce_m = rng.random_range(0.015..0.04);
    let wander = [0.05, 0.083].map(|hz| (hz * rng.random_range(0.7..1.3), rng.random_range(0.0..TAU)));
    let rate_hz = 30.0;
    let mut pose = LocalPose::rest(&skeleton);
    let rest = pose.clone();
    let mut world = WorldPose::scratch(&skeleton);
    let mut measured = Vec::new();
    for frame in 0..(secs * rate_hz) as usize {
        let t = frame as f64 / rate_hz;
        let phase = phase_at(&beat_secs, t);
        let [x, z] = wander.map(|(hz, phase)| (TAU * hz * t + phase).sin());
        pose.positions[0] = rest.positions[0] + Vec3::new(x as f32, 0.0, z as f32)
            - Vec3::Y * (bounce_m * (1.0 + (TAU * phase).cos())) as f32;
        for part in &joints {
            if let Some(joint) = skeleton.joint_of(part.role) {
                let [a, b, c] = part.angles_at(t);
                pose.rotations[joint] = rest.rotations[joint] * Quat::from_euler(EulerRot::XYZ, a, b, c);
            }
        }
        world.set(pose.view());
        measured.extend(world.positions.iter().map(|p| *p + error(&mut rng)));
    }
    let beats = beat_secs.iter().map(|secs| (secs * rate_hz).round() as usize);
    let beats = beats.filter(|&frame| frame < (secs * rate_hz) as usize).collect();
    Ok(Dance { clip: markers(&skeleton, rate_hz, measured)?, beats })
}

/// The times of the beats. The tempo drifts by up to 6 % within about half a minute.
fn beat_times(rng: &mut impl Rng, bpm: f64, secs: f64) -> Vec<f64> {
    let (drift, period, phase) =
        (rng.random_range(0.02..0.06), rng.random_range(15.0..40.0), rng.random_range(0.0..TAU));
    let mut times = vec![rng.random_range(0.05..0.6)];
    while times[times.len() - 1] < secs + 4.0 {
        let last = times[times.len() - 1];
        times.push(last + 60.0 / (bpm * (1.0 + drift * (TAU * last / period + phase).sin())));
    }
    times
}

/// The number of beats that have passed at a time, with the fraction of the current one.
fn phase_at(beats: &[f64], t: f64) -> f64 {
    let next = beats.partition_point(|&beat| beat <= t).clamp(1, beats.len() - 1);
    (next - 1) as f64 + (t - beats[next - 1]) / (beats[next] - beats[next - 1])
}

/// A joint that moves from pose to pose.
struct MovingJoint {
    role: Role,
    /// The times at which it arrives, and its angles then.
    keys: Vec<(f64, [f32; 3])>,
}

impl MovingJoint {
    /// The joints that move, and their range, in radians.
    fn all() -> impl Iterator<Item = (Role, f32)> {
        let limbs = [
            (Role::LeftUpperArm, 0.9),
            (Role::LeftLowerArm, 0.8),
            (Role::LeftUpperLeg, 0.4),
            (Role::LeftLowerLeg, 0.5),
        ];
        let limbs =
            Side::BOTH.into_iter().flat_map(move |side| limbs.map(|(role, range)| (role.on(side), range)));
        limbs.chain([(Role::Spine, 0.2), (Role::Head, 0.25)])
    }

    fn new(role: Role, range: f32, beats: &[f64], rng: &mut impl Rng) -> Self {
        let late = rng.random_range(-0.01..0.02);
        let mut keys = vec![(beats[0] - 1.0, [0.0; 3])];
        for phrase in beats.chunks(8) {
            // On every beat, on every other beat, on half beats as well, or never.
            let pattern = rng.random_range(0..10);
            for (i, &beat) in phrase.iter().enumerate() {
                let arrive = |at: f64, range: f32, rng: &mut _| {
                    (
                        at + late + ARRIVAL_SECS * normal(rng),
                        std::array::from_fn(|_| range * normal(rng) as f32 * 0.6),
                    )
                };
                match pattern {
                    0..5 => keys.push(arrive(beat, range, rng)),
                    5..7 if i % 2 == 0 => keys.push(arrive(beat, range, rng)),
                    7 => {
                        keys.push(arrive(beat, range, rng));
                        let half = phrase.get(i + 1).map(|next| 0.5 * (beat + next));
                        keys.extend(half.map(|half| arrive(half, 0.5 * range, rng)));
                    }
                    _ => {}
                }
            }
        }
        Self { role, keys }
    }

    /// Its angles: minimum-jerk interpolation between keys, at rest at both ends.
    fn angles_at(&self, t: f64) -> [f32; 3] {
        let next = self.keys.partition_point(|key| key.0 <= t);
        let before = &self.keys[next.saturating_sub(1).min(self.keys.len() - 1)];
        let Some(after) = self.keys.get(next) else { return before.1 };
        // A long hold ends in a movement of at most 0.9 s.
        let start = before.0.max(after.0 - 0.9);
        let s = ((t - start) / (after.0 - start)).clamp(0.0, 1.0);
        let share = (s * s * s * (10.0 + s * (6.0 * s - 15.0))) as f32;
        std::array::from_fn(|i| before.1[i] + (after.1[i] - before.1[i]) * share)
    }
}

/// A clip on a skeleton of independent joints at the measured positions.
fn markers(
    skeleton: &Skeleton,
    rate_hz: f64,
    measured: Vec<Vec3>,
) -> Result<Clip, marey_motion::MotionError> {
    let mut joints = skeleton.joints().to_vec();
    for (i, joint) in joints.iter_mut().enumerate() {
        joint.parent = (i > 0).then_some(0);
        joint.moves = true;
        joint.rest_rotation = Quat::IDENTITY;
    }
    let count = joints.len();
    let mut positions = measured;
    for frame in positions.chunks_exact_mut(count) {
        let root = frame[0];
        frame.iter_mut().skip(1).for_each(|p| *p -= root);
    }
    let rotations = vec![Quat::IDENTITY; positions.len()];
    Clip::new(Arc::new(Skeleton::new(joints, vec![])?), rate_hz, ClipParts { rotations, positions })
}

fn error(rng: &mut impl Rng) -> Vec3 {
    Vec3::from(std::array::from_fn(|_| (NOISE_M * normal(rng)) as f32))
}

/// A standard normal number (Box and Muller, 1958).
fn normal(rng: &mut impl Rng) -> f64 {
    let radius = (-2.0 * (1.0 - rng.random::<f64>()).ln()).sqrt();
    radius * (TAU * rng.random::<f64>()).cos()
}
