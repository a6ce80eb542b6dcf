//! The quality of motion, each measure beside its threshold: the `check` verb.

mod baseline;

pub use baseline::is_corpus;
pub(crate) use baseline::names_of;

use std::path::PathBuf;

use baseline::Baseline;
use serde::{Deserialize, Serialize};

use crate::batch::{self, FileOutcome};
use crate::formats::ReadRequest;
use crate::formats::file::read_file;
use crate::measure::card::Thresholds;
#[cfg(feature = "examples")]
use crate::measure::hold::ExpectedHold;
use crate::measure::judge::{ActorCard, TakeEvidence, judge_observed, plan_coverage};
use crate::measure::variety::from_others_m;
use crate::motion::{Actor, MotionError, Observer, Take};
use crate::ops::cloud::{Cloud, CloudSettings};
use crate::plan::Plan;
use crate::{Context, Error, codes, inputs};

/// A request for the quality cards of motion.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CheckRequest {
    /// Files, folders and patterns.
    pub clips: Vec<PathBuf>,
    /// Motion to check besides the files.
    #[serde(skip)]
    pub takes: Vec<Take>,
    /// How the files are read.
    pub read: ReadRequest,
    /// Motion that the clips should resemble, of the same rate and length; or a corpus, used like `examples`.
    pub against: Option<PathBuf>,
    /// A path that the clips should follow.
    pub path: Option<PathBuf>,
    /// Motion files or corpora whose accelerations and joint rotations are the baseline.
    pub examples: Vec<PathBuf>,
    /// The plan that the clips were made from, as JSON text: joins, holds and the examples used. The clips are
    /// compared with those examples only.
    pub plan: Option<String>,
    /// The truth of generated motion: contacts and holds.
    pub truth: Option<PathBuf>,
    /// A terrain file, if the ground is not level.
    pub terrain: Option<PathBuf>,
    /// Thresholds of the measures.
    pub thresholds: Thresholds,
}

impl CheckRequest {
    /// Checks the plan, and how files are read.
    pub fn validate(&self) -> Result<(), Error> {
        self.read.validate()?;
        self.plan.as_deref().map_or(Ok(()), |text| Plan::from_json(text).map(drop).map_err(Error::from))
    }
}

/// Measures motion, and returns the cards of all actors of each file.
///
/// Several files are also compared with each other: the card of each first actor contains the mean distance from the
/// others. A calibration pose in frame 0 is not measured.
pub fn run(request: &CheckRequest, context: &Context<'_>) -> Result<Vec<FileOutcome<Vec<ActorCard>>>, Error> {
    request.validate()?;
    let options = request.read.options()?;
    let evidence = CheckEvidence::read(request)?;
    let inputs = inputs::gather(&request.clips)?.files;
    let is_trimmed = request.read.trim_rest;
    let mut judged = batch::each(&inputs, "checking", context, |input| {
        let mut cards = JudgedClip::default();
        for take in read_file(&input.path, &options)?.into_takes()? {
            let first = take.first_frame(is_trimmed);
            cards.add(&take.take, first, &evidence, &request.thresholds, context.observer())?;
        }
        Ok(cards)
    })?;
    for take in &request.takes {
        let mut cards = JudgedClip::default();
        cards.add(take, 0, &evidence, &request.thresholds, context.observer())?;
        judged.push(FileOutcome { file: take.name().into(), result: Ok(cards) });
    }
    compare(judged.iter_mut().filter_map(|each| each.result.as_mut().ok()))?;
    let cards = |each: FileOutcome<JudgedClip>| FileOutcome {
        file: each.file,
        result: each.result.map(|judged| judged.cards),
    };
    Ok(judged.into_iter().map(cards).collect())
}

/// What clips are measured against, read once.
struct CheckEvidence {
    evidence: TakeEvidence,
    plan_frames: Option<usize>,
    truth_frames: Option<usize>,
}

