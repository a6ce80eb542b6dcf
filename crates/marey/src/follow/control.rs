//! The control: what a user gives, and what is compared of it.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::actor_name::find_actor;
use super::{FollowRequest, PointSelection, control_from_path};
use crate::corpus::Corpus;
use crate::formats::{FileContent, MotionFile};
use crate::motion::{PointClip, Role, Take, Vec3};
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

/// The control as a user gives it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum ControlInput {
    /// A path drawn on the floor.
    Path {
        /// x and z of each point, in metres; 2 to 20,000.
        points: Vec<[f32; 2]>,
        /// Points per second.
        rate_hz: f64,
    },
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
        ControlInput::Path { points: Vec::new(), rate_hz: 30.0 }
    }
}

impl ControlInput {
    /// The content of a file: its points, or its first take.
    pub fn from_file(file: MotionFile) -> Result<Self, Error> {
        Ok(match &file.content {
            FileContent::Points(points) => ControlInput::Points(points.clip.clone()),
            FileContent::Figures(_) => ControlInput::Take(file.into_first()?.take),
        })
    }

    pub(super) fn validate(&self) -> Result<(), Error> {
        match self {
            ControlInput::Path { points, .. } if !(2..=MAX_POINTS).contains(&points.len()) => {
                let message = format!("the path has {} points; it needs 2 to {MAX_POINTS}", points.len());
                Err(Error::settings(message))
            }
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

/// The control as the search compares it.
pub(crate) struct ControlSignal {
    pub(crate) points: PointClip,
    /// The points of the examples that are compared with it.
    pub(crate) selection: PointSelection,
    /// Name and motion of the leader, if an actor leads.
    pub(crate) leader: Option<(String, SourceClip)>,
}

/// Input with points and motion told apart.
enum Signal {
    Points(PointClip),
    Actors(Vec<(String, SourceClip)>),
}

impl FollowRequest {
    /// Converts the input to what is compared.
    pub(crate) fn signal(&self, corpus: &Corpus) -> Result<ControlSignal, Error> {
        let signal = |points, selection| Ok(ControlSignal { points, selection, leader: None });
        match (&self.control, self.read_input(corpus)?) {
            (ControlKind::Path, Signal::Points(path)) => {
                signal(control_from_path(&path, &self.path_settings())?, PointSelection::hips())
            }
            (ControlKind::Path, Signal::Actors(actors)) => {
                let (_, actor) = self.actor(actors)?;
                signal(PointSelection::hips().points(&actor.clip)?, PointSelection::hips())
            }
            (ControlKind::Actor(role), Signal::Actors(actors)) => {
                let (name, leader) = self.actor(actors)?;
                // A leader from a file is called after its role. A position is no name.
                let name = if role.parse::<usize>().is_ok() { name } else { role.clone() };
                let points = PointSelection::body().points(&leader.clip)?;
                let selection = PointSelection::body();
                Ok(ControlSignal { points, selection, leader: Some((name, leader)) })
            }
            (ControlKind::Actor(name), Signal::Points(_)) => {
                Err(Error::new(&codes::NO_LEADER, format!("the control has points, but no actor {name:?}")))
            }
            (ControlKind::Points, Signal::Points(points)) => {
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
                let selection = PointSelection::Roles(roles.collect::<Result<_, Error>>()?);
                signal(points, selection)
            }
            (ControlKind::Points, Signal::Actors(actors)) => {
                let (_, actor) = self.actor(actors)?;
                signal(PointSelection::ends().points(&actor.clip)?, PointSelection::ends())
            }
        }
    }

    fn read_input(&self, corpus: &Corpus) -> Result<Signal, Error> {
        let actors = |take: &Take, examples: Vec<SourceClip>| {
            let names = take.actors().iter().map(|actor| actor.name.clone());
            Signal::Actors(names.zip(examples).collect())
        };
        Ok(match &self.input {
            ControlInput::Path { points, rate_hz } => {
                let points = points.iter().map(|[x, z]| Some(Vec3::new(*x, 0.0, *z))).collect();
                Signal::Points(PointClip::new(vec!["path".into()], *rate_hz, points)?)
            }
            ControlInput::Points(points) => Signal::Points(points.clone()),
            ControlInput::Take(take) => actors(take, sources::seen(take)?),
            ControlInput::CorpusTake(name) => {
                let take = corpus.take(corpus.find(name)?)?;
                actors(&take, sources::examples(corpus, name)?)
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
