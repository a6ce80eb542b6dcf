//! Flags of the style mode.

use clap::Args;
use marey::tween::{Dependence, PathSearchSettings, StyleSettings};

use crate::flags::choice;

#[derive(Debug, Args)]
#[command(next_help_heading = "Options of --mode style")]
pub(super) struct StyleFlags {
    /// Which joints depend on which
    #[arg(long, value_name = "WHICH", default_value = "learned", value_parser = choice(NETWORKS))]
    network: Dependence,

    /// Rate at which postures are learned and searched; frames between them are interpolated
    #[arg(long, value_name = "HZ", default_value_t = StyleSettings::default().rate_hz)]
    working_rate: f64,

    /// Maximum length of the path, relative to the fewest possible steps
    #[arg(long, value_name = "RATIO", default_value_t = PathSearchSettings::default().max_length_ratio)]
    max_length_ratio: f64,

    /// Weight of the heuristic of the search; large values give the paper's greedy search
    #[arg(long, value_name = "WEIGHT", default_value_t = PathSearchSettings::default().heuristic_weight)]
    heuristic_weight: f64,

    /// Number of expanded postures after which the search returns the best path so far
    #[arg(long, value_name = "N", default_value_t = PathSearchSettings::default().max_expansions)]
    max_expansions: usize,
}

/// Which joints depend on which.
const NETWORKS: [(&str, &str, Dependence); 3] = [
    ("learned", "The tree with the most mutual information in the motion", Dependence::Learned),
    ("body", "Each joint on its parent in the skeleton", Dependence::Body),
    ("none", "None: joints are independent", Dependence::None),
];

impl StyleFlags {
    pub(super) fn style(&self) -> StyleSettings {
        StyleSettings { dependence: self.network, rate_hz: self.working_rate, ..StyleSettings::default() }
    }

    pub(super) fn search(&self) -> PathSearchSettings {
        PathSearchSettings {
            max_length_ratio: self.max_length_ratio,
            heuristic_weight: self.heuristic_weight,
            max_expansions: self.max_expansions,
            ..PathSearchSettings::default()
        }
    }
}
