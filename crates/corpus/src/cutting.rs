//! Cutting takes by a method: what is found, and how it is written down.
//!
//! A method says where one piece ends and the next begins; the cuts become markers, what lies between two of them
//! segments, and both say which method made them. Cutting again by the same method replaces what it made. An engine that
//! proposes cuts after a few examples (Hsu, Gentry and Popović 2004, section 7) writes them with [`Corpus::cut`] under a name
//! of its own.

use std::fmt;
use std::str::FromStr;

use marey_motion::{Actor, Contacts, Marker, Take};
use marey_ops::contacts;
use marey_ops::cut::{self, Cut};
use marey_ops::{gait, instants};
use rayon::prelude::*;
use rusqlite::params;

use crate::annotations::{replace_contacts, write};
use crate::corpus::Change;
use crate::segments::replace;
use crate::{Annotation, Corpus, Maker, Result, Said, Span, TakeId};

/// How takes are cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CutMethod {
    /// Where feet come down: one piece a step.
    Steps,
    /// Where toes have settled.
    Instants,
}

impl CutMethod {
    /// Every method.
    pub const ALL: [CutMethod; 2] = [CutMethod::Steps, CutMethod::Instants];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            CutMethod::Steps => "steps",
            CutMethod::Instants => "instants",
        }
    }

    /// Who made what it finds.
    pub fn maker(self) -> Maker {
        Maker::method(self.name())
    }
}

impl fmt::Display for CutMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for CutMethod {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, Self::Err> {
        let found = Self::ALL.into_iter().find(|method| method.name() == text);
        found.ok_or_else(|| format!("methods are {}", Self::ALL.map(Self::name).join(", ")))
    }
}

/// What a method found in a take.
#[derive(Debug, Clone)]
pub struct FoundCuts {
    method: CutMethod,
    /// For each actor.
    actors: Vec<(Contacts, Vec<Cut>)>,
    frames: usize,
}

/// What became of it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Cutting {
    /// How many cuts there are.
    pub cuts: usize,
    /// How many pieces there are.
    pub segments: usize,
    /// How many of them are new.
    pub new: usize,
    /// How many went that were there before.
    pub removed: usize,
}

impl FoundCuts {
    /// Looks for cuts in a take; needs no corpus.
    pub fn of(take: &Take, method: CutMethod) -> Result<Self> {
        let actors = take.actors().par_iter().map(|actor| in_actor(actor, method)).collect::<Result<_>>()?;
        Ok(Self { method, actors, frames: take.frames() })
    }

    /// The cuts of an actor, in time; none where there is no such actor.
    pub fn cuts(&self, actor: usize) -> &[Cut] {
        self.actors.get(actor).map_or(&[], |(_, cuts)| cuts)
    }

    fn spans(&self) -> Vec<Span> {
        let mut spans = Vec::new();
        for (actor, (_, cuts)) in self.actors.iter().enumerate() {
            for frames in cut::segments(cuts, self.frames) {
                let first = cuts.iter().find(|cut| cut.frame == frames.start);
                let name = first.map_or_else(|| self.method.name().to_owned(), |cut| cut.label.clone());
                spans.push(Span { start: frames.start, end: frames.end, actor: Some(actor), name });
            }
        }
        spans
    }

    /// Markers have no actor of their own, so that where there are several they say whose they are.
    fn markers(&self) -> Vec<Marker> {
        let mut markers = Vec::new();
        for (actor, (_, cuts)) in self.actors.iter().enumerate() {
            markers.extend(cuts.iter().map(|cut| {
                let whose = if self.actors.len() > 1 { format!("{actor} ") } else { String::new() };
                Marker { frame: cut.frame, name: format!("{whose}{} {}", cut.by.name(), cut.label) }
            }));
        }
        markers
    }
}

fn in_actor(actor: &Actor, method: CutMethod) -> Result<(Contacts, Vec<Cut>)> {
    let clip = &actor.clip;
    let contacts = contacts::detect(clip, &contacts::Settings::default())?.contacts;
    let cuts = match method {
        CutMethod::Steps => {
            let steps = gait::steps(&contacts, clip.rate_hz(), &gait::Settings::default())?;
            steps.into_iter().map(Cut::from).collect()
        }
        CutMethod::Instants => {
            let found = instants::instants(clip, &contacts, &instants::Settings::default())?;
            found.into_iter().map(Cut::from).collect()
        }
    };
    Ok((contacts, cuts))
}

impl Corpus {
    /// Writes down what a method found in a take: foot contacts, markers at the cuts, and the segments between them. What
    /// the same method wrote before is replaced; what a person said stands.
    pub fn put_cuts(&mut self, take: TakeId, found: &FoundCuts) -> Result<Cutting> {
        let maker = found.method.maker();
        let (spans, markers) = (found.spans(), found.markers());
        self.change(|transaction| {
            for (actor, (contacts, _)) in found.actors.iter().enumerate() {
                replace_contacts(transaction, take, actor, contacts, &Maker::method("contacts"))?;
            }
            let sql = "DELETE FROM markers WHERE take = ? AND made_by = ?";
            transaction.execute(sql, params![take.0, maker.to_string()])?;
            for marker in &markers {
                let what = Said::Marker(marker.clone());
                write(transaction, &Annotation { take, what, maker: maker.clone() })?;
            }
            let (new, removed) = replace(transaction, take, &spans, &maker)?;
            Ok::<_, Change>(Cutting { cuts: markers.len(), segments: spans.len(), new, removed })
        })
    }
}
