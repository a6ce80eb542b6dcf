//! Root motion options.

use std::fmt;
use std::str::FromStr;

use glam::Vec3;
use marey_motion::{Clip, Role, WorldPose};

use crate::FormatsError;

/// Root motion of an exported figure.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RootMotion {
    /// Root motion is kept.
    #[default]
    Keep,
    /// The figure moves in place: every frame is shifted along the floor so that the hips, or the root of a figure without hips, stay
    /// above their first position. Heights and rotations are kept.
    InPlace,
}

impl RootMotion {
    pub(crate) fn apply(self, clip: &Clip) -> Result<Clip, FormatsError> {
        if self == Self::Keep {
            return Ok(clip.clone());
        }
        let skeleton = clip.skeleton().clone();
        let hips = skeleton.joint_of(Role::Hips).unwrap_or(0);
        let mut world = WorldPose::scratch(&skeleton);
        let mut hip_positions = Vec::with_capacity(clip.frames());
        for pose in clip.poses() {
            world.set(pose);
            hip_positions.push(world.positions.get(hips).map_or(Vec3::ZERO, |at| Vec3::new(at.x, 0.0, at.z)));
        }
        let start = hip_positions.first().copied().unwrap_or_default();
        let (rate_hz, movers) = (clip.rate_hz(), skeleton.movers().len());
        let mut parts = clip.clone().into_parts();
        for (root, position) in parts.positions.iter_mut().step_by(movers).zip(hip_positions) {
            *root -= position - start;
        }
        Ok(Clip::new(skeleton, rate_hz, parts)?)
    }
}

impl fmt::Display for RootMotion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Keep => "keep",
            Self::InPlace => "in-place",
        })
    }
}

impl FromStr for RootMotion {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "keep" => Ok(Self::Keep),
            "in-place" => Ok(Self::InPlace),
            _ => Err("neither `keep` nor `in-place`".into()),
        }
    }
}
