//! A body for what is not a person: a tapered rod for each bone.

use glam::Vec3;
use marey_motion::Skeleton;

use super::Rest;
use super::loft::{Station, limb};
use super::mesh::{Mesh, Weights};

/// Thickness of a rod at its joint, as a share of its length, and bounds on it as shares of the figure's size.
const THICKNESS: f32 = 0.12;
const BOUNDS: [f32; 2] = [0.009, 0.03];

/// Bones shorter than this share of the figure's size are not shown.
const SHORTEST: f32 = 1e-3;

/// A rod for every bone.
pub(super) fn build(rest: &Rest<'_>, mesh: &mut Mesh) {
    let size_m = size_m(rest);
    for (joint, end) in bones(rest) {
        rod(rest, joint, end, size_m, mesh);
    }
}

/// How large a figure is.
pub(super) fn size_m(rest: &Rest<'_>) -> f32 {
    let points = || rest.positions.iter().copied().chain(rest.tips.iter().map(|(_, at)| *at));
    let low = points().reduce(Vec3::min).unwrap_or_default();
    let high = points().reduce(Vec3::max).unwrap_or_default();
    low.distance(high)
}

/// Every bone: the joint it hangs from, and its end.
pub(super) fn bones(rest: &Rest<'_>) -> Vec<(usize, Vec3)> {
    let skeleton: &Skeleton = rest.skeleton;
    let of_joint = |(joint, data): (usize, &marey_motion::Joint)| Some((data.parent?, rest.at(joint)));
    let joints = skeleton.joints().iter().enumerate().filter_map(of_joint);
    joints.chain(rest.tips.iter().copied()).collect()
}

/// One rod.
pub(super) fn rod(rest: &Rest<'_>, joint: usize, end: Vec3, size_m: f32, mesh: &mut Mesh) {
    let start = rest.at(joint);
    let length_m = start.distance(end);
    let is_far = length_m > SHORTEST * size_m && length_m > 1e-6 && length_m < 1e6;
    if !is_far {
        return;
    }
    let [thin, thick] = BOUNDS.map(|share| share * size_m);
    let radius_m = (THICKNESS * length_m).clamp(thin, thick).min(0.4 * length_m);
    let weights = Weights::all(joint);
    let station = |share: f32, thickness: f32| {
        let radius_m = radius_m * thickness;
        Station { at: start.lerp(end, share), radii_m: [radius_m, radius_m], weights }
    };
    limb(
        mesh,
        &[station(0.0, 0.7), station(0.15, 1.0), station(1.0, 0.45)],
        (end - start).any_orthogonal_vector(),
    );
}
