//! A dancer: the pose at any time of a phrase.

use marey_motion::{Clip, ClipParts, Contact, Contacts, LocalPose, Quat, Role, Side, Vec3, WorldPose};
use rand::Rng;

use super::legs::{KNEE, LegPlan, curve, secs};
use super::phrase::Phrase;
use super::posture::Posture;
use crate::Result;
use crate::clock::Clock;
use crate::couple::{Path, pose_arm};
use crate::curve::Curve;
use crate::figure::{Figure, sign};
use crate::gait::{PelvisPose, headroom_m};
use crate::random::SmoothNoise;

/// Smoothing of the pelvis level: a moving average over this many seconds, applied three times.
const LEVEL_SECS: f64 = 0.12;
/// Fold of the elbow and of the fingers of a rounded arm, in radians.
const ROUND_RAD: f32 = 0.5;
const FINGERS_RAD: f32 = 0.25;
/// Heels raised by less than this angle are down, in radians.
const FLAT_RAD: f64 = 1e-9;

/// A dancer that can be posed.
#[derive(Debug, Clone)]
pub(super) struct Dancer {
    figure: Figure,
    path: Path,
    legs: [LegPlan; 2],
    heels_rad: Curve,
    level_m: Curve,
    /// The direction from shoulder to wrist of each arm, given as for a left arm: x, y, z.
    arms: [[Curve; 3]; 2],
    trunk: [Curve; 3],
    head: [Curve; 2],
    idle_motion: [SmoothNoise; 3],
    pub(super) duration_secs: f64,
}

impl Dancer {
    pub(super) fn new(figure: Figure, phrase: &Phrase, rng: &mut impl Rng) -> Self {
        let postures = &phrase.postures;
        let size = figure.height_m / 1.72;
        let path = Path {
            x: curve(postures, |p| size * p.x),
            z: curve(postures, |p| size * p.z),
            heading_rad: curve(postures, |p| p.heading_rad),
        };
        let arm = |side: usize| {
            [0, 1, 2].map(|axis| curve(postures, move |p: &Posture| p.arms.directions()[side][axis]))
        };
        let mut dancer = Self {
            path,
            legs: Side::BOTH.map(|side| LegPlan::of(postures, side, size)),
            heels_rad: curve(postures, |p| p.heels_rad),
            level_m: Curve::sampled(0.0, |_| 0.0),
            arms: [arm(0), arm(1)],
            trunk: [0, 1, 2].map(|i| curve(postures, move |p: &Posture| p.trunk[i])),
            head: [0, 1].map(|i| curve(postures, move |p: &Posture| p.head[i])),
            idle_motion: [2.2, 2.8, 3.4].map(|period_secs| SmoothNoise::new(rng, period_secs)),
            duration_secs: secs(postures.len()),
            figure,
        };
        let allowed = Curve::sampled(dancer.duration_secs, |secs| {
            let pelvis = dancer.pelvis(secs);
            let room = Side::BOTH.into_iter().filter_map(|side| {
                let plan = &dancer.legs[side as usize];
                let foot = plan.standing(secs, dancer.figure.sole, dancer.heels_rad.at(secs))?;
                let leg = dancer.figure.leg(side);
                let fold = (plan.fold_rad.at(secs) as f32).max(KNEE.min_fold_rad + 0.02);
                Some(headroom_m(leg, leg.reach_m(fold), &pelvis, foot.ankle))
            });
            f64::from(room.fold(f32::INFINITY, f32::min))
        });
        dancer.level_m = allowed.smoothly_below(LEVEL_SECS);
        dancer
    }

    fn pelvis(&self, secs: f64) -> PelvisPose {
        let heading = self.path.heading_rad.at(secs);
        let [yaw, _, pitch] = self.trunk.each_ref().map(|curve| curve.at(secs));
        // A leg raised behind tilts the pelvis forward; a leg raised in front tilts it slightly back.
        let tilt = if pitch > 0.0 { 1.2 * pitch } else { 0.4 * pitch };
        PelvisPose {
            position: self.path.point(secs) + Vec3::Y * self.level_m.at(secs) as f32,
            rotation: Quat::from_rotation_y((heading + 0.3 * yaw) as f32)
                * Quat::from_rotation_x(tilt as f32),
        }
    }

