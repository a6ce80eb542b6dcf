//! What a line of hops costs at least, whatever the ground.
//!
//! ```text
//! L₀ = 0        Lₙ(p) = min over q (d_state(p, q) + k₂ d_user(q) + Lₙ₋₁(q))
//! ```
//!
//! Lₙ(p) is what n more hops cost at least after a primitive p: the costs of ground and lifts are left out. Where examples are too many
//! to know how each begins from how each ends, no hop costs less than the least that the user's taste has against any.

use crate::{Database, State};

/// Lₙ of every primitive.
pub(crate) struct Floor {
    /// One list after the other, for n from 0.
    after: Vec<f64>,
    primitives: usize,
    /// The least of each list.
    any: Vec<f64>,
    /// No hop leads farther, in metres.
    farthest_m: f32,
}

impl Floor {
    /// For lines of up to so many hops.
    pub(crate) fn of(database: &Database, user: &[f32], hops: usize) -> Self {
        let settings = database.settings();
        let primitives = database.primitives().len();
        let taste = |next: usize| settings.k_user * f64::from(user.get(next).copied().unwrap_or(0.0));
        let mut after = vec![0.0; primitives];
        let mut any = vec![0.0];
        for number in 0..hops {
            let on: Vec<f64> = after[number * primitives..]
                .iter()
                .enumerate()
                .map(|(next, cost)| taste(next) + cost)
                .collect();
            let least = on.iter().copied().fold(f64::INFINITY, f64::min);
            after.extend((0..primitives).map(|last| match database.state_after(Some(last)) {
                State::Known(apart) => {
                    let costs = apart.iter().zip(&on).map(|(state, on)| f64::from(*state) + on);
                    costs.fold(f64::INFINITY, f64::min)
                }
                _ => least,
            }));
            any.push(after[(number + 1) * primitives..].iter().copied().fold(f64::INFINITY, f64::min));
        }
        let farthest_m = database.longest_m() + settings.most_shift_m;
        Self { after, primitives, any, farthest_m }
    }

    /// No hop leads farther, in metres.
    pub(crate) fn farthest_m(&self) -> f32 {
        self.farthest_m
    }

    /// What so many hops, or as many as it takes to go a way, cost at least after a primitive; `None`: after any.
    pub(crate) fn at_least(&self, after: Option<usize>, hops: usize, away_m: f32) -> f64 {
        let needed = (away_m.max(0.0) / self.farthest_m).ceil() as usize;
        let hops = hops.min(needed);
        after.map_or(self.any[hops], |after| self.after[hops * self.primitives + after])
    }
}
