//! Accelerations at joins, compared with those of the joined pieces.

use std::collections::BTreeMap;

use marey_measure::jolt::{Jolts, jolts, percentile_mps2};
use marey_motion::Clip;
use marey_plan::{Placement, SourceRef};

/// The number of frames after a join that are examined.
const JOIN_FRAMES: usize = 36;

/// The accelerations of the examples: the 99.9th percentile, and frame by frame.
pub(super) struct ExampleAccelerations {
    pub(super) level_mps2: f32,
    pub(super) by_source: BTreeMap<SourceRef, Jolts>,
}

/// The accelerations of a result around its joins.
pub(super) struct JoinAccelerations {
    pub(super) largest_mps2: f64,
    /// The largest ratio to the acceleration of the pieces at the same frame, or to the examples' level if that is more.
    pub(super) over_pieces: f64,
}

impl ExampleAccelerations {
    pub(super) fn of<'a>(examples: impl Iterator<Item = (SourceRef, &'a Clip)>) -> Self {
        let by_source: BTreeMap<SourceRef, Jolts> =
            examples.map(|(source, clip)| (source, jolts(clip))).collect();
        let all: Vec<Jolts> = by_source.values().cloned().collect();
        Self { level_mps2: percentile_mps2(&all, 0.999), by_source }
    }

    /// Examines the joins between the placements of a result.
    pub(super) fn at_joins(&self, placements: &[Placement], jolts: &Jolts) -> JoinAccelerations {
        let mut found = JoinAccelerations { largest_mps2: 0.0, over_pieces: 0.0 };
        for pair in placements.windows(2) {
            let around = pair[1].start.saturating_sub(2)..pair[1].start + JOIN_FRAMES;
            for (frame, &acceleration) in
                jolts.by_frame_mps2.iter().enumerate().take(around.end).skip(around.start)
            {
                found.largest_mps2 = found.largest_mps2.max(f64::from(acceleration));
                let own = self.own(&pair[0], frame).max(self.own(&pair[1], frame));
                found.over_pieces = found.over_pieces.max(f64::from(acceleration / own));
            }
        }
        found
    }

    /// The acceleration of a piece at a frame of the plan, also before its start and after its end, in m/s²; at least the
    /// examples' level.
    fn own(&self, placement: &Placement, frame: usize) -> f32 {
        let at = (placement.source_start + frame).saturating_sub(placement.start);
        let own = self.by_source.get(&placement.source).and_then(|jolts| {
            // One frame to each side, because a join may be between frames.
            jolts.largest_within(at.saturating_sub(1)..at + 2)
        });
        own.map_or(self.level_mps2, |(own, _)| own.max(self.level_mps2))
    }
}
