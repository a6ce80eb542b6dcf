//! How the style of a corpus is learned: what `tween` and `wander` have in common.

use clap::{Args, ValueEnum};
use marey::learned::Learned;
use marey::tween::{Dependence, StyleSettings};

use crate::corpus::CorpusFlag;
use crate::failure::Failure;

/// A corpus, and how its style is learned.
#[derive(Debug, Args)]
pub(crate) struct StyleFlags {
    #[command(flatten)]
    corpus: CorpusFlag,

    /// Learn from this take only, by name or # and number; may be given again
    #[arg(long, value_name = "TAKE")]
    only: Vec<String>,

    /// Which joints depend on which
    #[arg(long, value_enum, value_name = "WHICH", default_value_t)]
    network: NetworkFlag,

    /// Postures a second at which motion is learned and searched; between them it is filled in
    #[arg(long, value_name = "HZ", default_value_t = StyleSettings::default().rate_hz)]
    working_rate: f64,
}

/// Which joints depend on which.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum NetworkFlag {
    /// Those that the motion shows to go together
    #[default]
    Learned,
    /// Each on the one it hangs from
    Body,
    /// None: joints know nothing of each other
    None,
}

impl StyleFlags {
    /// Opens the corpus and learns.
    pub(crate) fn learn(&self) -> Result<Learned, Failure> {
        let corpus = self.corpus.look()?;
        let dependence = match self.network {
            NetworkFlag::Learned => Dependence::Learned,
            NetworkFlag::Body => Dependence::Body,
            NetworkFlag::None => Dependence::None,
        };
        let settings = StyleSettings { dependence, rate_hz: self.working_rate, ..StyleSettings::default() };
        Learned::of(corpus, &self.only, &settings).map_err(|failure| self.corpus.about(failure))
    }
}
