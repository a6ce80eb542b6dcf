//! A motion segment as a point cloud, resampled to a common length.
//!
//! Hsu, Gentry and Popović, *Example-Based Control of Human Motion* (2004): motion is compared by positions of joints, not by
//! angles (section 3); hands and feet are enough (section 6); a segment may be stretched uniformly in time (section 4.1),
//! which puts its first frame on the first, its last on the last, and those between in even steps.
//!
//! Limits: points move in straight lines between frames. A resampled segment has lost its duration; its
//! summary ([`crate::summary`]) keeps it.

use std::ops::Range;

use marey_motion::{Clip, Role, Vec3, WorldPose};

use crate::align::{Aligned, align_equal};
use crate::{OutOfRange, Result};

/// The joints that become points, and the number of frames.
#[derive(Debug, Clone, PartialEq)]
pub struct CloudSettings {
    /// The joints and their weights; default hands and feet, 1 each; weights 0 to 1000.
    pub weights: Vec<(Role, f32)>,
    /// The common length, in frames; default 20, twice what Hsu's 10 Hz give for a second; 2 to 1000.
    pub frames: u16,
}

impl Default for CloudSettings {
    fn default() -> Self {
        let ends = [Role::LeftHand, Role::RightHand, Role::LeftFoot, Role::RightFoot];
        Self { weights: ends.map(|role| (role, 1.0)).to_vec(), frames: 20 }
    }
}

impl CloudSettings {
    /// The fourteen joints of a whole human, with equal weights.
    pub fn whole_body() -> Self {
        Self { weights: Role::CORE.map(|role| (role, 1.0)).to_vec(), ..Self::default() }
    }

    /// Checks the ranges.
    pub fn validate(&self) -> Result<()> {
        OutOfRange::check("frames", self.frames, 2..=1000)?;
        for &(_, weight) in &self.weights {
            OutOfRange::check("weights", weight, 0.0..=1000.0)?;
        }
        if self.weights.is_empty() {
            return Err(marey_motion::MotionError::Empty { what: "a list of roles" }.into());
        }
        Ok(())
    }
}

/// Points over time, frames × joints, with one weight per joint.
#[derive(Debug, Clone, PartialEq)]
pub struct Cloud {
    points: Vec<Vec3>,
    weights: Vec<f32>,
}

