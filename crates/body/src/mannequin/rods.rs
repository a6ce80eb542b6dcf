//! The mesh of a figure that is not a person: a tapered rod for each bone.

use super::loft::{Station, limb};
use super::mesh::{Mesh, Weights};
use crate::RestSkeleton;
use glam::Vec3;

/// Thickness of a rod at its joint, as a fraction of its length, and bounds on it as fractions of the figure's size.
const THICKNESS: f32 = 0.12;
const BOUNDS: [f32; 2] = [0.009, 0.03];

/// Bones shorter than this fraction of the figure's size are left out.
const SHORTEST: f32 = 1e-3;

/// Adds a rod for each bone.
pub(super) fn build(rest: &RestSkeleton<'_>, mesh: &mut Mesh) {
    let size_m = rest.size_m();
    for (joint, end) in bones(rest) {
        rod(rest, joint, end, size_m, mesh);
    }
}

/// Each bone: the joint it starts from, and its end.
fn bones(rest: &RestSkeleton<'_>) -> Vec<(usize, Vec3)> {
    let bone = |(joint, data): (usize, &marey_motion::Joint)| Some((data.parent?, rest.at(joint)));
    let joints = rest.skeleton.joints().iter().enumerate().filter_map(bone);
    joints.chain(rest.tips.iter().copied()).collect()
}

/// Adds one rod.
pub(super) fn rod(rest: &RestSkeleton<'_>, joint: usize, end: Vec3, size_m: f32, mesh: &mut Mesh) {
    let start = rest.at(joint);
    let length_m = start.distance(end);
    let is_visible = length_m > SHORTEST * size_m && length_m > 1e-6 && length_m < 1e6;
    if !is_visible {
        return;
    }
    let [thin, thick] = BOUNDS.map(|fraction| fraction * size_m);
    let radius_m = (THICKNESS * length_m).clamp(thin, thick).min(0.4 * length_m);
    let weights = Weights::all(joint);
    let station = |fraction: f32, thickness: f32| {
        let radius_m = radius_m * thickness;
        Station { at: start.lerp(end, fraction), radii_m: [radius_m, radius_m], weights }
    };
    limb(
        mesh,
        &[station(0.0, 0.7), station(0.15, 1.0), station(1.0, 0.45)],
        (end - start).any_orthogonal_vector(),
    );
}
