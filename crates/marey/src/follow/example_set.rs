//! The takes of a corpus that serve as examples.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{ClusterBy, ControlKind, ExamplePair, FollowRequest, Instance, Mapping, PointSelection};
use crate::corpus::{Corpus, Maker, Segment, TakeInfo};
use crate::example_selection::{longest_group, report_left_out, report_unreadable};
use crate::motion::{Place, Report, Skeleton};
use crate::ops::reduction::linkage;
use crate::plan::SourceRef;
use crate::realise::SourceClip;
use crate::realise::constrain::Hold;
use crate::{Error, codes, sources};

/// Which takes, actors and segments of a corpus are used.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ExampleChoice {
    pub(crate) control: ControlKind,
    /// The points that are compared with the control.
    pub(crate) selection: PointSelection,
    pub(crate) target: Option<String>,
    /// Names of the takes to use; all if empty.
    pub(crate) examples: Vec<String>,
    /// Names of takes to leave out.
    pub(crate) without: Vec<String>,
    pub(crate) made_by: Option<Maker>,
    /// Threshold and stretch for keeping one segment of each cluster.
    pub(crate) clusters: Option<(f32, f64)>,
}

/// A mapping and the motion that its plans use.
#[derive(Debug)]
pub(crate) struct ExampleSet {
    pub(crate) mapping: Mapping,
    pub(crate) sources: BTreeMap<SourceRef, SourceClip>,
    /// When the hands of each target hold those of its leader.
    pub(crate) holds: BTreeMap<SourceRef, Vec<Hold>>,
    /// Takes that were left out.
    pub(crate) report: Report,
}

/// A take with the actors that a choice asks for.
pub(super) struct Candidate {
    pub(super) info: TakeInfo,
    /// The actor that leads; the target itself if no other actor does.
    lead: usize,
    pub(super) target: usize,
    segments: Vec<Segment>,
}

/// Examples and their instances, with the take of each example.
#[derive(Default)]
pub(super) struct Pairs {
    pairs: Vec<ExamplePair>,
    instances: Vec<Instance>,
    pub(super) candidates: Vec<Candidate>,
    sources: BTreeMap<SourceRef, SourceClip>,
    holds: BTreeMap<SourceRef, Vec<Hold>>,
    /// Takes whose motion cannot be used.
    pub(super) unreadable: Vec<(TakeInfo, Error)>,
}

impl FollowRequest {
    /// The choice of examples for a signal that compares `selection`.
    pub(crate) fn choice(&self, selection: &PointSelection) -> ExampleChoice {
        let stretch_secs = self.settings().stretch_secs;
        let mut without = self.without.clone();
        without.extend(self.input.corpus_take().map(str::to_owned));
        ExampleChoice {
            control: self.control.clone(),
            selection: selection.clone(),
            target: self.target.clone(),
            examples: self.examples.clone(),
            without,
            made_by: self.made_by.clone(),
            clusters: self.cluster_m.map(|threshold_m| (threshold_m, stretch_secs)),
        }
    }
}

impl ExampleSet {
    /// Every usable take of the corpus whose target has the most common body, with its segments.
    pub(crate) fn select(corpus: &Corpus, choice: &ExampleChoice) -> Result<Self, Error> {
        let candidates = choice.candidates(corpus, |segment| choice.uses(segment), |_| false)?;
        let mut report = Report::default();
        let candidates = without_short_segments(choice.preferred(candidates), &mut report);
        let candidates = of_one_body(corpus, candidates, &mut report)?;
        let pairs = choice.pairs(corpus, candidates);
        let unreadable = pairs.unreadable.iter().map(|(info, error)| (info.name.as_str(), error));
        report_unreadable(unreadable, pairs.pairs.len(), &mut report)?;
        let mut mapping = pairs.mapping(choice)?;
        if let Some((threshold_m, stretch_secs)) = choice.clusters {
            let clusters = linkage::LinkageSettings { threshold_m, ..Default::default() };
            mapping = mapping.with_only(&mapping.reduced(&clusters, ClusterBy::Both, stretch_secs)?)?;
        }
        Ok(Self { mapping, sources: pairs.sources, holds: pairs.holds, report })
    }
}

impl ExampleChoice {
    /// The leader and the target of a take, by number; `None` if one is missing.
    fn actors(&self, info: &TakeInfo) -> Option<(usize, usize)> {
        let named = |name: &str| info.actors.iter().position(|actor| actor.name == name);
        let target = self.target.as_deref();
        match &self.control {
            ControlKind::Actor(name) => {
                let lead = named(name)?;
                let other = || (0..info.actors.len()).find(|&actor| actor != lead);
                Some((lead, target.map_or_else(other, named)?))
            }
            ControlKind::Path | ControlKind::Points => {
                let actor = target.map_or(Some(0), named)?;
                Some((actor, actor))
            }
        }
    }

    /// Whether a segment is used, whichever actor it belongs to.
    pub(super) fn uses(&self, segment: &Segment) -> bool {
        self.made_by.as_ref().is_none_or(|maker| *maker == segment.maker)
    }

