//! Flags for learning the style of a corpus.

use std::path::PathBuf;

use clap::Args;
use marey::tween::{Dependence, StyleSettings};
use marey::{Context, Error};

use crate::console::Console;
use crate::flags::{ForceFlag, SourceFlags, choice};

#[derive(Debug, Args)]
pub(crate) struct StyleFlags {
    /// A corpus, a file ending in .marey; or motion files: a folder, a pattern or a file
    #[arg(value_name = "CORPUS")]
    corpus: PathBuf,

    /// Learn from this take only, by name or # and number; can be repeated
    #[arg(long, value_name = "TAKE")]
    only: Vec<String>,

    /// Which joints depend on which
    #[arg(long, value_name = "WHICH", default_value = "learned", value_parser = choice(NETWORKS))]
    network: Dependence,

    /// Rate at which postures are learned and searched; frames between them are interpolated
    #[arg(long, value_name = "HZ", default_value_t = StyleSettings::default().rate_hz)]
    working_rate: f64,

    #[command(flatten)]
    sources: SourceFlags,
}

/// Which joints depend on which.
const NETWORKS: [(&str, &str, Dependence); 3] = [
    ("learned", "The tree with the most mutual information in the motion", Dependence::Learned),
    ("body", "Each joint on its parent in the skeleton", Dependence::Body),
    ("none", "None: joints are independent", Dependence::None),
];

impl StyleFlags {
    /// Opens the corpus, or makes one.
    pub(crate) fn context(&self, force: &ForceFlag, console: &Console) -> Result<Context<'static>, Error> {
        self.sources.context(std::slice::from_ref(&self.corpus), force, console)
    }

    pub(crate) fn only(&self) -> Vec<String> {
        self.only.clone()
    }

    pub(crate) fn settings(&self) -> StyleSettings {
        StyleSettings { dependence: self.network, rate_hz: self.working_rate, ..StyleSettings::default() }
    }
}
