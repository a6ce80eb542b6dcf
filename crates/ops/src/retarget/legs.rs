//! Legs of the target that place its feet like those of the source.

use glam::{Quat, Vec3};
use marey_motion::{Role, Side, Skeleton, smoothstep};

use super::RetargetSettings;
use super::feet::{Feet, Foot, SoleAt, Soles};
use super::figure::Figure;
use super::solver::Place;
use crate::ik::{self, Limb, two_bone};
use crate::leg::LegGeometry;
use crate::sole::{SolePart, SolePoint};

/// Both legs of the target, and the soles of the source that they follow.
#[derive(Debug)]
pub(super) struct Legs {
    skeleton: Skeleton,
    sides: [Leg; 2],
    soles: [Soles; 2],
    /// Length of the source's feet from heel to ball, at rest and along the ground, in metres.
    source_foot_m: [f32; 2],
    fold: ik::IkSettings,
    easing_secs: f64,
}

/// One leg of the target.
#[derive(Debug)]
struct Leg {
    upper: usize,
    lower: usize,
    foot: usize,
    /// Descendants of the upper joint, the knee and the ankle, grouped by the nearest of them.
    follow: [Vec<usize>; 3],
    /// Heel and ball in the frame of the foot.
    heel: Vec3,
    ball: Vec3,
    /// Their height over the lowest point of the foot at rest, in metres.
    rest_m: [f32; 2],
    /// Length from heel to ball along the ground at rest, in metres.
    foot_m: f32,
    /// Forward direction in the frame of the upper joint.
    front: Vec3,
    /// Largest distance of the ankle from the upper joint, in metres.
    reach_m: f32,
}

/// The wanted world rotation and ankle position of a foot.
#[derive(Debug, Clone, Copy)]
struct Stand {
    pitch: Quat,
    ankle: Vec3,
    /// Height of the lower of heel and ball over where it stands, in metres.
    clearance_m: f32,
}

/// Heights over the floor, in metres, between which a foot changes from standing to free.
const NEAR_FLOOR_M: (f32, f32) = (0.03, 0.15);
/// Height difference of heel and ball, in metres, over which the weight shifts from one to the other.
const ROLL_M: f32 = 0.03;

/// Horizontal part of a sole of length 1 below which it is steep.
const STEEP: f32 = 0.5;

/// Distance of a knee from the line between hip and ankle, in metres, from which the knee alone determines its direction.
const BENT_M: f32 = 0.04;

impl Legs {
    /// `None` if one of the bodies lacks complete legs with feet.
    pub(super) fn new(source: &Skeleton, target: &Skeleton, settings: &RetargetSettings) -> Option<Self> {
        let fold = ik::IkSettings { min_fold_rad: settings.min_knee_rad, ..ik::IkSettings::default() };
        let [left, right] = Side::BOTH.map(|side| Leg::of(target, side, &fold));
        let sides = [left?, right?];
        let [left, right] = Side::BOTH.map(|side| Sole::of(source, side));
        let sources = [left?, right?];
        Some(Self {
            skeleton: target.clone(),
            sides,
            soles: [0, 1].map(|i| sources[i].points),
            source_foot_m: [0, 1].map(|i| sources[i].foot_m),
            fold,
            easing_secs: settings.easing_secs,
        })
    }

    pub(super) fn soles(&self) -> [Soles; 2] {
        self.soles
    }

    /// Places the feet of a motion like those of the source.
    pub(super) fn stand(&self, figures: &mut [Figure], feet: &Feet, place: Place, rate_hz: f64) {
        let wanted: Vec<[Stand; 2]> = figures
            .iter()
            .enumerate()
            .map(|(frame, figure)| [0, 1].map(|i| self.wanted(i, figure, &feet.sides[i], frame, place)))
            .collect();
        let needs: Vec<f32> =
            figures.iter().zip(&wanted).map(|(figure, feet)| self.drop(figure, feet)).collect();
        let drops = eased(&needs, (self.easing_secs * rate_hz).round() as usize);
        for ((figure, wanted), drop) in figures.iter_mut().zip(&wanted).zip(drops) {
            figure.hips.y -= drop;
            for (leg, stand) in self.sides.iter().zip(wanted) {
                leg.reach(&self.skeleton, figure, stand, &self.fold);
            }
        }
    }

