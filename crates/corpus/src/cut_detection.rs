//! Detects cuts in takes by a method, and stores them.
//!
//! A method finds cuts. The corpus stores them as markers, and the ranges between them as segments, both with the
//! method as their maker. Running the same method again replaces its results. An engine that proposes cuts from a few
//! examples (Hsu, Gentry and Popović 2004, section 7) stores them with [`Corpus::cut`] under its own name.

use std::collections::BTreeMap;
use std::ops::Range;

use marey_motion::{Actor, Contacts, Marker, Take};
use marey_ops::contacts;
use marey_ops::cut::{self, Cut, SegmentLengths};
use marey_ops::sole::SolePoint;
use marey_ops::{OpsError, OutOfRange, beats, gait, instants};
use rayon::prelude::*;
use rusqlite::params;
use serde::{Deserialize, Serialize};

use crate::annotations::{replace_contacts, write};
use crate::corpus::Change;
use crate::segments::replace;
use crate::{Annotation, AnnotationContent, Corpus, Maker, Result, SegmentCounts, Span, TakeId};

/// A segmentation method.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CutMethod {
    /// At foot plants: one segment per step. What lies before, after and between is cut too.
    Steps,
    /// When toes have settled.
    Instants,
    /// On the beat, if the motion has one.
    Beats {
        /// Number of beats per segment; at least 1.
        every: usize,
    },
    /// At even intervals, for motion without steps or a steady beat. Segments may overlap; each is of all actors.
    Windows {
        /// Duration of a segment, in seconds; 0.1 to 60.
        secs: f64,
        /// Seconds from the start of a segment to the start of the next; 0.1 to 60.
        every_secs: f64,
    },
}

impl CutMethod {
    /// The name of the method.
    pub fn name(self) -> &'static str {
        match self {
            CutMethod::Steps => "steps",
            CutMethod::Instants => "instants",
            CutMethod::Beats { .. } => "beats",
            CutMethod::Windows { .. } => "windows",
        }
    }

    /// The method of a name; `every` is the number of beats per segment, at least 1. Windows last a second and start every half.
    pub fn from_name(name: &str, every: usize) -> Option<Self> {
        match name {
            "steps" => Some(CutMethod::Steps),
            "instants" => Some(CutMethod::Instants),
            "beats" => Some(CutMethod::Beats { every: every.max(1) }),
            "windows" => Some(CutMethod::Windows { secs: 1.0, every_secs: 0.5 }),
            _ => None,
        }
    }

    /// The maker of its results.
    pub fn maker(self) -> Maker {
        Maker::method(self.name())
    }
}

/// The cuts that a method found in a take.
#[derive(Debug, Clone)]
pub struct DetectedCuts {
    pub(crate) method: CutMethod,
    pub(crate) actors: Vec<FoundInActor>,
    pub(crate) spans: Vec<Span>,
    /// Number of segments that were left out because of unusable frames.
    pub(crate) unusable: usize,
}

/// The cuts in one actor's motion.
#[derive(Debug, Clone)]
pub(crate) struct FoundInActor {
    pub(crate) contacts: Contacts,
    pub(crate) cuts: Vec<Cut>,
    /// Beats per minute, if requested and found.
    pub(crate) tempo_bpm: Option<f64>,
}

impl DetectedCuts {
    /// Finds cuts in a take, with default lengths; needs no corpus.
    pub fn of(take: &Take, method: CutMethod) -> Result<Self> {
        Self::of_with(take, method, &SegmentLengths::default(), &[])
    }

    /// [`DetectedCuts::of`] with lengths of segments. No segment has a frame of the `unusable` ranges.
    pub fn of_with(
        take: &Take,
        method: CutMethod,
        lengths: &SegmentLengths,
        unusable: &[Range<usize>],
    ) -> Result<Self> {
        lengths.validate()?;
        let in_actor = |actor: &Actor| in_actor(actor, method, lengths);
        let actors: Vec<FoundInActor> = take.actors().par_iter().map(in_actor).collect::<Result<_>>()?;
        let least = lengths.least_frames(take.rate_hz());
        let spans = match method {
            CutMethod::Windows { secs, every_secs } => windows(take, secs, every_secs)?,
            _ => spans(method, &actors, take.frames()),
        };
        let spans = spans.into_iter();
        let all: Vec<Span> = spans.filter(|span| span.end - span.start >= least).collect();
        let is_usable =
            |span: &Span| !unusable.iter().any(|range| range.start < span.end && span.start < range.end);
        let (spans, left_out): (Vec<Span>, Vec<Span>) = all.into_iter().partition(is_usable);
        Ok(Self { method, actors, spans, unusable: left_out.len() })
    }

    /// The cuts of an actor in order; empty if there is no such actor.
    pub fn cuts(&self, actor: usize) -> &[Cut] {
        self.actors.get(actor).map_or(&[], |found| &found.cuts)
    }

    /// The segments between the cuts. Some can be removed before they are stored.
    pub fn spans_mut(&mut self) -> &mut Vec<Span> {
        &mut self.spans
    }

