//! One motion of the demo: written in every format, drawn, and measured.

use std::ops::Range;
use std::path::Path;

use marey::Error;
use marey::examples::{GeneratedExample, companion_files};
use marey::measure::card::{BaselineStatistics, Thresholds};
use marey::measure::judge::{ActorCard, TakeEvidence, judge};
use marey::motion::{Take, Terrain};
use marey::render::{Animation, SceneOptions, Sheet, View};

use super::MissedRow;
use crate::flags::ForceFlag;

/// The duration of an animation, in seconds.
const ANIMATED_SECS: f64 = 4.0;
/// Pictures per second of an animation.
const FPS: f64 = 16.0;
/// Number of poses of a contact sheet, which are side by side.
const POSES: usize = 8;

/// A motion to show.
#[derive(Debug)]
pub(super) struct DemoMotion {
    /// `input`, `output`, or the name of the take.
    pub(super) caption: String,
    /// The name of its files.
    pub(super) stem: String,
    pub(super) take: Take,
    pub(super) terrain: Option<Terrain>,
    /// Statistics of the examples that it was made from.
    pub(super) baseline: Option<BaselineStatistics>,
    /// The frame that the animation starts with.
    pub(super) first_frame: usize,
    /// Ending and content of further files.
    pub(super) companions: Vec<(&'static str, Vec<u8>)>,
}

/// A motion that was written: what the page and the table show of it.
#[derive(Debug)]
pub(super) struct WrittenMotion {
    pub(super) name: String,
    pub(super) actors: usize,
    pub(super) frames: usize,
    pub(super) secs: f64,
    pub(super) rate_hz: f64,
    pub(super) cards: Vec<ActorCard>,
    pub(super) animation: String,
    pub(super) sheet: String,
    /// All files except pictures.
    pub(super) files: Vec<String>,
}

impl WrittenMotion {
    pub(super) fn passed(&self) -> bool {
        self.cards.iter().all(|card| card.passed)
    }

    /// The measures above their thresholds.
    pub(super) fn missed(&self) -> impl Iterator<Item = MissedRow<'_>> {
        self.cards.iter().flat_map(|ActorCard { actor, card, .. }| {
            let missed = card.lines.iter().filter(|line| !line.ok);
            missed.map(move |line| MissedRow {
                actor,
                name: line.name,
                value: line.value,
                at_most: line.at_most,
            })
        })
    }
}

impl DemoMotion {
    pub(super) fn from_example(generated: GeneratedExample) -> Result<Self, Error> {
        let truth = &generated.example.truth;
        Ok(Self {
            caption: generated.example.take.name().to_owned(),
            stem: generated.example.take.name().to_owned(),
            // The first label is usually a preparation.
            first_frame: truth.labels().get(1).map_or(0, |label| label.start),
            companions: companion_files(&generated)?,
            terrain: generated.terrain,
            baseline: None,
            take: generated.example.take,
        })
    }

    /// Writes all files to a subfolder of `above`. Their names are relative to `above`.
    pub(super) fn write(self, above: &Path, folder: &str, force: &ForceFlag) -> Result<WrittenMotion, Error> {
        let name = |ending: &str| format!("{folder}/{}.{ending}", self.stem);
        let mut files = Vec::new();
        for ending in ["bvh", "glb"] {
            force.write_take(&above.join(name(ending)), &self.take)?;
            files.push(name(ending));
        }
        for (ending, content) in &self.companions {
            force.write(&above.join(name(ending)), content)?;
            files.push(name(ending));
        }
        let (animation, sheet) = (name("gif"), name("png"));
        force.write(&above.join(&animation), &self.animation()?)?;
        force.write(&above.join(&sheet), &self.sheet()?)?;
        let evidence = TakeEvidence {
            terrain: self.terrain.clone(),
            examples: self.baseline.into_iter().collect(),
            ..TakeEvidence::default()
        };
        Ok(WrittenMotion {
            cards: judge(&self.take, &evidence, &Thresholds::default())?,
            actors: self.take.actors().len(),
            frames: self.take.frames(),
            secs: self.take.first().duration_secs(),
            rate_hz: self.take.rate_hz(),
            name: self.caption,
            animation,
            sheet,
            files,
        })
    }

    fn scene(&self, frames: Range<usize>) -> SceneOptions {
        let view = if self.terrain.is_some() { View::Side } else { View::ThreeQuarter };
        SceneOptions { view, terrain: self.terrain.clone(), frames: Some(frames), ..SceneOptions::default() }
    }

    fn animation(&self) -> Result<Vec<u8>, Error> {
        let length = (ANIMATED_SECS * self.take.rate_hz()) as usize;
        let first = self.first_frame.min(self.take.frames().saturating_sub(length));
        let frames = first..(first + length).min(self.take.frames());
        let animation = Animation { scene: self.scene(frames), fps: FPS, ..Animation::default() };
        Ok(animation.gif(&self.take)?)
    }

    fn sheet(&self) -> Result<Vec<u8>, Error> {
        let scene = self.scene(0..self.take.frames());
        let sheet = Sheet { scene, poses: Some(POSES), columns: Some(POSES), ..Sheet::default() };
        Ok(Sheet { panel_width_px: 160, panel_height_px: 200, ..sheet }.png(&self.take)?)
    }
}
