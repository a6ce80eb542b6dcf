//! Cutting takes by a method: what is found, and how it is written down.
//!
//! A method says where one piece ends and the next begins; the cuts become markers, what lies between two of them
//! segments, and both say which method made them. Cutting again by the same method replaces what it made. An engine that
//! proposes cuts after a few examples (Hsu, Gentry and Popović 2004, section 7) writes them with [`Corpus::cut`] under a name
//! of its own.

use marey_motion::{Actor, Contacts, Marker, Take};
use marey_ops::contacts;
use marey_ops::cut::{self, Cut};
use marey_ops::{beats, gait, instants};
use rayon::prelude::*;
use rusqlite::params;
use serde::{Deserialize, Serialize};

use crate::annotations::{replace_contacts, write};
use crate::corpus::Change;
use crate::segments::replace;
use crate::{Annotation, Corpus, Maker, Result, Said, Span, TakeId};

/// How takes are cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CutMethod {
    /// Where feet come down: one piece a step.
    Steps,
    /// Where toes have settled.
    Instants,
    /// On the beat, where the motion has one.
    Beats {
        /// How many beats a piece has; at least 1.
        every: usize,
    },
}

impl CutMethod {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            CutMethod::Steps => "steps",
            CutMethod::Instants => "instants",
            CutMethod::Beats { .. } => "beats",
        }
    }

    /// Who made what it finds.
    pub fn maker(self) -> Maker {
        Maker::method(self.name())
    }
}

/// What a method found in a take.
#[derive(Debug, Clone)]
pub struct FoundCuts {
    pub(crate) method: CutMethod,
    pub(crate) actors: Vec<FoundInActor>,
    pub(crate) spans: Vec<Span>,
}

/// What was found in one actor's motion.
#[derive(Debug, Clone)]
pub(crate) struct FoundInActor {
    pub(crate) contacts: Contacts,
    pub(crate) cuts: Vec<Cut>,
    /// Beats a minute, where that was asked for and found.
    pub(crate) tempo_bpm: Option<f64>,
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
        let actors: Vec<FoundInActor> =
            take.actors().par_iter().map(|actor| in_actor(actor, method)).collect::<Result<_>>()?;
        let spans = spans(method, &actors, take.frames());
        Ok(Self { method, actors, spans })
    }

    /// The cuts of an actor, in time; none where there is no such actor.
    pub fn cuts(&self, actor: usize) -> &[Cut] {
        self.actors.get(actor).map_or(&[], |found| &found.cuts)
    }

    /// The pieces between the cuts, of which some may be left out before they are put in.
    pub fn spans_mut(&mut self) -> &mut Vec<Span> {
        &mut self.spans
    }

    /// Markers have no actor of their own, so that where there are several they say whose they are.
    fn markers(&self) -> Vec<Marker> {
        let mut markers = Vec::new();
        for (actor, FoundInActor { cuts, .. }) in self.actors.iter().enumerate() {
            markers.extend(cuts.iter().map(|cut| {
                let whose = if self.actors.len() > 1 { format!("{actor} ") } else { String::new() };
                Marker { frame: cut.frame, name: format!("{whose}{} {}", cut.by.name(), cut.label) }
            }));
        }
        markers
    }
}

/// What lies between two cuts of an actor, named after the first.
fn spans(method: CutMethod, actors: &[FoundInActor], frames: usize) -> Vec<Span> {
    let mut spans = Vec::new();
    for (actor, FoundInActor { cuts, .. }) in actors.iter().enumerate() {
        for frames in cut::segments(cuts, frames) {
            let first = cuts.iter().find(|cut| cut.frame == frames.start);
            let name = first.map_or_else(|| method.name().to_owned(), |cut| cut.label.clone());
            spans.push(Span { start: frames.start, end: frames.end, actor: Some(actor), name });
        }
    }
    spans
}

fn in_actor(actor: &Actor, method: CutMethod) -> Result<FoundInActor> {
    let clip = &actor.clip;
    let contacts = contacts::detect(clip, &contacts::Settings::default())?.contacts;
    let mut tempo_bpm = None;
    let cuts = match method {
        CutMethod::Steps => {
            let steps = gait::steps(&contacts, clip.rate_hz(), &gait::Settings::default())?;
            steps.into_iter().map(Cut::from).collect()
        }
        CutMethod::Instants => {
            let found = instants::instants(clip, &contacts, &instants::Settings::default())?;
            found.into_iter().map(Cut::from).collect()
        }
        CutMethod::Beats { every } => {
            let found = beats::beats(clip, &beats::Settings::default())?;
            tempo_bpm = (!found.frames.is_empty()).then_some(found.tempo_bpm);
            found.cuts(every)
        }
    };
    Ok(FoundInActor { contacts, cuts, tempo_bpm })
}

impl Corpus {
    /// Writes down what a method found in a take: foot contacts, markers at the cuts, and the segments between them; of
    /// beats also the tempo, as the label `tempo_bpm`. What
    /// the same method wrote before is replaced; what a person said stands.
    pub fn put_cuts(&mut self, take: TakeId, found: &FoundCuts) -> Result<Cutting> {
        let maker = found.method.maker();
        let (spans, markers) = (&found.spans, found.markers());
        self.change(|transaction| {
            for (actor, FoundInActor { contacts, tempo_bpm, .. }) in found.actors.iter().enumerate() {
                replace_contacts(transaction, take, actor, contacts, &Maker::method("contacts"))?;
                if let Some(tempo_bpm) = tempo_bpm {
                    let key = if actor == 0 { "tempo_bpm".to_owned() } else { format!("tempo_bpm {actor}") };
                    let what = Said::Label { key, value: format!("{tempo_bpm:.1}") };
                    write(transaction, &Annotation { take, what, maker: maker.clone() })?;
                }
            }
            let sql = "DELETE FROM markers WHERE take = ? AND made_by = ?";
            transaction.execute(sql, params![take.0, maker.to_string()])?;
            for marker in &markers {
                let what = Said::Marker(marker.clone());
                write(transaction, &Annotation { take, what, maker: maker.clone() })?;
            }
            let (new, removed) = replace(transaction, take, spans, &maker)?;
            Ok::<_, Change>(Cutting { cuts: markers.len(), segments: spans.len(), new, removed })
        })
    }
}
