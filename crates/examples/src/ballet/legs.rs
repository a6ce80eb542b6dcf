//! A dancer's leg: the footholds, and the movements in the air.

use marey_motion::{Ground, Quat, Side, Vec3, smootherstep};
use marey_ops::ik::IkSettings;

use super::POSTURE_SECS;
use super::posture::{Posture, RaisedLeg, TURNED_OUT_RAD};
use crate::curve::Curve;
use crate::figure::{Figure, Sole, sign};
use crate::gait::{FootPose, LegPose, PelvisPose, on_ball};

/// Stretch of a pointed foot from a right angle to the shank, in radians.
const POINTED_RAD: f32 = 1.1;
/// The range of the knee's fold, in radians.
pub(super) const KNEE: IkSettings = IkSettings { min_fold_rad: 0.12, max_fold_rad: 2.4 };
/// Duration of a foot's movement out or back, in seconds.
const MOVE_SECS: f64 = POSTURE_SECS;
/// Smoothing between postures: a moving average over this many seconds, applied three times.
const SMOOTHING_SECS: f64 = 0.14;

/// A time span in which a foot stands at a place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Stand {
    pub(super) from_secs: f64,
    pub(super) until_secs: f64,
    place: Ground,
}

/// One leg through a phrase.
#[derive(Debug, Clone)]
pub(super) struct LegPlan {
    side: Side,
    pub(super) stands: Vec<Stand>,
    /// Azimuth, angle from the vertical, stretch: see [`RaisedLeg`].
    raised: [Curve; 3],
    pub(super) fold_rad: Curve,
}

/// A curve through one number of every posture.
pub(super) fn curve(postures: &[Posture], value: impl Fn(&Posture) -> f32) -> Curve {
    let nodes: Vec<(f64, f64)> =
        postures.iter().enumerate().map(|(i, posture)| (secs(i), f64::from(value(posture)))).collect();
    Curve::polyline(secs(postures.len()), &nodes).smoothed(SMOOTHING_SECS)
}

/// The time of a posture.
pub(super) fn secs(index: usize) -> f64 {
    POSTURE_SECS * index as f64
}

impl LegPlan {
    pub(super) fn of(postures: &[Posture], side: Side, size: f32) -> Self {
        let leg = side as usize;
        let mut stands: Vec<Stand> = Vec::new();
        let mut stood = false;
        for (i, posture) in postures.iter().enumerate() {
            let stands_now = posture.raised[leg].is_none();
            if stands_now {
                let Ground { x, z, yaw_rad } = posture.feet[leg];
                let place = Ground::new(size * x, size * z, yaw_rad);
                match stands.last_mut() {
                    Some(stand) if stood => stand.until_secs = secs(i),
                    _ => stands.push(Stand { from_secs: secs(i), until_secs: secs(i), place }),
                }
            }
            stood = stands_now;
        }
        if let Some(first) = stands.first_mut() {
            first.from_secs = f64::NEG_INFINITY;
        }
        if let Some(last) = stands.last_mut() {
            last.until_secs = f64::INFINITY;
        }
        let raised = [
            raised_leg_curve(postures, leg, |leg| leg.azimuth_rad),
            raised_leg_curve(postures, leg, |leg| leg.from_vertical_rad),
            raised_leg_curve(postures, leg, |leg| leg.stretch),
        ];
        Self { side, stands, raised, fold_rad: curve(postures, |posture| posture.fold_rad[leg]) }
    }

    /// The stand at or before a time, and the next one if the foot is off the floor.
    fn stands_around(&self, secs: f64) -> (&Stand, Option<&Stand>) {
        let next = self.stands.partition_point(|stand| stand.from_secs <= secs).max(1);
        let last = &self.stands[next - 1];
        (last, if secs <= last.until_secs { None } else { self.stands.get(next) })
    }

    /// The foothold at a time, if the foot stands.
    pub(super) fn standing(&self, secs: f64, sole: Sole, heel_up_rad: f64) -> Option<FootPose> {
        let (stand, next) = self.stands_around(secs);
        next.is_none().then(|| on_ball(sole, stand.place, 0.0, heel_up_rad))
    }

