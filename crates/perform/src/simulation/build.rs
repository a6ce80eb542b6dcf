//! A world as bodies, colliders and joints of the physics engine.

use glam::Vec3;
use nalgebra::Unit;
use rapier3d::prelude::*;

use super::{Mat, STEPS_HZ, Simulation, Thing};
use crate::geometry::Geometry;
use crate::rope::Rope;
use crate::world::World;

/// The radius of the character's collision sphere, relative to its height.
const MIDDLE: f32 = 0.07;

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
}
