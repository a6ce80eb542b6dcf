//! Quality: accuracy, error, agreement with ground truth.

mod archive;
mod cluster;
mod duet;
mod examples;
mod feet;
mod follow;
mod foot_rows;
mod formats;
mod join_accelerations;
mod ops;
mod ops_beats;
mod ops_bodies;
mod ops_steps;
mod perform;
mod perform_captured;
mod perform_continuity;
mod perform_world;
mod realise;
mod retarget;
mod score;
mod synthetic_dance;
mod traverse;
mod traverse_captured;
mod traverse_grounds;
mod traverse_walk;
mod tween;
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
    ("archive", archive::rows),
    ("cluster", cluster::rows),
    ("duet", duet::rows),
    ("duet-captured", duet::captured_alone),
    ("examples", examples::rows),
    ("feet", feet::rows),
    ("follow", follow::rows),
    ("formats", formats::rows),
    ("ops", ops::rows),
    ("perform", perform::rows),
    ("realise", realise::rows),
    ("retarget", retarget::rows),
    ("traverse", traverse::rows),
    ("traverse-captured", traverse::captured_alone),
    ("tween", tween::rows),
    ("vary", vary::rows),
];

/// The parts that run on generated motion within a minute or two in a debug build. They cover what users notice first: wrong examples,
/// sliding feet, jolts, a lost style, missed ground.
const CI_PARTS: &[(&str, Measure)] = &[
    ("duet", duet::runs_alone),
    ("follow", follow::rows),
    ("realise", realise::rows),
    ("traverse", traverse::rows),
    ("tween", tween::rows),
    ("vary", vary::rows),
];
