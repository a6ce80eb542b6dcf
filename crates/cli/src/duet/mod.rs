//! `marey duet`.

mod graph;
mod label;
mod run;
mod train;

use clap::{Args, Subcommand};
use marey::duet::DEFAULT_MODEL;

use crate::console::Console;
use crate::flags::choice;
use crate::verdict::Verdict;
use marey::Error;

/// Generate motion of two interacting people from recordings of a pair
///
/// First find and group the movements of both (label), then train a model of how they act and react (train), then generate
/// motion of any length (run): freely, with one person on a path, or by commands. Labels are segments of the corpus, which can
/// be corrected before training.
#[derive(Debug, Args)]
#[command(
    disable_help_subcommand = true,
    before_help = "Examples:
  marey duet label bouts.marey                          find the movements of two fighters
  marey duet run bouts.marey -o bout.glb --secs 60      after training, a new minute of motion"
)]
pub(crate) struct DuetArgs {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    Label(label::LabelArgs),
    Train(train::TrainArgs),
    Graph(graph::GraphArgs),
    Run(Box<run::RunArgs>),
}

pub(crate) fn run(args: &DuetArgs, console: &Console) -> Result<Verdict, Error> {
    match &args.verb {
        Verb::Label(args) => label::run(args, console),
        Verb::Train(args) => train::run(args, console),
        Verb::Graph(args) => graph::run(args, console),
        Verb::Run(args) => run::run(args, console),
    }
}

/// Whether the two are a couple.
#[derive(Debug, Args)]
struct UnisonFlag {
    /// Whether the two move together, like a dancing couple [default: label: yes if a hand or foot is within 0.3 m of the partner
    /// for more than 0.6 of the time, or if they repeat little; train: as labelled]
    #[arg(long, value_name = "ANSWER", value_parser = choice(UNISON))]
    unison: Option<bool>,
}

const UNISON: [(&str, &str, bool); 2] = [
    ("yes", "Both are cut together and move at the same time", true),
    ("no", "Each person is cut separately and reacts to the other", false),
];

/// The model in the corpus.
#[derive(Debug, Args)]
struct ModelFlag {
    /// Name of the model in the corpus
    #[arg(long, value_name = "NAME", default_value = DEFAULT_MODEL)]
    model: String,
}
