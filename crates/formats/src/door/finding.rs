//! What was found about a file's conventions, and how.

use std::fmt;

use marey_motion::Role;

use super::UpAxis;
use crate::Unit;
use crate::roles::RoleGuess;

/// How a finding was come by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    /// The user said so.
    Flag,
    /// The file says so.
    File,
    /// The motion or the body shows it.
    Evidence,
    /// Nothing speaks for or against it.
    Assumed,
}

impl fmt::Display for By {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            By::Flag => "told",
            By::File => "file",
            By::Evidence => "found",
            By::Assumed => "assumed",
        })
    }
}

/// A value, how it was come by, and why.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding<T> {
    /// The value that was used.
    pub value: T,
    /// How it was come by.
    pub by: By,
    /// Why, in one phrase.
    pub why: String,
}

impl<T: Copy> Finding<T> {
    /// The same finding, for another actor in the same world.
    pub(super) fn shared(&self) -> Self {
        Self { value: self.value, by: self.by, why: format!("as for the first actor: {}", self.why) }
    }
}

/// Where a skeleton's rest pose comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RestPose {
    /// The file's own: joints without rotation.
    File,
    /// A frame of the motion, since the file's own is not a person's pose.
    Frame(usize),
}

/// Everything that was found about one actor.
#[derive(Debug, Clone, PartialEq)]
pub struct Detected {
    /// The file's unit of length.
    pub unit: Finding<Unit>,
    /// The file's up axis.
    pub up_axis: Finding<UpAxis>,
    /// Which way the body faced at rest, in degrees to the left of +Z; it faces +Z now.
    pub facing_deg: Finding<f32>,
    /// Frames a second.
    pub rate_hz: Finding<f64>,
    /// The role of each joint.
    pub roles: Finding<Vec<Option<Role>>>,
    /// What the roles were guessed from.
    pub role_guess: RoleGuess,
    /// Where the rest pose comes from.
    pub rest_pose: Finding<RestPose>,
    /// Whether the first frame is a calibration pose.
    pub rest_frame: Finding<bool>,
    /// Standing height in metres, where there is a person.
    pub height_m: Option<f32>,
}

/// Everything that was found about points.
#[derive(Debug, Clone, PartialEq)]
pub struct PointsDetected {
    /// The file's unit of length.
    pub unit: Finding<Unit>,
    /// The file's up axis.
    pub up_axis: Finding<UpAxis>,
    /// Frames a second.
    pub rate_hz: Finding<f64>,
}
