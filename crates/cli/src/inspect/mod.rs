//! `marey inspect`.

mod list;
mod page;

use std::path::PathBuf;

use clap::Args;
use marey::inspect::{self, FileSummary, InspectRequest, SummaryRow};
use marey::{Context, Error, FileOutcome, codes};

use crate::console::Console;
use crate::flags::{ConventionFlags, ForceFlag, JsonFlag};
use crate::verdict::Verdict;
use crate::{batch, json};

/// Show what motion files contain and how they are read
///
/// One file gives a page; several give a table.
#[derive(Debug, Args)]
#[command(before_help = "Examples:
  marey inspect walk.bvh                    a page about one file
  marey inspect --json archive/ > all.json  every motion file in a folder, for programs")]
pub(crate) struct InspectArgs {
    /// Files, folders (including their subfolders) and patterns ('walks/**/*.bvh')
    #[arg(required = true, value_name = "FILES")]
    files: Vec<PathBuf>,

    #[command(flatten)]
    json: JsonFlag,

    /// Write the detected joint roles as TOML, to be corrected and passed to --roles; for one file
    #[arg(long, value_name = "FILE")]
    save_roles: Option<PathBuf>,

    #[command(flatten)]
    force: ForceFlag,

    #[command(flatten)]
    conventions: ConventionFlags,
}

pub(crate) fn run(args: &InspectArgs, console: &Console) -> Result<Verdict, Error> {
    let request = InspectRequest { files: args.files.clone(), read: args.conventions.request() };
    let files =
        console.observed(|observer| inspect::run(&request, &console.context(Context::new(), observer)))?;
    if args.save_roles.is_some() && files.len() != 1 {
        let message = format!("--save-roles with {} files", files.len());
        return Err(Error::usage(&codes::ONE_FILE_ONLY, message));
    }
    if args.json.json {
        let rows = json::files(&files, |summary| summary.map(SummaryRow::from).unwrap_or_default());
        console.print(&rows)?;
    } else {
        show(console, &files)?;
    }
    if let (Some(path), [FileOutcome { file, result: Ok(summary) }]) = (&args.save_roles, files.as_slice()) {
        let Some(role_map) = &summary.role_map else {
            return Err(Error::new(&codes::NO_ROLES, "points have no joints").in_file(file));
        };
        args.force.write(path, role_map.to_toml().as_bytes())?;
    }
    Ok(Verdict::of_files(&files))
}

/// Prints a page for one file, a table for several.
fn show(console: &Console, files: &[FileOutcome<FileSummary>]) -> Result<(), Error> {
    match files {
        [FileOutcome { file, result: Ok(summary) }] => console.print(&page::text(console.out, file, summary)),
        [FileOutcome { result: Err(error), .. }] => {
            console.error(error);
            Ok(())
        }
        _ => {
            console.print(&list::table(console.out, files))?;
            console.note(&list::summary(console.err, files));
            let summaries = files.iter().filter_map(|each| Some((&each.file, each.result.as_ref().ok()?)));
            let warnings = summaries.flat_map(|(file, summary)| batch::with_file(file, &summary.warnings));
            batch::tell_warnings(console, warnings);
            batch::tell_failures(console, files.iter().filter_map(FileOutcome::error).collect(), files.len());
            Ok(())
        }
    }
}
