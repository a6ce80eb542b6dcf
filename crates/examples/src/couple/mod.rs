//! Two people who dance together: from where they are to go, step and hold to poses.
//!
//! A [`Dancer`] follows a path over the floor and puts a foot down at each [`Footfall`]; as in [`crate::gait`], feet come
//! first, then a body that can have made them. A [`Couple`] is two dancers and what their hands do: the follower's right
//! hand is in one of the leader's, always, and other hands lie on the partner's body or are free ([`Goal`]). The hands
//! are placed last, over both bodies at once, so that what holds does hold.
//!
//! Known limits: feet stand still or are in the air; they do not pivot on the ball as dancers' feet do, so in a spin the
//! hips twist over them. Fingers do not close.

mod dancer;
mod embrace;
mod footfalls;
mod grip;
mod hands;
mod pair;
mod path;
mod wrist;

pub(crate) use dancer::{Carriage, Dancer};
pub(crate) use embrace::{Embrace, OFFSET_M, OPEN_RAD};
pub(crate) use footfalls::{Footfall, footsteps};
pub(crate) use grip::Grip;
pub(crate) use hands::{Goal, Hands, Span};
pub(crate) use pair::{Couple, whims};
pub(crate) use path::Path;
pub(crate) use wrist::pose_arm;
