//! Quality: accuracy, error, agreement with ground truth.

mod cluster;
mod duet;
mod examples;
mod follow;
mod formats;
mod ops;
mod ops_beats;
mod ops_bodies;
mod ops_cuts;
mod ops_dance;
mod perform;
mod perform_world;
mod realise;
mod score;
mod traverse;
mod traverse_walk;
mod tween;
mod usual;
mod vary;
mod vary_dance;

use crate::Measure;
use crate::args::Suite;

/// The parts of `eval` that a suite has.
pub(crate) fn parts(suite: Suite) -> &'static [(&'static str, Measure)] {
    match suite {
        Suite::Ci => CI_PARTS,
        Suite::Quick | Suite::Full => PARTS,
    }
}

const PARTS: &[(&str, Measure)] = &[
    ("cluster", cluster::rows),
    ("duet", duet::rows),
    ("examples", examples::rows),
    ("follow", follow::rows),
    ("formats", formats::rows),
    ("ops", ops::rows),
    ("perform", perform::rows),
    ("realise", realise::rows),
    ("traverse", traverse::rows),
    ("tween", tween::rows),
    ("vary", vary::rows),
];

/// The parts that show on generated motion, within a minute or two of a build without optimisation, what users would notice first:
/// the wrong example, sliding feet, jolts, a style that is lost, ground that is missed.
const CI_PARTS: &[(&str, Measure)] = &[
    ("duet", duet::runs_alone),
    ("follow", follow::rows),
    ("realise", realise::rows),
    ("traverse", traverse::rows),
    ("tween", tween::rows),
    ("vary", vary::rows),
];
