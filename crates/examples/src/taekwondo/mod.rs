//! Two fighters in a bout of taekwondo: footwork, punches and kicks, blocks, dodges, hits taken.
//!
//! Movements are sampled from a [`Chain`], which is part of the truth: in each round one fighter acts and the other responds. Both
//! fight in an open stance: `red` with the left foot forward, `blue` with the right. Blue's movements are mirror images of red's.
//!
//! Every movement ends when a foot lands, as Park, Kwon, Shin and Shin observe of martial arts (*Analysis and Synthesis of Interactive
//! Two-Character Motions*, 2004, section 3.2). Their types of movement are used: normal, offensive, defensive. As in [`crate::walk`],
//! footholds come first, then a body that fits them. Attacks are aimed last, at the position of the opponent's body or forearm at
//! contact. The attacker's body is shifted until the limb has the intended stretch, and the limb is moved to the exact target.
//!
//! Truth: heel and ball contacts; a cut at each round; labels with the movements of both; and the [`BoutTruth`]: the chain, each
//! fighter's movements, and the instants of contact.
//!
//! Known limits: fighters do not change their stance, fall or clinch, and do not attack at the same time. Kicks arrive with zero speed.

mod bout;
mod chain;
mod defence;
mod fighter;
mod footwork;
mod form;
mod key;
mod kick;
mod movement;
mod ring;
mod script;
mod settings;
mod truth;

use bout::Bout;
pub use chain::{Chain, Initiative, TechniqueTransition};
use marey_motion::{Marker, Side, Tag, Take};
pub use movement::{Movement, MovementKind};
use ring::Ring;
pub use settings::TaekwondoSettings;
pub use truth::{BoutTruth, MovementSpan, Strike};

use crate::clock::Clock;
use crate::random::rng_stream;
use crate::{ActorTruth, Example, Result, Truth, sensor};

/// The names of the actors in the order of the take, and their lead feet.
const NAMES: [&str; 2] = ["red", "blue"];
const LEADS: [Side; 2] = [Side::Left, Side::Right];

/// Generates a bout.
///
/// ```
/// use marey_examples::taekwondo::{MovementKind, TaekwondoSettings, taekwondo};
/// let settings = TaekwondoSettings { duration_secs: 20.0, ..TaekwondoSettings::default() };
/// let example = taekwondo(&settings)?;
/// assert_eq!(example.take.actors()[0].name, "red");
/// let bout = example.truth.bout().unwrap();
/// // Every attack has a response.
/// let of = |kind| bout.movements.iter().filter(|span| span.kind == kind).count();
/// assert_eq!(of(MovementKind::Offensive), of(MovementKind::Defensive));
/// # Ok::<(), marey_examples::ExamplesError>(())
/// ```
pub fn taekwondo(settings: &TaekwondoSettings) -> Result<Example> {
    settings.validate()?;
    let chain = Chain::default();
    let bout = Bout::plan(settings, &chain, &mut rng_stream(settings.seed, 0));
    let ring = Ring::new(settings, &bout, &mut rng_stream(settings.seed, 1))?;
    let frames = (settings.duration_secs * settings.rate_hz).round() as usize;
    let take = ring.record(Clock { rate_hz: settings.rate_hz, frames })?;
    let truth = truth_of(&take, &ring, &bout, chain)?;
    let take = sensor::captured_take(take, settings.noise_mm, &mut rng_stream(settings.seed, 2))?;
    Ok(Example { take, truth })
}

fn truth_of(take: &Take, ring: &Ring, bout: &Bout, chain: Chain) -> Result<Truth> {
    let clock = Clock::of(take);
    let actors = ring.fighters.iter().zip(NAMES).map(|(fighter, name)| {
        Ok(ActorTruth { name: name.to_owned(), contacts: fighter.feet.contacts(&clock)? })
    });
    let mut cuts = Vec::new();
    let mut labels = Vec::new();
    let mut last = ("ready".to_owned(), 0);
    for round in &bout.rounds {
        let at = clock.frame_at(round.start_secs);
        cuts.push(Marker::new("round", at, clock.frames)?);
        labels.push(Tag::new(last.0, last.1..at, clock.frames)?);
        let [red, blue] = round.turns.map(|turn| turn.movement.name());
        last = (format!("red {red}, blue {blue}"), at);
    }
    labels.push(Tag::new(last.0, last.1..clock.frames, clock.frames)?);
    let truth = BoutTruth { chain, movements: movements(ring, &clock), touches: touches(ring, &clock) };
    Ok(Truth::of(take, actors.collect::<Result<_>>()?, cuts, labels).with_bout(truth))
}

/// The movements of each fighter. Both are on guard before the first and after the last.
fn movements(ring: &Ring, clock: &Clock) -> Vec<MovementSpan> {
    let mut all = Vec::new();
    for (actor, script) in ring.scripts.iter().enumerate() {
        let mut start = 0;
        let ends = script.ends.iter().copied().chain([(f64::INFINITY, Movement::Guard)]);
        for (end_secs, movement) in ends {
            let end = clock.frame_at(end_secs);
            if end > start {
                all.push(MovementSpan { actor, start, end, movement, kind: movement.kind() });
            }
            start = end;
        }
    }
    all
}

fn touches(ring: &Ring, clock: &Clock) -> Vec<Strike> {
    let touch = |contact: &ring::StrikeContact| {
        let frame = clock.nearest(contact.secs)?;
        Some(Strike {
            frame,
            striker: contact.striker,
            struck: contact.struck,
            place: contact.place.to_array(),
        })
    };
    ring.strike_contacts.iter().filter_map(touch).collect()
}
