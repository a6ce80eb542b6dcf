//! Quality: accuracy, error, agreement with truth.

pub(crate) mod cluster;
pub(crate) mod duet;
pub(crate) mod examples;
pub(crate) mod follow;
pub(crate) mod formats;
pub(crate) mod ops;
mod ops_beats;
mod ops_bodies;
mod ops_cuts;
mod ops_dance;
pub(crate) mod perform;
mod perform_world;
pub(crate) mod realise;
mod score;
pub(crate) mod traverse;
mod traverse_walk;
pub(crate) mod tween;
mod usual;
pub(crate) mod vary;
mod vary_dance;
