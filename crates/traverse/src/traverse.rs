//! The engine: from a terrain to a plan.

use std::collections::BTreeMap;

use marey_motion::{Ground, Terrain};
use marey_plan::{ActorPlan, Brief, Candidate, Choice, Cost, Engine, Placement, Plan, Seed, Trace};

use crate::hop::Hop;
use crate::passage::Passage;
use crate::places::Effort;
use crate::primitive::Stance;
use crate::reach::Reach;
use crate::search::{Decision, Search};
use crate::{Crossing, Database, Error, Footings, Result};

/// How long the figure stands before it sets off, in seconds.
const STAND_SECS: f64 = 0.3;

/// What parts of costs are called in plans and traces.
const STATE: &str = "state";
const GROUND: &str = "ground";
const TASTE: &str = "taste";
const LIFT: &str = "lift";

impl Database {
    /// The footings of this figure on a terrain.
    pub fn footings(&self, terrain: &Terrain) -> Footings {
        Footings::of(terrain, self.half_sole_m(), self.settings().most_tilt_rad)
    }

    /// [`Engine::plan`], on footings that are known, and with what it took.
    pub fn plan_on(
        &self,
        footings: &Footings,
        brief: &Crossing,
        seed: Seed,
        trace: Option<&mut Trace>,
    ) -> Result<(Plan, Effort)> {
        let (reach, start, goal_m) = self.reach(footings, brief)?;
        reach.check(footings, &brief.terrain, goal_m)?;
        // Without looking ahead, nobody knows of dead ends.
        let is_blind = self.settings().lookahead == 0;
        let user = brief.taste.costs(self.primitives());
        let user = &user[..];
        let is_told = trace.is_some();
        let at = |some: &Footings| some.before(footings.all()[start].at.x);
        let mut alive = footings.only(|footing| is_blind || footing == start || reach.leads_on(footing));
        let mut search = Search::new(self, &alive, user, goal_m, None);
        let (way, effort) = match search.cross(at(&alive), &mut seed.rng(0), is_told) {
            Err(Error::Stuck { .. }) if !is_blind => {
                let passage = Passage::of(self, footings, goal_m);
                if !passage.is_open(start, None) {
                    let barrier = passage.barrier(self, footings, start);
                    return Err(Error::unreachable(barrier.map(|end| &footings.all()[end]), &brief.terrain));
                }
                alive = footings.only(|footing| passage.is_open(footing, None));
                let open = passage.only_open();
                let mut search = Search::new(self, &alive, user, goal_m, Some(&open));
                (search.cross(at(&alive), &mut seed.rng(0), is_told)?, search.effort())
            }
            way => (way?, search.effort()),
        };
        let start = at(&alive);
        if let Some(trace) = trace {
            trace
                .choices
                .extend(way.iter().enumerate().map(|(number, decision)| self.choice(number, decision)));
        }
        let placements = self.placements(&way, &alive, start);
        let mut parts = BTreeMap::new();
        for decision in &way {
            for (name, cost) in parts_of(&decision.hop) {
                *parts.entry(name.to_owned()).or_insert(0.0) += cost;
            }
        }
        let total = way.iter().map(|decision| decision.hop.total()).sum();
        let plan = Plan {
            rate_hz: self.rate_hz(),
            seed,
            cost: Cost { total, parts },
            actors: vec![ActorPlan { name: "traveller".into(), placements }],
            meetings: vec![],
            targets: vec![],
        };
        Ok((plan, effort))
    }

    /// Which footings can be come to, in their order, and why the goal cannot, where it cannot. Nothing is planned.
    pub fn reached(&self, footings: &Footings, brief: &Crossing) -> Result<(Vec<bool>, Option<Error>)> {
        brief.validate()?;
        let (reach, _, goal_m) = self.reach(footings, brief)?;
        let reached = (0..footings.all().len()).map(|footing| reach.comes_to(footing)).collect();
        Ok((reached, reach.check(footings, &brief.terrain, goal_m).err()))
    }