    pub(super) fn pose(
        &self,
        figure: &Figure,
        pelvis: &PelvisPose,
        heading_rad: f64,
        heel_up_rad: f64,
        secs: f64,
    ) -> LegPose {
        let leg = figure.leg(self.side);
        let hip = pelvis.hip(leg);
        let (stand, next) = self.stands_around(secs);
        let from = on_ball(figure.sole, stand.place, 0.0, heel_up_rad);
        let Some(next) = next else {
            let bent = self.fold(figure, pelvis, hip, from.ankle);
            return LegPose { foot: from.rotation, toes_up_rad: from.toes_up_rad, ..bent };
        };
        let to = on_ball(figure.sole, next.place, 0.0, heel_up_rad);
        let gap = next.from_secs - stand.until_secs;
        let share = smootherstep((secs - stand.until_secs) / gap) as f32;
        let away = smootherstep((secs - stand.until_secs) / MOVE_SECS)
            * smootherstep((next.from_secs - secs) / MOVE_SECS);
        let away = away as f32;
        let on_floor = from.ankle.lerp(to.ankle, share);
        let in_air = hip + Quat::from_rotation_y(heading_rad as f32) * self.hip_to_ankle(figure, secs);
        let mut ankle = on_floor.lerp(in_air, away);
        let floor = from.rotation.slerp(to.rotation, share);
        let mut bent = self.fold(figure, pelvis, hip, ankle);
        // The pointed foot brushes the floor, so it is raised to the floor's height.
        for _ in 0..4 {
            bent.foot = floor.slerp(bent.stretched(POINTED_RAD).foot, away);
            bent.toes_up_rad = from.toes_up_rad * (1.0 - away);
            ankle.y -= lowest(figure.sole, ankle, &bent).min(0.0);
            bent = LegPose {
                foot: bent.foot,
                toes_up_rad: bent.toes_up_rad,
                ..self.fold(figure, pelvis, hip, ankle)
            };
        }
        bent
    }

    /// The vector from hip to ankle of a raised leg, for a dancer who faces +Z.
    fn hip_to_ankle(&self, figure: &Figure, secs: f64) -> Vec3 {
        let [azimuth, from_vertical, stretch] = self.raised.each_ref().map(|curve| curve.at(secs) as f32);
        let direction = Vec3::new(
            sign(self.side) * from_vertical.sin() * azimuth.sin(),
            -from_vertical.cos(),
            from_vertical.sin() * azimuth.cos(),
        );
        stretch * figure.leg(self.side).reach_m(KNEE.min_fold_rad) * direction
    }

    /// Bends the leg with turn-out. The knee rotates with the swing of the whole leg from hanging.
    fn fold(&self, figure: &Figure, pelvis: &PelvisPose, hip: Vec3, ankle: Vec3) -> LegPose {
        let leg = figure.leg(self.side);
        let direction = pelvis.rotation.inverse() * (ankle - hip);
        let swing = Quat::from_rotation_arc(Vec3::NEG_Y, direction.normalize_or(Vec3::NEG_Y));
        let turned_out = Quat::from_rotation_y(sign(self.side) * TURNED_OUT_RAD);
        let pole = pelvis.rotation * swing * turned_out * Vec3::Z;
        LegPose::folded(leg, hip, ankle, pole, &KNEE)
    }
}

/// A curve through one number of a leg while it is raised, interpolated in between.
fn raised_leg_curve(postures: &[Posture], leg: usize, value: impl Fn(&RaisedLeg) -> f32) -> Curve {
    let raised = postures.iter().enumerate().filter_map(|(i, posture)| Some((i, posture.raised[leg]?)));
    let nodes: Vec<(f64, f64)> = raised.map(|(i, leg)| (secs(i), f64::from(value(&leg)))).collect();
    Curve::polyline(secs(postures.len()), &nodes).smoothed(SMOOTHING_SECS)
}

/// The lowest point of a foot's sole.
fn lowest(sole: Sole, ankle: Vec3, leg: &LegPose) -> f32 {
    let toes = leg.foot * Quat::from_rotation_x(-leg.toes_up_rad);
    let tip = sole.toe - sole.ball;
    let points = [
        leg.foot * sole.heel,
        leg.foot * sole.ball - Vec3::Y * sole.ball_height_m(),
        leg.foot * sole.ball + toes * tip,
    ];
    points.into_iter().map(|point| ankle.y + point.y).fold(f32::INFINITY, f32::min)
}
