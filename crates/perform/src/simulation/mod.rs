//! The physical world: rigid bodies, joints and collisions of rapier3d. It runs with a fixed time step on one thread, so that the same
//! input gives the same bits.
//!
//! The character is one body without rotation: its centre of mass (section 5). Collisions act on a sphere around it; the pose solver
//! keeps limbs out of solids. Each hold is a joint with a damped spring and a maximum length. Bars, floors and rocks anchor it to a fixed
//! body, ropes to a link, and trampolines to the moving surface.

mod build;
mod hold;

use glam::Vec3;
use rapier3d::prelude::*;

use crate::contact::joint_acceleration;
use crate::geometry::{Geometry, NearestPoint};
use crate::rope::Rope;
pub(crate) use hold::{Hold, HoldForce};

// rapier's `enhanced-determinism` would disable SIMD in glam and slow down every crate.
#[cfg(target_feature = "sse2")]
const _: () = assert!(align_of::<marey_motion::Quat>() == 16);

/// Simulation steps per second.
pub(crate) const STEPS_HZ: f32 = 120.0;
/// The largest speed, in metres per second.
const MAX_MPS: f32 = 40.0;

/// The largest acceleration by a limb, in m/s².
const MAX_LIMB_MPS2: f32 = 45.0;
/// The largest acceleration by the angular springs of a foot, in m/s²; with more, it would slip.
const MAX_FRICTION_MPS2: f32 = 30.0;

/// The body of a soft surface, which moves vertically on a damped spring.
#[derive(Debug, Clone, Copy)]
struct SoftSurface {
    body: RigidBodyHandle,
    /// The height at rest, in metres.
    rest_m: f32,
}

/// The rigid bodies of a feature.
#[derive(Debug, Clone)]
enum FeatureBody {
    /// Part of the fixed ground, or without a body.
    Fixed,
    Rope(Rope),
    SoftSurface(SoftSurface),
}

pub(crate) struct Simulation {
    pipeline: PhysicsPipeline,
    parameters: IntegrationParameters,
    islands: IslandManager,
    broad_phase: DefaultBroadPhase,
    narrow_phase: NarrowPhase,
    bodies: RigidBodySet,
    colliders: ColliderSet,
    joints: ImpulseJointSet,
    multibodies: MultibodyJointSet,
    soft_bodies: SoftBodySet,
    ccd: CCDSolver,
    ground: RigidBodyHandle,
    character: RigidBodyHandle,
    feature_bodies: Vec<FeatureBody>,
    geometries: Vec<Geometry>,
    mass_kg: f32,
    gravity_mps2: f32,
    pub(crate) holds: [Option<Hold>; 4],
}

impl Simulation {
    /// The centre of mass.
    pub(crate) fn centre(&self) -> Vec3 {
        self.bodies[self.character].translation()
    }

    /// The velocity of the centre of mass.
    pub(crate) fn velocity(&self) -> Vec3 {
        self.bodies[self.character].linvel()
    }

    /// Sets the character's position and velocity.
    pub(crate) fn set_state(&mut self, centre: Vec3, velocity: Vec3) {
        let body = &mut self.bodies[self.character];
        body.set_translation(centre, true);
        body.set_linvel(velocity, true);
    }

    /// The nearest point of a feature to a position, with the current shape of ropes and soft surfaces.
    pub(crate) fn nearest(&self, feature: usize, position: Vec3) -> NearestPoint {
        match (&self.feature_bodies[feature], self.geometry(feature)) {
            (FeatureBody::Rope(rope), Geometry::Rope { radius_m, .. }) => {
                rope.nearest(&self.bodies, radius_m, position).1
            }
            (_, geometry) => geometry.nearest(position),
        }
    }

    /// The nearest point of a feature to a foot, given the current centre of mass.
    pub(crate) fn nearest_to_foot(&self, feature: usize, position: Vec3) -> NearestPoint {
        match self.feature_bodies[feature] {
            FeatureBody::Rope(_) => self.nearest(feature, position),
            _ => self.geometry(feature).nearest_to_foot(position, self.centre()),
        }
    }

