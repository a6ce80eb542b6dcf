//! Which hop when: looking several ahead.
//!
//! Question 6 of Lamouret and van de Panne (1996, section 2), which their prototype leaves open: it always takes the best next hop.
//! Here, for every decision, the cheapest line of so many hops, or to the goal, is found best first, and its first hop taken. Dead
//! ends are known beforehand as far as lengths and heights tell ([`crate::reach`]); where one is met all the same, the last hop is
//! taken back. Question 5, what to do when several examples answer alike: among first hops whose lines cost about as much as the
//! best, the seed chooses.
//!
//! The bound of the search: no hop costs less than the least that the user's taste has against any example, so a line that
//! lacks n hops lacks n times as much.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BinaryHeap};

use rand::{Rng, RngExt};

use crate::clearance::lift_m;
use crate::index::{Ask, Fit};
use crate::{Database, Error, Footing, Footings, Result, Settings};

/// How often hops are taken back before it is given up.
const MOST_RETREATS: usize = 400;
/// No crossing has more hops.
const MOST_HOPS: usize = 20_000;

/// A hop that was chosen, or could have been.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Hop {
    pub(crate) fit: Fit,
    /// What it costs that the arc must be lifted, in m².
    pub(crate) lift: f64,
}

impl Hop {
    pub(crate) fn total(&self) -> f64 {
        self.fit.total() + self.lift
    }
}

/// A hop that was taken, and what else there was.
#[derive(Debug, Clone)]
pub(crate) struct Decision {
    pub(crate) hop: Hop,
    /// What there was to choose from, best first.
    pub(crate) among: Vec<Hop>,
}

/// How much was looked at on the way.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Effort {
    /// Queries of the database.
    pub queries: usize,
    /// Cells that were opened in them.
    pub cells: usize,
    /// Examples that were compared in them.
    pub looked_at: usize,
    /// Hops that were taken back.
    pub retreats: usize,
}

/// Where the figure stands, and after which primitive.
type Place = (usize, Option<usize>);

/// A search over one terrain.
pub(crate) struct Search<'a> {
    database: &'a Database,
    settings: &'a Settings,
    footings: &'a Footings,
    user: &'a [f32],
    goal_m: f32,
    /// What a hop costs at least.
    least: f64,
    /// How far a hop leads at most, in metres.
    farthest_m: f32,
    known: BTreeMap<Place, Vec<Hop>>,
    pub(crate) effort: Effort,
}

impl<'a> Search<'a> {
    /// On footings that lead on.
    pub(crate) fn new(database: &'a Database, footings: &'a Footings, user: &'a [f32], goal_m: f32) -> Self {
        let settings = database.settings();
        let least = settings.k_user * f64::from(user.iter().copied().reduce(f32::min).unwrap_or(0.0));
        let farthest_m = database.longest_m() + settings.most_shift_m;
        let (known, effort) = (BTreeMap::new(), Effort::default());
        Self { database, settings, footings, user, goal_m, least, farthest_m, known, effort }
    }

    /// All decisions from a footing to the goal.
    pub(crate) fn cross(&mut self, start: usize, rng: &mut impl Rng) -> Result<Vec<Decision>> {
        let mut way: Vec<Decision> = Vec::new();
        // What was tried and taken back at each place of the way.
        let mut tried: Vec<Vec<Fit>> = vec![Vec::new()];
        let mut farthest = (start, 0);
        loop {
            let last = way.last().map(|decision| decision.hop.fit);
            let here: Place = last.map_or((start, None), |fit| (fit.footing, Some(fit.primitive)));
            if self.is_there(here.0) {
                return Ok(way);
            }
            if self.at(here.0).at.x > self.at(farthest.0).at.x {
                farthest = (here.0, way.len());
            }
            let without = tried.last().map_or(&[][..], Vec::as_slice);
            let good = if way.len() < MOST_HOPS { self.decide(here, without) } else { Vec::new() };
            if good.is_empty() {
                let stuck = Error::Stuck { along_m: self.at(farthest.0).at.x, hops: farthest.1 };
                let Some(back) = way.pop().filter(|_| self.settings.lookahead > 0) else { return Err(stuck) };
                self.effort.retreats += 1;
                if self.effort.retreats > MOST_RETREATS {
                    return Err(stuck);
                }
                tried.pop();
                if let Some(tried) = tried.last_mut() {
                    tried.push(back.hop.fit);
                }
                continue;
            }
            let hop = good[if good.len() > 1 { rng.random_range(0..good.len()) } else { 0 }];
            let among = self.hops(here).to_vec();
            way.push(Decision { hop, among });
            tried.push(Vec::new());
        }
    }

