//! A leg with a foot, and how it reaches.

use marey_motion::{LocalPose, Quat, Role, Side, Skeleton, Vec3, WorldPose};
use marey_ops::ik::{self, Limb, two_bone};
use marey_ops::sole::{Part, SolePoint};

/// A leg of a skeleton.
#[derive(Debug, Clone, Copy)]
pub(super) struct Leg {
    upper: usize,
    lower: usize,
    foot: usize,
    /// The parent of each.
    parents: [Option<usize>; 3],
    /// Heel and ball in the foot's frame.
    sole: [Vec3; 2],
    /// How high each is over the floor when the foot stands flat on it, in metres.
    rest_m: [f32; 2],
    /// Ahead in the upper joint's frame.
    front: Vec3,
    min_knee_rad: f32,
    /// How far the ankle can be from the upper joint at that fold of the knee, in metres.
    reach_m: f32,
}

/// A leg in a frame, in the world.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct LegAt {
    upper: Vec3,
    lower: Vec3,
    /// Where the foot's joint is.
    end: Vec3,
    /// Where it would be if the knee had its least fold: elsewhere only where the knee is too straight or bent backwards.
    pub(super) ankle: Vec3,
    /// How upper joint, knee and foot are turned, and what each hangs on.
    turns: [Quat; 3],
    parent_turns: [Quat; 3],
    /// Heel and ball below that ankle.
    pub(super) sole: [Vec3; 2],
    /// The way the knee points: its own off the line from hip to ankle, or the front of the thigh where the leg is straight
    /// or bent backwards.
    knee_way: Vec3,
    /// Whether the knee has its least fold.
    is_folded: bool,
    /// How far the ankle is from the upper joint, with the knee at its least fold at the least, in metres.
    far_m: f32,
}

/// Over these distances of a knee ahead of the line between hip and ankle, in metres, its own direction counts ever more
/// against the front of the thigh, which alone tells where a straight leg folds to.
const KNEE_OFF_M: (f32, f32) = (0.005, 0.03);

/// Nearer than this to its least fold, in radians, a knee gives way softly.
const KNEE_ROUND_RAD: f32 = 0.1;

/// Nearer than this to its reach, in metres, a leg gives way softly.
const SOFT_M: f32 = 0.04;

/// From so large a correction on, in metres, it gives way so; a leg that is left alone may be as straight as it is.
const SOFT_FROM_M: f32 = 0.04;

impl Leg {
    /// `None` where the skeleton does not have it whole.
    pub(super) fn of(skeleton: &Skeleton, side: Side, min_knee_rad: f32) -> Option<Self> {
        let [upper, lower, foot] = [Role::LeftUpperLeg, Role::LeftLowerLeg, Role::LeftFoot]
            .map(|role| skeleton.joint_of(role.on(side)));
        let (upper, lower, foot) = (upper?, lower?, foot?);
        let hangs = |joint, on| joint != on && skeleton.is_under(joint, on);
        if !hangs(foot, lower) || !hangs(lower, upper) {
            return None;
        }
        let (at, turns) = (skeleton.rest_positions(), skeleton.rest_world_rotations());
        let points = SolePoint::all(skeleton);
        let sole = Part::ALL.map(|part| {
            let point = points.iter().find(|point| point.side == side && point.part == part)?;
            Some((turns[foot].inverse() * (point.at(&at, &turns) - at[foot]), point.rest_m()))
        });
        let [heel, ball] = [sole[0]?, sole[1]?];
        let (thigh_m, shank_m) = (at[upper].distance(at[lower]), at[lower].distance(at[foot]));
        Some(Self {
            upper,
            lower,
            foot,
            parents: [upper, lower, foot].map(|joint| skeleton.joints()[joint].parent),
            sole: [heel.0, ball.0],
            rest_m: [heel.1, ball.1],
            front: turns[upper].inverse() * Vec3::Z,
            min_knee_rad,
            reach_m: ik::reach_m(thigh_m, shank_m, min_knee_rad),
        })
    }

