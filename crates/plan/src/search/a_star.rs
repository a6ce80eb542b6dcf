//! A* search in bounded memory.
//!
//! A* after Hart, Nilsson and Raphael (*A Formal Basis for the Heuristic Determination of Minimum Cost
//! Paths*, 1968). If the memory is full, the least promising open state is dropped, as in the memory-bounded
//! search of Russell (*Efficient memory-bounded search methods*, 1992); unlike there, dropped states are not
//! regenerated, but the lowest possible cost of any of them is remembered. The result therefore states
//! whether it is proven optimal.
//!
//! | symbol | name |
//! |---|---|
//! | g | cost so far |
//! | h | the heuristic: a lower bound of the remaining cost |
//! | f = g + h | the lowest possible cost of a path through this state |
//!
//! Limits: steps cost 0 or more. If the heuristic overestimates, the result may not be the cheapest, and
//! `proven` is wrong. An inconsistent heuristic is allowed: a state is expanded again if a cheaper path to it
//! is found.

use std::collections::{BTreeMap, BTreeSet};

use marey_motion::CheckedAccess;

use crate::Result;
use crate::search::check;

/// A state space.
pub trait Space {
    /// Identity of a state. The order only breaks ties.
    type State: Clone + Ord;

    /// Appends the successors of a state and the costs of the steps (0 or more) to an empty list.
    fn steps(&self, from: &Self::State, to: &mut Vec<(Self::State, f64)>);

    /// Whether a state is a goal.
    fn is_goal(&self, state: &Self::State) -> bool;

    /// A lower bound of the cost from a state to a goal. 0 is always valid, but slow.
    fn bound(&self, state: &Self::State) -> f64;
}

/// A path to a goal.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundPath<S> {
    /// Its states, from the start to the goal.
    pub states: Vec<S>,
    /// Its cost.
    pub cost: f64,
    /// Whether no dropped state could have led to a cheaper path.
    pub proven: bool,
}

/// Returns the cheapest path from a start to a goal, or `None` if it finds none. Keeps at most `max_states`
/// (at least 2) states in memory.
///
/// ```
/// use marey_plan::search::{Space, a_star};
/// // From 1 to 11 by adding 1 (cost 1) or doubling (cost 2).
/// struct Numbers;
/// impl Space for Numbers {
///     type State = u32;
///     fn steps(&self, from: &u32, to: &mut Vec<(u32, f64)>) {
///         to.extend([(from + 1, 1.0), (from * 2, 2.0)].into_iter().filter(|step| step.0 <= 11));
///     }
///     fn is_goal(&self, state: &u32) -> bool {
///         *state == 11
///     }
///     fn bound(&self, state: &u32) -> f64 {
///         if *state < 11 { 1.0 } else { 0.0 }
///     }
/// }
/// let found = a_star(&Numbers, 1, 100)?.unwrap();
/// // 1 2 3 4 5 10 11, or another path that costs 7.
/// assert_eq!((found.cost, found.proven), (7.0, true));
/// # Ok::<(), marey_plan::PlanError>(())
/// ```
pub fn a_star<P: Space>(
    space: &P,
    start: P::State,
    max_states: usize,
) -> Result<Option<FoundPath<P::State>>> {
    let mut tree = Tree::default();
    let bound = check(space.bound(&start), || "a bound".into())?;
    tree.add(start, 0.0, bound, None)?;
    let mut lowest_dropped = f64::INFINITY;
    let mut steps = Vec::new();
    while let Some((_, at)) = tree.open.pop_first() {
        let node = tree.nodes.at_mut(at)?;
        if space.is_goal(&node.state) {
            let cost = node.g;
            return Ok(Some(FoundPath { states: tree.path_to(at)?, cost, proven: cost <= lowest_dropped }));
        }
        space.steps(&node.state, &mut steps);
        // It must not be dropped while its successors are added.
        node.references += 1;
        let so_far = node.g;
        for (next, step) in steps.drain(..) {
            let g = so_far + check(step, || "a step".into())?.max(0.0);
            let bound = check(space.bound(&next), || "a bound".into())?;
            if g + bound == f64::INFINITY || !tree.is_improvement(&next, g)? {
                continue;
            }
            tree.add(next, g, bound, Some(at))?;
            while tree.len() > max_states.max(2) {
                match tree.evict()? {
                    Some(f) => lowest_dropped = lowest_dropped.min(f),
                    None => break,
                }
            }
        }
        tree.release(at)?;
    }
    Ok(None)
}

