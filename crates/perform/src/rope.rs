//! A rope: rigid links connected by passive joints (8.2), in the physics engine.

use glam::Vec3;
use rapier3d::prelude::*;

use crate::geometry::{Geometry, NearestPoint};

/// A rope that hangs from a fixed body.
#[derive(Debug, Clone)]
pub(crate) struct Rope {
    pub(crate) top: Vec3,
    /// Half the length of a link, in metres.
    half_m: f32,
    pub(crate) links: Vec<RigidBodyHandle>,
}

/// Damping of the links by the air, in 1/s.
const AIR_DAMPING_PER_SEC: f32 = 0.4;
/// Inertia of a link about its own axis, relative to that across it. Links as thin as a real rope would spin about their axis.
const AXIAL_INERTIA: f32 = 0.3;

impl Rope {
    /// Hangs a rope of links with mass `link_kg` from a point of a fixed body.
    pub(crate) fn hang(
        bodies: &mut RigidBodySet,
        joints: &mut ImpulseJointSet,
        ground: RigidBodyHandle,
        top: Vec3,
        length_m: f32,
        links: u16,
        link_kg: f32,
    ) -> Self {
        let half_m = 0.5 * length_m / f32::from(links);
        let mut rope = Self { top, half_m, links: Vec::with_capacity(usize::from(links)) };
        let across = link_kg * (4.0 * half_m * half_m) / 12.0;
        let inertia = Vec3::new(across, AXIAL_INERTIA * across, across);
        let mut above = (ground, top);
        for index in 0..links {
            let middle = top - Vec3::Y * half_m * (2.0 * f32::from(index) + 1.0);
            let link = RigidBodyBuilder::dynamic()
                .translation(middle)
                .linear_damping(AIR_DAMPING_PER_SEC)
                .angular_damping(AIR_DAMPING_PER_SEC)
                .additional_mass_properties(MassProperties::new(Vec3::ZERO, link_kg, inertia));
            let link = bodies.insert(link);
            let joint = SphericalJointBuilder::new().local_anchor1(above.1).local_anchor2(Vec3::Y * half_m);
            joints.insert(above.0, link, joint, true);
            rope.links.push(link);
            above = (link, Vec3::NEG_Y * half_m);
        }
        rope
    }

    /// The link nearest to a position, and the nearest point on it.
    pub(crate) fn nearest(
        &self,
        bodies: &RigidBodySet,
        radius_m: f32,
        position: Vec3,
    ) -> (usize, NearestPoint) {
        let nearest = self.links.iter().map(|link| {
            let [from, to] = self.ends(bodies, *link);
            Geometry::Cylinder { from, to, radius_m }.nearest(position)
        });
        let nearest = nearest.enumerate().min_by(|a, b| a.1.distance_m.total_cmp(&b.1.distance_m));
        nearest.unwrap_or((0, NearestPoint { point: self.top, normal: Vec3::Y, distance_m: f32::MAX }))
    }

    /// The length of rope from its top to a position on a link, in metres.
    pub(crate) fn length_to_m(&self, link: usize, bodies: &RigidBodySet, position: Vec3) -> f32 {
        let local = bodies[self.links[link]].position().inverse_transform_point(position);
        2.0 * self.half_m * link as f32 + (self.half_m - local.y).clamp(0.0, 2.0 * self.half_m)
    }

    /// The joints between links, from the top down.
    pub(crate) fn points_into(&self, bodies: &RigidBodySet, points: &mut Vec<Vec3>) {
        points.push(self.top);
        points.extend(self.links.iter().map(|link| self.ends(bodies, *link)[1]));
    }

    fn ends(&self, bodies: &RigidBodySet, link: RigidBodyHandle) -> [Vec3; 2] {
        let at = bodies[link].position();
        [self.half_m, -self.half_m].map(|y| at.transform_point(Vec3::Y * y))
    }
}
