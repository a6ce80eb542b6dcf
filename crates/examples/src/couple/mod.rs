//! Two people who dance together: poses from paths, footfalls and hand holds.
//!
//! A [`Dancer`] follows a path over the floor and lands a foot at each [`Footfall`]. As in [`crate::gait`], the feet are planned first
//! and the body is fitted to them. A [`Couple`] is two dancers with a schedule for their hands: the follower's right hand is always in one of the
//! leader's; other hands rest on the partner's body or are free ([`Goal`]). The hands are placed last, for both bodies at once, so that
//! holds are exact.
//!
//! Limits: feet stand still or are in the air. They do not pivot on the ball, so in a spin the hips twist over them. Fingers do not
//! close.

mod dancer;
mod embrace;
mod footfalls;
mod grip;
mod hands;
mod pair;
mod path;
mod wrist;

pub(crate) use dancer::{Dancer, DancerPosture};
pub(crate) use embrace::{Embrace, OFFSET_M, OPEN_RAD};
pub(crate) use footfalls::{Footfall, footsteps};
pub(crate) use grip::Grip;
pub(crate) use hands::{Goal, Hands, Span};
pub(crate) use pair::{Couple, arm_reach_m, idle_motion};
pub(crate) use path::Path;
pub(crate) use wrist::pose_arm;
