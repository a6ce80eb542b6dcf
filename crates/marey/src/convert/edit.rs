//! Changes to motion between reading and writing.

use serde::{Deserialize, Serialize};

use crate::character::{Cast, CharacterRequest};
use crate::motion::{Actor, Clip, FrameRange, Observer, Take};
use crate::ops::cycle::{CycleSettings, close_cycle, find_cycle};
use crate::ops::retarget::TravelScale;
use crate::ops::smoothing::{SmoothingSettings, smoothed};
use crate::{Budget, Error};

/// The range of a speed.
const SPEEDS: std::ops::RangeInclusive<f64> = 0.01..=100.0;
/// Frame rates that can be asked for, in Hz.
const RATES_HZ: std::ops::RangeInclusive<f64> = 0.1..=10_000.0;

/// Changes to motion, in the order of the fields.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MotionEdit {
    /// Keep only these frames.
    pub frames: Option<FrameRange>,
    /// Exchange left and right.
    pub mirror: bool,
    /// Remove noise.
    pub smooth: Option<SmoothingSettings>,
    /// Retarget to the skeletons of these files, or of takes of a corpus.
    pub skeletons: Vec<CharacterRequest>,
    /// How far another body travels; default in proportion to its legs.
    pub travel: Option<TravelScale>,
    /// Cut out the best cycle and close it, so that it can be repeated.
    pub cycle: Option<CycleSettings>,
    /// How many times faster the motion becomes, 0.01 to 100; the frame rate stays the same.
    pub speed: Option<f64>,
    /// Frame rate in Hz, 0.1 to 10000; the motion keeps its speed.
    pub resample_hz: Option<f64>,
    /// Start with the hips of the first actor over the origin, heading along +Z.
    pub to_origin: bool,
}

/// What changes did to a take.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct EditSummary {
    /// The farthest that smoothing moved a joint, in metres.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub smoothing_shift_m: Option<f32>,
    /// The cycle.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cycle: Option<CycleSummary>,
}

/// The cycle that was cut out.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct CycleSummary {
    /// Its first frame, after earlier changes.
    pub first_frame: usize,
    /// Number of frames; the last equals the first.
    pub frames: usize,
    /// Distance of the joints between its ends before it was closed, as a root mean square in metres.
    pub seam_m: f32,
    /// Distance over the floor from its start to its end, in metres.
    pub travel_m: f32,
    /// Change of heading from its start to its end, in degrees to the left.
    pub turn_deg: f32,
}

impl MotionEdit {
    /// Checks the ranges.
    pub fn validate(&self) -> Result<(), Error> {
        self.skeletons.iter().try_for_each(CharacterRequest::validate)?;
        self.smooth.map_or(Ok(()), |settings| settings.validate())?;
        self.cycle.map_or(Ok(()), |settings| settings.validate())?;
        match (self.speed, self.resample_hz) {
            (Some(speed), _) if !SPEEDS.contains(&speed) => {
                Err(Error::settings(format!("a speed of {speed} is not from 0.01 to 100")))
            }
            (_, Some(rate_hz)) if !RATES_HZ.contains(&rate_hz) => {
                Err(Error::settings(format!("a frame rate of {rate_hz:?} Hz is not from 0.1 to 10000")))
            }
            _ => Ok(()),
        }
    }

    /// Edits a take. `bodies` holds [`MotionEdit::skeletons`].
    pub(super) fn apply(
        &self,
        take: Take,
        bodies: &Cast,
        budget: &Budget,
        observer: Observer<'_>,
    ) -> Result<(Take, EditSummary), Error> {
        let slower = 1.0 / self.speed.unwrap_or(1.0).min(1.0);
        let rate_hz = self.resample_hz.unwrap_or(take.rate_hz());
        let secs = slower * take.frames() as f64 / take.rate_hz();
        budget.check_frames(secs * rate_hz * take.actors().len() as f64)?;
        let mut summary = EditSummary::default();
        let take = each(take, |clip| self.prepare(clip, &mut summary))?;
        let take = if bodies.is_empty() { take } else { bodies.fit_observed(take, self.travel, observer)? };
        let take = match &self.cycle {
            Some(settings) => cut_cycle(take, settings, &mut summary)?,
            None => take,
        };
        let take = each(take, |clip| self.retime(clip))?;
        let start = take.first().ground_track().frames.first().map(|ground| ground.inverse());
        match start.filter(|_| self.to_origin) {
            Some(origin) => Ok((each(take, |clip| Ok(clip.moved(origin)))?, summary)),
            None => Ok((take, summary)),
        }
    }

    /// Changes on the body of the file.
    fn prepare(&self, mut clip: Clip, summary: &mut EditSummary) -> Result<Clip, Error> {
        if let Some(frames) = self.frames {
            clip = clip.slice(frames.within(clip.frames()))?;
        }
        if self.mirror {
            clip = clip.mirrored();
        }
        if let Some(settings) = &self.smooth {
            let smooth = smoothed(&clip, settings)?;
            let most_m = summary.smoothing_shift_m.unwrap_or(0.0).max(smooth.shift_m);
            summary.smoothing_shift_m = Some(most_m);
            clip = smooth.clip;
        }
        Ok(clip)
    }

    /// Changes of time.
    fn retime(&self, clip: Clip) -> Result<Clip, Error> {
        let rate_hz = clip.rate_hz();
        let clip = match self.speed {
            // As many samples as the result has frames, shown at the old rate.
            Some(speed) => clip.resampled(rate_hz / speed)?.with_rate(rate_hz)?,
            None => clip,
        };
        Ok(self.resample_hz.map_or(Ok(clip.clone()), |rate_hz| clip.resampled(rate_hz))?)
    }
}

/// The take with every clip changed.
fn each(take: Take, mut change: impl FnMut(Clip) -> Result<Clip, Error>) -> Result<Take, Error> {
    let name = take.name().to_owned();
    let change = |actor: Actor| Ok(Actor { clip: change(actor.clip)?, ..actor });
    Ok(Take::new(name, take.into_actors().into_iter().map(change).collect::<Result<_, Error>>()?)?)
}

/// The best cycle of a take, closed.
fn cut_cycle(take: Take, settings: &CycleSettings, summary: &mut EditSummary) -> Result<Take, Error> {
    let clips: Vec<&Clip> = take.actors().iter().map(|actor| &actor.clip).collect();
    let cycle = find_cycle(&clips, settings)?;
    let closed = close_cycle(&clips, &cycle)?;
    let actors: Vec<Actor> = take
        .actors()
        .iter()
        .zip(closed)
        .map(|(actor, clip)| Actor { name: actor.name.clone(), clip })
        .collect();
    let take = Take::new(take.name().to_owned(), actors)?;
    let track = take.first().ground_track().frames;
    if let (Some(&start), Some(&end)) = (track.first(), track.last()) {
        let moved = start.inverse().point(end.translation());
        let turn = start.inverse().rotation() * end.rotation();
        let ahead = turn * crate::motion::Vec3::Z;
        summary.cycle = Some(CycleSummary {
            first_frame: cycle.frames.start,
            frames: cycle.frames.len(),
            seam_m: cycle.seam_m,
            travel_m: moved.length(),
            turn_deg: ahead.x.atan2(ahead.z).to_degrees(),
        });
    }
    Ok(take)
}
