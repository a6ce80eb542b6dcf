//! The verb `play`: motion goes to another program, frame by frame, at its own pace.

use serde::{Deserialize, Serialize};

use crate::live::FrameClock;
use crate::motion::{Observer, Report};
use crate::perform::{CharacterState, PerformInput, VmcAddress, VmcSender};
use crate::{Context, Error, codes};

/// What is played, and where it is sent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayRequest {
    /// The motion: a file, a recording, or a live stream.
    pub input: PerformInput,
    /// Where it is sent.
    pub send: VmcAddress,
    /// Whether a file is played again and again until the observer cancels; default false.
    #[serde(default)]
    pub repeat: bool,
}

/// What was played.
#[derive(Debug, Clone, PartialEq)]
pub struct PlayOutcome {
    /// Frames that were sent.
    pub frames: usize,
    /// Their duration, in seconds.
    pub secs: f64,
    /// Warnings.
    pub report: Report,
}

impl PlayRequest {
    /// Checks that an input is named, and that it can be repeated if it is to be.
    pub fn validate(&self) -> Result<(), Error> {
        if self.input.is_empty() {
            return Err(Error::usage(&codes::SETTINGS, "there is nothing to play"));
        }
        if self.repeat && !matches!(self.input, PerformInput::File(_)) {
            return Err(Error::usage(&codes::SETTINGS, "only a file can be repeated"));
        }
        Ok(())
    }
}

/// Plays until the motion ends or the observer cancels. Live streams are passed on as they arrive; a file waits for each frame to be
/// due.
///
/// ```no_run
/// use marey::Context;
/// use marey::play::{PlayRequest, run};
/// let request = PlayRequest { input: "walk.bvh".parse()?, send: "vmc:39540".parse()?, repeat: false };
/// let outcome = run(&request, &Context::new())?;
/// println!("{} frames", outcome.frames);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the input cannot be opened, or the receiver's host is not known.
pub fn run(request: &PlayRequest, context: &Context<'_>) -> Result<PlayOutcome, Error> {
    request.validate()?;
    let observer = context.observer();
    let mut outcome = PlayOutcome { frames: 0, secs: 0.0, report: Report::default() };
    let mut clock = (!request.input.is_live()).then(FrameClock::start);
    loop {
        let is_done = play_once(request, observer, &mut clock, &mut outcome)?;
        if is_done || !request.repeat {
            return Ok(outcome);
        }
    }
}

/// Plays to the end of the input; true if the observer cancels.
fn play_once(
    request: &PlayRequest,
    observer: Observer<'_>,
    clock: &mut Option<FrameClock>,
    outcome: &mut PlayOutcome,
) -> Result<bool, Error> {
    let mut performer = request.input.open(None, observer)?;
    let mut sender = VmcSender::open(&request.send, performer.skeleton())?;
    let mut is_cancelled = false;
    while !is_cancelled && let Some(frame) = performer.next_frame(&CharacterState::default())? {
        if let Some(clock) = clock {
            clock.wait(1.0 / f64::from(frame.secs));
        }
        sender.send(frame.pose.view(), frame.secs)?;
        outcome.frames += 1;
        outcome.secs += if frame.secs.is_finite() { f64::from(frame.secs) } else { 0.0 };
        is_cancelled = observer.report("play", outcome.frames, 0).is_break();
    }
    outcome.report.absorb(performer.report());
    sender.finish()?;
    Ok(is_cancelled)
}
