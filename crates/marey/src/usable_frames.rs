//! The frames of takes that verbs use.

use std::ops::Range;

use crate::motion::{Place, Report};
use crate::{Error, codes};

/// The stretches of `frames` between unusable ranges, which are in order. Stretches shorter than `least` are left out. Without
/// unusable frames, all are used, however few they are.
pub(crate) fn usable_stretches(
    frames: Range<usize>,
    unusable: &[Range<usize>],
    least: usize,
) -> Vec<Range<usize>> {
    let inside = |range: &&Range<usize>| range.start < frames.end && frames.start < range.end;
    let unusable: Vec<&Range<usize>> = unusable.iter().filter(inside).collect();
    let starts = std::iter::once(frames.start).chain(unusable.iter().map(|range| range.end));
    let ends = unusable.iter().map(|range| range.start).chain([frames.end]);
    let stretches = starts.zip(ends).filter(|(start, end)| start < end).map(|(start, end)| start..end);
    stretches.filter(|stretch| unusable.is_empty() || stretch.len() >= least).collect()
}

/// Reports how many of the `frames` of a take are in none of the stretches.
pub(crate) fn report_unusable(take: &str, frames: usize, stretches: &[Range<usize>], report: &mut Report) {
    let used: usize = stretches.iter().map(ExactSizeIterator::len).sum();
    let left_out = frames.saturating_sub(used);
    let message = format!("{left_out} of {frames} frames of {take:?}");
    report.warn_many(&codes::UNUSABLE_FRAMES, Place::default(), left_out, message);
}

/// The error of a verb that is left without frames.
pub(crate) fn no_usable_frames(takes: usize) -> Error {
    Error::new(&codes::NO_EXAMPLES, format!("no frame of {takes} takes can be used"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usable_stretches_lie_between_unusable_ranges() {
        let usable = |frames: Range<usize>, unusable: &[(usize, usize)]| -> Vec<(usize, usize)> {
            let ranges: Vec<_> = unusable.iter().map(|&(start, end)| start..end).collect();
            let stretches = usable_stretches(frames, &ranges, 2);
            stretches.into_iter().map(|range| (range.start, range.end)).collect()
        };
        assert_eq!(usable(0..1, &[]), [(0, 1)]);
        assert_eq!(usable(0..30, &[(0, 3), (4, 10), (20, 30)]), [(10, 20)]);
        assert_eq!(usable(0..9, &[(5, 6)]), [(0, 5), (6, 9)]);
        assert_eq!(usable(4..9, &[(0, 2), (3, 5), (8, 12)]), [(5, 8)]);
        assert_eq!(usable(4..9, &[(0, 20)]), []);
    }

    #[test]
    fn frames_that_are_left_out_are_counted() {
        let mut report = Report::default();
        report_unusable("walk", 10, &[2..5, 6..10], &mut report);
        let warning = &report.warnings()[0];
        assert_eq!((warning.count, warning.message.as_str()), (3, "3 of 10 frames of \"walk\""));
    }
}
