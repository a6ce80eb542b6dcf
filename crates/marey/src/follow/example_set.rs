//! The takes of a corpus that serve as examples.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use super::actor_name::find_actor;
use super::compared_points::ComparedPoints;
use super::{
    ClusterBy, ControlKind, ExamplePair, FollowRequest, FollowSettings, Instance, LearntMetric, Mapping,
    MetricChoice, PointSelection,
};
use crate::corpus::{Corpus, Maker, Segment, TakeInfo};
use crate::example_bodies::{BodyTally, is_other_body, report_retargeted};
use crate::example_selection::{READING, report_unreadable};
use crate::motion::{Observer, Place, Report, Skeleton};
use crate::ops::reduction::linkage;
use crate::plan::{PlanBody, SourceRef};
use crate::realise::constrain::Hold;
use crate::sources::{SourceSettings, holds};
use crate::take_observation::TakeObservation;
use crate::{Context, Error, codes};

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
    /// The search for which a metric of the control is learnt; `None` for the plain metric.
    pub(crate) metric_for: Option<FollowSettings>,
    /// The body of the result; `None` for the one that lasts longest in the targets.
    pub(crate) body: Option<Arc<Skeleton>>,
}

/// A mapping, and what its plans need besides the motion of the corpus.
#[derive(Debug)]
pub(crate) struct ExampleSet {
    pub(crate) mapping: Mapping,
    /// The metric of the mapping, and how it was learnt; `None` for the plain one.
    pub(crate) metric: Option<LearntMetric>,
    /// The body of the targets, if the skeleton of some takes is another.
    pub(crate) body: Option<Arc<Skeleton>>,
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
    /// The number of targets that were retargeted from another body.
    retargeted: usize,
    /// Whether the skeleton of a target is not its own.
    has_other_skeletons: bool,
    holds: BTreeMap<SourceRef, Vec<Hold>>,
    /// Takes whose motion cannot be used.
    pub(super) unreadable: Vec<(TakeInfo, Error)>,
}

impl FollowRequest {
    /// The choice of examples for a signal that compares `selection`.
    pub(crate) fn choice(&self, selection: &PointSelection, body: Option<&Arc<Skeleton>>) -> ExampleChoice {
        let mut without = self.without.clone();
        without.extend(self.input.corpus_take().map(str::to_owned));
        ExampleChoice {
            control: self.control.clone(),
            selection: selection.clone(),
            target: self.target.clone(),
            examples: self.examples.clone(),
            without,
            made_by: self.made_by.clone(),
            clusters: self.cluster_m.map(|threshold_m| (threshold_m, self.stretch)),
            metric_for: (self.metric() == MetricChoice::Learnt).then(|| FollowSettings {
                transform: self.transform,
                stretch: self.stretch,
                ..FollowSettings::default()
            }),
            body: body.cloned(),
        }
    }
}

impl ExampleSet {
    /// Every usable take of the corpus, with its segments. Targets of other bodies are retargeted onto one.
    pub(crate) fn select(
        corpus: &Corpus,
        choice: &ExampleChoice,
        context: &Context<'_>,
    ) -> Result<Self, Error> {
        let candidates = choice.candidates(corpus, |segment| choice.uses(segment), |_| false)?;
        let mut report = Report::default();
        let cut = candidates.len();
        let candidates = choice.preferred(candidates);
        let candidates = without_unusable_segments(corpus, candidates, context, &mut report)?;
        if candidates.is_empty() {
            return Err(choice.no_examples(corpus, cut)?);
        }
        let body = choice.body.clone().or_else(|| most_common_body(corpus, &candidates));
        let mut pairs = choice.pairs(corpus, candidates, body.as_ref(), context)?;
        let unreadable = pairs.unreadable.iter().map(|(info, error)| (info.name.as_str(), error));
        report_unreadable(unreadable, pairs.pairs.len(), &mut report)?;
        report_retargeted(pairs.retargeted, pairs.pairs.len(), &mut report);
        let mut mapping = pairs.take_mapping(choice)?;
        if let Some((threshold_m, stretch)) = choice.clusters {
            let clusters = linkage::LinkageSettings { threshold_m, ..Default::default() };
            mapping = mapping.with_only(&mapping.reduced(&clusters, ClusterBy::Both, stretch)?)?;
        }
        let metric = match &choice.metric_for {
            Some(settings) => LearntMetric::learn(&mapping, settings)?,
            None => None,
        };
        let mapping = mapping.with_metric(metric.as_ref().map(|learnt| learnt.metric.clone()));
        let body = body.filter(|_| pairs.has_other_skeletons);
        Ok(Self { mapping, metric, body, holds: pairs.holds, report })
    }

    /// What a plan records of the body of its actor.
    pub(super) fn plan_body(&self, actor: usize) -> Option<PlanBody> {
        self.body.clone().map(|skeleton| PlanBody { actor, skeleton })
    }
}

impl ExampleChoice {
    /// Why no take is left, of which `cut` had the actors and segments: the first step that left none.
    fn no_examples(&self, corpus: &Corpus, cut: usize) -> Result<Error, Error> {
        let takes = corpus.takes()?;
        let with_actors = takes.iter().filter(|info| self.actors(info).is_some()).count();
        let is_chosen = |info: &&TakeInfo| {
            (self.examples.is_empty() || self.examples.contains(&info.name))
                && !self.without.contains(&info.name)
        };
        let chosen = takes.iter().filter(is_chosen).count();
        let all = takes.len();
        let message = match (all, with_actors, chosen, cut) {
            (0, ..) => "the corpus has no takes".to_owned(),
            (_, 0, ..) => format!("none of {all} takes has the actors"),
            (.., 0, _) => format!("all of {all} takes are left out by name"),
            (.., 0) => match &self.made_by {
                Some(maker) => format!("none of {chosen} takes has a segment made by {maker}"),
                None => format!("none of {chosen} takes is cut into segments"),
            },
            _ => format!("all segments of {cut} takes are too short or have unusable frames"),
        };
        Ok(Error::new(&codes::NO_EXAMPLES, message))
    }

