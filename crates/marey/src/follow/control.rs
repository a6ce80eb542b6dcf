//! The control: what a user gives, and what is compared of it.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::actor_name::find_actor;
use super::{
    ExamplePace, FollowRequest, PathFit, PathPace, PointSelection, WaypointTiming, Waypoints,
    control_from_path,
};
use crate::conventions::{self, ConventionOverrides};
use crate::corpus::{self, Corpus};
use crate::formats::file::{read_file, read_waypoints_file};
use crate::formats::path::PathWaypoints;
use crate::formats::{FileContent, ReadOptions};
use crate::motion::{Observer, Place, PointClip, Report, Role, Take, Vec3};
use crate::realise::SourceClip;
use crate::{Error, codes, sources};

/// What of the control is compared with the examples. As text: `path`, `actor:NAME` or `points`.
///
/// ```
/// use marey::follow::ControlKind;
/// assert_eq!("actor:leader".parse(), Ok(ControlKind::Actor("leader".into())));
/// assert_eq!(ControlKind::Path.to_string(), "path");
/// assert!("hips".parse::<ControlKind>().is_err());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum ControlKind {
    /// A path on the floor, compared with the path of the hips.
    Path,
    /// An actor that leads, compared with the actor of this name in each take; or of this position, from 1.
    Actor(String),
    /// Points named after roles, compared with the same joints.
    Points,
}

impl FromStr for ControlKind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match (text, text.split_once(':')) {
            ("path", _) => Ok(ControlKind::Path),
            ("points", _) => Ok(ControlKind::Points),
            (_, Some(("actor", name))) if !name.is_empty() => Ok(ControlKind::Actor(name.into())),
            _ => Err("expected path, actor:NAME or points".into()),
        }
    }
}

impl TryFrom<String> for ControlKind {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<ControlKind> for String {
    fn from(kind: ControlKind) -> Self {
        kind.to_string()
    }
}

impl fmt::Display for ControlKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ControlKind::Path => f.pad("path"),
            ControlKind::Actor(name) => write!(f, "actor:{name}"),
            ControlKind::Points => f.pad("points"),
        }
    }
}

/// The points of a body that are compared, by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ControlPoints {
    /// Hands and feet, as in the paper: the default for motion compared by points.
    Ends,
    /// Hands, feet, shoulders and hips: the default for an actor that leads.
    Body,
    /// The hip joints on the floor: the default for a path, and the only points of one.
    Hips,
}

impl From<ControlPoints> for PointSelection {
    fn from(points: ControlPoints) -> Self {
        match points {
            ControlPoints::Ends => PointSelection::ends(),
            ControlPoints::Body => PointSelection::body(),
            ControlPoints::Hips => PointSelection::hips(),
        }
    }
}

/// The control as a user gives it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum ControlInput {
    /// A path drawn on the floor.
    Path {
        /// x and z of each point, in metres; 2 to 20,000. A point that repeats the previous one is a rest.
        points: Vec<[f32; 2]>,
        /// Points per second; `None` for points without times, which are passed at the request's speed or at the usual pace
        /// of the examples.
        rate_hz: Option<f64>,
    },
    /// A path from a file or a program.
    #[serde(skip)]
    Waypoints(Waypoints),
    /// A take of the corpus, by name.
    CorpusTake(String),
    /// A path or markers from a file or a program.
    #[serde(skip)]
    Points(PointClip),
    /// Motion from a file or a program.
    #[serde(skip)]
    Take(Take),
}

/// The largest number of points of a drawn path.
const MAX_POINTS: usize = 20_000;

impl Default for ControlInput {
    fn default() -> Self {
        ControlInput::Path { points: Vec::new(), rate_hz: None }
    }
}

