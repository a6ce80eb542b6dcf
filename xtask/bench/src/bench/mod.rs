//! Speed and memory.

mod archive;
mod cancel;
mod cluster;
mod corpus;
mod duet;
pub(crate) mod first_query;
mod follow;
mod formats;
mod growth;
mod motion;
pub(crate) mod peak_memory;
mod perform;
mod python;
mod realise;
mod segments;
mod traverse;
mod tween;
mod vary;

use crate::Measure;

/// The parts of `bench`.
pub(crate) const PARTS: &[(&str, Measure)] = &[
    ("archive", archive::rows),
    ("cancel", cancel::rows),
    ("cluster", cluster::rows),
    ("corpus", corpus::rows),
    ("corpus", segments::rows),
    ("duet", duet::rows),
    ("follow", follow::rows),
    ("formats", formats::rows),
    ("growth", growth::rows),
    ("motion", motion::rows),
    ("perform", perform::rows),
    ("python", python::rows),
    ("realise", realise::rows),
    ("traverse", traverse::rows),
    ("tween", tween::rows),
    ("vary", vary::rows),
];
