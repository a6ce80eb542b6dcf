//! One fighter: the pose at any time.

use marey_motion::{LocalPose, Quat, Role, Side, Vec3, WorldPose, smootherstep};
use rand::Rng;

use super::footwork::Footwork;
use super::key::{Key, Keys};
use super::kick::Kick;
use super::script::Script;
use crate::couple::{Path, pose_arm};
use crate::curve::Curve;
use crate::figure::{Figure, sign};
use crate::gait::{PelvisPose, headroom_m, pose_leg};
use crate::random::SmoothNoise;

/// Smallest fold of a standing knee, in radians.
const MIN_KNEE_FOLD_RAD: f32 = 0.34;
/// Smoothing of the pelvis level: a moving average over this many seconds, applied three times.
const LEVEL_SECS: f64 = 0.12;
/// Smoothing of the path over the floor: a moving average over this many seconds, applied three times.
const PATH_SECS: f64 = 0.13;
/// Bend of the knuckles in a fist, in radians.
const FIST_RAD: f32 = 1.5;

/// The movement of a hand to a world position and back.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Reach {
    pub(super) side: Side,
    /// Position of the wrist on arrival.
    pub(super) wrist: Vec3,
    /// Times of departure, arrival, departure from there, and return.
    pub(super) secs: [f64; 4],
}

impl Reach {
    fn share(&self, secs: f64) -> f32 {
        let [leaves, arrives, returns, back] = self.secs;
        (smootherstep((secs - leaves) / (arrives - leaves))
            - smootherstep((secs - returns) / (back - returns))) as f32
    }
}

/// A fighter that can be posed.
#[derive(Debug, Clone)]
pub(super) struct Fighter {
    pub(super) figure: Figure,
    lead: Side,
    keys: Keys,
    path: Path,
    pub(super) feet: Footwork,
    level_m: Curve,
    /// The kicks of each leg, sorted by time.
    pub(super) kicks: [Vec<Kick>; 2],
    pub(super) reaches: Vec<Reach>,
    idle_motion: IdleMotion,
}

/// Idle motion of hands and trunk.
#[derive(Debug, Clone)]
pub(super) struct IdleMotion {
    hands: [[SmoothNoise; 3]; 2],
    trunk: [SmoothNoise; 3],
}

impl IdleMotion {
    pub(super) fn new(rng: &mut impl Rng) -> Self {
        let mut three = |secs: [f64; 3]| secs.map(|period_secs| SmoothNoise::new(rng, period_secs));
        Self { hands: [three([1.3, 1.1, 1.6]), three([1.2, 1.5, 1.4])], trunk: three([2.1, 2.6, 1.8]) }
    }
}

impl Fighter {
    pub(super) fn new(
        figure: &Figure,
        script: &Script,
        idle_motion: &IdleMotion,
        duration_secs: f64,
    ) -> Self {
        let axis = |value: fn(&super::bout::Place) -> f64| {
            let nodes: Vec<(f64, f64)> =
                script.path.iter().map(|(secs, place)| (*secs, value(place))).collect();
            Curve::polyline(duration_secs, &nodes).smoothed(PATH_SECS)
        };
        let path = Path { x: axis(|p| p.x), z: axis(|p| p.z), heading_rad: axis(|p| p.heading_rad) };
        let mut fighter = Self {
            figure: figure.clone(),
            lead: script.lead,
            keys: Keys::through(&script.keys, duration_secs),
            path,
            feet: Footwork::of(script.foot_plan.clone(), figure),
            level_m: Curve::sampled(0.0, |_| 0.0),
            kicks: [Vec::new(), Vec::new()],
            reaches: Vec::new(),
            idle_motion: idle_motion.clone(),
        };
        let allowed = Curve::sampled(duration_secs, |secs| {
            let pelvis = fighter.pelvis(secs);
            let rise_m = fighter.size() * fighter.keys.at(secs).rise as f32;
            let room = Side::BOTH.into_iter().filter_map(|side| {
                let foot = fighter.feet.at(side, secs)?;
                let leg = fighter.figure.leg(side);
                Some(headroom_m(leg, leg.reach_m(MIN_KNEE_FOLD_RAD), &pelvis, foot.ankle) + rise_m)
            });
            f64::from(room.fold(f32::INFINITY, f32::min))
        });
        fighter.level_m = allowed.smoothly_below(LEVEL_SECS);
        fighter
    }

    fn size(&self) -> f32 {
        self.figure.height_m / 1.72
    }

    fn key(&self, secs: f64) -> Key {
        let mut key = self.keys.at(secs);
        let [turn, tip, lean] = self.idle_motion.trunk.each_ref().map(|noise| noise.at(secs));
        for (angle, noise) in key.chest.iter_mut().zip([0.03 * turn, 0.012 * tip, 0.02 * lean]) {
            *angle += noise;
        }
        for (hand, idle_motion) in [&mut key.lead, &mut key.rear].into_iter().zip(&self.idle_motion.hands) {
            for (place, noise) in hand.iter_mut().zip(idle_motion) {
                *place += 0.012 * noise.at(secs);
            }
        }
        key
    }

