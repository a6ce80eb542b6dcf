//! Legs that put their feet where the source's are.

use glam::{Quat, Vec3};
use marey_motion::{Role, Side, Skeleton};

use super::feet::{Feet, Foot, SoleAt, Soles};
use super::{Figure, Place, Settings};
use crate::ik::{self, Limb, two_bone};
use crate::sole::{Part, SolePoint};

/// Both legs of the target, and the soles of the source that they follow.
#[derive(Debug)]
pub(super) struct Legs {
    skeleton: Skeleton,
    sides: [Leg; 2],
    soles: [Soles; 2],
    /// Length of the source's feet from heel to ball, at rest and along the ground, in metres.
    source_foot_m: [f32; 2],
    fold: ik::Settings,
    easing_secs: f64,
}

/// One leg of the target.
#[derive(Debug)]
struct Leg {
    upper: usize,
    lower: usize,
    foot: usize,
    /// Joints below the upper joint, the knee and the ankle that hang on each, in this order.
    follow: [Vec<usize>; 3],
    /// Heel and ball in the foot's frame.
    heel: Vec3,
    ball: Vec3,
    /// How high they are over the lowest point of the foot at rest, in metres.
    rest_m: [f32; 2],
    /// Length from heel to ball along the ground at rest, in metres.
    foot_m: f32,
    /// Ahead in the upper joint's frame.
    front: Vec3,
    /// How far the ankle can be from the upper joint, in metres.
    reach_m: f32,
}

/// A foot that is wanted: how it is turned in the world, and where its ankle is.
#[derive(Debug, Clone, Copy)]
struct Stand {
    pitch: Quat,
    ankle: Vec3,
    /// How far the lower of heel and ball is over where it stands, in metres.
    clearance_m: f32,
}

/// Between these heights over the floor, in metres, a foot passes from standing to being free.
const NEAR_FLOOR_M: (f32, f32) = (0.03, 0.15);
/// The difference of height between heel and ball, in metres, over which a foot passes from one to the other.
const ROLL_M: f32 = 0.03;