impl CheckEvidence {
    fn read(request: &CheckRequest) -> Result<Self, Error> {
        let corpus = request.against.as_deref().filter(|path| is_corpus(path));
        let reference = request.against.as_deref().filter(|_| corpus.is_none());
        let plan = request.plan.as_deref().map(Plan::from_json).transpose()?;
        let baseline = Baseline::read(&request.examples, corpus, plan.as_ref())?;
        let coverage = plan.as_ref().zip(baseline.as_ref());
        let coverage = coverage.map(|(plan, baseline)| plan_coverage(plan, &baseline.names));
        let mut all = Self {
            evidence: TakeEvidence {
                terrain: request.terrain.as_deref().map(inputs::terrain).transpose()?,
                reference: reference.map(inputs::take).transpose()?,
                path: request.path.as_deref().map(inputs::points).transpose()?,
                coverage: coverage.filter(|coverage| coverage.used > 0),
                examples: baseline.into_iter().map(|baseline| baseline.statistics).collect(),
                ..TakeEvidence::default()
            },
            plan_frames: plan.as_ref().map(Plan::frames),
            truth_frames: None,
        };
        if let Some(plan) = &plan {
            all.evidence = all.evidence.with_plan(plan);
        }
        if let Some(path) = &request.truth {
            all.read_truth(path)?;
        }
        Ok(all)
    }

    #[cfg(feature = "examples")]
    fn read_truth(&mut self, path: &std::path::Path) -> Result<(), Error> {
        let truth: crate::examples::Truth = inputs::json(path, &codes::NOT_A_TRUTH)?;
        self.truth_frames = Some(truth.frames());
        self.evidence.holds.extend(truth.holds().iter().map(|hold| ExpectedHold {
            one: (hold.one.actor, hold.one.role),
            other: (hold.other.actor, hold.other.role),
            frames: hold.frames.clone(),
            gap_m: hold.gap_m,
        }));
        Ok(())
    }

    #[cfg(not(feature = "examples"))]
    fn read_truth(&mut self, path: &std::path::Path) -> Result<(), Error> {
        let message = "the truth of generated motion needs the feature \"examples\"";
        Err(Error::new(&codes::LEFT_OUT, message).in_file(path))
    }

    /// Fails if the truth or the plan is of a motion of another length.
    fn check_frames(&self, frames: usize) -> Result<(), Error> {
        let of = [
            (self.truth_frames, "truth", &codes::OTHER_TRUTH),
            (self.plan_frames, "plan", &codes::OTHER_PLAN),
        ];
        for (expected, name, code) in of {
            if let Some(expected) = expected.filter(|expected| *expected != frames) {
                return Err(Error::new(code, format!("{frames} frames, but the {name} has {expected}")));
            }
        }
        Ok(())
    }
}

/// The cards of a file, and the shape of its first actor for comparison.
#[derive(Debug, Default)]
struct JudgedClip {
    cards: Vec<ActorCard>,
    shape: Option<Cloud>,
}

impl JudgedClip {
    /// Measures a take from its `first` frame on.
    fn add(
        &mut self,
        take: &Take,
        first: usize,
        evidence: &CheckEvidence,
        thresholds: &Thresholds,
        observer: Observer<'_>,
    ) -> Result<(), Error> {
        let cut = |actor: &Actor| {
            Ok(Actor { name: actor.name.clone(), clip: actor.clip.slice(first..actor.clip.frames())? })
        };
        let actors = take.actors().iter().map(cut).collect::<Result<_, MotionError>>()?;
        let take = Take::new(take.name(), actors)?;
        evidence.check_frames(take.frames())?;
        if self.cards.is_empty() {
            self.shape = Cloud::of(take.first(), 0..take.frames(), &CloudSettings::whole_body()).ok();
        }
        let mut cards = judge_observed(&take, &evidence.evidence, thresholds, observer)?;
        let lines = cards.iter_mut().flat_map(|card| &mut card.card.lines);
        lines.filter_map(|line| line.worst.as_mut()).for_each(|worst| worst.frame += first);
        self.cards.extend(cards);
        Ok(())
    }
}

/// Adds the distance from the others to the first card of each clip, if there are several.
fn compare<'a>(judged: impl Iterator<Item = &'a mut JudgedClip>) -> Result<(), Error> {
    let (mut cards, mut shapes) = (Vec::new(), Vec::new());
    for clip in judged {
        if let Some((card, shape)) = clip.cards.first_mut().zip(clip.shape.take()) {
            cards.push(card);
            shapes.push(shape);
        }
    }
    if cards.len() > 1 {
        for (card, metres) in cards.into_iter().zip(from_others_m(&shapes)?) {
            card.card.set_distance_to_others(metres);
        }
    }
    Ok(())
}
