//! Flags for how motion files are prepared for a corpus.

use clap::Args;
use marey::corpus::import::ImportPreparation;

use super::choice;

/// How takes are named and prepared.
#[derive(Debug, Args)]
pub(crate) struct PreparationFlags {
    /// Names of the actors, in order, separated by commas, for takes with as many actors
    #[arg(long = "as", value_name = "NAMES", value_delimiter = ',')]
    pub(crate) actors: Vec<String>,

    /// Leave out a step of the preparation; can be repeated
    #[arg(long, value_name = "STEP", value_parser = choice(STEPS))]
    skip: Vec<Step>,
}

/// A step of the preparation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    Rest,
    Floor,
    Repair,
    Duplicates,
}

const STEPS: [(&str, &str, Step); 4] = [
    ("rest", "Keep a calibration pose in the first frame", Step::Rest),
    ("floor", "Keep heights", Step::Floor),
    ("repair", "Keep spikes and gaps, and tag nothing as unusable", Step::Repair),
    ("duplicates", "Add takes that are nearly equal to others", Step::Duplicates),
];

impl PreparationFlags {
    /// The steps that are left.
    pub(crate) fn steps(&self) -> ImportPreparation {
        ImportPreparation {
            rest: !self.skip.contains(&Step::Rest),
            floor: !self.skip.contains(&Step::Floor),
            repair: !self.skip.contains(&Step::Repair),
            duplicates: !self.skip.contains(&Step::Duplicates),
        }
    }
}
