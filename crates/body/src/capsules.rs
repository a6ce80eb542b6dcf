//! The space that a body occupies: one capsule for each bone.
//!
//! Radii are fractions of the body's height. Those of trunk and head follow the segment tables of Winter (*Biomechanics and
//! Motor Control of Human Movement*); those of limbs are set by eye.
//!
//! Limits: the depth of a trunk equals its width; hair, gloves and clothes are not modelled.

use marey_motion::{Quat, Role, Side, Skeleton, Vec3, WorldPose};

use crate::Capsule;

/// The ends of the four limbs.
pub const LIMB_ENDS: [Role; 4] = [Role::LeftHand, Role::RightHand, Role::LeftFoot, Role::RightFoot];

/// The joints of the trunk, from below.
const SPINE: [Role; 5] = [Role::Hips, Role::Spine, Role::Chest, Role::UpperChest, Role::Neck];

/// Radii as fractions of the body's height.
const TRUNK: f32 = 0.066;
const HEAD: f32 = 0.052;
const UPPER_ARM: f32 = 0.026;
const FOREARM: f32 = 0.021;
const HAND: f32 = 0.019;
/// Length from the wrist to the knuckles.
const PALM: f32 = 0.052;
const THIGH: f32 = 0.042;
const SHIN: f32 = 0.028;
const FOOT: f32 = 0.022;

/// A capsule fixed to a bone.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Bone {
    from: usize,
    to: BoneEnd,
    radius_m: f32,
    role: Role,
    end: Option<Role>,
    limb: Option<Role>,
}

/// The end of a bone.
#[derive(Debug, Clone, Copy, PartialEq)]
enum BoneEnd {
    Joint(usize),
    /// In the frame of the joint that the bone starts from.
    Offset(Vec3),
}

/// The capsules of a body.
#[derive(Debug, Clone, PartialEq)]
pub struct BodyCapsules {
    bones: Vec<Bone>,
}

/// A capsule of a posed body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BodyCapsule {
    /// Its world position.
    pub capsule: Capsule,
    /// The part of the body that it represents.
    pub role: Role,
    /// The limb end (hand or foot) that it belongs to. A forearm belongs to its hand, a shin to none.
    pub end: Option<Role>,
    /// The limb end that moves it when inverse kinematics moves that end. A forearm moves with its hand, a shin with its foot.
    pub limb: Option<Role>,
}

