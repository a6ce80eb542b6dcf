//! The lamp and its ground in a physical world: rigid bodies, joints and contacts of rapier2d, with one thread, so that the same steps
//! give the same bits.
//!
//! A world can be copied, and the copy behaves like the original. The planner uses this to look ahead.

use std::f32::consts::FRAC_PI_2;

use marey_motion::{Terrain, Vec2};
use rapier2d::prelude::*;

use super::lamp::{self, JointAngles, Posture};

// rapier's `enhanced-determinism` would disable SIMD in glam and slow down every crate.
#[cfg(target_feature = "sse2")]
const _: () = assert!(align_of::<marey_motion::Quat>() == 16);

/// Steps per second.
pub(super) const STEPS_HZ: f64 = 240.0;
/// Depth of the ground below its lowest point, in metres.
const GROUND_DEPTH_M: f32 = 1.0;
/// Distance below which two bodies touch, in metres.
const CONTACT_M: f32 = 0.001;
/// Friction coefficient of base and ground.
const FRICTION: f32 = 1.0;
/// Largest torque of a joint, in newton metres.
const MAX_TORQUE_NM: f32 = 12.0;

/// The gains of a joint motor.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct JointGains {
    /// Newton metres per radian.
    pub(super) stiffness: f32,
    /// Newton metre seconds per radian.
    pub(super) damping: f32,
}

/// The state of the simulation.
#[derive(Clone)]
pub(super) struct World {
    parameters: IntegrationParameters,
    islands: IslandManager,
    broad_phase: DefaultBroadPhase,
    narrow_phase: NarrowPhase,
    bodies: RigidBodySet,
    colliders: ColliderSet,
    impulse_joints: ImpulseJointSet,
    joints: MultibodyJointSet,
    soft_bodies: SoftBodySet,
    ccd: CCDSolver,
    base: RigidBodyHandle,
    lower_arm: RigidBodyHandle,
    upper_arm: RigidBodyHandle,
    ankle: Option<MultibodyJointHandle>,
    elbow: Option<MultibodyJointHandle>,
}

impl World {
    /// The lamp on a terrain, straight up, with the middle of the sole at a position.
    pub(super) fn new(terrain: &Terrain, sole: Vec2) -> Self {
        let parameters = IntegrationParameters {
            dt: (1.0 / STEPS_HZ) as f32,
            length_unit: 0.1,
            // Contacts are predicted 2 cm ahead, more than a link moves in a step, so that no link penetrates the ground.
            normalized_prediction_distance: 0.2,
            num_solver_iterations: 8,
            ..IntegrationParameters::default()
        };
        let mut bodies = RigidBodySet::new();
        let mut colliders = ColliderSet::new();
        let ground = bodies.insert(RigidBodyBuilder::fixed());
        let bottom = terrain.lowest_m() - GROUND_DEPTH_M;
        for [from, to] in terrain.segments() {
            let block = [Vec2::new(from.x, bottom), Vec2::new(to.x, bottom), to, from];
            if let Some(block) = ColliderBuilder::convex_hull(&block) {
                let groups = InteractionGroups::new(Group::GROUP_1, Group::GROUP_2, InteractionTestMode::And);
                let block = block.friction(FRICTION).collision_groups(groups);
                colliders.insert_with_parent(block, ground, &mut bodies);
            }
        }
        let mut links = LinkBuilder { bodies: &mut bodies, colliders: &mut colliders };
        let ankle_at = sole + Vec2::Y * lamp::BASE_HEIGHT_M;
        let base = links.base(sole);
        let lower_arm = links.lower_arm(ankle_at);
        let upper_arm = links.upper_arm(ankle_at + Vec2::Y * lamp::LOWER_ARM_M);
        let mut joints = MultibodyJointSet::new();
        let joint = |at: Vec2| RevoluteJointBuilder::new().local_anchor1(at).contacts_enabled(false);
        let ankle = joint(Vec2::Y * lamp::BASE_HEIGHT_M);
        let ankle = joints.insert(base, lower_arm, ankle, true);
        let elbow = joints.insert(lower_arm, upper_arm, joint(Vec2::Y * lamp::LOWER_ARM_M), true);
        Self {
            parameters,
            islands: IslandManager::new(),
            broad_phase: DefaultBroadPhase::default(),
            narrow_phase: NarrowPhase::new(),
            bodies,
            colliders,
            impulse_joints: ImpulseJointSet::new(),
            joints,
            soft_bodies: SoftBodySet::new(),
            ccd: CCDSolver::new(),
            base,
            lower_arm,
            upper_arm,
            ankle,
            elbow,
        }
    }

