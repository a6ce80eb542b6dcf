//! How sudden joins are, against what was joined.

use std::collections::BTreeMap;

use marey_measure::jolt::{Jolts, jolts, percentile_mps2};
use marey_motion::Clip;
use marey_plan::{Placement, SourceRef};

/// How long a join shows, in frames.
const JOIN_FRAMES: usize = 36;

/// How sudden the examples are: the level that 99.9 % of their frames do not exceed, and frame by frame.
pub(super) struct Usual {
    pub(super) level_mps2: f32,
    pub(super) by_source: BTreeMap<SourceRef, Jolts>,
}

/// How sudden a result is around its joins.
pub(super) struct AtJoins {
    pub(super) largest_mps2: f64,
    /// The largest over the examples' usual level, or what the pieces themselves have there where that is more.
    pub(super) over_own: f64,
}

impl Usual {
    pub(super) fn of<'a>(examples: impl Iterator<Item = (SourceRef, &'a Clip)>) -> Self {
        let by_source: BTreeMap<SourceRef, Jolts> =
            examples.map(|(source, clip)| (source, jolts(clip))).collect();
        let all: Vec<Jolts> = by_source.values().cloned().collect();
        Self { level_mps2: percentile_mps2(&all, 0.999), by_source }
    }

    /// Looks at the joins between placements of a result.
    pub(super) fn at_joins(&self, placements: &[Placement], jolts: &Jolts) -> AtJoins {
        let mut found = AtJoins { largest_mps2: 0.0, over_own: 0.0 };
        for two in placements.windows(2) {
            let around = two[1].start.saturating_sub(2)..two[1].start + JOIN_FRAMES;
            for (frame, &is) in jolts.by_frame_mps2.iter().enumerate().take(around.end).skip(around.start) {
                found.largest_mps2 = found.largest_mps2.max(f64::from(is));
                let own = self.own(&two[0], frame).max(self.own(&two[1], frame));
                found.over_own = found.over_own.max(f64::from(is / own));
            }
        }
        found
    }

    /// What a piece has by itself at a frame of the plan, before its start and after its end as well, in m/s²; no less than the
    /// usual level.
    fn own(&self, placement: &Placement, frame: usize) -> f32 {
        let at = (placement.source_start + frame).saturating_sub(placement.start);
        let own = self.by_source.get(&placement.source).and_then(|jolts| {
            // A frame beside it: joins may be between frames.
            jolts.largest_within(at.saturating_sub(1)..at + 2)
        });
        own.map_or(self.level_mps2, |(own, _)| own.max(self.level_mps2))
    }
}
