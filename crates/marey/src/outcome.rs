//! What a verb returns.

use crate::motion::{Contacts, Report, Take};
use crate::plan::{Plan, Trace};

/// The result of a verb that makes motion.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome<D> {
    /// The motion of every actor.
    pub take: Take,
    /// When each actor's feet touch the ground.
    pub contacts: Vec<Contacts>,
    /// The decisions behind the motion: `marey::realise` turns the plan into the same motion. `None` for `perform`, which
    /// decides frame by frame.
    pub plan: Option<Plan>,
    /// The candidates of every decision and their costs. Empty if the engine records none or was not asked to.
    pub trace: Trace,
    /// Warnings.
    pub report: Report,
    /// What this engine alone reports.
    pub details: D,
}
