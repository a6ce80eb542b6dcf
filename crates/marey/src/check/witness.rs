//! What clips are judged by, read once.

use std::path::{Path, PathBuf};

use super::usual::Usual;
use crate::Error;
use crate::codes;
#[cfg(feature = "examples")]
use crate::examples::Truth;
use crate::inputs;
use crate::measure::card::{BaselineStatistics, Evidence};
use crate::measure::hold::{ExpectedHold, HoldDeviation, hold_error};
use crate::measure::variety::Coverage;
use crate::motion::{Clip, Contacts, PointClip, Take, Terrain};
use crate::ops::contacts::DetectedContacts;
use crate::plan::Plan;

/// What there is to judge by, by the names of files.
#[derive(Debug, Clone, Default)]
pub struct Named<'a> {
    /// A motion that the clips should be like, of the same rate and length; or a corpus, which shows what is usual.
    pub against: Option<&'a Path>,
    /// A path that the clips should follow.
    pub path: Option<&'a Path>,
    /// Motion files or corpora that show what is usual.
    pub examples: &'a [PathBuf],
    /// The plan that the clips were made by.
    pub plan: Option<Plan>,
    /// When feet stand and hands hold.
    #[cfg(feature = "examples")]
    pub truth: Option<&'a Path>,
    /// The ground, where it is not a level floor.
    pub terrain: Option<&'a Path>,
}

/// Everything that clips are judged by.
#[derive(Debug, Default)]
pub struct Witness {
    reference: Option<Take>,
    path: Option<PointClip>,
    habits: Option<BaselineStatistics>,
    #[cfg(feature = "examples")]
    truth: Option<Truth>,
    terrain: Option<Terrain>,
    plan: Option<Plan>,
    /// The frames at which pieces are joined, actor by actor.
    joins: Vec<Vec<usize>>,
    coverage: Option<Coverage>,
}

impl Witness {
    /// Reads what was named.
    pub fn gather(named: &Named<'_>) -> Result<Self, Error> {
        let corpus = named.against.filter(|path| Usual::is_corpus(path));
        let reference = named.against.filter(|_| corpus.is_none());
        let usual = Usual::gather(named.examples, corpus)?;
        Ok(Self {
            reference: reference.map(inputs::take).transpose()?,
            path: named.path.map(inputs::points).transpose()?,
            #[cfg(feature = "examples")]
            truth: named.truth.map(|path| inputs::json(path, &codes::NOT_A_TRUTH)).transpose()?,
            terrain: named.terrain.map(inputs::terrain).transpose()?,
            joins: named.plan.as_ref().map(joins).unwrap_or_default(),
            coverage: named.plan.as_ref().and_then(|plan| usual.as_ref()?.coverage(plan)),
            habits: usual.map(|usual| usual.habits),
            plan: named.plan.clone(),
        })
    }

    /// What one actor of a take is judged by; `holds` is what [`Witness::holds_of`] says of it.
    pub(super) fn evidence<'a>(
        &'a self,
        actor: usize,
        clip: &Clip,
        found: &'a DetectedContacts,
        holds: Option<&'a HoldDeviation>,
    ) -> Result<Evidence<'a>, Error> {
        let annotated = self.annotated_contacts(actor, clip)?;
        if let Some(plan) = self.plan.as_ref().filter(|plan| plan.frames() != clip.frames()) {
            let message = format!("{} frames, but the plan has {}", clip.frames(), plan.frames());
            return Err(Error::new(&codes::OTHER_PLAN, message));
        }
        let reference = self.reference.as_ref();
        Ok(Evidence {
            terrain: self.terrain.as_ref(),
            reference: reference
                .map(|take| take.actors().get(actor).map_or(take.first(), |actor| &actor.clip)),
            path: self.path.as_ref(),
            examples: self.habits.as_ref(),
            joins: self.joins.get(actor).map_or(&[], Vec::as_slice),
            holds,
            coverage: self.coverage.as_ref(),
            ..Evidence::of_feet(annotated.unwrap_or(&found.contacts), found.floor.height_m)
        })
    }

    /// The contacts that the truth states for an actor.
    #[cfg(feature = "examples")]
    fn annotated_contacts(&self, actor: usize, clip: &Clip) -> Result<Option<&Contacts>, Error> {
        let Some(truth) = &self.truth else { return Ok(None) };
        if truth.frames() != clip.frames() {
            let message = format!("{} frames, but the truth has {}", clip.frames(), truth.frames());
            return Err(Error::new(&codes::OTHER_TRUTH, message));
        }
        Ok(truth.actors().get(actor).map(|actor| &actor.contacts))
    }

    #[cfg(not(feature = "examples"))]
    fn annotated_contacts(&self, _: usize, _: &Clip) -> Result<Option<&Contacts>, Error> {
        Ok(None)
    }

    /// How well an actor's hands keep the holds that the truth or the plan speaks of; `None` where they speak of none.
    pub(super) fn holds_of(&self, take: &Take, actor: usize) -> Result<Option<HoldDeviation>, Error> {
        #[cfg_attr(not(feature = "examples"), expect(unused_mut, reason = "only a truth adds holds"))]
        let mut holds = self.plan.as_ref().map(holds_in).unwrap_or_default();
        #[cfg(feature = "examples")]
        holds.extend(self.truth.iter().flat_map(|truth| truth.holds()).map(|hold| ExpectedHold {
            one: (hold.one.actor, hold.one.role),
            other: (hold.other.actor, hold.other.role),
            frames: hold.frames.clone(),
            gap_m: hold.gap_m,
        }));
        holds_of(take, actor, &holds)
    }
}

/// How well the hands of an actor keep their holds; `None` where it has none.
pub(crate) fn holds_of(
    take: &Take,
    actor: usize,
    holds: &[ExpectedHold],
) -> Result<Option<HoldDeviation>, Error> {
    let own = holds.iter().filter(|hold| hold.one.0 == actor || hold.other.0 == actor);
    let own: Vec<ExpectedHold> = own.cloned().collect();
    Ok(if own.is_empty() { None } else { Some(hold_error(take, &own)?) })
}

/// The meetings of a plan, as what is measured.
pub(crate) fn holds_in(plan: &Plan) -> Vec<ExpectedHold> {
    let hold = |meeting: &crate::plan::Meeting| ExpectedHold {
        one: (meeting.one.actor, meeting.one.role),
        other: (meeting.other.actor, meeting.other.role),
        frames: meeting.start..meeting.end,
        gap_m: meeting.gap_m,
    };
    plan.meetings.iter().map(hold).collect()
}

/// The frames at which pieces of a plan are joined, actor by actor.
pub(crate) fn joins(plan: &Plan) -> Vec<Vec<usize>> {
    let starts = |actor: &crate::plan::ActorPlan| actor.placements.iter().skip(1).map(|p| p.start).collect();
    plan.actors.iter().map(starts).collect()
}
