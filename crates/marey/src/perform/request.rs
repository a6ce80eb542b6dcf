//! The verb `perform`.

use std::fs::File;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{
    Calibration, CharacterState, PerformInput, PerformOutcome, Performance, Performer, RecordingWriter,
    VmcAddress, VmcSender, WorldFile,
};
use crate::bodies::take_on_bodies;
use crate::formats::FormatsError;
use crate::motion::Observer;
use crate::{Context, Error, codes};

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
    /// Where the character is sent as a VMC stream while it performs, at the pace of the input; default nowhere. It has the body of the
    /// world's character.
    pub send: Option<VmcAddress>,
}

impl Default for PerformRequest {
    fn default() -> Self {
        Self {
            world: "adventure".into(),
            input: PerformInput::Player,
            record: None,
            calibrate: None,
            send: None,
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

impl PerformRequest {
    /// Checks that a world and an input are named.
    pub fn validate(&self) -> Result<(), Error> {
        if self.world.as_os_str().is_empty() || self.input.is_empty() {
            return Err(Error::usage(&codes::SETTINGS, "a performance needs a world and an input"));
        }
        Ok(())
    }
}

/// Starts a recording in a file.
pub(crate) fn recording_writer(path: &Path, performer: &dyn Performer) -> Result<RecordingWriter, Error> {
    let failed = |error| Error::from(FormatsError::file(path, error));
    RecordingWriter::new(File::create(path).map_err(failed)?, performer).map_err(failed)
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
        let writer = recording_writer(path, performance.performer())?;
        performance = performance.recorded_in(writer);
    }
    if let Some(address) = &request.send {
        let sender = VmcSender::open(address, performance.session().body().skeleton())?;
        performance = performance.sent_to(sender, !request.input.is_live());
    }
    let mut outcome = performance.run(context)?;
    outcome.take = take_on_bodies(outcome.take, context.bodies(), context.observer())?;
    Ok(outcome)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_without_input_is_refused() {
        let request = PerformRequest { input: PerformInput::File(PathBuf::new()), ..Default::default() };
        assert!(request.validate().unwrap_err().is_usage);
        PerformRequest::default().validate().unwrap();
    }
}