    /// The wanted foot in a frame.
    fn wanted(&self, side: usize, figure: &Figure, foot: &Foot, frame: usize, place: Place) -> Stand {
        let leg = &self.sides[side];
        let (heel, ball) = (foot.heel[frame], foot.ball[frame]);
        let rotation = figure.rotations[leg.foot];
        let height = |sole: SoleAt, rest_m: f32| place.floor_m + rest_m + place.scale * sole.clearance_m;
        let heights = [height(heel, leg.rest_m[0]), height(ball, leg.rest_m[1])];
        let lower = heel.clearance_m.min(ball.clearance_m) * place.scale;
        let near = 1.0 - airborne(lower);
        let pitch = leg.pitch(rotation, heights[1] - heights[0], near);
        let turned = pitch * rotation;

        let along = ahead(turned * (leg.ball - leg.heel));
        let longer_m = leg.foot_m - place.travel * self.source_foot_m[side];
        let by_heel = place.of(heel.place) - turned * leg.heel;
        let by_ball = place.of(ball.place) + along * longer_m - turned * leg.ball;
        let on_ball = smoothstep((heel.clearance_m - ball.clearance_m) / ROLL_M);
        let over = by_heel.lerp(by_ball, on_ball);
        let ankle_height = [heights[0] - (turned * leg.heel).y, heights[1] - (turned * leg.ball).y];
        let ankle = over.with_y(ankle_height[0] + on_ball * (ankle_height[1] - ankle_height[0]));
        Stand { pitch, ankle, clearance_m: lower }
    }

    /// The distance by which the hips must move down so that the legs reach standing feet.
    fn drop(&self, figure: &Figure, feet: &[Stand; 2]) -> f32 {
        let need = |(leg, stand): (&Leg, &Stand)| {
            let top = figure.position(&self.skeleton, leg.upper);
            let away = (stand.ankle - top).with_y(0.0).length();
            let below = (leg.reach_m * leg.reach_m - away * away).max(0.0).sqrt();
            let stands = 1.0 - airborne(stand.clearance_m);
            stands * (top.y - stand.ankle.y - below)
        };
        self.sides.iter().zip(feet).map(need).fold(0.0, f32::max)
    }
}

/// The sole of one foot at rest.
struct Sole {
    points: Soles,
    /// In the frame of the foot.
    heel: Vec3,
    ball: Vec3,
    foot_m: f32,
}

impl Sole {
    fn of(skeleton: &Skeleton, side: Side) -> Option<Self> {
        let point = |part: SolePart| {
            SolePoint::all(skeleton).into_iter().find(|point| point.side == side && point.part == part)
        };
        let (heel, ball) = (point(SolePart::Heel)?, point(SolePart::Ball)?);
        let foot = skeleton.joint_of(Role::LeftFoot.on(side))?;
        let (at, turns) = (skeleton.rest_positions(), skeleton.rest_world_rotations());
        let places = [heel, ball].map(|point| point.at(&at, &turns));
        let ankle_rest_m = at[foot].y - places[0].y + heel.rest_m();
        let points = Soles { heel, ball, ankle: foot, ankle_rest_m };
        let [heel, ball] = places.map(|place| turns[foot].inverse() * (place - at[foot]));
        let foot_m = (places[1] - places[0]).with_y(0.0).length();
        Some(Self { points, heel, ball, foot_m })
    }
}

