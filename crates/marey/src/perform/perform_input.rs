//! Where the frames of a performer come from.

use std::convert::Infallible;
use std::io;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{MarkerStream, Performer, PerformerRecording, RecordedPerformer, Recording, VmcAddress};
use crate::body::BodyProportions;
use crate::formats::MotionFile;
use crate::motion::{Observer, Skeleton};
use crate::{Error, inputs};

/// Where the frames of the performer come from. As text: `player`, `-`, `tcp:HOST:PORT`, `vmc`, `vmc:PORT`,
/// `vmc:HOST`, `vmc:HOST:PORT` or the name of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum PerformInput {
    /// A generated performer that plays the adventure.
    Player,
    /// Lines of markers from the standard input, until it ends.
    StandardInput,
    /// Lines of markers from a TCP socket (`HOST:PORT`), until it ends.
    Socket(String),
    /// A VMC stream that is received at an address (`vmc:HOST:PORT`), until nothing arrives for ten seconds.
    Vmc(String),
    /// A motion file, a file of markers, or a recording of an earlier performance (`.json`).
    File(PathBuf),
}

impl From<String> for PerformInput {
    fn from(text: String) -> Self {
        match (text.as_str(), text.strip_prefix("tcp:")) {
            ("player", _) => PerformInput::Player,
            ("-", _) => PerformInput::StandardInput,
            (address, _) if VmcAddress::is_meant_by(address) => PerformInput::Vmc(text),
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
            PerformInput::Vmc(address) => address,
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
    /// Whether the frames arrive as they are performed.
    pub fn is_live(&self) -> bool {
        matches!(self, PerformInput::StandardInput | PerformInput::Socket(_) | PerformInput::Vmc(_))
    }

    /// Whether no file is named.
    pub(crate) fn is_empty(&self) -> bool {
        matches!(self, PerformInput::File(path) if path.as_os_str().is_empty())
    }

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
            PerformInput::Vmc(address) => of_stream(MarkerStream::listen_vmc(address)?),
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

/// The performer of a file: the first actor of its motion, or the reduced set among its markers.
fn recording(import: &MotionFile) -> Result<Recording, Error> {
    Ok(match import.points() {
        Some(points) => Recording::of_points(&points.clip, &*BodyProportions::default().skeleton()?)?,
        None => Recording::of_clip(import.take()?.first())?,
    })
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
            ("vmc", PerformInput::Vmc("vmc".into())),
            ("vmc:0.0.0.0:39540", PerformInput::Vmc("vmc:0.0.0.0:39540".into())),
            ("hero.bvh", PerformInput::File("hero.bvh".into())),
        ] {
            assert_eq!(text.parse(), Ok(input.clone()));
            assert_eq!(String::from(input), text);
        }
    }
}
