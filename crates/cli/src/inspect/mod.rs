//! `marey inspect`.

mod facts;
mod list;
mod oddity;
mod page;
mod row;

use std::path::PathBuf;

use clap::Args;
use facts::Facts;
use marey::codes;
use marey::formats::file::read_file;

use crate::console::Console;
use crate::flags::{ConventionFlags, ForceFlag, JsonFlag};
use crate::verdict::Verdict;
use crate::{batch, json};
use marey::Error;
use marey::inputs::{self, Inputs};

/// Show what is in motion files and how they were understood
///
/// One file gives a page; several give a table.
#[derive(Debug, Args)]
#[command(before_help = "Examples:
  marey inspect walk.bvh                    a page about one file
  marey inspect --json archive/ > all.json  every motion file in a folder, for programs")]
pub(crate) struct InspectArgs {
    /// Files, folders (with all folders in them) and patterns ('walks/**/*.bvh')
    #[arg(required = true, value_name = "FILES")]
    files: Vec<PathBuf>,

    #[command(flatten)]
    json: JsonFlag,

    /// Write the roles that were found as TOML, to be corrected and given to --roles; takes one file
    #[arg(long, value_name = "FILE")]
    save_roles: Option<PathBuf>,

    #[command(flatten)]
    force: ForceFlag,

    #[command(flatten)]
    conventions: ConventionFlags,
}

type Results = Vec<Result<Facts, Error>>;

pub(crate) fn run(args: &InspectArgs, console: &Console) -> Result<Verdict, Error> {
    let options = args.conventions.options()?;
    let inputs = inputs::gather(&args.files)?;
    if args.save_roles.is_some() && inputs.files.len() != 1 {
        let message = format!("--save-roles with {} files", inputs.files.len());
        return Err(Error::usage(&codes::ONE_FILE_ONLY, message));
    }
    let results: Results = batch::run(console, &inputs.files, |input| {
        let import = read_file(&input.path, &options)?;
        Facts::of(&import, args.conventions.trim_rest)
    });
    if args.json.json {
        let rows = inputs.files.iter().zip(&results).map(|(input, result)| row::of(&input.path, result));
        console.print(&json::array(rows))?;
    } else {
        show(console, &inputs, &results)?;
    }
    if let (Some(path), [Ok(facts)]) = (&args.save_roles, results.as_slice()) {
        let Some(role_map) = &facts.role_map else {
            return Err(Error::new(&codes::NO_ROLES, "points have no joints").in_file(&args.files[0]));
        };
        args.force.write(path, role_map.to_toml().as_bytes())?;
    }
    Ok(Verdict::of(&results))
}

/// A page for one file, a table for several.
fn show(console: &Console, inputs: &Inputs, results: &Results) -> Result<(), Error> {
    match (inputs.files.as_slice(), results.as_slice()) {
        ([input], [Ok(facts)]) => console.print(&page::of(console.out, &input.path, facts)),
        ([_], [Err(failure)]) => {
            console.error(failure);
            Ok(())
        }
        _ => {
            console.print(&list::table(console.out, &inputs.files, results))?;
            console.note(&list::summary(console.err, results));
            let warnings = results.iter().flatten().flat_map(|facts| &facts.oddities);
            batch::tell_warnings(console, warnings);
            let failures = results.iter().filter_map(|result| result.as_ref().err());
            batch::tell_failures(console, failures.collect(), results.len());
            Ok(())
        }
    }
}
