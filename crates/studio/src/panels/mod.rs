//! The panels of the studio, one for each engine.

mod duet;
mod follow;
mod path_file;
mod perform;
mod realise;
mod traverse;
mod tween;
mod vary;

use crate::Panel;

/// Every panel, in the order in which the page lists them.
pub fn engine_panels() -> Vec<Box<dyn Panel>> {
    vec![
        Box::new(follow::FollowPanel),
        Box::new(traverse::TraversePanel),
        Box::new(duet::DuetPanel),
        Box::new(perform::PerformPanel),
        Box::new(vary::VaryPanel),
        Box::new(tween::TweenPanel),
        Box::new(realise::RealisePanel),
    ]
}