    /// The world rotation of a key's angles: to the left, tilted to the right, tilted forward.
    fn world_rotation(&self, heading_rad: f64, [yaw, roll, pitch]: [f64; 3]) -> Quat {
        let out = f64::from(sign(self.lead));
        Quat::from_rotation_y((heading_rad + out * yaw) as f32)
            * Quat::from_rotation_z((out * roll) as f32)
            * Quat::from_rotation_x(pitch as f32)
    }

    /// Rotates a vector of a key or a form to the fighter's heading.
    pub(super) fn facing(&self, secs: f64, v: Vec3) -> Vec3 {
        let mirrored = Vec3::new(sign(self.lead) * v.x, v.y, v.z);
        self.path.at(secs).direction(self.size() * mirrored)
    }

    fn pelvis(&self, secs: f64) -> PelvisPose {
        let key = self.keys.at(secs);
        let level_m = self.level_m.at(secs) as f32;
        let beside = Vec3::new(key.sideways as f32, key.rise as f32, key.ahead as f32);
        let position = self.path.point(secs) + self.facing(secs, beside) + Vec3::Y * level_m;
        PelvisPose { position, rotation: self.world_rotation(self.path.heading_rad.at(secs), key.hips) }
    }

    /// The position of a hip joint.
    pub(super) fn hip(&self, side: Side, secs: f64) -> Vec3 {
        self.pelvis(secs).hip(self.figure.leg(side))
    }

    /// Poses the whole body. `body` receives the world pose.
    pub(super) fn pose(&self, secs: f64, opponent: Vec3, pose: &mut LocalPose, body: &mut WorldPose) {
        let (key, heading) = (self.key(secs), self.path.heading_rad.at(secs));
        let pelvis = self.pelvis(secs);
        pose.positions[0] = pelvis.position;
        self.figure.rotate(pose, Role::Hips, pelvis.rotation);
        let chest = self.world_rotation(heading, key.chest);
        self.figure.rotate_spine(pose, pelvis.rotation, chest);
        self.pose_head(secs, opponent, chest, key.head, pose);
        for side in Side::BOTH {
            self.pose_leg(side, &pelvis, secs, pose);
        }
        body.set(pose.view());
        for side in Side::BOTH {
            self.pose_hand(side, secs, &key, body, pose);
        }
        body.set(pose.view());
    }

    /// Turns the head towards the opponent.
    fn pose_head(
        &self,
        secs: f64,
        opponent: Vec3,
        chest: Quat,
        [roll, pitch]: [f64; 2],
        pose: &mut LocalPose,
    ) {
        let to_opponent = opponent - self.path.point(secs);
        let forward = (chest * Vec3::Z).with_y(0.0).normalize_or(Vec3::Z);
        let facing = to_opponent.with_y(0.0).normalize_or(forward);
        // Within the range of the neck.
        let turn = f64::from(forward.cross(facing).y.atan2(forward.dot(facing))).clamp(-1.15, 1.15);
        let yaw = f64::from(forward.x.atan2(forward.z)) + turn;
        let out = f64::from(sign(self.lead));
        let head = Quat::from_rotation_y(yaw as f32)
            * Quat::from_rotation_z((out * roll) as f32)
            * Quat::from_rotation_x(pitch as f32);
        self.figure.rotate_head(pose, chest, head);
    }

    fn pose_leg(&self, side: Side, pelvis: &PelvisPose, secs: f64, pose: &mut LocalPose) {
        if let Some(foot) = self.feet.at(side, secs) {
            pose_leg(&self.figure, side, pelvis, &foot, pose);
            return;
        }
        let Some(kick) = self.kicks[side as usize].iter().find(|kick| kick.covers(secs)) else { return };
        let leg = self.figure.leg(side);
        kick.pose(leg, pelvis.hip(leg), secs).put(&self.figure, side, pelvis, pose);
    }

    fn pose_hand(&self, side: Side, secs: f64, key: &Key, body: &WorldPose, pose: &mut LocalPose) {
        let [out, up, ahead] = if side == self.lead { key.lead } else { key.rear };
        let place = Vec3::new(sign(self.lead) * out as f32, up as f32, ahead as f32);
        let upper_chest = self.figure.skeleton.joint_of(Role::UpperChest).unwrap_or(0);
        let mut wrist = body.positions[upper_chest] + body.rotations[upper_chest] * (self.size() * place);
        let reach = self
            .reaches
            .iter()
            .find(|reach| reach.side == side && (reach.secs[0]..reach.secs[3]).contains(&secs));
        if let Some(reach) = reach {
            wrist = wrist.lerp(reach.wrist, reach.share(secs));
        }
        pose_arm(&self.figure, side, body, wrist, 0.1, None, pose);
        let fist = Quat::from_rotation_z(-sign(side) * FIST_RAD);
        self.figure.rotate(pose, Role::LeftMiddleProximal.on(side), fist);
    }

    /// The position of the body on the floor.
    pub(super) fn place(&self, secs: f64) -> Vec3 {
        self.path.point(secs)
    }
}
