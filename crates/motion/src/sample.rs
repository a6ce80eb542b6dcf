//! Interpolation between frames: sampling at any time, and resampling to another rate.

use glam::{Quat, Vec3};

use crate::clip::check_rate;
use crate::{Clip, ClipParts, LocalPose, Result};

impl Clip {
    /// The pose at a time, interpolated by slerp and linearly; clamped to the first and last frame. NaN gives
    /// the first frame.
    pub fn sample(&self, time_secs: f64) -> LocalPose {
        let mut pose = LocalPose { rotations: Vec::new(), positions: Vec::new() };
        self.sample_into(time_secs, &mut pose);
        pose
    }

    /// [`Clip::sample`] into a reusable pose.
    pub fn sample_into(&self, time_secs: f64, pose: &mut LocalPose) {
        pose.rotations.clear();
        pose.positions.clear();
        self.sample_onto(time_secs, &mut pose.rotations, &mut pose.positions);
    }

    /// The same motion at another rate, with the same duration to the nearest frame.
    pub fn resampled(&self, rate_hz: f64) -> Result<Clip> {
        check_rate(rate_hz)?;
        if rate_hz == self.rate_hz() {
            return Ok(self.clone());
        }
        let frames = ((self.duration_secs() * rate_hz).round() as usize).max(1);
        let mut parts = ClipParts::default();
        for f in 0..frames {
            self.sample_onto(f as f64 / rate_hz, &mut parts.rotations, &mut parts.positions);
        }
        Clip::new(self.skeleton().clone(), rate_hz, parts)
    }

    /// Appends the pose at a time.
    fn sample_onto(&self, time_secs: f64, rotations: &mut Vec<Quat>, positions: &mut Vec<Vec3>) {
        let last = self.frames() - 1;
        // `max` before `min`: NaN becomes the start.
        let at = (time_secs * self.rate_hz()).max(0.0).min(last as f64);
        let before = at as usize;
        let (a, b) = (self.pose(before), self.pose((before + 1).min(last)));
        let s = (at - before as f64) as f32;
        if s == 0.0 {
            rotations.extend_from_slice(a.rotations);
            positions.extend_from_slice(a.positions);
        } else {
            rotations.extend(a.rotations.iter().zip(b.rotations).map(|(&a, &b)| a.slerp(b, s)));
            positions.extend(a.positions.iter().zip(b.positions).map(|(&a, &b)| a.lerp(b, s)));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use proptest::prelude::*;

    use super::*;
    use crate::{Joint, Skeleton};

    /// A root that rotates steadily about Y, through several turns, while it moves along X.
    fn spinner(frames: usize, rate_hz: f64) -> Clip {
        let skeleton = Arc::new(Skeleton::new(vec![Joint::new("a", None, Vec3::ZERO)], vec![]).unwrap());
        let mut parts = ClipParts::default();
        for f in 0..frames {
            let t = f as f64 / rate_hz;
            parts.rotations.push(Quat::from_rotation_y((5.0 * t).rem_euclid(std::f64::consts::TAU) as f32));
            parts.positions.push(Vec3::X * t as f32);
        }
        Clip::new(skeleton, rate_hz, parts).unwrap()
    }

    proptest! {
        #[test]
        fn uniform_motion_is_sampled_exactly(t in 0.0f64..1.9) {
            let pose = spinner(60, 30.0).sample(t);
            let q = Quat::from_rotation_y(5.0 * t as f32);
            prop_assert!(pose.rotations[0].angle_between(q) < 2e-3);
            prop_assert!((pose.positions[0].x - t as f32).abs() < 1e-5);
        }
    }

    #[test]
    fn times_outside_the_clip_are_clamped() {
        let clip = spinner(10, 30.0);
        assert_eq!(clip.sample(-1.0).view(), clip.pose(0));
        assert_eq!(clip.sample(99.0).view(), clip.pose(9));
        assert_eq!(clip.sample(f64::NAN).view(), clip.pose(0));
    }

    #[test]
    fn resampling_up_and_down_returns_to_the_same_frames() {
        let clip = spinner(31, 30.0);
        assert_eq!(clip.resampled(30.0).unwrap(), clip);
        let back = clip.resampled(120.0).unwrap().resampled(30.0).unwrap();
        assert_eq!(back.frames(), 31);
        for (a, b) in back.poses().zip(clip.poses()) {
            assert!(a.root_rotation().angle_between(b.root_rotation()) < 1e-3);
            assert!(a.root_position().distance(b.root_position()) < 1e-5);
        }
        assert!((clip.resampled(24.0).unwrap().duration_secs() - clip.duration_secs()).abs() < 0.5 / 24.0);
        assert!(clip.resampled(-1.0).is_err());
    }
}
