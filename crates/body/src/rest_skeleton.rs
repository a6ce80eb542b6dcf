//! A skeleton in its rest pose.

use glam::DMat4;
use marey_motion::{Quat, Skeleton, Vec3};

/// Rest positions of the joints and bone tips of a skeleton.
#[derive(Debug, Clone)]
pub struct RestSkeleton<'a> {
    /// The skeleton.
    pub skeleton: &'a Skeleton,
    /// The world position of each joint.
    pub positions: Vec<Vec3>,
    /// The world rotation of each joint.
    pub rotations: Vec<Quat>,
    /// Each tip: the joint it belongs to, and its world position.
    pub tips: Vec<(usize, Vec3)>,
    /// The translation of the root.
    pub root: Vec3,
}

impl<'a> RestSkeleton<'a> {
    /// The rest pose where the skeleton's offsets put it.
    pub fn of(skeleton: &'a Skeleton) -> Self {
        let positions = skeleton.rest_positions();
        let rotations = skeleton.rest_world_rotations();
        let tip = |tip: &marey_motion::Tip| {
            let (at, rotation) = (positions.get(tip.parent)?, rotations.get(tip.parent)?);
            Some((tip.parent, *at + *rotation * tip.offset))
        };
        let tips = skeleton.tips().iter().filter_map(tip).collect();
        let root = positions.first().copied().unwrap_or_default();
        Self { skeleton, positions, rotations, tips, root }
    }

    /// The rest pose above the origin, with its lowest point on the floor.
    ///
    /// Most files give the root no useful offset; used unchanged, it would put the feet below the floor.
    pub fn on_floor(skeleton: &'a Skeleton) -> Self {
        let mut rest = Self::of(skeleton);
        let lowest_m = rest.points().map(|at| at.y).fold(f32::INFINITY, f32::min);
        let root = Vec3::new(0.0, rest.root.y - lowest_m, 0.0);
        let shift = root - rest.root;
        rest.positions.iter_mut().for_each(|at| *at += shift);
        rest.tips.iter_mut().for_each(|(_, at)| *at += shift);
        rest.root = root;
        rest
    }

    /// The position of a joint; the origin if there is no such joint.
    pub fn at(&self, joint: usize) -> Vec3 {
        self.positions.get(joint).copied().unwrap_or_default()
    }

    /// The positions of all joints and tips.
    pub fn points(&self) -> impl Iterator<Item = Vec3> + '_ {
        self.positions.iter().copied().chain(self.tips.iter().map(|(_, at)| *at))
    }

    /// The positions of a joint and of all joints and tips below it.
    pub fn points_under(&self, joint: usize) -> impl Iterator<Item = Vec3> + '_ {
        let is_under = move |other: usize| self.skeleton.is_under(other, joint);
        let joints = self.positions.iter().enumerate().filter(move |(other, _)| is_under(*other));
        let tips = self.tips.iter().filter(move |(parent, _)| is_under(*parent));
        joints.map(|(_, at)| *at).chain(tips.map(|(_, at)| *at))
    }

    /// The distance from the lowest to the highest point, in metres; at least 0.1.
    pub fn height_m(&self) -> f32 {
        let (low, high) =
            self.points().fold((f32::MAX, f32::MIN), |(low, high), at| (low.min(at.y), high.max(at.y)));
        (high - low).max(0.1)
    }

    /// The diagonal of the box around all points, in metres.
    pub fn size_m(&self) -> f32 {
        let low = self.points().reduce(Vec3::min).unwrap_or_default();
        let high = self.points().reduce(Vec3::max).unwrap_or_default();
        low.distance(high)
    }

    /// The matrices that take a point of the world to each joint's frame.
    pub fn inverse_bind_matrices(&self) -> Vec<DMat4> {
        let matrix = |(at, rotation): (&Vec3, &Quat)| {
            let rotation = rotation.as_dquat().normalize();
            let mut inverse = DMat4::from_rotation_translation(rotation, at.as_dvec3()).inverse();
            // The glTF specification demands this row exactly; the inverse may be off by a rounding error.
            inverse.x_axis.w = 0.0;
            inverse.y_axis.w = 0.0;
            inverse.z_axis.w = 0.0;
            inverse.w_axis.w = 1.0;
            inverse
        };
        self.positions.iter().zip(&self.rotations).map(matrix).collect()
    }
}
