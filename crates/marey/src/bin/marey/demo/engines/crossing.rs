//! The engine for uneven ground at work.

use marey::examples::luxo::{Crossing as Hopped, LuxoSettings, luxo, terrain};
use marey::measure::card::Habits;
use marey::motion::{Take, Terrain};
use marey::plan::{Seed, SourceRef};
use marey::realise::Realised;
use marey::traverse::{Crossing, Database, Example, Settings};

use super::super::Exhibit;
use super::super::motion::Motion;
use super::shown;
use crate::failure::Failure;

/// How long the ground is, in metres.
const GROUND_M: f32 = 3.0;

/// A lamp that hopped over one ground crosses another.
pub(super) fn crossing(seed: u64) -> Result<Exhibit, Failure> {
    let usual = LuxoSettings { seed, ..LuxoSettings::default() };
    let Hopped { example, terrain: own, .. } = luxo(&usual)?;
    let hopped = example.take.first().clone();
    let contacts = example.truth.contacts().cloned().unwrap_or_default();
    let database = Database::new(
        vec![Example {
            source: SourceRef { take: "luxo".into(), actor: 0 },
            clip: hopped.clone(),
            contacts: contacts.clone(),
            tags: example.truth.labels().to_vec(),
        }],
        &Settings::for_figure(hopped.skeleton()),
    )?;
    let ground =
        terrain(&LuxoSettings { seed: seed.wrapping_add(1), length_m: GROUND_M, gaps: false, ..usual })?;
    let brief = Crossing::of(ground.clone(), database.rate_hz());
    let footings = database.footings(&ground);
    let (plan, _) = database.plan_on(&footings, &brief, Seed(seed), None)?;
    let crossed = database.realise(&plan, &footings)?;
    let examples = Habits::learn(std::slice::from_ref(&hopped));
    let motion = |caption, clip, contacts, ground: Terrain| -> Result<Motion, Failure> {
        let made =
            Realised { take: Take::solo("lamp", clip), contacts: vec![contacts], report: Default::default() };
        Ok(Motion { terrain: Some(ground), ..shown("traverse", caption, made, &examples)? })
    };
    let motions = vec![
        motion("input", hopped, contacts, own)?,
        motion("output", crossed.clip, crossed.contacts, ground)?,
    ];
    let about = "Hops of a lamp over one ground, chosen and bent to cross another that it never saw";
    Ok(Exhibit { name: "traverse".into(), about: about.into(), motions })
}