    /// The current shape of a feature.
    pub(crate) fn geometry(&self, feature: usize) -> Geometry {
        match (&self.feature_bodies[feature], self.geometries[feature]) {
            (FeatureBody::SoftSurface(surface), Geometry::Box { min, max }) => {
                let offset_m = self.bodies[surface.body].translation().y - surface.rest_m;
                Geometry::Box {
                    min: min.with_y(min.y.min(max.y + offset_m - 0.01)),
                    max: max.with_y(max.y + offset_m),
                }
            }
            (_, geometry) => geometry,
        }
    }

    /// The velocity of a feature's soft surface.
    pub(crate) fn velocity_of(&self, feature: usize) -> Vec3 {
        match &self.feature_bodies[feature] {
            FeatureBody::SoftSurface(surface) => self.bodies[surface.body].linvel(),
            _ => Vec3::ZERO,
        }
    }

    /// Appends the joints of a rope, from the top down, to `points`.
    pub(crate) fn rope_into(&self, feature: usize, points: &mut Vec<Vec3>) {
        if let FeatureBody::Rope(rope) = &self.feature_bodies[feature] {
            rope.points_into(&self.bodies, points);
        }
    }

    /// Simulates one step. `t` is its time between the previous (0) and the next (1) frame of the performer; `acceleration` is applied in
    /// addition, in m/s².
    pub(crate) fn step(&mut self, t: f32, yaw_rad: f32, acceleration: Vec3) {
        let (centre, velocity) = (self.centre(), self.velocity());
        let hold_count = self.holds.iter().flatten().count().max(1) as f32;
        let mut acceleration = acceleration;
        for limb in 0..self.holds.len() {
            let Some(hold) = self.holds[limb] else { continue };
            let anchor = &self.bodies[hold.anchor];
            let position = anchor.position().transform_point(hold.local);
            let r = position - centre;
            let rate = anchor.velocity_at_point(position) - velocity;
            let target = hold.targets[0].lerp(hold.targets[1], t);
            let length_m = target.r.length();
            let growth_mps = target.rate.dot(target.r) / length_m.max(1e-3);
            let is_slack = match hold.force {
                HoldForce::PushAndPull => false,
                HoldForce::Push => r.length() > length_m,
                HoldForce::Pull => r.length() < length_m,
            };
            if !is_slack {
                let angular = joint_acceleration(r, rate, &target, yaw_rad, &hold.gains, 1.0 / hold_count);
                let limit = if hold.force == HoldForce::Push { MAX_FRICTION_MPS2 } else { f32::MAX };
                acceleration += angular.clamp_length_max(limit);
            }
            if let Some(joint) = self.joints.get_mut(hold.joint, false) {
                let (stiffness, damping) =
                    (self.mass_kg * hold.gains.stiffness, self.mass_kg * hold.gains.damping);
                if hold.force == HoldForce::PushAndPull {
                    joint.data.set_limits(JointAxis::LinX, [0.0, hold.reach_m]);
                }
                joint.data.set_motor(JointAxis::LinX, length_m, growth_mps, stiffness, damping);
                // A motor without gains would be rigid; limiting its force to zero switches it off instead.
                let max_force =
                    if is_slack || stiffness + damping <= 0.0 { 0.0 } else { MAX_LIMB_MPS2 * self.mass_kg };
                joint.data.set_motor_max_force(JointAxis::LinX, max_force);
            }
        }
        let body = &mut self.bodies[self.character];
        body.reset_forces(false);
        body.add_force(acceleration * self.mass_kg, true);
        self.pipeline.step(
            Vec3::NEG_Y * self.gravity_mps2,
            &self.parameters,
            &mut self.islands,
            &mut self.broad_phase,
            &mut self.narrow_phase,
            &mut self.bodies,
            &mut self.colliders,
            &mut self.joints,
            &mut self.multibodies,
            &mut self.soft_bodies,
            &mut self.ccd,
            &(),
            &(),
        );
        self.limit_state();
    }

    /// Keeps position and speed finite and bounded.
    fn limit_state(&mut self) {
        let (centre, velocity) = (self.centre(), self.velocity());
        if !(centre.is_finite() && velocity.is_finite()) {
            self.set_state(Vec3::Y, Vec3::ZERO);
        } else if velocity.length() > MAX_MPS {
            self.set_state(centre, velocity.clamp_length_max(MAX_MPS));
        }
    }
}
