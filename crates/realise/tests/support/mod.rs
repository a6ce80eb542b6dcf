//! Source clips and plans for tests.
#![allow(dead_code, reason = "not every test uses everything")]

use std::collections::BTreeMap;
use std::ops::Range;

use marey_examples::walk::{WalkSettings, walk};
use marey_motion::Clip;
use marey_plan::{ActorPlan, Placement, Plan, Seed, SourceRef};
use marey_realise::SourceClip;

pub(crate) const RATE_HZ: f64 = 60.0;

/// Source clips by name.
pub(crate) type Map = BTreeMap<SourceRef, SourceClip>;

/// Generated walks `walk-0`, `walk-1`, …
pub(crate) fn walks(count: u64, duration_secs: f64) -> Map {
    let example = |seed| {
        let settings = WalkSettings { seed, duration_secs, rate_hz: RATE_HZ, ..WalkSettings::default() };
        let example = walk(&settings).unwrap();
        let contacts = example.truth.contacts().unwrap().clone();
        (source(seed), SourceClip { clip: example.take.first().clone(), contacts, holds: vec![] })
    };
    (0..count).map(example).collect()
}

pub(crate) fn source(walk: u64) -> SourceRef {
    SourceRef { take: format!("walk-{walk}"), actor: 0 }
}

/// [`marey_realise::PlacementChain`] over generated walks.
pub(crate) struct Chain<'a>(marey_realise::PlacementChain<'a>);

impl<'a> Chain<'a> {
    pub(crate) fn new(map: &'a Map) -> Self {
        Self(marey_realise::PlacementChain::new(map))
    }

    /// Appends frames of a walk, stretched to `frames` frames of the plan.
    pub(crate) fn add(&mut self, walk: u64, span: Range<usize>, frames: usize) {
        self.0.add(&source(walk), span, frames).unwrap();
    }

    pub(crate) fn plan(self) -> Plan {
        self.0.plan("actor", RATE_HZ)
    }
}

pub(crate) fn plan_of(actors: Vec<Vec<Placement>>) -> Plan {
    let actors = actors.into_iter().enumerate();
    let actors = actors.map(|(i, placements)| ActorPlan { name: format!("actor-{i}"), placements }).collect();
    Plan::new(RATE_HZ, actors)
}

/// A scrambled plan.
pub(crate) fn bad_plan(map: &Map, seed: u64, pieces: usize) -> Plan {
    marey_realise::scramble(map, Seed(seed), pieces, RATE_HZ).unwrap()
}

/// The bits of every number of a clip.
pub(crate) fn bits(clip: &Clip) -> Vec<u32> {
    let rotations = clip.rotations().iter().flat_map(|q| q.to_array());
    rotations.chain(clip.positions().iter().flat_map(|p| p.to_array())).map(f32::to_bits).collect()
}
