//! The conventions found for a file, each with its source and reason.

use std::fmt;

use marey_motion::Role;

use crate::roles::RoleGuess;
use crate::{Unit, UpAxis};

/// The source of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FindingSource {
    /// Set by the user.
    User,
    /// Declared by the file.
    File,
    /// Inferred from the motion or the body.
    Evidence,
    /// Assumed, for lack of evidence.
    Assumed,
}

impl fmt::Display for FindingSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            FindingSource::User => "user",
            FindingSource::File => "file",
            FindingSource::Evidence => "detected",
            FindingSource::Assumed => "assumed",
        })
    }
}

/// A value with its source and reason.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding<T> {
    /// The value in use.
    pub value: T,
    /// The source of the value.
    pub source: FindingSource,
    /// The reason for the value, in one phrase.
    pub reason: String,
}

impl<T> Finding<T> {
    pub(crate) fn new(value: T, source: FindingSource, reason: impl Into<String>) -> Self {
        Self { value, source, reason: reason.into() }
    }

    pub(crate) fn from_user(value: T) -> Self {
        Self::new(value, FindingSource::User, "set by the user")
    }

    pub(crate) fn from_file(value: T) -> Self {
        Self::new(value, FindingSource::File, "declared by the file")
    }
}

impl<T: Copy> Finding<T> {
    /// The same finding for another actor of the take.
    pub(crate) fn shared(&self) -> Self {
        Self::new(self.value, self.source, format!("as for the first actor: {}", self.reason))
    }
}

/// Source of a skeleton's rest pose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RestPoseSource {
    /// The canonical rest pose: a T-pose built from roles and bones, equal for equal bones.
    TPose,
    /// The file's own: every joint without rotation, or the bind pose.
    File,
    /// A frame of the motion.
    Frame(usize),
}

/// The conventions found for one actor.
#[derive(Debug, Clone, PartialEq)]
pub struct DetectedConventions {
    /// Unit of length of the file.
    pub unit: Finding<Unit>,
    /// Up axis of the file.
    pub up_axis: Finding<UpAxis>,
    /// Direction that the body faced at rest, in degrees to the left of +Z. After conversion it faces +Z.
    pub facing_deg: Finding<f32>,
    /// Frame rate in Hz.
    pub rate_hz: Finding<f64>,
    /// The role of each joint.
    pub roles: Finding<Vec<Option<Role>>>,
    /// The roles guessed from names and shape, and the evidence for them.
    pub role_guess: RoleGuess,
    /// Source of the rest pose.
    pub rest_pose: Finding<RestPoseSource>,
    /// Whether the first frame is a calibration pose.
    pub rest_frame: Finding<bool>,
    /// Standing height in metres. `None` if the skeleton is not a person's.
    pub height_m: Option<f32>,
}

impl DetectedConventions {
    /// Confidence in the roles, from 0 to 1: that of the guess, or 1 if the user or the file states them.
    pub fn role_confidence(&self) -> f32 {
        match self.roles.source {
            FindingSource::User | FindingSource::File => 1.0,
            FindingSource::Evidence | FindingSource::Assumed => self.role_guess.confidence,
        }
    }
}

/// The conventions found for points without a skeleton.
#[derive(Debug, Clone, PartialEq)]
pub struct DetectedPointConventions {
    /// Unit of length of the file.
    pub unit: Finding<Unit>,
    /// Up axis of the file.
    pub up_axis: Finding<UpAxis>,
    /// Frame rate in Hz.
    pub rate_hz: Finding<f64>,
}
