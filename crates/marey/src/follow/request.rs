//! The request of `follow` and `transcribe`.

use serde::{Deserialize, Serialize};

use super::{ControlInput, ControlKind, FollowSettings, PathControlSettings, SegmentConstraint, Transform};
use crate::Error;
use crate::corpus::Maker;

/// A control, the examples to follow it with, and how.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FollowRequest {
    /// The control; default an empty path, which is rejected.
    pub input: ControlInput,
    /// What of the control is compared with the examples; default the path of the hips.
    pub control: ControlKind,
    /// Name of the actor to use as target; default the first actor that does not lead.
    pub target: Option<String>,
    /// Names of the takes to use; default all that have the actors. A path uses takes of one actor if there are any.
    pub examples: Vec<String>,
    /// Names of takes to leave out. A take of the corpus that is the control itself is always left out.
    pub without: Vec<String>,
    /// Use only segments cut by this maker; default all.
    pub made_by: Option<Maker>,
    /// Keep one of each cluster of segments within this distance, in metres; default all.
    pub cluster_m: Option<f32>,
    /// Segments to use or avoid at certain times.
    pub constraints: Vec<SegmentConstraint>,
    /// Smooths the line of a path by this many metres along it; default 0; 0 to 10.
    pub smooth_m: f64,
    /// Smooths the speed along a path over this many seconds; default 0; 0 to 10.
    pub smooth_secs: f64,
    /// Weight of continuity; default 1 for every kind of control; see [`FollowSettings::k`]. On the tuning half of CMU's
    /// walks (leave one out), 2 instead of 1 deviates 16 % more from the path (squared) for 4 % less jump at joins, and 0.5
    /// jumps 8 % more. On the tuning half of CMU's salsa, 0.5 instead of 1 jumps 33 % more for 7 % less deviation.
    pub k: f64,
    /// Stretch of a segment in seconds; default 0.2 for every kind of control; see [`FollowSettings::stretch_secs`]. On the
    /// same takes, 0.15 deviates and jumps more than 0.2, for paths as for leaders.
    pub stretch_secs: f64,
    /// Working rate; see [`FollowSettings::rate_hz`].
    pub rate_hz: f64,
    /// How an example may be transformed; see [`FollowSettings::transform`].
    pub transform: Transform,
    /// Frames that are compared at a join; see [`FollowSettings::join_frames`].
    pub join_frames: u8,
    /// Whether the first and last segment must be whole; default false. The control must then have a suitable length.
    pub whole: bool,
    /// Beam width in square metres; default none, which finds the optimum. See [`FollowSettings::beam`].
    pub beam: Option<f64>,
    /// Whether a second pass refines durations; see [`FollowSettings::refine`].
    pub refine: bool,
    /// How the search runs; default [`SearchMode::Optimal`].
    pub mode: SearchMode,
}

/// How the search runs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SearchMode {
    /// Finds the optimum of the whole control.
    #[default]
    Optimal,
    /// The same, with a trace of the alternatives to each choice.
    Explained,
    /// Decides while the control goes on, at most one longest segment late, as a live partner must. Constraints do not
    /// apply.
    Live,
}

impl Default for FollowRequest {
    fn default() -> Self {
        let FollowSettings { rate_hz, k, stretch_secs, transform, join_frames, refine, beam, .. } =
            FollowSettings::default();
        Self {
            input: ControlInput::default(),
            control: ControlKind::Path,
            target: None,
            examples: Vec::new(),
            without: Vec::new(),
            made_by: None,
            cluster_m: None,
            constraints: Vec::new(),
            smooth_m: 0.0,
            smooth_secs: 0.0,
            k,
            stretch_secs,
            rate_hz,
            transform,
            join_frames,
            whole: false,
            beam,
            refine,
            mode: SearchMode::Optimal,
        }
    }
}

impl FollowRequest {
    /// Checks ranges, and that the input suits the kind of control.
    pub fn validate(&self) -> Result<(), Error> {
        self.settings().validate()?;
        self.path_settings().validate()?;
        self.input.validate()
    }

    /// The settings of the search.
    pub fn settings(&self) -> FollowSettings {
        FollowSettings {
            rate_hz: self.rate_hz,
            k: self.k,
            stretch_secs: self.stretch_secs,
            transform: self.transform,
            join_frames: self.join_frames,
            free_start: !self.whole,
            free_end: !self.whole,
            beam: self.beam,
            refine: self.refine,
        }
    }

    pub(super) fn path_settings(&self) -> PathControlSettings {
        PathControlSettings {
            smooth_m: self.smooth_m,
            smooth_secs: self.smooth_secs,
            ..PathControlSettings::default()
        }
    }
}
