//! A body without roles: a thin stick for every bone, a dot for every joint.

use glam::Vec3;
use marey_motion::{Clip, Role, Side, Skeleton, WorldPose};

use crate::figure::Point;
use crate::solid::{Ball, Solid};
use crate::theme::Material;

/// Radius of a stick as a fraction of the figure's size.
const STICK_RADIUS: f32 = 0.009;
/// Radius of a dot as a fraction of the figure's size.
const DOT_RADIUS: f32 = 0.016;

/// Sizes and colours of sticks and dots.
#[derive(Debug, Clone)]
pub(crate) struct StickFigure {
    materials: Vec<Material>,
    size_m: f32,
}

impl StickFigure {
    pub(crate) fn of(clip: &Clip, actor: usize) -> StickFigure {
        let pose = WorldPose::of(clip.skeleton(), clip.pose(0));
        StickFigure { materials: materials(clip.skeleton(), actor), size_m: size_m(&pose) }
    }

    pub(crate) fn build(&self, pose: &WorldPose, solids: &mut Vec<Solid>) {
        for point in Point::all(pose) {
            let Some(parent) = point.parent(pose) else { continue };
            if point.bone_m(pose) > 1e-3 * self.size_m {
                solids.push(stick(pose, point, STICK_RADIUS * self.size_m, self.materials[parent]));
            }
        }
        let radius_m = DOT_RADIUS * self.size_m;
        for &at in &pose.positions {
            solids.push(Solid::hull(vec![Ball::new(at, radius_m)], Material::Dot).lifted(2.0 * radius_m));
        }
    }
}

/// A stick along the bone that ends at a point.
pub(crate) fn stick(pose: &WorldPose, end: Point, radius_m: f32, material: Material) -> Solid {
    let to = end.at(pose);
    let from = end.parent(pose).map_or(to, |parent| pose.positions[parent]);
    Solid::capsule(Ball::new(from, radius_m), Ball::new(to, radius_m), material)
}

/// The colour of the bones below each joint: that of the nearest side above.
fn materials(skeleton: &Skeleton, actor: usize) -> Vec<Material> {
    let mut materials: Vec<Material> = Vec::with_capacity(skeleton.len());
    for joint in skeleton.joints() {
        let inherited = joint.parent.map_or(Material::Torso(actor), |parent| materials[parent]);
        materials.push(match joint.role.and_then(Role::side) {
            Some(side) => side_material(side),
            None => inherited,
        });
    }
    materials
}

/// The colour of a side's limbs.
pub(crate) fn side_material(side: Side) -> Material {
    match side {
        Side::Left => Material::Left,
        Side::Right => Material::Right,
    }
}

/// The diagonal of the box around a pose; one metre for a figure without size.
fn size_m(pose: &WorldPose) -> f32 {
    let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    for point in Point::all(pose) {
        (low, high) = (low.min(point.at(pose)), high.max(point.at(pose)));
    }
    let size_m = low.distance(high);
    if size_m > 1e-4 { size_m } else { 1.0 }
}
