//! The planner: from a terrain to a plan.

use std::collections::BTreeMap;

use marey_motion::{Ground, Observer, Terrain};
use marey_plan::{ActorPlan, Candidate, Choice, Cost, Placement, Plan, Seed, Trace};

use crate::goal_reachability::GoalReachability;
use crate::hop::Hop;
use crate::lookahead_search::{Decision, LookaheadSearch};
use crate::primitive::Stance;
use crate::reachability::Reachability;
use crate::search_nodes::SearchEffort;
use crate::{CrossingRequest, Footings, MotionPrimitive, PrimitiveDatabase, Result, TraverseError};

/// How long a hopper stands before its first hop, in seconds.
const INITIAL_STAND_SECS: f64 = 0.3;

/// Names of the cost terms in plans and traces.
const STATE: &str = "state";
const GROUND: &str = "ground";
const PREFERENCE: &str = "preference";
const LIFT: &str = "lift";

impl PrimitiveDatabase {
    /// The footings of this character on a terrain.
    pub fn footings(&self, terrain: &Terrain) -> Footings {
        Footings::new(terrain, self.half_sole_m(), self.settings().max_tilt_rad)
    }

    /// Plans a crossing on the footings of the request's terrain. Returns the plan and the effort of the search.
    ///
    /// The same request and seed give the same plan. If a trace is given, every choice is added to it with its
    /// candidates; the plan does not depend on it.
    pub fn plan(
        &self,
        footings: &Footings,
        request: &CrossingRequest,
        seed: Seed,
        trace: Option<&mut Trace>,
    ) -> Result<(Plan, SearchEffort)> {
        self.plan_observed(footings, request, seed, trace, Observer::ignore())
    }

    /// [`PrimitiveDatabase::plan`], which can be cancelled by an observer.
    pub fn plan_observed(
        &self,
        footings: &Footings,
        request: &CrossingRequest,
        seed: Seed,
        trace: Option<&mut Trace>,
        observer: Observer<'_>,
    ) -> Result<(Plan, SearchEffort)> {
        request.validate()?;
        let (reachability, start, goal_m) = self.reachability(footings, request)?;
        reachability.check(footings, &request.terrain, goal_m)?;
        // Without lookahead the search is greedy, as in the paper, and does not avoid dead ends.
        let is_greedy = self.settings().lookahead == 0;
        let user_costs = &request.preferences.costs(self.primitives())[..];
        let with_candidates = trace.is_some();
        let start_in = |subset: &Footings| subset.count_before(footings.all()[start].position.x);
        let mut usable = footings
            .filtered(|footing| is_greedy || footing == start || reachability.can_reach_goal(footing));
        let mut search = LookaheadSearch::new(self, &usable, user_costs, goal_m, None).observed_by(observer);
        let found = search.cross(start_in(&usable), &mut seed.rng(0), with_candidates);
        let (decisions, effort) = match found {
            Err(TraverseError::Stuck { .. }) if !is_greedy => {
                let exact = GoalReachability::new(self, footings, goal_m);
                if !exact.is_open(start, None) {
                    let barrier = exact.barrier(self, footings, start).map(|end| &footings.all()[end]);
                    return Err(TraverseError::unreachable(barrier, &request.terrain));
                }
                usable = footings.filtered(|footing| exact.is_open(footing, None));
                let open = exact.open_footings();
                let search = LookaheadSearch::new(self, &usable, user_costs, goal_m, Some(&open));
                let mut search = search.observed_by(observer);
                let found = search.cross(start_in(&usable), &mut seed.rng(0), with_candidates)?;
                (found, search.effort())
            }
            found => (found?, search.effort()),
        };
        if let Some(trace) = trace {
            let choices = decisions.iter().enumerate();
            trace.choices.extend(choices.map(|(index, decision)| self.choice(index, decision)));
        }
        let plan = self.plan_of(&decisions, &usable, start_in(&usable), seed);
        plan.validate()?;
        Ok((plan, effort))
    }

    /// Whether each footing can be reached, in order, and the error that planning would report for the goal.
    ///
    /// This tests lengths and heights only, so it is much faster than planning. A goal that it considers reachable
    /// may still turn out not to be.
    pub fn reachable_footings(
        &self,
        footings: &Footings,
        request: &CrossingRequest,
    ) -> Result<(Vec<bool>, Option<TraverseError>)> {
        request.validate()?;
        let (reachability, _, goal_m) = self.reachability(footings, request)?;
        let reachable = (0..footings.all().len()).map(|footing| reachability.is_reachable(footing));
        Ok((reachable.collect(), reachability.check(footings, &request.terrain, goal_m).err()))
    }

