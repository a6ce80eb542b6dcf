//! Hands and feet.

use glam::Vec3;
use marey_motion::{Role, Side};

use super::human::Human;
use super::loft::{Ring, Station, limb, rounded};
use super::mesh::{Mesh, Weights};

/// The joints of each finger from the knuckle outwards; the thumb comes first.
const FINGERS: [[Role; 3]; 5] = [
    [Role::LeftThumbMetacarpal, Role::LeftThumbProximal, Role::LeftThumbDistal],
    [Role::LeftIndexProximal, Role::LeftIndexIntermediate, Role::LeftIndexDistal],
    [Role::LeftMiddleProximal, Role::LeftMiddleIntermediate, Role::LeftMiddleDistal],
    [Role::LeftRingProximal, Role::LeftRingIntermediate, Role::LeftRingDistal],
    [Role::LeftLittleProximal, Role::LeftLittleIntermediate, Role::LeftLittleDistal],
];

/// Adds a hand. It has fingers if the skeleton has joints for them; otherwise it is a mitten with a thumb.
pub(super) fn hand(human: &Human<'_>, side: Side, mesh: &mut Mesh) {
    let (Some((hand, wrist)), Some((_, elbow))) =
        (human.joint(Role::LeftHand.on(side)), human.joint(Role::LeftLowerArm.on(side)))
    else {
        return;
    };
    let s = human.stature_m;
    let knuckles: Vec<Vec3> =
        FINGERS.iter().skip(1).filter_map(|finger| Some(human.joint(finger.first()?.on(side))?.1)).collect();
    let has_fingers = knuckles.len() >= 3;
    let middle = knuckles.iter().copied().sum::<Vec3>() / knuckles.len().max(1) as f32;
    let along = if has_fingers { middle - wrist } else { wrist - elbow };
    let along = along.normalize_or((wrist - elbow).normalize_or(-human.axes.up));
    // The palm lies along its knuckles. Without knuckles: in both common rest poses the thumb points ahead.
    let across = match (knuckles.first(), knuckles.last()) {
        (Some(index), Some(little)) if has_fingers => *index - *little,
        _ => human.axes.ahead,
    };
    let across = (across - along * along.dot(across)).normalize_or(along.any_orthonormal_vector());
    let weights = Weights::all(hand);
    let length_m = if has_fingers { middle.distance(wrist) } else { 0.092 * s };
    let station = |fraction: f32, width: f32, depth: f32| Station {
        at: wrist + along * fraction * length_m,
        radii_m: [width * s, depth * s],
        weights,
    };
    if has_fingers {
        limb(
            mesh,
            &[station(0.0, 0.016, 0.0125), station(0.45, 0.024, 0.012), station(0.95, 0.025, 0.010)],
            across,
        );
        for finger in FINGERS {
            digit(human, finger.map(|role| role.on(side)), mesh);
        }
        return;
    }
    let mitten = [
        station(0.0, 0.016, 0.0125),
        station(0.25, 0.022, 0.012),
        station(0.5, 0.024, 0.011),
        station(0.8, 0.021, 0.0095),
        station(1.0, 0.015, 0.008),
    ];
    limb(mesh, &mitten, across);
    let thumb = |fraction: f32, out: f32, radius: f32| Station {
        at: wrist + along * fraction * length_m + across * out * s,
        radii_m: [radius * s, radius * s],
        weights,
    };
    limb(mesh, &[thumb(0.2, 0.012, 0.009), thumb(0.45, 0.026, 0.0085), thumb(0.68, 0.031, 0.0065)], across);
}

