//! Whether a body can move as a crossing wants: the poses of the legs against those of the examples' strides.
//!
//! Inverse kinematics puts every foot where the ground needs it. What it takes to do so is measured afterwards, in every frame. A
//! crossing with a strained frame is not made: the planner tries other strides there ([`crate::planner`]), and gives up with the
//! place and the number.

use std::fmt;

use marey_motion::{Vec2, WorldPose};

use crate::stride_limits::{LegState, PoseLimits};
use crate::terrain_profile::TerrainProfile;
use crate::walker::Walker;
use crate::{GroundPath, TraverseSettings};

/// Ankles may miss their place by this much, in metres.
const MISS_M: f32 = 0.01;
/// Joints and tips of toes may be this deep in the ground, in metres.
const DEEP_M: f32 = 0.01;

/// What a body cannot do.
#[derive(Debug, Clone, PartialEq)]
pub enum Strain {
    /// A knee folds further than in any stride, margin included: the angles in radians.
    Knee {
        /// The fold.
        rad: f32,
        /// The largest allowed fold.
        most_rad: f32,
    },
    /// A joint is faster than in any stride, margin included: the speeds in m/s.
    Speed {
        /// The name of the joint.
        joint: String,
        /// The speed.
        mps: f32,
        /// The largest allowed speed.
        most_mps: f32,
    },
    /// The hips are lower above the lower foot than in any stride, margin included: the heights in metres.
    Crouch {
        /// The height.
        hips_m: f32,
        /// The least allowed height.
        least_m: f32,
    },
    /// A leg does not reach its footing, by a distance in metres.
    Reach {
        /// The distance.
        missing_m: f32,
    },
    /// A leg is in the ground, by a depth in metres.
    Depth {
        /// The joint.
        joint: &'static str,
        /// The depth.
        depth_m: f32,
    },
}

impl fmt::Display for Strain {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let degrees = |rad: &f32| rad.to_degrees();
        match self {
            Strain::Knee { rad, most_rad } => {
                let (deg, most_deg) = (degrees(rad), degrees(most_rad));
                write!(formatter, "a knee would fold by {deg:.0}°, the examples allow {most_deg:.0}°")
            }
            Strain::Speed { joint, mps, most_mps } => {
                write!(formatter, "{joint} would move at {mps:.1} m/s, the examples allow {most_mps:.1} m/s")
            }
            Strain::Crouch { hips_m, least_m } => write!(
                formatter,
                "the hips would be {hips_m:.2} m above the lower foot, the examples allow {least_m:.2} m"
            ),
            Strain::Reach { missing_m } => write!(formatter, "a leg is {missing_m:.2} m too short"),
            Strain::Depth { joint, depth_m } => {
                write!(formatter, "{joint} would be {depth_m:.2} m in the ground")
            }
        }
    }
}

/// The names of the joints of a leg whose depth is compared.
const JOINTS: [&str; 4] = ["a knee", "an ankle", "the ball of a foot", "the tip of the toes"];

/// A frame that strains the body.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct StrainedFrame {
    pub(crate) frame: usize,
    pub(crate) strain: Strain,
}

/// Compares the frames of a crossing with the limits of the examples, one after the other.
pub(crate) struct StrainCheck<'a> {
    pub(crate) walker: &'a Walker,
    pub(crate) limits: &'a PoseLimits,
    pub(crate) settings: &'a TraverseSettings,
    pub(crate) profile: &'a TerrainProfile,
    pub(crate) path: &'a GroundPath,
    pub(crate) rate_hz: f64,
    before: Option<LegState>,
    frames: usize,
    pub(crate) found: Vec<StrainedFrame>,
}

impl<'a> StrainCheck<'a> {
    pub(crate) fn new(
        walker: &'a Walker,
        limits: &'a PoseLimits,
        settings: &'a TraverseSettings,
        profile: &'a TerrainProfile,
        path: &'a GroundPath,
        rate_hz: f64,
    ) -> Self {
        Self { walker, limits, settings, profile, path, rate_hz, before: None, frames: 0, found: Vec::new() }
    }

    /// Compares the next frame. `along_m` is where the hips are along the path, `missing_m` how far an ankle misses its place.
    pub(crate) fn add(&mut self, world: &WorldPose, along_m: f32, missing_m: f32) {
        let state = LegState::of(self.walker, world);
        let strain = self.strain(world, &state, along_m, missing_m);
        self.found.extend(strain.map(|strain| StrainedFrame { frame: self.frames, strain }));
        self.before = Some(state);
        self.frames += 1;
    }

    fn strain(&self, world: &WorldPose, state: &LegState, along_m: f32, missing_m: f32) -> Option<Strain> {
        let most_rad = self.limits.knee_rad + self.settings.knee_margin_rad;
        let least_m = self.limits.hips_m - self.settings.crouch_margin_m;
        let rad = state.knee_rad[0].max(state.knee_rad[1]);
        if missing_m > MISS_M {
            return Some(Strain::Reach { missing_m });
        } else if state.hips_m < least_m {
            return Some(Strain::Crouch { hips_m: state.hips_m, least_m });
        } else if rad > most_rad {
            return Some(Strain::Knee { rad, most_rad });
        }
        self.too_fast(world, state).or_else(|| self.too_deep(state, along_m))
    }

    fn too_fast(&self, world: &WorldPose, state: &LegState) -> Option<Strain> {
        let speeds = state.speeds_mps(self.before.as_ref()?, self.rate_hz);
        let limits = self.limits.speeds_mps.iter().map(|most_mps| most_mps * self.settings.max_speed_ratio);
        let all = world.skeleton().joints().iter().zip(speeds).zip(limits);
        let mut over = all.filter(|((_, mps), most_mps)| mps > most_mps);
        let ((joint, mps), most_mps) = over.next()?;
        Some(Strain::Speed { joint: joint.name.clone(), mps, most_mps })
    }

    fn too_deep(&self, state: &LegState, along_m: f32) -> Option<Strain> {
        let joints = state.joints.iter().flat_map(|leg| leg.iter().zip(JOINTS));
        let depths = joints.map(|(at, joint)| {
            let along_m = self.path.along_near(Vec2::new(at.x, at.z), along_m);
            (joint, self.profile.depth_m(Vec2::new(along_m, at.y)))
        });
        let deepest = depths.reduce(|a, b| if b.1 > a.1 { b } else { a });
        let (joint, depth_m) = deepest.filter(|(_, depth_m)| *depth_m > DEEP_M)?;
        Some(Strain::Depth { joint, depth_m })
    }
}
