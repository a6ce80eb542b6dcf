//! The state of the performer, scaled to the character: positions, rates, and which feet stand on the performer's floor.

use glam::{Mat3, Quat, Vec3};
use marey_motion::{LocalPose, WorldPose};

use crate::character_body::CharacterBody;
use crate::engage::Effector;
use crate::hand_motion::HandMotion;
use crate::hand_stillness::HandTracker;

/// The state of the performer.
#[derive(Debug, Clone)]
pub(crate) struct PerformerState {
    pub(crate) pose: LocalPose,
    pub(crate) world: WorldPose,
    /// Joint positions relative to the centre of mass in the previous and the current frame.
    previous_offsets: Vec<Vec3>,
    offsets: Vec<Vec3>,
    pub(crate) centre: Vec3,
    /// The performer's heading, in radians.
    pub(crate) yaw_rad: f32,
    /// r̂ of each hand and foot.
    pub(crate) r: [Vec3; 4],
    /// The smoothed rate of change of r̂.
    pub(crate) rate: [Vec3; 4],
    /// w in the current and the previous frame.
    pub(crate) hand_motion: HandMotion,
    pub(crate) previous_hand_motion: HandMotion,
    hands: [Vec3; 2],
    hand_rates: [Vec3; 2],
    /// The hands in the room: their positions, velocities, and signs of a grip.
    in_room: [Vec3; 2],
    room_rates: [Vec3; 2],
    pub(crate) hand_trackers: [HandTracker; 2],
    /// Whether each foot stands on the performer's floor.
    pub(crate) is_standing: [bool; 2],
    /// L_rel: the angular momentum of the change of pose, per kilogram.
    pub(crate) relative_momentum: Vec3,
    /// L_rel averaged over recent frames, with which a body takes off.
    pub(crate) recent_momentum: Vec3,
    is_first_frame: bool,
}

/// The time constant of smoothed rates, in seconds.
const RATE_SECS: f32 = 0.025;
/// The time constant of the recent angular momentum, in seconds.
const RECENT_SECS: f32 = 0.12;
/// A foot within this height of the floor stands, as a fraction of the body's height.
const STANDING: f32 = 0.035;

impl PerformerState {
    pub(crate) fn new(body: &CharacterBody) -> Self {
        let joints = body.skeleton().len();
        let zero = HandMotion::new([Vec3::ZERO; 2], [Vec3::ZERO; 2], 1.0);
        Self {
            pose: LocalPose::rest(body.skeleton()),
            world: WorldPose::scratch(body.skeleton()),
            previous_offsets: vec![Vec3::ZERO; joints],
            offsets: vec![Vec3::ZERO; joints],
            centre: Vec3::ZERO,
            yaw_rad: 0.0,
            r: [Vec3::ZERO; 4],
            rate: [Vec3::ZERO; 4],
            hand_motion: zero,
            previous_hand_motion: zero,
            hands: [Vec3::ZERO; 2],
            hand_rates: [Vec3::ZERO; 2],
            in_room: [Vec3::ZERO; 2],
            room_rates: [Vec3::ZERO; 2],
            hand_trackers: [HandTracker::default(); 2],
            is_standing: [true; 2],
            relative_momentum: Vec3::ZERO,
            recent_momentum: Vec3::ZERO,
            is_first_frame: true,
        }
    }

    /// Updates the state for a frame. `pose` and the floor height `floor_m` are scaled to the character.
    pub(crate) fn update(&mut self, body: &CharacterBody, pose: &LocalPose, floor_m: f32, secs: f32) {
        self.pose.rotations.copy_from_slice(&pose.rotations);
        self.pose.positions.copy_from_slice(&pose.positions);
        self.world.set(self.pose.view());
        self.centre = body.centre(&self.world.positions);
        self.yaw_rad = body.yaw_rad(&self.world).unwrap_or(self.yaw_rad);
        std::mem::swap(&mut self.previous_offsets, &mut self.offsets);
        for (offset, at) in self.offsets.iter_mut().zip(&self.world.positions) {
            *offset = *at - self.centre;
        }
        let weight = 1.0 - (-secs / RATE_SECS).exp();
        let without_heading = Quat::from_rotation_y(-self.yaw_rad);
        for effector in Effector::ALL {
            let limb = effector as usize;
            let end = body.end(&self.world, effector);
            track(
                &mut self.r[limb],
                &mut self.rate[limb],
                end - self.centre,
                secs,
                weight,
                self.is_first_frame,
            );
            if effector.is_hand() {
                let hand = without_heading * (end - body.root(&self.world, effector));
                track(
                    &mut self.hands[limb],
                    &mut self.hand_rates[limb],
                    hand,
                    secs,
                    weight,
                    self.is_first_frame,
                );
                let (room, room_rate) = (&mut self.in_room[limb], &mut self.room_rates[limb]);
                track(room, room_rate, end, secs, weight, self.is_first_frame);
                self.hand_trackers[limb].update(end, *room_rate, self.rate[limb], secs);
            } else {
                self.is_standing[limb - 2] = end.y - floor_m < STANDING * body.height_m();
            }
        }
        self.previous_hand_motion = self.hand_motion;
        self.hand_motion = HandMotion::new(self.hands, self.hand_rates, body.height_m());
        if self.is_first_frame {
            self.previous_offsets.copy_from_slice(&self.offsets);
            self.previous_hand_motion = self.hand_motion;
        }
        self.relative_momentum = body.masses().angular_momentum(&self.previous_offsets, &self.offsets, secs);
        self.recent_momentum =
            self.recent_momentum.lerp(self.relative_momentum, 1.0 - (-secs / RECENT_SECS).exp());
        self.is_first_frame = false;
    }

    /// The mean inertia of the previous and the current frame, per kilogram.
    pub(crate) fn inertia(&self, body: &CharacterBody) -> Mat3 {
        0.5 * (body.masses().inertia(&self.previous_offsets, Vec3::ZERO)
            + body.masses().inertia(&self.offsets, Vec3::ZERO))
    }
}

/// Updates a position and its exponentially smoothed rate; `weight` is that of the new rate.
pub(crate) fn track(
    position: &mut Vec3,
    rate: &mut Vec3,
    new: Vec3,
    secs: f32,
    weight: f32,
    is_first_frame: bool,
) {
    let latest = if is_first_frame { Vec3::ZERO } else { (new - *position) / secs };
    *rate = rate.lerp(latest, weight);
    *position = new;
}
