//! The captured pairs, and their labels.

use std::path::{Path, PathBuf};

use marey_capture::{Half, files_of_half};
use marey_corpus::{ImportRequest, TakeInfo};
use marey_duet::RecordedPair;
use marey_formats::ReadRequest;
use marey_motion::{Observer, Take};

use crate::BoxError;
use crate::scratch_corpus::ScratchCorpus;

/// Two CMU subjects who were captured together.
pub(super) struct CapturedPair {
    pub(super) folder: &'static str,
    pub(super) people: [&'static str; 2],
    /// The rate of the capture, if its files state another.
    rate_hz: Option<f64>,
}

pub(super) const ALL: &[CapturedPair] = &[
    CapturedPair { folder: "two_person", people: ["18", "19"], rate_hz: None },
    CapturedPair { folder: "two_person", people: ["20", "21"], rate_hz: None },
    CapturedPair { folder: "two_person", people: ["22", "23"], rate_hz: None },
    CapturedPair { folder: "salsa_60_61", people: ["60", "61"], rate_hz: Some(60.0) },
];

/// How much of the recordings the labels use.
pub(super) struct Labelled {
    /// The share of actor-time in a movement.
    pub(super) actor_time: f64,
    /// The share of contact actions in a movement of both people.
    pub(super) contacts: f64,
}

impl CapturedPair {
    pub(super) fn name(&self) -> String {
        self.people.join(" and ")
    }

    /// Imports the takes of one half as the command does.
    pub(super) fn import(
        &self,
        folder: &Path,
        half: Half,
        corpus: &ScratchCorpus,
    ) -> Result<Vec<Take>, BoxError> {
        let mut inputs: Vec<PathBuf> = files_of_half(folder, "bvh", half);
        inputs.retain(|file| {
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            self.people.iter().any(|person| name.starts_with(&format!("{person}_")))
        });
        let pattern = |person: &&str| format!("p{person}={person}_{{i}}.bvh").parse();
        let request = ImportRequest {
            inputs,
            pairs: self.people.iter().map(pattern).collect::<Result<_, _>>()?,
            read: ReadRequest { rate_hz: self.rate_hz, ..ReadRequest::default() },
            ..ImportRequest::default()
        };
        let mut corpus = corpus.context().corpus()?;
        corpus.import(&request, Observer::ignore())?;
        let infos = corpus.takes()?;
        Ok(infos.iter().map(|info| corpus.take(info.id)).collect::<Result<_, _>>()?)
    }

    /// Compares the labels in a corpus with its takes.
    pub(super) fn labelled(&self, takes: &[Take], corpus: &ScratchCorpus) -> Result<Labelled, BoxError> {
        let corpus = corpus.context().corpus()?;
        let (mut labelled, mut all) = (0, 0);
        let (mut in_movements, mut contacts) = (0, 0);
        for (take, TakeInfo { id, .. }) in takes.iter().zip(corpus.takes()?) {
            let segments = corpus.segments_of(id)?;
            let covers = |person: usize, frame: usize| {
                segments.iter().any(|own| own.actor == Some(person) && own.frames.contains(&frame))
            };
            for person in [0, 1] {
                labelled += (0..take.frames()).filter(|frame| covers(person, *frame)).count();
                all += take.frames();
            }
            for contact in RecordedPair::from_take(take)?.partner_contacts {
                contacts += 1;
                in_movements += usize::from([0, 1].iter().all(|&person| covers(person, contact.frame)));
            }
        }
        let share = |part: usize, all: usize| part as f64 / all.max(1) as f64;
        let contacts = if contacts == 0 { 1.0 } else { share(in_movements, contacts) };
        Ok(Labelled { actor_time: share(labelled, all), contacts })
    }
}