/// A cost that can be ordered.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Cost(f64);

impl Eq for Cost {}

impl Ord for Cost {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl PartialOrd for Cost {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

struct Node<S> {
    state: S,
    g: f64,
    f: f64,
    before: Option<usize>,
    /// The number of successors that refer to this node; one more while it is expanded.
    references: usize,
    /// Whether a cheaper path to the same state was found since.
    is_superseded: bool,
}

/// The known states, each with the cheapest path to it.
struct Tree<S> {
    nodes: Vec<Node<S>>,
    free: Vec<usize>,
    of_state: BTreeMap<S, usize>,
    /// Open states, the most promising first.
    open: BTreeSet<(Cost, usize)>,
    /// Expanded states without successors, kept only to recognise them.
    dead: BTreeSet<(Cost, usize)>,
}

impl<S> Default for Tree<S> {
    fn default() -> Self {
        Self {
            nodes: Vec::new(),
            free: Vec::new(),
            of_state: BTreeMap::new(),
            open: BTreeSet::new(),
            dead: BTreeSet::new(),
        }
    }
}

impl<S: Clone + Ord> Tree<S> {
    /// Number of nodes in memory.
    fn len(&self) -> usize {
        self.nodes.len() - self.free.len()
    }

    /// Returns true if a state is unknown, or known only by a more expensive path. Removes that path.
    fn is_improvement(&mut self, state: &S, g: f64) -> Result<bool> {
        let Some(&known) = self.of_state.get(state) else { return Ok(true) };
        let node = self.nodes.at_mut(known)?;
        if node.g <= g {
            return Ok(false);
        }
        node.is_superseded = true;
        let key = (Cost(node.f), known);
        self.of_state.remove(state);
        if self.open.remove(&key) || self.dead.remove(&key) {
            self.drop_node(known)?;
        }
        Ok(true)
    }

    fn add(&mut self, state: S, g: f64, bound: f64, before: Option<usize>) -> Result<()> {
        let f = g + bound;
        let node = Node { state: state.clone(), g, f, before, references: 0, is_superseded: false };
        let at = match self.free.pop() {
            Some(at) => {
                *self.nodes.at_mut(at)? = node;
                at
            }
            None => {
                self.nodes.push(node);
                self.nodes.len() - 1
            }
        };
        if let Some(before) = before {
            self.nodes.at_mut(before)?.references += 1;
        }
        self.open.insert((Cost(f), at));
        self.of_state.insert(state, at);
        Ok(())
    }

    /// Drops a state and returns the lowest possible cost of a path through it; infinity if the state is
    /// already expanded. `None` if nothing can be dropped.
    fn evict(&mut self) -> Result<Option<f64>> {
        let dead = self.dead.pop_last().map(|(_, node)| (f64::INFINITY, node));
        let Some((lost, node)) = dead.or_else(|| self.open.pop_last().map(|(Cost(f), node)| (f, node)))
        else {
            return Ok(None);
        };
        self.of_state.remove(&self.nodes.at(node)?.state);
        self.drop_node(node)?;
        Ok(Some(lost))
    }

    /// Frees a node that is in no list, and releases its predecessor.
    fn drop_node(&mut self, node: usize) -> Result<()> {
        self.free.push(node);
        match self.nodes.at_mut(node)?.before.take() {
            Some(before) => self.release(before),
            None => Ok(()),
        }
    }

    /// Releases a reference; frees the node if it was the last.
    fn release(&mut self, at: usize) -> Result<()> {
        let node = self.nodes.at_mut(at)?;
        node.references -= 1;
        if node.references > 0 {
            return Ok(());
        }
        if node.is_superseded {
            return self.drop_node(at);
        }
        let cost = Cost(node.f);
        self.dead.insert((cost, at));
        Ok(())
    }

    fn path_to(&self, goal: usize) -> Result<Vec<S>> {
        let mut states = Vec::new();
        let mut next = Some(goal);
        while let Some(at) = next {
            let node = self.nodes.at(at)?;
            states.push(node.state.clone());
            next = node.before;
        }
        states.reverse();
        Ok(states)
    }
}

#[cfg(test)]
mod tests {
    use marey_motion::Coded;
    use proptest::prelude::*;

    use super::*;

    /// A graph with directed edges, and a heuristic that is a fraction of the true remaining cost.
    #[derive(Debug)]
    struct Graph {
        node_count: usize,
        costs: Vec<Option<f64>>,
        goal: usize,
        bounds: Vec<f64>,
    }