    /// Markers have no actor. If there are several actors, the marker's name starts with the index of its actor.
    fn markers(&self) -> Vec<Marker> {
        let mut markers = Vec::new();
        for (actor, FoundInActor { cuts, .. }) in self.actors.iter().enumerate() {
            markers.extend(cuts.iter().map(|cut| {
                let prefix = if self.actors.len() > 1 { format!("{actor} ") } else { String::new() };
                Marker { frame: cut.frame, name: format!("{prefix}{} {}", cut.by.name(), cut.label) }
            }));
        }
        markers
    }
}

/// The range between two cuts of an actor, named after the first.
fn spans(method: CutMethod, actors: &[FoundInActor], frames: usize) -> Vec<Span> {
    let mut spans = Vec::new();
    for (actor, FoundInActor { cuts, .. }) in actors.iter().enumerate() {
        let mut first_at: BTreeMap<usize, &Cut> = BTreeMap::new();
        for cut in cuts {
            first_at.entry(cut.frame).or_insert(cut);
        }
        for frames in cut::segments(cuts, frames) {
            let first = first_at.get(&frames.start);
            let name = first.map_or_else(|| method.name().to_owned(), |cut| cut.label.clone());
            spans.push(Span { start: frames.start, end: frames.end, actor: Some(actor), name });
        }
    }
    spans
}

/// Ranges of `secs` that start every `every_secs`; the whole take if it is shorter.
fn windows(take: &Take, secs: f64, every_secs: f64) -> Result<Vec<Span>> {
    OutOfRange::check("secs", secs, 0.1..=60.0).map_err(OpsError::from)?;
    OutOfRange::check("every_secs", every_secs, 0.1..=60.0).map_err(OpsError::from)?;
    let frame = |secs: f64| (secs * take.rate_hz()).round().max(1.0) as usize;
    let length = frame(secs).min(take.frames());
    let starts = (0..).map(|number| (f64::from(number) * every_secs * take.rate_hz()).round() as usize);
    let span = |start: usize| Span { start, end: start + length, actor: None, name: "window".into() };
    Ok(starts.map(span).take_while(|span| span.end <= take.frames()).collect())
}

fn in_actor(actor: &Actor, method: CutMethod, lengths: &SegmentLengths) -> Result<FoundInActor> {
    let clip = &actor.clip;
    let contacts = contacts::detect(clip, &contacts::ContactSettings::default())?.contacts;
    let mut tempo_bpm = None;
    let cuts = match method {
        CutMethod::Steps => {
            let steps = gait::steps(&contacts, clip.rate_hz(), &gait::GaitSettings::default())?;
            let steps = steps.into_iter().map(Cut::from).collect();
            // A figure without feet does not walk, so it does not stand between steps either.
            let has_feet = !SolePoint::all(clip.skeleton()).is_empty();
            if has_feet { cut::usable(steps, clip.frames(), clip.rate_hz(), lengths) } else { steps }
        }
        CutMethod::Instants => {
            let found = instants::instants(clip, &contacts, &instants::InstantSettings::default())?;
            found.into_iter().map(Cut::from).collect()
        }
        CutMethod::Beats { every } => {
            let found = beats::beats(clip, &beats::BeatSettings::default())?;
            tempo_bpm = (!found.frames.is_empty()).then_some(found.tempo_bpm);
            found.cuts(every)
        }
        CutMethod::Windows { .. } => Vec::new(),
    };
    Ok(FoundInActor { contacts, cuts, tempo_bpm })
}

impl Corpus {
    /// Stores what a method found in a take: foot contacts, markers at the cuts, and the segments between them; for
    /// beats also the tempo, as the label `tempo_bpm`. Replaces what the same method stored before and keeps what a
    /// person added.
    pub fn store_cuts(&mut self, take: TakeId, found: &DetectedCuts) -> Result<SegmentCounts> {
        let maker = found.method.maker();
        let (spans, markers) = (&found.spans, found.markers());
        self.change(|transaction| {
            for (actor, FoundInActor { contacts, tempo_bpm, .. }) in found.actors.iter().enumerate() {
                replace_contacts(transaction, take, actor, contacts, &Maker::method("contacts"))?;
                if let Some(tempo_bpm) = tempo_bpm {
                    let key = if actor == 0 { "tempo_bpm".to_owned() } else { format!("tempo_bpm {actor}") };
                    let what = AnnotationContent::Label { key, value: format!("{tempo_bpm:.1}") };
                    write(transaction, &Annotation { take, what, maker: maker.clone() })?;
                }
            }
            let sql = "DELETE FROM markers WHERE take = ? AND made_by = ?";
            transaction.execute(sql, params![take.0, maker.to_string()])?;
            for marker in &markers {
                let what = AnnotationContent::Marker(marker.clone());
                write(transaction, &Annotation { take, what, maker: maker.clone() })?;
            }
            let (new, removed) = replace(transaction, take, spans, &maker)?;
            Ok::<_, Change>(SegmentCounts {
                cuts: markers.len(),
                segments: spans.len(),
                new,
                removed,
                redundant: 0,
                unusable: found.unusable,
            })
        })
    }
}
