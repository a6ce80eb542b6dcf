//! The space that a body takes: capsules around its bones.
//!
//! The paper models characters as trees of spheres and asks for contact between them. Here bones are capsules, a sphere swept along
//! a line: two dozen of them are the body, the gap between two is a closed form, and nothing has to be built or kept up to date.
//! A collision library would add a tree over two dozen leaves and much build time, and no precision.
//!
//! Radii are shares of the body's height, as in the segment tables of Winter (*Biomechanics and Motor Control of Human Movement*)
//! for depths of trunk and head; limbs by eye.
//!
//! Limits: a trunk is as deep as it is broad; hair, gloves and clothes are not there.

use marey_motion::{Role, Side, Skeleton, Vec3, WorldPose};

/// A limb that can touch somebody.
pub(crate) const ENDS: [Role; 4] = [Role::LeftHand, Role::RightHand, Role::LeftFoot, Role::RightFoot];

/// A bone with its flesh.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Bone {
    from: usize,
    to: To,
    radius_m: f32,
    /// What is struck, when it is.
    role: Role,
    /// Of which end it is a part.
    end: Option<Role>,
    /// The end of the limb that carries it, and can take it elsewhere.
    limb: Option<Role>,
}

/// Where a bone ends.
#[derive(Debug, Clone, Copy, PartialEq)]
enum To {
    Joint(usize),
    /// In the frame of the joint that the bone starts from.
    Offset(Vec3),
}

/// The capsules of a body.
#[derive(Debug, Clone, PartialEq)]
pub struct Shape {
    bones: Vec<Bone>,
}

/// A capsule in the world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Capsule {
    pub(crate) from: Vec3,
    pub(crate) to: Vec3,
    pub(crate) radius_m: f32,
    pub(crate) role: Role,
    pub(crate) end: Option<Role>,
    pub(crate) limb: Option<Role>,
}

impl Shape {
    /// The capsules of a skeleton: of those bones whose joints have roles.
    pub fn of(skeleton: &Skeleton) -> Self {
        let at = skeleton.rest_positions();
        let (low, high) = at
            .iter()
            .fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), p| (low.min(p.y), high.max(p.y)));
        let height_m = (high - low).max(0.1);
        let joint = |role: Role| skeleton.joint_of(role);
        let mut bones = Vec::new();
        let mut add = |from: Option<usize>, to: Option<To>, share: f32, role: Role, end: Option<Role>| {
            if let (Some(from), Some(to)) = (from, to) {
                let limb = match role {
                    Role::LeftLowerLeg => Some(Role::LeftFoot),
                    Role::RightLowerLeg => Some(Role::RightFoot),
                    _ => end,
                };
                bones.push(Bone { from, to, radius_m: share * height_m, role, end, limb });
            }
        };
        let spine: Vec<(usize, Role)> = SPINE.iter().filter_map(|&role| Some((joint(role)?, role))).collect();
        for pair in spine.windows(2) {
            add(Some(pair[0].0), Some(To::Joint(pair[1].0)), TRUNK, pair[0].1, None);
        }
        let tip = |joint: usize| skeleton.tips().iter().find(|tip| tip.parent == joint).map(|tip| tip.offset);
        let crown =
            joint(Role::Head).map(|head| To::Offset(tip(head).unwrap_or(Vec3::Y * 0.1 * height_m) * 0.6));
        add(joint(Role::Head), crown, HEAD, Role::Head, None);
        for side in Side::BOTH {
            let of = |role: Role| joint(role.on(side));
            let to = |role: Role| of(role).map(To::Joint);
            let (hand, foot) = (Some(Role::LeftHand.on(side)), Some(Role::LeftFoot.on(side)));
            let knuckles = to(Role::LeftMiddleProximal)
                .or_else(|| of(Role::LeftHand).and_then(tip).map(To::Offset))
                .or(Some(To::Offset(Vec3::ZERO)));
            let ball = to(Role::LeftToes).or_else(|| of(Role::LeftFoot).and_then(tip).map(To::Offset));
            let on = |role: Role| role.on(side);
            add(of(Role::LeftUpperArm), to(Role::LeftLowerArm), UPPER_ARM, on(Role::LeftUpperArm), None);
            add(of(Role::LeftLowerArm), to(Role::LeftHand), FOREARM, on(Role::LeftLowerArm), hand);
            add(of(Role::LeftHand), knuckles, HAND, on(Role::LeftHand), hand);
            add(of(Role::LeftUpperLeg), to(Role::LeftLowerLeg), THIGH, on(Role::LeftUpperLeg), None);
            add(of(Role::LeftLowerLeg), to(Role::LeftFoot), SHIN, on(Role::LeftLowerLeg), None);
            add(
                of(Role::LeftFoot),
                of(Role::LeftFoot).and_then(tip).map(To::Offset),
                FOOT,
                on(Role::LeftFoot),
                foot,
            );
            add(of(Role::LeftFoot), ball, FOOT, on(Role::LeftFoot), foot);
        }
        Self { bones }
    }

    /// The capsules of a pose, into room that is used again.
    pub(crate) fn place(&self, world: &WorldPose, capsules: &mut Vec<Capsule>) {
        capsules.clear();
        capsules.extend(self.bones.iter().map(|bone| {
            let from = world.positions[bone.from];
            let to = match bone.to {
                To::Joint(joint) => world.positions[joint],
                To::Offset(offset) => from + world.rotations[bone.from] * offset,
            };
            let Bone { radius_m, role, end, limb, .. } = *bone;
            Capsule { from, to, radius_m, role, end, limb }
        }));
    }

    /// How far an end of this body, carried by some way, is from a part of another or from all of it, in metres, below 0 where they
    /// overlap; and the way out of it, of length 1.
    pub(crate) fn gap_at(
        &self,
        world: &WorldPose,
        end: Role,
        way: Vec3,
        other: &Shape,
        theirs: &WorldPose,
        struck: Option<Role>,
    ) -> (f32, Vec3) {
        let mut placed = [Vec::new(), Vec::new()];
        self.place(world, &mut placed[0]);
        other.place(theirs, &mut placed[1]);
        let mut best = (f32::INFINITY, Vec3::ZERO);
        // A forearm does not strike with its hand.
        for own in placed[0].iter().filter(|capsule| capsule.role == end) {
            for its in placed[1].iter().filter(|capsule| struck.is_none_or(|part| capsule.role == part)) {
                let (a, b) = nearest((own.from + way, own.to + way), (its.from, its.to));
                let gap_m = a.distance(b) - own.radius_m - its.radius_m;
                if gap_m < best.0 {
                    best = (gap_m, (a - b).normalize_or_zero());
                }
            }
        }
        if best.0.is_finite() { best } else { (0.0, Vec3::ZERO) }
    }

    /// How deep two bodies are in each other at the deepest, in metres; below 0 is the width of the gap between them.
    pub fn depth_m(shapes: [&Shape; 2], worlds: [&WorldPose; 2]) -> f32 {
        let mut placed = [Vec::new(), Vec::new()];
        for ((shape, world), capsules) in shapes.into_iter().zip(worlds).zip(&mut placed) {
            shape.place(world, capsules);
        }
        let pairs = placed[0].iter().flat_map(|a| placed[1].iter().map(move |b| -a.gap_m(b)));
        pairs.fold(f32::NEG_INFINITY, f32::max)
    }
}

