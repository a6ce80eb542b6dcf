//! The planner: a decision tree that simulates several hops ahead.
//!
//! After Lamouret and van de Panne (*Motion Synthesis By Example*, 1996, section 3.1), who plan Luxo's actions by
//! simulating decisions several hops into the future, as a program plays a game. Their paper says no more than that;
//! here, the tree is searched depth first in an order of liking drawn by chance, and the first line of hops that stays up
//! and goes ahead is taken, one hop at a time. What was simulated of a line is kept for the next decision.
//!
//! Limits: a hop that was made is never taken back, so ground that needs more hops of preparation than are looked ahead is
//! met unprepared.

use std::collections::VecDeque;

use marey_motion::{Terrain, Vec2};
use rand::{Rng, RngExt};

use super::action::Action;
use super::hop::{Hop, settle};
use super::world::World;

/// A hop must go ahead by so much, in metres.
const LEAST_AHEAD_M: f32 = 0.01;
/// No crossing has more hops.
const MOST_HOPS: usize = 500;
/// How high above the ground the lamp is put before it settles, in metres.
const DROP_M: f32 = 0.001;
/// How much each action is liked, in their order.
const LIKING: [f32; 5] = [0.15, 1.0, 1.5, 1.5, 0.8];

/// A way over a terrain.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Crossing {
    pub(super) hops: Vec<Hop>,
    /// Whether the goal was reached, standing.
    pub(super) crossed: bool,
    /// How many hops were simulated.
    pub(super) simulated: usize,
}

/// Hops from 0 until a goal is reached or the lamp falls, looking so many hops ahead; with none, the best liked is done.
pub(super) fn cross(terrain: &Terrain, goal_m: f32, lookahead: usize, rng: &mut impl Rng) -> Crossing {
    let height_m = terrain.height_at(0.0).unwrap_or(0.0);
    let mut world = World::new(terrain, Vec2::Y * (height_m + DROP_M));
    if !settle(&mut world, terrain) {
        return Crossing { hops: Vec::new(), crossed: false, simulated: 0 };
    }
    let mut planner = Planner { terrain, goal_m, lookahead, rng, simulated: 0 };
    let mut hops = Vec::new();
    let mut line = VecDeque::new();
    while !planner.is_there(&world) && hops.len() < MOST_HOPS {
        planner.plan(&world, &mut line);
        let Some((hop, after)) = line.pop_front() else { break };
        let stood = hop.stood;
        hops.push(hop);
        world = after;
        if !stood {
            break;
        }
    }
    let crossed = planner.is_there(&world) && hops.last().is_none_or(|hop| hop.stood);
    Crossing { hops, crossed, simulated: planner.simulated }
}

/// Hops to come, each with the world after it.
type Line = VecDeque<(Hop, World)>;

struct Planner<'a, R> {
    terrain: &'a Terrain,
    goal_m: f32,
    lookahead: usize,
    rng: &'a mut R,
    simulated: usize,
}

impl<R: Rng> Planner<'_, R> {
    fn is_there(&self, world: &World) -> bool {
        world.posture().sole.x >= self.goal_m
    }

    /// Makes the line as long as is looked ahead: goes on with it where that can be, and begins anew where not. At a dead
    /// end, it is as long as can be; where every hop falls, it is the one liked best.
    fn plan(&mut self, world: &World, line: &mut Line) {
        let missing = self.lookahead.saturating_sub(line.len());
        let end = line.back().map_or(world, |(_, after)| after).clone();
        if let Some(more) = self.survive(&end, missing) {
            line.extend(more);
        } else {
            let anew = (1..=self.lookahead).rev().find_map(|depth| self.survive(world, depth));
            *line = anew.unwrap_or_default();
        }
        if line.is_empty() {
            let liked = self.liked()[0];
            line.push_back(self.simulate(liked, world));
        }
    }

    /// A line of so many hops, or to the goal, that stays up and goes ahead.
    fn survive(&mut self, world: &World, depth: usize) -> Option<Line> {
        if depth == 0 || self.is_there(world) {
            return Some(Line::new());
        }
        self.liked().into_iter().find_map(|action| {
            let (hop, after) = self.simulate(action, world);
            let ahead = after.posture().sole.x - world.posture().sole.x > LEAST_AHEAD_M;
            let mut line = if hop.stood && ahead { self.survive(&after, depth - 1)? } else { return None };
            line.push_front((hop, after));
            Some(line)
        })
    }

    fn simulate(&mut self, action: Action, world: &World) -> (Hop, World) {
        self.simulated += 1;
        let mut world = world.clone();
        let hop = Hop::perform(action, &mut world, self.terrain);
        (hop, world)
    }

    /// All actions in an order of chance, those liked more often first: the least of exponential times, each of its rate.
    fn liked(&mut self) -> [Action; 5] {
        let mut timed: [(f32, Action); 5] =
            std::array::from_fn(|i| (-(1.0 - self.rng.random::<f32>()).ln() / LIKING[i], Action::ALL[i]));
        timed.sort_by(|a, b| a.0.total_cmp(&b.0));
        timed.map(|(_, action)| action)
    }
}
