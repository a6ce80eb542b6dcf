//! Simulated markers: one on every joint and bone tip, and one in each palm; noisy, and sometimes lost.
//!
//! A closed hand hides the marker in its palm. Ishigaki et al. (2009, section 9.2) detect closed hands in this way.

use marey_motion::{Clip, PointClip, Role, Side, Skeleton, Vec3, WorldPose};
use rand::{Rng, RngExt};

use super::PlaygroundSettings;
use crate::Result;
use crate::figure::sign;
use crate::random::normal;

/// Range of the duration of a dropout, in seconds.
const LOST_SECS: std::ops::Range<f64> = 0.05..0.4;
/// Distance of the marker below the middle of the palm, relative to the height of the body.
const PALM: f32 = 0.012;

/// The markers of a clip without noise. `is_closed` returns whether the hand of a side is closed in a frame.
pub(super) fn simulate(
    clip: &Clip,
    settings: &PlaygroundSettings,
    is_closed: impl Fn(Side, usize) -> bool,
    rng: &mut impl Rng,
) -> Result<PointClip> {
    let skeleton = clip.skeleton();
    let labels = labels(skeleton);
    let mut points = Vec::with_capacity(clip.frames() * labels.len());
    let mut world = WorldPose::scratch(skeleton);
    let deviation_m = settings.marker_noise_mm / 1000.0;
    for (frame, pose) in clip.poses().enumerate() {
        world.set(pose);
        let body = world.positions.iter().copied().chain(world.tips()).map(Some);
        let palms = Side::BOTH.map(|side| (!is_closed(side, frame)).then(|| palm(&world, side, settings)));
        let noisy = |point: Vec3, rng: &mut _| {
            point + Vec3::from(std::array::from_fn(|_| deviation_m * normal(rng) as f32))
        };
        points.extend(body.chain(palms).map(|point| point.map(|point| noisy(point, rng))));
    }
    drop_out(&mut points, labels.len(), settings, rng);
    Ok(PointClip::new(labels, clip.rate_hz(), points)?)
}

/// The labels of joints, bone tips and palms. A bone tip is named after its joint.
fn labels(skeleton: &Skeleton) -> Vec<String> {
    let mut labels: Vec<String> = skeleton.joints().iter().map(|joint| joint.name.clone()).collect();
    for (index, tip) in skeleton.tips().iter().enumerate() {
        let before = skeleton.tips()[..index].iter().filter(|other| other.parent == tip.parent).count();
        let number = if before > 0 { (before + 1).to_string() } else { String::new() };
        labels.push(format!("{}End{number}", skeleton.joints()[tip.parent].name));
    }
    labels.extend(Side::BOTH.map(|side| format!("{}Palm", Role::LeftHand.on(side))));
    labels
}

/// The marker in the palm of an open hand.
fn palm(world: &WorldPose, side: Side, settings: &PlaygroundSettings) -> Vec3 {
    let hand = world.skeleton().joint_of(Role::LeftHand.on(side)).unwrap_or(0);
    let offset = Vec3::new(0.03 * sign(side), -PALM, 0.0) * settings.body.height_m;
    world.positions[hand] + world.rotations[hand] * offset
}

/// Removes each marker for random time spans.
fn drop_out(points: &mut [Option<Vec3>], labels: usize, settings: &PlaygroundSettings, rng: &mut impl Rng) {
    let frames = points.len() / labels;
    let (rate_hz, per_sec) = (settings.rate_hz, settings.dropouts_per_min / 60.0);
    if per_sec <= 0.0 {
        return;
    }
    for label in 0..labels {
        let mut secs = 0.0;
        loop {
            // Exponential waiting times of a Poisson process.
            secs += -(1.0 - rng.random::<f64>()).ln() / per_sec;
            let begin = (secs * rate_hz) as usize;
            if begin >= frames {
                break;
            }
            secs += rng.random_range(LOST_SECS);
            let end = ((secs * rate_hz) as usize + 1).min(frames);
            (begin..end).for_each(|frame| points[frame * labels + label] = None);
        }
    }
}