impl Legs {
    /// `None` where one of the bodies has no whole legs with feet.
    pub(super) fn new(source: &Skeleton, target: &Skeleton, settings: &Settings) -> Option<Self> {
        let fold = ik::Settings { min_fold_rad: settings.min_knee_rad, ..ik::Settings::default() };
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

    /// Puts the feet of a motion where those of the source are.
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

    /// Where a foot is wanted in a frame.
    fn wanted(&self, side: usize, figure: &Figure, foot: &Foot, frame: usize, place: Place) -> Stand {
        let leg = &self.sides[side];
        let (heel, ball) = (foot.heel[frame], foot.ball[frame]);
        let rotation = figure.rotations[leg.foot];
        let height = |sole: SoleAt, rest_m: f32| place.floor_m + rest_m + place.scale * sole.clearance_m;
        let heights = [height(heel, leg.rest_m[0]), height(ball, leg.rest_m[1])];
        let lower = heel.clearance_m.min(ball.clearance_m) * place.scale;
        let near = 1.0 - smooth_step(lower, NEAR_FLOOR_M.0, NEAR_FLOOR_M.1);
        let pitch = leg.pitch(rotation, heights[1] - heights[0], near);
        let turned = pitch * rotation;

        let along = (turned * (leg.ball - leg.heel)).with_y(0.0).normalize_or_zero();
        let longer_m = leg.foot_m - place.travel * self.source_foot_m[side];
        let by_heel = place.of(heel.place) - turned * leg.heel;
        let by_ball = place.of(ball.place) + along * longer_m - turned * leg.ball;
        let on_ball = smooth_step(heel.clearance_m - ball.clearance_m, 0.0, ROLL_M);
        let over = by_heel.lerp(by_ball, on_ball);
        let ankle_height = [heights[0] - (turned * leg.heel).y, heights[1] - (turned * leg.ball).y];
        let ankle = over.with_y(ankle_height[0] + on_ball * (ankle_height[1] - ankle_height[0]));
        Stand { pitch, ankle, clearance_m: lower }
    }

    /// How far the hips must come down for standing feet to be reached.
    fn drop(&self, figure: &Figure, feet: &[Stand; 2]) -> f32 {
        let need = |(leg, stand): (&Leg, &Stand)| {
            let top = figure.position(&self.skeleton, leg.upper);
            let away = (stand.ankle - top).with_y(0.0).length();
            let below = (leg.reach_m * leg.reach_m - away * away).max(0.0).sqrt();
            let stands = 1.0 - smooth_step(stand.clearance_m, NEAR_FLOOR_M.0, NEAR_FLOOR_M.1);
            stands * (top.y - stand.ankle.y - below)
        };
        self.sides.iter().zip(feet).map(need).fold(0.0, f32::max)
    }
}

/// The sole of one foot at rest.
struct Sole {
    points: Soles,
    foot: usize,
    /// In the foot's frame.
    heel: Vec3,
    ball: Vec3,
    foot_m: f32,
}

impl Sole {
    fn of(skeleton: &Skeleton, side: Side) -> Option<Self> {
        let point = |part: Part| {
            SolePoint::all(skeleton).into_iter().find(|point| point.side == side && point.part == part)
        };
        let (heel, ball) = (point(Part::Heel)?, point(Part::Ball)?);
        let foot = skeleton.joint_of(Role::LeftFoot.on(side))?;
        let (at, turns) = (skeleton.rest_positions(), skeleton.rest_world_rotations());
        let places = [heel, ball].map(|point| point.at(&at, &turns));
        let ankle_rest_m = at[foot].y - places[0].y + heel.rest_m();
        let points = Soles { heel, ball, ankle: foot, ankle_rest_m };
        let [heel, ball] = places.map(|place| turns[foot].inverse() * (place - at[foot]));
        let foot_m = (places[1] - places[0]).with_y(0.0).length();
        Some(Self { points, foot, heel, ball, foot_m })
    }
}

impl Leg {
    fn of(skeleton: &Skeleton, side: Side, fold: &ik::Settings) -> Option<Self> {
        let [upper, lower] =
            [Role::LeftUpperLeg, Role::LeftLowerLeg].map(|role| skeleton.joint_of(role.on(side)));
        let (upper, lower) = (upper?, lower?);
        let sole = Sole::of(skeleton, side)?;
        let foot = sole.foot;
        let is_under = |joint, top| skeleton.is_under(joint, top);
        if !is_under(foot, lower) || !is_under(lower, upper) || foot == lower || lower == upper {
            return None;
        }
        let below: Vec<usize> = (upper + 1..skeleton.len()).filter(|&j| is_under(j, upper)).collect();
        let group = |joint| usize::from(is_under(joint, lower)) + usize::from(is_under(joint, foot));
        let follow = [0, 1, 2].map(|g| below.iter().copied().filter(|&joint| group(joint) == g).collect());
        let (at, turns) = (skeleton.rest_positions(), skeleton.rest_world_rotations());
        Some(Self {
            upper,
            lower,
            foot,
            follow,
            heel: sole.heel,
            ball: sole.ball,
            rest_m: [sole.points.heel.rest_m(), sole.points.ball.rest_m()],
            foot_m: sole.foot_m,
            front: turns[upper].inverse() * Vec3::Z,
            reach_m: ik::reach_m(
                at[upper].distance(at[lower]),
                at[lower].distance(at[foot]),
                fold.min_fold_rad,
            ),
        })
    }

    /// The turn that puts the ball so far over the heel, or a share of it.
    fn pitch(&self, rotation: Quat, rise_m: f32, share: f32) -> Quat {
        let sole = rotation * (self.ball - self.heel);
        let length = sole.length();
        let Some(ahead) = sole.with_y(0.0).try_normalize().filter(|_| length > 1e-4) else {
            return Quat::IDENTITY;
        };
        let angle = |rise: f32| (rise / length).clamp(-0.99, 0.99).asin();
        Quat::from_axis_angle(ahead.cross(Vec3::Y), share * (angle(rise_m) - angle(sole.y)))
    }

    /// Bends the leg so that its foot stands as wanted.
    fn reach(&self, skeleton: &Skeleton, figure: &mut Figure, stand: &Stand, fold: &ik::Settings) {
        let front = figure.rotations[self.upper] * self.front;
        let [root, middle, end] =
            [self.upper, self.lower, self.foot].map(|joint| figure.position(skeleton, joint));
        let bent = two_bone(&Limb { root, middle, end, front }, stand.ankle, front, fold);
        let turns = [bent.upper_turn, bent.lower_turn, stand.pitch];
        figure.rotations[self.upper] = (turns[0] * figure.rotations[self.upper]).normalize();
        for (joints, turn) in self.follow.iter().zip(turns) {
            for &joint in joints {
                figure.rotations[joint] = (turn * figure.rotations[joint]).normalize();
            }
        }
    }
}

/// From 0 at `low` to 1 at `high`, without a kink at either.
fn smooth_step(value: f32, low: f32, high: f32) -> f32 {
    let t = ((value - low) / (high - low)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// A curve without kinks that is never below the needs: the highest need within reach, averaged over the same reach.
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

    #[test]
    fn steps_are_smooth() {
        assert_eq!([-1.0, 0.0, 0.5, 1.0, 2.0].map(|t| smooth_step(t, 0.0, 1.0)), [0.0, 0.0, 0.5, 1.0, 1.0]);
    }
}