    /// How it is in a pose.
    pub(super) fn at(&self, world: &WorldPose) -> LegAt {
        let foot = world.rotations[self.foot];
        let (upper, lower, end) =
            (world.positions[self.upper], world.positions[self.lower], world.positions[self.foot]);
        let turns = [self.upper, self.lower, self.foot].map(|joint| world.rotations[joint]);
        let (thigh, shank) = (lower - upper, end - lower);
        let front = turns[0] * self.front;
        let line = (end - upper).normalize_or(Vec3::NEG_Y);
        let off = thigh - line * thigh.dot(line);
        let own = smooth_step(off.dot(front), KNEE_OFF_M.0, KNEE_OFF_M.1);
        let fold_rad = thigh.cross(shank).length().atan2(thigh.dot(shank)).copysign(off.dot(front));
        let wanted_rad = smooth_max(fold_rad, self.min_knee_rad, KNEE_ROUND_RAD);
        let is_folded = wanted_rad == fold_rad;
        let far_m = ik::reach_m(thigh.length(), shank.length(), wanted_rad);
        let ankle = if is_folded { end } else { upper + line * far_m };
        LegAt {
            upper,
            lower,
            end,
            ankle,
            turns,
            parent_turns: self.parents.map(|parent| parent.map_or(Quat::IDENTITY, |p| world.rotations[p])),
            sole: self.sole.map(|point| ankle + foot * point),
            knee_way: front.lerp(off.normalize_or_zero(), own),
            is_folded,
            far_m,
        }
    }

    /// How high a part of the sole (0 heel, 1 ball) is over a floor that the foot stands flat on, in metres.
    pub(super) fn rest_m(&self, part: usize) -> f32 {
        self.rest_m[part]
    }

    /// Where a part of the sole is when the foot is tilted and its ankle shifted.
    pub(super) fn sole_at(&self, at: &LegAt, part: usize, shift: Vec3, tilt: Vec3) -> Vec3 {
        at.ankle + shift + Quat::from_scaled_axis(tilt) * at.turns[2] * self.sole[part]
    }

    /// From heel to ball, in metres.
    pub(super) fn foot_m(&self) -> f32 {
        self.sole[0].distance(self.sole[1])
    }

    /// Where the ankle is when a part of the sole (0 heel, 1 ball) is at a place, the foot being tilted.
    pub(super) fn ankle_over(&self, at: &LegAt, part: usize, place: Vec3, tilt: Vec3) -> Vec3 {
        place - Quat::from_scaled_axis(tilt) * at.turns[2] * self.sole[part]
    }

    /// How a foot is turned further, which is tilted and stands with one of its parts only, for its other part to be no lower than it may:
    /// not at all where it is not.
    pub(super) fn raised(
        &self,
        at: &LegAt,
        holds: [Option<Vec3>; 2],
        tilt: Vec3,
        lowest_m: [f32; 2],
    ) -> Vec3 {
        let (part, place) = match holds {
            [Some(heel), None] => (0, heel),
            [None, Some(ball)] => (1, ball),
            _ => return Vec3::ZERO,
        };
        let along = Quat::from_scaled_axis(tilt) * (at.sole[1 - part] - at.sole[part]);
        let (rise_m, far_m) = (lowest_m[1 - part] - place.y, self.foot_m());
        let Some(ahead) = along.with_y(0.0).try_normalize() else { return Vec3::ZERO };
        if along.y >= rise_m || rise_m.abs() >= far_m {
            return Vec3::ZERO;
        }
        let raised = ahead * (far_m * far_m - rise_m * rise_m).sqrt() + Vec3::Y * rise_m;
        Quat::from_rotation_arc(along / far_m, raised / far_m).to_scaled_axis()
    }

    /// How far the hips must come down for the ankle to be shifted, in metres; not above 0 where it is within reach.
    pub(super) fn need_m(&self, at: &LegAt, shift: Vec3) -> f32 {
        let (ankle, far_m) = (at.ankle + shift, self.far_m(at, shift));
        let away = (ankle - at.upper).with_y(0.0).length();
        at.upper.y - ankle.y - (far_m * far_m - away * away).max(0.0).sqrt()
    }

    /// How far the ankle may be from the upper joint before the leg gives way, in metres: where it is shifted, short of the
    /// leg's reach, so that the knee, whose fold goes ever faster with the distance, is not straightened in a jerk; else
    /// as far as it is.
    fn far_m(&self, at: &LegAt, shift: Vec3) -> f32 {
        let soft_m = self.reach_m - SOFT_M;
        let own_m = at.far_m.max(soft_m);
        own_m + (soft_m - own_m) * smooth_step(shift.length(), 0.0, SOFT_FROM_M)
    }

