//! The labels of an interpretation over time.
//!
//! Section 7 of the paper: given labelled examples, the method annotates any control motion. Applied repeatedly, it turns a
//! few instances cut by hand into many.

use marey_ops::OutOfRange;
use serde::{Deserialize, Serialize};

use crate::{FollowSettings, Instance, Interpretation, Mapping, Piece, Result, follow};

/// A label and its interval.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TranscriptEntry {
    /// Label of the instance.
    pub label: String,
    /// Start in seconds.
    pub start_secs: f64,
    /// End in seconds.
    pub end_secs: f64,
    /// Number of the instance in the mapping.
    pub instance: usize,
    /// Weighted RMS distance from that instance, in metres.
    pub rms_m: f64,
}

impl Interpretation {
    /// The labels of the pieces in order.
    pub fn transcript(&self, mapping: &Mapping) -> Vec<TranscriptEntry> {
        let entry = |piece: &Piece| TranscriptEntry {
            label: mapping.instances()[piece.instance].label.clone(),
            start_secs: piece.start as f64 / self.rate_hz,
            end_secs: (piece.start + piece.frames) as f64 / self.rate_hz,
            instance: piece.instance,
            rms_m: piece.rms_m,
        };
        self.pieces.iter().map(entry).collect()
    }
}

/// How a set of instances is grown.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GrowSettings {
    /// Maximum distance of a new instance from the instance that matches it, in metres; default 0.06; 0 to 10.
    pub max_rms_m: f64,
    /// Maximum number of rounds; default 8; 1 to 100. Growing ends early if a round changes nothing.
    pub rounds: u8,
}

impl Default for GrowSettings {
    fn default() -> Self {
        Self { max_rms_m: 0.06, rounds: 8 }
    }
}

impl GrowSettings {
    /// Checks the ranges.
    pub fn validate(&self) -> Result<()> {
        OutOfRange::check("max_rms_m", self.max_rms_m, 0.0..=10.0)?;
        Ok(OutOfRange::check("rounds", self.rounds, 1..=100)?)
    }
}

/// Cuts and labels the examples that have no instances yet. Each is interpreted with the instances of all others; pieces
/// that are similar enough become instances too. This repeats until nothing changes. The given instances stay first.
pub fn grow(mapping: &Mapping, settings: &FollowSettings, grow: &GrowSettings) -> Result<Mapping> {
    grow.validate()?;
    let cut = |example: usize| mapping.instances().iter().any(|instance| instance.example == example);
    let uncut: Vec<usize> = (0..mapping.examples().len()).filter(|&example| !cut(example)).collect();
    let mut found: Vec<Vec<Instance>> = vec![Vec::new(); uncut.len()];
    let given = mapping.instances().len();
    let settings = FollowSettings { free_start: true, free_end: true, ..*settings };
    let mut grown = mapping.clone();
    for _ in 0..grow.rounds {
        let before = grown.instances().len();
        let last = found.clone();
        for (&example, found) in uncut.iter().zip(&mut found) {
            let own = |i: &usize| grown.instances()[*i].example == example;
            let others: Vec<usize> = (0..grown.instances().len()).filter(|i| !own(i)).collect();
            let others = grown.with_only(&others)?;
            let control = &mapping.examples()[example].control;
            *found = match follow(&others, control, &[], &settings) {
                Ok(interpretation) => accepted(&others, example, &interpretation, grow),
                // Shorter than any instance, so there is nothing to cut.
                Err(crate::FollowError::TooShort { .. }) => Vec::new(),
                Err(error) => return Err(error),
            };
        }
        let all = mapping.instances()[..given].iter().chain(found.iter().flatten()).cloned().collect();
        grown = grown.with_instances(all)?;
        if found == last && before == grown.instances().len() {
            break;
        }
    }
    Ok(grown)
}

/// The pieces that are whole and similar enough, as instances of an example.
fn accepted(
    mapping: &Mapping,
    example: usize,
    interpretation: &Interpretation,
    grow: &GrowSettings,
) -> Vec<Instance> {
    let pieces = interpretation.pieces.iter().filter(|piece| {
        let instance = &mapping.instances()[piece.instance];
        let is_whole =
            piece.from_frame == instance.frames.start as f64 && piece.to_frame == instance.frames.end as f64;
        is_whole && piece.frames >= 2 && piece.rms_m <= grow.max_rms_m
    });
    let instance = |piece: &Piece| Instance {
        example,
        frames: piece.start..piece.start + piece.frames,
        label: mapping.instances()[piece.instance].label.clone(),
    };
    pieces.map(instance).collect()
}
