//! Quality: accuracy, error, agreement with truth.

pub(crate) mod follow;
pub(crate) mod formats;
pub(crate) mod ops;
mod ops_bodies;
mod ops_cuts;
mod ops_dance;
pub(crate) mod realise;
