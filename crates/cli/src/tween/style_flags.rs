//! Flags for learning the style of a corpus.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use marey::motion::Observer;
use marey::tween::{Dependence, StyleSettings};
use marey::{Context, Error};

#[derive(Debug, Args)]
pub(crate) struct StyleFlags {
    /// The corpus, a file ending in .marey
    #[arg(value_name = "CORPUS")]
    corpus: PathBuf,

    /// Learn from this take only, by name or # and number; can be repeated
    #[arg(long, value_name = "TAKE")]
    only: Vec<String>,

    /// Which joints depend on which
    #[arg(long, value_enum, value_name = "WHICH", default_value_t)]
    network: NetworkFlag,

    /// Rate at which postures are learned and searched; frames between them are interpolated
    #[arg(long, value_name = "HZ", default_value_t = StyleSettings::default().rate_hz)]
    working_rate: f64,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum NetworkFlag {
    /// The tree with the most mutual information in the motion
    #[default]
    Learned,
    /// Each joint on its parent in the skeleton
    Body,
    /// None: joints are independent
    None,
}

impl StyleFlags {
    pub(crate) fn context<'a>(&self, observer: Observer<'a>) -> Result<Context<'a>, Error> {
        Ok(Context::open(&self.corpus)?.observed_by(observer))
    }

    pub(crate) fn only(&self) -> Vec<String> {
        self.only.clone()
    }

    pub(crate) fn settings(&self) -> StyleSettings {
        let dependence = match self.network {
            NetworkFlag::Learned => Dependence::Learned,
            NetworkFlag::Body => Dependence::Body,
            NetworkFlag::None => Dependence::None,
        };
        StyleSettings { dependence, rate_hz: self.working_rate, ..StyleSettings::default() }
    }
}
