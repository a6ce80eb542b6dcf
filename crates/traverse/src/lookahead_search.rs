//! Lookahead search: which primitive to use next.
//!
//! Question 6 of Lamouret and van de Panne (1996, section 2), which their prototype leaves open: it always takes the
//! best next hop. Here every decision finds the cheapest sequence of `lookahead` hops, or of as many as reach the goal,
//! and takes its first hop. Most dead ends are known beforehand from lengths and heights ([`crate::reachability`]). If
//! the search still runs into one, it restarts on footings that are known to lead to the goal
//! ([`crate::goal_reachability`]). Question 5 asks which of several good examples to use: the seed picks among the first
//! hops whose sequences cost about as much as the best one.
//!
//! The cost of the best sequence from a node does not depend on how the node was reached:
//!
//! ```text
//! V₀ = 0        Vₙ(node) = min over hops (cost(hop) + Vₙ₋₁(node after the hop))
//! ```
//!
//! It is therefore computed once for all decisions, cheapest hops first, with branch and bound: a sequence that exceeds
//! the best known one is abandoned, and its lower bound is stored. The remaining hops cost at least as much as they
//! would on ideal terrain ([`crate::cost_bound`]).

use marey_motion::Observer;
use rand::{Rng, RngExt};

use crate::cost_bound::CostBound;
use crate::goal_reachability::GoalReachability;
use crate::hop::Hop;
use crate::search_nodes::{SearchEffort, SearchNodes};
use crate::{Footings, PrimitiveDatabase, Result, TraverseError, TraverseSettings};

/// Maximum number of hops of a crossing.
const MAX_HOPS: usize = 20_000;
/// Number of expansions after which cancellation is checked.
const CHECKED_EVERY: usize = 256;
/// Relative rounding error of sums of costs.
const ROUNDING: f64 = 1e-12;

/// A hop that was chosen, and its alternatives.
#[derive(Debug, Clone)]
pub(crate) struct Decision {
    pub(crate) hop: Hop,
    /// All candidates, best first; empty unless the caller asked for them.
    pub(crate) candidates: Vec<Hop>,
}

/// The cost of a sequence of hops, or a lower bound of it.
#[derive(Debug, Clone, Copy, PartialEq)]
struct SequenceCost {
    cost: f64,
    is_exact: bool,
}

/// A search over one terrain.
pub(crate) struct LookaheadSearch<'a> {
    settings: &'a TraverseSettings,
    nodes: SearchNodes<'a>,
    goal_m: f32,
    bound: CostBound,
    /// The known Vₙ of each node, for n from 1.
    values: Vec<SequenceCost>,
    observer: Observer<'a>,
    /// Whether the observer has cancelled the search.
    is_cancelled: bool,
    /// Remaining expansions for this decision.
    expansions_left: usize,
}

impl<'a> LookaheadSearch<'a> {
    /// Creates a search on footings that lead to the goal, certainly so if `goal_reachability` is given.
    pub(crate) fn new(
        database: &'a PrimitiveDatabase,
        footings: &'a Footings,
        user_costs: &'a [f32],
        goal_m: f32,
        goal_reachability: Option<&'a GoalReachability>,
    ) -> Self {
        let settings = database.settings();
        let nodes = SearchNodes::new(database, footings, user_costs, goal_m, goal_reachability);
        let bound = CostBound::new(database, user_costs, settings.lookahead.max(1));
        let observer = Observer::ignore();
        Self {
            settings,
            nodes,
            goal_m,
            bound,
            values: Vec::new(),
            expansions_left: 0,
            observer,
            is_cancelled: false,
        }
    }

    /// The same search, cancelled by an observer.
    pub(crate) fn observed_by(self, observer: Observer<'a>) -> Self {
        Self { observer, ..self }
    }

