//! Cuts: where motion is divided into segments.
//!
//! All segmentation methods produce the same list: steps of a walk, beats of a dance, instants at which a
//! foot settles, marks of a person, or proposals of an engine that learns from a few hand-cut examples (Hsu,
//! Gentry and Popović, *Example-Based Control of Human Motion*, 2004, section 7). Segments lie between
//! neighbouring cuts.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::{OutOfRange, Result};

/// The origin of a cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum CutBy {
    /// A foot that was put down: [`crate::gait`].
    Step,
    /// A foot that settled: [`crate::instants`].
    Instant,
    /// A beat: [`crate::beats`].
    Beat,
    /// A person.
    Hand,
    /// The start or the end of the recording: [`usable`].
    Edge,
    /// An even division of a long interval: [`usable`].
    Even,
    /// An engine that learnt from examples.
    Proposal,
}

impl CutBy {
    /// The stored name: `step`, `instant`, `beat`, `hand`, `edge`, `even`, `proposal`.
    pub fn name(self) -> &'static str {
        match self {
            CutBy::Step => "step",
            CutBy::Instant => "instant",
            CutBy::Beat => "beat",
            CutBy::Hand => "hand",
            CutBy::Edge => "edge",
            CutBy::Even => "even",
            CutBy::Proposal => "proposal",
        }
    }
}

/// A cut; its frame is the first of the next segment.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Cut {
    /// The first frame after the cut.
    pub frame: usize,
    /// A short label: the foot that stepped, the number of a beat.
    pub label: String,
    /// The origin.
    pub by: CutBy,
}

/// How long segments are.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SegmentLengths {
    /// The shortest segment, in seconds; default 0.15; 0 to 10. Runners take a step every 0.25 s; two feet that land together
    /// are one cut.
    pub least_secs: f64,
    /// The longest segment, in seconds; default 1.5; `least_secs` to 3600. A slow step takes 1. A longer interval, in which a
    /// person stands or turns on the spot, is divided evenly.
    pub most_secs: f64,
}

impl Default for SegmentLengths {
    fn default() -> Self {
        Self { least_secs: 0.15, most_secs: 1.5 }
    }
}

impl SegmentLengths {
    /// Checks the ranges.
    pub fn validate(&self) -> Result<()> {
        OutOfRange::check("least_secs", self.least_secs, 0.0..=10.0)?;
        OutOfRange::check("most_secs", self.most_secs, self.least_secs.max(0.1)..=3600.0)?;
        Ok(())
    }

    /// The fewest frames of a segment; at least 2, because one frame is no motion.
    pub fn least_frames(&self, rate_hz: f64) -> usize {
        ((self.least_secs * rate_hz).ceil() as usize).max(2)
    }
}

/// Cuts whose segments cover a whole clip and have suitable lengths: the ends of the clip are cuts, cuts that are too close to
/// the one before are dropped, and intervals that are too long are divided. A clip that is too short for a segment has no cuts.
///
/// ```
/// use marey_ops::cut::{Cut, CutBy, SegmentLengths, segments, usable};
/// let step = |frame| Cut { frame, label: "LeftFoot".into(), by: CutBy::Step };
/// // Steps at 2, 20 and 21 of 81 frames, at 20 frames per second: the last interval has three seconds.
/// let cuts = usable(vec![step(2), step(20), step(21)], 81, 20.0, &SegmentLengths::default());
/// assert_eq!(segments(&cuts, 81), [2..20, 20..50, 50..80]);
/// ```
pub fn usable(mut cuts: Vec<Cut>, frames: usize, rate_hz: f64, lengths: &SegmentLengths) -> Vec<Cut> {
    let least = lengths.least_frames(rate_hz);
    if frames <= least {
        return Vec::new();
    }
    let edge = |frame, label: &str| Cut { frame, label: label.into(), by: CutBy::Edge };
    cuts.retain(|cut| cut.frame < frames);
    cuts.extend([edge(0, "start"), edge(frames - 1, "end")]);
    cuts.sort_by_key(|cut| (cut.frame, cut.by == CutBy::Edge));
    let mut kept: Vec<Cut> = Vec::new();
    for cut in cuts {
        match kept.last_mut() {
            // A detected cut is more than the start of the recording.
            Some(last) if cut.frame - last.frame < least => {
                if last.by == CutBy::Edge && cut.by != CutBy::Edge && cut.frame + least < frames {
                    *last = cut;
                }
            }
            _ => kept.push(cut),
        }
    }
    divided(kept, ((lengths.most_secs * rate_hz) as usize).max(2 * least))
}

/// Divides intervals of more than `most` frames evenly.
fn divided(cuts: Vec<Cut>, most: usize) -> Vec<Cut> {
    let mut all: Vec<Cut> = Vec::new();
    for cut in cuts {
        if let Some(from) = all.last().map(|last| last.frame) {
            let frames = cut.frame - from;
            let parts = frames.div_ceil(most);
            let even = |part: usize| Cut {
                frame: from + frames * part / parts,
                label: "part".into(),
                by: CutBy::Even,
            };
            all.extend((1..parts).map(even));
        }
        all.push(cut);
    }
    all
}

/// The segments between neighbouring cuts. Frames before the first cut and after the last belong to none.
/// Cuts need not be sorted; of several in one frame the first counts, and cuts outside the clip are ignored.
///
/// ```
/// use marey_ops::cut::{Cut, CutBy, segments};
/// let cut = |frame| Cut { frame, label: String::new(), by: CutBy::Hand };
/// assert_eq!(segments(&[cut(12), cut(3), cut(12), cut(40)], 30), [3..12]);
/// ```
pub fn segments(cuts: &[Cut], frames: usize) -> Vec<Range<usize>> {
    let mut at: Vec<usize> = cuts.iter().map(|cut| cut.frame).filter(|&frame| frame < frames).collect();
    at.sort_unstable();
    at.dedup();
    at.windows(2).map(|pair| pair[0]..pair[1]).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn segments_of_usable_cuts_have_suitable_lengths(
            steps in proptest::collection::vec(0usize..700, 0..30), frames in 1usize..700, rate_hz in 10f64..240.0,
        ) {
            let cut = |frame| Cut { frame, label: "step".into(), by: CutBy::Step };
            let lengths = SegmentLengths::default();
            let cuts = usable(steps.iter().copied().map(cut).collect(), frames, rate_hz, &lengths);
            let least = lengths.least_frames(rate_hz);
            let most = ((lengths.most_secs * rate_hz) as usize).max(2 * least);
            let found = segments(&cuts, frames);
            for segment in &found {
                prop_assert!(segment.len() >= least && segment.len() <= most, "{segment:?}");
            }
            // Only the ends of a clip belong to no segment, and only if they are short.
            prop_assert_eq!(found.is_empty(), frames <= least);
            if let (Some(first), Some(last)) = (found.first(), found.last()) {
                prop_assert!(first.start < least && last.end + least > frames - 1);
                prop_assert!(found.windows(2).all(|pair| pair[0].end == pair[1].start));
            }
        }
    }

    #[test]
    fn lengths_out_of_range_are_rejected() {
        assert!(SegmentLengths { least_secs: -1.0, ..Default::default() }.validate().is_err());
        assert!(SegmentLengths { least_secs: 2.0, most_secs: 1.0 }.validate().is_err());
    }
}