    /// Records the phrase.
    pub(super) fn record(&self, clock: Clock) -> Result<Clip> {
        let mut pose = LocalPose::rest(&self.figure.skeleton);
        let mut body = WorldPose::scratch(&self.figure.skeleton);
        let mut parts = ClipParts::default();
        for frame in 0..clock.frames {
            self.pose(frame as f64 / clock.rate_hz, &mut pose, &mut body);
            parts.push(pose.view());
        }
        Ok(Clip::new(self.figure.skeleton.clone(), clock.rate_hz, parts)?)
    }

    fn pose(&self, secs: f64, pose: &mut LocalPose, body: &mut WorldPose) {
        let pelvis = self.pelvis(secs);
        let heading = self.path.heading_rad.at(secs);
        let [turn, tip, breath] = self.idle_motion.each_ref().map(|noise| noise.at(secs));
        let [yaw, roll, pitch] = self.trunk.each_ref().map(|curve| curve.at(secs));
        pose.positions[0] = pelvis.position;
        self.figure.rotate(pose, Role::Hips, pelvis.rotation);
        let chest = Quat::from_rotation_y((heading + yaw + 0.012 * turn) as f32)
            * Quat::from_rotation_z((roll + 0.006 * tip) as f32)
            * Quat::from_rotation_x((0.9 * pitch + 0.008 * breath) as f32);
        self.figure.rotate_spine(pose, pelvis.rotation, chest);
        let [look, tilt] = self.head.each_ref().map(|curve| curve.at(secs));
        let half = Quat::from_rotation_y((0.5 * look) as f32)
            * Quat::from_rotation_z((0.5 * tilt) as f32)
            * Quat::from_rotation_x((-0.25 * pitch) as f32);
        self.figure.rotate(pose, Role::Neck, half);
        self.figure.rotate(pose, Role::Head, half);
        for side in Side::BOTH {
            let leg =
                self.legs[side as usize].pose(&self.figure, &pelvis, heading, self.heels_rad.at(secs), secs);
            leg.put(&self.figure, side, &pelvis, pose);
        }
        body.set(pose.view());
        for side in Side::BOTH {
            self.pose_hand(side, secs, body, pose);
        }
    }

    fn pose_hand(&self, side: Side, secs: f64, body: &WorldPose, pose: &mut LocalPose) {
        let skeleton = &self.figure.skeleton;
        let joint = |role: Role| skeleton.joint_of(role.on(side)).unwrap_or(0);
        let direction = Vec3::from(self.arms[side as usize].each_ref().map(|curve| curve.at(secs) as f32));
        let mirrored =
            Vec3::new(sign(side) * direction.x, direction.y, direction.z).normalize_or(Vec3::NEG_Y);
        let length = |role: Role| skeleton.offsets()[joint(role)].length();
        let reach_m = marey_ops::ik::reach_m(length(Role::LeftLowerArm), length(Role::LeftHand), ROUND_RAD);
        let chest = body.rotations[joint(Role::UpperChest)];
        let wrist = body.positions[joint(Role::LeftUpperArm)] + chest * mirrored * reach_m;
        pose_arm(&self.figure, side, body, wrist, 0.9, None, pose);
        let fingers = Quat::from_rotation_z(-sign(side) * FINGERS_RAD);
        self.figure.rotate(pose, Role::LeftMiddleProximal.on(side), fingers);
    }

    /// The contacts of heels and balls with the floor.
    pub(super) fn contacts(&self, clock: &Clock) -> Result<Contacts> {
        let mut contacts = Vec::new();
        for (plan, side) in self.legs.iter().zip(Side::BOTH) {
            for stand in &plan.stands {
                // The last contact frame is at or before the end of the stand.
                let frames = clock.range(stand.from_secs, stand.until_secs + 1e-6);
                let flat = |frame: usize| self.heels_rad.at(frame as f64 / clock.rate_hz) < FLAT_RAD;
                let mut start = frames.start;
                for frame in frames.clone() {
                    if !flat(frame) {
                        contacts.push(Contact { role: Role::LeftFoot.on(side), frames: start..frame });
                        start = frame + 1;
                    }
                }
                contacts.push(Contact { role: Role::LeftFoot.on(side), frames: start..frames.end });
                contacts.push(Contact { role: Role::LeftToes.on(side), frames });
            }
        }
        contacts.retain(|contact| !contact.frames.is_empty());
        Ok(Contacts::new(contacts, clock.frames)?)
    }
}
