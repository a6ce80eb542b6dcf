//! Settings of the search.

use marey_ops::OutOfRange;
use serde::{Deserialize, Serialize};

use crate::{Result, Transform};

/// How a control motion is interpreted. The defaults are those of Hsu, Gentry and Popović (2004, section 6.1) where the
/// paper states them.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FollowSettings {
    /// Working rate at which motions are compared, in frames per second; default 10; 1 to 240. The search time is
    /// proportional to it. A second pass brings the result to the control's rate, if that is higher.
    pub rate_hz: f64,
    /// Weight of continuity against interpretation; default 1; 0 to 10⁶. Continuity is a sum of squared distances at one
    /// sample, interpretation a sum over every frame of the working rate. With too small a weight the target jumps; with too
    /// large a weight it ignores the control.
    pub k: f64,
    /// Largest change of an instance's duration, as a share: durations are divided or multiplied by up to 1 + `stretch`;
    /// default 0.25; 0 to 4. The distance does not depend on speed, so a large stretch would turn slow motion into fast.
    pub stretch: f64,
    /// What a stretch costs, in metres: a duration changed by the factor f counts like a distance of
    /// `stretch_cost_m` |ln f| between all points; default 0.1; 0 to 10. Without a cost, a step that was stretched by a
    /// quarter is used where another fits at its own pace.
    pub stretch_cost_m: f64,
    /// How an example may be transformed to match the control; default on the floor.
    pub transform: Transform,
    /// Number of frames of the working rate that are compared at a join; default 1; 1 to 10. From two on, velocities are
    /// compared as well: the last frames of the earlier piece with the frames that precede the later piece in its own
    /// example.
    pub join_frames: u8,
    /// Whether the control may start inside an instance; default true, since a control rarely starts where a segment does.
    pub free_start: bool,
    /// Whether the control may end inside an instance; default true.
    pub free_end: bool,
    /// Number of instances of each duration that are compared at each frame, beside those that continue another in its
    /// example; at least 1. Default `None`: all in a small mapping, which finds the optimum, and 48 in a large one. The
    /// result says how far from the optimum it may be ([`Interpretation::gap`](crate::Interpretation::gap)).
    pub candidates: Option<u32>,
    /// Whether a second pass refines durations at the control's own rate; default true. Otherwise they are multiples of a
    /// frame of the working rate.
    pub refine: bool,
}

impl Default for FollowSettings {
    fn default() -> Self {
        Self {
            rate_hz: 10.0,
            k: 1.0,
            stretch: 0.25,
            stretch_cost_m: 0.1,
            transform: Transform::Ground,
            join_frames: 1,
            free_start: true,
            free_end: true,
            candidates: None,
            refine: true,
        }
    }
}

impl FollowSettings {
    /// Checks the ranges.
    pub fn validate(&self) -> Result<()> {
        OutOfRange::check("rate_hz", self.rate_hz, 1.0..=240.0)?;
        OutOfRange::check("k", self.k, 0.0..=1e6)?;
        OutOfRange::check("stretch", self.stretch, 0.0..=4.0)?;
        OutOfRange::check("stretch_cost_m", self.stretch_cost_m, 0.0..=10.0)?;
        OutOfRange::check("join_frames", self.join_frames, 1..=10)?;
        OutOfRange::check("candidates", self.candidates.unwrap_or(1), 1..=u32::MAX)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_out_of_range_are_rejected() {
        let good = FollowSettings::default();
        assert!(good.validate().is_ok());
        for bad in [
            FollowSettings { rate_hz: 0.5, ..good },
            FollowSettings { k: f64::NAN, ..good },
            FollowSettings { stretch: -0.1, ..good },
            FollowSettings { stretch_cost_m: f64::NAN, ..good },
            FollowSettings { join_frames: 0, ..good },
            FollowSettings { candidates: Some(0), ..good },
        ] {
            assert!(bad.validate().is_err(), "{bad:?}");
        }
    }
}