    /// All decisions from a footing to the goal.
    pub(crate) fn cross(
        &mut self,
        start: usize,
        rng: &mut impl Rng,
        with_candidates: bool,
    ) -> Result<Vec<Decision>> {
        let mut decisions: Vec<Decision> = Vec::new();
        let start = self.nodes.node(start, None);
        let mut farthest = (start, 0);
        loop {
            let last = decisions.last().map(|decision| decision.hop.fit);
            let node = last.map_or(start, |fit| self.nodes.node(fit.footing, Some(fit.primitive)));
            if self.nodes.is_goal(node) {
                return Ok(decisions);
            }
            if self.nodes.footing(node).position.x > self.nodes.footing(farthest.0).position.x {
                farthest = (node, decisions.len());
            }
            self.is_cancelled |= self.observer.report("planning", decisions.len(), 0).is_break();
            let mut hops = if decisions.len() < MAX_HOPS { self.decide(node) } else { Vec::new() };
            if self.is_cancelled {
                return Err(TraverseError::Cancelled { hops: decisions.len() });
            }
            if hops.is_empty() && self.nodes.is_exact() {
                hops = self.cheapest_open_hop(node);
            }
            if hops.is_empty() {
                let along_m = self.nodes.footing(farthest.0).position.x;
                return Err(TraverseError::Stuck { along_m, hops: farthest.1 });
            }
            let hop = hops[if hops.len() > 1 { rng.random_range(0..hops.len()) } else { 0 }];
            let candidates = if with_candidates { self.hops(node) } else { Vec::new() };
            decisions.push(Decision { hop, candidates });
        }
    }

    /// Effort so far.
    pub(crate) fn effort(&self) -> SearchEffort {
        self.nodes.effort
    }

    /// All possible hops from a node, cheapest first.
    fn hops(&mut self, node: u32) -> Vec<Hop> {
        let mut hops = Vec::new();
        while let Some(hop) = self.nodes.nth(node, hops.len(), f64::INFINITY) {
            hops.push(self.nodes.hop(node, hop));
        }
        hops.retain(|hop| hop.lift.is_finite());
        hops.sort_by(|a, b| a.total().total_cmp(&b.total()).then(a.fit.primitive.cmp(&b.fit.primitive)));
        hops
    }

    /// The cheapest hop from a node where all sequences within the candidate limit end. If the exact reachability is
    /// known, there is one.
    fn cheapest_open_hop(&mut self, node: u32) -> Vec<Hop> {
        self.nodes.query_all(node);
        let mut hops = self.hops(node);
        hops.truncate(1);
        hops
    }

    /// The first hops of the sequences that cost about as much as the cheapest one; cheapest first.
    fn decide(&mut self, node: u32) -> Vec<Hop> {
        let remaining = self.settings.lookahead.max(1) - 1;
        self.expansions_left = self.settings.max_expansions;
        let mut sequences: Vec<(f64, Hop)> = Vec::new();
        let mut threshold = f64::INFINITY;
        let mut rank = 0;
        while let Some(index) = self.nodes.nth(node, rank, threshold) {
            rank += 1;
            let bound = self.nodes.fit(index).total() + self.bound_after(index, remaining);
            if bound > with_rounding(threshold) {
                continue;
            }
            let hop = self.nodes.hop(node, index);
            if hop.total() > threshold || hop.lift.is_infinite() {
                continue;
            }
            let next = self.nodes.next(index);
            let rest = self.value(next, remaining, with_rounding(threshold) - hop.total());
            let cost = hop.total() + rest.cost;
            if cost <= threshold && cost.is_finite() {
                sequences.push((cost, hop));
                threshold = threshold.min(cost * (1.0 + self.settings.variety));
            }
        }
        sequences.retain(|sequence| sequence.0 <= threshold);
        sequences.sort_by(|a, b| a.0.total_cmp(&b.0));
        sequences.into_iter().map(|sequence| sequence.1).collect()
    }

