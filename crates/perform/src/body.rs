//! The character's body: where its mass is, how it resists spin, and what it takes hold with.

use std::sync::Arc;

use glam::{Mat3, Quat, Vec3};
use marey_motion::{Ground, Role, Side, Skeleton, WorldPose};
use marey_ops::state::Masses;

use crate::Result;
use crate::engage::Effector;

/// Mass over the square of the height, in kg/m²: in the middle of what is healthy.
const MASS_INDEX: f32 = 22.0;
/// What limbs add to inertia beyond their middles, for each kilogram of the body, in m².
const OWN_INERTIA_M2: f32 = 0.012;
/// How far towards the knuckles a hand holds, over the way from the wrist.
const GRIP: f32 = 0.8;
/// The share of its reach that a limb is allowed, so that no joint has to lock.
const EASE: f32 = 0.985;

/// A point fixed to a joint.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Fixed {
    pub(crate) joint: usize,
    /// In the joint's frame.
    pub(crate) offset: Vec3,
}

impl Fixed {
    pub(crate) fn at(&self, world: &WorldPose) -> Vec3 {
        world.positions[self.joint] + world.rotations[self.joint] * self.offset
    }
}

/// A human body, ready to be simulated and posed.
#[derive(Debug, Clone)]
pub struct Body {
    skeleton: Arc<Skeleton>,
    masses: Masses,
    /// How much each joint's place counts in that of the centre of mass.
    pub(crate) weights: Vec<f32>,
    height_m: f32,
    mass_kg: f32,
    pub(crate) ends: [Fixed; 4],
    /// Where each limb hangs: both shoulders, both hips.
    pub(crate) roots: [usize; 4],
    /// The joints of each limb, from its root outwards, with all that hangs on them.
    pub(crate) branches: [Vec<usize>; 4],
    /// How far the centre of mass may be from each end.
    pub(crate) reach_m: [f32; 4],
    /// Whether a joint is another or under it, joints × joints.
    under: Vec<bool>,
    hips: usize,
    rest_from_hips: Quat,
}

impl Body {
    /// A body of a human skeleton, which has the roles of [`Role::CORE`].
    pub fn new(skeleton: Arc<Skeleton>) -> Result<Self> {
        let masses = Masses::of(&skeleton)?;
        let rest = Rest::of(&skeleton);
        let ends = rest.ends()?;
        let mut roots = [0; 4];
        for (root, effector) in roots.iter_mut().zip(Effector::ALL) {
            let role = if effector.is_hand() { Role::LeftUpperArm } else { Role::LeftUpperLeg };
            *root = skeleton.require(role.on(effector.side()))?;
        }
        let branches =
            roots.map(|root| (0..skeleton.len()).filter(|&j| skeleton.is_under(j, root)).collect());
        let height_m = rest.height_m();
        let weights = masses.weights(skeleton.len());
        let centre: Vec3 = weights.iter().zip(&rest.at).map(|(weight, at)| *weight * *at).sum();
        let mut reach_m = [0.0; 4];
        for (number, effector) in Effector::ALL.into_iter().enumerate() {
            let (root, end) = (rest.at[roots[number]], ends[number]);
            let length_m = rest.along(roots[number], end);
            let away = if effector.is_hand() { Vec3::Y } else { Vec3::NEG_Y };
            reach_m[number] = EASE * (root + away * length_m).distance(centre);
        }
        let joints = skeleton.len();
        let under = (0..joints * joints).map(|i| skeleton.is_under(i / joints, i % joints)).collect();
        let hips = skeleton.require(Role::Hips)?;
        let rest_from_hips = rest.turns[hips].inverse();
        let mass_kg = MASS_INDEX * height_m * height_m;
        Ok(Self {
            masses,
            weights,
            height_m,
            mass_kg,
            ends,
            roots,
            branches,
            reach_m,
            under,
            hips,
            rest_from_hips,
            skeleton,
        })
    }

    /// Its skeleton.
    pub fn skeleton(&self) -> &Arc<Skeleton> {
        &self.skeleton
    }

