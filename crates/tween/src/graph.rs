//! How one joint moves: from which orientation to which, and how likely.
//!
//! | symbol | name | unit |
//! |---|---|---|
//! | −log P(t \| s) | `cost` of the edge from s to t: how unlikely that step is | nats |
//! | V(k, s) | the least that k steps from s to a goal cost | nats |

use std::collections::BTreeMap;

/// A step that a joint can take.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Edge {
    /// The orientation at its other end.
    pub to: u16,
    /// How unlikely it is, in nats; 0 or more.
    pub cost: f32,
}

/// The steps of one joint between its orientations.
#[derive(Debug, Clone, PartialEq)]
pub struct Graph {
    /// For each orientation, sorted by where they go.
    edges: Vec<Vec<Edge>>,
}

/// The least cost of reaching a goal in a number of steps.
#[derive(Debug, Clone)]
pub struct ToGo {
    orientations: usize,
    /// Steps × orientations.
    costs: Vec<f32>,
}

impl Graph {
    /// Learns from sequences of orientations. `neighbours` of each orientation may be stepped to though that was never seen, with
    /// as much likelihood as so many steps of `doubt` have; with none, only what was seen can be.
    ///
    /// ```
    /// use marey_tween::Graph;
    /// // From 0, once to 1 and once on 0; from 1 always to 2.
    /// let graph = Graph::learn(3, [[0, 0, 1, 2].as_slice()].into_iter(), &[], 0.0);
    /// let costs: Vec<_> = graph.edges(0).iter().map(|edge| (edge.to, edge.cost)).collect();
    /// assert_eq!(costs, [(0, 2f32.ln()), (1, 2f32.ln())]);
    /// assert_eq!(graph.edges(1)[0].cost, 0.0);
    /// // In three steps from 0 to 2: stay, go, go.
    /// let to_go = graph.to_go(2, 3);
    /// assert_eq!(to_go.cost(3, 0), 2.0 * 2f32.ln());
    /// assert_eq!(to_go.cost(1, 0), f32::INFINITY);
    /// // With doubt, 1 may go back: half a step of one and a half.
    /// let doubting = Graph::learn(3, [[0, 0, 1, 2].as_slice()].into_iter(), &[vec![], vec![0], vec![]], 0.5);
    /// assert_eq!(doubting.cost(1, 0), Some(3f32.ln()));
    /// ```
    pub fn learn<'a>(
        orientations: usize,
        sequences: impl Iterator<Item = &'a [u16]>,
        neighbours: &[Vec<u16>],
        doubt: f32,
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
        if doubt > 0.0 {
            for (from, near) in neighbours.iter().enumerate().take(orientations) {
                near.iter().for_each(|&to| count(from as u16, to, doubt / near.len() as f32));
            }
        }
        let mut edges = vec![Vec::new(); orientations];
        for ((from, to), count) in counts {
            let all = leaving.get(usize::from(from)).copied().unwrap_or(1.0);
            if let Some(edges) = edges.get_mut(usize::from(from)) {
                edges.push(Edge { to, cost: (all / count).ln().max(0.0) });
            }
        }
        Self { edges }
    }

    /// How many orientations there are.
    pub fn len(&self) -> usize {
        self.edges.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.edges.is_empty()
    }

    /// The steps from an orientation.
    pub fn edges(&self, from: u16) -> &[Edge] {
        self.edges.get(usize::from(from)).map_or(&[], Vec::as_slice)
    }

    /// What a step costs; none where it cannot be taken.
    pub fn cost(&self, from: u16, to: u16) -> Option<f32> {
        let edges = self.edges(from);
        let at = edges.binary_search_by_key(&to, |edge| edge.to).ok()?;
        edges.get(at).map(|edge| edge.cost)
    }

    /// V: the least cost of being at a goal after 0, 1, … `most_steps` steps, from everywhere.
    pub fn to_go(&self, goal: u16, most_steps: usize) -> ToGo {
        let orientations = self.edges.len();
        let mut costs = vec![f32::INFINITY; orientations];
        if let Some(cost) = costs.get_mut(usize::from(goal)) {
            *cost = 0.0;
        }
        for step in 0..most_steps {
            let before = costs.get(step * orientations..).unwrap_or_default().to_vec();
            for edges in &self.edges {
                let over = |edge: &Edge| {
                    edge.cost + before.get(usize::from(edge.to)).copied().unwrap_or(f32::INFINITY)
                };
                costs.push(edges.iter().map(over).fold(f32::INFINITY, f32::min));
            }
        }
        ToGo { orientations, costs }
    }
}

impl ToGo {
    /// The least cost from an orientation in so many steps; infinite where there is no way.
    pub fn cost(&self, steps: usize, from: u16) -> f32 {
        let index = steps.checked_mul(self.orientations).map(|row| row + usize::from(from));
        index.and_then(|index| self.costs.get(index)).copied().unwrap_or(f32::INFINITY)
    }
}
