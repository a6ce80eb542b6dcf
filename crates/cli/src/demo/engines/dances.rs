//! Demonstrations of the engines that make dances from dances.

use marey::examples::ballet::{BalletSettings, ballet};
use marey::examples::waltz::{WaltzSettings, waltz};
use marey::measure::card::BaselineStatistics;
use marey::motion::{Clip, Contacts, Take};
use marey::realise::Realised;
use marey::tween::{PoseSelector, TweenRequest};
use marey::vary::VaryRequest;
use marey::{Context, Error, Outcome};

use super::super::Exhibit;
use super::super::motion::Motion;
use super::shown;

const DANCE_SECS: f64 = 16.0;
/// Number of phrases that the style is learned from.
const PHRASES: usize = 12;

/// A waltz, and a variation of it.
pub(super) fn varying(seed: u64) -> Result<Exhibit, Error> {
    let dance = waltz(&WaltzSettings { seed, duration_secs: DANCE_SECS, ..WaltzSettings::default() })?;
    let clips: Vec<Clip> = dance.take.actors().iter().map(|actor| actor.clip.clone()).collect();
    let examples = BaselineStatistics::learn(&clips);
    let request = VaryRequest { motion: vec![dance.take.clone()], seed, ..VaryRequest::default() };
    let output = realised(marey::vary::run(&request, &Context::new())?);
    let contacts = dance.truth.actors().iter().map(|actor| actor.contacts.clone()).collect();
    let input = Realised { take: dance.take, contacts, report: Default::default() };
    // The input is the example, so it is not compared with itself.
    let input = Motion { examples: None, ..shown("vary", "input", input, &examples)? };
    let motions = vec![input, shown("vary", "output", output, &examples)?];
    let about = "A waltz wrapped around a strange attractor, and replayed along a different trajectory";
    Ok(Exhibit { name: "vary".into(), about: about.into(), motions })
}

/// Two phrases of ballet, and motion from the middle of one to the middle of the other.
pub(super) fn in_betweening(seed: u64) -> Result<Exhibit, Error> {
    let phrases = ballet(&BalletSettings { seed, phrases: PHRASES, ..BalletSettings::default() })?;
    let training: Vec<Take> = phrases.iter().map(|phrase| phrase.take.clone()).collect();
    let clips: Vec<Clip> = training.iter().map(|take| take.first().clone()).collect();
    let examples = BaselineStatistics::learn(&clips);
    // All phrases start and end in the same pose, so the poses are from the middle.
    let middle = |take: &Take| PoseSelector::Frame(take.clone(), Some(take.frames() / 2));
    let request = TweenRequest {
        from: middle(&training[0]),
        to: middle(&training[PHRASES - 1]),
        training,
        ..TweenRequest::default()
    };
    let output = realised(marey::tween::run(&request, &Context::new())?);
    let contacts: Contacts = phrases[0].truth.contacts().cloned().unwrap_or_default();
    let input =
        Realised { take: phrases[0].take.clone(), contacts: vec![contacts], report: Default::default() };
    let motions =
        vec![shown("tween", "input", input, &examples)?, shown("tween", "output", output, &examples)?];
    let about = "From a pose of one phrase of ballet to a pose of another, in the style of twelve phrases";
    Ok(Exhibit { name: "tween".into(), about: about.into(), motions })
}

fn realised<D>(outcome: Outcome<D>) -> Realised {
    Realised { take: outcome.take, contacts: outcome.contacts, report: outcome.report }
}
