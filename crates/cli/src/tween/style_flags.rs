//! Flags for learning the style of a corpus.

use std::path::PathBuf;

use clap::Args;
use marey::motion::Observer;
use marey::tween::{Dependence, StyleSettings};
use marey::{Context, Error};

use crate::console::Console;
use crate::flags::choice;

#[derive(Debug, Args)]
pub(crate) struct StyleFlags {
    /// The corpus, a file ending in .marey
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
}

/// Which joints depend on which.
const NETWORKS: [(&str, &str, Dependence); 3] = [
    ("learned", "The tree with the most mutual information in the motion", Dependence::Learned),
    ("body", "Each joint on its parent in the skeleton", Dependence::Body),
    ("none", "None: joints are independent", Dependence::None),
];

impl StyleFlags {
    pub(crate) fn context<'a>(
        &self,
        console: &Console,
        observer: Observer<'a>,
    ) -> Result<Context<'a>, Error> {
        Ok(console.context(Context::open(&self.corpus)?, observer))
    }

    pub(crate) fn only(&self) -> Vec<String> {
        self.only.clone()
    }

    pub(crate) fn settings(&self) -> StyleSettings {
        StyleSettings { dependence: self.network, rate_hz: self.working_rate, ..StyleSettings::default() }
    }
}
