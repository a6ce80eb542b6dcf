//! Variations whose pieces are bridged by in-betweens.

use std::collections::BTreeMap;

use crate::motion::{Place, Report};
use crate::plan::{Placement, Plan, SourceRef};
use crate::realise::{self, Chain, Example};
use crate::tween::{self, Style, Tween, TweenSettings, tween};

/// A plan whose pieces are bridged, and the motion it uses.
#[derive(Debug)]
pub struct Bridged {
    /// The plan, with an in-between wherever pieces do not go on into each other.
    pub plan: Plan,
    /// The examples, and every in-between as one.
    pub sources: BTreeMap<SourceRef, Example>,
    /// Where there was no way, and pieces meet as they did.
    pub report: Report,
}

/// Puts an in-between wherever pieces of a plan do not go on into each other, for its first actor, who travels on from where it is.
/// Where the style has no way, it is said, and the pieces meet as they did.
pub fn bridged(
    plan: &Plan,
    sources: &BTreeMap<SourceRef, Example>,
    style: &Style,
    settings: &TweenSettings,
) -> realise::Result<Bridged> {
    let settings = TweenSettings { rate_hz: plan.rate_hz, frames: None, arrives: false, ..*settings };
    let placements = plan.actors.first().map_or(&[][..], |actor| &actor.placements);
    let mut sources = sources.clone();
    let mut report = Report::default();
    let mut pieces: Vec<(SourceRef, std::ops::Range<usize>)> = Vec::new();
    for (number, placement) in placements.iter().enumerate() {
        let before = number.checked_sub(1).and_then(|before| placements.get(before));
        if let Some(before) = before.filter(|before| !goes_on(before, placement)) {
            match between(before, placement, &sources, style, &settings) {
                Ok(made) => {
                    let source = SourceRef { take: format!("in-between {number}"), actor: 0 };
                    // Its ends are the frames beside it.
                    let span = 1..made.clip.frames() - 1;
                    if !span.is_empty() {
                        pieces.push((source.clone(), span));
                        let Tween { clip, contacts, .. } = made;
                        sources.insert(source, Example { clip, contacts, holds: Vec::new() });
                    }
                }
                Err(error) => {
                    let place = Place::default().frame(placement.start);
                    report.warn(&tween::codes::NOT_CONNECTED, place, error.to_string());
                }
            }
        }
        pieces.push((placement.source.clone(), placement.source_start..placement.source_end));
    }
    let mut chain = Chain::new(&sources);
    for (source, span) in pieces {
        let frames = span.len();
        chain.add(&source, span, frames)?;
    }
    let name = plan.actors.first().map_or("dancer", |actor| actor.name.as_str());
    let plan = Plan { seed: plan.seed, ..chain.plan(name, plan.rate_hz) };
    Ok(Bridged { plan, sources, report })
}

/// Whether a piece goes on where the one before ends.
fn goes_on(before: &Placement, next: &Placement) -> bool {
    before.source == next.source && before.source_end == next.source_start
}

/// From the last frame of a piece to the first of the next.
fn between(
    before: &Placement,
    next: &Placement,
    sources: &BTreeMap<SourceRef, Example>,
    style: &Style,
    settings: &TweenSettings,
) -> tween::Result<Tween> {
    let clip = |placement: &Placement| sources.get(&placement.source).map(|example| &example.clip);
    let (Some(from), Some(to)) = (clip(before), clip(next)) else {
        return Err(crate::motion::Error::Empty { what: "a source" }.into());
    };
    tween(style, (from, before.source_end.saturating_sub(1)), (to, next.source_start), settings)
}
