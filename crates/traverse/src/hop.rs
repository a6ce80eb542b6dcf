//! Hops between two footings: the query that finds them, and their cost.

use crate::clearance::lift_m;
use crate::fit_query::{FitQuery, PrimitiveFit};
use crate::{Footing, Footings, PrimitiveDatabase};

/// A hop or stride that the planner considers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Hop {
    pub(crate) fit: PrimitiveFit,
    /// Cost of lifting the arc over the terrain, in m²; ∞ if the hop is impossible.
    pub(crate) lift: f64,
}

impl Hop {
    pub(crate) fn total(&self) -> f64 {
        self.fit.total() + self.lift
    }
}

impl PrimitiveDatabase {
    /// The query for the hops from a footing, after a primitive.
    pub(crate) fn fit_query<'a>(
        &'a self,
        footings: &'a Footings,
        user_costs: &'a [f32],
        footing: usize,
        after: Option<usize>,
    ) -> FitQuery<'a> {
        let settings = self.settings();
        FitQuery {
            position: footings.all()[footing].position,
            state: self.state_after(after),
            footings,
            user_costs,
            k_env: settings.k_env,
            k_user: settings.k_user,
            max_shift_m: settings.max_shift_m,
            count: settings.candidates,
            max_cost: f64::INFINITY,
        }
    }

    /// Whether a primitive may follow another: feet alternate.
    pub(crate) fn may_follow(&self, after: Option<usize>, primitive: usize) -> bool {
        let foot = |primitive: usize| self.primitives()[primitive].foot;
        let previous = after.and_then(foot);
        previous.is_none() || previous != foot(primitive)
    }

    /// Cost of lifting the arc of a primitive between two footings; ∞ beyond the maximum lift, and if a walker cannot make the
    /// stride.
    pub(crate) fn lift_cost(&self, footings: &Footings, ends: [&Footing; 2], primitive: usize) -> f64 {
        if footings.is_refused(ends, primitive) {
            return f64::INFINITY;
        }
        let (settings, profile) = (self.settings(), footings.profile());
        let primitive = &self.primitives()[primitive];
        let lift_m = match self.limits() {
            Some(limits) => limits.lift_m(primitive, ends, settings, profile),
            None => lift_m(primitive, ends, self.half_sole_m(), settings.easing, profile),
        };
        if lift_m <= settings.max_lift_m { settings.k_env * f64::from(lift_m).powi(2) } else { f64::INFINITY }
    }
}
