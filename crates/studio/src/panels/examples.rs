//! The motion that the studio starts with where no corpus is named.

use crate::{Studio, StudioError};
use marey::examples::ballet::{BalletSettings, ballet};
use marey::examples::lindy::{self, LindySettings};
use marey::examples::luxo::{self, LuxoSettings};
use marey::examples::playground::{self, PlaygroundSettings};
use marey::examples::taekwondo::{TaekwondoSettings, taekwondo};
use marey::examples::walk::{WalkSettings, walk};
use marey::examples::waltz::{WaltzSettings, waltz};
use marey::examples::{CorpusExample, Example, ExampleCut, ExamplesError, GaitStyle};

/// Walks, and how long each is, in seconds.
const WALKS: [(&str, f64); 4] = [("walk", 40.0), ("walk on", 40.0), ("stroll", 30.0), ("hurry", 30.0)];

/// Puts example motion into the studio's corpus, what is used first at first. Where something fails, the rest is there.
pub fn fill_with_examples(studio: &Studio) {
    for (seed, (name, secs)) in (1..).zip(WALKS) {
        let _ = put(studio, name, walking(seed, name, secs), ExampleCut::Steps);
    }
    let _ = studio.look_around();
    for crossing in luxo::datasets(&LuxoSettings::default()).into_iter().flatten() {
        let name = crossing.example.take.name().to_owned();
        let _ = put(studio, &name, Ok(crossing.example), ExampleCut::Labels);
    }
    for example in lindy::database(&LindySettings::default()).into_iter().flatten() {
        let name = example.take.name().to_owned();
        let _ = put(studio, &name, Ok(example), ExampleCut::Labels);
    }
    for (number, example) in (1..).zip(lindy::tests(&LindySettings::default()).into_iter().flatten()) {
        let _ = put(studio, &format!("lindy improvised {number}"), Ok(example), ExampleCut::Labels);
    }
    let dance = waltz(&WaltzSettings { duration_secs: 24.0, ..WaltzSettings::default() });
    let _ = put(studio, "waltz", dance, ExampleCut::Labels);
    let bout = taekwondo(&TaekwondoSettings { duration_secs: 60.0, ..TaekwondoSettings::default() });
    let _ = put(studio, "taekwondo", bout, ExampleCut::Labels);
    let performer = playground::stream(&PlaygroundSettings::default()).map(|stream| stream.example);
    let _ = put(studio, "performer", performer, ExampleCut::Labels);
    for example in ballet(&BalletSettings::default()).into_iter().flatten().step_by(10) {
        let name = example.take.name().to_owned();
        let _ = put(studio, &name, Ok(example), ExampleCut::Labels);
    }
    let _ = studio.look_around();
}

fn walking(seed: u64, name: &str, duration_secs: f64) -> Result<Example, ExamplesError> {
    let usual = WalkSettings { seed, duration_secs, ..WalkSettings::default() };
    let speed_mps = match name {
        "stroll" => 0.9,
        "hurry" => 1.7,
        _ => usual.style.speed_mps,
    };
    walk(&WalkSettings { style: GaitStyle { speed_mps, ..usual.style }, ..usual })
}

fn put(
    studio: &Studio,
    name: &str,
    made: Result<Example, ExamplesError>,
    cut: ExampleCut,
) -> Result<(), StudioError> {
    let example = CorpusExample::new(name, made?, cut)?;
    studio.change(|corpus| example.add_to(corpus).map(drop))
}
