//! The nodes of the search graph and their outgoing hops, computed once for all decisions.
//!
//! A node is a footing and the primitive that led to it. Its hops come from the index, cheapest first, in batches: the
//! next batch is queried only when the cheaper hops do not suffice. The lift of a hop is computed when the search
//! considers the hop.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::fit_query::{FitQuery, FitScratch, PrimitiveFit};
use crate::goal_reachability::GoalReachability;
use crate::hop::Hop;
use crate::{Footing, Footings, PrimitiveDatabase};

/// Factor between the cost limits of two consecutive batches.
const BATCH_FACTOR: f64 = 8.0;
/// Number of limited batches before all hops are queried.
const BATCHES: i32 = 2;
/// Marks a missing primitive or node.
const NONE: u32 = u32::MAX;

/// Effort of a search.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SearchEffort {
    /// Number of index queries.
    pub queries: usize,
    /// Number of grid cells opened.
    pub cells: usize,
    /// Number of primitives compared.
    pub compared: usize,
}

/// A node: a footing and the primitive that led to it.
#[derive(Debug, Clone, Copy)]
struct Node {
    footing: u32,
    after: u32,
    /// Its hops are `hops[first..first + count]`.
    first: u32,
    count: u32,
    /// Cost up to which all hops are known; −∞ before the first query.
    known_until: f64,
}

/// A hop from a node; lift and target are computed on demand.
#[derive(Debug, Clone, Copy)]
struct KnownHop {
    hop: Hop,
    has_lift: bool,
    /// The node that it leads to, or [`NONE`].
    next: u32,
}

/// All nodes of one terrain.
pub(crate) struct SearchNodes<'a> {
    database: &'a PrimitiveDatabase,
    footings: &'a Footings,
    user_costs: &'a [f32],
    goal_m: f32,
    /// Exact reachability of the goal, if it was computed.
    goal_reachability: Option<&'a GoalReachability>,
    first_limit: f64,
    nodes: Vec<Node>,
    indices: HashMap<u64, u32, BuildHasherDefault<IndexHasher>>,
    /// Lift cost by footing and primitive.
    lift_costs: HashMap<u64, f64, BuildHasherDefault<IndexHasher>>,
    hops: Vec<KnownHop>,
    scratch: FitScratch,
    pub(crate) effort: SearchEffort,
}

impl<'a> SearchNodes<'a> {
    pub(crate) fn new(
        database: &'a PrimitiveDatabase,
        footings: &'a Footings,
        user_costs: &'a [f32],
        goal_m: f32,
        goal_reachability: Option<&'a GoalReachability>,
    ) -> Self {
        let settings = database.settings();
        let max_env = settings.k_env * f64::from(settings.max_shift_m).powi(2);
        Self {
            database,
            footings,
            user_costs,
            goal_m,
            goal_reachability,
            first_limit: (max_env / BATCH_FACTOR.powi(BATCHES)).max(1e-9),
            nodes: Vec::new(),
            indices: HashMap::default(),
            lift_costs: HashMap::default(),
            hops: Vec::new(),
            scratch: FitScratch::default(),
            effort: SearchEffort::default(),
        }
    }

    /// The index of a node, which is created if necessary.
    pub(crate) fn node(&mut self, footing: usize, after: Option<usize>) -> u32 {
        let (footing, after) = (footing as u32, after.map_or(NONE, |after| after as u32));
        let nodes = &mut self.nodes;
        *self.indices.entry(u64::from(footing) << 32 | u64::from(after)).or_insert_with(|| {
            nodes.push(Node { footing, after, first: 0, count: 0, known_until: f64::NEG_INFINITY });
            (nodes.len() - 1) as u32
        })
    }