impl Capsule {
    /// How far two capsules are apart; below 0 they overlap.
    pub(crate) fn gap_m(&self, other: &Capsule) -> f32 {
        let (a, b) = nearest((self.from, self.to), (other.from, other.to));
        a.distance(b) - self.radius_m - other.radius_m
    }
}

/// The points of two line segments that are nearest to each other (Ericson, *Real-Time Collision Detection*, 2005, section 5.1.9).
pub(crate) fn nearest(one: (Vec3, Vec3), other: (Vec3, Vec3)) -> (Vec3, Vec3) {
    let (d1, d2, r) = (one.1 - one.0, other.1 - other.0, one.0 - other.0);
    let (a, e, f) = (d1.length_squared(), d2.length_squared(), d2.dot(r));
    let (c, b) = (d1.dot(r), d1.dot(d2));
    let small = 1e-12;
    let (s, t) = if a <= small && e <= small {
        (0.0, 0.0)
    } else if a <= small {
        (0.0, (f / e).clamp(0.0, 1.0))
    } else if e <= small {
        ((-c / a).clamp(0.0, 1.0), 0.0)
    } else {
        let slant = a * e - b * b;
        let s = if slant > small { ((b * f - c * e) / slant).clamp(0.0, 1.0) } else { 0.0 };
        let t = (b * s + f) / e;
        if t < 0.0 {
            ((-c / a).clamp(0.0, 1.0), 0.0)
        } else if t > 1.0 {
            (((b - c) / a).clamp(0.0, 1.0), 1.0)
        } else {
            (s, t)
        }
    };
    (one.0 + d1 * s, other.0 + d2 * t)
}

const SPINE: [Role; 5] = [Role::Hips, Role::Spine, Role::Chest, Role::UpperChest, Role::Neck];

/// Radii over the body's height.
const TRUNK: f32 = 0.066;
const HEAD: f32 = 0.052;
const UPPER_ARM: f32 = 0.026;
const FOREARM: f32 = 0.021;
const HAND: f32 = 0.019;
const THIGH: f32 = 0.042;
const SHIN: f32 = 0.028;
const FOOT: f32 = 0.022;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The least distance over a fine grid of both segments.
    fn by_trying(one: (Vec3, Vec3), other: (Vec3, Vec3)) -> f32 {
        let n = 60;
        let points = |s: (Vec3, Vec3)| (0..=n).map(move |i| s.0.lerp(s.1, i as f32 / n as f32));
        points(one).flat_map(|a| points(other).map(move |b| a.distance(b))).fold(f32::INFINITY, f32::min)
    }

    fn point() -> impl Strategy<Value = Vec3> {
        (-1f32..1.0, -1f32..1.0, -1f32..1.0).prop_map(|(x, y, z)| Vec3::new(x, y, z))
    }

    proptest! {
        #[test]
        fn the_closed_form_equals_trying(a in point(), b in point(), c in point(), d in point()) {
            let (p, q) = nearest((a, b), (c, d));
            let tried = by_trying((a, b), (c, d));
            prop_assert!(p.distance(q) <= tried + 1e-4 && tried - p.distance(q) < 0.04);
        }
    }

    #[test]
    fn points_and_parallels_have_nearest_points_too() {
        let (o, x, y) = (Vec3::ZERO, Vec3::X, Vec3::Y);
        for (one, other, wanted) in [
            ((o, o), (y, y), 1.0),
            ((o, o), (y - x, y + x), 1.0),
            ((o, x), (y, y + x), 1.0),
            ((y, y), (o, x), 1.0),
        ] {
            let (a, b) = nearest(one, other);
            assert!((a.distance(b) - wanted).abs() < 1e-6);
        }
    }
}
