//! The body of a character or a performer: its masses, and the points of hands and feet that hold or stand.

use std::sync::Arc;

use glam::{Quat, Vec3};
use marey_body::{Masses, RestSkeleton};
use marey_motion::{Ground, Role, Side, Skeleton, WorldPose};

use crate::Result;
use crate::engage::Effector;

/// Body-mass index, in kg/m²: the middle of the healthy range.
const BODY_MASS_INDEX: f32 = 22.0;
/// Position of the grip, from the wrist (0) to the knuckles (1).
const GRIP: f32 = 0.8;
/// The usable fraction of a limb's length; at full length, its joints would lock.
const USABLE_REACH: f32 = 0.985;

/// A point that moves with a joint.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct FixedPoint {
    pub(crate) joint: usize,
    /// In the joint's frame.
    pub(crate) offset: Vec3,
}

impl FixedPoint {
    pub(crate) fn at(&self, world: &WorldPose) -> Vec3 {
        world.positions[self.joint] + world.rotations[self.joint] * self.offset
    }
}

/// A human body that can be simulated and posed.
#[derive(Debug, Clone)]
pub struct CharacterBody {
    skeleton: Arc<Skeleton>,
    masses: Masses,
    height_m: f32,
    mass_kg: f32,
    /// The points that hold or stand, in the order of [`Effector::ALL`].
    pub(crate) ends: [FixedPoint; 4],
    /// The root of each limb: both shoulders, both hips.
    pub(crate) roots: [usize; 4],
    /// The joints of each limb: its root and all descendants.
    pub(crate) branches: [Vec<usize>; 4],
    /// Largest distance of the centre of mass from each end, in metres.
    pub(crate) reach_m: [f32; 4],
    /// Whether a joint is another joint or its descendant: joints × joints.
    is_under: Vec<bool>,
    hips: usize,
    pub(crate) head: usize,
    rest_from_hips: Quat,
}

impl CharacterBody {
    /// The body of a human skeleton.
    ///
    /// # Errors
    /// If the skeleton lacks a role of [`Role::CORE`].
    pub fn new(skeleton: Arc<Skeleton>) -> Result<Self> {
        let masses = Masses::of(&skeleton)?;
        let rest = RestSkeleton::of(&skeleton);
        let ends = ends(&rest)?;
        let mut roots = [0; 4];
        for (root, effector) in roots.iter_mut().zip(Effector::ALL) {
            let role = if effector.is_hand() { Role::LeftUpperArm } else { Role::LeftUpperLeg };
            *root = skeleton.require(role.on(effector.side()))?;
        }
        let branches =
            roots.map(|root| (0..skeleton.len()).filter(|&j| skeleton.is_under(j, root)).collect());
        let height_m = rest.height_m();
        let centre = masses.centre(&rest.positions);
        let mut reach_m = [0.0; 4];
        for (limb, effector) in Effector::ALL.into_iter().enumerate() {
            let root = rest.positions[roots[limb]];
            let length_m = limb_length_m(&rest, roots[limb], ends[limb]);
            let outwards = if effector.is_hand() { Vec3::Y } else { Vec3::NEG_Y };
            reach_m[limb] = USABLE_REACH * (root + outwards * length_m).distance(centre);
        }
        let joints = skeleton.len();
        let is_under = (0..joints * joints).map(|i| skeleton.is_under(i / joints, i % joints)).collect();
        let hips = skeleton.require(Role::Hips)?;
        let head = skeleton.require(Role::Head)?;
        let rest_from_hips = rest.rotations[hips].inverse();
        let mass_kg = BODY_MASS_INDEX * height_m * height_m;
        Ok(Self {
            masses,
            height_m,
            mass_kg,
            ends,
            roots,
            branches,
            reach_m,
            is_under,
            hips,
            head,
            rest_from_hips,
            skeleton,
        })
    }

    /// The skeleton.
    pub fn skeleton(&self) -> &Arc<Skeleton> {
        &self.skeleton
    }

    /// The point masses.
    pub fn masses(&self) -> &Masses {
        &self.masses
    }

    /// The height from sole to crown, in metres.
    pub fn height_m(&self) -> f32 {
        self.height_m
    }

    /// The mass, in kg.
    pub fn mass_kg(&self) -> f32 {
        self.mass_kg
    }

    /// The centre of mass for joints at these positions.
    pub fn centre(&self, joints: &[Vec3]) -> Vec3 {
        self.masses.centre(joints)
    }

