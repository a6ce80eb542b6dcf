//! Segments of uncut takes, found with the takes that are cut.

use super::{ControlKind, ExampleChoice, FollowSettings, GrowSettings, Instance, grow};
use crate::Error;
use crate::corpus::{Corpus, Maker, Segment, Span, TakeInfo};

/// Name of the method among the makers of segments.
pub(crate) const EXAMPLES_METHOD: &str = "examples";

/// A take, and the segments found in it or why it cannot be used.
pub(crate) type GrownSegments = (TakeInfo, Result<Vec<Span>, Error>);

/// Finds segments in those takes of `uncut` that have none (Hsu, Gentry and Popović 2004, section 7). Segments that this
/// method made before are not used as examples, and are made again.
pub(crate) fn grow_segments(
    corpus: &Corpus,
    choice: &ExampleChoice,
    uncut: &[TakeInfo],
    settings: &FollowSettings,
    grow_settings: &GrowSettings,
) -> Result<Vec<GrownSegments>, Error> {
    let method = Maker::method(EXAMPLES_METHOD);
    let uses = |segment: &Segment| choice.uses(segment) && segment.maker != method;
    let candidates = choice.candidates(corpus, uses, |info| uncut.iter().any(|other| other.id == info.id))?;
    let pairs = choice.pairs(corpus, candidates);
    let given = pairs.mapping(choice)?;
    let grown = grow(&given, settings, grow_settings)?;
    let unreadable = pairs.unreadable.iter().map(|(info, error)| (info.clone(), Err(error.clone())));
    let mut found: Vec<GrownSegments> = unreadable.collect();
    for (number, candidate) in pairs.candidates.iter().enumerate() {
        if given.instances().iter().any(|instance| instance.example == number) {
            continue;
        }
        // A segment of a leader and a follower belongs to both.
        let is_of_one_actor =
            candidate.info.actors.len() > 1 && !matches!(choice.control, ControlKind::Actor(_));
        let span = |instance: &Instance| Span {
            start: instance.frames.start,
            end: instance.frames.end,
            actor: is_of_one_actor.then_some(candidate.target),
            name: instance.label.clone(),
        };
        let new = grown.instances().iter().filter(|instance| instance.example == number);
        found.push((candidate.info.clone(), Ok(new.map(span).collect())));
    }
    Ok(found)
}
