//! The leg of a walker, with heel, ball and toes of its foot.

use marey_motion::{Quat, Role, Side, Skeleton, Vec2, Vec3, WorldPose};
use marey_ops::leg::LegGeometry;
use marey_ops::sole::SolePoint;

use crate::hopper::side_view;

/// Toes bend up by at most this, in radians.
const MAX_TOE_RAD: f32 = 0.9;
/// Length of the toes if the skeleton has none, in metres.
const TOES_M: f32 = 0.05;

/// A leg, from hip to toes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Leg {
    pub(crate) side: Side,
    pub(crate) upper: usize,
    pub(crate) lower: usize,
    pub(crate) foot: usize,
    /// The contact points of the sole: heel and ball.
    pub(crate) sole: [SolePoint; 2],
    /// Heel and ball relative to the ankle, in the foot's frame.
    heel: Vec3,
    ball: Vec3,
    /// The rotation of the foot when it is flat.
    pub(crate) rest: Quat,
    /// The joint that carries the tip of the toes, if the ball is a joint.
    pub(crate) toes: Option<usize>,
    /// The tip of the toes relative to the ball, in the frame of the toes, or of the foot.
    tip: Vec3,
    /// Height of the tip above the floor when the foot is flat, in metres.
    tip_rest_m: f32,
}

/// The pose of a foot in path coordinates.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Foot {
    pub(crate) ball: Vec3,
    pub(crate) rotation: Quat,
}

impl Leg {
    /// Finds a leg; `None` if any of its joints is missing.
    pub(crate) fn of(skeleton: &Skeleton, side: Side) -> Option<Self> {
        let leg = LegGeometry::of(skeleton, side)?;
        let [heel, ball] = leg.heel_and_ball()?;
        let (positions, rotations) = (skeleton.rest_positions(), skeleton.rest_world_rotations());
        let toes = skeleton.joint_of(Role::LeftToes.on(side));
        let tips = skeleton.tips().iter().filter(|tip| toes == Some(tip.parent)).map(|tip| tip.offset);
        let ahead = |tip: &Vec3| toes.map_or(0.0, |toes| (rotations[toes] * *tip).z);
        let own = tips.filter(|tip| ahead(tip) > 0.0).max_by(|a, b| ahead(a).total_cmp(&ahead(b)));
        let (toes, tip) = match (toes, own) {
            (Some(toes), Some(tip)) => (Some(toes), tip),
            _ => (None, rotations[leg.foot].inverse() * (Vec3::Z * TOES_M)),
        };
        let ball_position = ball.point.at(&positions, &rotations);
        let floor = ball_position.y - ball.point.rest_m();
        let tip_rest_m = (ball_position + rotations[toes.unwrap_or(leg.foot)] * tip).y - floor;
        Some(Self {
            side,
            upper: leg.upper,
            lower: leg.lower,
            foot: leg.foot,
            sole: [heel.point, ball.point],
            heel: heel.offset,
            ball: ball.offset,
            rest: rotations[leg.foot],
            toes,
            tip,
            tip_rest_m,
        })
    }

    /// Distances from heel to ball and from ball to the tip of the toes at rest, in metres.
    pub(crate) fn lengths_m(&self) -> [f32; 2] {
        [self.heel.distance(self.ball), self.tip.length()]
    }

    /// The middle of the sole, as a fraction of the distance from heel to ball.
    pub(crate) fn middle(&self) -> f32 {
        let [heel_to_ball, toes] = self.lengths_m();
        if heel_to_ball > 0.0 { 0.5 * (heel_to_ball + toes) / heel_to_ball } else { 0.5 }
    }

    /// From heel to ball, for a rotation of the foot.
    pub(crate) fn along(&self, rotation: Quat) -> Vec3 {
        rotation * (self.ball - self.heel)
    }

    /// The pose of the foot for a position and rotation of the ankle.
    pub(crate) fn foot_at(&self, ankle: Vec3, rotation: Quat) -> Foot {
        Foot { ball: ankle + rotation * self.ball, rotation }
    }

    pub(crate) fn ankle(&self, foot: &Foot) -> Vec3 {
        foot.ball - foot.rotation * self.ball
    }

    /// The foot tilted about the middle of its sole; positive angles raise the toes.
    pub(crate) fn tilted(&self, foot: &Foot, by_rad: f32) -> Foot {
        let tilt = Quat::from_rotation_x(-by_rad);
        let from_middle = (1.0 - self.middle()) * self.along(foot.rotation);
        Foot { ball: foot.ball + (tilt * from_middle - from_middle), rotation: tilt * foot.rotation }
    }

