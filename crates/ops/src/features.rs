//! Motion-matching features: each frame as 27 numbers.
//!
//! Clavet (*Motion Matching and The Road to Next-Gen Animation*, 2016) finds the next frame by the feet and
//! hips of the pose and by the trajectory ahead. The features, their order and the weights are those of
//! Holden's public code (*Motion-Matching*, 2021). All are in the frame of the character: origin under the
//! hips, facing forward.
//!
//! | features | meaning |
//! |---|---|
//! | 0–2, 3–5 | position of the left and the right foot, in metres |
//! | 6–8, 9–11 | velocity of each foot, in metres per second |
//! | 12–14 | velocity of the hips, in metres per second |
//! | 15–20 | ground position (x, z) after one third, two thirds and one second |
//! | 21–26 | facing direction (x, z) at those times |
//!
//! Changed: trajectories are smoothed over a time and not over a number of frames, so that rate and noise
//! matter little; the ground under the hips is smoothed longer, because hips sway with every step.
//!
//! Limits: after the last frame the character is assumed to stay in place. If no joint has the role Hips, the
//! root is used; without feet there are no features.

use marey_motion::{Clip, Ground, Role, Vec3, WorldPose};

use crate::smooth::lines;
use crate::{OutOfRange, Result};

/// Number of features.
pub const DIMS: usize = 27;

/// Settings of the features.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FeatureSettings {
    /// Times at which the trajectory ahead is sampled, in seconds; default one third, two thirds, one; 0 to
    /// 10.
    pub ahead_secs: [f64; 3],
    /// Standard deviation for smoothing feet and hips, in seconds; default 0.03, too short to blur a step; 0
    /// to 0.2.
    pub smoothing_secs: f64,
    /// Standard deviation for smoothing the ground under the hips, in seconds; default 0.15, half a step; 0
    /// to 2.
    pub ground_smoothing_secs: f64,
    /// Weight of foot positions; default 0.75; 0 to 100.
    pub foot_position: f32,
    /// Weight of foot velocities; default 1; 0 to 100.
    pub foot_velocity: f32,
    /// Weight of the hip velocity; default 1; 0 to 100.
    pub hip_velocity: f32,
    /// Weight of the positions ahead; default 1; 0 to 100.
    pub path_position: f32,
    /// Weight of the directions ahead; default 1.5; 0 to 100.
    pub path_direction: f32,
}

impl Default for FeatureSettings {
    fn default() -> Self {
        Self {
            ahead_secs: [1.0 / 3.0, 2.0 / 3.0, 1.0],
            smoothing_secs: 0.03,
            ground_smoothing_secs: 0.15,
            foot_position: 0.75,
            foot_velocity: 1.0,
            hip_velocity: 1.0,
            path_position: 1.0,
            path_direction: 1.5,
        }
    }
}

impl FeatureSettings {
    /// Checks the ranges.
    pub fn validate(&self) -> Result<()> {
        for ahead_secs in self.ahead_secs {
            OutOfRange::check("ahead_secs", ahead_secs, 0.0..=10.0)?;
        }
        OutOfRange::check("smoothing_secs", self.smoothing_secs, 0.0..=0.2)?;
        OutOfRange::check("ground_smoothing_secs", self.ground_smoothing_secs, 0.0..=2.0)?;
        for (name, weight) in [
            ("foot_position", self.foot_position),
            ("foot_velocity", self.foot_velocity),
            ("hip_velocity", self.hip_velocity),
            ("path_position", self.path_position),
            ("path_direction", self.path_direction),
        ] {
            OutOfRange::check(name, weight, 0.0..=100.0)?;
        }
        Ok(())
    }

    /// The weight and size of each group of features.
    fn groups(&self) -> [(usize, f32); 7] {
        [
            (3, self.foot_position),
            (3, self.foot_position),
            (3, self.foot_velocity),
            (3, self.foot_velocity),
            (3, self.hip_velocity),
            (6, self.path_position),
            (6, self.path_direction),
        ]
    }
}

