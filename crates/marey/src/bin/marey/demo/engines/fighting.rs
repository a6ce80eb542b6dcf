//! Two fighters who go on by themselves.

use std::ops::ControlFlow;

use marey::duet::{Duet, LabelSettings, Model, ModelSettings, Pair, RunSettings, label};
use marey::examples::taekwondo::{TaekwondoSettings, taekwondo};
use marey::measure::card::Habits;
use marey::motion::Clip;
use marey::pairs::realised;
use marey::plan::Seed;
use marey::realise::Realised;

use super::super::Exhibit;
use super::super::motion::Motion;
use super::shown;
use crate::failure::Failure;

/// How long a bout is learnt from, and how long they go on, in seconds.
const BOUT_SECS: f64 = 60.0;
const RUN_SECS: f64 = 16.0;
/// How many generations are searched: few, for a demonstration.
const GENERATIONS: u32 = 100;
/// Frames a second of what is learnt from, as in the paper.
const RATE_HZ: f64 = 30.0;

/// A bout, and what its fighters do next.
pub(super) fn fighting(seed: u64) -> Result<Exhibit, Failure> {
    let bout = TaekwondoSettings {
        seed,
        duration_secs: BOUT_SECS,
        rate_hz: RATE_HZ,
        ..TaekwondoSettings::default()
    };
    let bout = taekwondo(&bout)?;
    let clips: Vec<Clip> = bout.take.actors().iter().map(|actor| actor.clip.clone()).collect();
    let examples = Habits::learn(&clips);
    let pairs = [Pair::of_take(&bout.take)?];
    let settings = LabelSettings { iterations: GENERATIONS, ..LabelSettings::default() };
    let labels = label(&pairs, &settings, Seed(seed), &|_| ControlFlow::Continue(()))?;
    let duet = Duet::new(&pairs, Model::train(&pairs, &labels, &ModelSettings::default())?)?;
    let run = duet.perform((RUN_SECS * RATE_HZ) as usize, None, &RunSettings::default(), Seed(seed))?;
    let output = realised(&run)?;
    let contacts = bout.truth.actors().iter().map(|actor| actor.contacts.clone()).collect();
    let input = Realised { take: bout.take, contacts, report: Default::default() };
    // The input is the example: there is nothing to hold it to.
    let input = Motion { examples: None, ..shown("duet", "input", input, &examples)? };
    let motions = vec![input, shown("duet", "output", output, &examples)?];
    let about = "Movements of two fighters, found in a bout, and drawn anew so that each answers the other";
    Ok(Exhibit { name: "duet".into(), about: about.into(), motions })
}