    /// Vₙ of a node: exact if it is at most `max_cost`, otherwise a lower bound. Beyond
    /// [`TraverseSettings::max_expansions`], unexpanded nodes count with their lower bound.
    fn value(&mut self, node: u32, hops: usize, max_cost: f64) -> SequenceCost {
        if hops == 0 || self.nodes.is_goal(node) {
            return SequenceCost { cost: 0.0, is_exact: true };
        }
        let known = self.known_value(node, hops);
        if known.is_exact || known.cost > max_cost || self.expansions_left == 0 {
            return known;
        }
        self.expansions_left -= 1;
        if self.expansions_left.is_multiple_of(CHECKED_EVERY)
            && self.observer.report("planning", 0, 0).is_break()
        {
            self.is_cancelled = true;
            self.expansions_left = 0;
        }
        let mut best = SequenceCost { cost: f64::INFINITY, is_exact: true };
        // Lower bound of everything after any hop from this node.
        let after_any_m = self.to_goal_m(node) - self.bound.max_reach_m();
        let after_any = self.bound.lower_bound(None, hops - 1, after_any_m);
        let mut rank = 0;
        while let Some(index) = self.nodes.nth(node, rank, with_rounding(max_cost.min(best.cost)) - after_any)
        {
            rank += 1;
            let threshold = with_rounding(max_cost.min(best.cost));
            let bound = self.bound_after(index, hops - 1);
            let mut cost = SequenceCost { cost: self.nodes.fit(index).total() + bound, is_exact: false };
            if cost.cost <= threshold {
                let total = self.nodes.hop(node, index).total();
                cost.cost = total + bound;
                if cost.cost <= threshold {
                    let next = if hops > 1 { self.nodes.next(index) } else { node };
                    let rest = self.value(next, hops - 1, threshold - total);
                    cost = SequenceCost { cost: total + rest.cost, is_exact: rest.is_exact };
                }
            }
            if cost.cost < best.cost {
                best = cost;
            }
        }
        let unexplored = self.nodes.bound_from(node, rank) + after_any;
        if unexplored < best.cost {
            best = SequenceCost { cost: unexplored.max(known.cost), is_exact: false };
        }
        let depth = self.settings.lookahead.max(1);
        self.values[node as usize * depth + hops - 1] = best;
        best
    }

    /// The known bounds of Vₙ.
    fn known_value(&mut self, node: u32, hops: usize) -> SequenceCost {
        let depth = self.settings.lookahead.max(1);
        let unknown = SequenceCost { cost: 0.0, is_exact: false };
        self.values.resize(self.nodes.len() * depth, unknown);
        let values = &self.values[node as usize * depth..][..hops];
        let value = values[hops - 1];
        if value.is_exact {
            return value;
        }
        // A longer sequence costs at least as much as a shorter one.
        let shorter = values.iter().map(|value| value.cost).fold(0.0, f64::max);
        let bound = self.bound.lower_bound(self.nodes.after(node), hops, self.to_goal_m(node));
        SequenceCost { cost: shorter.max(bound), is_exact: false }
    }

    /// Lower bound of the cost of `hops` more hops after a hop, or of as many as reach the goal.
    fn bound_after(&self, hop: usize, hops: usize) -> f64 {
        let fit = self.nodes.fit(hop);
        let to_goal_m = self.goal_m - self.nodes.landing(fit).position.x;
        self.bound.lower_bound(Some(fit.primitive), hops, to_goal_m)
    }

    /// Distance to the goal, in metres.
    fn to_goal_m(&self, node: u32) -> f32 {
        self.goal_m - self.nodes.footing(node).position.x
    }
}

/// A threshold that allows for the rounding of sums.
fn with_rounding(threshold: f64) -> f64 {
    threshold + ROUNDING * threshold
}

#[cfg(test)]
mod tests {
    use std::sync::OnceLock;

    use marey_examples::luxo::{self, LuxoSettings};
    use marey_plan::SourceRef;

    use super::*;
    use crate::{TraverseExample, TraversePreferences};

    fn database(settings: &TraverseSettings) -> PrimitiveDatabase {
        static CROSSING: OnceLock<luxo::Crossing> = OnceLock::new();
        let crossing = CROSSING
            .get_or_init(|| luxo::luxo(&LuxoSettings { seed: 1, ..LuxoSettings::default() }).unwrap());
        let example = TraverseExample {
            source: SourceRef { take: "luxo".into(), actor: 0 },
            clip: crossing.example.take.first().clone(),
            contacts: crossing.example.truth.contacts().cloned().unwrap_or_default(),
            tags: crossing.example.truth.labels().to_vec(),
            unusable: Vec::new(),
        };
        PrimitiveDatabase::new(vec![example], settings).unwrap()
    }