    /// From sole to crown, in metres.
    pub fn height_m(&self) -> f32 {
        self.height_m
    }

    /// What it weighs, in kg.
    pub fn mass_kg(&self) -> f32 {
        self.mass_kg
    }

    /// The centre of mass of joints at these places.
    pub fn centre(&self, joints: &[Vec3]) -> Vec3 {
        self.weights.iter().zip(joints).map(|(weight, at)| *weight * *at).sum()
    }

    /// The inertia about a centre, for each kilogram, in m².
    pub fn inertia(&self, joints: &[Vec3], centre: Vec3) -> Mat3 {
        let mut sum = Mat3::from_diagonal(Vec3::splat(OWN_INERTIA_M2));
        for (share, at) in self.masses.each(joints) {
            let d = at - centre;
            let square = Mat3::from_diagonal(Vec3::splat(d.length_squared()));
            sum += (square - Mat3::from_cols(d * d.x, d * d.y, d * d.z)) * share;
        }
        sum
    }

    /// The angular momentum about the centre of mass of joints that go from one place to another in a time, for each kilogram,
    /// in m²/s.
    pub fn angular_momentum(&self, from: &[Vec3], to: &[Vec3], secs: f32) -> Vec3 {
        let (before, after) = (self.centre(from), self.centre(to));
        let masses = self.masses.each(from).zip(self.masses.each(to));
        let moments = masses.map(|((share, a), (_, b))| {
            let (a, b) = (a - before, b - after);
            share * (0.5 * (a + b)).cross((b - a) / secs)
        });
        moments.sum()
    }

    /// Which way the hips face: the turn about +Y, in radians; `None` where they are upside down.
    pub(crate) fn yaw_rad(&self, world: &WorldPose) -> Option<f32> {
        let rotation = world.rotations[self.hips] * self.rest_from_hips;
        // By where "ahead" points, and by where "up" points where that is steep: a swimmer's heading is that of the head.
        let (ahead, up) = (rotation * Vec3::Z, rotation * Vec3::Y);
        let way = if up.y.abs() > 0.6 { ahead * up.y.signum() } else { up };
        let flat = way.with_y(0.0);
        (flat.length_squared() > 1e-6).then(|| Ground::new(0.0, 0.0, flat.x.atan2(flat.z)).yaw_rad)
    }

    /// Whether a joint is another or under it.
    pub(crate) fn is_under(&self, joint: usize, ancestor: usize) -> bool {
        self.under[joint * self.skeleton.len() + ancestor]
    }

    /// Where an end of a limb is.
    pub(crate) fn end(&self, world: &WorldPose, effector: Effector) -> Vec3 {
        self.ends[effector as usize].at(world)
    }

    /// What ends are told from where postures are compared: half way between the shoulders for hands, between the hips for feet.
    pub(crate) fn root(&self, world: &WorldPose, effector: Effector) -> Vec3 {
        let pair = if effector.is_hand() { [0, 1] } else { [2, 3] };
        let [left, right] = pair.map(|number| world.positions[self.roots[number]]);
        0.5 * (left + right)
    }
}

/// A skeleton at rest.
struct Rest<'a> {
    skeleton: &'a Skeleton,
    at: Vec<Vec3>,
    turns: Vec<Quat>,
}

impl<'a> Rest<'a> {
    fn of(skeleton: &'a Skeleton) -> Self {
        Self { skeleton, at: skeleton.rest_positions(), turns: skeleton.rest_world_rotations() }
    }

