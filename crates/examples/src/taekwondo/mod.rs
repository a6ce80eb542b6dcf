//! Two fighters in a bout of taekwondo: footwork, punches and kicks, blocks, dodges, hits taken.
//!
//! What happens is drawn from a [`Chain`] that is known and written in the truth: in each round one of the two acts and the
//! other answers. Both fight with their fronts open to the same side: `red` with the left foot ahead, `blue` with the right,
//! blue's movements the mirror image of red's.
//!
//! Every movement ends when a foot comes down, as Park, Kwon, Shin and Shin observe of martial arts (*Analysis and Synthesis
//! of Interactive Two-Character Motions*, 2004, section 3.2), whose table of movement types is taken: normal, offensive,
//! defensive. Feet come first, as in [`crate::walk`]: where they stand, then a body that can have made them. Attacks are
//! aimed last: at the other's body, or forearm, as it is when the attack arrives; the attacker's body is moved until the limb
//! is as stretched as it should be, and the limb is brought to the very place.
//!
//! Truth: heel and ball contacts; a cut at each round; labels that name what both do; and the [`BoutTruth`]: the chain, each
//! fighter's movements, and the instants at which attacks arrive.
//!
//! Known limits: fighters do not change their stance; nobody falls, clinches, or attacks while the other does; kicks arrive
//! with no speed left.

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
pub use movement::{Kind, Movement};
use ring::Ring;
pub use settings::TaekwondoSettings;
pub use truth::{BoutTruth, Moved, Strike};

use crate::clock::Clock;
use crate::wander::stream;
use crate::{ActorTruth, Example, Result, Truth, sensor};

/// The actors' names, in the take's order, and the foot each has ahead.
const NAMES: [&str; 2] = ["red", "blue"];
const LEADS: [Side; 2] = [Side::Left, Side::Right];

/// Makes a bout.
///
/// ```
/// use marey_examples::taekwondo::{Kind, TaekwondoSettings, taekwondo};
/// let settings = TaekwondoSettings { duration_secs: 20.0, ..TaekwondoSettings::default() };
/// let example = taekwondo(&settings)?;
/// assert_eq!(example.take.actors()[0].name, "red");
/// let bout = example.truth.bout().unwrap();
/// // Every attack is answered.
/// let of = |kind| bout.movements.iter().filter(|moved| moved.kind == kind).count();
/// assert_eq!(of(Kind::Offensive), of(Kind::Defensive));
/// # Ok::<(), marey_examples::ExamplesError>(())
/// ```
pub fn taekwondo(settings: &TaekwondoSettings) -> Result<Example> {
    settings.validate()?;
    let chain = Chain::default();
    let bout = Bout::plan(settings, &chain, &mut stream(settings.seed, 0));
    let ring = Ring::new(settings, &bout, &mut stream(settings.seed, 1))?;
    let frames = (settings.duration_secs * settings.rate_hz).round() as usize;
    let take = ring.record(Clock { rate_hz: settings.rate_hz, frames })?;
    let truth = truth_of(&take, &ring, &bout, chain)?;
    let take = sensor::captured_take(take, settings.noise_mm, &mut stream(settings.seed, 2))?;
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

/// Each fighter's movements. Before the first and after the last they are on guard.
fn movements(ring: &Ring, clock: &Clock) -> Vec<Moved> {
    let mut all = Vec::new();
    for (actor, script) in ring.scripts.iter().enumerate() {
        let mut start = 0;
        let ends = script.ends.iter().copied().chain([(f64::INFINITY, Movement::Guard)]);
        for (end_secs, movement) in ends {
            let end = clock.frame_at(end_secs);
            if end > start {
                all.push(Moved { actor, start, end, movement, kind: movement.kind() });
            }
            start = end;
        }
    }
    all
}

fn touches(ring: &Ring, clock: &Clock) -> Vec<Strike> {
    let touch = |met: &ring::Met| {
        let frame = clock.nearest(met.secs)?;
        Some(Strike { frame, striker: met.striker, struck: met.struck, place: met.place.to_array() })
    };
    ring.met.iter().filter_map(touch).collect()
}
