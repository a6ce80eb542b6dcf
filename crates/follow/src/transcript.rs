//! The interpretation itself: what was done when, in words.
//!
//! Section 7 of the paper: the method can annotate any control motion, given labelled examples; and a few examples cut by hand
//! can be made many by applying it again and again.

use marey_ops::OutOfRange;
use serde::{Deserialize, Serialize};

use crate::{Instance, Interpretation, Mapping, Piece, Result, Settings, follow};

/// A label and its time.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Heard {
    /// What was done.
    pub label: String,
    /// From when, in seconds.
    pub start_secs: f64,
    /// Until when, in seconds.
    pub end_secs: f64,
    /// The instance that it looks most like, by number.
    pub instance: usize,
    /// How far it is from that instance: root of the mean square over points and instants, in metres.
    pub rms_m: f64,
}

impl Interpretation {
    /// What was done when, in time.
    pub fn transcript(&self, mapping: &Mapping) -> Vec<Heard> {
        let heard = |piece: &Piece| Heard {
            label: mapping.instances()[piece.instance].label.clone(),
            start_secs: piece.start as f64 / self.rate_hz,
            end_secs: (piece.start + piece.frames) as f64 / self.rate_hz,
            instance: piece.instance,
            rms_m: piece.rms_m,
        };
        self.pieces.iter().map(heard).collect()
    }
}

/// How a set of instances is grown.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GrowSettings {
    /// A piece that is further from its instance becomes none itself, in metres; default 0.06; 0 to 10.
    pub most_rms_m: f64,
    /// How often the method is applied at the most; default 8; 1 to 100. It ends when nothing changes any more.
    pub rounds: u8,
}

impl Default for GrowSettings {
    fn default() -> Self {
        Self { most_rms_m: 0.06, rounds: 8 }
    }
}

impl GrowSettings {
    /// Checks the ranges.
    pub fn validate(&self) -> Result<()> {
        OutOfRange::check("most_rms_m", self.most_rms_m, 0.0..=10.0)?;
        Ok(OutOfRange::check("rounds", self.rounds, 1..=100)?)
    }
}

/// Cuts and labels the examples of which no instances were cut yet: each is interpreted by the instances of all others, and
/// what is near enough becomes an instance too; again, until nothing changes. The instances that were there stay first.
pub fn grow(mapping: &Mapping, settings: &Settings, grow: &GrowSettings) -> Result<Mapping> {
    grow.validate()?;
    let cut = |example: usize| mapping.instances().iter().any(|instance| instance.example == example);
    let uncut: Vec<usize> = (0..mapping.examples().len()).filter(|&example| !cut(example)).collect();
    let mut found: Vec<Vec<Instance>> = vec![Vec::new(); uncut.len()];
    let given = mapping.instances().len();
    let settings = Settings { free_start: true, free_end: true, ..*settings };
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
                // Shorter than any instance: nothing to be cut.
                Err(crate::Error::TooShort { .. }) => Vec::new(),
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

/// The pieces that are whole and near enough, as instances of an example.
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
        is_whole && piece.frames >= 2 && piece.rms_m <= grow.most_rms_m
    });
    let instance = |piece: &Piece| Instance {
        example,
        frames: piece.start..piece.start + piece.frames,
        label: mapping.instances()[piece.instance].label.clone(),
    };
    pieces.map(instance).collect()
}