    /// Heel, ball and tip of the toes in the vertical plane, each lowered by its height above the floor when the foot is
    /// flat. The local rotations give the flexion of the toes.
    pub(crate) fn outline(&self, foot: &Foot, locals: &[Quat]) -> [Vec2; 3] {
        let heel = foot.ball - self.along(foot.rotation);
        let tip = foot.ball + self.tip_offset(foot, locals);
        let down = |point: Vec3, rest_m: f32| side_view(point) - Vec2::Y * rest_m;
        let [heel_m, ball_m] = self.sole.map(|point| point.rest_m());
        [down(heel, heel_m), down(foot.ball, ball_m), down(tip, self.tip_rest_m)]
    }

    /// From the ball to the tip of the toes in a pose.
    pub(crate) fn tip_offset_in(&self, world: &WorldPose) -> Vec3 {
        world.rotations[self.toes.unwrap_or(self.foot)] * self.tip
    }

    /// From the ball to the tip of the toes.
    fn tip_offset(&self, foot: &Foot, locals: &[Quat]) -> Vec3 {
        foot.rotation * (self.toes.map_or(Quat::IDENTITY, |toes| locals[toes]) * self.tip)
    }

    /// The angle by which the toes must bend up for their tip to be higher by `up_m`, as far as they bend, in radians; 0 for a foot
    /// without a joint of the toes.
    pub(crate) fn toe_bend_rad(&self, foot: &Foot, locals: &[Quat], up_m: f32) -> f32 {
        let tip = self.tip_offset(foot, locals);
        let length_m = tip.length();
        if self.toes.is_none() || length_m <= f32::EPSILON {
            return 0.0;
        }
        let angle = |up_m: f32| (up_m / length_m).clamp(-1.0, 1.0).asin();
        (angle(tip.y + up_m) - angle(tip.y)).clamp(0.0, MAX_TOE_RAD)
    }

    /// [`Leg::outline`] with the toes bent up as far as the ball, if they have a joint: so far they give way to the ground.
    pub(crate) fn outline_with_bent_toes(&self, foot: &Foot, locals: &[Quat]) -> [Vec2; 3] {
        let [heel, ball, tip] = self.outline(foot, locals);
        if self.toes.is_none() {
            return [heel, ball, tip];
        }
        let offset = self.tip_offset(foot, locals);
        let bent_rad = offset.y.atan2(offset.with_y(0.0).length()) + MAX_TOE_RAD;
        let most_m = offset.length() * bent_rad.min(std::f32::consts::FRAC_PI_2).sin();
        [heel, ball, tip.with_y(tip.y.max(ball.y.min(tip.y + most_m - offset.y)))]
    }

    /// Bends the toes up by an angle.
    pub(crate) fn bend_toes(&self, foot: &Foot, locals: &mut [Quat], by_rad: f32) {
        let axis = self.tip_offset(foot, locals).cross(Vec3::Y).try_normalize();
        if let (Some(toes), Some(axis)) = (self.toes, axis) {
            let bend = Quat::from_axis_angle(foot.rotation.inverse() * axis, by_rad);
            locals[toes] = bend * locals[toes];
        }
    }
}

#[cfg(test)]
mod tests {
    use marey_body::BodyProportions;

    use super::*;

    #[test]
    fn foot_at_rest_lies_flat_on_the_floor() {
        let skeleton = BodyProportions::default().skeleton().unwrap();
        let leg = Leg::of(&skeleton, Side::Left).unwrap();
        let [heel_to_ball, toes] = leg.lengths_m();
        // 0.106 and 0.046 of a body height of 1.72 m.
        assert!((heel_to_ball - 0.182).abs() < 0.01 && (toes - 0.079).abs() < 0.01, "{heel_to_ball} {toes}");
        let (positions, rotations) = (skeleton.rest_positions(), skeleton.rest_world_rotations());
        let foot = leg.foot_at(positions[leg.foot], rotations[leg.foot]);
        assert!(leg.ankle(&foot).distance(positions[leg.foot]) < 1e-6);
        let locals = vec![Quat::IDENTITY; skeleton.len()];
        let outline = leg.outline(&foot, &locals);
        assert!(outline.iter().all(|point| point.y.abs() < 1e-5), "{outline:?}");
        assert!((outline[2].x - outline[0].x - heel_to_ball - toes).abs() < 5e-3);
        // A small tilt keeps the middle, lowers the heel and raises the toes.
        let middle = outline[0].lerp(outline[1], leg.middle());
        let tilted = leg.outline(&leg.tilted(&foot, 0.1), &locals);
        assert!(tilted[0].lerp(tilted[1], leg.middle()).distance(middle) < 2e-3, "{tilted:?}");
        assert!(tilted[0].y < -0.01 && tilted[2].y > 0.01);
    }
}
