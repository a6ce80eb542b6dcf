//! Placements that follow each other on the floor.

use std::collections::BTreeMap;
use std::ops::Range;

use marey_motion::{Clip, Ground};
use marey_plan::{ActorPlan, Placement, Plan, SourceRef};

use crate::{Result, Sources};

/// Builds the placements of one actor: each piece starts at the position and heading that the hips have at
/// the end of the previous piece.
///
/// The caller chooses the pieces and their lengths.
pub struct PlacementChain<'a> {
    sources: &'a dyn Sources,
    tracks: BTreeMap<SourceRef, Vec<Ground>>,
    /// Position and heading at the end of the pieces so far.
    end_ground: Ground,
    placements: Vec<Placement>,
}

impl<'a> PlacementChain<'a> {
    /// Creates a chain for an actor that starts at the origin, facing +Z.
    pub fn new(sources: &'a dyn Sources) -> Self {
        Self { sources, tracks: BTreeMap::new(), end_ground: Ground::IDENTITY, placements: Vec::new() }
    }

    /// Appends frames of a source, stretched to `frames` frames of the plan.
    pub fn add(&mut self, source: &SourceRef, span: Range<usize>, frames: usize) -> Result<()> {
        if !self.tracks.contains_key(source) {
            let clip: Clip = self.sources.source_clip(source)?.clip;
            self.tracks.insert(source.clone(), clip.ground_track().frames);
        }
        let track = self.tracks.get(source).map_or(&[][..], Vec::as_slice);
        let at = |frame: usize| track.get(frame).or(track.last()).copied().unwrap_or_default();
        let world_from_source = self.end_ground * at(span.start).inverse();
        self.end_ground = world_from_source * at(span.end);
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

    /// Returns the placements so far.
    pub fn placements(&self) -> &[Placement] {
        &self.placements
    }

    /// Returns a plan with this actor only.
    pub fn plan(self, name: impl Into<String>, rate_hz: f64) -> Plan {
        let actor = ActorPlan { name: name.into(), placements: self.placements };
        Plan::new(rate_hz, vec![actor])
    }
}
