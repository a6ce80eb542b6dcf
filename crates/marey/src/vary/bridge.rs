//! In-betweens at the cuts of a variation.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::Error;
use crate::motion::{self, Place, Report};
use crate::plan::{Placement, Plan, PlanClip, SourceRef};
use crate::realise::{PlacementChain, SourceClip};
use crate::tween::{MotionStyle, TweenError, TweenMotion, TweenSettings, codes, tween};

/// Inserts an in-between at every cut of a plan with one actor. The plan carries the in-betweens as clips. If the style
/// has no path, the report says so and the pieces meet as before.
pub(super) fn bridge(
    plan: &Plan,
    sources: &BTreeMap<SourceRef, SourceClip>,
    style: &MotionStyle,
) -> Result<(Plan, Report), Error> {
    let settings = TweenSettings { rate_hz: plan.rate_hz, ..TweenSettings::default() };
    let placements = plan.actors.first().map_or(&[][..], |actor| &actor.placements);
    let mut sources = sources.clone();
    let mut clips = Vec::new();
    let mut report = Report::default();
    let mut pieces: Vec<(SourceRef, Range<usize>)> = Vec::new();
    for (number, placement) in placements.iter().enumerate() {
        let previous = number.checked_sub(1).and_then(|previous| placements.get(previous));
        if let Some(previous) = previous.filter(|previous| is_cut(previous, placement)) {
            match in_between(previous, placement, &sources, style, &settings) {
                Ok(TweenMotion { clip, contacts, .. }) => {
                    let source = SourceRef { take: format!("in-between {number}"), actor: 0 };
                    // The first and last frame belong to the pieces.
                    let span = 1..clip.frames() - 1;
                    if !span.is_empty() {
                        pieces.push((source.clone(), span));
                        let example =
                            SourceClip { clip: clip.clone(), contacts: contacts.clone(), holds: vec![] };
                        sources.insert(source.clone(), example);
                        clips.push(PlanClip { source, clip, contacts, holds: vec![] });
                    }
                }
                Err(error) => {
                    let place = Place::default().frame(placement.start);
                    report.warn(&codes::NOT_CONNECTED, place, error.to_string());
                }
            }
        }
        pieces.push((placement.source.clone(), placement.source_start..placement.source_end));
    }
    let mut chain = PlacementChain::new(&sources);
    for (source, span) in pieces {
        let frames = span.len();
        chain.add(&source, span, frames)?;
    }
    let name = plan.actors.first().map_or("dancer", |actor| actor.name.as_str());
    Ok((Plan { seed: plan.seed, clips, ..chain.plan(name, plan.rate_hz) }, report))
}

/// Whether a piece does not continue the previous one.
fn is_cut(previous: &Placement, next: &Placement) -> bool {
    previous.source != next.source || previous.source_end != next.source_start
}

/// Makes motion from the last frame of a piece to the first of the next.
fn in_between(
    previous: &Placement,
    next: &Placement,
    sources: &BTreeMap<SourceRef, SourceClip>,
    style: &MotionStyle,
    settings: &TweenSettings,
) -> Result<TweenMotion, TweenError> {
    let clip = |placement: &Placement| sources.get(&placement.source).map(|example| &example.clip);
    let (Some(from), Some(to)) = (clip(previous), clip(next)) else {
        return Err(motion::MotionError::Empty { what: "a source" }.into());
    };
    tween(style, (from, previous.source_end.saturating_sub(1)), (to, next.source_start), settings)
}
