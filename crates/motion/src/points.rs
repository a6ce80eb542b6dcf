//! Labelled points over time, without a skeleton: markers, a mouse path, or selected joints of a clip.

use glam::Vec3;

use crate::clip::check_rate;
use crate::{Clip, MotionError, Result, Role, WorldPose};

/// Points with labels at a uniform rate, frames × labels in one flat array. A point may be missing in a frame.
///
/// ```
/// use marey_motion::{PointClip, Vec3};
/// let path = PointClip::new(vec!["pen".into()], 2.0, vec![Some(Vec3::ZERO), None, Some(Vec3::X)])?;
/// assert_eq!(path.frames(), 3);
/// assert_eq!(path.get(2, 0), Some(Vec3::X));
/// assert_eq!(path.missing(), 1);
/// # Ok::<(), marey_motion::MotionError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct PointClip {
    labels: Vec<String>,
    rate_hz: f64,
    points: Vec<Vec3>,
    /// One flag per point; empty if all are present.
    absent: Vec<bool>,
}

impl PointClip {
    /// Checks points; `None` marks a missing one; frames × labels.
    pub fn new(labels: Vec<String>, rate_hz: f64, points: Vec<Option<Vec3>>) -> Result<Self> {
        let absent: Vec<bool> = points.iter().map(Option::is_none).collect();
        let absent = if absent.contains(&true) { absent } else { Vec::new() };
        let points = points.into_iter().map(|p| p.unwrap_or(Vec3::ZERO)).collect();
        Self::checked(labels, rate_hz, points, absent)
    }

    /// [`PointClip::new`] without missing points.
    pub fn complete(labels: Vec<String>, rate_hz: f64, points: Vec<Vec3>) -> Result<Self> {
        Self::checked(labels, rate_hz, points, Vec::new())
    }

    fn checked(labels: Vec<String>, rate_hz: f64, points: Vec<Vec3>, absent: Vec<bool>) -> Result<Self> {
        check_rate(rate_hz)?;
        if labels.is_empty() || points.is_empty() {
            return Err(MotionError::Empty { what: "a point clip" });
        }
        if !points.len().is_multiple_of(labels.len()) {
            let wanted = points.len().next_multiple_of(labels.len());
            return Err(MotionError::Length { what: "points", found: points.len(), wanted });
        }
        if let Some(i) = points.iter().position(|p| !p.is_finite()) {
            return Err(MotionError::NotFinite {
                what: "a point",
                frame: i / labels.len(),
                joint: i % labels.len(),
            });
        }
        Ok(Self { labels, rate_hz, points, absent })
    }

    /// The label of each point.
    pub fn labels(&self) -> &[String] {
        &self.labels
    }

    /// Frames per second.
    pub fn rate_hz(&self) -> f64 {
        self.rate_hz
    }

    /// Number of frames; at least 1.
    pub fn frames(&self) -> usize {
        self.points.len() / self.labels.len()
    }

    /// Duration; every frame stands for one period.
    pub fn duration_secs(&self) -> f64 {
        self.frames() as f64 / self.rate_hz
    }

    /// All points, frames × labels; a missing one is the origin.
    pub fn flat(&self) -> &[Vec3] {
        &self.points
    }

    /// The points of one frame; a missing one is the origin.
    pub fn frame(&self, frame: usize) -> &[Vec3] {
        &self.points[frame * self.labels.len()..][..self.labels.len()]
    }

    /// One point, if it is present.
    pub fn get(&self, frame: usize, label: usize) -> Option<Vec3> {
        let index = frame * self.labels.len() + label;
        (!self.absent.get(index).copied().unwrap_or(false)).then(|| self.points[index])
    }

    /// Number of missing points.
    pub fn missing(&self) -> usize {
        self.absent.iter().filter(|&&absent| absent).count()
    }
}

impl Clip {
    /// The world positions of selected roles: the point cloud by which motions are compared.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use marey_motion::*;
    /// # let joints = vec![
    /// #     Joint::new("hips", None, Vec3::ZERO).with_role(Role::Hips),
    /// #     Joint::new("head", Some(0), Vec3::Y).with_role(Role::Head),
    /// # ];
    /// # let skeleton = Arc::new(Skeleton::new(joints, vec![])?);
    /// let clip = Clip::still(skeleton.clone(), 30.0, LocalPose::rest(&skeleton))?;
    /// let cloud = clip.points(&[Role::Head, Role::Hips])?;
    /// assert_eq!(cloud.flat(), [Vec3::Y, Vec3::ZERO]);
    /// # Ok::<(), marey_motion::MotionError>(())
    /// ```
    pub fn points(&self, roles: &[Role]) -> Result<PointClip> {
        let joints = roles.iter().map(|&role| self.skeleton().require(role)).collect::<Result<Vec<_>>>()?;
        let mut world = WorldPose::scratch(self.skeleton());
        let mut points = Vec::with_capacity(self.frames() * joints.len());
        for pose in self.poses() {
            world.set(pose);
            points.extend(joints.iter().map(|&j| world.positions[j]));
        }
        let labels = roles.iter().map(|role| role.name().to_owned()).collect();
        PointClip::complete(labels, self.rate_hz(), points)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Coded;

    #[test]
    fn invalid_points_are_rejected() {
        let make = |labels: &[&str], rate, points| {
            let labels = labels.iter().map(|&l| l.to_owned()).collect();
            PointClip::new(labels, rate, points).unwrap_err().code().id
        };
        let p = Some(Vec3::ONE);
        assert_eq!(make(&[], 1.0, vec![p]), "motion/mismatch");
        assert_eq!(make(&["a"], 1.0, vec![]), "motion/mismatch");
        assert_eq!(make(&["a", "b"], 1.0, vec![p; 3]), "motion/length");
        assert_eq!(make(&["a"], 0.0, vec![p]), "motion/rate");
        assert_eq!(make(&["a"], 1.0, vec![Some(Vec3::NAN)]), "motion/not-finite");
    }
}