/// The features of every frame, frames × 27, in metres and seconds.
///
/// ```
/// use std::sync::Arc;
/// use marey_motion::{Clip, ClipParts, Joint, Quat, Role, Skeleton, Vec3};
/// use marey_ops::features::{DIMS, FeatureSettings, features};
/// // Hips between two feet go sideways, along their own left, at 2 m/s.
/// let joints = vec![
///     Joint::new("hips", None, Vec3::ZERO).with_role(Role::Hips),
///     Joint::new("left", Some(0), Vec3::new(0.1, -0.9, 0.0)).with_role(Role::LeftFoot),
///     Joint::new("right", Some(0), Vec3::new(-0.1, -0.9, 0.0)).with_role(Role::RightFoot),
/// ];
/// let skeleton = Arc::new(Skeleton::new(joints, vec![])?);
/// // They face +X, so their left is −Z.
/// let facing = Quat::from_rotation_y(std::f32::consts::FRAC_PI_2);
/// let mut parts = ClipParts::default();
/// for frame in 0..90 {
///     parts.rotations.extend([facing, Quat::IDENTITY, Quat::IDENTITY]);
///     parts.positions.push(Vec3::new(5.0, 0.9, -2.0 * frame as f32 / 30.0));
/// }
/// let all = features(&Clip::new(skeleton, 30.0, parts)?, &FeatureSettings::default())?;
/// let frame = &all[30 * DIMS..31 * DIMS];
/// let near = |found: &[f32], wanted: &[f32]| found.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-3);
/// assert!(near(&frame[0..3], &[0.1, 0.0, 0.0]), "the left foot is to the left");
/// assert!(near(&frame[12..15], &[2.0, 0.0, 0.0]), "the hips go left");
/// assert!(near(&frame[15..21], &[0.667, 0.0, 1.333, 0.0, 2.0, 0.0]), "and will be further left");
/// assert!(near(&frame[21..23], &[0.0, 1.0]), "still facing ahead");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn features(clip: &Clip, settings: &FeatureSettings) -> Result<Vec<f32>> {
    settings.validate()?;
    let skeleton = clip.skeleton();
    let hips = skeleton.joint_of(Role::Hips).unwrap_or(0);
    let joints = [skeleton.require(Role::LeftFoot)?, skeleton.require(Role::RightFoot)?, hips];
    let mut paths = joints.map(|_| Vec::with_capacity(clip.frames()));
    let mut world = WorldPose::scratch(skeleton);
    for pose in clip.poses() {
        world.set(pose);
        for (path, joint) in paths.iter_mut().zip(joints) {
            path.push(world.positions[joint]);
        }
    }
    let [left, right, hips] = paths.map(|path| lines(&path, clip.rate_hz(), settings.smoothing_secs));
    let ground = smooth_ground(clip, settings);
    let ahead = settings.ahead_secs.map(|secs| (secs * clip.rate_hz()).round() as usize);
    let mut all = Vec::with_capacity(clip.frames() * DIMS);
    for (frame, body_from_world) in ground.iter().map(|ground| ground.inverse()).enumerate() {
        let then = ahead.map(|frames| ground[(frame + frames).min(ground.len() - 1)]);
        for place in [left.0[frame], right.0[frame]] {
            all.extend(body_from_world.point(place).to_array());
        }
        for velocity in [left.1[frame], right.1[frame], hips.1[frame]] {
            all.extend(body_from_world.direction(velocity).to_array());
        }
        for place in then.map(|then| body_from_world.point(then.translation())) {
            all.extend([place.x, place.z]);
        }
        for facing in then.map(|then| body_from_world.direction(then.direction(Vec3::Z))) {
            all.extend([facing.x, facing.z]);
        }
    }
    Ok(all)
}

/// The ground under the hips, without the sway of steps.
fn smooth_ground(clip: &Clip, settings: &FeatureSettings) -> Vec<Ground> {
    let track = clip.ground_track().frames;
    let smooth = |value: fn(&Ground) -> Vec3| {
        let path: Vec<Vec3> = track.iter().map(value).collect();
        lines(&path, clip.rate_hz(), settings.ground_smoothing_secs).0
    };
    let places = smooth(|ground| ground.translation());
    let ways = smooth(|ground| ground.direction(Vec3::Z));
    places
        .iter()
        .zip(ways)
        .map(|(place, facing)| Ground::new(place.x, place.z, facing.x.atan2(facing.z)))
        .collect()
}

