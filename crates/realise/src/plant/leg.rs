//! A leg and its inverse kinematics.

use marey_motion::{LocalPose, Quat, Side, Skeleton, Vec3, WorldPose, smoothstep};
use marey_ops::ik::{self, Limb, two_bone};
use marey_ops::leg::LegGeometry;

/// A leg of a skeleton.
#[derive(Debug, Clone, Copy)]
pub(super) struct Leg {
    upper: usize,
    lower: usize,
    foot: usize,
    /// The parent of each joint.
    parents: [Option<usize>; 3],
    /// Heel and ball in the frame of the foot.
    sole: [Vec3; 2],
    /// Height of heel and ball over the floor if the foot stands flat, in metres.
    rest_m: [f32; 2],
    /// Forward direction in the frame of the upper joint.
    front: Vec3,
    min_knee_rad: f32,
    /// Largest distance of the ankle from the upper joint at the minimum knee fold, in metres.
    reach_m: f32,
}

/// A leg in one frame, in world coordinates.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct LegAt {
    upper: Vec3,
    lower: Vec3,
    /// Position of the foot joint.
    end: Vec3,
    /// Position of the ankle with the knee at its minimum fold at least; differs from `end` only if the knee
    /// is too straight or bent backwards.
    pub(super) ankle: Vec3,
    /// Rotations of upper joint, knee and foot, and of their parents.
    turns: [Quat; 3],
    parent_turns: [Quat; 3],
    /// Heel and ball below that ankle.
    pub(super) sole: [Vec3; 2],
    /// Direction of the knee: its own offset from the line between hip and ankle, or the front of the thigh
    /// if the leg is straight or bent backwards.
    knee_direction: Vec3,
    /// Whether the knee has its minimum fold.
    is_folded: bool,
    /// Distance of the ankle from the upper joint, with the knee at its minimum fold at least, in metres.
    far_m: f32,
}

/// Offset of the knee from the line between hip and ankle, in metres, over which its own direction takes over
/// from the front of the thigh. The offset of a straight leg has no useful direction.
const KNEE_OFF_M: (f32, f32) = (0.005, 0.03);

/// The knee limit is softened within this angle of the minimum fold, in radians.
const KNEE_ROUND_RAD: f32 = 0.1;

/// The leg limit is softened within this distance of the full reach, in metres.
const SOFT_M: f32 = 0.04;

/// Larger corrections use the soft limit, in metres; without a correction the leg may be as straight as it
/// is.
const SOFT_FROM_M: f32 = 0.04;

impl LegAt {
    /// The same leg of a body that is moved.
    pub(super) fn moved(self, by: Vec3) -> Self {
        Self {
            upper: self.upper + by,
            lower: self.lower + by,
            end: self.end + by,
            ankle: self.ankle + by,
            sole: self.sole.map(|point| point + by),
            ..self
        }
    }
}

impl Leg {
    /// `None` if the skeleton lacks a joint of the leg or a point of the sole.
    pub(super) fn of(skeleton: &Skeleton, side: Side, min_knee_rad: f32) -> Option<Self> {
        let leg = LegGeometry::of(skeleton, side)?;
        let sole = leg.heel_and_ball()?;
        let LegGeometry { upper, lower, foot, front, .. } = leg;
        Some(Self {
            upper,
            lower,
            foot,
            parents: [upper, lower, foot].map(|joint| skeleton.joints()[joint].parent),
            sole: sole.map(|part| part.offset),
            rest_m: sole.map(|part| part.point.rest_m()),
            front,
            min_knee_rad,
            reach_m: leg.reach_m(min_knee_rad),
        })
    }

