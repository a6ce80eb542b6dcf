//! Beam search for paths of one length, layer by layer.

use marey_motion::Observer;

use crate::error::check_cancelled;
use crate::pose_path::lower_bound;
use crate::successors::successors;
use crate::transition_graph::CostToGo;
use crate::{MotionStyle, PathSearchSettings, Posture, Result};

/// Number of postures that are expanded between two looks at the observer.
const LOOK: usize = 32;

/// A search for paths with a fixed number of steps.
pub(crate) struct BeamSearch<'a> {
    pub(crate) style: &'a MotionStyle,
    /// Cost-to-go table of each joint.
    pub(crate) cost_to_go: &'a [CostToGo],
    pub(crate) steps: usize,
    pub(crate) settings: &'a PathSearchSettings,
    /// Number of postures kept per layer.
    pub(crate) width: usize,
    /// Paths that cost as much or more are discarded.
    pub(crate) upper_bound: f64,
}

pub(crate) struct BeamResult {
    /// The best path; empty if no path is cheaper than the upper bound, or the search ran out of expansions.
    pub(crate) postures: Vec<Posture>,
    /// Cost of the best path; infinity if there is none.
    pub(crate) cost: f64,
    /// Lower bound for the cost of all paths with this number of steps, at most the upper bound.
    pub(crate) lower_bound: f64,
    /// Number of expanded postures.
    pub(crate) expanded: usize,
}

struct Node {
    posture: Posture,
    g: f64,
    f: f64,
    /// Index of the predecessor in the previous layer.
    predecessor: usize,
}

impl BeamSearch<'_> {
    /// Searches from a posture; expands at most `max_expansions` postures, if given. Fails if `observer` cancels.
    pub(crate) fn run(
        &self,
        from: &[u16],
        max_expansions: Option<usize>,
        observer: Observer<'_>,
    ) -> Result<BeamResult> {
        let mut layers = vec![vec![Node { posture: from.to_vec(), g: 0.0, f: 0.0, predecessor: 0 }]];
        // Lower bound for the cost of everything that was pruned.
        let (mut pruned, mut expanded) = (f64::INFINITY, 0);
        for steps_left in (0..self.steps).rev() {
            let mut next: Vec<Node> = Vec::new();
            for (predecessor, node) in layers.last().into_iter().flatten().enumerate() {
                if expanded % LOOK == 0 {
                    check_cancelled(observer)?;
                }
                expanded += 1;
                self.expand(node, predecessor, steps_left, &mut next, &mut pruned)?;
            }
            if max_expansions.is_some_and(|max| expanded >= max) && steps_left > 0 {
                let (postures, cost) = (Vec::new(), f64::INFINITY);
                return Ok(BeamResult { postures, cost, lower_bound: 0.0, expanded });
            }
            self.prune(&mut next, &mut pruned);
            layers.push(next);
        }
        let goal = layers.last().and_then(|layer| layer.first());
        let cost = goal.map_or(f64::INFINITY, |node| node.g);
        let (mut postures, mut index) = (Vec::new(), 0);
        for layer in layers.iter().rev().filter(|_| cost < f64::INFINITY) {
            let Some(node) = layer.get(index) else { break };
            postures.push(node.posture.clone());
            index = node.predecessor;
        }
        postures.reverse();
        let lower_bound = pruned.min(cost).min(self.upper_bound);
        Ok(BeamResult { postures, cost, lower_bound, expanded })
    }

    /// Adds the successors of a node, and lowers `pruned` to the bound of those that are left out.
    fn expand(
        &self,
        node: &Node,
        predecessor: usize,
        steps_left: usize,
        next: &mut Vec<Node>,
        pruned: &mut f64,
    ) -> Result<()> {
        let cost_to_go = |joint: usize, state: u16| {
            self.cost_to_go.get(joint).map_or(f32::INFINITY, |table| table.cost(steps_left, state))
        };
        let found = successors(self.style, &node.posture, cost_to_go, self.settings.successors)?;
        // Sums in single precision may be slightly too high.
        *pruned = pruned.min(node.g + f64::from(found.other_bound) * (1.0 - 1e-5));
        for (posture, step_cost) in found.postures {
            let g = node.g + step_cost;
            let h = lower_bound(self.cost_to_go, steps_left, &posture);
            if g + h < self.upper_bound {
                next.push(Node { posture, g, f: g + self.settings.heuristic_weight * h, predecessor });
            }
        }
        Ok(())
    }

    /// Keeps the cheapest path to each posture, and the best postures of the layer.
    fn prune(&self, layer: &mut Vec<Node>, pruned: &mut f64) {
        layer.sort_by(|a, b| a.posture.cmp(&b.posture).then(a.g.total_cmp(&b.g)));
        layer.dedup_by(|next, kept| next.posture == kept.posture);
        layer.sort_by(|a, b| a.f.total_cmp(&b.f).then_with(|| a.posture.cmp(&b.posture)));
        // The bound is g + h, which is at least f / weight, because the weight is at least 1.
        for node in layer.iter().skip(self.width) {
            *pruned = pruned.min(node.f / self.settings.heuristic_weight);
        }
        layer.truncate(self.width);
    }
}
