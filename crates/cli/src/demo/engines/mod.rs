//! Every engine at work on small examples: an entry each, its input beside its output.

mod dances;
mod fighting;
mod performing;
mod traverse;

use std::collections::BTreeMap;

use marey::examples;
use marey::examples::walk::{WalkSettings, walk};
use marey::follow::{self, Instance, Mapping, PointSelection, follow};
use marey::measure::card::BaselineStatistics;
use marey::motion::{Clip, Role, Take};
use marey::plan::SourceRef;
use marey::realise::{PlacementChain, RealiseSettings, Realised, SourceClip, join, realise};

use super::Exhibit;
use super::motion::Motion;
use marey::Error;

/// Shows an engine, from a seed.
type Show = fn(u64) -> Result<Exhibit, Error>;

/// The engines that there are: one line each.
const ENGINES: [Show; 7] = [
    realising,
    following,
    fighting::fighting,
    traverse::crossing,
    performing::performing,
    dances::varying,
    dances::in_betweening,
];

/// How many strides a plan of walking has.
const STRIDES: usize = 6;

/// How many walks a mapping is made of.
const EXAMPLES: u64 = 3;

/// Every engine at work.
pub(super) fn all(seed: u64) -> Result<Vec<Exhibit>, Error> {
    ENGINES.iter().map(|show| show(seed)).collect()
}

/// Strides of two walks by turns: put one after the other as they are, and realised.
fn realising(seed: u64) -> Result<Exhibit, Error> {
    let mut sources = BTreeMap::new();
    let mut strides = Vec::new();
    for walker in 0..2 {
        let example = walk_of(seed.wrapping_add(walker), 20.0)?;
        let plants = example.truth.cuts().iter().filter(|cut| cut.name == Role::LeftFoot.name());
        let plants: Vec<usize> = plants.map(|cut| cut.frame).collect();
        let source = SourceRef { take: format!("walk-{walker}"), actor: 0 };
        strides.push((source.clone(), plants));
        sources.insert(source, known(&example));
    }
    let mut chain = PlacementChain::new(&sources);
    for (piece, (source, plants)) in strides.iter().cycle().take(STRIDES).enumerate() {
        // Past the first steps, which start.
        if let Some(&[from, to]) = plants.get(piece + 2..piece + 4) {
            chain.add(source, from..to, to - from)?;
        }
    }
    let plan = chain.plan("walker", 60.0);
    let clips: Vec<Clip> = sources.values().map(|example| example.clip.clone()).collect();
    let examples = BaselineStatistics::learn(&clips);
    let join = join::JoinSettings { method: join::JoinMethod::None, ..join::JoinSettings::default() };
    let plain = RealiseSettings { plant: None, join, ..RealiseSettings::default() };
    let mut motions = Vec::new();
    for (caption, settings) in [("input", plain), ("output", RealiseSettings::default())] {
        motions.push(shown("realise", caption, realise(&plan, &sources, &settings)?, &examples)?);
    }
    let about = "A plan of strides of two walks by turns: put one after the other, then joined and planted";
    Ok(Exhibit { name: "realise".into(), about: about.into(), motions })
}

/// A walk along the way of another walk, which the examples do not have.
fn following(seed: u64) -> Result<Exhibit, Error> {
    let (control, target) = (PointSelection::hips(), PointSelection::ends());
    let mut sources = BTreeMap::new();
    let (mut pairs, mut instances) = (Vec::new(), Vec::new());
    for walker in 0..EXAMPLES {
        let example = walk_of(seed.wrapping_add(10 + walker), 40.0)?;
        let clip = example.take.first();
        let source = SourceRef { take: format!("walk-{walker}"), actor: 0 };
        let cuts: Vec<usize> = example.truth.cuts().iter().map(|cut| cut.frame).collect();
        instances.extend(cuts.array_windows().filter(|[from, to]| to > from).map(|[from, to]| Instance {
            example: pairs.len(),
            frames: *from..*to,
            label: "step".into(),
        }));
        pairs.push(follow::ExamplePair {
            source: source.clone(),
            control: control.points(clip)?,
            target: target.points(clip)?,
        });
        sources.insert(source, known(&example));
    }
    let mapping = Mapping::new(pairs, instances, control.weights(), target.weights())?;
    let unseen = walk_of(seed, 12.0)?;
    let settings = follow::FollowSettings::default();
    let found = follow(&mapping, &control.points(unseen.take.first())?, &[], &settings)?;
    let plan = found.at_rate(unseen.take.rate_hz()).plan(&mapping, "walker")?;
    let clips: Vec<Clip> = sources.values().map(|example| example.clip.clone()).collect();
    let examples = BaselineStatistics::learn(&clips);
    let input = Realised {
        contacts: vec![unseen.truth.contacts().cloned().unwrap_or_default()],
        take: unseen.take,
        report: Default::default(),
    };
    let output = realise(&plan, &sources, &RealiseSettings::default())?;
    let motions =
        vec![shown("follow", "input", input, &examples)?, shown("follow", "output", output, &examples)?];
    let about = "Steps of three walks, chosen and placed to go where the hips of an unseen walk go";
    Ok(Exhibit { name: "follow".into(), about: about.into(), motions })
}

fn walk_of(seed: u64, duration_secs: f64) -> Result<examples::Example, Error> {
    Ok(walk(&WalkSettings { seed, duration_secs, ..WalkSettings::default() })?)
}

/// A walk and when its feet stand.
fn known(example: &examples::Example) -> SourceClip {
    let contacts = example.truth.contacts().cloned().unwrap_or_default();
    SourceClip { clip: example.take.first().clone(), contacts, holds: Vec::new() }
}

/// What an engine was given, or made, ready to be shown.
fn shown(
    engine: &str,
    caption: &str,
    made: Realised,
    examples: &BaselineStatistics,
) -> Result<Motion, Error> {
    let stem = format!("{engine}-{caption}");
    Ok(Motion {
        caption: caption.to_owned(),
        take: Take::new(stem.clone(), made.take.into_actors())?,
        stem,
        contacts: made.contacts,
        terrain: None,
        examples: Some(examples.clone()),
        from_frame: 0,
        beside: Vec::new(),
    })
}
