//! The physical world: rapier3d's rigid bodies, joints and collisions, at a fixed step, single-threaded, so that the same steps
//! give the same bits.
//!
//! The character is one body without rotation of its own: its centre of mass (section 5). What it collides with stops its middle;
//! limbs are kept out of solids when it is posed. Each hold is a joint with a damped spring and a longest reach; on bars, floors
//! and rocks it ends at the ground that nothing moves, on ropes at a link, on a trampoline at the surface.

use glam::Vec3;
use nalgebra::Unit;
use rapier3d::prelude::*;

use crate::contact::{Wish, joint_acceleration};
use crate::dynamics::Dynamics;
use crate::geometry::{Geometry, Nearest};
use crate::rope::Rope;
use crate::world::World;

// rapier's `enhanced-determinism` would make glam scalar, and so slow every room down: the vectors' alignment tells.
#[cfg(target_feature = "sse2")]
const _: () = assert!(align_of::<marey_motion::Quat>() == 16);

/// Steps a second.
pub(crate) const STEPS_HZ: f32 = 120.0;
/// The character's middle, for collisions, over the height of its body.
const MIDDLE: f32 = 0.07;
/// Nothing goes faster, in metres a second.
const MOST_MPS: f32 = 40.0;

/// No limb pushes or pulls a kilogram of the body harder, in m/s².
const MOST_STRENGTH: f32 = 45.0;

/// What a hold does along its line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Line {
    /// Pushes and pulls, as an arm does.
    Both,
    /// Pushes only, as a leg that stands.
    Push,
    /// Pulls only, as a web.
    Pull,
}

/// A hold of one end of a limb.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Hold {
    pub(crate) feature: usize,
    joint: ImpulseJointHandle,
    /// Keeps a rope from stretching under the weight.
    guard: Option<ImpulseJointHandle>,
    anchor: RigidBodyHandle,
    /// In the frame of the anchor.
    local: Vec3,
    line: Line,
    gains: Dynamics,
    /// How far the centre of mass may be from it, where it pulls.
    pub(crate) reach_m: f32,
    /// What the performer wishes, at the end of the last frame and of this one.
    pub(crate) wishes: [Wish; 2],
}

/// A surface that gives way.
#[derive(Debug, Clone, Copy)]
struct Mat {
    body: RigidBodyHandle,
    rest_m: f32,
}

/// What a feature is in the physical world.
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

fn groups(own: Group, meets: Group) -> InteractionGroups {
    InteractionGroups::new(own, meets, InteractionTestMode::And)
}

impl Simulation {
    pub(crate) fn new(world: &World, mass_kg: f32, height_m: f32, centre: Vec3) -> Self {
        let parameters = IntegrationParameters {
            dt: 1.0 / STEPS_HZ,
            num_solver_iterations: 6,
            ..IntegrationParameters::default()
        };
        let mut bodies = RigidBodySet::new();
        let mut colliders = ColliderSet::new();
        let mut joints = ImpulseJointSet::new();
        let ground = bodies.insert(RigidBodyBuilder::fixed());
        let character = RigidBodyBuilder::dynamic().translation(centre).lock_rotations().can_sleep(false);
        let character = bodies.insert(character.additional_mass(mass_kg).ccd_enabled(true));
        let middle = ColliderBuilder::ball(MIDDLE * height_m).density(0.0).friction(0.6);
        let middle = middle.collision_groups(groups(Group::GROUP_2, Group::GROUP_1));
        colliders.insert_with_parent(middle, character, &mut bodies);
        let mut things = Vec::with_capacity(world.features.len());
        for feature in &world.features {
            let solid = |collider: ColliderBuilder| {
                collider.friction(0.6).collision_groups(groups(Group::GROUP_1, Group::GROUP_2))
            };
            let thing = match (&feature.geometry, feature.dynamics.surface) {
                _ if feature.dynamics.water.is_some() => Thing::Still,
                (&Geometry::Box { min, max }, Some(surface)) => {
                    let top = (0.5 * (min + max)).with_y(max.y);
                    let mat =
                        RigidBodyBuilder::dynamic().translation(top).lock_rotations().gravity_scale(0.0);
                    let mat = bodies.insert(mat.additional_mass(surface.mass_kg));
                    let half = 0.5 * (max - min);
                    let sheet = ColliderBuilder::cuboid(half.x, 0.005, half.z).density(0.0);
                    colliders.insert_with_parent(solid(sheet), mat, &mut bodies);
                    let rail = PrismaticJointBuilder::new(Vec3::Y)
                        .local_anchor1(top)
                        .motor_position(0.0, surface.stiffness, surface.damping)
                        .motor_model(MotorModel::ForceBased);
                    joints.insert(ground, mat, rail, true);
                    Thing::Mat(Mat { body: mat, rest_m: max.y })
                }
                (&Geometry::Box { min, max }, None) => {
                    let half = 0.5 * (max - min);
                    let block =
                        ColliderBuilder::cuboid(half.x, half.y, half.z).translation(0.5 * (min + max));
                    colliders.insert_with_parent(solid(block), ground, &mut bodies);
                    Thing::Still
                }
                (&Geometry::Plane { at, normal }, _) => {
                    let plane = ColliderBuilder::halfspace(Unit::new_unchecked(normal.normalize_or(Vec3::Y)))
                        .translation(at);
                    colliders.insert_with_parent(solid(plane), ground, &mut bodies);
                    Thing::Still
                }
                (&Geometry::Rope { top, length_m, links, .. }, _) => {
                    let kg = feature.dynamics.rope_kg_per_m * length_m / f32::from(links);
                    Thing::Rope(Rope::hang(&mut bodies, &mut joints, ground, top, length_m, links, kg))
                }
                _ => Thing::Still,
            };
            things.push(thing);
        }
        Self {
            pipeline: PhysicsPipeline::new(),
            parameters,
            islands: IslandManager::new(),
            broad_phase: DefaultBroadPhase::default(),
            narrow_phase: NarrowPhase::new(),
            bodies,
            colliders,
            joints,
            multibodies: MultibodyJointSet::new(),
            soft_bodies: SoftBodySet::new(),
            ccd: CCDSolver::new(),
            ground,
            character,
            things,
            geometries: world.features.iter().map(|feature| feature.geometry).collect(),
            mass_kg,
            gravity_mps2: world.gravity_mps2,
            holds: [None; 4],
        }
    }