    /// Number of nodes.
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(crate) fn footing(&self, node: u32) -> &'a Footing {
        &self.footings.all()[self.nodes[node as usize].footing as usize]
    }

    /// Whether a node is at the goal or beyond.
    pub(crate) fn is_goal(&self, node: u32) -> bool {
        self.footing(node).position.x >= self.goal_m
    }

    /// The hop of a given rank from a node, by cost without lift; `None` if it costs more than `max_cost`.
    pub(crate) fn nth(&mut self, node: u32, rank: usize, max_cost: f64) -> Option<usize> {
        loop {
            let Node { first, count, known_until, .. } = self.nodes[node as usize];
            if rank < count as usize {
                let hop = first as usize + rank;
                return (self.hops[hop].hop.fit.total() <= max_cost).then_some(hop);
            }
            if known_until >= max_cost || known_until == f64::INFINITY {
                return None;
            }
            let next = self.first_limit.max(BATCH_FACTOR * known_until);
            let last = self.first_limit * BATCH_FACTOR.powi(BATCHES);
            let limit = if next > last { f64::INFINITY } else { next };
            self.query(node, limit, self.database.settings().candidates);
        }
    }

    /// Lower bound of the cost of all hops from a rank on; ∞ if there are none.
    pub(crate) fn bound_from(&self, node: u32, rank: usize) -> f64 {
        let Node { first, count, known_until, .. } = self.nodes[node as usize];
        let next = (rank < count as usize).then(|| self.hops[first as usize + rank].hop.fit.total());
        next.unwrap_or(known_until.max(0.0))
    }

    /// The primitive that led to a node.
    pub(crate) fn after(&self, node: u32) -> Option<usize> {
        let after = self.nodes[node as usize].after;
        (after != NONE).then_some(after as usize)
    }

    /// A hop without its lift.
    pub(crate) fn fit(&self, hop: usize) -> &PrimitiveFit {
        &self.hops[hop].hop.fit
    }

    /// The footing that a hop lands on.
    pub(crate) fn landing(&self, fit: &PrimitiveFit) -> &'a Footing {
        &self.footings.all()[fit.footing]
    }

    /// A hop of a node, with its lift.
    pub(crate) fn hop(&mut self, node: u32, hop: usize) -> Hop {
        if !self.hops[hop].has_lift {
            let fit = self.hops[hop].hop.fit;
            self.hops[hop].hop.lift = self.lift_cost(node, &fit);
            self.hops[hop].has_lift = true;
        }
        self.hops[hop].hop
    }

    /// The node that a hop leads to.
    pub(crate) fn next(&mut self, hop: usize) -> u32 {
        if self.hops[hop].next == NONE {
            let fit = self.hops[hop].hop.fit;
            self.hops[hop].next = self.node(fit.footing, Some(fit.primitive));
        }
        self.hops[hop].next
    }

    /// Whether the exact reachability of the goal is known.
    pub(crate) fn is_exact(&self) -> bool {
        self.goal_reachability.is_some()
    }

    /// Queries all hops of a node, whatever their cost.
    pub(crate) fn query_all(&mut self, node: u32) {
        self.query(node, f64::INFINITY, self.database.primitives().len());
    }

    /// Queries the hops of a node that cost at most `max_cost`, at most `max_count` of them.
    fn query(&mut self, node: u32, max_cost: f64, max_count: usize) {
        let Node { footing, after, first, count, .. } = self.nodes[node as usize];
        let query =
            self.database.fit_query(self.footings, self.user_costs, footing as usize, self.after(node));
        let query = FitQuery { max_cost, count: max_count, ..query };
        let [cells, compared] = self.database.index().best_fits_with(&mut self.scratch, &query);
        self.effort.queries += 1;
        self.effort.cells += cells;
        self.effort.compared += compared;
        let start = self.hops.len();
        // The known hops are the first ones of the result.
        self.hops.extend_from_within(first as usize..(first + count) as usize);
        let new = self.scratch.fits().iter().skip(count as usize);
        self.hops.extend(new.map(|fit| KnownHop {
            hop: Hop { fit: *fit, lift: 0.0 },
            has_lift: false,
            next: NONE,
        }));
        let found = self.scratch.fits().len();
        let known_until = if found >= max_count { f64::INFINITY } else { max_cost };
        self.nodes[node as usize] =
            Node { footing, after, first: start as u32, count: found as u32, known_until };
    }

    /// Cost of the lift of a hop; ∞ if the hop is impossible or leads to a dead end.
    fn lift_cost(&mut self, node: u32, fit: &PrimitiveFit) -> f64 {
        let foot = self.database.primitives()[fit.primitive].foot;
        let is_open = self.goal_reachability.is_none_or(|goal| goal.is_open(fit.footing, foot));
        if !is_open || !self.database.may_follow(self.after(node), fit.primitive) {
            return f64::INFINITY;
        }
        let ends = [self.footing(node), self.landing(fit)];
        let key = u64::from(self.nodes[node as usize].footing) << 32 | fit.primitive as u64;
        *self
            .lift_costs
            .entry(key)
            .or_insert_with(|| self.database.lift_cost(self.footings, ends, fit.primitive))
    }
}

/// A fast hasher for integers. The keys are not chosen by an attacker, so collisions are no concern.
#[derive(Debug, Default)]
struct IndexHasher(u64);

impl Hasher for IndexHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_u64(u64::from(*byte)));
    }

    fn write_u64(&mut self, number: u64) {
        // The golden ratio as a 64-bit fraction. The upper half of the product depends on all bits of both factors.
        let product = (self.0.rotate_left(5) ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = product ^ (product >> 32);
    }
}
