//! `perform` at work.

use marey::examples::playground::PlaygroundSettings;
use marey::measure::card::BaselineStatistics;
use marey::motion::{Contacts, Take};
use marey::perform::{Player, WorldFile, perform};
use marey::realise::Realised;
use marey::{Context, Error};

use super::super::Exhibit;
use super::super::motion::Motion;
use super::shown;

/// How much of the adventure is shown, in seconds: the first bars.
const SHOWN_SECS: f64 = 12.0;

/// A generated player performs the first part of the adventure.
pub(super) fn performing(seed: u64) -> Result<Exhibit, Error> {
    let player = Player::new(&PlaygroundSettings { seed, ..PlaygroundSettings::default() })?;
    let outcome = perform(WorldFile::adventure()?, Box::new(player), &Context::new())?;
    let frames = 0..outcome.take.frames().min((SHOWN_SECS * outcome.take.rate_hz()) as usize);
    let performer = outcome.details.recording.clip().slice(frames.clone())?;
    let character = outcome.take.first().slice(frames)?;
    let examples = BaselineStatistics::learn(std::slice::from_ref(&performer));
    let motion = |caption, clip| -> Result<Motion, Error> {
        let take = Take::solo("performer", clip);
        let made = Realised { take, contacts: vec![Contacts::default()], report: Default::default() };
        shown("perform", caption, made, &examples)
    };
    let motions = vec![motion("input", performer)?, motion("output", character)?];
    let about = "A player in an empty room drives a character along bars, in a world with its own physics";
    Ok(Exhibit { name: "perform".into(), about: about.into(), motions })
}
