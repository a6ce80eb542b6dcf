//! Transitions of one joint between its orientations.
//!
//! | symbol | name | unit |
//! |---|---|---|
//! | −log P(t \| s) | `cost` of the edge from s to t: its negative log-likelihood | nats |
//! | V(k, s) | cost-to-go: the least cost of k steps from s to a goal | nats |

use std::collections::BTreeMap;

/// A transition of a joint to an orientation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TransitionEdge {
    /// Index of the target orientation.
    pub to: u16,
    /// Negative log-likelihood in nats, at least 0.
    pub cost: f32,
}

/// The transitions of one joint between its orientations.
#[derive(Debug, Clone, PartialEq)]
pub struct TransitionGraph {
    /// Edges of each orientation, sorted by target.
    edges: Vec<Vec<TransitionEdge>>,
}

/// The least cost of reaching a goal, by number of steps and start.
#[derive(Debug, Clone)]
pub struct CostToGo {
    orientations: usize,
    /// Steps × orientations.
    costs: Vec<f32>,
}

impl TransitionGraph {
    /// Learns from sequences of orientations. Transitions to `neighbours` are possible even if unseen: they
    /// share a pseudo-count of `smoothing` transitions. With 0, only seen transitions are possible.
    ///
    /// ```
    /// use marey_tween::TransitionGraph;
    /// // From 0 once to 1 and once to 0; from 1 always to 2.
    /// let graph = TransitionGraph::learn(3, [[0, 0, 1, 2].as_slice()].into_iter(), &[], 0.0);
    /// let costs: Vec<_> = graph.edges(0).iter().map(|edge| (edge.to, edge.cost)).collect();
    /// assert_eq!(costs, [(0, 2f32.ln()), (1, 2f32.ln())]);
    /// assert_eq!(graph.edges(1)[0].cost, 0.0);
    /// // In three steps from 0 to 2: stay, go, go.
    /// let cost_to_go = graph.cost_to_go(2, 3);
    /// assert_eq!(cost_to_go.cost(3, 0), 2.0 * 2f32.ln());
    /// assert_eq!(cost_to_go.cost(1, 0), f32::INFINITY);
    /// // With smoothing, 1 may go back: half a transition of one and a half.
    /// let neighbours = [vec![], vec![0], vec![]];
    /// let smoothed = TransitionGraph::learn(3, [[0, 0, 1, 2].as_slice()].into_iter(), &neighbours, 0.5);
    /// assert_eq!(smoothed.cost(1, 0), Some(3f32.ln()));
    /// ```
    pub fn learn<'a>(
        orientations: usize,
        sequences: impl Iterator<Item = &'a [u16]>,
        neighbours: &[Vec<u16>],
        smoothing: f32,
    ) -> Self {
        let mut counts: BTreeMap<(u16, u16), f32> = BTreeMap::new();
        let mut leaving = vec![0.0f32; orientations];
        let mut count = |from: u16, to: u16, steps: f32| {
            *counts.entry((from, to)).or_default() += steps;
            leaving.iter_mut().skip(from.into()).take(1).for_each(|count| *count += steps);
        };
        for sequence in sequences {
            sequence.iter().zip(sequence.iter().skip(1)).for_each(|(&from, &to)| count(from, to, 1.0));
        }
        if smoothing > 0.0 {
            for (from, near) in neighbours.iter().enumerate().take(orientations) {
                near.iter().for_each(|&to| count(from as u16, to, smoothing / near.len() as f32));
            }
        }
        let mut edges = vec![Vec::new(); orientations];
        for ((from, to), count) in counts {
            let all = leaving.get(usize::from(from)).copied().unwrap_or(1.0);
            if let Some(edges) = edges.get_mut(usize::from(from)) {
                edges.push(TransitionEdge { to, cost: (all / count).ln().max(0.0) });
            }
        }
        Self { edges }
    }

    /// Number of orientations.
    pub fn len(&self) -> usize {
        self.edges.len()
    }

    /// Whether there are no orientations.
    pub fn is_empty(&self) -> bool {
        self.edges.is_empty()
    }

    /// Transitions from an orientation.
    pub fn edges(&self, from: u16) -> &[TransitionEdge] {
        self.edges.get(usize::from(from)).map_or(&[], Vec::as_slice)
    }

    /// Cost of a transition; `None` if it is impossible.
    pub fn cost(&self, from: u16, to: u16) -> Option<f32> {
        let edges = self.edges(from);
        let at = edges.binary_search_by_key(&to, |edge| edge.to).ok()?;
        edges.get(at).map(|edge| edge.cost)
    }

    /// V: the least cost of being at a goal after 0, 1, … `max_steps` steps, from every orientation.
    pub fn cost_to_go(&self, goal: u16, max_steps: usize) -> CostToGo {
        let orientations = self.edges.len();
        let mut costs = vec![f32::INFINITY; orientations];
        if let Some(cost) = costs.get_mut(usize::from(goal)) {
            *cost = 0.0;
        }
        for step in 0..max_steps {
            let before = costs.get(step * orientations..).unwrap_or_default().to_vec();
            for edges in &self.edges {
                let through = |edge: &TransitionEdge| {
                    edge.cost + before.get(usize::from(edge.to)).copied().unwrap_or(f32::INFINITY)
                };
                costs.push(edges.iter().map(through).fold(f32::INFINITY, f32::min));
            }
        }
        CostToGo { orientations, costs }
    }
}

impl CostToGo {
    /// The least cost from an orientation in exactly `steps` steps; infinite if the goal cannot be reached.
    pub fn cost(&self, steps: usize, from: u16) -> f32 {
        let index = steps.checked_mul(self.orientations).map(|row| row + usize::from(from));
        index.and_then(|index| self.costs.get(index)).copied().unwrap_or(f32::INFINITY)
    }
}