/// Normalises features: subtracts the mean, divides by the standard deviation of the group, multiplies by its
/// weight.
#[derive(Debug, Clone, PartialEq)]
pub struct FeatureScale {
    /// The offsets, 27 numbers.
    pub mean: Vec<f32>,
    /// The factors, 27 numbers.
    pub factor: Vec<f32>,
}

impl FeatureScale {
    /// The scale of a table of features: afterwards the standard deviation of each group is its weight, on
    /// average.
    pub fn fit(table: &[f32], settings: &FeatureSettings) -> Result<Self> {
        settings.validate()?;
        if !table.len().is_multiple_of(DIMS) {
            let wanted = table.len().next_multiple_of(DIMS);
            return Err(
                marey_motion::MotionError::Length { what: "features", found: table.len(), wanted }.into()
            );
        }
        let rows = (table.len() / DIMS).max(1) as f64;
        let (mut sums, mut squares) = ([0.0; DIMS], [0.0; DIMS]);
        for row in table.as_chunks::<DIMS>().0 {
            sums.iter_mut().zip(row).for_each(|(sum, &v)| *sum += f64::from(v));
        }
        let mean = sums.map(|sum| sum / rows);
        for row in table.as_chunks::<DIMS>().0 {
            let away = row.iter().zip(&mean).map(|(&v, mean)| f64::from(v) - mean);
            squares.iter_mut().zip(away).for_each(|(square, away)| *square += away * away / rows);
        }
        let mut factor = Vec::with_capacity(DIMS);
        for (size, weight) in settings.groups() {
            let group = &squares[factor.len()..][..size];
            let deviation = group.iter().map(|square| square.sqrt()).sum::<f64>() / size as f64;
            let scale = if deviation > LEAST_DEVIATION { f64::from(weight) / deviation } else { 0.0 };
            factor.extend(std::iter::repeat_n(scale as f32, size));
        }
        Ok(Self { mean: mean.map(|mean| mean as f32).to_vec(), factor })
    }

    /// Scales features in place, row by row.
    pub fn apply(&self, table: &mut [f32]) {
        for row in table.as_chunks_mut::<DIMS>().0 {
            for ((v, mean), factor) in row.iter_mut().zip(&self.mean).zip(&self.factor) {
                *v = (*v - mean) * factor;
            }
        }
    }
}

/// Smaller standard deviations count as constant; in metres or metres per second.
const LEAST_DEVIATION: f64 = 1e-6;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn scaled_features_have_no_mean_and_their_weights_as_deviations(
            values in proptest::collection::vec(-5f32..5.0, 40 * DIMS),
        ) {
            let settings = FeatureSettings::default();
            let mut table = values;
            FeatureScale::fit(&table, &settings).unwrap().apply(&mut table);
            let column = |dim: usize| table.iter().skip(dim).step_by(DIMS);
            let deviation = |dim: usize| (column(dim).map(|v| v * v).sum::<f32>() / 40.0).sqrt();
            let mut dim = 0;
            for (size, weight) in settings.groups() {
                let mean: f32 = (dim..dim + size).map(deviation).sum::<f32>() / size as f32;
                prop_assert!((mean - weight).abs() < 1e-3);
                prop_assert!((dim..dim + size).all(|d| column(d).sum::<f32>().abs() < 1e-2));
                dim += size;
            }
            prop_assert_eq!(dim, DIMS);
        }
    }

    #[test]
    fn constant_and_mismatched_features() {
        let mut still = vec![3.0; 2 * DIMS];
        FeatureScale::fit(&still, &FeatureSettings::default()).unwrap().apply(&mut still);
        assert!(still.iter().all(|v| *v == 0.0));
        assert!(FeatureScale::fit(&[1.0; 5], &FeatureSettings::default()).is_err());
        assert!(
            FeatureSettings { ahead_secs: [0.1, 0.2, f64::NAN], ..FeatureSettings::default() }
                .validate()
                .is_err()
        );
        assert!(FeatureSettings { hip_velocity: -1.0, ..FeatureSettings::default() }.validate().is_err());
    }
}