impl BodyCapsules {
    /// The capsules of a skeleton: one for each bone whose joints have roles.
    pub fn of(skeleton: &Skeleton) -> Self {
        let (at, turns) = (skeleton.rest_positions(), skeleton.rest_world_rotations());
        let (low, high) = at
            .iter()
            .fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), p| (low.min(p.y), high.max(p.y)));
        let height_m = (high - low).max(0.1);
        let joint = |role: Role| skeleton.joint_of(role);
        let mut bones = Vec::new();
        let mut add =
            |from: Option<usize>, to: Option<BoneEnd>, fraction: f32, role: Role, end: Option<Role>| {
                if let (Some(from), Some(to)) = (from, to) {
                    let limb = match role {
                        Role::LeftLowerLeg => Some(Role::LeftFoot),
                        Role::RightLowerLeg => Some(Role::RightFoot),
                        _ => end,
                    };
                    bones.push(Bone { from, to, radius_m: fraction * height_m, role, end, limb });
                }
            };
        let spine: Vec<(usize, Role)> = SPINE.iter().filter_map(|&role| Some((joint(role)?, role))).collect();
        for pair in spine.windows(2) {
            add(Some(pair[0].0), Some(BoneEnd::Joint(pair[1].0)), TRUNK, pair[0].1, None);
        }
        let tip = |joint: usize| skeleton.tips().iter().find(|tip| tip.parent == joint).map(|tip| tip.offset);
        let crown = joint(Role::Head).map(|head| {
            let up = || turns[head].inverse() * Vec3::Y * 0.1 * height_m;
            BoneEnd::Offset(tip(head).unwrap_or_else(up) * 0.6)
        });
        add(joint(Role::Head), crown, HEAD, Role::Head, None);
        for side in Side::BOTH {
            let sided = |role: Role| joint(role.on(side));
            let to = |role: Role| sided(role).map(BoneEnd::Joint);
            let to_tip = |role: Role| sided(role).and_then(tip).map(BoneEnd::Offset);
            let (hand, foot) = (Some(Role::LeftHand.on(side)), Some(Role::LeftFoot.on(side)));
            // Hands have one length whatever a skeleton has of fingers: others may be thumbs, or of length 0.
            let knuckles = to(Role::LeftMiddleProximal).or_else(|| {
                let (elbow, hand) = (sided(Role::LeftLowerArm)?, sided(Role::LeftHand)?);
                let along = (at[hand] - at[elbow]).try_normalize()?;
                Some(BoneEnd::Offset(turns[hand].inverse() * along * PALM * height_m))
            });
            let ball = to(Role::LeftToes).or_else(|| to_tip(Role::LeftFoot));
            let heel = to_tip(Role::LeftFoot);
            for (role, bone_end, fraction, end) in [
                (Role::LeftUpperArm, to(Role::LeftLowerArm), UPPER_ARM, None),
                (Role::LeftLowerArm, to(Role::LeftHand), FOREARM, hand),
                (Role::LeftHand, knuckles, HAND, hand),
                (Role::LeftUpperLeg, to(Role::LeftLowerLeg), THIGH, None),
                (Role::LeftLowerLeg, to(Role::LeftFoot), SHIN, None),
                (Role::LeftFoot, heel, FOOT, foot),
                (Role::LeftFoot, ball, FOOT, foot),
            ] {
                add(sided(role), bone_end, fraction, role.on(side), end);
            }
        }
        Self { bones }
    }

    /// Writes the capsules of a pose to `capsules`, whose memory is reused.
    pub fn place(&self, world: &WorldPose, capsules: &mut Vec<BodyCapsule>) {
        self.place_at(&world.positions, &world.rotations, capsules);
    }

    /// As [`place`](Self::place), for world positions and rotations of all joints.
    pub fn place_at(&self, positions: &[Vec3], rotations: &[Quat], capsules: &mut Vec<BodyCapsule>) {
        capsules.clear();
        capsules.extend(self.bones.iter().map(|bone| {
            let from = positions[bone.from];
            let to = match bone.to {
                BoneEnd::Joint(joint) => positions[joint],
                BoneEnd::Offset(offset) => from + rotations[bone.from] * offset,
            };
            let Bone { radius_m, role, end, limb, .. } = *bone;
            BodyCapsule { capsule: Capsule { from, to, radius_m }, role, end, limb }
        }));
    }

    /// The gap between a limb end of this body, moved by an offset, and another body or one part of it.
    ///
    /// Returns the gap in metres (negative if they overlap) and the unit direction that leads out of the other body; zeros if
    /// either part does not exist. Only the hand or foot itself counts, not its forearm.
    pub fn limb_gap(
        &self,
        world: &WorldPose,
        end: Role,
        offset: Vec3,
        other: &BodyCapsules,
        other_world: &WorldPose,
        part: Option<Role>,
    ) -> (f32, Vec3) {
        let mut placed = [Vec::new(), Vec::new()];
        self.place(world, &mut placed[0]);
        other.place(other_world, &mut placed[1]);
        let mut best = (f32::INFINITY, Vec3::ZERO);
        for own in placed[0].iter().filter(|body| body.role == end) {
            let moved = own.capsule.moved(offset);
            for theirs in placed[1].iter().filter(|body| part.is_none_or(|part| body.role == part)) {
                let (a, b) = moved.nearest_points(&theirs.capsule);
                let gap_m = a.distance(b) - moved.radius_m - theirs.capsule.radius_m;
                if gap_m < best.0 {
                    best = (gap_m, (a - b).normalize_or_zero());
                }
            }
        }
        if best.0.is_finite() { best } else { (0.0, Vec3::ZERO) }
    }

    /// The largest overlap of two bodies, in metres; negative values are the width of the gap between them.
    pub fn overlap_m(bodies: [&BodyCapsules; 2], worlds: [&WorldPose; 2]) -> f32 {
        let mut placed = [Vec::new(), Vec::new()];
        for ((body, world), capsules) in bodies.into_iter().zip(worlds).zip(&mut placed) {
            body.place(world, capsules);
        }
        let pairs =
            placed[0].iter().flat_map(|a| placed[1].iter().map(move |b| -a.capsule.gap_m(&b.capsule)));
        pairs.fold(f32::NEG_INFINITY, f32::max)
    }
}

#[cfg(test)]
mod tests {
    use marey_motion::LocalPose;

    use super::*;
    use crate::BodyProportions;

    #[test]
    fn two_bodies_overlap_until_they_are_moved_apart() {
        let skeleton = BodyProportions::default().skeleton().unwrap();
        let body = BodyCapsules::of(&skeleton);
        let world = |x_m: f32| {
            let mut pose = LocalPose::rest(&skeleton);
            pose.positions[0].x += x_m;
            WorldPose::of(&skeleton, pose.view())
        };
        let overlap_m = |x_m: f32| BodyCapsules::overlap_m([&body, &body], [&world(0.0), &world(x_m)]);
        assert!(overlap_m(0.0) > 0.1 && overlap_m(1.0) > 0.0);
        assert!(overlap_m(3.0) < -1.0);
        let (gap_m, out) = body.limb_gap(&world(-2.5), Role::LeftHand, Vec3::ZERO, &body, &world(0.0), None);
        assert!(gap_m > 0.5 && out.x < -0.9, "{gap_m} {out}");
        // The gap closes by as much as the hand is moved towards the other body.
        let (nearer_m, _) =
            body.limb_gap(&world(-2.5), Role::LeftHand, Vec3::X * 0.3, &body, &world(0.0), None);
        assert!((gap_m - nearer_m - 0.3).abs() < 1e-3);
    }

    #[test]
    fn parts_that_do_not_exist_have_no_capsules() {
        let skeleton = BodyProportions::default().skeleton().unwrap();
        let body = BodyCapsules::of(&skeleton);
        let mut placed = Vec::new();
        body.place(&WorldPose::scratch(&skeleton), &mut placed);
        assert_eq!(placed.len(), 4 + 1 + 2 * 7);
        let none = skeleton.with_roles(&vec![None; skeleton.len()]).unwrap();
        assert_eq!(BodyCapsules::of(&none), BodyCapsules { bones: vec![] });
    }
}
