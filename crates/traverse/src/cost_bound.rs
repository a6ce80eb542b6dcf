//! Lower bounds of the cost of a sequence of hops on any terrain.
//!
//! ```text
//! L₀ = 0        Lₙ(p) = min over q (d_state(p, q) + k₂ d_user(q) + Lₙ₋₁(q))
//! ```
//!
//! Lₙ(p) bounds the cost of n more hops after a primitive p: it leaves out the costs of terrain and lift. If there are
//! too many primitives to precompute d_state of all pairs, a hop is bounded by the lowest d_user alone.

use crate::{PrimitiveDatabase, StartState};

/// Lₙ of every primitive.
pub(crate) struct CostBound {
    /// Lₙ of all primitives, for n = 0, 1, ….
    after: Vec<f64>,
    primitives: usize,
    /// The minimum of Lₙ over all primitives, for each n.
    any: Vec<f64>,
    /// Maximum length of an adapted hop, in metres.
    max_reach_m: f32,
}

impl CostBound {
    /// Computes the bounds for sequences of up to `hops` hops.
    pub(crate) fn new(database: &PrimitiveDatabase, user_costs: &[f32], hops: usize) -> Self {
        let settings = database.settings();
        let primitives = database.primitives().len();
        let preference =
            |next: usize| settings.k_user * f64::from(user_costs.get(next).copied().unwrap_or(0.0));
        let mut after = vec![0.0; primitives];
        let mut any = vec![0.0];
        for hop in 0..hops {
            let costs: Vec<f64> = after[hop * primitives..]
                .iter()
                .enumerate()
                .map(|(next, cost)| preference(next) + cost)
                .collect();
            let min_cost = costs.iter().copied().fold(f64::INFINITY, f64::min);
            after.extend((0..primitives).map(|last| match database.state_after(Some(last)) {
                StartState::Distances(distances) => {
                    let totals = distances.iter().zip(&costs).map(|(state, cost)| f64::from(*state) + cost);
                    totals.fold(f64::INFINITY, f64::min)
                }
                _ => min_cost,
            }));
            any.push(after[(hop + 1) * primitives..].iter().copied().fold(f64::INFINITY, f64::min));
        }
        let max_reach_m = database.max_length_m() + settings.max_shift_m;
        Self { after, primitives, any, max_reach_m }
    }

    /// Maximum length of an adapted hop, in metres.
    pub(crate) fn max_reach_m(&self) -> f32 {
        self.max_reach_m
    }

    /// Lower bound for `hops` hops after a primitive, or for as many as a distance needs; `None`: after any primitive.
    pub(crate) fn lower_bound(&self, after: Option<usize>, hops: usize, distance_m: f32) -> f64 {
        let needed = (distance_m.max(0.0) / self.max_reach_m).ceil() as usize;
        let hops = hops.min(needed);
        after.map_or(self.any[hops], |after| self.after[hops * self.primitives + after])
    }
}
