//! The verb `record`: a live stream becomes a take.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::bodies::take_on_bodies;
use crate::motion::{Clip, ClipParts, Contacts, Place, Report, Take};
use crate::perform::{CharacterState, PerformInput, PerformedFrame, Performer, recording_writer};
use crate::{Context, Error, Outcome, codes, live};

/// The rate of takes of streams whose frames are not evenly spaced, in frames per second. If the time between frames varies by more than
/// [`EVEN`] of it, they are not.
const RATE_HZ: f64 = 60.0;
const EVEN: f64 = 0.1;
/// The longest time between two frames, in seconds.
const MAX_INTERVAL_SECS: f64 = 1.0;
/// The highest rate of a take, in frames per second.
const MAX_RATE_HZ: f64 = 1e4;

/// A stream, and how it is recorded.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordRequest {
    /// The performer.
    pub input: PerformInput,
    /// Frames per second of the take; default those of the input to a whole number, or 60 if it is not even.
    #[serde(default)]
    pub rate_hz: Option<f64>,
    /// The longest duration that is recorded, in seconds; default as long as the input lasts.
    #[serde(default)]
    pub secs: Option<f64>,
    /// A file into which every frame is written as it arrives, so that nothing is lost if the program ends; default none. A file of this
    /// name is overwritten.
    #[serde(default)]
    pub record: Option<PathBuf>,
}

/// The result of a recording.
pub type RecordOutcome = Outcome<RecordDetails>;

/// What `record` reports besides the motion.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct RecordDetails {
    /// Frames that arrived.
    pub received: usize,
    /// The median time between them, in seconds.
    pub interval_secs: f64,
    /// How much the time between frames varies: the 99th percentile of the difference from the median, in seconds.
    pub jitter_secs: f64,
}

impl RecordDetails {
    /// The whole number of frames per second that the stream has, if it is even.
    fn rate_hz(&self) -> f64 {
        let rate_hz = (1.0 / self.interval_secs).round();
        let is_even = self.jitter_secs < EVEN * self.interval_secs;
        if is_even && (1.0..=MAX_RATE_HZ).contains(&rate_hz) { rate_hz } else { RATE_HZ }
    }
}

impl RecordRequest {
    /// Checks that an input is named and that rate and duration are positive.
    pub fn validate(&self) -> Result<(), Error> {
        let is_valid = |value: Option<f64>, max: f64| value.is_none_or(|value| value > 0.0 && value <= max);
        if self.input.is_empty() {
            return Err(Error::usage(&codes::SETTINGS, "there is nothing to record"));
        }
        if !is_valid(self.rate_hz, MAX_RATE_HZ) || !is_valid(self.secs, f64::MAX) {
            return Err(Error::usage(&codes::SETTINGS, "rate and duration have to be positive"));
        }
        Ok(())
    }
}

/// Records until the input ends, the observer cancels, or the duration or the budget of the context is used up. What was recorded until
/// then is returned. If the context asks for a body, the motion is retargeted onto it.
///
/// ```no_run
/// use marey::Context;
/// use marey::record::{RecordRequest, run};
/// let request = RecordRequest { input: "vmc:39539".parse()?, rate_hz: None, secs: Some(10.0), record: None };
/// let outcome = run(&request, &Context::new())?;
/// println!("{} frames", outcome.take.frames());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the input cannot be opened, or shows no performer.
pub fn run(request: &RecordRequest, context: &Context<'_>) -> Result<RecordOutcome, Error> {
    request.validate()?;
    let mut performer = request.input.open(None, context.observer())?;
    let (frames, mut report) = receive(&mut *performer, request, context)?;
    report.absorb(performer.report());
    let details = details(&frames);
    let clip = clip(&*performer, &frames, request.rate_hz.unwrap_or(details.rate_hz()), context)?;
    let take = take_on_bodies(Take::solo("record", clip), context.bodies(), context.observer())?;
    Ok(Outcome {
        take,
        contacts: vec![Contacts::default()],
        plan: None,
        trace: Default::default(),
        report,
        details,
    })
}

