//! Conventions that the user sets instead of detecting them.

use crate::roles::RoleMap;
use crate::{RestPoseSource, Unit, UpAxis};

/// The height that becomes y = 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum FloorHeight {
    /// The floor detected from the motion.
    Detected,
    /// This height, in metres.
    Metres(f32),
}

/// Conventions set by the user. Each field that is `Some` replaces detection.
#[derive(Debug, Clone, Default)]
pub struct ConventionOverrides {
    /// Unit of length.
    pub unit: Option<Unit>,
    /// Up axis.
    pub up: Option<UpAxis>,
    /// Direction that the body faces at rest once Y is up, in degrees to the left of +Z.
    pub facing_deg: Option<f32>,
    /// Frame rate in Hz.
    pub rate_hz: Option<f64>,
    /// Whether to correct a frame rate that physics contradicts. `rate_hz` takes precedence.
    pub fix_rate: bool,
    /// Roles of some joints. The others are detected.
    pub roles: Option<RoleMap>,
    /// Source of the rest pose. A frame beyond the end means the last frame.
    pub rest_pose: Option<RestPoseSource>,
    /// The height that becomes y = 0. If `None`, heights are unchanged.
    pub floor: Option<FloorHeight>,
    /// Whether to remove a calibration pose in the first frame.
    pub trim_rest_frame: bool,
}