    /// The heading of the body: its rotation about +Y, in radians; `None` if it is undefined.
    ///
    /// A lying body, like a swimmer's, heads in the direction of its head.
    pub(crate) fn yaw_rad(&self, world: &WorldPose) -> Option<f32> {
        let rotation = world.rotations[self.hips] * self.rest_from_hips;
        let (ahead, up) = (rotation * Vec3::Z, rotation * Vec3::Y);
        let heading = if up.y.abs() > 0.6 { ahead * up.y.signum() } else { up };
        let flat = heading.with_y(0.0);
        (flat.length_squared() > 1e-6).then(|| Ground::new(0.0, 0.0, flat.x.atan2(flat.z)).yaw_rad)
    }

    /// Whether a joint is `ancestor` or its descendant.
    pub(crate) fn is_under(&self, joint: usize, ancestor: usize) -> bool {
        self.is_under[joint * self.skeleton.len() + ancestor]
    }

    /// The position of the point with which an effector holds or stands.
    pub(crate) fn end(&self, world: &WorldPose, effector: Effector) -> Vec3 {
        self.ends[effector as usize].at(world)
    }

    /// The origin that positions of an effector are relative to when postures are compared: the midpoint of the shoulders for hands,
    /// of the hips for feet.
    pub(crate) fn root(&self, world: &WorldPose, effector: Effector) -> Vec3 {
        let pair = if effector.is_hand() { [0, 1] } else { [2, 3] };
        let [left, right] = pair.map(|limb| world.positions[self.roots[limb]]);
        0.5 * (left + right)
    }
}

/// The points that hold or stand: the grips of the hands and the soles of the feet.
fn ends(rest: &RestSkeleton<'_>) -> Result<[FixedPoint; 4]> {
    let mut ends = [FixedPoint { joint: 0, offset: Vec3::ZERO }; 4];
    for (end, effector) in ends.iter_mut().zip(Effector::ALL) {
        let joint = rest.skeleton.require(effector.role())?;
        let position = if effector.is_hand() {
            grip(rest, joint, effector.side())
        } else {
            sole(rest, joint, effector.side())
        };
        *end = FixedPoint {
            joint,
            offset: rest.rotations[joint].inverse() * (position - rest.positions[joint]),
        };
    }
    Ok(ends)
}

fn grip(rest: &RestSkeleton<'_>, hand: usize, side: Side) -> Vec3 {
    let knuckles = rest.skeleton.joint_of(Role::LeftMiddleProximal.on(side)).unwrap_or(hand);
    rest.positions[hand].lerp(rest.positions[knuckles], GRIP)
}

/// The point under the middle of a foot.
fn sole(rest: &RestSkeleton<'_>, foot: usize, side: Side) -> Vec3 {
    let toes = rest.skeleton.joint_of(Role::LeftToes.on(side)).unwrap_or(foot);
    let lowest = rest.points_under(foot).map(|at| at.y).fold(f32::MAX, f32::min);
    rest.positions[foot].midpoint(rest.positions[toes]).with_y(lowest)
}

/// The length of a limb along its bones, from its root to its end, in metres.
fn limb_length_m(rest: &RestSkeleton<'_>, root: usize, end: FixedPoint) -> f32 {
    let mut length_m = (rest.rotations[end.joint] * end.offset).length();
    let mut joint = end.joint;
    while joint > root {
        length_m += rest.skeleton.offsets()[joint].length();
        joint = rest.skeleton.parents()[joint];
    }
    length_m
}

#[cfg(test)]
mod tests {
    use marey_body::BodyProportions;
    use marey_motion::LocalPose;

    use super::*;

    #[test]
    fn the_default_body_has_human_proportions() {
        let body = CharacterBody::new(BodyProportions::default().skeleton().unwrap()).unwrap();
        let world = WorldPose::of(body.skeleton(), LocalPose::rest(body.skeleton()).view());
        assert!((body.height_m() - 1.72).abs() < 1e-3 && (60.0..70.0).contains(&body.mass_kg()));
        let centre = body.centre(&world.positions);
        // About 57 % of the height, with the arms spread.
        assert!((0.53..0.62).contains(&(centre.y / 1.72)), "{centre}");
        for effector in [Effector::LeftFoot, Effector::RightFoot] {
            assert!(body.end(&world, effector).y.abs() < 1e-4);
        }
        assert!(body.end(&world, Effector::LeftHand).x > 0.6);
        assert_eq!(body.yaw_rad(&world), Some(0.0));
        for limb in [0, 2] {
            assert!((0.95..1.1).contains(&body.reach_m[limb]), "{:?}", body.reach_m);
        }
    }
}
