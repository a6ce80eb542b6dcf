//! Speed and memory.

pub(crate) mod corpus;
pub(crate) mod duet;
pub(crate) mod first_query;
pub(crate) mod follow;
pub(crate) mod formats;
pub(crate) mod motion;
pub(crate) mod peak_memory;
pub(crate) mod perform;
pub(crate) mod python;
pub(crate) mod realise;
pub(crate) mod segments;
pub(crate) mod traverse;
pub(crate) mod vary;
