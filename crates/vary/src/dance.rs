//! Varying phrases of takes into a plan.

use std::ops::Range;
use std::sync::Arc;

use marey_motion::Ground;
use marey_plan::{ActorPlan, Placement, Plan, Seed, SourceRef};
use serde::{Deserialize, Serialize};

use crate::fitted::{CutFit, fitted_chunks};
use crate::{CellMap, Chunk, Itinerary, Result, VaryError, VarySettings, chunks};

/// A continuous part of a take: the whole take or a tagged range.
#[derive(Debug, Clone, PartialEq)]
pub struct Phrase {
    /// Name of the take.
    pub take: String,
    /// Frames of the take.
    pub span: Range<usize>,
    /// Ground position of the first actor in every frame of the take ([`marey_motion::Clip::ground_track`]).
    pub track: Arc<[Ground]>,
}

/// How dancers travel across a cut.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TravelMode {
    /// Each chunk starts where the previous one ended. The default.
    #[default]
    Onward,
    /// Each frame stays where it was recorded, as in the paper's tool. Dancers jump at cuts.
    Absolute,
}

/// Phrases to be wrapped around one attractor. All actors of a take are varied together, so that partners
/// stay together.
#[derive(Debug, Clone, PartialEq)]
pub struct Dance {
    /// Phrases in the order of the original.
    pub phrases: Vec<Phrase>,
    /// Frame rate of all takes.
    pub rate_hz: f64,
    /// Names of the actors, in the order of the takes.
    pub actors: Vec<String>,
}

/// A variation of a dance.
#[derive(Debug, Clone, PartialEq)]
pub struct DanceVariation {
    /// Which frames are played when and where.
    pub plan: Plan,
    /// The trajectory that produced it.
    pub itinerary: Itinerary,
    /// Chunks that play without a cut, in cells.
    pub chunks: Vec<Chunk>,
}

/// The frames of a phrase that one cell holds.
#[derive(Debug, Clone, PartialEq)]
struct Cell {
    phrase: usize,
    frames: Range<usize>,
}

impl Dance {
    /// Total number of frames of all phrases.
    pub fn frames(&self) -> usize {
        self.phrases.iter().map(|phrase| phrase.span.len()).sum()
    }

    /// Wraps the dance around an attractor. The result serves any number of variations.
    pub fn cell_map(&self, settings: &VarySettings) -> Result<CellMap> {
        self.validate()?;
        settings.validate()?;
        CellMap::new(self.cells(settings.elements_per_cell).0.len(), settings)
    }

    /// Varies the dance. `cell_map` must come from [`Dance::cell_map`] with the same settings, and so must the moments of `fit`; without
    /// it, the trajectory alone decides where cuts are. The variation has `frames` frames, or as many as the original.
    pub fn vary(
        &self,
        cell_map: &CellMap,
        settings: &VarySettings,
        fit: Option<CutFit<'_>>,
        travel: TravelMode,
        frames: Option<usize>,
        seed: Seed,
    ) -> Result<DanceVariation> {
        self.validate()?;
        settings.validate()?;
        let (cells, phrases) = self.cells(settings.elements_per_cell);
        let frames = frames.unwrap_or(self.frames());
        if frames == 0 {
            return Err(VaryError::TooShort { elements: 0, min: 1 });
        }
        let count = frames.div_ceil(settings.elements_per_cell);
        let (itinerary, chunks) = cell_map.variation(settings, seed, count, |itinerary| match fit {
            Some(fit) => fitted_chunks(cell_map, itinerary, &phrases, settings, fit),
            None => chunks(&itinerary.cells, &phrases, settings),
        })?;
        let placements = self.placements(&chunks, &cells, frames, travel);
        let actors = self.actors.iter().enumerate().map(|(actor, name)| {
            let of_actor = |placement: &Placement| {
                let source = SourceRef { actor, ..placement.source.clone() };
                Placement { source, ..placement.clone() }
            };
            ActorPlan { name: name.clone(), placements: placements.iter().map(of_actor).collect() }
        });
        let plan = Plan { seed, ..Plan::new(self.rate_hz, actors.collect()) };
        Ok(DanceVariation { plan, itinerary, chunks })
    }

    fn validate(&self) -> Result<()> {
        let invalid = |problem: String| Err(VaryError::Phrase { problem });
        if self.actors.is_empty() || self.phrases.is_empty() {
            return invalid("there are no actors or no phrases to vary".into());
        }
        for Phrase { take, span, track } in &self.phrases {
            if span.is_empty() || span.end > track.len() {
                let (start, end, frames) = (span.start, span.end, track.len());
                return invalid(format!(
                    "frames {start} to {end} are not in {take:?}, which has {frames} frames"
                ));
            }
        }
        Ok(())
    }

    /// The take and frame at the start of each cell.
    pub fn cell_starts(&self, frames_per_cell: usize) -> impl Iterator<Item = (&str, usize)> {
        self.phrases.iter().flat_map(move |Phrase { take, span, .. }| {
            span.clone().step_by(frames_per_cell.max(1)).map(|frame| (take.as_str(), frame))
        })
    }

    /// Returns all cells, and the range of cells of each phrase. The last cell of a phrase may have fewer
    /// frames.
    fn cells(&self, frames_each: usize) -> (Vec<Cell>, Vec<Range<usize>>) {
        let mut cells = Vec::new();
        let mut phrases = Vec::new();
        for (phrase, Phrase { span, .. }) in self.phrases.iter().enumerate() {
            let first = cells.len();
            for start in span.clone().step_by(frames_each) {
                cells.push(Cell { phrase, frames: start..(start + frames_each).min(span.end) });
            }
            phrases.push(first..cells.len());
        }
        (cells, phrases)
    }

    /// Converts chunks to placements that have `frames` frames in total.
    fn placements(
        &self,
        chunks: &[Chunk],
        cells: &[Cell],
        frames: usize,
        travel: TravelMode,
    ) -> Vec<Placement> {
        let mut placements: Vec<Placement> = Vec::new();
        let mut current = Ground::IDENTITY;
        let mut remaining = frames;
        // Cells at the ends of phrases may be short. The chunks then repeat from the first to fill the
        // length.
        for chunk in chunks.iter().cycle() {
            let span = cells.get(chunk.first).zip(cells.get(chunk.end().saturating_sub(1)));
            let Some((first, last)) = span.filter(|_| remaining > 0) else { break };
            let Some(phrase) = self.phrases.get(first.phrase) else { break };
            let start = first.frames.start;
            let end = last.frames.end.min(start + remaining);
            let ground_at =
                |frame: usize| phrase.track.get(frame).or(phrase.track.last()).copied().unwrap_or_default();
            let world_from_source = match travel {
                TravelMode::Absolute => Ground::IDENTITY,
                TravelMode::Onward => current * ground_at(start).inverse(),
            };
            current = world_from_source * ground_at(end);
            placements.push(Placement {
                source: SourceRef { take: phrase.take.clone(), actor: 0 },
                source_start: start,
                source_end: end,
                start: frames - remaining,
                frames: end - start,
                key_times: vec![],
                world_from_source,
                mirrored: false,
            });
            remaining -= end - start;
        }
        placements
    }
}
