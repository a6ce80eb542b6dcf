//! What a walker's body does in the strides of the examples. A crossing may go beyond it by stated margins only.
//!
//! Steps are compared before they are planned: length, height, and how high a foot is lifted. Poses are compared after they were
//! solved ([`crate::strain`]): the fold of the knees, the height of the hips, and the speed of every joint.

use marey_motion::{Vec3, WorldPose};

use crate::leg::Leg;
use crate::terrain_profile::TerrainProfile;
use crate::walker::Walker;
use crate::{Footing, MotionPrimitive, TraverseExample, TraverseSettings};

/// Lower obstacles are no obstacles, in metres.
const OBSTACLE_M: f32 = 0.005;
/// Room between a foot and what it passes over, in metres.
const ROOM_M: f32 = 0.01;

/// The largest and smallest values of the strides of the examples.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct StrideLimits {
    max_length_m: f32,
    /// The lowest and the highest stride.
    heights_m: [f32; 2],
    /// How high a foot is lifted above the higher of its footings.
    clearance_m: f32,
    pub(crate) poses: PoseLimits,
}

/// Limits of poses and of their speed.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PoseLimits {
    /// The largest fold of a knee.
    pub(crate) knee_rad: f32,
    /// The lowest height of the hips above the lower ankle.
    pub(crate) hips_m: f32,
    /// The largest speed of each joint.
    pub(crate) speeds_mps: Vec<f32>,
}

/// The pose of the legs at one frame, and the places of all joints: what is compared with limits.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct LegState {
    pub(crate) knee_rad: [f32; 2],
    pub(crate) hips_m: f32,
    /// Knee, ankle, ball and tip of the toes of each leg.
    pub(crate) joints: [[Vec3; 4]; 2],
    positions: Vec<Vec3>,
}

impl LegState {
    pub(crate) fn of(walker: &Walker, world: &WorldPose) -> Self {
        let joint = |index: usize| world.positions[index];
        let joints = walker.legs.each_ref().map(|leg: &Leg| {
            let ball = leg.sole[1].at(&world.positions, &world.rotations);
            [joint(leg.lower), joint(leg.foot), ball, ball + leg.tip_offset_in(world)]
        });
        let folds = walker.legs.each_ref().map(|leg| {
            let (hip, knee, ankle) = (joint(leg.upper), joint(leg.lower), joint(leg.foot));
            (knee - hip).angle_between(ankle - knee)
        });
        let lower_m = joints[0][1].y.min(joints[1][1].y);
        let positions = world.positions.clone();
        Self { knee_rad: folds, hips_m: joint(walker.hips).y - lower_m, joints, positions }
    }

    /// The speed of each joint since the frame before.
    pub(crate) fn speeds_mps(&self, before: &Self, rate_hz: f64) -> impl Iterator<Item = f32> {
        let moved = self.positions.iter().zip(&before.positions);
        moved.map(move |(to, from)| to.distance(*from) * rate_hz as f32)
    }
}

impl StrideLimits {
    pub(crate) fn new(walker: &Walker, examples: &[TraverseExample], strides: &[MotionPrimitive]) -> Self {
        let mut poses = PoseLimits { knee_rad: 0.0, hips_m: f32::INFINITY, speeds_mps: Vec::new() };
        for stride in strides {
            let Some(example) = examples.get(stride.example) else { continue };
            let mut world = WorldPose::scratch(example.clip.skeleton());
            let mut before = None;
            for frame in stride.frames.clone() {
                world.set(example.clip.pose(frame));
                let state = LegState::of(walker, &world);
                poses.add(&state, before.as_ref(), example.clip.rate_hz());
                before = Some(state);
            }
        }
        let largest = |value: fn(&MotionPrimitive) -> f32| strides.iter().map(value).fold(0.0, f32::max);
        Self {
            max_length_m: largest(|stride| stride.length_m),
            heights_m: [-largest(|stride| -stride.height_m), largest(|stride| stride.height_m)],
            clearance_m: largest(|stride| stride.clearance_m),
            poses,
        }
    }

    /// How far ahead and up a stride may lead, and over how high an obstacle, in metres, margins included.
    pub(crate) fn reach_m(&self, settings: &TraverseSettings) -> [f32; 3] {
        [
            self.max_length_m + settings.length_margin_m,
            self.heights_m[1] + settings.height_margin_m,
            self.clearance_m + settings.max_lift_m - ROOM_M,
        ]
    }

    /// How much higher than in the example a foot must be lifted between two footings, in metres; ∞ if the step is too long, too
    /// high or too low.
    pub(crate) fn lift_m(
        &self,
        stride: &MotionPrimitive,
        [from, to]: [&Footing; 2],
        settings: &TraverseSettings,
        profile: &TerrainProfile,
    ) -> f32 {
        let step = to.position - from.position;
        let [lowest_m, highest_m] = self.heights_m;
        if step.x > self.max_length_m + settings.length_margin_m
            || step.y > highest_m + settings.height_margin_m
            || step.y < lowest_m - settings.height_margin_m
        {
            return f32::INFINITY;
        }
        let obstacle_m = obstacle_m([from, to], profile);
        if obstacle_m > OBSTACLE_M { (obstacle_m + ROOM_M - stride.clearance_m).max(0.0) } else { 0.0 }
    }
}

impl PoseLimits {
    fn add(&mut self, state: &LegState, before: Option<&LegState>, rate_hz: f64) {
        self.knee_rad = state.knee_rad.into_iter().fold(self.knee_rad, f32::max);
        self.hips_m = self.hips_m.min(state.hips_m);
        if let Some(before) = before {
            self.speeds_mps.resize(state.positions.len(), 0.0);
            let speeds = state.speeds_mps(before, rate_hz);
            self.speeds_mps.iter_mut().zip(speeds).for_each(|(most, speed)| *most = most.max(speed));
        }
    }
}

/// The height of what is between two footings above the higher one, in metres; negative if there is nothing.
pub(crate) fn obstacle_m([from, to]: [&Footing; 2], profile: &TerrainProfile) -> f32 {
    let corners = profile.corners_within(from.position.x, to.position.x);
    let top_m = corners.iter().map(|corner| corner.y).fold(f32::NEG_INFINITY, f32::max);
    top_m - from.position.y.max(to.position.y)
}