    /// The leader and the target of a take, by number; `None` if one is missing.
    fn actors(&self, info: &TakeInfo) -> Option<(usize, usize)> {
        let named = |name: &str| find_actor(info.actors.iter().map(|actor| actor.name.as_str()), name);
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

    /// Reads the compared points of the candidates, one after the other. Targets are put on `body`.
    pub(super) fn pairs(
        &self,
        corpus: &Corpus,
        candidates: Vec<Candidate>,
        body: Option<&Arc<Skeleton>>,
        context: &Context<'_>,
    ) -> Result<Pairs, Error> {
        let mut pairs = Pairs::default();
        let total = candidates.len();
        let points = ComparedPoints::new(&self.selection, body)?;
        for (number, mut candidate) in candidates.into_iter().enumerate() {
            context.report(READING, number, total)?;
            let (pair, own, holds) = match self.read(corpus, &candidate, &points, context.observer()) {
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
            pairs.retargeted += usize::from(is_other_body(Some(&own), body));
            pairs.has_other_skeletons |= body.is_some_and(|body| *body != own);
            pairs.pairs.push(pair);
            pairs.candidates.push(candidate);
        }
        Ok(pairs)
    }

    /// The compared points of a candidate, the skeleton of its target in the corpus, and the target's holds with its leader.
    fn read(
        &self,
        corpus: &Corpus,
        candidate: &Candidate,
        points: &ComparedPoints<'_>,
        observer: Observer<'_>,
    ) -> Result<(ExamplePair, Arc<Skeleton>, Vec<Hold>), Error> {
        let Candidate { info, lead, target, .. } = candidate;
        let own = corpus.skeleton(info.id, *target)?;
        let [control, points] = points.of(corpus, info, [*lead, *target], observer)?;
        let source = SourceRef { take: info.name.clone(), actor: *target };
        let holds = match lead == target {
            true => Vec::new(),
            false => holds_with_leader(corpus, candidate, observer)?,
        };
        Ok((ExamplePair { source, control, target: points }, own, holds))
    }
}

impl Pairs {
    /// Moves the examples and instances into a mapping.
    pub(super) fn take_mapping(&mut self, choice: &ExampleChoice) -> Result<Mapping, Error> {
        let (control, target) = (choice.selection.weights(), PointSelection::body().weights());
        let (pairs, instances) = (std::mem::take(&mut self.pairs), std::mem::take(&mut self.instances));
        Ok(Mapping::new(pairs, instances, control, target)?)
    }
}

/// The holds between target and leader, as the target's. A take lists each hold once, at either actor.
fn holds_with_leader(
    corpus: &Corpus,
    candidate: &Candidate,
    observer: Observer<'_>,
) -> Result<Vec<Hold>, Error> {
    let Candidate { info, lead, target, .. } = candidate;
    let read = || corpus.take(info.id);
    let observed = TakeObservation::kept(corpus, info, &SourceSettings::default(), observer, read)?;
    let holds = holds(corpus, info, &observed, read)?;
    let of = |actor: usize| holds.get(actor).into_iter().flatten();
    let own = of(*target).filter(|hold| hold.with_actor == *lead).cloned();
    let reversed =
        |hold: &Hold| Hold { role: hold.with_role, with_actor: *lead, with_role: hold.role, ..hold.clone() };
    let leaders = of(*lead).filter(|hold| hold.with_actor == *target).map(reversed);
    Ok(own.chain(leaders).collect())
}

/// The fewest frames that a segment is compared by.
const MIN_SEGMENT_FRAMES: usize = 2;

/// The candidates without segments that are too short to compare or have unusable frames, which are reported, and without takes
/// that have no others.
fn without_unusable_segments(
    corpus: &Corpus,
    mut candidates: Vec<Candidate>,
    context: &Context<'_>,
    report: &mut Report,
) -> Result<Vec<Candidate>, Error> {
    for Candidate { info, segments, .. } in &mut candidates {
        context.report(READING, 0, 0)?;
        let unusable = corpus.unusable(info.id)?;
        let fault = |frames: &Range<usize>| {
            let is_unusable =
                unusable.iter().any(|range| range.start < frames.end && frames.start < range.end);
            match frames.len() < MIN_SEGMENT_FRAMES {
                true => Some(&codes::SHORT_SEGMENT),
                false => is_unusable.then_some(&codes::UNUSABLE_SEGMENT),
            }
        };
        segments.retain(|segment| {
            let Some(code) = fault(&segment.frames) else { return true };
            let message = format!("segment {:?} of {} was left out", segment.name, info.name);
            report.warn(code, Place::default().frame(segment.frames.start), message);
            false
        });
    }
    candidates.retain(|candidate| !candidate.segments.is_empty());
    Ok(candidates)
}

/// The body that lasts longest in the targets. A target whose skeleton cannot be read is reported when its motion is read.
fn most_common_body(corpus: &Corpus, candidates: &[Candidate]) -> Option<Arc<Skeleton>> {
    let mut tally = BodyTally::default();
    for Candidate { info, target, .. } in candidates {
        if let Ok(skeleton) = corpus.skeleton(info.id, *target) {
            tally.add(&skeleton, info.duration_secs());
        }
    }
    tally.longest().cloned()
}
