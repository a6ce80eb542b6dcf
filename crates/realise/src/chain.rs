//! Pieces one after another, each where the figure stands when the one before ends.

use std::collections::BTreeMap;
use std::ops::Range;

use marey_motion::{Clip, Ground};
use marey_plan::{ActorPlan, Cost, Placement, Plan, Seed, SourceRef};

use crate::{Result, Sources};

/// Makes the placements of one actor, each piece put where the hips are, and turned as they are, when the one before ends.
///
/// It chooses nothing: which pieces, and how long, is told. So it is where a plan begins that a person makes.
pub struct Chain<'a> {
    sources: &'a dyn Sources,
    tracks: BTreeMap<SourceRef, Vec<Ground>>,
    /// Where the figure stands, as far as the pieces go.
    here: Ground,
    placements: Vec<Placement>,
}

impl<'a> Chain<'a> {
    /// An actor who starts on the middle of the floor, facing +Z.
    pub fn new(sources: &'a dyn Sources) -> Self {
        Self { sources, tracks: BTreeMap::new(), here: Ground::IDENTITY, placements: Vec::new() }
    }

    /// Adds frames of an example, to last so many frames of the plan.
    pub fn add(&mut self, source: &SourceRef, span: Range<usize>, frames: usize) -> Result<()> {
        if !self.tracks.contains_key(source) {
            let clip: Clip = self.sources.example(source)?.clip;
            self.tracks.insert(source.clone(), clip.ground_track().frames);
        }
        let track = self.tracks.get(source).map_or(&[][..], Vec::as_slice);
        let at = |frame: usize| track.get(frame).or(track.last()).copied().unwrap_or_default();
        let world_from_source = self.here * at(span.start).inverse();
        self.here = world_from_source * at(span.end);
        self.placements.push(Placement {
            source: source.clone(),
            source_start: span.start,
            source_end: span.end,
            start: self.placements.last().map_or(0, Placement::end),
            frames,
            key_times: Vec::new(),
            world_from_source,
            mirrored: false,
        });
        Ok(())
    }

    /// The placements so far.
    pub fn placements(&self) -> &[Placement] {
        &self.placements
    }

    /// A plan for this actor alone, at a rate.
    pub fn plan(self, name: impl Into<String>, rate_hz: f64) -> Plan {
        let actor = ActorPlan { name: name.into(), placements: self.placements };
        Plan {
            rate_hz,
            seed: Seed::default(),
            cost: Cost::default(),
            actors: vec![actor],
            meetings: vec![],
            targets: vec![],
        }
    }
}
