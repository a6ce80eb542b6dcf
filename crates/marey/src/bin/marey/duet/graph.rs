//! `marey duet graph`.

use std::path::PathBuf;

use clap::Args;
use marey::bouts::trained;
use marey::duet::picture;

use super::ModelFlag;
use crate::console::Console;
use crate::corpus::CorpusFlag;
use crate::failure::{Failure, Verdict};
use crate::flags::ForceFlag;

/// Draw the model: groups of movements, and what follows what
#[derive(Debug, Args)]
#[command(before_help = "Examples:
  marey duet graph bouts.marey -o graph.svg                as a picture for a browser
  marey duet graph bouts.marey -o final.svg --model final  a model with another name")]
pub(super) struct GraphArgs {
    #[command(flatten)]
    corpus: CorpusFlag,

    /// Where the picture goes, as SVG
    #[arg(short, long, value_name = "GRAPH.svg")]
    output: PathBuf,

    #[command(flatten)]
    model: ModelFlag,

    #[command(flatten)]
    force: ForceFlag,
}

pub(super) fn run(args: &GraphArgs, console: &Console) -> Result<Verdict, Failure> {
    args.force.check(&args.output)?;
    let trained =
        trained(&args.corpus.look()?, &args.model.model).map_err(|error| args.corpus.about(error))?;
    args.force.write(&args.output, picture(&trained.model).as_bytes())?;
    let [one, other] = trained.model.people.each_ref().map(|person| person.states.len());
    console.note(&format!("{}: {one} and {other} groups\n", args.output.display()));
    Ok(Verdict::AllDone)
}