    /// Where the centre of mass is.
    pub(crate) fn centre(&self) -> Vec3 {
        self.bodies[self.character].translation()
    }

    /// How fast it goes.
    pub(crate) fn velocity(&self) -> Vec3 {
        self.bodies[self.character].linvel()
    }

    /// Puts the character somewhere.
    pub(crate) fn place(&mut self, centre: Vec3, velocity: Vec3) {
        let body = &mut self.bodies[self.character];
        body.set_translation(centre, true);
        body.set_linvel(velocity, true);
    }

    /// Where a place is against a feature as it is now: ropes swing, surfaces give way.
    pub(crate) fn nearest(&self, feature: usize, place: Vec3) -> Nearest {
        match (&self.things[feature], self.geometry(feature)) {
            (Thing::Rope(rope), Geometry::Rope { radius_m, .. }) => {
                rope.nearest(&self.bodies, radius_m, place).1
            }
            (_, geometry) => geometry.nearest(place),
        }
    }

    /// The same for a foot, the centre of mass being where it is.
    pub(crate) fn nearest_to_foot(&self, feature: usize, place: Vec3) -> Nearest {
        match self.things[feature] {
            Thing::Rope(_) => self.nearest(feature, place),
            _ => self.geometry(feature).nearest_to_foot(place, self.centre()),
        }
    }

    /// The shape of a feature as it is now.
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

    /// The joints of a rope, from the top down, onto a list.
    pub(crate) fn rope_into(&self, feature: usize, points: &mut Vec<Vec3>) {
        if let Thing::Rope(rope) = &self.things[feature] {
            rope.points_into(&self.bodies, points);
        }
    }

    /// Takes hold of a feature at a place, for an end of a limb.
    pub(crate) fn hold(
        &mut self,
        slot: usize,
        feature: usize,
        place: Vec3,
        reach_m: f32,
        line: Line,
        gains: Dynamics,
    ) {
        self.release(slot);
        let (anchor, guard) = match &self.things[feature] {
            Thing::Still => (self.ground, None),
            Thing::Mat(mat) => (mat.body, None),
            Thing::Rope(rope) => {
                let (link, _) = rope.nearest(&self.bodies, 0.0, place);
                (rope.links[link], Some((rope.top, rope.along(link, &self.bodies, place))))
            }
        };
        let local = self.bodies[anchor].position().inverse_transform_point(place);
        let spring = GenericJointBuilder::new(JointAxesMask::empty())
            .coupled_axes(JointAxesMask::LIN_AXES)
            .motor_model(JointAxis::LinX, MotorModel::ForceBased)
            .local_anchor1(local)
            .contacts_enabled(line != Line::Push);
        let joint = self.joints.insert(anchor, self.character, spring.build(), true);
        let guard = guard.map(|(top, length_m)| {
            let rope = RopeJointBuilder::new(length_m.max(0.01)).local_anchor1(top).local_anchor2(local);
            self.joints.insert(self.ground, anchor, rope, true)
        });
        let wishes = [Wish::default(); 2];
        self.holds[slot] = Some(Hold { feature, joint, guard, anchor, local, line, gains, reach_m, wishes });
    }

    /// Lets go.
    pub(crate) fn release(&mut self, slot: usize) {
        if let Some(hold) = self.holds[slot].take() {
            for joint in [Some(hold.joint), hold.guard].into_iter().flatten() {
                self.joints.remove(joint, true);
            }
        }
    }

    /// Where a hold is.
    pub(crate) fn held(&self, slot: usize) -> Option<Vec3> {
        self.holds[slot].map(|hold| self.bodies[hold.anchor].position().transform_point(hold.local))
    }

    /// Goes on by one step: `share` says how far between the last and the next frame of the performer, `push` is an acceleration of
    /// its own, in m/s².
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
                push += joint_acceleration(r, rate, &wish, yaw_rad, &hold.gains, 1.0 / holding);
            }
            if let Some(joint) = self.joints.get_mut(hold.joint, false) {
                let (stiffness, damping) =
                    (self.mass_kg * hold.gains.stiffness, self.mass_kg * hold.gains.damping);
                if hold.line == Line::Both {
                    joint.data.set_limits(JointAxis::LinX, [0.0, hold.reach_m]);
                }
                joint.data.set_motor(JointAxis::LinX, length_m, growth_mps, stiffness, damping);
                // A motor without gains would be rigid: what is idle has no strength instead.
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

    /// Whatever happens, the character stays somewhere, at a speed that can be.
    fn keep_sane(&mut self) {
        let (centre, velocity) = (self.centre(), self.velocity());
        if !(centre.is_finite() && velocity.is_finite()) {
            self.place(Vec3::Y, Vec3::ZERO);
        } else if velocity.length() > MOST_MPS {
            self.place(centre, velocity.clamp_length_max(MOST_MPS));
        }
    }
}
