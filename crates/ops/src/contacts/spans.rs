//! From flags per frame to intervals.

use std::ops::Range;

/// Intervals that start at a frame that enters and end before the first that leaves. A frame that does both
/// is outside.
pub(super) fn with_hysteresis(
    frames: Range<usize>,
    enters: impl Fn(usize) -> bool,
    leaves: impl Fn(usize) -> bool,
) -> Vec<Range<usize>> {
    let mut spans = Vec::new();
    let mut start = None;
    let end = frames.end;
    for frame in frames {
        match start {
            None if enters(frame) && !leaves(frame) => start = Some(frame),
            Some(first) if leaves(frame) => {
                spans.push(first..frame);
                start = None;
            }
            _ => {}
        }
    }
    spans.extend(start.map(|first| first..end));
    spans
}

/// Joins intervals whose gap is shorter than `least_gap`.
pub(super) fn without_gaps(spans: Vec<Range<usize>>, least_gap: usize) -> Vec<Range<usize>> {
    let mut joined: Vec<Range<usize>> = Vec::new();
    for span in spans {
        match joined.last_mut() {
            Some(last) if span.start - last.end < least_gap => last.end = span.end,
            _ => joined.push(span),
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The state of a frame, from the last frame that decided it.
    fn inside_slowly(values: &[f32], enter: f32, leave: f32, frame: usize) -> bool {
        let decided = values[..=frame].iter().rev().find(|&&v| v < enter || v > leave);
        decided.is_some_and(|&v| v < enter)
    }

    proptest! {
        #[test]
        fn hysteresis_equals_looking_back_from_every_frame(
            values in proptest::collection::vec(0f32..1.0, 0..80), enter in 0f32..0.6, more in 0f32..0.4,
        ) {
            let leave = enter + more;
            let spans = with_hysteresis(0..values.len(), |f| values[f] < enter, |f| values[f] > leave);
            for frame in 0..values.len() {
                let inside = spans.iter().any(|span| span.contains(&frame));
                prop_assert_eq!(inside, inside_slowly(&values, enter, leave, frame));
            }
        }
    }

    #[test]
    fn short_gaps_are_closed() {
        assert_eq!(without_gaps(vec![0..5, 6..9, 14..15, 18..30], 3), [0..9, 14..15, 18..30]);
        assert_eq!(without_gaps(vec![], 3), []);
    }
}