    fn tips(&self) -> impl Iterator<Item = (usize, Vec3)> + '_ {
        self.skeleton
            .tips()
            .iter()
            .map(|tip| (tip.parent, self.at[tip.parent] + self.turns[tip.parent] * tip.offset))
    }

    /// From the lowest to the highest point; never nothing.
    fn height_m(&self) -> f32 {
        let heights = self.at.iter().copied().chain(self.tips().map(|(_, tip)| tip)).map(|at| at.y);
        let (low, high) = heights.fold((f32::MAX, f32::MIN), |(low, high), y| (low.min(y), high.max(y)));
        (high - low).max(0.1)
    }

    fn ends(&self) -> Result<[Fixed; 4]> {
        let mut ends = [Fixed { joint: 0, offset: Vec3::ZERO }; 4];
        for (end, effector) in ends.iter_mut().zip(Effector::ALL) {
            let joint = self.skeleton.require(effector.role())?;
            let place = if effector.is_hand() {
                self.grip(joint, effector.side())
            } else {
                self.sole(joint, effector.side())
            };
            *end = Fixed { joint, offset: self.turns[joint].inverse() * (place - self.at[joint]) };
        }
        Ok(ends)
    }

    fn grip(&self, hand: usize, side: Side) -> Vec3 {
        let knuckles = self.skeleton.joint_of(Role::LeftMiddleProximal.on(side)).unwrap_or(hand);
        self.at[hand].lerp(self.at[knuckles], GRIP)
    }

    /// Below the middle of the foot.
    fn sole(&self, foot: usize, side: Side) -> Vec3 {
        let toes = self.skeleton.joint_of(Role::LeftToes.on(side)).unwrap_or(foot);
        let under = |joint: usize| self.skeleton.is_under(joint, foot);
        let joints = self.at.iter().enumerate().filter(|(joint, _)| under(*joint)).map(|(_, at)| at.y);
        let tips = self.tips().filter(|(parent, _)| under(*parent)).map(|(_, at)| at.y);
        let low = joints.chain(tips).fold(f32::MAX, f32::min);
        self.at[foot].midpoint(self.at[toes]).with_y(low)
    }

    /// The length of a limb from its root to its end, along its bones.
    fn along(&self, root: usize, end: Fixed) -> f32 {
        let mut length_m = (self.turns[end.joint] * end.offset).length();
        let mut joint = end.joint;
        while joint > root {
            length_m += self.skeleton.offsets()[joint].length();
            joint = self.skeleton.parents()[joint];
        }
        length_m
    }
}

#[cfg(test)]
mod tests {
    use marey_motion::LocalPose;

    use super::*;

    fn body() -> Body {
        Body::new(marey_examples::Body::default().skeleton().unwrap()).unwrap()
    }

    #[test]
    fn a_human_at_rest() {
        let body = body();
        let world = WorldPose::of(body.skeleton(), LocalPose::rest(body.skeleton()).view());
        assert!((body.height_m() - 1.72).abs() < 1e-3 && (60.0..70.0).contains(&body.mass_kg()));
        let centre = body.centre(&world.positions);
        // About 57 % of the height up, with the arms spread.
        assert!((0.53..0.62).contains(&(centre.y / 1.72)), "{centre}");
        for effector in [Effector::LeftFoot, Effector::RightFoot] {
            assert!(body.end(&world, effector).y.abs() < 1e-4);
        }
        assert!(body.end(&world, Effector::LeftHand).x > 0.6);
        assert_eq!(body.yaw_rad(&world), Some(0.0));
        assert!(
            (0.95..1.1).contains(&body.reach_m[0]) && (0.95..1.1).contains(&body.reach_m[2]),
            "{:?}",
            body.reach_m
        );
    }

    #[test]
    fn a_body_that_turns_as_a_whole_has_the_momentum_of_its_inertia() {
        let body = body();
        let world = WorldPose::of(body.skeleton(), LocalPose::rest(body.skeleton()).view());
        let centre = body.centre(&world.positions);
        let (spin, secs) = (Vec3::new(0.3, -1.0, 0.7), 1e-3);
        let turn = Quat::from_scaled_axis(spin * secs);
        let there: Vec<Vec3> = world.positions.iter().map(|p| centre + turn * (*p - centre)).collect();
        let moved = body.angular_momentum(&world.positions, &there, secs);
        let wanted = body.inertia(&world.positions, centre) * spin - OWN_INERTIA_M2 * spin;
        assert!(moved.distance(wanted) < 0.01 * wanted.length(), "{moved} {wanted}");
    }
}
