//! What every engine has in common: a wish that can be checked, and a plan that answers it.
//!
//! An engine is made of what it knows (examples, a trained model) and its settings, once; then it answers briefs. What a
//! brief holds is the engine's own affair: a drawn path, a terrain, a partner's motion, two postures. [`answer`] holds every
//! engine to the same promises, so that the command, the studio and tests can treat all of them alike.

use marey_motion::Coded;

use crate::{Error, Plan, Seed, Trace};

/// What the user asks of an engine; one type per engine. It is brought to the working rate before it becomes a brief.
pub trait Brief {
    /// Why it may be refused.
    type Error: Coded;

    /// Checks that every number is finite and within what the engine can be asked for.
    fn validate(&self) -> Result<(), Self::Error>;

    /// The rate that the plan is to have, in frames a second.
    fn rate_hz(&self) -> f64;

    /// How many frames the plan is to have; `None` where that is for the engine to say.
    fn frames(&self) -> Option<usize>;

    /// How long the motion is to last, in seconds, where the brief says so.
    fn duration_secs(&self) -> Option<f64> {
        self.frames().map(|frames| frames as f64 / self.rate_hz())
    }
}

/// Something that answers briefs with plans.
pub trait Engine {
    /// What it can be asked for.
    type Brief: Brief;
    /// Why it may refuse.
    type Error: Coded + From<Error> + From<<Self::Brief as Brief>::Error>;

    /// Decides. The same brief and seed give the same plan, on any number of threads. Where a trace is given, every choice
    /// is noted in it; that changes nothing of the plan.
    fn plan(&self, brief: &Self::Brief, seed: Seed, trace: Option<&mut Trace>) -> Result<Plan, Self::Error>;
}

/// Asks an engine: the brief is checked before, and the plan after. It has the brief's rate and length, says the seed it was
/// made with, and is whole.
///
/// ```
/// use marey_plan::{ActorPlan, Brief, Cost, Engine, Error, Placement, Plan, Result, Seed, SourceRef, Trace, answer};
///
/// /// So many seconds of standing about.
/// struct Wait { secs: f64 }
/// impl Brief for Wait {
///     type Error = Error;
///     fn validate(&self) -> Result<()> {
///         let is_some = self.secs > 0.0 && self.secs < 1e4;
///         if is_some { Ok(()) } else { Err(Error::Value { what: "a wait".into(), value: self.secs }) }
///     }
///     fn rate_hz(&self) -> f64 { 30.0 }
///     fn frames(&self) -> Option<usize> { Some((30.0 * self.secs).ceil() as usize) }
/// }
///
/// /// Stretches the one second that it knows.
/// struct Idler;
/// impl Engine for Idler {
///     type Brief = Wait;
///     type Error = Error;
///     fn plan(&self, brief: &Wait, seed: Seed, _: Option<&mut Trace>) -> Result<Plan> {
///         let placement = Placement {
///             source: SourceRef { take: "idle".into(), actor: 0 },
///             source_start: 0, source_end: 30, start: 0, frames: brief.frames().unwrap_or(30),
///             key_times: vec![], world_from_source: Default::default(), mirrored: false,
///         };
///         let actors = vec![ActorPlan { name: "idler".into(), placements: vec![placement] }];
///         Ok(Plan { rate_hz: 30.0, seed, cost: Cost::default(), actors, meetings: vec![], targets: vec![] })
///     }
/// }
///
/// assert_eq!(answer(&Idler, &Wait { secs: 2.5 }, Seed(1), None)?.frames(), 75);
/// assert!(answer(&Idler, &Wait { secs: f64::NAN }, Seed(1), None).is_err());
/// # Ok::<(), Error>(())
/// ```
pub fn answer<E: Engine>(
    engine: &E,
    brief: &E::Brief,
    seed: Seed,
    trace: Option<&mut Trace>,
) -> Result<Plan, E::Error> {
    brief.validate()?;
    let plan = engine.plan(brief, seed, trace)?;
    plan.validate()?;
    let off = |what, found: f64, wanted: f64| Err(Error::NotAsBriefed { what, found, wanted });
    if plan.rate_hz != brief.rate_hz() {
        off("rate", plan.rate_hz, brief.rate_hz())?;
    }
    if let Some(frames) = brief.frames().filter(|frames| *frames != plan.frames()) {
        off("number of frames", plan.frames() as f64, frames as f64)?;
    }
    if plan.seed != seed {
        off("seed", plan.seed.0 as f64, seed.0 as f64)?;
    }
    Ok(plan)
}