    /// Bends the leg so that its foot is tilted and its ankle shifted, the hips being lower than they were. How far the
    /// ankle is from where it should be then, in metres.
    pub(super) fn reach(
        &self,
        pose: &mut LocalPose,
        at: &LegAt,
        drop_m: f32,
        shift: Vec3,
        tilt: Vec3,
    ) -> f32 {
        if at.is_folded && drop_m == 0.0 && shift == Vec3::ZERO && tilt == Vec3::ZERO {
            return 0.0;
        }
        let down = Vec3::Y * drop_m;
        let root = at.upper - down;
        let limb = Limb { root, middle: at.lower - down, end: at.end - down, front: at.knee_way };
        let target = at.ankle + shift;
        let away = target - root;
        let distance = away.length();
        let far_m = self.far_m(at, shift);
        let soft = root + away * (self.softened(far_m, distance) / distance.max(f32::MIN_POSITIVE));
        let bent = two_bone(&limb, soft, at.knee_way, &ik::Settings::default());
        // What hangs on a bone is turned with it; what each joint hangs on tells its local rotation.
        let parent = [Quat::IDENTITY, bent.upper_turn, bent.lower_turn];
        let own = [bent.upper_turn, bent.lower_turn, Quat::from_scaled_axis(tilt)];
        for (i, joint) in [self.upper, self.lower, self.foot].into_iter().enumerate() {
            let world = own[i] * at.turns[i];
            pose.rotations[joint] = ((parent[i] * at.parent_turns[i]).conjugate() * world).normalize();
        }
        bent.missed_by(target)
    }

    /// A distance from hip to ankle, brought below that of the least fold without a kink.
    fn softened(&self, far_m: f32, distance_m: f32) -> f32 {
        let (over, room) = (distance_m - far_m, self.reach_m - far_m);
        if over <= 0.0 {
            distance_m
        } else if room <= 1e-6 {
            far_m
        } else {
            far_m + room * (1.0 - (-over / room).exp())
        }
    }
}

/// A turn after another; both as rotation vectors.
pub(super) fn turned_on(first: Vec3, then: Vec3) -> Vec3 {
    if then == Vec3::ZERO {
        return first;
    }
    (Quat::from_scaled_axis(then) * Quat::from_scaled_axis(first)).to_scaled_axis()
}

/// From 0 at `low` to 1 at `high`, without a kink at either.
pub(super) fn smooth_step(value: f32, low: f32, high: f32) -> f32 {
    let t = ((value - low) / (high - low)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// The larger of two numbers, rounded off where they are nearer than `width`.
pub(super) fn smooth_max(a: f32, b: f32, width: f32) -> f32 {
    let near = (width - (a - b).abs()).max(0.0);
    if near > 0.0 { a.max(b) + near * near / (4.0 * width) } else { a.max(b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_foot_that_stands_on_a_part_of_it_is_turned_until_the_other_is_out_of_the_floor() {
        let made = marey_examples::walk::walk(&marey_examples::walk::WalkSettings::default()).unwrap();
        let skeleton = made.take.first().skeleton();
        let leg = Leg::of(skeleton, Side::Left, 0.15).unwrap();
        let at = leg.at(&WorldPose::of(skeleton, LocalPose::rest(skeleton).view()));
        let lowest_m = [leg.rest_m(0), leg.rest_m(1)];
        for (part, down_rad) in [(0, 0.4), (0, 0.1), (1, -0.3)] {
            let mut holds = [None; 2];
            holds[part] = Some(at.sole[part].with_y(leg.rest_m(part)));
            let tilt = Vec3::X * down_rad;
            let other_m = |tilt: Vec3| {
                let ankle = leg.ankle_over(&at, part, holds[part].unwrap(), tilt);
                leg.sole_at(&at, 1 - part, ankle - at.ankle, tilt).y
            };
            assert!(other_m(tilt) < lowest_m[1 - part] - 0.01);
            let raised = leg.raised(&at, holds, tilt, lowest_m);
            assert!((other_m(turned_on(tilt, raised)) - lowest_m[1 - part]).abs() < 1e-4);
            // Turned up, it may be as it is; and with nothing or all of it on the floor.
            assert_eq!(leg.raised(&at, holds, -tilt, lowest_m), Vec3::ZERO);
            assert_eq!(leg.raised(&at, [None; 2], tilt, lowest_m), Vec3::ZERO);
            assert_eq!(leg.raised(&at, [holds[part]; 2], tilt, lowest_m), Vec3::ZERO);
        }
    }

    #[test]
    fn the_larger_is_rounded_off_near_by_only() {
        assert_eq!(smooth_max(3.0, 1.0, 0.5), 3.0);
        assert_eq!(smooth_max(-3.0, 1.0, 0.5), 1.0);
        assert_eq!(smooth_max(1.0, 1.0, 0.5), 1.125);
        assert_eq!(smooth_max(0.2, 0.0, 0.0), 0.2);
        let values: Vec<f32> = (0..200).map(|i| smooth_max(0.01 * i as f32, 1.0, 0.5)).collect();
        assert!(values.windows(2).all(|pair| pair[1] >= pair[0] && pair[1] - pair[0] <= 0.0101));
    }
}