    /// The leg in a pose.
    pub(super) fn at(&self, world: &WorldPose) -> LegAt {
        let foot = world.rotations[self.foot];
        let (upper, lower, end) =
            (world.positions[self.upper], world.positions[self.lower], world.positions[self.foot]);
        let turns = [self.upper, self.lower, self.foot].map(|joint| world.rotations[joint]);
        let (thigh, shank) = (lower - upper, end - lower);
        let front = turns[0] * self.front;
        let line = (end - upper).normalize_or(Vec3::NEG_Y);
        let off = thigh - line * thigh.dot(line);
        let own = smoothstep((off.dot(front) - KNEE_OFF_M.0) / (KNEE_OFF_M.1 - KNEE_OFF_M.0));
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
            knee_direction: front.lerp(off.normalize_or_zero(), own),
            is_folded,
            far_m,
        }
    }

    /// Height of a part of the sole (0 heel, 1 ball) over the floor if the foot stands flat, in metres.
    pub(super) fn rest_m(&self, part: usize) -> f32 {
        self.rest_m[part]
    }

    /// Position of a part of the sole with the foot tilted and its ankle shifted.
    pub(super) fn sole_at(&self, at: &LegAt, part: usize, shift: Vec3, tilt: Vec3) -> Vec3 {
        at.ankle + shift + Quat::from_scaled_axis(tilt) * at.turns[2] * self.sole[part]
    }

    /// Distance from heel to ball, in metres.
    pub(super) fn foot_m(&self) -> f32 {
        self.sole[0].distance(self.sole[1])
    }

    /// Position of the ankle if a part of the sole (0 heel, 1 ball) is at a place and the foot is tilted.
    pub(super) fn ankle_over(&self, at: &LegAt, part: usize, place: Vec3, tilt: Vec3) -> Vec3 {
        place - Quat::from_scaled_axis(tilt) * at.turns[2] * self.sole[part]
    }

    /// The additional rotation of a tilted foot that stands on one part only, such that its other part is not
    /// below its lowest height; zero if it is not.
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

    /// How far the hips must move down for the leg to reach the shifted ankle without straightening abruptly,
    /// in metres; negative or 0 if it does.
    pub(super) fn need_m(&self, at: &LegAt, shift: Vec3) -> f32 {
        self.drop_m(at, shift, self.far_m(at, shift))
    }

    /// How far the hips must move down for the leg to reach the shifted ankle at all, in metres; negative or 0
    /// if it does.
    pub(super) fn least_drop_m(&self, at: &LegAt, shift: Vec3) -> f32 {
        self.drop_m(at, shift, self.reach_m)
    }

    /// How far the hips must move down for the shifted ankle to be within a distance, in metres.
    fn drop_m(&self, at: &LegAt, shift: Vec3, far_m: f32) -> f32 {
        let ankle = at.ankle + shift;
        let away = (ankle - at.upper).with_y(0.0).length();
        at.upper.y - ankle.y - (far_m * far_m - away * away).max(0.0).sqrt()
    }

    /// Distance from the upper joint at which the leg limit starts to act, in metres: short of the full reach,
    /// because the knee angle changes ever faster with the distance and would straighten abruptly. Without a
    /// correction a leg may be as straight as it is.
    fn far_m(&self, at: &LegAt, shift: Vec3) -> f32 {
        let soft_m = self.reach_m - SOFT_M;
        let own_m = at.far_m.max(soft_m);
        own_m + (soft_m - own_m) * smoothstep(shift.length() / SOFT_FROM_M)
    }

    /// Bends the leg so that its foot is tilted and its ankle shifted, with the hips lowered. Returns the
    /// remaining error of the ankle in metres.
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
        let limb = Limb { root, middle: at.lower - down, end: at.end - down, front: at.knee_direction };
        let target = at.ankle + shift;
        let away = target - root;
        let distance = away.length();
        let far_m = self.far_m(at, shift);
        let soft = root + away * (self.softened(far_m, distance) / distance.max(f32::MIN_POSITIVE));
        let bent = two_bone(&limb, soft, at.knee_direction, &ik::IkSettings::default());
        // Children of a bone turn with it; the parent's rotation gives the local rotation.
        let parent = [Quat::IDENTITY, bent.upper_turn, bent.lower_turn];
        let own = [bent.upper_turn, bent.lower_turn, Quat::from_scaled_axis(tilt)];
        for (i, joint) in [self.upper, self.lower, self.foot].into_iter().enumerate() {
            let world = own[i] * at.turns[i];
            pose.rotations[joint] = ((parent[i] * at.parent_turns[i]).conjugate() * world).normalize();
        }
        bent.missed_by(target)
    }

    /// Limits a distance from hip to ankle smoothly to that of the minimum fold.
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

/// One rotation after another; both as rotation vectors.
pub(super) fn combined_turn(first: Vec3, then: Vec3) -> Vec3 {
    if then == Vec3::ZERO {
        return first;
    }
    (Quat::from_scaled_axis(then) * Quat::from_scaled_axis(first)).to_scaled_axis()
}

/// The larger of two numbers, rounded off if they are closer than `width`.
pub(super) fn smooth_max(a: f32, b: f32, width: f32) -> f32 {
    let near = (width - (a - b).abs()).max(0.0);
    if near > 0.0 { a.max(b) + near * near / (4.0 * width) } else { a.max(b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_foot_on_one_part_is_rotated_out_of_the_floor() {
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
            assert!((other_m(combined_turn(tilt, raised)) - lowest_m[1 - part]).abs() < 1e-4);
            // Tilted upwards, or with no part or both parts on the floor, nothing changes.
            assert_eq!(leg.raised(&at, holds, -tilt, lowest_m), Vec3::ZERO);
            assert_eq!(leg.raised(&at, [None; 2], tilt, lowest_m), Vec3::ZERO);
            assert_eq!(leg.raised(&at, [holds[part]; 2], tilt, lowest_m), Vec3::ZERO);
        }
    }

    #[test]
    fn smooth_max_differs_only_near_equality() {
        assert_eq!(smooth_max(3.0, 1.0, 0.5), 3.0);
        assert_eq!(smooth_max(-3.0, 1.0, 0.5), 1.0);
        assert_eq!(smooth_max(1.0, 1.0, 0.5), 1.125);
        assert_eq!(smooth_max(0.2, 0.0, 0.0), 0.2);
        let values: Vec<f32> = (0..200).map(|i| smooth_max(0.01 * i as f32, 1.0, 0.5)).collect();
        assert!(values.windows(2).all(|pair| pair[1] >= pair[0] && pair[1] - pair[0] <= 0.0101));
    }
}
