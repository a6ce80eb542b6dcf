//! A hop from a footing to another: what is asked for it, and what it costs.

use crate::ask::{Ask, Fit};
use crate::clearance::lift_m;
use crate::{Database, Footing, Footings};

/// A hop that was chosen, or could have been.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Hop {
    pub(crate) fit: Fit,
    /// What it costs that the arc must be lifted, in m²; ∞ where the hop cannot be made.
    pub(crate) lift: f64,
}

impl Hop {
    pub(crate) fn total(&self) -> f64 {
        self.fit.total() + self.lift
    }
}

impl Database {
    /// Asks for the hops from a footing after a primitive.
    pub(crate) fn ask_from<'a>(
        &'a self,
        footings: &'a Footings,
        user: &'a [f32],
        footing: usize,
        after: Option<usize>,
    ) -> Ask<'a> {
        let settings = self.settings();
        Ask {
            at: footings.all()[footing].at,
            state: self.state_after(after),
            footings,
            user,
            k_env: settings.k_env,
            k_user: settings.k_user,
            most_shift_m: settings.most_shift_m,
            count: settings.candidates,
            most: f64::INFINITY,
        }
    }

    /// Whether a primitive may come after another: feet take turns.
    pub(crate) fn may_follow(&self, after: Option<usize>, primitive: usize) -> bool {
        let foot = |primitive: usize| self.primitives()[primitive].foot;
        let before = after.and_then(foot);
        before.is_none() || before != foot(primitive)
    }

    /// What it costs that the arc of a primitive must be lifted between two footings; ∞ where it would have to be lifted too far.
    pub(crate) fn lift(&self, footings: &Footings, ends: [&Footing; 2], primitive: usize) -> f64 {
        let settings = self.settings();
        let primitive = &self.primitives()[primitive];
        let lift_m = lift_m(primitive, ends, self.half_sole_m(), settings.phase, footings.profile());
        if lift_m <= settings.most_lift_m {
            settings.k_env * f64::from(lift_m).powi(2)
        } else {
            f64::INFINITY
        }
    }
}
