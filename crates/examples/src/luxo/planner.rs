//! The planner: a decision tree that simulates several hops ahead.
//!
//! After Lamouret and van de Panne (*Motion Synthesis By Example*, 1996, section 3.1), who plan Luxo's actions by simulating decisions
//! several hops into the future, as a program plays a game. The paper gives no further details. Here, the tree is searched depth first
//! in a random order of preference. The first sequence of hops that moves forward without falling is used, one hop at a time. The
//! simulated rest of the sequence is kept for the next decision.
//!
//! Limits: a completed hop is never undone, so the lamp may fail on ground that needs more hops of preparation than the lookahead.

use std::collections::VecDeque;

use marey_motion::{Terrain, Vec2};
use rand::{Rng, RngExt};

use super::action::Action;
use super::hop::{Hop, settle};
use super::world::World;

/// Shortest forward distance of a hop, in metres.
const MIN_ADVANCE_M: f32 = 0.01;
/// Largest number of hops in a crossing.
const MAX_HOPS: usize = 500;
/// Initial height above the ground, in metres.
const DROP_M: f32 = 0.001;
/// Relative preference of each action.
const PREFERENCE: [f32; 5] = [0.15, 1.0, 1.5, 1.5, 0.8];

/// A planned crossing of a terrain.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct PlannedCrossing {
    pub(super) hops: Vec<Hop>,
    /// Whether the lamp stands at the goal.
    pub(super) crossed: bool,
    /// Number of simulated hops.
    pub(super) simulated: usize,
}

/// Hops from 0 until the goal is reached or the lamp falls. Without lookahead, the preferred action is used.
pub(super) fn cross(terrain: &Terrain, goal_m: f32, lookahead: usize, rng: &mut impl Rng) -> PlannedCrossing {
    let height_m = terrain.height_at(0.0).unwrap_or(0.0);
    let mut world = World::new(terrain, Vec2::Y * (height_m + DROP_M));
    if !settle(&mut world, terrain) {
        return PlannedCrossing { hops: Vec::new(), crossed: false, simulated: 0 };
    }
    let mut planner = Planner { terrain, goal_m, lookahead, rng, simulated: 0 };
    let mut hops = Vec::new();
    let mut sequence = VecDeque::new();
    while !planner.is_at_goal(&world) && hops.len() < MAX_HOPS {
        planner.plan(&world, &mut sequence);
        let Some((hop, after)) = sequence.pop_front() else { break };
        let is_standing = hop.is_standing;
        hops.push(hop);
        world = after;
        if !is_standing {
            break;
        }
    }
    let crossed = planner.is_at_goal(&world) && hops.last().is_none_or(|hop| hop.is_standing);
    PlannedCrossing { hops, crossed, simulated: planner.simulated }
}

/// Planned hops, each with the world after it.
type HopSequence = VecDeque<(Hop, World)>;

struct Planner<'a, R> {
    terrain: &'a Terrain,
    goal_m: f32,
    lookahead: usize,
    rng: &'a mut R,
    simulated: usize,
}

impl<R: Rng> Planner<'_, R> {
    fn is_at_goal(&self, world: &World) -> bool {
        world.posture().sole.x >= self.goal_m
    }

    /// Extends the sequence to the length of the lookahead. Starts a new sequence if the current one cannot be extended. At a dead end,
    /// the sequence is as long as possible. If every hop falls, it is the preferred hop.
    fn plan(&mut self, world: &World, sequence: &mut HopSequence) {
        let missing = self.lookahead.saturating_sub(sequence.len());
        let end = sequence.back().map_or(world, |(_, after)| after).clone();
        if let Some(more) = self.find_sequence(&end, missing) {
            sequence.extend(more);
        } else {
            let restarted = (1..=self.lookahead).rev().find_map(|depth| self.find_sequence(world, depth));
            *sequence = restarted.unwrap_or_default();
        }
        if sequence.is_empty() {
            let preferred = self.by_preference()[0];
            sequence.push_back(self.simulate(preferred, world));
        }
    }

    /// A sequence of `depth` hops, or up to the goal, that moves forward without falling.
    fn find_sequence(&mut self, world: &World, depth: usize) -> Option<HopSequence> {
        if depth == 0 || self.is_at_goal(world) {
            return Some(HopSequence::new());
        }
        self.by_preference().into_iter().find_map(|action| {
            let (hop, after) = self.simulate(action, world);
            let ahead = after.posture().sole.x - world.posture().sole.x > MIN_ADVANCE_M;
            let mut sequence =
                if hop.is_standing && ahead { self.find_sequence(&after, depth - 1)? } else { return None };
            sequence.push_front((hop, after));
            Some(sequence)
        })
    }

    fn simulate(&mut self, action: Action, world: &World) -> (Hop, World) {
        self.simulated += 1;
        let mut world = world.clone();
        let hop = Hop::perform(action, &mut world, self.terrain);
        (hop, world)
    }

    /// All actions in a random order in which preferred ones tend to come first: sorted by exponential variates with the preferences as
    /// rates.
    fn by_preference(&mut self) -> [Action; 5] {
        let mut timed: [(f32, Action); 5] =
            std::array::from_fn(|i| (-(1.0 - self.rng.random::<f32>()).ln() / PREFERENCE[i], Action::ALL[i]));
        timed.sort_by(|a, b| a.0.total_cmp(&b.0));
        timed.map(|(_, action)| action)
    }
}
