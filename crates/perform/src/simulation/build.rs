//! Builds the bodies, colliders and joints of a world.

use glam::Vec3;
use nalgebra::Unit;
use rapier3d::prelude::*;

use super::{FeatureBody, STEPS_HZ, Simulation, SoftSurface};
use crate::geometry::Geometry;
use crate::rope::Rope;
use crate::world::World;

/// The radius of the character's collision sphere, relative to its height.
const COLLIDER_RADIUS: f32 = 0.07;

fn groups(membership: Group, filter: Group) -> InteractionGroups {
    InteractionGroups::new(membership, filter, InteractionTestMode::And)
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
        let sphere = ColliderBuilder::ball(COLLIDER_RADIUS * height_m).density(0.0).friction(0.6);
        let sphere = sphere.collision_groups(groups(Group::GROUP_2, Group::GROUP_1));
        colliders.insert_with_parent(sphere, character, &mut bodies);
        let mut feature_bodies = Vec::with_capacity(world.features.len());
        for feature in &world.features {
            let solid = |collider: ColliderBuilder| {
                collider.friction(0.6).collision_groups(groups(Group::GROUP_1, Group::GROUP_2))
            };
            let feature_body = match (&feature.geometry, feature.dynamics.surface) {
                _ if feature.dynamics.water.is_some() => FeatureBody::Fixed,
                (&Geometry::Box { min, max }, Some(surface)) => {
                    let top = (0.5 * (min + max)).with_y(max.y);
                    let body =
                        RigidBodyBuilder::dynamic().translation(top).lock_rotations().gravity_scale(0.0);
                    let body = bodies.insert(body.additional_mass(surface.mass_kg));
                    let half = 0.5 * (max - min);
                    let sheet = ColliderBuilder::cuboid(half.x, 0.005, half.z).density(0.0);
                    colliders.insert_with_parent(solid(sheet), body, &mut bodies);
                    let rail = PrismaticJointBuilder::new(Vec3::Y)
                        .local_anchor1(top)
                        .motor_position(0.0, surface.stiffness, surface.damping)
                        .motor_model(MotorModel::ForceBased);
                    joints.insert(ground, body, rail, true);
                    FeatureBody::SoftSurface(SoftSurface { body, rest_m: max.y })
                }
                (&Geometry::Box { min, max }, None) => {
                    let half = 0.5 * (max - min);
                    let block =
                        ColliderBuilder::cuboid(half.x, half.y, half.z).translation(0.5 * (min + max));
                    colliders.insert_with_parent(solid(block), ground, &mut bodies);
                    FeatureBody::Fixed
                }
                (&Geometry::Plane { at, normal }, _) => {
                    let plane = ColliderBuilder::halfspace(Unit::new_unchecked(normal.normalize_or(Vec3::Y)))
                        .translation(at);
                    colliders.insert_with_parent(solid(plane), ground, &mut bodies);
                    FeatureBody::Fixed
                }
                (&Geometry::Rope { top, length_m, links, .. }, _) => {
                    let kg = feature.dynamics.rope_kg_per_m * length_m / f32::from(links);
                    FeatureBody::Rope(Rope::hang(&mut bodies, &mut joints, ground, top, length_m, links, kg))
                }
                _ => FeatureBody::Fixed,
            };
            feature_bodies.push(feature_body);
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
            feature_bodies,
            geometries: world.features.iter().map(|feature| feature.geometry).collect(),
            mass_kg,
            gravity_mps2: world.gravity_mps2,
            holds: [None; 4],
        }
    }
}
