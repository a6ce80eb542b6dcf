//! The engines that make dances out of dances at work.

use marey::examples::ballet::{BalletSettings, ballet};
use marey::examples::waltz::{WaltzSettings, waltz};
use marey::measure::card::Habits;
use marey::motion::{Clip, Contacts, Take};
use marey::phrases::Phrases;
use marey::plan::Seed;
use marey::realise::constrain::propagated;
use marey::realise::{Realised, Settings, realise};
use marey::tween::{Style, StyleSettings, TweenSettings, tween};
use marey::vary::{self, Travel};

use super::super::Exhibit;
use super::super::motion::Motion;
use super::shown;
use crate::failure::Failure;

/// How long a dance is, in seconds, and how many phrases a style is learned from.
const DANCE_SECS: f64 = 16.0;
const PHRASES: usize = 12;

/// A waltz, and a variation of it.
pub(super) fn varying(seed: u64) -> Result<Exhibit, Failure> {
    let dance = waltz(&WaltzSettings { seed, duration_secs: DANCE_SECS, ..WaltzSettings::default() })?;
    let clips: Vec<Clip> = dance.take.actors().iter().map(|actor| actor.clip.clone()).collect();
    let examples = Habits::learn(&clips);
    let phrases = Phrases::of_takes(std::slice::from_ref(&dance.take))?;
    let settings = vary::Settings::default();
    let wrapped = phrases.dance.wrapped(&settings)?;
    let mut plan = phrases.dance.vary(&wrapped, &settings, Travel::Onward, None, Seed(seed))?.plan;
    plan.meetings.extend(propagated(&plan, &phrases.sources)?);
    let output = realise(&plan, &phrases.sources, &Settings::default())?;
    let contacts = dance.truth.actors().iter().map(|actor| actor.contacts.clone()).collect();
    let input = Realised { take: dance.take, contacts, report: Default::default() };
    // The input is the example: there is nothing to hold it to.
    let input = Motion { examples: None, ..shown("vary", "input", input, &examples)? };
    let motions = vec![input, shown("vary", "output", output, &examples)?];
    let about = "A waltz wrapped around a strange attractor, and danced along another way on it";
    Ok(Exhibit { name: "vary".into(), about: about.into(), motions })
}

/// Two phrases of ballet, and the way from the end of the one into the other.
pub(super) fn in_betweening(seed: u64) -> Result<Exhibit, Failure> {
    let phrases = ballet(&BalletSettings { seed, phrases: PHRASES, ..BalletSettings::default() })?;
    let clips: Vec<Clip> = phrases.iter().map(|phrase| phrase.take.first().clone()).collect();
    let examples = Habits::learn(&clips);
    let style = Style::learn(&clips, &StyleSettings::default())?;
    // From the middle of one phrase to the middle of another: at their ends all stand alike.
    let (from, to) = (&clips[0], &clips[PHRASES - 1]);
    let ends = [(from, from.frames() / 2), (to, to.frames() / 2)];
    let made = tween(
        &style,
        ends[0],
        ends[1],
        &TweenSettings { rate_hz: from.rate_hz(), ..TweenSettings::default() },
    )?;
    let of = |clip: Clip, contacts: Contacts| Realised {
        take: Take::solo("dancer", clip),
        contacts: vec![contacts],
        report: Default::default(),
    };
    let known = phrases[0].truth.contacts().cloned().unwrap_or_default();
    let motions = vec![
        shown("tween", "input", of(from.clone(), known), &examples)?,
        shown("tween", "output", of(made.clip, made.contacts), &examples)?,
    ];
    let about = "From a posture of one phrase of ballet to one of another, as twelve phrases would go";
    Ok(Exhibit { name: "tween".into(), about: about.into(), motions })
}
