//! The demo of `traverse`.

use marey::examples::luxo::{Crossing as LuxoCrossing, LuxoSettings, luxo, terrain};
use marey::measure::card::BaselineStatistics;
use marey::motion::{Take, Terrain};
use marey::plan::SourceRef;
use marey::realise::Realised;
use marey::traverse::{self, TraverseExample, TraverseRequest};
use marey::{Context, Error};

use super::super::Exhibit;
use super::super::motion::Motion;
use super::shown;

/// Length of the terrain, in metres.
const TERRAIN_M: f32 = 3.0;

/// A lamp crosses a terrain that is not among its examples.
pub(super) fn crossing(seed: u64) -> Result<Exhibit, Error> {
    let settings = LuxoSettings { seed, ..LuxoSettings::default() };
    let LuxoCrossing { example, terrain: own_terrain, .. } = luxo(&settings)?;
    let clip = example.take.first().clone();
    let contacts = example.truth.contacts().cloned().unwrap_or_default();
    let source = TraverseExample {
        source: SourceRef { take: "luxo".into(), actor: 0 },
        clip: clip.clone(),
        contacts: contacts.clone(),
        tags: example.truth.labels().to_vec(),
    };
    let seed_of_terrain = seed.wrapping_add(1);
    let terrain =
        terrain(&LuxoSettings { seed: seed_of_terrain, length_m: TERRAIN_M, gaps: false, ..settings })?;
    let request = TraverseRequest { terrain: terrain.clone(), seed, ..TraverseRequest::default() };
    let outcome = traverse::run_with_examples(&request, vec![source], &Context::new())?;
    let baseline = BaselineStatistics::learn(std::slice::from_ref(&clip));
    let motion = |caption, take, contacts, terrain: Terrain| -> Result<Motion, Error> {
        let realised = Realised { take, contacts, report: Default::default() };
        Ok(Motion { terrain: Some(terrain), ..shown("traverse", caption, realised, &baseline)? })
    };
    let motions = vec![
        motion("input", Take::solo("lamp", clip), vec![contacts], own_terrain)?,
        motion("output", outcome.take, outcome.contacts, terrain)?,
    ];
    let about = "Hops of a lamp on one terrain, chosen and adapted to cross another one";
    Ok(Exhibit { name: "traverse".into(), about: about.into(), motions })
}
