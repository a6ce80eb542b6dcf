//! Beats on which feet come down.

use marey_motion::Clip;

use super::evidence::Evidence;
use super::{BeatSettings, Beats, period, track};
use crate::{Result, contacts, gait};

/// Largest distance of a step from its beat, in seconds. Dancers are off by half of that.
const NEAR_SECS: f64 = 0.05;
/// The smallest share of beats with a step for the steps to define the beat. It is about a half if feet come
/// down at any time, and two thirds or more if they follow the beat and some steps were missed.
const STEPPED: f64 = 0.6;

/// The beats that have steps; `None` if feet do not follow a beat.
pub(super) fn beats(clip: &Clip, settings: &BeatSettings) -> Result<Option<Beats>> {
    // A beat is where a foot has come to rest, not where it first touches the floor.
    let settings_of_rest =
        contacts::ContactSettings { start_trim_secs: 0.09, end_trim_secs: 0.09, ..Default::default() };
    let found = contacts::detect(clip, &settings_of_rest)?;
    let steps = gait::steps(&found.contacts, clip.rate_hz(), &gait::GaitSettings::default())?;
    // A foot that is down in a frame for the first time came down after the previous frame.
    let landed: Vec<f64> = steps.iter().map(|step| step.frame as f64 - 0.5).collect();
    let (Some(first), Some(last)) = (landed.first(), landed.last()) else { return Ok(None) };
    let Some(evidence) = Evidence::of_instants(&landed, clip, settings) else { return Ok(None) };
    let Some(found) = period::find(&evidence, settings) else { return Ok(None) };
    if found.strength < settings.least_strength {
        return Ok(None);
    }
    let near = NEAR_SECS * clip.rate_hz();
    let mut frames = track::frames(&evidence, found.samples, settings);
    // Before the first step and after the last there is no evidence.
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
