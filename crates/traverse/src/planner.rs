//! The planner: from a terrain to a plan.

use std::collections::BTreeMap;

use marey_motion::{Ground, Observer, Terrain};
use marey_plan::{ActorPlan, Candidate, Choice, Cost, Placement, Plan, Seed, Trace};

use crate::footing::RefusedStride;
use crate::goal_reachability::GoalReachability;
use crate::hop::Hop;
use crate::lookahead_search::{Decision, LookaheadSearch};
use crate::primitive::Stance;
use crate::primitive_database::Locomotion;
use crate::reachability::Reachability;
use crate::search_nodes::SearchEffort;
use crate::standing::{Ease, StandingFrame, ease};
use crate::{
    CrossingRequest, Footings, MotionPrimitive, PrimitiveDatabase, Result, StartState, TraverseError,
};

/// How long the character stands before it moves, and a walker afterwards, in seconds.
const STAND_SECS: f64 = 0.3;
/// How often a crossing is planned again without the strides that strain the body.
const MAX_ATTEMPTS: usize = 24;

/// Names of the cost terms in plans and traces.
const STATE: &str = "state";
const GROUND: &str = "ground";
const PREFERENCE: &str = "preference";
const LIFT: &str = "lift";

impl PrimitiveDatabase {
    /// The footings of this character on a terrain.
    pub fn footings(&self, terrain: &Terrain) -> Footings {
        let (half_sole_m, max_tilt_rad) = (self.half_sole_m(), self.settings().max_tilt_rad);
        match self.locomotion() {
            Locomotion::Hopping(_) => Footings::new(terrain, half_sole_m, max_tilt_rad),
            Locomotion::Walking(_) => Footings::of_shoes(terrain, half_sole_m, max_tilt_rad),
        }
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
        mut trace: Option<&mut Trace>,
        observer: Observer<'_>,
    ) -> Result<(Plan, SearchEffort)> {
        request.validate()?;
        let mut refused: Vec<RefusedStride> = Vec::new();
        // The error of the attempt that came farthest.
        let mut farthest: Option<(f32, TraverseError)> = None;
        for _ in 0..MAX_ATTEMPTS {
            let footings = footings.refusing(&refused);
            let crossing = match self.search(&footings, request, seed, trace.is_some(), observer) {
                // Without the refused strides there is no way: what refused them is the reason.
                Err(TraverseError::Unreachable { .. } | TraverseError::Stuck { .. })
                    if farthest.is_some() =>
                {
                    break;
                }
                crossing => crossing?,
            };
            let plan = self.plan_of(&crossing, seed);
            plan.validate()?;
            let strained = self.strained_strides(&plan, &footings, &request.path, observer)?;
            if let Some(worst) = strained.first() {
                let along_m = worst.stride.ends_m[1];
                if farthest.as_ref().is_none_or(|(other_m, _)| along_m > *other_m) {
                    farthest = Some((along_m, worst.error.clone()));
                }
                refused.extend(strained.into_iter().map(|strained| strained.stride));
                continue;
            }
            if let Some(trace) = &mut trace {
                let choices = crossing.decisions.iter().enumerate();
                trace.choices.extend(choices.map(|(index, decision)| self.choice(index, decision)));
            }
            return Ok((plan, crossing.effort));
        }
        Err(farthest.map_or(TraverseError::Stuck { along_m: 0.0, hops: 0 }, |(_, error)| error))
    }

