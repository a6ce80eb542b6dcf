//! The physical world: rigid bodies, joints and collisions of rapier3d, with a fixed step and one thread, so that the same steps give
//! the same bits.
//!
//! The character is one body without rotation: its centre of mass (section 5). Collisions stop only the centre; the pose solver keeps
//! limbs out of solids. Each hold is a joint with a damped spring and a longest reach. It is anchored to a fixed body on bars, floors and
//! rocks, to a link on ropes, and to the surface on a trampoline.

mod build;
mod hold;

use glam::Vec3;
use rapier3d::prelude::*;

use crate::contact::joint_acceleration;
use crate::geometry::{Geometry, NearestPoint};
use crate::rope::Rope;
pub(crate) use hold::{Hold, Line};

// rapier's `enhanced-determinism` would disable SIMD in glam and slow down every crate.
#[cfg(target_feature = "sse2")]
const _: () = assert!(align_of::<marey_motion::Quat>() == 16);

/// Simulation steps per second.
pub(crate) const STEPS_HZ: f32 = 120.0;
/// The largest speed, in metres per second.
const MOST_MPS: f32 = 40.0;

/// The largest acceleration by a limb, in m/s².
const MOST_STRENGTH: f32 = 45.0;
/// The largest acceleration by a foot along its surface, in m/s²; beyond that it would slip.
const MOST_GRIP: f32 = 30.0;

/// A soft surface: a damped spring.
#[derive(Debug, Clone, Copy)]
struct Mat {
    body: RigidBodyHandle,
    rest_m: f32,
}

/// A feature in the physical world.
#[derive(Debug, Clone)]
enum Thing {
    Still,
    Rope(Rope),
    Mat(Mat),
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
    things: Vec<Thing>,
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

    /// Its velocity.
    pub(crate) fn velocity(&self) -> Vec3 {
        self.bodies[self.character].linvel()
    }

    /// Sets the character's position and velocity.
    pub(crate) fn place(&mut self, centre: Vec3, velocity: Vec3) {
        let body = &mut self.bodies[self.character];
        body.set_translation(centre, true);
        body.set_linvel(velocity, true);
    }

    /// The nearest point of a feature to a place, with the present shape of ropes and soft surfaces.
    pub(crate) fn nearest(&self, feature: usize, place: Vec3) -> NearestPoint {
        match (&self.things[feature], self.geometry(feature)) {
            (Thing::Rope(rope), Geometry::Rope { radius_m, .. }) => {
                rope.nearest(&self.bodies, radius_m, place).1
            }
            (_, geometry) => geometry.nearest(place),
        }
    }

    /// The same for a foot, given the present centre of mass.
    pub(crate) fn nearest_to_foot(&self, feature: usize, place: Vec3) -> NearestPoint {
        match self.things[feature] {
            Thing::Rope(_) => self.nearest(feature, place),
            _ => self.geometry(feature).nearest_to_foot(place, self.centre()),
        }
    }

    /// The present shape of a feature.
    pub(crate) fn geometry(&self, feature: usize) -> Geometry {
        match (&self.things[feature], self.geometries[feature]) {
            (Thing::Mat(mat), Geometry::Box { min, max }) => {
                let sunk = self.bodies[mat.body].translation().y - mat.rest_m;
                Geometry::Box {
                    min: min.with_y(min.y.min(max.y + sunk - 0.01)),
                    max: max.with_y(max.y + sunk),
                }
            }
            (_, geometry) => geometry,
        }
    }

    /// The velocity of a feature's soft surface.
    pub(crate) fn velocity_of(&self, feature: usize) -> Vec3 {
        match &self.things[feature] {
            Thing::Mat(mat) => self.bodies[mat.body].linvel(),
            _ => Vec3::ZERO,
        }
    }

    /// Appends the joints of a rope, from the top down, to a list.
    pub(crate) fn rope_into(&self, feature: usize, points: &mut Vec<Vec3>) {
        if let Thing::Rope(rope) = &self.things[feature] {
            rope.points_into(&self.bodies, points);
        }
    }

    /// Simulates one step. `share` is its position between the previous and the next frame of the performer; `push` is an additional
    /// acceleration, in m/s².
    pub(crate) fn step(&mut self, share: f32, yaw_rad: f32, push: Vec3) {
        let (centre, velocity) = (self.centre(), self.velocity());
        let holding = self.holds.iter().flatten().count().max(1) as f32;
        let mut push = push;
        for slot in 0..self.holds.len() {
            let Some(hold) = self.holds[slot] else { continue };
            let anchor = &self.bodies[hold.anchor];
            let place = anchor.position().transform_point(hold.local);
            let r = place - centre;
            let rate = anchor.velocity_at_point(place) - velocity;
            let wish = hold.wishes[0].lerp(hold.wishes[1], share);
            let length_m = wish.r.length();
            let growth_mps = wish.rate.dot(wish.r) / length_m.max(1e-3);
            let idle = match hold.line {
                Line::Both => false,
                Line::Push => r.length() > length_m,
                Line::Pull => r.length() < length_m,
            };
            if !idle {
                let turn = joint_acceleration(r, rate, &wish, yaw_rad, &hold.gains, 1.0 / holding);
                let most = if hold.line == Line::Push { MOST_GRIP } else { f32::MAX };
                push += turn.clamp_length_max(most);
            }
            if let Some(joint) = self.joints.get_mut(hold.joint, false) {
                let (stiffness, damping) =
                    (self.mass_kg * hold.gains.stiffness, self.mass_kg * hold.gains.damping);
                if hold.line == Line::Both {
                    joint.data.set_limits(JointAxis::LinX, [0.0, hold.reach_m]);
                }
                joint.data.set_motor(JointAxis::LinX, length_m, growth_mps, stiffness, damping);
                // A motor without gains would be rigid, so an idle motor has no force instead.
                let strength =
                    if idle || stiffness + damping <= 0.0 { 0.0 } else { MOST_STRENGTH * self.mass_kg };
                joint.data.set_motor_max_force(JointAxis::LinX, strength);
            }
        }
        let body = &mut self.bodies[self.character];
        body.reset_forces(false);
        body.add_force(push * self.mass_kg, true);
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
        self.keep_sane();
    }

    /// Keeps position and speed finite and bounded.
    fn keep_sane(&mut self) {
        let (centre, velocity) = (self.centre(), self.velocity());
        if !(centre.is_finite() && velocity.is_finite()) {
            self.place(Vec3::Y, Vec3::ZERO);
        } else if velocity.length() > MOST_MPS {
            self.place(centre, velocity.clamp_length_max(MOST_MPS));
        }
    }
}
