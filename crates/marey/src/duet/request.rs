//! The request of `duet`.

use serde::{Deserialize, Serialize};

use super::{DEFAULT_MODEL, Duet, DuetCommand, DuetError, DuetPath, DuetRunSettings, InteractionKind};
use crate::motion::PointClip;
use crate::ops::OutOfRange;
use crate::{Error, codes};

/// A request for motion of two people.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DuetRequest {
    /// Name of the stored model; default `"duet"`. Not used if `train_on` names takes.
    pub model: String,
    /// Takes to train on for this request, instead of a stored model; default: none. Movements of takes without labels
    /// are searched for with [`label::quick_settings`](super::label::quick_settings).
    pub train_on: Vec<String>,
    /// Duration, in seconds; default 30; 0.1 to 36000.
    pub secs: f64,
    /// Random seed; default 1.
    pub seed: u64,
    /// Name of the person who follows the path or executes the commands; default: the first person.
    pub person: Option<String>,
    /// Path of that person: time in seconds, x and z in metres, with ascending times; default: none.
    pub path: Vec<[f64; 3]>,
    /// Commands for that person, executed in order before the model decides alone; default: none.
    pub commands: Vec<DuetCommand>,
    /// Settings of the engine.
    pub settings: DuetRunSettings,
    /// Name of the resulting take; default `"duet"`.
    pub name: String,
}

impl Default for DuetRequest {
    fn default() -> Self {
        Self {
            model: DEFAULT_MODEL.into(),
            train_on: Vec::new(),
            secs: 30.0,
            seed: 1,
            person: None,
            path: Vec::new(),
            commands: Vec::new(),
            settings: DuetRunSettings::default(),
            name: "duet".into(),
        }
    }
}

impl DuetRequest {
    /// Checks everything that can be checked without the corpus.
    pub fn validate(&self) -> Result<(), Error> {
        OutOfRange::check("secs", self.secs, 0.1..=36_000.0).map_err(DuetError::from)?;
        self.settings.validate()?;
        if !self.path.is_empty() {
            DuetPath { person: 0, points: self.path.clone() }.validate()?;
        }
        Ok(())
    }

    /// Converts a recorded path into the points of [`DuetRequest::path`].
    pub fn path_from(path: &PointClip) -> Vec<[f64; 3]> {
        let point = |frame: usize| {
            let position = path.get(frame, 0)?;
            Some([frame as f64 / path.rate_hz(), f64::from(position.x), f64::from(position.z)])
        };
        (0..path.frames()).filter_map(point).collect()
    }

    /// Returns the index of the person who is controlled.
    pub(super) fn person_index(&self, duet: &Duet) -> Result<usize, Error> {
        let Some(person) = &self.person else { return Ok(0) };
        let names @ [first, second] = duet.model().people.each_ref().map(|person| person.name.as_str());
        names.iter().position(|name| name == person).ok_or_else(|| {
            let message = format!("no {person:?}: the people are {first:?} and {second:?}");
            Error::new(&codes::NO_PERSON, message)
        })
    }
}

/// Parses a command: the number of a group, or `normal`, `offensive` or `defensive`, optionally followed by a position as
/// x and z in metres.
///
/// ```
/// use marey::duet::{DuetCommand, InteractionKind, parse_command};
/// let attack = DuetCommand {
///     kind: Some(InteractionKind::Offensive),
///     place: Some([1.0, -0.5]),
///     ..DuetCommand::default()
/// };
/// assert_eq!(parse_command("offensive 1 -0.5")?, attack);
/// assert_eq!(parse_command("3")?.group, Some(2));
/// for wrong in ["sideways", "normal nan 0", "normal 1e99 0"] {
///     assert_eq!(parse_command(wrong).unwrap_err().code.id, "command/commands");
/// }
/// # Ok::<(), marey::Error>(())
/// ```
pub fn parse_command(line: &str) -> Result<DuetCommand, Error> {
    command_of(line).ok_or_else(|| Error::usage(&codes::COMMANDS, format!("{line:?}")))
}

fn command_of(line: &str) -> Option<DuetCommand> {
    let mut words = line.split_whitespace();
    let action = words.next()?;
    let kind = match action {
        "normal" => Some(InteractionKind::Normal),
        "offensive" => Some(InteractionKind::Offensive),
        "defensive" => Some(InteractionKind::Defensive),
        _ => None,
    };
    let group = match kind {
        Some(_) => None,
        None => Some(action.parse::<usize>().ok()?.checked_sub(1)?),
    };
    let place = match words.collect::<Vec<_>>().as_slice() {
        [] => None,
        [x, z] => Some([coordinate(x)?, coordinate(z)?]),
        _ => return None,
    };
    Some(DuetCommand { group, kind, place })
}

fn coordinate(word: &str) -> Option<f32> {
    word.parse().ok().filter(|metres: &f32| metres.is_finite())
}