    /// The reference: evaluates every sequence of hops anew for each decision.
    struct ExhaustiveSearch<'a> {
        database: &'a PrimitiveDatabase,
        footings: &'a Footings,
        user_costs: &'a [f32],
        goal_m: f32,
    }

    impl ExhaustiveSearch<'_> {
        fn hops(&self, footing: usize, after: Option<usize>) -> Vec<Hop> {
            let query = self.database.fit_query(self.footings, self.user_costs, footing, after);
            let lifted = self.database.index().scan(&query).fits.into_iter().filter_map(|fit| {
                let ends = [footing, fit.footing].map(|end| &self.footings.all()[end]);
                let lift = self.database.lift_cost(self.footings, ends, fit.primitive);
                lift.is_finite().then_some(Hop { fit, lift })
            });
            lifted.collect()
        }

        fn value(&self, footing: usize, after: Option<usize>, hops: usize) -> f64 {
            if hops == 0 || self.footings.all()[footing].position.x >= self.goal_m {
                return 0.0;
            }
            let costs = self
                .hops(footing, after)
                .into_iter()
                .map(|hop| hop.total() + self.value(hop.fit.footing, Some(hop.fit.primitive), hops - 1));
            costs.fold(f64::INFINITY, f64::min)
        }

        fn decide(&self, footing: usize, after: Option<usize>, lookahead: usize) -> Vec<Hop> {
            let sequences = self.hops(footing, after).into_iter().map(|hop| {
                (hop.total() + self.value(hop.fit.footing, Some(hop.fit.primitive), lookahead - 1), hop)
            });
            let mut sequences: Vec<(f64, Hop)> =
                sequences.filter(|sequence| sequence.0.is_finite()).collect();
            sequences.sort_by(|a, b| a.0.total_cmp(&b.0));
            let variety = self.database.settings().variety;
            let threshold = sequences.first().map_or(0.0, |sequence| sequence.0 * (1.0 + variety));
            sequences
                .into_iter()
                .filter(|sequence| sequence.0 <= threshold)
                .map(|sequence| sequence.1)
                .collect()
        }
    }

    #[test]
    fn memoised_search_equals_exhaustive_search() {
        for (lookahead, text) in [(1, ""), (3, ""), (3, "length=short"), (2, "length=0.3")] {
            let settings =
                TraverseSettings { lookahead, candidates: 4, variety: 0.3, ..TraverseSettings::default() };
            let database = database(&settings);
            let preferences: TraversePreferences =
                if text.is_empty() { TraversePreferences::default() } else { text.parse().unwrap() };
            let user_costs = preferences.costs(database.primitives());
            for seed in 30..32 {
                let ground = LuxoSettings { seed, length_m: 1.2, ..LuxoSettings::default() };
                let footings = database.footings(&luxo::terrain(&ground).unwrap());
                let goal_m = footings.all()[footings.all().len() - 1].position.x - 0.5;
                let reference = ExhaustiveSearch {
                    database: &database,
                    footings: &footings,
                    user_costs: &user_costs,
                    goal_m,
                };
                let mut search = LookaheadSearch::new(&database, &footings, &user_costs, goal_m, None);
                let (mut footing, mut after, mut decisions) = (20, None, 0);
                while footings.all()[footing].position.x < goal_m {
                    let node = search.nodes.node(footing, after);
                    let hops = search.decide(node);
                    assert_eq!(
                        hops,
                        reference.decide(footing, after, lookahead),
                        "seed {seed}, lookahead {lookahead}"
                    );
                    // Alternate between the best and the worst of the equally good hops.
                    let next = if decisions % 2 == 0 { hops.first() } else { hops.last() };
                    let Some(hop) = next else { break };
                    (footing, after) = (hop.fit.footing, Some(hop.fit.primitive));
                    decisions += 1;
                }
                assert!(decisions > 3);
            }
        }
    }
}
