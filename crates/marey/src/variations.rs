//! A dance varied, from takes to motion: what `marey vary` does.

use std::path::Path;

use serde::Deserialize;

use crate::codes;
use crate::failure::Failure;
use crate::formats::ReadOptions;
use crate::formats::file::read_file;
use crate::motion::{Clip, Report, Take};
use crate::phrases::Phrases;
use crate::plan::{Plan, Seed};
use crate::realise::constrain::propagated;
use crate::realise::{self, join, realise};
use crate::styles::{Bridged, bridged};
use crate::tween::{Style, StyleSettings, TweenSettings};
use crate::vary::{Chunk, Settings, Statistics, System, Travel, Variation, Wrapped};

/// What is done where chunks meet.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Bridge {
    /// They are joined, and feet that stand are kept standing.
    #[default]
    Join,
    /// Ways in the style of what is varied are put between them; for one dancer who travels onward.
    Tween,
    /// Nothing: they jump.
    None,
}

/// How something is varied, as a person says it: what is not told is as usual for the rate of the motion.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Wish {
    /// What it is wrapped around.
    pub system: System,
    /// How far from the original's start the variation starts, as a share of the attractor's size.
    pub shift: f64,
    /// How many frames a cell holds.
    pub per_cell: Option<usize>,
    /// How many cells a turn around the attractor has.
    pub turn: Option<f64>,
    /// By how many cells a chunk may be early or late before it is cut.
    pub drift: Option<usize>,
    /// How many cells are played at least before a cut.
    pub least_chunk: Option<usize>,
    /// Start as the original does.
    pub keep_first: bool,
    /// End as the original does.
    pub keep_last: bool,
    /// How long a variation is, in seconds; as long as the original where nothing is told.
    pub secs: Option<f64>,
    /// How dancers travel.
    pub travel: Travel,
    /// What is done where chunks meet.
    pub bridge: Bridge,
}

impl Default for Wish {
    fn default() -> Self {
        let usual = Settings::default();
        Self {
            system: usual.system,
            shift: usual.shift,
            per_cell: None,
            turn: None,
            drift: None,
            least_chunk: None,
            keep_first: false,
            keep_last: false,
            secs: None,
            travel: Travel::default(),
            bridge: Bridge::default(),
        }
    }
}

impl Wish {
    /// What was told, over what is usual.
    pub fn over(&self, usual: Settings) -> Settings {
        Settings {
            system: self.system.clone(),
            shift: self.shift,
            elements_per_cell: self.per_cell.unwrap_or(usual.elements_per_cell),
            cells_per_turn: self.turn.unwrap_or(usual.cells_per_turn),
            drift_cells: self.drift.unwrap_or(usual.drift_cells),
            least_chunk_cells: self.least_chunk.unwrap_or(usual.least_chunk_cells),
            keep_first: self.keep_first,
            keep_last: self.keep_last,
        }
    }
}

/// A dance, ready to be varied any number of times.
pub struct Variations {
    phrases: Phrases,
    wish: Wish,
    settings: Settings,
    wrapped: Wrapped,
    style: Option<Style>,
}

/// One variation.
#[derive(Debug)]
pub struct Varied {
    /// The motion.
    pub take: Take,
    /// Which frames are danced when, and where.
    pub plan: Plan,
    /// How it came about.
    pub variation: Variation,
    /// What is left of the original.
    pub chunks: Vec<Chunk>,
    /// What was met on the way.
    pub report: Report,
}

impl Variations {
    /// Wraps a dance around its attractor.
    pub fn of(phrases: Phrases, wish: Wish) -> Result<Self, Failure> {
        let settings = wish.over(Settings::for_motion(phrases.dance.rate_hz));
        let wrapped = phrases.dance.wrapped(&settings)?;
        let style = style(&phrases, &wish)?;
        Ok(Self { phrases, wish, settings, wrapped, style })
    }

    /// The dance around its attractor.
    pub fn wrapped(&self) -> &Wrapped {
        &self.wrapped
    }

    /// The variation of a seed, as a take of this name. Hands hold as they did in the takes.
    pub fn vary(&self, seed: Seed, name: &str) -> Result<Varied, Failure> {
        let Self { phrases, wish, settings, wrapped, .. } = self;
        let frames = wish.secs.map(|secs| (secs * phrases.dance.rate_hz).round().max(0.0) as usize);
        let mut varied = phrases.dance.vary(wrapped, settings, wish.travel, frames, seed)?;
        let (take, report) = self.realised(&mut varied.plan, name)?;
        Ok(Varied { take, plan: varied.plan, variation: varied.variation, chunks: varied.chunks, report })
    }

    /// The motion of a plan, which is bridged where there is a style.
    fn realised(&self, plan: &mut Plan, name: &str) -> Result<(Take, Report), Failure> {
        let sources = &self.phrases.sources;
        let usual = realise::Settings::default();
        let join = join::Settings { method: join::Method::None, ..usual.join };
        let settings = match self.wish.bridge {
            Bridge::Join | Bridge::Tween => usual,
            Bridge::None => realise::Settings { join, plant: None, constrain: None, ..usual },
        };
        if plan.actors.len() > 1 && settings.constrain.is_some() {
            plan.meetings.extend(propagated(plan, sources)?);
        }
        let (made, mut report) = match &self.style {
            Some(style) => {
                let Bridged { plan: bridged, sources, report } =
                    bridged(plan, sources, style, &TweenSettings::default())?;
                *plan = bridged;
                (realise(plan, &sources, &settings)?, report)
            }
            None => (realise(plan, sources, &settings)?, Report::default()),
        };
        report.absorb(made.report);
        Ok((Take::new(name, made.take.into_actors())?, report))
    }
}

/// The style of what is varied, where it is bridged by ways in it.
fn style(phrases: &Phrases, wish: &Wish) -> Result<Option<Style>, Failure> {
    if wish.bridge != Bridge::Tween {
        return Ok(None);
    }
    if phrases.dance.actors.len() > 1 || wish.travel == Travel::Absolute {
        let message = "bridging by ways of a style is for one dancer who travels onward";
        return Err(Failure::usage(&codes::BRIDGE, message));
    }
    let clips: Vec<Clip> = phrases.sources.values().map(|example| example.clip.clone()).collect();
    Ok(Some(Style::learn(&clips, &StyleSettings::default())?))
}

/// The first take of a motion file, to be varied, and what was met in reading it. A pose that was taken to calibrate is no part of a dance.
pub fn dance_of(path: &Path, mut options: ReadOptions) -> Result<(Take, Report), Failure> {
    options.conventions.trim_rest_frame = true;
    let about = |error: crate::formats::Error| Failure::from(error).in_file(path);
    let import = read_file(path, &options).map_err(about)?;
    let report = import.report.clone();
    Ok((import.into_first().map_err(about)?.take, report))
}

/// What is left of an original of so many cells.
pub fn statistics(cells: usize, chunks: &[Chunk]) -> Statistics {
    let original: Vec<usize> = (0..cells).collect();
    let played: Vec<usize> = chunks.iter().flat_map(Chunk::range).collect();
    Statistics::of(&original, &played)
}
