//! `marey duet`.

mod graph;
mod label;
mod run;
mod train;

use clap::{Args, Subcommand, ValueEnum};
use marey::bouts::USUAL_MODEL;

use crate::console::Console;
use crate::failure::{Failure, Verdict};

/// Two characters that interact: learn from a recorded pair, and let them go on
///
/// Movements of both are found and put into groups (label), what they do after each other and after what the other does is learnt
/// (train), and both go on for as long as asked: by themselves, one of them along a path, or by commands (run). Labels are
/// segments of the corpus, which can be corrected before training.
#[derive(Debug, Args)]
#[command(
    disable_help_subcommand = true,
    before_help = "Examples:
  marey duet label bouts.marey                          find the movements of two fighters
  marey duet run bouts.marey -o bout.glb --secs 60      once trained, a new minute of them"
)]
pub(crate) struct DuetArgs {
    #[command(subcommand)]
    verb: Verb,
}

/// One file for each.
#[derive(Debug, Subcommand)]
enum Verb {
    Label(label::LabelArgs),
    Train(train::TrainArgs),
    Graph(graph::GraphArgs),
    Run(run::RunArgs),
}

pub(crate) fn run(args: &DuetArgs, console: &Console) -> Result<Verdict, Failure> {
    match &args.verb {
        Verb::Label(args) => label::run(args, console),
        Verb::Train(args) => train::run(args, console),
        Verb::Graph(args) => graph::run(args, console),
        Verb::Run(args) => run::run(args, console),
    }
}

/// Whether two are a couple.
#[derive(Debug, Args)]
struct UnisonFlag {
    /// Whether the two move as one, as a couple that dances does; the same for label and train [default: yes where a hand or a foot of the
    /// one is within 0.3 m of the other for more than 0.6 of the time]
    #[arg(long, value_enum, value_name = "ANSWER")]
    unison: Option<Unison>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Unison {
    /// They are cut once, and do the same things at the same time
    Yes,
    /// Each by themselves, one answering the other
    No,
}

impl UnisonFlag {
    fn answer(&self) -> Option<bool> {
        self.unison.map(|unison| unison == Unison::Yes)
    }
}

/// Which model of a corpus.
#[derive(Debug, Args)]
struct ModelFlag {
    /// The name of the model in the corpus
    #[arg(long, value_name = "NAME", default_value = USUAL_MODEL)]
    model: String,
}
