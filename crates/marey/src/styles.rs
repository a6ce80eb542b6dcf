//! In-betweens as motion: the style of a corpus, feet that stay planted, and variations bridged by them.

use std::collections::BTreeMap;

use crate::motion::{Clip, ClipParts, Place, Report};
use crate::plan::{ActorPlan, Placement, Plan, SourceRef};
use crate::realise::{self, Chain, Example, Realised, realise};
use crate::tween::{self, Style, Tween, TweenSettings, tween};

/// For how long the ends of an in-between are given back what planting took, in seconds.
const GIVEN_BACK_SECS: f64 = 0.2;

/// An in-between with feet that stay where they stand. Its first and last pose are as they were, to the bit.
///
/// ```
/// use marey::examples::walk::{WalkSettings, walk};
/// use marey::styles::planted;
/// use marey::tween::{Style, StyleSettings, TweenSettings, tween};
/// let walk = walk(&WalkSettings { duration_secs: 20.0, ..WalkSettings::default() })?.take;
/// let clip = walk.first();
/// let style = Style::learn(&[clip.clone()], &StyleSettings::default())?;
/// let made = tween(&style, (clip, 120), (clip, 900), &TweenSettings::default())?;
/// let walked = planted(&made)?;
/// assert_eq!(walked.pose(0), clip.pose(120));
/// assert_eq!(walked.frames(), made.clip.frames());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn planted(made: &Tween) -> realise::Result<Clip> {
    let source = SourceRef { take: "in-between".into(), actor: 0 };
    let example = Example { clip: made.clip.clone(), contacts: made.contacts.clone(), holds: Vec::new() };
    let sources = BTreeMap::from([(source.clone(), example)]);
    let frames = made.clip.frames();
    let placement = Placement {
        source,
        source_start: 0,
        source_end: frames,
        start: 0,
        frames,
        key_times: Vec::new(),
        world_from_source: Default::default(),
        mirrored: false,
    };
    let plan = Plan {
        rate_hz: made.clip.rate_hz(),
        seed: Default::default(),
        cost: Default::default(),
        actors: vec![ActorPlan { name: "figure".into(), placements: vec![placement] }],
        meetings: Vec::new(),
        targets: Vec::new(),
    };
    let Realised { take, .. } = realise(&plan, &sources, &realise::Settings::default())?;
    let back = (GIVEN_BACK_SECS * made.clip.rate_hz()).ceil().max(1.0);
    let mut parts = ClipParts::default();
    for (frame, (own, planted)) in made.clip.poses().zip(take.first().poses()).enumerate() {
        let from_end = frame.min(frames - 1 - frame) as f64 / back;
        let share = (1.0 - from_end).max(0.0) as f32;
        let share = share * share * (3.0 - 2.0 * share);
        let mut pose = planted.to_owned();
        if share >= 1.0 {
            pose = own.to_owned();
        } else if share > 0.0 {
            let turns = pose.rotations.iter_mut().zip(own.rotations);
            turns.for_each(|(turn, own)| *turn = turn.slerp(*own, share));
            let places = pose.positions.iter_mut().zip(own.positions);
            places.for_each(|(place, own)| *place = place.lerp(*own, share));
        }
        parts.push(pose.view());
    }
    Ok(Clip::new(made.clip.skeleton().clone(), made.clip.rate_hz(), parts)?)
}

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