    fn at(&self, footing: usize) -> &'a Footing {
        &self.footings.all()[footing]
    }

    fn is_there(&self, footing: usize) -> bool {
        self.at(footing).at.x >= self.goal_m
    }

    /// The hops that can be made from a place, cheapest first.
    fn hops(&mut self, place: Place) -> &[Hop] {
        if !self.known.contains_key(&place) {
            let hops = self.find_hops(place);
            self.known.insert(place, hops);
        }
        self.known.get(&place).map_or(&[], Vec::as_slice)
    }

    fn find_hops(&mut self, (footing, primitive): Place) -> Vec<Hop> {
        let settings = self.settings;
        let ask = Ask {
            at: self.at(footing).at,
            state: primitive.map(|primitive| self.database.end(primitive)),
            footings: self.footings,
            user: self.user,
            k_env: settings.k_env,
            k_user: settings.k_user,
            most_shift_m: settings.most_shift_m,
            count: settings.candidates,
        };
        let answer = self.database.index().ask(&ask);
        self.effort.queries += 1;
        self.effort.cells += answer.cells;
        self.effort.looked_at += answer.looked_at;
        let half_m = self.database.half_sole_m();
        let mut hops: Vec<Hop> = Vec::new();
        for fit in answer.fits {
            let next = &self.database.primitives()[fit.primitive];
            // Feet take turns.
            let before = primitive.and_then(|before| self.database.primitives()[before].foot);
            if before.is_some() && before == next.foot {
                continue;
            }
            let ends = [self.at(footing), self.at(fit.footing)];
            let lift_m = lift_m(next, ends, half_m, settings.phase, self.footings.profile());
            if lift_m <= settings.most_lift_m {
                hops.push(Hop { fit, lift: settings.k_env * f64::from(lift_m).powi(2) });
            }
        }
        hops.sort_by(|a, b| a.total().total_cmp(&b.total()).then(a.fit.primitive.cmp(&b.fit.primitive)));
        hops
    }

    /// The first hops of the lines that are about as cheap as the cheapest, without those that were tried.
    fn decide(&mut self, here: Place, without: &[Fit]) -> Vec<Hop> {
        let depth = self.settings.lookahead.max(1);
        let mut nodes = vec![Node { place: here, first: None, depth: 0, cost: 0.0 }];
        let mut open = BinaryHeap::from([Open { bound: self.lacks(here.0, depth), node: 0 }]);
        let mut good: Vec<Hop> = Vec::new();
        let (mut bar, mut expanded) = (f64::INFINITY, 0);
        while let Some(Open { bound, node }) = open.pop() {
            if bound > bar {
                break;
            }
            let Node { place, first, depth: done, cost } = nodes[node];
            if let Some(hop) = first.filter(|_| done == depth || self.is_there(place.0)) {
                bar = bar.min(bound * (1.0 + self.settings.variety));
                if !good.contains(&hop) {
                    good.push(hop);
                }
                continue;
            }
            expanded += 1;
            if expanded > self.settings.most_expanded {
                // What was found so far must do; where that is nothing, the line that got farthest.
                let deepest = nodes
                    .iter()
                    .filter(|node| node.first.is_some())
                    .max_by(|a, b| a.depth.cmp(&b.depth).then(b.cost.total_cmp(&a.cost)));
                return if good.is_empty() {
                    deepest.and_then(|node| node.first).into_iter().collect()
                } else {
                    good
                };
            }
            for hop in self.hops(place).to_vec() {
                if node == 0 && without.contains(&hop.fit) {
                    continue;
                }
                let cost = cost + hop.total();
                let place = (hop.fit.footing, Some(hop.fit.primitive));
                let first = first.or(Some(hop));
                let bound = cost + self.lacks(place.0, depth - done - 1);
                open.push(Open { bound, node: nodes.len() });
                nodes.push(Node { place, first, depth: done + 1, cost });
            }
        }
        good
    }

    /// What a line of so many more hops, or to the goal, still costs at least.
    fn lacks(&self, footing: usize, hops: usize) -> f64 {
        let away_m = (self.goal_m - self.at(footing).at.x).max(0.0);
        let needed = (away_m / self.farthest_m).ceil() as usize;
        self.least * hops.min(needed) as f64
    }
}

/// A line of hops, by its end.
#[derive(Debug, Clone, Copy)]
struct Node {
    place: Place,
    first: Option<Hop>,
    depth: usize,
    cost: f64,
}

/// A line that may be gone on with; the cheapest, and of these the oldest, first.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Open {
    bound: f64,
    node: usize,
}

impl Eq for Open {}

impl Ord for Open {
    fn cmp(&self, other: &Self) -> Ordering {
        other.bound.total_cmp(&self.bound).then(other.node.cmp(&self.node))
    }
}

impl PartialOrd for Open {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