impl ControlInput {
    /// Reads a file: a path as it is written, points, or its first take without a calibration pose. Returns the warnings of the
    /// reader as well.
    pub fn read_file(path: &Path, options: &ReadOptions) -> Result<(Self, Report), Error> {
        let in_file = |error: Error| error.in_file(path);
        if let Some(waypoints) = read_waypoints_file(path, options).map_err(|e| in_file(e.into()))? {
            let report = waypoints.report.clone();
            return Ok((ControlInput::Waypoints(from_written(waypoints)), report));
        }
        let conventions = ConventionOverrides { trim_rest_frame: true, ..options.conventions.clone() };
        let options = ReadOptions { conventions, ..options.clone() };
        let file = read_file(path, &options).map_err(|e| in_file(e.into()))?;
        let mut report = file.report.clone();
        if report.has(&conventions::codes::REST_FRAME) {
            report.remove(&conventions::codes::REST_FRAME);
            report.warn(&corpus::codes::REST_REMOVED, Place::default().frame(0), "frame 0");
        }
        let input = match &file.content {
            FileContent::Points(points) => ControlInput::Points(points.clip.clone()),
            FileContent::Figures(_) => {
                ControlInput::Take(file.into_first().map_err(|e| in_file(e.into()))?.take)
            }
        };
        Ok((input, report))
    }

    pub(super) fn validate(&self) -> Result<(), Error> {
        match self {
            ControlInput::Path { points, .. } => check_count(points.len()),
            ControlInput::Waypoints(path) => check_count(path.positions.len()),
            _ => Ok(()),
        }
    }

    /// The take of the corpus that the control is, which must not be its own example.
    pub(super) fn corpus_take(&self) -> Option<&str> {
        match self {
            ControlInput::CorpusTake(name) => Some(name),
            _ => None,
        }
    }
}

fn check_count(points: usize) -> Result<(), Error> {
    if (2..=MAX_POINTS).contains(&points) {
        return Ok(());
    }
    Err(Error::settings(format!("the path has {points} points; it needs 2 to {MAX_POINTS}")))
}

/// What a file says about the times of its points.
fn from_written(path: PathWaypoints) -> Waypoints {
    let timing = match (path.rate_hz, path.secs, path.speeds_mps) {
        (Some(rate_hz), _, _) => WaypointTiming::Rate(rate_hz),
        (None, Some(secs), _) => WaypointTiming::Times(secs),
        (None, None, Some(speeds)) => WaypointTiming::Speeds(speeds),
        (None, None, None) => WaypointTiming::Untimed,
    };
    Waypoints { positions: path.positions, timing }
}

/// The control as the search compares it.
pub(crate) struct ControlSignal {
    pub(crate) points: PointClip,
    /// Name and motion of the leader, if an actor leads.
    pub(crate) leader: Option<(String, SourceClip)>,
}

/// Input with paths, points and motion told apart.
pub(crate) enum RawControl {
    Path(Waypoints),
    Points(PointClip),
    Actors(Vec<(String, SourceClip)>),
}

impl FollowRequest {
    /// The points of the examples that are compared with a control.
    pub(crate) fn selection(&self, control: &RawControl) -> Result<PointSelection, Error> {
        let named = |default: PointSelection| Ok(self.points.map_or(default, PointSelection::from));
        match (&self.control, control) {
            (_, RawControl::Path(_) | RawControl::Points(_))
                if self.points.is_some_and(|points| points != ControlPoints::Hips) =>
            {
                let message = "only the points of bodies have other names than those in the file";
                Err(Error::settings(message))
            }
            (ControlKind::Path, RawControl::Actors(_)) => named(PointSelection::hips()),
            (ControlKind::Path, _) => Ok(PointSelection::hips()),
            (ControlKind::Actor(_), RawControl::Actors(_)) => named(PointSelection::body()),
            (ControlKind::Actor(name), _) => {
                Err(Error::new(&codes::NO_LEADER, format!("the control has points, but no actor {name:?}")))
            }
            (ControlKind::Points, RawControl::Points(points)) => {
                let roles = points.labels().iter().map(|label| {
                    let role = label.parse::<Role>();
                    let error = || {
                        Error::new(
                            &crate::motion::codes::NOT_A_ROLE,
                            format!("{label:?} is not the name of a role"),
                        )
                    };
                    role.map(|role| (role, 1.0)).map_err(|_| error())
                });
                Ok(PointSelection::Roles(roles.collect::<Result<_, Error>>()?))
            }
            (ControlKind::Points, RawControl::Path(_)) => {
                let message = "the control is a path; points are named after roles";
                Err(Error::new(&crate::motion::codes::NOT_A_ROLE, message))
            }
            (ControlKind::Points, RawControl::Actors(_)) => named(PointSelection::ends()),
        }
    }