impl Cloud {
    /// The point cloud of a range of frames.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use marey_motion::{Clip, ClipParts, Joint, Quat, Role, Skeleton, Vec3};
    /// use marey_ops::cloud::{Cloud, CloudSettings};
    /// // A foot under a knee under hips that go ahead by 1 m a frame.
    /// let joints = vec![
    ///     Joint::new("hips", None, Vec3::ZERO),
    ///     Joint::new("knee", Some(0), Vec3::Y * -0.5),
    ///     Joint::new("ankle", Some(1), Vec3::Y * -0.5).with_role(Role::LeftFoot),
    /// ];
    /// let skeleton = Arc::new(Skeleton::new(joints, vec![])?);
    /// let positions = (0..5).map(|f| Vec3::new(0.0, 1.0, f as f32)).collect();
    /// let clip = Clip::new(skeleton, 30.0, ClipParts { rotations: vec![Quat::IDENTITY; 15], positions })?;
    /// // Frames 1 to 3, stretched to five: in steps of half a metre.
    /// let settings = CloudSettings { weights: vec![(Role::LeftFoot, 1.0)], frames: 5 };
    /// let cloud = Cloud::of(&clip, 1..4, &settings)?;
    /// let ahead: Vec<f32> = cloud.points().iter().map(|p| p.z).collect();
    /// assert_eq!(ahead, [1.0, 1.5, 2.0, 2.5, 3.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(clip: &Clip, frames: Range<usize>, settings: &CloudSettings) -> Result<Self> {
        settings.validate()?;
        let segment = clip.slice(frames)?;
        let joints = settings.weights.iter().map(|&(role, _)| clip.skeleton().require(role));
        let joints = joints.collect::<std::result::Result<Vec<usize>, marey_motion::MotionError>>()?;
        let mut world = WorldPose::scratch(clip.skeleton());
        let mut points = Vec::with_capacity(segment.frames() * joints.len());
        for pose in segment.poses() {
            world.set(pose);
            points.extend(joints.iter().map(|&joint| world.positions[joint]));
        }
        let weights = settings.weights.iter().map(|&(_, weight)| weight).collect();
        Ok(Self { points, weights }.stretched(settings.frames.into()))
    }

    /// A cloud of given points: frames × weights, finite, at least one.
    pub fn new(points: Vec<Vec3>, weights: Vec<f32>) -> Result<Self> {
        if points.is_empty() || weights.is_empty() {
            return Err(marey_motion::MotionError::Empty { what: "a cloud of points" }.into());
        }
        if !points.len().is_multiple_of(weights.len()) {
            let wanted = points.len().next_multiple_of(weights.len());
            return Err(
                marey_motion::MotionError::Length { what: "points", found: points.len(), wanted }.into()
            );
        }
        if let Some(i) = points.iter().position(|p| !p.is_finite()) {
            let (frame, joint) = (i / weights.len(), i % weights.len());
            return Err(marey_motion::MotionError::NotFinite { what: "a point", frame, joint }.into());
        }
        for &weight in &weights {
            OutOfRange::check("weights", weight, 0.0..=1000.0)?;
        }
        Ok(Self { points, weights })
    }

    /// The points, frames × joints.
    pub fn points(&self) -> &[Vec3] {
        &self.points
    }

    /// The weight of each joint.
    pub fn weights(&self) -> &[f32] {
        &self.weights
    }

    /// The number of frames, at least 1.
    pub fn frames(&self) -> usize {
        self.points.len() / self.weights.len()
    }

    /// The same motion resampled to another number of frames, at least 1.
    pub fn stretched(&self, frames: usize) -> Self {
        let joints = self.weights.len();
        let (last, frames) = (self.frames() - 1, frames.max(1));
        if frames == self.frames() {
            return self.clone();
        }
        let step = last as f32 / (frames.max(2) - 1) as f32;
        let mut points = Vec::with_capacity(frames * joints);
        for frame in 0..frames {
            let at = (frame as f32 * step).min(last as f32);
            let before = at as usize;
            let share = at - before as f32;
            let (a, b) = (self.frame(before), self.frame((before + 1).min(last)));
            points.extend(a.iter().zip(b).map(|(a, b)| a.lerp(*b, share)));
        }
        Self { points, weights: self.weights.clone() }
    }

    /// The points of one frame.
    pub(crate) fn frame(&self, frame: usize) -> &[Vec3] {
        &self.points[frame * self.weights.len()..][..self.weights.len()]
    }

    /// The best alignment of `other` with this cloud, and its residual (Hsu, equations 1 and 2). Both need
    /// the same weights; `other` is resampled to this cloud's length first.
    ///
    /// ```
    /// use marey_motion::Vec3;
    /// use marey_ops::cloud::Cloud;
    /// // A point that goes 2 m along X in three frames, and one that goes 4 m along Z in two.
    /// let x = Cloud::new(vec![Vec3::ZERO, Vec3::X, Vec3::X * 2.0], vec![1.0])?;
    /// let a = Cloud::new(vec![Vec3::ZERO, Vec3::Z * 4.0], vec![1.0])?;
    /// // Stretched to 0, 2, 4 and turned, the ends are 1 m off, the middle 0: two thirds of a square metre on average.
    /// assert!((x.aligned(&a)?.rms_m() - (2f32 / 3.0).sqrt()).abs() < 1e-6);
    /// # Ok::<(), marey_ops::OpsError>(())
    /// ```
    pub fn aligned(&self, other: &Cloud) -> Result<Aligned> {
        self.check_weights(other)?;
        let weights = self.weight_of_each_point();
        if other.points.len() == self.points.len() {
            return Ok(align_equal(&self.points, &other.points, &weights));
        }
        Ok(align_equal(&self.points, &other.stretched(self.frames()).points, &weights))
    }

    /// The weights, repeated for each frame.
    pub(crate) fn weight_of_each_point(&self) -> Vec<f32> {
        self.weights.repeat(self.frames())
    }

    /// Clouds can be compared if they have the same joints and weights.
    pub(crate) fn check_weights(&self, other: &Cloud) -> Result<()> {
        if self.weights == other.weights {
            return Ok(());
        }
        let (first, second) = (format!("{:?}", self.weights), format!("{:?}", other.weights));
        Err(marey_motion::MotionError::Disagree { what: "weights", first, second }.into())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_stretch_keeps_the_ends_and_stays_on_the_path(
            ys in proptest::collection::vec(-1f32..1.0, 1..20), frames in 1usize..50,
        ) {
            let cloud = Cloud::new(ys.iter().map(|&y| Vec3::Y * y).collect(), vec![1.0]).unwrap();
            let stretched = cloud.stretched(frames);
            prop_assert_eq!(stretched.frames(), frames);
            prop_assert_eq!(stretched.points()[0], cloud.points()[0]);
            if frames > 1 {
                prop_assert!(stretched.points()[frames - 1].distance(cloud.points()[ys.len() - 1]) < 1e-4);
            }
            let (low, high) = ys.iter().fold((f32::MAX, f32::MIN), |(l, h), &y| (l.min(y), h.max(y)));
            prop_assert!(stretched.points().iter().all(|p| (low - 1e-5..=high + 1e-5).contains(&p.y)));
        }
    }

    #[test]
    fn invalid_clouds_are_rejected() {
        assert!(Cloud::new(vec![], vec![1.0]).is_err());
        assert!(Cloud::new(vec![Vec3::ZERO; 3], vec![1.0, 1.0]).is_err());
        assert!(Cloud::new(vec![Vec3::NAN], vec![1.0]).is_err());
        assert!(Cloud::new(vec![Vec3::ZERO], vec![-1.0]).is_err());
        let (a, b) = (Cloud::new(vec![Vec3::ZERO], vec![1.0]), Cloud::new(vec![Vec3::ZERO], vec![2.0]));
        assert!(a.unwrap().aligned(&b.unwrap()).is_err());
        assert!(CloudSettings { frames: 1, ..CloudSettings::default() }.validate().is_err());
        assert!(CloudSettings { weights: vec![], ..CloudSettings::default() }.validate().is_err());
    }
}
