//! Two fighters, generated from a recorded bout.

use marey::duet::{
    Duet, DuetLabelSettings, DuetModel, DuetModelSettings, DuetRunSettings, RecordedPair, label, realise_run,
};
use marey::examples::taekwondo::{TaekwondoSettings, taekwondo};
use marey::measure::card::BaselineStatistics;
use marey::motion::{Clip, Observer};
use marey::plan::Seed;
use marey::realise::Realised;

use super::super::Exhibit;
use super::super::motion::Motion;
use super::shown;
use marey::Error;

/// Durations of the recording and of the result, in seconds.
const BOUT_SECS: f64 = 60.0;
const RUN_SECS: f64 = 16.0;
/// Number of generations of the search: few, to be quick.
const GENERATIONS: u32 = 100;
/// Frame rate of the recording, as in the paper.
const RATE_HZ: f64 = 30.0;

/// Shows a bout and new motion of its fighters.
pub(super) fn fighting(seed: u64) -> Result<Exhibit, Error> {
    let bout = TaekwondoSettings {
        seed,
        duration_secs: BOUT_SECS,
        rate_hz: RATE_HZ,
        ..TaekwondoSettings::default()
    };
    let bout = taekwondo(&bout)?;
    let clips: Vec<Clip> = bout.take.actors().iter().map(|actor| actor.clip.clone()).collect();
    let examples = BaselineStatistics::learn(&clips);
    let pairs = [RecordedPair::from_take(&bout.take)?];
    let settings = DuetLabelSettings { iterations: GENERATIONS, ..DuetLabelSettings::default() };
    let labels = label(&pairs, &settings, Seed(seed), Observer::ignore())?;
    let duet = Duet::new(&pairs, DuetModel::train(&pairs, &labels, &DuetModelSettings::default())?)?;
    let run = duet.run((RUN_SECS * RATE_HZ) as usize, None, &DuetRunSettings::default(), Seed(seed))?;
    let output = realise_run(&run)?;
    let contacts = bout.truth.actors().iter().map(|actor| actor.contacts.clone()).collect();
    let input = Realised { take: bout.take, contacts, report: Default::default() };
    // The input is the example itself, so it is not compared with one.
    let input = Motion { examples: None, ..shown("duet", "input", input, &examples)? };
    let motions = vec![input, shown("duet", "output", output, &examples)?];
    let about = "Movements of two fighters, found in a bout and recombined so that each reacts to the other";
    Ok(Exhibit { name: "duet".into(), about: about.into(), motions })
}
