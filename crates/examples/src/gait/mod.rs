//! How a figure goes: from a list of steps to poses.
//!
//! [`Step`]s, as a planner wishes them → [`Footsteps`], where and when each foot stands → [`Travel`], the path of the
//! body over them → [`Feet`], that roll from heel to toe and stand still between → the pelvis, as high as both legs
//! reach → trunk, head and arms, that swing along. All of it is a function of time; frames are read off at the end.
//!
//! The pieces follow the footprint-driven animation of van de Panne (*From footprints to animation*, 1997): feet first,
//! then a body that can have made them. Timing and amplitudes are those of level walking as textbooks have them (Perry
//! and Burnfield, *Gait Analysis*, 2nd ed.; Winter, *The Biomechanics and Motor Control of Human Gait*, 2nd ed.).

mod arms;
mod contacts;
mod feet;
mod footsteps;
mod pelvis;
mod performer;
mod style;
mod swing;
mod travel;
mod trunk;

pub(crate) use contacts::contacts;
pub(crate) use feet::Feet;
pub(crate) use footsteps::{Footsteps, Hold, Step, USUAL_STEP};
pub(crate) use pelvis::{PelvisPose, room_above};
pub(crate) use performer::{Performer, pose_leg};
pub use style::Style;
pub(crate) use swing::FootPose;
pub(crate) use travel::Travel;
