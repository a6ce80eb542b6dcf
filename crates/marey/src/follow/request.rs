//! The request of `follow` and `transcribe`.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{
    ControlInput, ControlKind, ControlPoints, FollowSettings, PathControlSettings, SegmentConstraint,
    Transform,
};
use crate::Error;
use crate::corpus::Maker;
use crate::realise::Realisation;

/// A control, the examples to follow it with, and how.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FollowRequest {
    /// The control; default an empty path, which is rejected.
    pub input: ControlInput,
    /// What of the control is compared with the examples; default the path of the hips.
    pub control: ControlKind,
    /// Which points are compared; default those that suit the kind of control.
    pub points: Option<ControlPoints>,
    /// How differences of these points count; default [`MetricChoice::Plain`] for a path, which is to be kept as it is, and
    /// [`MetricChoice::Learnt`] for other controls, which are interpreted.
    pub metric: Option<MetricChoice>,
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
    /// Speed along a path, in metres per second, instead of its times; default its own, or the usual pace of the examples if
    /// it has none.
    pub speed_mps: Option<f64>,
    /// Whether a path that is faster or sharper than the examples is slowed and rounded; default false.
    pub fit_path: bool,
    /// What of a path is kept if the examples are slower than it; default [`PathPace::Time`].
    pub pace: PathPace,
    /// Smooths the line of a path by this many metres along it; default 0; 0 to 10.
    pub smooth_m: f64,
    /// Smooths the speed along a path over this many seconds; default 0; 0 to 10.
    pub smooth_secs: f64,
    /// Weight of continuity; default 1 for every kind of control; see [`FollowSettings::k`]. On the tuning half of CMU's
    /// walks (leave one out), 2 instead of 1 deviates 16 % more from the path (squared) for 4 % less jump at joins, and 0.5
    /// jumps 8 % more. On the tuning half of CMU's salsa, 0.5 instead of 1 jumps 33 % more for 7 % less deviation.
    pub k: f64,
    /// Share by which the duration of a segment may change; see [`FollowSettings::stretch`].
    pub stretch: f64,
    /// What a stretch costs; see [`FollowSettings::stretch_cost_m`].
    pub stretch_cost_m: f64,
    /// Working rate; see [`FollowSettings::rate_hz`].
    pub rate_hz: f64,
    /// How an example may be transformed; see [`FollowSettings::transform`].
    pub transform: Transform,
    /// Frames that are compared at a join; see [`FollowSettings::join_frames`].
    pub join_frames: u8,
    /// Whether the first and last segment must be whole; default false. The control must then have a suitable length.
    pub whole: bool,
    /// Number of segments of each duration that are compared at each frame; see [`FollowSettings::candidates`].
    pub candidates: Option<u32>,
    /// Whether a second pass refines durations; see [`FollowSettings::refine`].
    pub refine: bool,
    /// How the search runs; default [`SearchMode::Optimal`].
    pub mode: SearchMode,
    /// Changes to the passes that realise the plan, as in [`RealiseRequest`](crate::realise::RealiseRequest); default none.
    pub passes: Map<String, Value>,
    /// Whether hands also hold each other as in the sources, if two actors of the plan show both; default false.
    pub keep_holds: bool,
}

/// How differences of control points count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MetricChoice {
    /// As learnt from the examples, if that predicts targets better than the plain distance; see [`LearntMetric`](super::LearntMetric).
    Learnt,
    /// The plain distance of points, as in the paper.
    Plain,
}

/// What of a path is kept if the examples are slower than it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PathPace {
    /// Its times.
    #[default]
    Time,
    /// Its line: the path is slowed there.
    Line,
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
        let FollowSettings {
            rate_hz,
            k,
            stretch,
            stretch_cost_m,
            transform,
            join_frames,
            refine,
            candidates,
            ..
        } = FollowSettings::default();
        Self {
            input: ControlInput::default(),
            control: ControlKind::Path,
            points: None,
            metric: None,
            target: None,
            examples: Vec::new(),
            without: Vec::new(),
            made_by: None,
            cluster_m: None,
            constraints: Vec::new(),
            speed_mps: None,
            fit_path: false,
            pace: PathPace::Time,
            smooth_m: 0.0,
            smooth_secs: 0.0,
            k,
            stretch,
            stretch_cost_m,
            rate_hz,
            transform,
            join_frames,
            whole: false,
            candidates,
            refine,
            mode: SearchMode::Optimal,
            passes: Map::new(),
            keep_holds: false,
        }
    }
}

impl FollowRequest {
    /// Checks ranges, and that the input suits the kind of control.
    pub fn validate(&self) -> Result<(), Error> {
        self.settings().validate()?;
        self.path_settings().validate()?;
        Realisation::default().with_passes(&self.passes)?;
        self.input.validate()
    }

    /// The settings of the search.
    pub fn settings(&self) -> FollowSettings {
        FollowSettings {
            rate_hz: self.rate_hz,
            k: self.k,
            stretch: self.stretch,
            stretch_cost_m: self.stretch_cost_m,
            transform: self.transform,
            join_frames: self.join_frames,
            free_start: !self.whole,
            free_end: !self.whole,
            candidates: self.candidates,
            refine: self.refine,
        }
    }

    /// How differences of control points count.
    pub(super) fn metric(&self) -> MetricChoice {
        let is_path = self.control == ControlKind::Path;
        self.metric.unwrap_or(if is_path { MetricChoice::Plain } else { MetricChoice::Learnt })
    }

    pub(super) fn path_settings(&self) -> PathControlSettings {
        PathControlSettings {
            smooth_m: self.smooth_m,
            smooth_secs: self.smooth_secs,
            ..PathControlSettings::default()
        }
    }
}
