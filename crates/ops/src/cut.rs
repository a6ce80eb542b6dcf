//! Cuts: where motion is divided into segments.
//!
//! All segmentation methods produce the same list: steps of a walk, beats of a dance, instants at which a
//! foot settles, marks of a person, or proposals of an engine that learns from a few hand-cut examples (Hsu,
//! Gentry and Popović, *Example-Based Control of Human Motion*, 2004, section 7). Segments lie between
//! neighbouring cuts.

use std::ops::Range;

use serde::{Deserialize, Serialize};

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
    /// An engine that learnt from examples.
    Proposal,
}

impl CutBy {
    /// The stored name: `step`, `instant`, `beat`, `hand`, `proposal`.
    pub fn name(self) -> &'static str {
        match self {
            CutBy::Step => "step",
            CutBy::Instant => "instant",
            CutBy::Beat => "beat",
            CutBy::Hand => "hand",
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
