//! A body without roles: a thin stick for every bone, a dot for every joint.

use glam::Vec3;
use marey_motion::{Clip, Role, Side, Skeleton, WorldPose};

use crate::figure::Point;
use crate::solid::{Ball, Solid};
use crate::theme::Cloth;

/// Radius of a stick as a share of the figure's size.
const STICK_SHARE: f32 = 0.009;
/// Radius of a dot as a share of the figure's size.
const DOT_SHARE: f32 = 0.016;

/// Sizes and colours of sticks and dots.
#[derive(Debug, Clone)]
pub(crate) struct Sticks {
    cloths: Vec<Cloth>,
    size_m: f32,
}

impl Sticks {
    pub(crate) fn of(clip: &Clip, actor: usize) -> Sticks {
        let pose = WorldPose::of(clip.skeleton(), clip.pose(0));
        Sticks { cloths: cloths(clip.skeleton(), actor), size_m: size_m(&pose) }
    }

    pub(crate) fn build(&self, pose: &WorldPose, solids: &mut Vec<Solid>) {
        for point in Point::all(pose) {
            let Some(parent) = point.parent(pose) else { continue };
            if point.bone_m(pose) > 1e-3 * self.size_m {
                solids.push(stick(pose, point, STICK_SHARE * self.size_m, self.cloths[parent]));
            }
        }
        let radius_m = DOT_SHARE * self.size_m;
        for &at in &pose.positions {
            solids.push(Solid::hull(vec![Ball::new(at, radius_m)], Cloth::Dot).lifted(2.0 * radius_m));
        }
    }
}

/// A stick along the bone that ends at a point.
pub(crate) fn stick(pose: &WorldPose, end: Point, radius_m: f32, cloth: Cloth) -> Solid {
    let to = end.at(pose);
    let from = end.parent(pose).map_or(to, |parent| pose.positions[parent]);
    Solid::capsule(Ball::new(from, radius_m), Ball::new(to, radius_m), cloth)
}

/// The colour of the bones below each joint: that of the nearest side above.
fn cloths(skeleton: &Skeleton, actor: usize) -> Vec<Cloth> {
    let mut cloths: Vec<Cloth> = Vec::with_capacity(skeleton.len());
    for joint in skeleton.joints() {
        let inherited = joint.parent.map_or(Cloth::Torso(actor), |parent| cloths[parent]);
        cloths.push(match joint.role.and_then(Role::side) {
            Some(side) => cloth_of(side),
            None => inherited,
        });
    }
    cloths
}

/// The colour of a side's limbs.
pub(crate) fn cloth_of(side: Side) -> Cloth {
    match side {
        Side::Left => Cloth::Left,
        Side::Right => Cloth::Right,
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
