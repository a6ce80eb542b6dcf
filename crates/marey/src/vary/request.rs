//! What the `vary` verb is asked for.

use std::ops::{Range, RangeInclusive};
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::{ChaoticSystem, TravelMode, VarySettings};
use crate::motion::Take;
use crate::{Error, codes};

/// Tempos that can be asked for.
const TEMPOS_BPM: RangeInclusive<f64> = 20.0..=400.0;

/// What is done at cuts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Bridge {
    /// Crossfade, and plant feet. The default.
    #[default]
    Join,
    /// Insert in-betweens in the style of the dance. For one dancer with [`TravelMode::Onward`].
    Tween,
    /// Nothing: the motion jumps.
    None,
}

/// Where cuts are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CutRule {
    /// Near the place that the trajectory says, where two moments of the dance are alike. The default.
    #[default]
    Fit,
    /// Where the trajectory says, as in the paper.
    Free,
}

/// A take to vary.
#[derive(Debug, Clone, PartialEq)]
pub struct DanceRecording {
    /// The take.
    pub take: Take,
    /// Frames that are left out, in order.
    pub unusable: Vec<Range<usize>>,
}

impl From<Take> for DanceRecording {
    fn from(take: Take) -> Self {
        Self { take, unusable: Vec::new() }
    }
}

/// A request to vary a dance, keyframes or a text. `None` means the default for the frame rate and length of the motion
/// ([`VarySettings::for_motion`]), or for the number of keyframes, lines or words ([`VarySettings::for_symbols`]).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct VaryRequest {
    /// Takes to vary, in this order; if empty, takes of the corpus.
    #[serde(skip)]
    pub motion: Vec<DanceRecording>,
    /// A table of keyframes to vary instead of takes: a file ending in `.csv` or `.json`. Each keyframe is a cell; `tween` makes the motion
    /// between them, as it learns from the corpus.
    pub keyframes: Option<PathBuf>,
    /// Takes of the corpus, by name or `#` and number; all if empty.
    pub only: Vec<String>,
    /// Only frames of the corpus with one of these tags; all frames if empty.
    pub tags: Vec<String>,
    /// The system whose attractor is used.
    pub system: ChaoticSystem,
    /// Distance between the starts of variation and original, relative to the attractor's size; `None` for the smallest that moves
    /// half of the motion within the first turn.
    pub shift: Option<f64>,
    /// Frames per cell.
    pub per_cell: Option<usize>,
    /// Cells per revolution around the attractor.
    pub turn: Option<f64>,
    /// Cells by which a chunk may be early or late before it is cut.
    pub drift: Option<usize>,
    /// Minimum number of cells between cuts.
    pub min_chunk: Option<usize>,
    /// Where cuts are.
    pub cut: CutRule,
    /// Whether cuts keep the count of the beats. With [`CutRule::Fit`].
    pub beats: bool,
    /// Beats per minute, counted from the start of each take; `None` to find the beats in the motion.
    pub tempo_bpm: Option<f64>,
    /// Whether the variation starts like the original.
    pub keep_first: bool,
    /// Whether the variation ends like the original.
    pub keep_last: bool,
    /// Duration in seconds; `None` for that of the original.
    pub secs: Option<f64>,
    /// How dancers travel across cuts.
    pub travel: TravelMode,
    /// What is done at cuts.
    pub bridge: Bridge,
    /// Random seed; default 1.
    pub seed: u64,
    /// Name of the resulting take.
    pub name: String,
}

impl Default for VaryRequest {
    fn default() -> Self {
        let VarySettings { system, shift, keep_first, keep_last, .. } = VarySettings::default();
        Self {
            motion: vec![],
            keyframes: None,
            only: vec![],
            tags: vec![],
            system,
            shift,
            per_cell: None,
            turn: None,
            drift: None,
            min_chunk: None,
            cut: CutRule::default(),
            beats: false,
            tempo_bpm: None,
            keep_first,
            keep_last,
            secs: None,
            travel: TravelMode::default(),
            bridge: Bridge::default(),
            seed: 1,
            name: "variation".into(),
        }
    }
}

impl VaryRequest {
    /// Returns the settings of the request, with `defaults` for those that are not set.
    pub fn settings(&self, defaults: VarySettings) -> VarySettings {
        VarySettings {
            system: self.system.clone(),
            shift: self.shift.or(defaults.shift),
            elements_per_cell: self.per_cell.unwrap_or(defaults.elements_per_cell),
            cells_per_turn: self.turn.unwrap_or(defaults.cells_per_turn),
            drift_cells: self.drift.unwrap_or(defaults.drift_cells),
            min_chunk_cells: self.min_chunk.unwrap_or(defaults.min_chunk_cells),
            keep_first: self.keep_first,
            keep_last: self.keep_last,
        }
    }

    /// Checks everything that does not depend on the motion.
    pub fn validate(&self) -> Result<(), Error> {
        self.settings(VarySettings::default()).validate()?;
        if let Some(secs) = self.secs.filter(|secs| !(0.0..=1e6).contains(secs)) {
            return Err(Error::settings(format!("secs is {secs}; it must be from 0 to 1000000")));
        }
        if let Some(tempo) = self.tempo_bpm.filter(|tempo| !TEMPOS_BPM.contains(tempo)) {
            let (low, high) = (TEMPOS_BPM.start(), TEMPOS_BPM.end());
            return Err(Error::settings(format!("tempo_bpm is {tempo}; it must be from {low} to {high}")));
        }
        let is_for_takes = !self.motion.is_empty()
            || !self.tags.is_empty()
            || self.beats
            || self.cut != CutRule::default()
            || self.bridge != Bridge::default();
        if self.keyframes.is_some() && is_for_takes {
            let message = "keyframes are varied without takes, tags, beats, rules for cuts and bridges";
            return Err(Error::usage(&codes::VARY_KEYFRAMES, message));
        }
        if self.beats && self.cut == CutRule::Free {
            return Err(Error::usage(&codes::VARY_BEATS, "cuts that are free do not keep the count"));
        }
        if self.tempo_bpm.is_some() && !self.beats {
            return Err(Error::usage(
                &codes::VARY_BEATS,
                "a tempo is for cuts that keep the count of the beats",
            ));
        }
        if self.bridge == Bridge::Tween && self.travel == TravelMode::Absolute {
            return Err(Error::usage(&codes::BRIDGE, "in-betweens need dancers who travel onward"));
        }
        Ok(())
    }
}