    /// Reachability between start and goal, the footing to start at, and the goal's position.
    fn reachability(
        &self,
        footings: &Footings,
        request: &CrossingRequest,
    ) -> Result<(Reachability, usize, f32)> {
        let (start, goal_m) = self.start_and_goal(footings, request)?;
        let displacements = self.primitives().iter().map(MotionPrimitive::displacement);
        let max_shift_m = self.settings().max_shift_m;
        Ok((Reachability::new(footings, displacements, max_shift_m, start, goal_m), start, goal_m))
    }

    fn start_and_goal(&self, footings: &Footings, request: &CrossingRequest) -> Result<(usize, f32)> {
        let (from_m, to_m) = (request.terrain.start_m(), request.terrain.end_m());
        let all = footings.all();
        let start_m = request.start_m.unwrap_or(from_m.max(0.0));
        let start = all.partition_point(|footing| footing.position.x < start_m - 1e-4);
        let no_footing = |relation, along_m| TraverseError::NoFooting { relation, along_m, from_m, to_m };
        let last = all.last().filter(|_| start < all.len()).ok_or(no_footing("at or beyond", start_m))?;
        let default_m = (last.position.x - self.max_length_m()).max(all[start].position.x);
        let goal_m = request.goal_m.unwrap_or(default_m);
        if last.position.x < goal_m {
            return Err(no_footing("at or beyond", goal_m));
        }
        Ok((start, goal_m))
    }

    fn plan_of(&self, decisions: &[Decision], footings: &Footings, start: usize, seed: Seed) -> Plan {
        let mut parts = BTreeMap::new();
        for decision in decisions {
            for (name, cost) in cost_terms(&decision.hop) {
                *parts.entry(name.to_owned()).or_insert(0.0) += cost;
            }
        }
        let total = decisions.iter().map(|decision| decision.hop.total()).sum();
        let placements = self.placements(decisions, footings, start);
        let actors = vec![ActorPlan { name: "traveller".into(), placements }];
        Plan { seed, cost: Cost { total, parts }, ..Plan::new(self.rate_hz(), actors) }
    }

    /// One placement per decision. For a hopper, a placement in which it stands comes first.
    fn placements(&self, decisions: &[Decision], footings: &Footings, start: usize) -> Vec<Placement> {
        // Rotates the example to move along +Z and puts its sole at a position along the terrain.
        let world_from_source =
            |along_m: f32, stance: &Stance| Ground::new(0.0, along_m, 0.0) * stance.heading.inverse();
        let mut placements: Vec<Placement> = Vec::new();
        for (index, decision) in decisions.iter().enumerate() {
            let fit = decision.hop.fit;
            let primitive = &self.primitives()[fit.primitive];
            let source = &self.examples()[primitive.example].source;
            // A walker is already in motion when its first stride begins.
            if index == 0 && primitive.foot.is_none() {
                placements.push(Placement {
                    source: source.clone(),
                    source_start: primitive.frames.start,
                    source_end: primitive.frames.start + 1,
                    start: 0,
                    frames: (INITIAL_STAND_SECS * self.rate_hz()).round().max(1.0) as usize,
                    key_times: vec![],
                    world_from_source: world_from_source(footings.all()[start].position.x, &primitive.from),
                    mirrored: false,
                });
            }
            let landing_m = footings.all()[fit.footing].position.x;
            placements.push(Placement {
                source: source.clone(),
                source_start: primitive.frames.start,
                source_end: primitive.frames.end,
                start: placements.last().map_or(0, Placement::end),
                frames: primitive.frames.len(),
                key_times: vec![],
                world_from_source: world_from_source(landing_m, &primitive.to),
                mirrored: false,
            });
        }
        placements
    }

    fn choice(&self, index: usize, decision: &Decision) -> Choice {
        let candidate = |hop: &Hop| {
            let primitive = &self.primitives()[hop.fit.primitive];
            Candidate {
                source: self.examples()[primitive.example].source.clone(),
                from_frame: primitive.frames.start,
                label: String::new(),
                cost: cost_terms(hop).map(|(name, cost)| (name.to_owned(), cost)).into(),
            }
        };
        // A hopper's plan begins with a placement in which it stands, which is not a choice.
        let stand_placements = usize::from(self.primitives()[decision.hop.fit.primitive].foot.is_none());
        let taken = decision.candidates.iter().position(|hop| *hop == decision.hop).unwrap_or(0);
        Choice {
            actor: 0,
            placement: index + stand_placements,
            taken,
            candidates: decision.candidates.iter().map(candidate).collect(),
        }
    }
}

fn cost_terms(hop: &Hop) -> [(&'static str, f64); 4] {
    [(STATE, hop.fit.state), (GROUND, hop.fit.env), (PREFERENCE, hop.fit.user), (LIFT, hop.lift)]
}
