//! The order of warnings by severity.

use marey_conventions::codes as conventions;
use marey_motion::{Code, Report, Warning};

use crate::bvh::codes as bvh;

/// Data is missing, or was replaced by a guess.
static LOST: [&Code; 10] = [
    &bvh::NO_MOTION,
    &bvh::TRUNCATED_FRAME,
    &bvh::FRAME_COUNT,
    &bvh::DAMAGED_FRAME,
    &bvh::HELD_VALUE,
    &bvh::UNCLOSED,
    &bvh::EXTRA_BRACE,
    &bvh::OFFSET_VALUES,
    &bvh::UNKNOWN_CHANNEL,
    &bvh::CHANNEL_COUNT,
];

/// The motion may have been misinterpreted.
static DOUBTFUL: [&Code; 7] = [
    &conventions::RATE_DOUBTFUL,
    &conventions::UNIT_UNKNOWN,
    &conventions::MIRRORED,
    &conventions::ROLES_UNSURE,
    &conventions::UNIT_ASSUMED,
    &bvh::FRAME_TIME_REPAIRED,
    &bvh::POSITIONS,
];

/// The warnings of a report: lost data first, then doubts in the order above, then the rest in the order of the report.
pub(super) fn most_severe_first(report: &Report) -> Vec<Warning> {
    let rank = |warning: &Warning| {
        let mut known = LOST.iter().chain(&DOUBTFUL);
        known.position(|code| code.id == warning.code.id).unwrap_or(usize::MAX)
    };
    let mut warnings = report.warnings().to_vec();
    warnings.sort_by_key(rank);
    warnings
}

#[cfg(test)]
mod tests {
    use marey_motion::Place;

    use super::*;

    #[test]
    fn lost_data_comes_before_doubts_and_doubts_before_the_rest() {
        let mut report = Report::default();
        for code in
            [&conventions::UP_AXIS, &conventions::FACING, &conventions::RATE_DOUBTFUL, &bvh::HELD_VALUE]
        {
            report.warn(code, Place::default(), "");
        }
        let sorted: Vec<&str> = most_severe_first(&report).iter().map(|warning| warning.code.id).collect();
        assert_eq!(
            sorted,
            ["bvh/held-value", "conventions/rate-doubtful", "conventions/up-axis", "conventions/facing"]
        );
    }
}
