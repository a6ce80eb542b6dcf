//! Gait: from a list of steps to poses.
//!
//! [`Step`]s of a planner → [`Footsteps`], the place and time of each foot → [`Travel`], the path of the body over them → [`Feet`], which
//! roll from heel to toe and stand still in between → the pelvis, as high as both legs allow → trunk, head and arms. Everything is a
//! function of time, and is sampled to frames at the end.
//!
//! The method is footprint-driven animation (van de Panne, *From footprints to animation*, 1997): the feet are planned first and the
//! body is fitted to them. Timing and amplitudes are those of level walking (Perry and Burnfield, *Gait Analysis*, 2nd ed.; Winter, *The Biomechanics and
//! Motor Control of Human Gait*, 2nd ed.).

mod arms;
mod contacts;
mod feet;
mod footsteps;
mod leg;
mod pelvis;
mod performer;
mod style;
mod swing;
mod travel;
mod trunk;

pub(crate) use contacts::contacts;
pub(crate) use feet::Feet;
pub(crate) use footsteps::{Foothold, Footsteps, Step, USUAL_STEP};
pub(crate) use leg::{LegPose, pose_leg};
pub(crate) use pelvis::{PelvisPose, headroom_m};
pub(crate) use performer::Performer;
pub use style::GaitStyle;
pub(crate) use swing::{FootPose, Swing, on_ball};
pub(crate) use travel::Travel;
