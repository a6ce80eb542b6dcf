//! Every engine at work on small examples: an entry each, its input beside its output.

use std::collections::BTreeMap;

use marey::examples::walk::{WalkSettings, walk};
use marey::measure::card::Habits;
use marey::motion::{Clip, Role, Take};
use marey::plan::SourceRef;
use marey::realise::{Chain, Example, Settings, join, realise};

use super::Exhibit;
use super::motion::Motion;
use crate::failure::Failure;

/// Shows an engine, from a seed.
type Show = fn(u64) -> Result<Exhibit, Failure>;

/// The engines that there are: one line each.
const ENGINES: [Show; 1] = [realising];

/// How many strides a plan of walking has.
const STRIDES: usize = 6;

/// Every engine at work.
pub(super) fn all(seed: u64) -> Result<Vec<Exhibit>, Failure> {
    ENGINES.iter().map(|show| show(seed)).collect()
}

/// Strides of two walks by turns: put one after the other as they are, and realised.
fn realising(seed: u64) -> Result<Exhibit, Failure> {
    let mut sources = BTreeMap::new();
    let mut strides = Vec::new();
    for walker in 0..2 {
        let settings =
            WalkSettings { seed: seed.wrapping_add(walker), duration_secs: 20.0, ..WalkSettings::default() };
        let example = walk(&settings)?;
        let plants = example.truth.cuts().iter().filter(|cut| cut.name == Role::LeftFoot.name());
        let plants: Vec<usize> = plants.map(|cut| cut.frame).collect();
        let source = SourceRef { take: format!("walk-{walker}"), actor: 0 };
        strides.push((source.clone(), plants));
        let contacts = example.truth.contacts().cloned().unwrap_or_default();
        sources.insert(source, Example { clip: example.take.first().clone(), contacts, holds: Vec::new() });
    }
    let mut chain = Chain::new(&sources);
    for (piece, (source, plants)) in strides.iter().cycle().take(STRIDES).enumerate() {
        // Past the first steps, which start.
        if let Some(&[from, to]) = plants.get(piece + 2..piece + 4) {
            chain.add(source, from..to, to - from)?;
        }
    }
    let plan = chain.plan("walker", 60.0);
    let clips: Vec<Clip> = sources.values().map(|example| example.clip.clone()).collect();
    let examples = Habits::learn(&clips);
    let join = join::Settings { method: join::Method::None, ..join::Settings::default() };
    let plain = Settings { plant: None, join, ..Settings::default() };
    let mut motions = Vec::new();
    for (caption, settings) in [("input", plain), ("output", Settings::default())] {
        let realised = realise(&plan, &sources, &settings)?;
        let stem = format!("realise-{caption}");
        motions.push(Motion {
            caption: caption.to_owned(),
            take: Take::new(stem.clone(), realised.take.into_actors())?,
            stem,
            contacts: realised.contacts,
            terrain: None,
            examples: Some(examples.clone()),
            from_frame: 0,
            beside: Vec::new(),
        });
    }
    let about = "A plan of strides of two walks by turns: put one after the other, then joined and planted";
    Ok(Exhibit { name: "realise".into(), about: about.into(), motions })
}
