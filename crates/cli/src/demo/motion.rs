//! One motion on show: written in every form, drawn, and judged.

use std::ops::Range;
use std::path::Path;

use marey::formats::write;
use marey::measure::card::{BaselineStatistics, Evidence, QualityCard, Thresholds};
use marey::motion::{Contacts, Take, Terrain};
use marey::ops;
use marey::render::{Animation, Look, Sheet, View};

use crate::convert::usual_options;
use crate::examples::Piece;
use crate::flags::ForceFlag;
use marey::Error;

/// How much of a motion an animation shows, in seconds.
const ANIMATED_SECS: f64 = 4.0;
/// Pictures a second of animations.
const FPS: f64 = 16.0;

/// A motion to show.
#[derive(Debug)]
pub(super) struct Motion {
    /// What it is beside others: `input`, or the take's name.
    pub(super) caption: String,
    /// What its files are called.
    pub(super) stem: String,
    pub(super) take: Take,
    /// When what touches, of each actor; found from the motion where it is not known.
    pub(super) contacts: Vec<Contacts>,
    pub(super) terrain: Option<Terrain>,
    /// What it should be like, where there are examples for that.
    pub(super) examples: Option<BaselineStatistics>,
    /// Which frames an animation begins with.
    pub(super) from_frame: usize,
    /// Ending and contents of further files.
    pub(super) beside: Vec<(&'static str, Vec<u8>)>,
}

impl From<Piece> for Motion {
    fn from(piece: Piece) -> Self {
        let beside = piece.beside();
        let truth = &piece.example.truth;
        Self {
            caption: piece.example.take.name().to_owned(),
            stem: piece.example.take.name().to_owned(),
            contacts: truth.actors().iter().map(|actor| actor.contacts.clone()).collect(),
            // The first label is mostly getting ready.
            from_frame: truth.labels().get(1).map_or(0, |label| label.start),
            terrain: piece.terrain,
            examples: None,
            take: piece.example.take,
            beside,
        }
    }
}

/// A motion that is shown: what the page and the table need of it.
#[derive(Debug)]
pub(super) struct Shown {
    pub(super) name: String,
    pub(super) actors: usize,
    pub(super) frames: usize,
    pub(super) secs: f64,
    pub(super) rate_hz: f64,
    /// The card of each actor, by name.
    pub(super) cards: Vec<(String, QualityCard)>,
    pub(super) animation: String,
    pub(super) sheet: String,
    /// All files but pictures.
    pub(super) files: Vec<String>,
}

impl Shown {
    pub(super) fn passed(&self) -> bool {
        self.cards.iter().all(|(_, card)| card.is_ok())
    }
}

impl Motion {
    /// Writes everything into a folder below another; the names in what is shown are seen from there.
    pub(super) fn write(self, above: &Path, folder: &str, force: &ForceFlag) -> Result<Shown, Error> {
        let name = |ending: &str| format!("{folder}/{}.{ending}", self.stem);
        let mut files = Vec::new();
        for ending in ["bvh", "glb"] {
            let path = above.join(name(ending));
            let (bytes, _) = write(&self.take, &usual_options(&path)?)?;
            force.write(&path, &bytes)?;
            files.push(name(ending));
        }
        for (ending, bytes) in &self.beside {
            force.write(&above.join(name(ending)), bytes)?;
            files.push(name(ending));
        }
        let (animation, sheet) = (name("gif"), name("png"));
        force.write(&above.join(&animation), &self.animation()?)?;
        force.write(&above.join(&sheet), &self.sheet()?)?;
        Ok(Shown {
            cards: self.cards()?,
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

    fn look(&self, frames: Range<usize>) -> Look {
        let view = if self.terrain.is_some() { View::Side } else { View::ThreeQuarter };
        Look { view, terrain: self.terrain.clone(), frames: Some(frames), ..Look::default() }
    }

    fn animation(&self) -> Result<Vec<u8>, Error> {
        let most = (ANIMATED_SECS * self.take.rate_hz()) as usize;
        let from = self.from_frame.min(self.take.frames().saturating_sub(most));
        let frames = from..(from + most).min(self.take.frames());
        let animation = Animation { look: self.look(frames), fps: FPS, ..Animation::default() };
        Ok(animation.gif(&self.take)?)
    }

    fn sheet(&self) -> Result<Vec<u8>, Error> {
        let sheet = Sheet {
            look: self.look(0..self.take.frames()),
            poses: Some(8),
            columns: Some(8),
            ..Sheet::default()
        };
        Ok(Sheet { panel_width_px: 160, panel_height_px: 200, ..sheet }.png(&self.take)?)
    }

    /// The quality card of each actor.
    fn cards(&self) -> Result<Vec<(String, QualityCard)>, Error> {
        let card = |(index, actor): (usize, &marey::motion::Actor)| {
            let found = ops::contacts::detect(&actor.clip, &ops::contacts::ContactSettings::default())?;
            let contacts = self.contacts.get(index).unwrap_or(&found.contacts);
            let evidence = Evidence {
                terrain: self.terrain.as_ref(),
                examples: self.examples.as_ref(),
                ..Evidence::of_feet(contacts, found.floor.height_m)
            };
            Ok((actor.name.clone(), QualityCard::of(&actor.clip, &evidence, &Thresholds::default())?))
        };
        self.take.actors().iter().enumerate().map(card).collect()
    }
}
