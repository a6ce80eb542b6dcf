//! The verb `perform`.

use std::convert::Infallible;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{
    Calibration, CharacterState, MarkerStream, PerformOutcome, Performance, Performer, PerformerRecording,
    RecordedPerformer, Recording, RecordingWriter, WorldFile,
};
use crate::bodies::take_on_bodies;
use crate::body::BodyProportions;
use crate::formats::{FormatsError, MotionFile};
use crate::motion::{Observer, Skeleton};
use crate::{Context, Error, codes, inputs};

/// A performance: an input and a world.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PerformRequest {
    /// The world: a TOML file as docs/engines/perform.md describes it, or `adventure`, the built-in world; default `adventure`.
    pub world: PathBuf,
    /// The performer; default the generated player.
    pub input: PerformInput,
    /// A file into which the input is recorded while it is performed; default none. A file of this name is overwritten.
    pub record: Option<PathBuf>,
    /// A motion file or a recording of the same performer, which shows the performer's floor and, for a stream, the body; default none:
    /// the input shows both.
    pub calibrate: Option<PathBuf>,
}

impl Default for PerformRequest {
    fn default() -> Self {
        Self { world: "adventure".into(), input: PerformInput::Player, record: None, calibrate: None }
    }
}

/// Where the frames of the performer come from. As text: `player`, `-`, `tcp:HOST:PORT` or the name of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum PerformInput {
    /// A generated performer that plays the adventure.
    Player,
    /// Lines of markers from the standard input, until it ends.
    StandardInput,
    /// Lines of markers from a TCP socket (`HOST:PORT`), until it ends.
    Socket(String),
    /// A motion file, a file of markers, or a recording of an earlier performance (`.json`).
    File(PathBuf),
}

impl From<String> for PerformInput {
    fn from(text: String) -> Self {
        match (text.as_str(), text.strip_prefix("tcp:")) {
            ("player", _) => PerformInput::Player,
            ("-", _) => PerformInput::StandardInput,
            (_, Some(address)) => PerformInput::Socket(address.to_owned()),
            _ => PerformInput::File(text.into()),
        }
    }
}

impl From<PerformInput> for String {
    fn from(input: PerformInput) -> Self {
        match input {
            PerformInput::Player => "player".into(),
            PerformInput::StandardInput => "-".into(),
            PerformInput::Socket(address) => format!("tcp:{address}"),
            PerformInput::File(path) => path.to_string_lossy().into_owned(),
        }
    }
}

impl FromStr for PerformInput {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(text.to_owned().into())
    }
}

impl PerformInput {
    /// Opens the input. Live inputs wait until the performer has been in view long enough to be measured; if the observer cancels, they
    /// end.
    ///
    /// Streams of markers measure the performer's body, unless it is given.
    pub fn open<'a>(
        &self,
        body: Option<&Arc<Skeleton>>,
        observer: Observer<'a>,
    ) -> Result<Box<dyn Performer + 'a>, Error> {
        let of_stream = |stream: MarkerStream| -> Result<Box<dyn Performer + 'a>, Error> {
            let performer = stream.into_performer(observer)?;
            Ok(Box::new(match body {
                Some(body) => performer.with_body(body.clone())?,
                None => performer,
            }))
        };
        match self {
            PerformInput::Player => generated_player(),
            PerformInput::StandardInput => of_stream(MarkerStream::new(io::stdin(), "-")),
            PerformInput::Socket(address) => of_stream(MarkerStream::connect(address)?),
            PerformInput::File(path) if path.extension().is_some_and(|ending| ending == "json") => {
                let recording = PerformerRecording::from_text(&inputs::text(path)?);
                Ok(Box::new(recording.map_err(|error| Error::from(error).in_file(path))?))
            }
            PerformInput::File(path) => {
                let recording = recording(&inputs::import(path)?).map_err(|error| error.in_file(path))?;
                Ok(Box::new(RecordedPerformer::new(recording)))
            }
        }
    }
}