/// The frames of a performer, as long as they are to be recorded.
fn receive(
    performer: &mut dyn Performer,
    request: &RecordRequest,
    context: &Context<'_>,
) -> Result<(Vec<PerformedFrame>, Report), Error> {
    let (mut frames, mut secs, mut report): (Vec<PerformedFrame>, _, _) =
        (Vec::new(), 0.0, Report::default());
    let mut writer = request.record.as_deref().map(|path| recording_writer(path, performer)).transpose()?;
    while request.secs.is_none_or(|limit| secs < limit) {
        let frame = match performer.next_frame(&CharacterState::default()) {
            Ok(Some(frame)) => frame,
            Ok(None) => break,
            Err(error) if frames.is_empty() => return Err(error.into()),
            Err(error) => {
                let error = Error::from(error);
                report.warn(error.code, *error.place, error.message);
                break;
            }
        };
        let place = Place::default().frame(frames.len());
        if let Some(Err(error)) = writer.as_mut().map(|writer| writer.write(&frame)) {
            writer = None;
            report.warn(&live::codes::NOT_RECORDED, place.clone(), error.to_string());
        }
        if let Err(limit) = context.budget().check_frames((frames.len() + 1) as f64) {
            report.warn(limit.code, place, limit.message);
            break;
        }
        secs += interval_secs(&frame);
        frames.push(frame);
        if context.observer().report("record", frames.len(), 0).is_break() {
            break;
        }
    }
    if let Some(Err(error)) = writer.map(|writer| writer.finish()) {
        report.warn(&live::codes::NOT_RECORDED, Place::default().frame(frames.len()), error.to_string());
    }
    Ok((frames, report))
}

/// The frames as evenly spaced ones.
fn clip(
    performer: &dyn Performer,
    frames: &[PerformedFrame],
    rate_hz: f64,
    context: &Context<'_>,
) -> Result<Clip, Error> {
    let mut parts = ClipParts::default();
    frames.iter().for_each(|frame| parts.push(frame.pose.view()));
    let clip = Clip::new(performer.skeleton().clone(), RATE_HZ, parts)?;
    // The time of a frame is the sum of those before it, not its own.
    let mut times = Vec::with_capacity(frames.len());
    let last = frames.iter().skip(1).fold(0.0, |time, frame| {
        times.push(time);
        time + interval_secs(frame)
    });
    times.push(last);
    let mut even = ClipParts::default();
    let (mut before, mut pose) = (0, clip.pose(0).to_owned());
    context.budget().check_frames(last * rate_hz)?;
    for number in 0..=(last * rate_hz).round() as usize {
        let time = number as f64 / rate_hz;
        while times.get(before + 1).is_some_and(|next| *next <= time) {
            before += 1;
        }
        let between = times.get(before).zip(times.get(before + 1));
        let part = between.map_or(0.0, |(from, to)| (time - from) / (to - from).max(1e-9));
        clip.sample_into((before as f64 + part.clamp(0.0, 1.0)) / clip.rate_hz(), &mut pose);
        even.push(pose.view());
    }
    Ok(Clip::new(performer.skeleton().clone(), rate_hz, even)?)
}

/// The time between two frames, in seconds. Longer pauses, and times that are none, are limited as in a performance.
fn interval_secs(frame: &PerformedFrame) -> f64 {
    let secs = f64::from(frame.secs);
    if secs.is_nan() { 0.0 } else { secs.clamp(0.0, MAX_INTERVAL_SECS) }
}

fn details(frames: &[PerformedFrame]) -> RecordDetails {
    let sorted = |mut values: Vec<f64>| {
        values.sort_by(f64::total_cmp);
        values
    };
    let at = |values: &[f64], part: f64| {
        let last = values.len().saturating_sub(1);
        values.get((part * last as f64).round() as usize).copied().unwrap_or_default()
    };
    let intervals = sorted(frames.iter().map(interval_secs).collect());
    let interval_secs = at(&intervals, 0.5);
    let differences = sorted(intervals.iter().map(|secs| (secs - interval_secs).abs()).collect());
    RecordDetails { received: frames.len(), interval_secs, jitter_secs: at(&differences, 0.99) }
}