    /// What leads where, the footing to begin at, and where the goal is.
    fn reach(&self, footings: &Footings, brief: &Crossing) -> Result<(Reach, usize, f32)> {
        let (start, goal_m) = self.ends(footings, brief)?;
        let leads = self.primitives().iter().map(crate::Primitive::lead);
        Ok((Reach::of(footings, leads, self.settings().most_shift_m, start, goal_m), start, goal_m))
    }

    /// The footing to begin at, and where the goal is.
    fn ends(&self, footings: &Footings, brief: &Crossing) -> Result<(usize, f32)> {
        let (from_m, to_m) = (brief.terrain.start_m(), brief.terrain.end_m());
        let all = footings.all();
        let start_m = brief.start_m.unwrap_or(from_m.max(0.0));
        let start = all.partition_point(|footing| footing.at.x < start_m - 1e-4);
        let refused = |what, along_m| Error::NoFooting { what, along_m, from_m, to_m };
        let last = all.last().filter(|_| start < all.len()).ok_or(refused("from", start_m))?;
        let goal_m = brief.goal_m.unwrap_or((last.at.x - self.longest_m()).max(all[start].at.x));
        if last.at.x < goal_m {
            return Err(refused("at or beyond", goal_m));
        }
        Ok((start, goal_m))
    }

    /// Standing, and then one placement for each decision.
    fn placements(&self, way: &[Decision], footings: &Footings, start: usize) -> Vec<Placement> {
        // Turned so that the example goes along +Z, with its sole at a place along the way.
        let put = |along_m: f32, stance: &Stance| Ground::new(0.0, along_m, 0.0) * stance.way.inverse();
        let mut placements: Vec<Placement> = Vec::new();
        for (number, decision) in way.iter().enumerate() {
            let fit = decision.hop.fit;
            let primitive = &self.primitives()[fit.primitive];
            let source = &self.examples()[primitive.example].source;
            // Who walks is on the way already.
            if number == 0 && primitive.foot.is_none() {
                placements.push(Placement {
                    source: source.clone(),
                    source_start: primitive.frames.start,
                    source_end: primitive.frames.start + 1,
                    start: 0,
                    frames: (STAND_SECS * self.rate_hz()).round().max(1.0) as usize,
                    key_times: vec![],
                    world_from_source: put(footings.all()[start].at.x, &primitive.from),
                    mirrored: false,
                });
            }
            placements.push(Placement {
                source: source.clone(),
                source_start: primitive.frames.start,
                source_end: primitive.frames.end,
                start: placements.last().map_or(0, Placement::end),
                frames: primitive.frames.len(),
                key_times: vec![],
                world_from_source: put(footings.all()[fit.footing].at.x, &primitive.to),
                mirrored: false,
            });
        }
        placements
    }

    fn choice(&self, number: usize, decision: &Decision) -> Choice {
        let candidate = |hop: &Hop| {
            let primitive = &self.primitives()[hop.fit.primitive];
            Candidate {
                source: self.examples()[primitive.example].source.clone(),
                from_frame: primitive.frames.start,
                cost: parts_of(hop).map(|(name, cost)| (name.to_owned(), cost)).into(),
            }
        };
        // Before the first hop, a hopper stands.
        let stood = usize::from(self.primitives()[decision.hop.fit.primitive].foot.is_none());
        let taken = decision.among.iter().position(|hop| *hop == decision.hop).unwrap_or(0);
        Choice {
            actor: 0,
            placement: number + stood,
            taken,
            candidates: decision.among.iter().map(candidate).collect(),
        }
    }
}

fn parts_of(hop: &Hop) -> [(&'static str, f64); 4] {
    [(STATE, hop.fit.state), (GROUND, hop.fit.env), (TASTE, hop.fit.user), (LIFT, hop.lift)]
}

impl Engine for Database {
    type Brief = Crossing;
    type Error = Error;

    fn plan(&self, brief: &Crossing, seed: Seed, trace: Option<&mut Trace>) -> Result<Plan> {
        let footings = self.footings(&brief.terrain);
        Ok(self.plan_on(&footings, brief, seed, trace)?.0)
    }
}