    /// The takes that have the actors and segments, and those without segments that `wants_uncut` accepts.
    pub(super) fn candidates(
        &self,
        corpus: &Corpus,
        uses: impl Fn(&Segment) -> bool,
        wants_uncut: impl Fn(&TakeInfo) -> bool,
    ) -> Result<Vec<Candidate>, Error> {
        for name in &self.examples {
            corpus.find(name)?;
        }
        let mut candidates = Vec::new();
        let mut has_actors = false;
        for info in corpus.takes()? {
            let Some((lead, target)) = self.actors(&info) else { continue };
            has_actors = true;
            let is_chosen = self.examples.is_empty() || self.examples.contains(&info.name);
            if !is_chosen || self.without.contains(&info.name) {
                continue;
            }
            let is_theirs = |segment: &Segment| segment.actor.is_none_or(|one| one == lead || one == target);
            let mut segments = corpus.segments_of(info.id)?;
            segments.retain(|segment| is_theirs(segment) && uses(segment));
            if !segments.is_empty() || wants_uncut(&info) {
                candidates.push(Candidate { info, lead, target, segments });
            }
        }
        match &self.control {
            ControlKind::Actor(name) if !has_actors => {
                let message = format!("no take has an actor {name:?} and another one that follows");
                Err(Error::new(&codes::NO_LEADER, message))
            }
            _ => Ok(candidates),
        }
    }

    /// Without a choice by the user, one who walks alone is no example for a couple: takes of one actor are preferred.
    fn preferred(&self, mut candidates: Vec<Candidate>) -> Vec<Candidate> {
        let is_alone = |candidate: &Candidate| candidate.info.actors.len() == 1;
        let is_free = self.target.is_none() && self.examples.is_empty();
        if is_free && !matches!(self.control, ControlKind::Actor(_)) && candidates.iter().any(is_alone) {
            candidates.retain(is_alone);
        }
        candidates
    }

    /// Reads the motion of the candidates.
    pub(super) fn pairs(&self, corpus: &Corpus, candidates: Vec<Candidate>) -> Pairs {
        let mut pairs = Pairs::default();
        for mut candidate in candidates {
            let (pair, target, holds) = match self.read(corpus, &candidate) {
                Ok(example) => example,
                Err(error) => {
                    pairs.unreadable.push((candidate.info, error));
                    continue;
                }
            };
            let example = pairs.pairs.len();
            let segments = std::mem::take(&mut candidate.segments).into_iter();
            pairs.instances.extend(segments.map(|segment| Instance {
                example,
                frames: segment.frames,
                label: segment.name,
            }));
            pairs.holds.insert(pair.source.clone(), holds);
            pairs.sources.insert(pair.source.clone(), target);
            pairs.pairs.push(pair);
            pairs.candidates.push(candidate);
        }
        pairs
    }

    /// The compared points of a candidate, the motion of its target, and the target's holds with its leader.
    fn read(
        &self,
        corpus: &Corpus,
        candidate: &Candidate,
    ) -> Result<(ExamplePair, SourceClip, Vec<Hold>), Error> {
        let actors = sources::examples(corpus, &candidate.info.name)?;
        let target = &actors[candidate.target];
        let pair = ExamplePair {
            source: SourceRef { take: candidate.info.name.clone(), actor: candidate.target },
            control: self.selection.points(&actors[candidate.lead].clip)?,
            target: PointSelection::body().points(&target.clip)?,
        };
        Ok((pair, target.clone(), holds_with_leader(&actors, candidate)))
    }
}

impl Pairs {
    pub(super) fn mapping(&self, choice: &ExampleChoice) -> Result<Mapping, Error> {
        let (control, target) = (choice.selection.weights(), PointSelection::body().weights());
        Ok(Mapping::new(self.pairs.clone(), self.instances.clone(), control, target)?)
    }
}

/// The holds between target and leader, as the target's. A take lists each hold once, at either actor.
fn holds_with_leader(actors: &[SourceClip], candidate: &Candidate) -> Vec<Hold> {
    let Candidate { lead, target, .. } = *candidate;
    let own = actors[target].holds.iter().filter(|hold| hold.with_actor == lead).cloned();
    let reversed =
        |hold: &Hold| Hold { role: hold.with_role, with_actor: lead, with_role: hold.role, ..hold.clone() };
    let leaders = actors[lead].holds.iter().filter(|hold| hold.with_actor == target).map(reversed);
    own.chain(leaders).collect()
}

/// The fewest frames that a segment is compared by.
const MIN_SEGMENT_FRAMES: usize = 2;

/// The candidates without segments that are too short to compare, which are reported, and without takes that have no others.
fn without_short_segments(mut candidates: Vec<Candidate>, report: &mut Report) -> Vec<Candidate> {
    let is_short = |segment: &Segment| segment.frames.len() < MIN_SEGMENT_FRAMES;
    for candidate in &mut candidates {
        for segment in candidate.segments.iter().filter(|segment| is_short(segment)) {
            let message = format!("segment {:?} of {} was left out", segment.name, candidate.info.name);
            report.warn(&codes::SHORT_SEGMENT, Place::default().frame(segment.frames.start), message);
        }
        candidate.segments.retain(|segment| !is_short(segment));
    }
    candidates.retain(|candidate| !candidate.segments.is_empty());
    candidates
}

/// The candidates whose target has the body that lasts longest. The others are reported.
fn of_one_body(
    corpus: &Corpus,
    candidates: Vec<Candidate>,
    report: &mut Report,
) -> Result<Vec<Candidate>, Error> {
    let body = |candidate: &Candidate| -> Result<Arc<Skeleton>, Error> {
        let first_frame = corpus.take_range(candidate.info.id, 0..1)?;
        Ok(first_frame.actors()[candidate.target].clip.skeleton().clone())
    };
    let with_body = |candidate| Ok((body(&candidate)?, candidate));
    let candidates = candidates.into_iter().map(with_body).collect::<Result<Vec<_>, Error>>()?;
    let secs = |(_, candidate): &(_, Candidate)| candidate.info.duration_secs();
    let (kept, left_out) = longest_group(candidates, secs, |(one, _), (other, _)| one == other);
    report_left_out(left_out.iter().map(|(_, candidate)| candidate.info.name.as_str()), kept.len(), report);
    Ok(kept.into_iter().map(|(_, candidate)| candidate).collect())
}
