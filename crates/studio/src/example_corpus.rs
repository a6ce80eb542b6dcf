//! The example motion of a studio that was started without a corpus.

use marey::examples::ballet::{BalletSettings, ballet};
use marey::examples::lindy::{self, LindySettings};
use marey::examples::luxo::{self, LuxoSettings};
use marey::examples::playground::{self, PlaygroundSettings};
use marey::examples::taekwondo::{TaekwondoSettings, taekwondo};
use marey::examples::walk::{WalkSettings, walk};
use marey::examples::waltz::{WaltzSettings, waltz};
use marey::examples::{CorpusExample, Example, ExampleCut, ExamplesError, GaitStyle};

use crate::{Result, Studio};

/// The generated walks: name, duration in seconds, and speed in metres per second if it is not the usual one.
const WALKS: [(&str, f64, Option<f32>); 4] =
    [("walk", 40.0, None), ("walk on", 40.0, None), ("stroll", 30.0, Some(0.9)), ("hurry", 30.0, Some(1.7))];

/// Adds example motion to the studio's corpus, the most used first. If an example fails, the others are added.
pub fn fill_with_examples(studio: &Studio) {
    for (seed, (name, duration_secs, speed_mps)) in (1..).zip(WALKS) {
        let usual = WalkSettings { seed, duration_secs, ..WalkSettings::default() };
        let speed_mps = speed_mps.unwrap_or(usual.style.speed_mps);
        let walk = walk(&WalkSettings { style: GaitStyle { speed_mps, ..usual.style }, ..usual });
        add(studio, Some(name), walk, ExampleCut::Steps);
    }
    let _ = studio.measure_travel_speeds();
    let labelled = |name: Option<&str>, example| add(studio, name, example, ExampleCut::Labels);
    for crossing in luxo::datasets(&LuxoSettings::default()).into_iter().flatten() {
        labelled(None, Ok(crossing.example));
    }
    for example in lindy::database(&LindySettings::default()).into_iter().flatten() {
        labelled(None, Ok(example));
    }
    for (number, example) in (1..).zip(lindy::tests(&LindySettings::default()).into_iter().flatten()) {
        labelled(Some(&format!("lindy improvised {number}")), Ok(example));
    }
    labelled(Some("waltz"), waltz(&WaltzSettings { duration_secs: 24.0, ..WaltzSettings::default() }));
    let bout = TaekwondoSettings { duration_secs: 60.0, ..TaekwondoSettings::default() };
    labelled(Some("taekwondo"), taekwondo(&bout));
    let performer = playground::stream(&PlaygroundSettings::default());
    labelled(Some("performer"), performer.map(|stream| stream.example));
    for example in ballet(&BalletSettings::default()).into_iter().flatten().step_by(10) {
        labelled(None, Ok(example));
    }
    let _ = studio.measure_travel_speeds();
}

/// Adds an example. An example that cannot be added is left out.
fn add(studio: &Studio, name: Option<&str>, example: Result<Example, ExamplesError>, cut: ExampleCut) {
    let _ = example.map_err(Into::into).and_then(|example| try_add(studio, name, example, cut));
}

fn try_add(studio: &Studio, name: Option<&str>, example: Example, cut: ExampleCut) -> Result<()> {
    let name = name.unwrap_or(example.take.name()).to_owned();
    let example = CorpusExample::new(&name, example, cut)?;
    studio.change(|corpus| example.add_to(corpus).map(drop))
}