    impl Space for Graph {
        type State = usize;

        fn steps(&self, from: &usize, to: &mut Vec<(usize, f64)>) {
            let edges = self.costs[from * self.node_count..][..self.node_count].iter().enumerate();
            to.extend(edges.filter_map(|(node, cost)| Some((node, (*cost)?))));
        }

        fn is_goal(&self, state: &usize) -> bool {
            *state == self.goal
        }

        fn bound(&self, state: &usize) -> f64 {
            self.bounds[*state]
        }
    }

    /// The cheapest remaining cost of each node, by Bellman and Ford.
    fn bellman_ford(node_count: usize, costs: &[Option<f64>], goal: usize) -> Vec<f64> {
        let mut remaining = vec![f64::INFINITY; node_count];
        remaining[goal] = 0.0;
        for _ in 0..node_count {
            for from in 0..node_count {
                for to in 0..node_count {
                    if let Some(cost) = costs[from * node_count + to] {
                        remaining[from] = remaining[from].min(cost + remaining[to]);
                    }
                }
            }
        }
        remaining
    }

    fn graphs() -> impl Strategy<Value = (Graph, Vec<f64>)> {
        (2usize..12).prop_flat_map(|node_count| {
            let cost = prop::option::weighted(0.3, (0u32..9).prop_map(f64::from));
            let quarters = prop::collection::vec(0u32..=4, node_count);
            (prop::collection::vec(cost, node_count * node_count), quarters, 0..node_count).prop_map(
                move |(costs, quarters, goal)| {
                    let remaining = bellman_ford(node_count, &costs, goal);
                    let bounds = remaining.iter().zip(&quarters).map(|(remaining, quarter)| {
                        if *quarter == 0 { 0.0 } else { remaining * 0.25 * f64::from(*quarter) }
                    });
                    let bounds = bounds.collect();
                    (Graph { node_count, costs, goal, bounds }, remaining)
                },
            )
        })
    }

    proptest! {
        #[test]
        fn search_equals_bellman_ford((graph, remaining) in graphs()) {
            let found = a_star(&graph, 0, 1000).unwrap();
            prop_assert_eq!(found.as_ref().map_or(f64::INFINITY, |found| found.cost), remaining[0]);
            if let Some(found) = found {
                prop_assert!(found.proven);
                prop_assert_eq!((found.states[0], *found.states.last().unwrap()), (0, graph.goal));
                let step_costs = found.states.windows(2).map(|pair| graph.costs[pair[0] * graph.node_count + pair[1]].unwrap());
                prop_assert_eq!(step_costs.sum::<f64>(), found.cost);
            }
        }

        #[test]
        fn bounded_memory_never_claims_a_false_proof((graph, remaining) in graphs(), max_states in 2usize..8) {
            if let Some(found) = a_star(&graph, 0, max_states).unwrap() {
                prop_assert!(found.cost >= remaining[0]);
                prop_assert!(!found.proven || found.cost == remaining[0]);
                let step_costs = found.states.windows(2).map(|pair| graph.costs[pair[0] * graph.node_count + pair[1]].unwrap());
                prop_assert_eq!(step_costs.sum::<f64>(), found.cost);
            }
        }
    }

    /// Steps of one or two along a line, with a heuristic of 0.
    struct Line(f64);

    impl Space for Line {
        type State = u32;

        fn steps(&self, from: &u32, to: &mut Vec<(u32, f64)>) {
            to.extend([(from + 1, self.0), (from + 2, 2.0)]);
        }

        fn is_goal(&self, state: &u32) -> bool {
            *state >= 40
        }

        fn bound(&self, _: &u32) -> f64 {
            0.0
        }
    }

    #[test]
    fn memory_stays_bounded_and_costs_are_checked() {
        // Only the newest states and the path to them are needed.
        let found = a_star(&Line(1.0), 0, 60).unwrap().unwrap();
        assert_eq!((found.cost, found.proven), (40.0, true));
        // The path itself exceeds the limit: it is kept anyway, but nothing else.
        let tight = a_star(&Line(1.0), 0, 2).unwrap();
        assert!(tight.is_none_or(|found| !found.proven || found.cost == 40.0));
        assert_eq!(a_star(&Line(f64::NAN), 0, 60).unwrap_err().code().id, "plan/cost");
    }
}
