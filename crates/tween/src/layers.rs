//! The postures that ways of one length go over, layer by layer.

use crate::graph::ToGo;
use crate::successors::successors;
use crate::way::sum;
use crate::{Posture, SearchSettings, Style};

/// A search of ways in just so many steps.
pub(crate) struct Layers<'a> {
    pub(crate) style: &'a Style,
    /// Of each joint.
    pub(crate) to_go: &'a [ToGo],
    pub(crate) steps: usize,
    pub(crate) settings: &'a SearchSettings,
    /// How many postures of a layer are kept.
    pub(crate) width: usize,
    /// Ways that cost as much are of no use.
    pub(crate) bar: f64,
}

/// What came of it.
pub(crate) struct Run {
    /// The best way; empty where none is cheaper than the bar, or the time was over.
    pub(crate) postures: Vec<Posture>,
    /// What it costs; infinity where there is none.
    pub(crate) cost: f64,
    /// No way of so many steps that is cheaper than the bar costs less.
    pub(crate) least: f64,
    /// How many postures were looked at.
    pub(crate) looked_at: usize,
}

/// A posture on the way.
struct Node {
    posture: Posture,
    g: f64,
    f: f64,
    /// Which of the layer before it comes from.
    before: usize,
}

impl Layers<'_> {
    /// Searches; `most` is how many postures may be looked at.
    pub(crate) fn run(&self, from: &[u16], most: Option<usize>) -> Run {
        let mut layers = vec![vec![Node { posture: from.to_vec(), g: 0.0, f: 0.0, before: 0 }]];
        let (mut forgotten, mut looked_at) = (f64::INFINITY, 0);
        for left in (0..self.steps).rev() {
            let mut next: Vec<Node> = Vec::new();
            for (before, node) in layers.last().into_iter().flatten().enumerate() {
                looked_at += 1;
                self.follow(node, before, left, &mut next, &mut forgotten);
            }
            if most.is_some_and(|most| looked_at >= most) && left > 0 {
                return Run { postures: Vec::new(), cost: f64::INFINITY, least: 0.0, looked_at };
            }
            self.keep_best(&mut next, &mut forgotten);
            layers.push(next);
        }
        let last = layers.last().and_then(|layer| layer.first());
        let cost = last.map_or(f64::INFINITY, |node| node.g);
        let (mut postures, mut at) = (Vec::new(), 0);
        for layer in layers.iter().rev().filter(|_| cost < f64::INFINITY) {
            let Some(node) = layer.get(at) else { break };
            postures.push(node.posture.clone());
            at = node.before;
        }
        postures.reverse();
        Run { postures, cost, least: forgotten.min(cost).min(self.bar), looked_at }
    }

    /// The next postures of one, with so many steps left then; what is left out costs at least what is noted.
    fn follow(&self, node: &Node, before: usize, left: usize, next: &mut Vec<Node>, forgotten: &mut f64) {
        let to_go = |joint: usize, state: u16| {
            self.to_go.get(joint).map_or(f32::INFINITY, |to_go| to_go.cost(left, state))
        };
        let found = successors(self.style, &node.posture, to_go, self.settings.successors);
        // Sums in single precision may be a little high.
        *forgotten = forgotten.min(node.g + f64::from(found.others) * (1.0 - 1e-5));
        for (posture, step) in found.postures {
            let g = node.g + step;
            let h = sum(self.to_go, left, &posture);
            if g + h < self.bar {
                next.push(Node { posture, g, f: g + self.settings.greed * h, before });
            }
        }
    }

    /// Keeps the cheapest way to each posture, and the best postures.
    fn keep_best(&self, layer: &mut Vec<Node>, forgotten: &mut f64) {
        layer.sort_by(|a, b| a.posture.cmp(&b.posture).then(a.g.total_cmp(&b.g)));
        layer.dedup_by(|next, kept| next.posture == kept.posture);
        layer.sort_by(|a, b| a.f.total_cmp(&b.f).then_with(|| a.posture.cmp(&b.posture)));
        // f is at least g + h, which is what is wanted here, for the greed of 1; for more, g + h is at least f over greed.
        for lost in layer.iter().skip(self.width) {
            *forgotten = forgotten.min(lost.f / self.settings.greed);
        }
        layer.truncate(self.width);
    }
}
