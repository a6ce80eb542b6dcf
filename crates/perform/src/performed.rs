//! What a performer does at an instant, told in the character's size: places, rates, and what stands on the real floor.

use glam::{Mat3, Quat, Vec3};
use marey_motion::{LocalPose, WorldPose};

use crate::body::Body;
use crate::engage::Effector;
use crate::movement::Movement;

/// A performer at an instant.
#[derive(Debug, Clone)]
pub(crate) struct Performed {
    pub(crate) pose: LocalPose,
    pub(crate) world: WorldPose,
    /// Joints away from the centre of mass, a frame ago and now.
    before: Vec<Vec3>,
    now: Vec<Vec3>,
    pub(crate) centre: Vec3,
    /// Which way the performer faces, in radians.
    pub(crate) yaw_rad: f32,
    /// r̂ of each end.
    pub(crate) r: [Vec3; 4],
    /// Its rate, a little smoothed.
    pub(crate) rate: [Vec3; 4],
    /// w, now and a frame ago.
    pub(crate) movement: Movement,
    pub(crate) movement_before: Movement,
    hands: [Vec3; 2],
    hand_rates: [Vec3; 2],
    /// Whether each foot stands on the real floor.
    pub(crate) stands: [bool; 2],
    /// Angular momentum of the pose as it changes, for each kilogram.
    pub(crate) own: Vec3,
    /// The same, as it was lately: what a body takes along that leaves the ground.
    pub(crate) lately: Vec3,
    fresh: bool,
}

/// How long rates are smoothed over, in seconds.
const RATE_SECS: f32 = 0.025;
/// How far back "lately" goes, in seconds.
const LATELY_SECS: f32 = 0.12;
/// A foot this near to the floor stands, in heights of the body.
const STANDING: f32 = 0.035;

impl Performed {
    pub(crate) fn new(body: &Body) -> Self {
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

    /// Looks at another frame; `pose` is in the character's size, `floor_m` where the real floor is then.
    pub(crate) fn update(&mut self, body: &Body, pose: &LocalPose, floor_m: f32, secs: f32) {
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
        self.own = body.angular_momentum(&self.before, &self.now, secs);
        self.lately = self.lately.lerp(self.own, 1.0 - (-secs / LATELY_SECS).exp());
        self.fresh = false;
    }

    /// Inertia between the last frame and this one, for each kilogram.
    pub(crate) fn inertia(&self, body: &Body) -> Mat3 {
        0.5 * (body.inertia(&self.before, Vec3::ZERO) + body.inertia(&self.now, Vec3::ZERO))
    }
}

/// Takes a new place, and smooths its rate.
pub(crate) fn follow(place: &mut Vec3, rate: &mut Vec3, new: Vec3, secs: f32, share: f32, fresh: bool) {
    let latest = if fresh { Vec3::ZERO } else { (new - *place) / secs };
    *rate = rate.lerp(latest, share);
    *place = new;
}
