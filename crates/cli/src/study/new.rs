//! `marey study new`.

use std::path::PathBuf;

use clap::Args;
use marey::study::{self, EXAMPLE_DEFINITION, NewStudyRequest};
use marey::{Context, Error};

use super::print_made;
use crate::console::Console;
use crate::flags::{ForceFlag, JsonFlag};
use crate::verdict::Verdict;

/// Check the definition of a study, make its clips, and write both to a corpus
///
/// The definition names conditions, clips or what makes them, scales, classes of raters and the order of presentation.
/// docs/study.md describes it. Answers are stored in the same corpus.
#[derive(Debug, Args)]
#[command(before_help = "Examples:
  marey study new study.toml --example    write a definition with comments
  marey study new study.toml              make its clips: study.marey")]
pub(crate) struct NewArgs {
    /// The definition
    #[arg(value_name = "STUDY.toml")]
    definition: PathBuf,

    /// The corpus to write [default: the definition, ending in .marey]
    #[arg(short, long, value_name = "STUDY.marey", conflicts_with = "example")]
    output: Option<PathBuf>,

    /// Write a definition with comments instead of reading one
    #[arg(long)]
    example: bool,

    #[command(flatten)]
    force: ForceFlag,

    #[command(flatten)]
    json: JsonFlag,
}

pub(super) fn run(args: &NewArgs, console: &Console) -> Result<Verdict, Error> {
    if args.example {
        args.force.write(&args.definition, EXAMPLE_DEFINITION.as_bytes())?;
        console.note(&format!(
            "{}: written; edit it, then run marey study new on it\n",
            args.definition.display()
        ));
        return Ok(Verdict::AllDone);
    }
    let request = NewStudyRequest {
        definition: args.definition.clone(),
        output: args.output.clone().unwrap_or_else(|| args.definition.with_extension("marey")),
        force: args.force.force,
    };
    let made =
        console.observed(|observer| study::new(&request, &console.context(Context::new(), observer)))?;
    print_made(&made, args.json.json, console)
}