    /// The cheapest decisions from start to goal.
    fn search(
        &self,
        footings: &Footings,
        request: &CrossingRequest,
        seed: Seed,
        with_candidates: bool,
        observer: Observer<'_>,
    ) -> Result<PlannedCrossing> {
        let (reachability, start, goal_m) = self.reachability(footings, request)?;
        reachability.check(self, footings, &request.terrain, goal_m)?;
        // Without lookahead the search is greedy, as in the paper, and does not avoid dead ends.
        let is_greedy = self.settings().lookahead == 0;
        let user_costs = &request.preferences.costs(self.primitives())[..];
        let start_in = |subset: &Footings| subset.count_before(footings.all()[start].position.x);
        let usable = footings
            .filtered(|footing| is_greedy || footing == start || reachability.can_reach_goal(footing));
        let mut search = LookaheadSearch::new(self, &usable, user_costs, goal_m, None).observed_by(observer);
        let found = search.cross(start_in(&usable), &mut seed.rng(0), with_candidates);
        let effort = search.effort();
        match found {
            Err(TraverseError::Stuck { .. }) if !is_greedy => {
                let exact = GoalReachability::new(self, footings, goal_m);
                if !exact.is_open(start, None) {
                    let barrier = exact.barrier(self, footings, start).map(|end| &footings.all()[end]);
                    return Err(TraverseError::unreachable(self, footings, barrier, &request.terrain));
                }
                let usable = footings.filtered(|footing| exact.is_open(footing, None));
                let open = exact.open_footings();
                let search = LookaheadSearch::new(self, &usable, user_costs, goal_m, Some(&open));
                let mut search = search.observed_by(observer);
                let decisions = search.cross(start_in(&usable), &mut seed.rng(0), with_candidates)?;
                let effort = search.effort();
                Ok(PlannedCrossing { decisions, start: start_in(&usable), footings: usable, effort })
            }
            found => {
                let start = start_in(&usable);
                Ok(PlannedCrossing { decisions: found?, start, footings: usable, effort })
            }
        }
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
        Ok((reachable.collect(), reachability.check(self, footings, &request.terrain, goal_m).err()))
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

    fn plan_of(&self, crossing: &PlannedCrossing, seed: Seed) -> Plan {
        let mut parts = BTreeMap::new();
        for decision in &crossing.decisions {
            for (name, cost) in cost_terms(&decision.hop) {
                *parts.entry(name.to_owned()).or_insert(0.0) += cost;
            }
        }
        let total = crossing.decisions.iter().map(|decision| decision.hop.total()).sum();
        let mut placements = self.placements(crossing);
        if let (Locomotion::Walking(_), Some(last)) = (self.locomotion(), crossing.decisions.last()) {
            self.add_start_and_stop(&mut placements, last);
        }
        let actors = vec![ActorPlan { name: "traveller".into(), placements }];
        Plan { seed, cost: Cost { total, parts }, ..Plan::new(self.rate_hz(), actors) }
    }

    /// One placement per decision, after one in which the character stands.
    fn placements(&self, crossing: &PlannedCrossing) -> Vec<Placement> {
        let all = crossing.footings.all();
        let mut placements: Vec<Placement> = Vec::new();
        for decision in &crossing.decisions {
            let fit = decision.hop.fit;
            let primitive = &self.primitives()[fit.primitive];
            if placements.is_empty() {
                placements.push(self.standing_placement(primitive, all[crossing.start].position.x, 0));
            }
            let landing_m = all[fit.footing].position.x;
            let start = placements.last().map_or(0, Placement::end);
            placements.push(self.stride_placement(primitive, landing_m, start));
        }
        placements
    }

    /// A placement in which the character stands, before a primitive.
    fn standing_placement(&self, primitive: &MotionPrimitive, along_m: f32, start: usize) -> Placement {
        let StandingFrame { example, frame, stance } = self.standing_frame(primitive);
        Placement {
            source: self.examples()[example].source.clone(),
            source_start: frame,
            source_end: frame + 1,
            start,
            frames: (STAND_SECS * self.rate_hz()).round().max(1.0) as usize,
            key_times: vec![],
            world_from_source: world_from_source(along_m, &stance),
            mirrored: false,
        }
    }

    /// A placement of a whole primitive that lands at a position along the terrain.
    fn stride_placement(&self, primitive: &MotionPrimitive, landing_m: f32, start: usize) -> Placement {
        Placement {
            source: self.examples()[primitive.example].source.clone(),
            source_start: primitive.frames.start,
            source_end: primitive.frames.end,
            start,
            frames: primitive.frames.len(),
            key_times: vec![],
            world_from_source: world_from_source(landing_m, &primitive.to),
            mirrored: false,
        }
    }

    /// Lets a walk begin and end standing: its first stride speeds up, and a last one slows down and puts the foot beside the other.
    fn add_start_and_stop(&self, placements: &mut Vec<Placement>, last: &Decision) {
        let mut start = 0;
        for (index, placement) in placements.iter_mut().enumerate() {
            placement.start = start;
            if index == 1 {
                ease(placement, Ease::In);
            }
            start = placement.end();
        }
        let after = last.hop.fit.primitive;
        let Some(closing) = self.closing_stride(after) else { return };
        let closing = &self.primitives()[closing];
        let Some(along_m) = placements
            .last()
            .map(|placement| placement.world_from_source.point(self.primitives()[after].to.position).z)
        else {
            return;
        };
        let mut stride = self.stride_placement(closing, along_m, start);
        ease(&mut stride, Ease::Out);
        let standing = self.standing_placement(closing, along_m, stride.end());
        placements.extend([stride, standing]);
    }

    /// The stride of the other foot that starts most like a stride ends.
    fn closing_stride(&self, after: usize) -> Option<usize> {
        let cost = |stride: &usize| match self.state_after(Some(after)) {
            StartState::Distances(distances) => distances.get(*stride).copied().unwrap_or(f32::INFINITY),
            StartState::Row(row) => self.index().state_distance(row, *stride),
            StartState::Any => 0.0,
        };
        let others = (0..self.primitives().len()).filter(|stride| self.may_follow(Some(after), *stride));
        others.min_by(|a, b| cost(a).total_cmp(&cost(b)))
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
        let taken = decision.candidates.iter().position(|hop| *hop == decision.hop).unwrap_or(0);
        Choice {
            actor: 0,
            // The first placement is no choice: there the character stands.
            placement: index + 1,
            taken,
            candidates: decision.candidates.iter().map(candidate).collect(),
        }
    }
}

/// The decisions of a search on some footings.
struct PlannedCrossing {
    decisions: Vec<Decision>,
    footings: Footings,
    /// The footing to start at.
    start: usize,
    effort: SearchEffort,
}

/// Rotates an example to move along +Z and puts its sole at a position along the terrain.
fn world_from_source(along_m: f32, stance: &Stance) -> Ground {
    Ground::new(0.0, along_m, 0.0) * stance.heading.inverse()
}

fn cost_terms(hop: &Hop) -> [(&'static str, f64); 4] {
    [(STATE, hop.fit.state), (GROUND, hop.fit.env), (PREFERENCE, hop.fit.user), (LIFT, hop.lift)]
}
