//! Where motion is cut, whoever says so.
//!
//! Every way of cutting ends in the same list: steps of a walk, beats of a dance, instants at which a foot settles, a
//! person's own marks, or what an engine proposes after a few hand-cut examples (Hsu, Gentry and Popović, *Example-Based
//! Control of Human Motion*, 2004, section 7). Segments are what lies between two neighbours of the list.

use std::ops::Range;

use serde::{Deserialize, Serialize};

/// Who or what made a cut.
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
    /// An engine that was shown examples.
    Proposal,
}

impl CutBy {
    /// Its name, as it is stored: `step`, `instant`, `beat`, `hand`, `proposal`.
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

/// A cut: the frame it names is the first of what follows.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Cut {
    /// The first frame after the cut.
    pub frame: usize,
    /// What it is, in a word: the foot that stepped, the number of a beat.
    pub label: String,
    /// Who or what made it.
    pub by: CutBy,
}

/// The stretches between neighbouring cuts. What comes before the first cut and after the last is in none: nobody said
/// where it begins or ends. Cuts need not be sorted; of several in a frame the first counts, and those outside the
/// clip do not.
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
