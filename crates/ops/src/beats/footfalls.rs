//! Beats that are stepped: feet come down on them.

use marey_motion::Clip;

use super::evidence::Evidence;
use super::{Beats, Settings, period, track};
use crate::{Result, contacts, gait};

/// How near to a beat a foot comes down that steps it, in seconds. Dancers are off by half of that.
const NEAR_SECS: f64 = 0.05;
/// From this share of beats with a foot that comes down, they are stepped. Where feet come down at any time, it is about a
/// half; where they step the beat and some steps were not found, two thirds or more.
const STEPPED: f64 = 0.6;

/// The beats that feet come down on; `None` where they do not come down in time.
pub(super) fn beats(clip: &Clip, settings: &Settings) -> Result<Option<Beats>> {
    let found = contacts::detect(clip, &contacts::Settings::default())?;
    let steps = gait::steps(&found.contacts, clip.rate_hz(), &gait::Settings::default())?;
    // A foot that is down in a frame for the first time came down since the frame before.
    let landed: Vec<f64> = steps.iter().map(|step| step.frame as f64 - 0.5).collect();
    let (Some(first), Some(last)) = (landed.first(), landed.last()) else { return Ok(None) };
    let Some(evidence) = Evidence::of_instants(&landed, clip, settings) else { return Ok(None) };
    let Some(found) = period::find(&evidence, settings) else { return Ok(None) };
    if found.strength < settings.least_strength {
        return Ok(None);
    }
    let near = NEAR_SECS * clip.rate_hz();
    let mut frames = track::frames(&evidence, found.samples, settings);
    // Before the first step, and behind the last, nothing tells of a beat.
    frames.retain(|&frame| (first - near..=last + near).contains(&(frame as f64)));
    let is_stepped = |frame: &&usize| {
        let after = landed.partition_point(|at| *at < **frame as f64);
        let mut around = landed.iter().skip(after.saturating_sub(1)).take(2);
        around.any(|at| (at - **frame as f64).abs() <= near)
    };
    let stepped = frames.iter().filter(is_stepped).count() as f64;
    let is_danced = stepped >= STEPPED * frames.len() as f64 && frames.len() > 2;
    Ok(is_danced.then(|| Beats::new(frames, found.strength, clip.rate_hz())))
}
