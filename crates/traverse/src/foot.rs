//! A foot of a figure with legs: how long it is, and where its heel, ball and toes are.

use marey_motion::{Quat, Role, Side, Skeleton, Vec2, Vec3};
use marey_ops::sole::{Part, SolePoint};

use crate::hopper::plane;

/// How far toes reach ahead of the ball in a foot that does not say, in metres.
const TOES_M: f32 = 0.05;

/// A leg, from hip to toes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Leg {
    pub(crate) side: Side,
    pub(crate) upper: usize,
    pub(crate) lower: usize,
    pub(crate) foot: usize,
    /// The points of the sole that contacts are told of: heel and ball.
    pub(crate) sole: [SolePoint; 2],
    /// Heel and ball from the ankle, in the foot's frame.
    heel: Vec3,
    ball: Vec3,
    /// The joint that the tip of the toes hangs on, where the ball is one.
    toes: Option<usize>,
    /// The tip of the toes from the ball, in the frame of the toes, or of the foot.
    tip: Vec3,
    /// How high the tip is over a floor that the foot stands flat on, in metres.
    tip_rest_m: f32,
}

/// A foot in coordinates of the way: where its ball is, and how it is turned.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Foot {
    pub(crate) ball: Vec3,
    pub(crate) turn: Quat,
}

impl Leg {
    /// A leg that is whole.
    pub(crate) fn of(skeleton: &Skeleton, points: &[SolePoint], side: Side) -> Option<Self> {
        let joint = |role: Role| skeleton.joint_of(role.on(side));
        let point = |part: Part| points.iter().find(|p| p.side == side && p.part == part).copied();
        let foot = joint(Role::LeftFoot)?;
        let sole = [point(Part::Heel)?, point(Part::Ball)?];
        let (at, turns) = (skeleton.rest_positions(), skeleton.rest_world_rotations());
        let [heel, ball] = sole.map(|point| point.at(&at, &turns));
        let from_ankle = |point: Vec3| turns[foot].inverse() * (point - at[foot]);
        let toes = joint(Role::LeftToes);
        let tips = skeleton.tips().iter().filter(|tip| toes == Some(tip.parent)).map(|tip| tip.offset);
        let ahead = |tip: &Vec3| toes.map_or(0.0, |toes| (turns[toes] * *tip).z);
        let own = tips.filter(|tip| ahead(tip) > 0.0).max_by(|a, b| ahead(a).total_cmp(&ahead(b)));
        let (toes, tip) = match (toes, own) {
            (Some(toes), Some(tip)) => (Some(toes), tip),
            _ => (None, turns[foot].inverse() * (Vec3::Z * TOES_M)),
        };
        let floor = ball.y - sole[1].rest_m();
        let tip_rest_m = (ball + turns[toes.unwrap_or(foot)] * tip).y - floor;
        Some(Self {
            side,
            upper: joint(Role::LeftUpperLeg)?,
            lower: joint(Role::LeftLowerLeg)?,
            foot,
            sole,
            heel: from_ankle(heel),
            ball: from_ankle(ball),
            toes,
            tip,
            tip_rest_m,
        })
    }

    /// How far it is from heel to ball and from ball to the tip of the toes at rest, in metres.
    pub(crate) fn lengths_m(&self) -> [f32; 2] {
        [self.heel.distance(self.ball), self.tip.length()]
    }

    /// The middle of the sole, as a share of the way from heel to ball.
    pub(crate) fn middle(&self) -> f32 {
        let [heel_to_ball, toes] = self.lengths_m();
        if heel_to_ball > 0.0 { 0.5 * (heel_to_ball + toes) / heel_to_ball } else { 0.5 }
    }

    /// A foot by its ankle.
    pub(crate) fn foot_at(&self, ankle: Vec3, turn: Quat) -> Foot {
        Foot { ball: ankle + turn * self.ball, turn }
    }

    pub(crate) fn ankle(&self, foot: &Foot) -> Vec3 {
        foot.ball - foot.turn * self.ball
    }

    /// A foot tilted about the middle of its sole, upwards ahead.
    pub(crate) fn tilted(&self, foot: &Foot, by_rad: f32) -> Foot {
        let tilt = Quat::from_rotation_x(-by_rad);
        let from_middle = (1.0 - self.middle()) * (foot.turn * (self.ball - self.heel));
        Foot { ball: foot.ball + (tilt * from_middle - from_middle), turn: tilt * foot.turn }
    }

    /// Heel, ball and tip of the toes, along and up, each as far down as the floor is below it when the foot stands flat. The joints of the figure
    /// say how toes are bent.
    pub(crate) fn outline(&self, foot: &Foot, locals: &[Quat]) -> [Vec2; 3] {
        let heel = foot.ball + foot.turn * (self.heel - self.ball);
        let tip = foot.ball + foot.turn * (self.toes.map_or(Quat::IDENTITY, |toes| locals[toes]) * self.tip);
        let down = |point: Vec3, rest_m: f32| plane(point) - Vec2::Y * rest_m;
        let [heel_m, ball_m] = self.sole.map(|point| point.rest_m());
        [down(heel, heel_m), down(foot.ball, ball_m), down(tip, self.tip_rest_m)]
    }
}

#[cfg(test)]
mod tests {
    use marey_examples::Body;

    use super::*;

    #[test]
    fn a_foot_at_rest_lies_on_the_floor_from_heel_to_toes() {
        let skeleton = Body::default().skeleton().unwrap();
        let leg = Leg::of(&skeleton, &SolePoint::all(&skeleton), Side::Left).unwrap();
        let [heel_to_ball, toes] = leg.lengths_m();
        // 0.106 and 0.046 of 1.72 m.
        assert!((heel_to_ball - 0.182).abs() < 0.01 && (toes - 0.079).abs() < 0.01, "{heel_to_ball} {toes}");
        let (at, turns) = (skeleton.rest_positions(), skeleton.rest_world_rotations());
        let foot = leg.foot_at(at[leg.foot], turns[leg.foot]);
        assert!(leg.ankle(&foot).distance(at[leg.foot]) < 1e-6);
        let locals = vec![Quat::IDENTITY; skeleton.len()];
        let outline = leg.outline(&foot, &locals);
        assert!(outline.iter().all(|point| point.y.abs() < 1e-5), "{outline:?}");
        assert!((outline[2].x - outline[0].x - heel_to_ball - toes).abs() < 5e-3);
        // Tilted by a little, the middle stays, the heel goes down and the toes go up.
        let middle = outline[0].lerp(outline[1], leg.middle());
        let tilted = leg.outline(&leg.tilted(&foot, 0.1), &locals);
        assert!(tilted[0].lerp(tilted[1], leg.middle()).distance(middle) < 2e-3, "{tilted:?}");
        assert!(tilted[0].y < -0.01 && tilted[2].y > 0.01);
    }
}