/// Adds a finger: a rod through its joints to its tip.
fn digit(human: &Human<'_>, roles: [Role; 3], mesh: &mut Mesh) {
    let joints: Vec<(usize, Vec3)> = roles.into_iter().filter_map(|role| human.joint(role)).collect();
    let Some(&(last, end)) = joints.last() else { return };
    let before = joints.iter().rev().nth(1);
    let tip = human.rest().tips.iter().find(|(parent, _)| *parent == last).map(|(_, tip)| *tip);
    let extrapolated = || before.map(|(_, before)| end + (end - *before) * 0.8);
    let Some(tip) = tip.filter(|tip| tip.distance(end) > 0.002 * human.stature_m).or_else(extrapolated)
    else {
        return;
    };
    let mut stations = Vec::new();
    let radii_m = [0.0062, 0.0058, 0.0054, 0.0046].map(|radius| radius * human.stature_m);
    let mut above = joints.first().map_or(last, |(joint, _)| *joint);
    for ((joint, at), radius_m) in joints.iter().zip(radii_m) {
        let weights = Weights::between(above, *joint, 0.5);
        stations.push(Station { at: *at, radii_m: [radius_m; 2], weights });
        above = *joint;
    }
    stations.push(Station { at: tip, radii_m: [radii_m[3]; 2], weights: Weights::all(last) });
    limb(mesh, &stations, human.axes.ahead);
}

/// Adds a foot with a flat sole. It bends at the ball if the skeleton has a toe joint.
pub(super) fn foot(human: &Human<'_>, side: Side, mesh: &mut Mesh) {
    let Some((foot, ankle)) = human.joint(Role::LeftFoot.on(side)) else { return };
    let (s, up) = (human.stature_m, Vec3::Y);
    let ball = human.joint(Role::LeftToes.on(side));
    let level = |v: Vec3| Vec3::new(v.x, 0.0, v.z);
    let points: Vec<Vec3> = human.rest().points_under(foot).collect();
    let far = points.iter().map(|at| level(*at - ankle)).max_by(|a, b| a.length().total_cmp(&b.length()));
    let along = far.filter(|far| far.length() > 0.03 * s).unwrap_or(level(human.axes.ahead));
    let along = along.normalize_or(Vec3::Z);
    let side = along.cross(up);
    let reach_m = points.iter().map(|at| (*at - ankle).dot(along)).fold(0.0, f32::max);
    let lowest_m = points.iter().map(|at| at.y).fold(ankle.y, f32::min);
    let sole_m =
        if ankle.y - lowest_m < 0.015 * s { ankle.y - 0.039 * s } else { lowest_m.max(ankle.y - 0.08 * s) };
    let toe_m = reach_m.clamp(0.10 * s, 0.16 * s).max(0.108 * s);
    let heel_m = -0.032 * s;
    let ball_m = ball.map_or(0.7 * toe_m, |(_, at)| (at - ankle).dot(along).clamp(0.4 * toe_m, 0.85 * toe_m));
    let height_m = ankle.y - sole_m;
    // Each ring: distance ahead of the ankle, half width as a fraction of the stature, height above the sole.
    let rings = [
        (heel_m, 0.016, 0.55 * height_m),
        (heel_m * 0.55, 0.021, 0.95 * height_m),
        (0.0, 0.0225, height_m + 0.004 * s),
        (0.35 * ball_m, 0.023, 0.80 * height_m),
        (0.75 * ball_m, 0.026, 0.60 * height_m),
        (ball_m, 0.028, 0.50 * height_m),
        (ball_m + 0.45 * (toe_m - ball_m), 0.026, 0.42 * height_m),
        (ball_m + 0.85 * (toe_m - ball_m), 0.019, 0.36 * height_m),
    ];
    let ring = |(ahead_m, width, height_above_sole_m): (f32, f32, f32)| {
        let edge_m = 0.35 * height_above_sole_m;
        let at = level(ankle) + up * (sole_m + edge_m) + along * ahead_m;
        let fraction = (ahead_m - 0.75 * ball_m) / (0.5 * ball_m);
        let weights = ball.map_or(Weights::all(foot), |(toes, _)| Weights::between(foot, toes, fraction));
        let (up, down) = (up * (height_above_sole_m - edge_m), up * -edge_m);
        Ring { at, side: side * width * s, up, down, weights }
    };
    rounded(mesh, &rings.map(ring), 0.8);
}
