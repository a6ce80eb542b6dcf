//! Dances: phrases of takes, varied into a plan.

use std::ops::Range;
use std::sync::Arc;

use marey_motion::Ground;
use marey_plan::{ActorPlan, Cost, Placement, Plan, Seed, SourceRef};
use serde::{Deserialize, Serialize};

use crate::{Chunk, Error, Result, Settings, Variation, Wrapped, chunks};

/// A part of a take that may be varied: a whole piece, or what is tagged in it.
#[derive(Debug, Clone, PartialEq)]
pub struct Phrase {
    /// The take's name.
    pub take: String,
    /// Which of its frames.
    pub span: Range<usize>,
    /// Where its first actor stands in every frame of the take ([`marey_motion::Clip::ground_track`]).
    pub track: Arc<[Ground]>,
}

/// How dancers travel where frames are not in their order.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Travel {
    /// On from where they are: every chunk is put where the one before left off. The default.
    #[default]
    Onward,
    /// To where the frame was recorded, as the original tool does: they jump.
    Absolute,
}

/// What is to be varied: phrases, one after another, wrapped around one attractor. Actors of a take are varied together, so
/// that partners stay with each other.
#[derive(Debug, Clone, PartialEq)]
pub struct Dance {
    /// In the order of the original.
    pub phrases: Vec<Phrase>,
    /// Frames a second of all takes.
    pub rate_hz: f64,
    /// What the actors are called, in the takes' order.
    pub actors: Vec<String>,
}

/// A dance varied, and how that came about.
#[derive(Debug, Clone, PartialEq)]
pub struct Varied {
    /// Which frames are danced when, and where.
    pub plan: Plan,
    /// The trajectory behind it.
    pub variation: Variation,
    /// What is danced without a cut, in cells.
    pub chunks: Vec<Chunk>,
}

/// A cell: frames of a phrase.
#[derive(Debug, Clone, PartialEq)]
struct Cell {
    phrase: usize,
    frames: Range<usize>,
}

impl Dance {
    /// How many frames the phrases have together.
    pub fn frames(&self) -> usize {
        self.phrases.iter().map(|phrase| phrase.span.len()).sum()
    }

    /// The dance around its attractor. One is enough for any number of variations.
    pub fn wrapped(&self, settings: &Settings) -> Result<Wrapped> {
        self.validate()?;
        settings.validate()?;
        Wrapped::new(self.cells(settings.elements_per_cell).0.len(), settings)
    }

    /// Varies the dance, as it was wrapped with the same settings, for so many frames or as long as it is.
    pub fn vary(
        &self,
        wrapped: &Wrapped,
        settings: &Settings,
        travel: Travel,
        frames: Option<usize>,
        seed: Seed,
    ) -> Result<Varied> {
        self.validate()?;
        settings.validate()?;
        let (cells, phrases) = self.cells(settings.elements_per_cell);
        let frames = frames.unwrap_or(self.frames());
        if frames == 0 {
            return Err(Error::Short { elements: 0, least: 1 });
        }
        let variation = wrapped.vary(seed, frames.div_ceil(settings.elements_per_cell))?;
        let chunks = chunks(&variation.cells, &phrases, settings);
        let placements = self.placements(&chunks, &cells, frames, travel);
        let actors = self.actors.iter().enumerate().map(|(actor, name)| {
            let of_actor = |placement: &Placement| {
                let source = SourceRef { actor, ..placement.source.clone() };
                Placement { source, ..placement.clone() }
            };
            ActorPlan { name: name.clone(), placements: placements.iter().map(of_actor).collect() }
        });
        let plan = Plan {
            rate_hz: self.rate_hz,
            seed,
            cost: Cost::default(),
            actors: actors.collect(),
            meetings: vec![],
            targets: vec![],
        };
        Ok(Varied { plan, variation, chunks })
    }

    fn validate(&self) -> Result<()> {
        let refuse = |problem: String| Err(Error::Phrase { problem });
        if self.actors.is_empty() || self.phrases.is_empty() {
            return refuse("nobody, or nothing, to vary".into());
        }
        for Phrase { take, span, track } in &self.phrases {
            if span.is_empty() || span.end > track.len() {
                let (start, end, frames) = (span.start, span.end, track.len());
                return refuse(format!("frames {start} to {end} of {take:?}, which has {frames}"));
            }
        }
        Ok(())
    }

    /// All cells, and which of them are one phrase's. The last cell of a phrase may have fewer frames.
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

    /// Chunks as frames of takes, in all as many frames as are wanted; more from the last phrase's middle are never needed, as
    /// short cells are made up for by going on.
    fn placements(&self, chunks: &[Chunk], cells: &[Cell], frames: usize, travel: Travel) -> Vec<Placement> {
        let mut placements: Vec<Placement> = Vec::new();
        let mut here = Ground::IDENTITY;
        let mut left = frames;
        // Cells at the ends of phrases may be short: then the chunks are played again from the first.
        for chunk in chunks.iter().cycle() {
            let span = cells.get(chunk.first).zip(cells.get(chunk.end().saturating_sub(1)));
            let Some((first, last)) = span.filter(|_| left > 0) else { break };
            let Some(phrase) = self.phrases.get(first.phrase) else { break };
            let start = first.frames.start;
            let end = last.frames.end.min(start + left);
            let at =
                |frame: usize| phrase.track.get(frame).or(phrase.track.last()).copied().unwrap_or_default();
            let world_from_source = match travel {
                Travel::Absolute => Ground::IDENTITY,
                Travel::Onward => here * at(start).inverse(),
            };
            here = world_from_source * at(end);
            placements.push(Placement {
                source: SourceRef { take: phrase.take.clone(), actor: 0 },
                source_start: start,
                source_end: end,
                start: frames - left,
                frames: end - start,
                key_times: vec![],
                world_from_source,
                mirrored: false,
            });
            left -= end - start;
        }
        placements
    }
}