/// The calibration that a motion file or a recording shows.
fn calibration(path: &Path) -> Result<Calibration, Error> {
    let mut performer = PerformInput::File(path.to_owned()).open(None, Observer::ignore())?;
    let mut frames = Vec::new();
    while let Some(frame) = performer.next_frame(&CharacterState::default())? {
        frames.push(frame.pose);
    }
    let calibration = Calibration::most_upright(performer.skeleton().clone(), &frames);
    calibration.map_err(|error| Error::from(error).in_file(path))
}

/// The performer of a file: the first actor of its motion, or the reduced set among its markers.
fn recording(import: &MotionFile) -> Result<Recording, Error> {
    Ok(match import.points() {
        Some(points) => Recording::of_points(&points.clip, &*BodyProportions::default().skeleton()?)?,
        None => Recording::of_clip(import.take()?.first())?,
    })
}

impl PerformRequest {
    /// Checks that a world and an input are named.
    pub fn validate(&self) -> Result<(), Error> {
        let is_empty = |path: &Path| path.as_os_str().is_empty();
        let has_input = !matches!(&self.input, PerformInput::File(path) if is_empty(path));
        if is_empty(&self.world) || !has_input {
            return Err(Error::usage(&codes::SETTINGS, "a performance needs a world and an input"));
        }
        Ok(())
    }
}

/// Performs until the input ends. If the context asks for a body, the character's motion is retargeted onto it.
///
/// ```no_run
/// use marey::Context;
/// use marey::perform::{PerformRequest, run};
/// let outcome = run(&PerformRequest::default(), &Context::new())?;
/// println!("finished in frame {:?}", outcome.details.finished);
/// # Ok::<(), marey::Error>(())
/// ```
pub fn run(request: &PerformRequest, context: &Context<'_>) -> Result<PerformOutcome, Error> {
    request.validate()?;
    let world = WorldFile::open(&request.world)?;
    let calibration = request.calibrate.as_deref().map(calibration).transpose()?;
    let body = calibration.as_ref().map(Calibration::skeleton);
    let mut performance = Performance::start(world, request.input.open(body, context.observer())?)?;
    if let Some(calibration) = &calibration {
        performance = performance.calibrated_by(calibration)?;
    }
    if let Some(path) = &request.record {
        let failed = |error| Error::from(FormatsError::file(path, error));
        let file = File::create(path).map_err(failed)?;
        let writer = RecordingWriter::new(file, performance.performer()).map_err(failed)?;
        performance = performance.recorded_in(writer);
    }
    let mut outcome = performance.run(context)?;
    outcome.take = take_on_bodies(outcome.take, context.bodies(), context.observer())?;
    Ok(outcome)
}

#[cfg(feature = "examples")]
fn generated_player() -> Result<Box<dyn Performer>, Error> {
    Ok(Box::new(super::Player::new(&crate::examples::playground::PlaygroundSettings::default())?))
}

#[cfg(not(feature = "examples"))]
fn generated_player() -> Result<Box<dyn Performer>, Error> {
    Err(Error::new(&crate::codes::LEFT_OUT, "the generated player needs the feature \"examples\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_are_read_from_and_written_to_text() {
        for (text, input) in [
            ("player", PerformInput::Player),
            ("-", PerformInput::StandardInput),
            ("tcp:localhost:7777", PerformInput::Socket("localhost:7777".into())),
            ("hero.bvh", PerformInput::File("hero.bvh".into())),
        ] {
            assert_eq!(text.parse(), Ok(input.clone()));
            assert_eq!(String::from(input), text);
        }
    }

    #[test]
    fn a_request_without_input_is_refused() {
        let request = PerformRequest { input: PerformInput::File(PathBuf::new()), ..Default::default() };
        assert!(request.validate().unwrap_err().is_usage);
        PerformRequest::default().validate().unwrap();
    }
}