    /// Converts a control to what is compared. `pace` is that of the examples; what is assumed about a path is reported.
    pub(crate) fn signal(
        &self,
        control: RawControl,
        selection: PointSelection,
        pace: impl FnOnce() -> ExamplePace,
        report: &mut Report,
    ) -> Result<ControlSignal, Error> {
        let (points, leader) = match (&self.control, control) {
            (_, RawControl::Path(path)) => (self.path_points(&path, &pace(), report)?, None),
            (_, RawControl::Points(points)) => (points, None),
            (ControlKind::Actor(role), RawControl::Actors(actors)) => {
                let (name, leader) = self.actor(actors)?;
                // A leader from a file is called after its role. A position is no name.
                let name = if role.parse::<usize>().is_ok() { name } else { role.clone() };
                (selection.points(&leader.clip)?, Some((name, leader)))
            }
            (kind, RawControl::Actors(actors)) => {
                let points = selection.points(&self.actor(actors)?.1.clip)?;
                if *kind == ControlKind::Path {
                    report.absorb(pace().speed_warnings(&points));
                }
                (points, None)
            }
        };
        Ok(ControlSignal { points, leader })
    }

    /// The hips of a character that walks along a path, with warnings about what the examples cannot do.
    fn path_points(
        &self,
        path: &Waypoints,
        pace: &ExamplePace,
        report: &mut Report,
    ) -> Result<PointClip, Error> {
        let mut clip = path.clip(pace, self.speed_mps, report)?;
        let fit = match (self.fit_path, self.pace) {
            (true, _) => Some(PathFit::RoundAndSlow),
            (false, PathPace::Line) => Some(PathFit::Slow),
            (false, PathPace::Time) => None,
        };
        if let Some(fit) = fit {
            clip = pace.fit(&clip, fit, report)?;
        }
        let points = control_from_path(&clip, &self.path_settings())?;
        report.absorb(pace.speed_warnings(&points));
        report.absorb(pace.turn_warnings(&points));
        Ok(points)
    }

    /// Reads the input. A path of the request's control kind stays as it is written.
    pub(crate) fn read_input(&self, corpus: &Corpus, observer: Observer<'_>) -> Result<RawControl, Error> {
        let actors = |take: &Take, examples: Vec<SourceClip>| {
            let names = take.actors().iter().map(|actor| actor.name.clone());
            RawControl::Actors(names.zip(examples).collect())
        };
        Ok(match &self.input {
            ControlInput::Path { points, rate_hz } => {
                let positions = points.iter().map(|[x, z]| Vec3::new(*x, 0.0, *z)).collect();
                let timing = rate_hz.map_or(WaypointTiming::Untimed, WaypointTiming::Rate);
                RawControl::Path(Waypoints { positions, timing })
            }
            ControlInput::Waypoints(path) => RawControl::Path(path.clone()),
            ControlInput::Points(points) if self.control == ControlKind::Path => {
                RawControl::Path(Waypoints::from_clip(points)?)
            }
            ControlInput::Points(points) => RawControl::Points(points.clone()),
            ControlInput::Take(take) => actors(take, sources::seen(take, observer)?),
            ControlInput::CorpusTake(name) => {
                let take = corpus.take(corpus.find(name)?)?;
                actors(&take, sources::examples(corpus, name, observer)?)
            }
        })
    }

    /// The actor that is the control: the leader or target by name, else the first.
    fn actor(&self, mut actors: Vec<(String, SourceClip)>) -> Result<(String, SourceClip), Error> {
        let name = match &self.control {
            ControlKind::Actor(name) => Some(name),
            ControlKind::Path | ControlKind::Points => self.target.as_ref(),
        };
        if actors.is_empty() {
            return Err(crate::motion::MotionError::Empty { what: "a take" }.into());
        }
        let names = || actors.iter().map(|(actor, _)| actor.as_str());
        let found = name.and_then(|name| find_actor(names(), name));
        match (&self.control, found) {
            // One who is alone leads, whatever the name.
            (ControlKind::Actor(name), None) if actors.len() > 1 => {
                let names = names().collect::<Vec<_>>().join(", ");
                let message = format!("the control has no actor {name:?}, but {names}");
                Err(Error::new(&codes::NO_LEADER, message))
            }
            _ => Ok(actors.swap_remove(found.unwrap_or(0))),
        }
    }
}