    /// Advances the simulation by one step with target angles of the joints.
    pub(super) fn step(&mut self, pipeline: &mut PhysicsPipeline, target: JointAngles, gains: JointGains) {
        for (joint, angle) in [(self.ankle, target.ankle), (self.elbow, target.elbow)] {
            let link = joint.and_then(|joint| self.joints.get_mut(joint));
            if let Some(link) = link.and_then(|(body, id)| body.link_mut(id)) {
                let motor = &mut link.joint.data;
                motor.set_motor_model(JointAxis::AngX, MotorModel::ForceBased);
                motor.set_motor_position(JointAxis::AngX, angle, gains.stiffness, gains.damping);
                motor.set_motor_max_force(JointAxis::AngX, MAX_TORQUE_NM);
            }
        }
        pipeline.step(
            Vec2::Y * -9.81,
            &self.parameters,
            &mut self.islands,
            &mut self.broad_phase,
            &mut self.narrow_phase,
            &mut self.bodies,
            &mut self.colliders,
            &mut self.impulse_joints,
            &mut self.joints,
            &mut self.soft_bodies,
            &mut self.ccd,
            &(),
            &(),
        );
    }

    /// The current posture.
    pub(super) fn posture(&self) -> Posture {
        let base = &self.bodies[self.base];
        let angle = |link: RigidBodyHandle| self.bodies[link].rotation().angle();
        let tilt = angle(self.base);
        let ankle = wrapped(angle(self.lower_arm) - tilt);
        let elbow = wrapped(angle(self.upper_arm) - angle(self.lower_arm));
        Posture { sole: base.translation(), tilt, angles: JointAngles { ankle, elbow } }
    }

    /// The world angle of the lower arm.
    pub(super) fn lower_arm_rad(&self) -> f32 {
        self.bodies[self.lower_arm].rotation().angle()
    }

    /// Whether the base touches the ground.
    pub(super) fn is_on_ground(&self) -> bool {
        self.touches(self.base)
    }

    /// Whether an arm or the head touches the ground.
    pub(super) fn is_lying(&self) -> bool {
        self.touches(self.lower_arm) || self.touches(self.upper_arm)
    }

    fn touches(&self, link: RigidBodyHandle) -> bool {
        let pairs = self.bodies[link]
            .colliders()
            .iter()
            .flat_map(|&shape| self.narrow_phase.contact_pairs_with(shape));
        // Predicted contacts do not count.
        pairs.filter_map(|pair| pair.find_deepest_contact()).any(|(_, contact)| contact.dist < CONTACT_M)
    }

    /// The largest linear speed, or angular speed in radians per second, of any link.
    pub(super) fn max_speed(&self) -> f32 {
        let links = [self.base, self.lower_arm, self.upper_arm].map(|link| &self.bodies[link]);
        links.iter().map(|body| body.linvel().length().max(0.3 * body.angvel().abs())).fold(0.0, f32::max)
    }
}

/// An angle between −π and π.
fn wrapped(angle_rad: f32) -> f32 {
    angle_rad.sin().atan2(angle_rad.cos())
}

/// Adds links to a world.
struct LinkBuilder<'a> {
    bodies: &'a mut RigidBodySet,
    colliders: &'a mut ColliderSet,
}

impl LinkBuilder<'_> {
    fn base(&mut self, sole: Vec2) -> RigidBodyHandle {
        let half = 0.5 * lamp::BASE_HEIGHT_M;
        let block = ColliderBuilder::cuboid(lamp::BASE_HALF_M, half).mass(lamp::BASE_KG);
        self.link(sole, vec![block.translation(Vec2::Y * half)])
    }

    fn lower_arm(&mut self, ankle: Vec2) -> RigidBodyHandle {
        self.link(ankle, vec![arm(lamp::LOWER_ARM_M, lamp::LOWER_ARM_KG)])
    }

    fn upper_arm(&mut self, elbow: Vec2) -> RigidBodyHandle {
        let shade = Vec2::from_angle(lamp::HEAD_RAD + FRAC_PI_2) * lamp::SHADE_M;
        let head = ColliderBuilder::ball(lamp::SHADE_RADIUS_M).mass(lamp::HEAD_KG);
        let head = head.translation(Vec2::Y * lamp::UPPER_ARM_M + shade);
        self.link(elbow, vec![arm(lamp::UPPER_ARM_M, lamp::UPPER_ARM_KG), head])
    }

    fn link(&mut self, at: Vec2, shapes: Vec<ColliderBuilder>) -> RigidBodyHandle {
        let body = RigidBodyBuilder::dynamic().translation(at).can_sleep(false);
        let body = self.bodies.insert(body);
        // Links collide with the ground, not with each other.
        let groups = InteractionGroups::new(Group::GROUP_2, Group::GROUP_1, InteractionTestMode::And);
        for shape in shapes {
            let shape = shape.friction(FRICTION).collision_groups(groups);
            self.colliders.insert_with_parent(shape, body, self.bodies);
        }
        body
    }
}

fn arm(length_m: f32, kg: f32) -> ColliderBuilder {
    let ends = [lamp::ARM_RADIUS_M, length_m].map(|up| Vec2::Y * up);
    ColliderBuilder::capsule_from_endpoints(ends[0], ends[1], lamp::ARM_RADIUS_M).mass(kg)
}
