//! The state of the performer, scaled to the character: positions, rates, and which feet stand on the real floor.

use glam::{Mat3, Quat, Vec3};
use marey_motion::{LocalPose, WorldPose};

use crate::character_body::CharacterBody;
use crate::engage::Effector;
use crate::movement::Movement;

/// The state of the performer.
#[derive(Debug, Clone)]
pub(crate) struct Performed {
    pub(crate) pose: LocalPose,
    pub(crate) world: WorldPose,
    /// Joint positions relative to the centre of mass, in the previous and in the present frame.
    before: Vec<Vec3>,
    now: Vec<Vec3>,
    pub(crate) centre: Vec3,
    /// The performer's heading, in radians.
    pub(crate) yaw_rad: f32,
    /// r̂ of each end.
    pub(crate) r: [Vec3; 4],
    /// Its smoothed rate of change.
    pub(crate) rate: [Vec3; 4],
    /// w in the present and in the previous frame.
    pub(crate) movement: Movement,
    pub(crate) movement_before: Movement,
    hands: [Vec3; 2],
    hand_rates: [Vec3; 2],
    /// Whether each foot stands on the real floor.
    pub(crate) stands: [bool; 2],
    /// The angular momentum of the change of pose, per kilogram.
    pub(crate) own: Vec3,
    /// The recent angular momentum, which a body keeps when it leaves the ground.
    pub(crate) lately: Vec3,
    fresh: bool,
}

/// The time constant of smoothed rates, in seconds.
const RATE_SECS: f32 = 0.025;
/// The time constant of the recent angular momentum, in seconds.
const LATELY_SECS: f32 = 0.12;
/// A foot within this height of the floor stands, as a share of the body's height.
const STANDING: f32 = 0.035;

impl Performed {
    pub(crate) fn new(body: &CharacterBody) -> Self {
        let joints = body.skeleton().len();
        let still = Movement::new([Vec3::ZERO; 2], [Vec3::ZERO; 2], 1.0);
        Self {
            pose: LocalPose::rest(body.skeleton()),
            world: WorldPose::scratch(body.skeleton()),
            before: vec![Vec3::ZERO; joints],
            now: vec![Vec3::ZERO; joints],
            centre: Vec3::ZERO,
            yaw_rad: 0.0,
            r: [Vec3::ZERO; 4],
            rate: [Vec3::ZERO; 4],
            movement: still,
            movement_before: still,
            hands: [Vec3::ZERO; 2],
            hand_rates: [Vec3::ZERO; 2],
            stands: [true; 2],
            own: Vec3::ZERO,
            lately: Vec3::ZERO,
            fresh: true,
        }
    }

    /// Takes a frame. `pose` and the floor height `floor_m` are scaled to the character.
    pub(crate) fn update(&mut self, body: &CharacterBody, pose: &LocalPose, floor_m: f32, secs: f32) {
        self.pose.rotations.copy_from_slice(&pose.rotations);
        self.pose.positions.copy_from_slice(&pose.positions);
        self.world.set(self.pose.view());
        self.centre = body.centre(&self.world.positions);
        self.yaw_rad = body.yaw_rad(&self.world).unwrap_or(self.yaw_rad);
        std::mem::swap(&mut self.before, &mut self.now);
        for (now, at) in self.now.iter_mut().zip(&self.world.positions) {
            *now = *at - self.centre;
        }
        let share = 1.0 - (-secs / RATE_SECS).exp();
        let unturned = Quat::from_rotation_y(-self.yaw_rad);
        for effector in Effector::ALL {
            let slot = effector as usize;
            let end = body.end(&self.world, effector);
            follow(&mut self.r[slot], &mut self.rate[slot], end - self.centre, secs, share, self.fresh);
            if effector.is_hand() {
                let hand = unturned * (end - body.root(&self.world, effector));
                follow(&mut self.hands[slot], &mut self.hand_rates[slot], hand, secs, share, self.fresh);
            } else {
                self.stands[slot - 2] = end.y - floor_m < STANDING * body.height_m();
            }
        }
        self.movement_before = self.movement;
        self.movement = Movement::new(self.hands, self.hand_rates, body.height_m());
        if self.fresh {
            self.before.copy_from_slice(&self.now);
            self.movement_before = self.movement;
        }
        self.own = body.masses().angular_momentum(&self.before, &self.now, secs);
        self.lately = self.lately.lerp(self.own, 1.0 - (-secs / LATELY_SECS).exp());
        self.fresh = false;
    }

    /// The mean inertia of the previous and the present frame, per kilogram.
    pub(crate) fn inertia(&self, body: &CharacterBody) -> Mat3 {
        0.5 * (body.masses().inertia(&self.before, Vec3::ZERO) + body.masses().inertia(&self.now, Vec3::ZERO))
    }
}

/// Updates a position and its smoothed rate.
pub(crate) fn follow(place: &mut Vec3, rate: &mut Vec3, new: Vec3, secs: f32, share: f32, fresh: bool) {
    let latest = if fresh { Vec3::ZERO } else { (new - *place) / secs };
    *rate = rate.lerp(latest, share);
    *place = new;
}
