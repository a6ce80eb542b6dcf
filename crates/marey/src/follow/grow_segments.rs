//! Segments of uncut takes, found with the takes that are cut.

use std::collections::BTreeMap;

use super::{ControlKind, ExampleChoice, FollowSettings, GrowSettings, Instance, PointSelection, grow};
use crate::corpus::{Corpus, Maker, Segment, Span, SpansByMaker, TakeInfo};
use crate::{Context, Error};

/// A take, and the segments found in it or why it cannot be used.
pub(crate) type GrownSegments = (TakeInfo, Result<SpansByMaker, Error>);

/// Finds segments in those takes of `uncut` that have none (Hsu, Gentry and Popović 2004, section 7). Segments that this
/// method made before are not used as examples, and are made again.
pub(crate) fn grow_segments(
    corpus: &Corpus,
    control: &ControlKind,
    max_rms_m: f64,
    uncut: &[TakeInfo],
    context: &Context<'_>,
) -> Result<Vec<GrownSegments>, Error> {
    let is_path = *control == ControlKind::Path;
    let choice = ExampleChoice {
        control: control.clone(),
        selection: if is_path { PointSelection::hips() } else { PointSelection::body() },
        target: None,
        examples: vec![],
        without: vec![],
        made_by: None,
        clusters: None,
        metric_for: None,
        body: None,
    };
    let method = Maker::method("examples");
    let uses = |segment: &Segment| choice.uses(segment) && segment.maker != method;
    let candidates = choice.candidates(corpus, uses, |info| uncut.iter().any(|other| other.id == info.id))?;
    let mut pairs = choice.pairs(corpus, candidates, None, context)?;
    let given = pairs.take_mapping(&choice)?;
    let settings = GrowSettings { max_rms_m, ..GrowSettings::default() };
    let grown = grow(&given, &FollowSettings::default(), &settings)?;
    let unreadable = pairs.unreadable.iter().map(|(info, error)| (info.clone(), Err(error.clone())));
    let mut found: Vec<GrownSegments> = unreadable.collect();
    for (number, candidate) in pairs.candidates.iter().enumerate() {
        if given.instances().iter().any(|instance| instance.example == number) {
            continue;
        }
        // A segment of a leader and a follower belongs to both.
        let is_of_one_actor = candidate.info.actors.len() > 1 && !matches!(control, ControlKind::Actor(_));
        let span = |instance: &Instance| Span {
            start: instance.frames.start,
            end: instance.frames.end,
            actor: is_of_one_actor.then_some(candidate.target),
            name: instance.label.clone(),
        };
        let new = grown.instances().iter().filter(|instance| instance.example == number);
        let spans = BTreeMap::from([(method.clone(), new.map(span).collect())]);
        found.push((candidate.info.clone(), Ok(spans)));
    }
    Ok(found)
}
