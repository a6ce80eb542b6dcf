//! The quality cards of a take.

use marey_motion::{Actor, Observer, PointClip, Take, Terrain};
use marey_plan::{ActorPlan, Meeting, Plan};
use serde::Serialize;

use crate::Result;
use crate::card::{BaselineStatistics, Evidence, KeptPlants, QualityCard, Thresholds};
use crate::hold::{ExpectedHold, hold_error};
use crate::variety::{Coverage, coverage};

/// The data that the actors of a take are measured against. Everything is optional.
#[derive(Debug, Clone, Default)]
pub struct TakeEvidence {
    /// How many contacts of its sources each actor keeps; empty if the take was not made from sources.
    pub plants: Vec<KeptPlants>,
    /// Height of the floor, in metres; detected if `None`.
    pub floor_m: Option<f32>,
    /// Uneven ground, if there is no level floor.
    pub terrain: Option<Terrain>,
    /// The motion that the take should resemble, actor by actor; its first actor stands for those that it lacks.
    pub reference: Option<Take>,
    /// The path that the actors should follow.
    pub path: Option<PointClip>,
    /// Statistics of the examples of each actor; the last ones count for further actors.
    pub examples: Vec<BaselineStatistics>,
    /// Hands that should hold each other.
    pub holds: Vec<ExpectedHold>,
    /// The first frames of pieces that were joined to the previous one, actor by actor.
    pub joins: Vec<Vec<usize>>,
    /// The share of the examples that was used.
    pub coverage: Option<Coverage>,
}

impl TakeEvidence {
    /// The same with the joins and the holds of the plan that the take was made from.
    pub fn with_plan(mut self, plan: &Plan) -> Self {
        let starts = |actor: &ActorPlan| actor.placements.iter().skip(1).map(|piece| piece.start).collect();
        self.joins = plan.actors.iter().map(starts).collect();
        self.holds.extend(plan.meetings.iter().map(|meeting: &Meeting| ExpectedHold {
            one: (meeting.one.actor, meeting.one.role),
            other: (meeting.other.actor, meeting.other.role),
            frames: meeting.start..meeting.end,
            gap_m: meeting.gap_m,
        }));
        self
    }

    /// Measures one actor of a take.
    fn card(
        &self,
        take: &Take,
        number: usize,
        actor: &Actor,
        thresholds: &Thresholds,
        observer: Observer<'_>,
    ) -> Result<QualityCard> {
        let floor_m = self.floor_m.unwrap_or_else(|| marey_ops::floor::estimate(&actor.clip).height_m);
        let is_own = |hold: &&ExpectedHold| hold.one.0 == number || hold.other.0 == number;
        let holds: Vec<ExpectedHold> = self.holds.iter().filter(is_own).cloned().collect();
        let holds = if holds.is_empty() { None } else { Some(hold_error(take, &holds)?) };
        let reference = self.reference.as_ref();
        let evidence = Evidence {
            terrain: self.terrain.as_ref(),
            reference: reference
                .map(|take| take.actors().get(number).map_or(take.first(), |actor| &actor.clip)),
            path: self.path.as_ref(),
            examples: self.examples.get(number).or(self.examples.last()),
            joins: self.joins.get(number).map_or(&[], Vec::as_slice),
            holds: holds.as_ref(),
            coverage: self.coverage.as_ref(),
            plants: self.plants.get(number).copied(),
            ..Evidence::on_floor(floor_m)
        };
        QualityCard::of_observed(&actor.clip, &evidence, thresholds, observer)
    }
}

/// The quality card of one actor.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ActorCard {
    /// Name of the take.
    pub take: String,
    /// Name of the actor.
    pub actor: String,
    /// Whether every checked measure is within its threshold.
    pub passed: bool,
    /// The measures.
    #[serde(flatten)]
    pub card: QualityCard,
}

/// Measures every actor of a take.
pub fn judge(take: &Take, evidence: &TakeEvidence, thresholds: &Thresholds) -> Result<Vec<ActorCard>> {
    judge_observed(take, evidence, thresholds, Observer::ignore())
}

/// [`judge`], which can be cancelled by an observer.
pub fn judge_observed(
    take: &Take,
    evidence: &TakeEvidence,
    thresholds: &Thresholds,
    observer: Observer<'_>,
) -> Result<Vec<ActorCard>> {
    let judge_actor = |(number, actor): (usize, &Actor)| {
        let card = evidence.card(take, number, actor, thresholds, observer)?;
        let (take, actor, passed) = (take.name().to_owned(), actor.name.clone(), card.is_ok());
        Ok(ActorCard { take, actor, passed, card })
    };
    take.actors().iter().enumerate().map(judge_actor).collect()
}

/// The share of examples that a plan uses. `names` lists the names by which a plan can refer to each example.
pub fn plan_coverage(plan: &Plan, names: &[Vec<String>]) -> Coverage {
    let placements = plan.actors.iter().flat_map(|actor| &actor.placements);
    let uses =
        placements.filter_map(|piece| names.iter().position(|names| names.contains(&piece.source.take)));
    coverage(uses, names.len())
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use marey_examples::walk::{WalkSettings, walk};
    use marey_motion::{Coded, Progress};

    use super::*;

    #[test]
    fn each_actor_is_judged_with_its_own_plants() {
        let example =
            walk(&WalkSettings { duration_secs: 6.0, rate_hz: 30.0, ..WalkSettings::default() }).unwrap();
        let clip = example.take.first();
        let actors = ["one", "other"].map(|name| Actor { name: name.into(), clip: clip.clone() });
        let take = Take::new("walks", actors.to_vec()).unwrap();
        let plants = vec![KeptPlants { contacts: 40, let_go: 0 }, KeptPlants { contacts: 40, let_go: 4 }];
        let evidence = TakeEvidence { plants, ..TakeEvidence::default() };
        let cards = judge(&take, &evidence, &Thresholds::default()).unwrap();
        let passed: Vec<(&str, bool)> = cards.iter().map(|card| (card.actor.as_str(), card.passed)).collect();
        assert_eq!(passed, [("one", true), ("other", false)]);
    }

    #[test]
    fn judging_stops() {
        let settings = WalkSettings { duration_secs: 6.0, rate_hz: 30.0, ..WalkSettings::default() };
        let take = walk(&settings).unwrap().take;
        let evidence = TakeEvidence { reference: Some(take.clone()), ..TakeEvidence::default() };
        let cancelled_at = |at: usize| {
            let reports = AtomicUsize::new(0);
            let observe = |_: Progress| match reports.fetch_add(1, Ordering::Relaxed) < at {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            };
            let cards = judge_observed(&take, &evidence, &Thresholds::default(), Observer::new(&observe));
            (cards, reports.into_inner())
        };
        let (cards, total) = cancelled_at(usize::MAX);
        cards.unwrap();
        // Each spectrum is computed between two looks, and most other measures.
        assert!(total > 2 * 4 * take.first().skeleton().len(), "{total}");
        for at in (0..total).step_by(7) {
            let (cards, reports) = cancelled_at(at);
            assert_eq!(cards.unwrap_err().code().id, "ops/cancelled", "at {at} of {total}");
            assert_eq!(reports, at + 1, "it goes on");
        }
    }
}
