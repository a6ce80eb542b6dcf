//! A dancer without arms: pelvis, trunk, head and legs, along a path with footfalls.

use marey_motion::{LocalPose, Quat, Role, Side, Vec3};

use super::Path;
use crate::curve::Curve;
use crate::figure::Figure;
use crate::gait::{Feet, Footsteps, PelvisPose, headroom_m, pose_leg};

/// The smallest knee angle, in radians: dancers never lock their knees.
const MIN_KNEE_FOLD_RAD: f32 = 0.24;
/// Smoothing of the pelvis level: a moving average over this many seconds, applied three times.
const LEVEL_SECS: f64 = 0.34;
/// Shift of the weight over the standing foot, as a fraction of the distance to it, and its limit in metres.
const WEIGHT_SHIFT_SHARE: f32 = 0.45;
const MAX_WEIGHT_SHIFT_M: f32 = 0.075;
/// Smoothing of the weight shift: a moving average over this many seconds, applied three times.
const WEIGHT_SECS: f64 = 0.1;

/// The posture of a dancer as functions of time.
#[derive(Debug, Clone)]
pub(crate) struct DancerPosture {
    /// Vertical motion with the music, in metres.
    pub(crate) rise_m: Curve,
    /// Forward lean of the trunk, in radians.
    pub(crate) lean_rad: Curve,
    /// Rotation of the chest to the left against the hips, in radians.
    pub(crate) twist_rad: Curve,
}

/// A dancer that can be posed, except for the arms.
#[derive(Debug, Clone)]
pub(crate) struct Dancer {
    pub(crate) figure: Figure,
    pub(crate) footsteps: Footsteps,
    path: Path,
    feet: Feet,
    posture: DancerPosture,
    /// Offset of the weight from the path, along x and z.
    weight_m: [Curve; 2],
    level_m: Curve,
}

impl Dancer {
    pub(crate) fn new(
        figure: Figure,
        path: Path,
        footsteps: Footsteps,
        posture: DancerPosture,
        duration_secs: f64,
    ) -> Self {
        let feet = Feet::of(&footsteps, &figure, 1.0);
        let weight_m = weight_shift(&path, &footsteps, duration_secs);
        let level_m = Curve::sampled(0.0, |_| 0.0);
        let mut dancer = Self { figure, footsteps, path, feet, posture, weight_m, level_m };
        let allowed = Curve::sampled(duration_secs, |secs| {
            let pelvis = dancer.pelvis(secs);
            let headroom = Side::BOTH.map(|side| {
                let leg = dancer.figure.leg(side);
                headroom_m(leg, leg.reach_m(MIN_KNEE_FOLD_RAD), &pelvis, dancer.feet.at(side, secs).ankle)
            });
            f64::from(headroom[0].min(headroom[1]))
        });
        dancer.level_m = allowed.smoothly_below(LEVEL_SECS);
        dancer
    }

    fn pelvis(&self, secs: f64) -> PelvisPose {
        let ground = self.path.at(secs);
        let weight = Vec3::new(self.weight_m[0].at(secs) as f32, 0.0, self.weight_m[1].at(secs) as f32);
        let height = (self.level_m.at(secs) + self.posture.rise_m.at(secs)) as f32;
        // The hip over the standing foot is higher.
        let sideways_m = (ground.rotation().inverse() * weight).x;
        let tilt_rad = 0.05 + 0.35 * self.posture.lean_rad.at(secs) as f32;
        PelvisPose {
            position: ground.translation() + weight + Vec3::Y * height,
            rotation: ground.rotation()
                * Quat::from_rotation_z(0.8 * sideways_m)
                * Quat::from_rotation_x(tilt_rad),
        }
    }

    /// Poses the body except for arms and head.
    pub(crate) fn pose(&self, secs: f64, pose: &mut LocalPose) {
        let pelvis = self.pelvis(secs);
        pose.positions[0] = pelvis.position;
        self.figure.rotate(pose, Role::Hips, pelvis.rotation);
        self.figure.rotate_spine(pose, pelvis.rotation, self.chest(secs));
        for side in Side::BOTH {
            pose_leg(&self.figure, side, &pelvis, &self.feet.at(side, secs), pose);
        }
    }

    /// The world rotation of the chest.
    pub(crate) fn chest(&self, secs: f64) -> Quat {
        let yaw = self.path.heading_rad.at(secs) + self.posture.twist_rad.at(secs);
        Quat::from_rotation_y(yaw as f32) * Quat::from_rotation_x(self.posture.lean_rad.at(secs) as f32)
    }

    /// Turns the head towards the partner, within the range of the neck. It looks forward if the partner is behind.
    pub(crate) fn look_at(&self, secs: f64, partner: Vec3, pose: &mut LocalPose) {
        let chest = self.chest(secs);
        let forward = chest * Vec3::Z;
        let to_partner = (partner - self.path.point(secs)).with_y(0.0).normalize_or(forward);
        let sideways = forward.with_y(0.0).normalize_or(Vec3::Z).cross(to_partner).y;
        let yaw = forward.x.atan2(forward.z) + 0.75 * sideways;
        let head = Quat::from_rotation_y(yaw) * Quat::from_rotation_x(0.08);
        self.figure.rotate_head(pose, chest, head);
    }

    /// The position of the body on the floor.
    pub(crate) fn place(&self, secs: f64) -> Vec3 {
        self.path.point(secs)
    }
}

/// The shift of the weight over each foot in single support.
fn weight_shift(path: &Path, footsteps: &Footsteps, duration_secs: f64) -> [Curve; 2] {
    let mut nodes = [vec![(0.0, 0.0)], vec![(0.0, 0.0)]];
    for pair in footsteps.holds.windows(2).filter(|pair| pair[0].land_secs > 0.0) {
        let secs = 0.5 * (pair[0].land_secs + pair[1].land_secs);
        let shift = WEIGHT_SHIFT_SHARE * (pair[0].place.translation() - path.point(secs));
        let shift = shift.clamp_length_max(MAX_WEIGHT_SHIFT_M);
        nodes[0].push((secs, f64::from(shift.x)));
        nodes[1].push((secs, f64::from(shift.z)));
    }
    let last = footsteps.holds.last().map_or(0.0, |hold| hold.land_secs.max(0.0));
    nodes.map(|mut nodes| {
        nodes.push((last + 0.5, 0.0));
        Curve::polyline(duration_secs, &nodes).smoothed(WEIGHT_SECS)
    })
}