impl Leg {
    fn of(skeleton: &Skeleton, side: Side, fold: &ik::IkSettings) -> Option<Self> {
        let leg = LegGeometry::of(skeleton, side)?;
        let sole = Sole::of(skeleton, side)?;
        let LegGeometry { upper, lower, foot, .. } = leg;
        let is_under = |joint, top| skeleton.is_under(joint, top);
        let below: Vec<usize> = (upper + 1..skeleton.len()).filter(|&j| is_under(j, upper)).collect();
        let group = |joint| usize::from(is_under(joint, lower)) + usize::from(is_under(joint, foot));
        let follow = [0, 1, 2].map(|g| below.iter().copied().filter(|&joint| group(joint) == g).collect());
        Some(Self {
            upper,
            lower,
            foot,
            follow,
            heel: sole.heel,
            ball: sole.ball,
            rest_m: [sole.points.heel.rest_m(), sole.points.ball.rest_m()],
            foot_m: sole.foot_m,
            front: leg.front,
            reach_m: leg.reach_m(fold.min_fold_rad),
        })
    }

    /// The rotation that raises the ball over the heel by `rise_m`, or a share of it.
    fn pitch(&self, rotation: Quat, rise_m: f32, share: f32) -> Quat {
        let sole = rotation * (self.ball - self.heel);
        let (length, ahead) = (sole.length(), ahead(sole));
        let Some(axis) = ahead.cross(Vec3::Y).try_normalize().filter(|_| length > 1e-4) else {
            return Quat::IDENTITY;
        };
        let angle = |rise: f32| (rise / length).clamp(-0.99, 0.99).asin();
        Quat::from_axis_angle(axis, share * ahead.length() * (angle(rise_m) - angle(sole.y)))
    }

    /// Bends the leg so that its foot reaches the wanted position and rotation.
    fn reach(&self, skeleton: &Skeleton, figure: &mut Figure, stand: &Stand, fold: &ik::IkSettings) {
        let front = figure.rotations[self.upper] * self.front;
        let [root, middle, end] =
            [self.upper, self.lower, self.foot].map(|joint| figure.position(skeleton, joint));
        let limb = Limb { root, middle, end, front };
        // The knee keeps its direction: thighs of many rigs do not rest with their front ahead.
        let front = limb.fold_direction(BENT_M);
        let bent = two_bone(&Limb { front, ..limb }, stand.ankle, front, fold);
        let turns = [bent.upper_turn, bent.lower_turn, stand.pitch];
        figure.rotations[self.upper] = (turns[0] * figure.rotations[self.upper]).normalize();
        for (joints, turn) in self.follow.iter().zip(turns) {
            for &joint in joints {
                figure.rotations[joint] = (turn * figure.rotations[joint]).normalize();
            }
        }
    }
}

/// The horizontal direction of a sole, shorter than 1 if the sole is steep: past the vertical it points the other way, without
/// a jump.
fn ahead(sole: Vec3) -> Vec3 {
    let level = sole.normalize_or_zero().with_y(0.0);
    level / level.length().max(STEEP)
}

/// 0 for a foot on the floor, 1 for a free one, by its height over the floor.
fn airborne(clearance_m: f32) -> f32 {
    let (low, high) = NEAR_FLOOR_M;
    smoothstep((clearance_m - low) / (high - low))
}

/// A smooth upper bound: the running maximum of the needs, averaged over the same window.
fn eased(needs: &[f32], reach: usize) -> Vec<f32> {
    let around = |i: usize| i.saturating_sub(reach)..(i + reach + 1).min(needs.len());
    let highest: Vec<f32> =
        (0..needs.len()).map(|i| needs[around(i)].iter().copied().fold(0.0, f32::max)).collect();
    let weight = |k: usize| {
        let t = k as f32 / (reach + 1) as f32;
        (1.0 - t * t) * (1.0 - t * t)
    };
    let mean = |i: usize| {
        let (mut sum, mut total) = (0.0, 0.0);
        for k in around(i) {
            let weight = weight(k.abs_diff(i));
            sum += weight * highest[k];
            total += weight;
        }
        sum / total
    };
    (0..needs.len()).map(mean).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn hips_come_down_at_least_as_far_as_needed(
            needs in proptest::collection::vec(0f32..0.2, 1..60), reach in 0usize..12,
        ) {
            let drops = eased(&needs, reach);
            for (drop, need) in drops.iter().zip(&needs) {
                prop_assert!(*drop >= need - 1e-6);
            }
        }
    }
}
