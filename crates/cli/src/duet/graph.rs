//! `marey duet graph`.

use std::path::PathBuf;

use clap::Args;
use marey::duet::graph::{self, DuetGraphRequest};
use marey::{Context, Error};

use super::ModelFlag;
use crate::console::Console;
use crate::corpus::CorpusFlag;
use crate::flags::ForceFlag;
use crate::verdict::Verdict;

/// Draw a trained model: groups of movements and their transitions
#[derive(Debug, Args)]
#[command(before_help = "Examples:
  marey duet graph bouts.marey -o graph.svg                as a picture for a browser
  marey duet graph bouts.marey -o final.svg --model final  a model with another name")]
pub(super) struct GraphArgs {
    #[command(flatten)]
    corpus: CorpusFlag,

    /// The SVG file to write
    #[arg(short, long, value_name = "GRAPH.svg")]
    output: PathBuf,

    #[command(flatten)]
    model: ModelFlag,

    #[command(flatten)]
    force: ForceFlag,
}

pub(super) fn run(args: &GraphArgs, console: &Console) -> Result<Verdict, Error> {
    args.force.check(&args.output)?;
    let request = DuetGraphRequest { model: args.model.model.clone() };
    let context = Context::with_corpus(args.corpus.look()?);
    let drawn = graph::run(&request, &context).map_err(|error| args.corpus.about(error))?;
    args.force.write(&args.output, drawn.svg.as_bytes())?;
    let [first, second] = drawn.groups;
    console.note(&format!("{}: {first} and {second} groups\n", args.output.display()));
    Ok(Verdict::AllDone)
}
