//! `marey demo`.

mod engines;
mod gallery;
mod motion;

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use marey::formats::file::make_folder;
use motion::{Motion, Shown};
use serde::Serialize;

use crate::console::Console;
use crate::examples::{ExamplesArgs, Name};
use crate::flags::{ForceFlag, JsonFlag};
use crate::verdict::Verdict;
use crate::{json, table};
use marey::Error;

/// Show what Marey does: small examples, every engine on them, and a page to look at it all
///
/// Makes a small version of every example and runs every engine on them. DIR gets the motion as BVH and GLB, contact
/// sheets, animations, and an index.html that shows each input beside its output with its quality card. The page needs no
/// network.
#[derive(Debug, Args)]
#[command(before_help = "Examples:
  marey demo                       everything, in the folder demo
  marey demo show --seed 7 --force another show, over the last")]
pub(crate) struct DemoArgs {
    /// The folder to write to
    #[arg(value_name = "DIR", default_value = "demo")]
    folder: PathBuf,

    /// Where chance starts: another seed is another show
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,

    #[command(flatten)]
    force: ForceFlag,

    #[command(flatten)]
    json: JsonFlag,
}

/// One thing on show: an example, or an engine's input beside its output.
struct Exhibit {
    name: String,
    about: String,
    motions: Vec<Motion>,
}

/// What a motion comes to, as JSON has it.
#[derive(Debug, Serialize)]
struct Row {
    exhibit: String,
    motion: String,
    actors: usize,
    frames: usize,
    secs: f64,
    passed: bool,
    files: Vec<String>,
}

pub(crate) fn run(args: &DemoArgs, console: &Console) -> Result<Verdict, Error> {
    let index = args.folder.join("index.html");
    args.force.check(&index)?;
    let mut sections = Vec::new();
    for (heading, exhibits) in [("Examples", examples(args.seed)?), ("Engines", engines::all(args.seed)?)] {
        let shown = exhibits.into_iter().map(|exhibit| {
            console.note(&format!("{}\n", exhibit.name));
            let folder = args.folder.join(&exhibit.name);
            make_folder(&folder).map_err(|error| Error::from(error).in_file(&folder))?;
            let write = |motion: Motion| motion.write(&args.folder, &exhibit.name, &args.force);
            let motions = exhibit.motions.into_iter().map(write);
            let shown = motions.collect::<Result<Vec<Shown>, Error>>()?;
            Ok((exhibit.name, exhibit.about, shown))
        });
        sections.push((heading, shown.collect::<Result<Vec<_>, Error>>()?));
    }
    args.force.write(&index, gallery::page(&sections).as_bytes())?;
    let all = sections.iter().flat_map(|(_, exhibits)| exhibits);
    let rows: Vec<(&str, &Shown)> =
        all.flat_map(|(name, _, motions)| motions.iter().map(|shown| (name.as_str(), shown))).collect();
    tell(args, console, &rows, &index)?;
    // An engine's card says how good it is; an example must be what it says it is.
    let examples = sections.iter().take(1).flat_map(|(_, exhibits)| exhibits);
    let passed = examples.flat_map(|(_, _, motions)| motions).all(Shown::passed);
    Ok(if passed { Verdict::AllDone } else { Verdict::SomeFailed })
}

/// Every example that there is, small.
fn examples(seed: u64) -> Result<Vec<Exhibit>, Error> {
    let exhibit = |&name: &Name| {
        let value = name.to_possible_value();
        let about = value.as_ref().and_then(|value| value.get_help()).map(ToString::to_string);
        let pieces = ExamplesArgs::small(name, seed)?.into_iter();
        Ok(Exhibit {
            name: value.map(|value| value.get_name().to_owned()).unwrap_or_default(),
            about: about.unwrap_or_default(),
            motions: pieces.map(Motion::from).collect(),
        })
    };
    Name::value_variants().iter().map(exhibit).collect()
}

fn tell(args: &DemoArgs, console: &Console, rows: &[(&str, &Shown)], index: &Path) -> Result<(), Error> {
    if args.json.json {
        let row = |(exhibit, shown): &(&'_ str, &Shown)| Row {
            exhibit: (*exhibit).to_owned(),
            motion: shown.name.clone(),
            actors: shown.actors,
            frames: shown.frames,
            secs: shown.secs,
            passed: shown.passed(),
            files: shown.files.clone(),
        };
        return console.print(&json::array(rows.iter().map(row)));
    }
    let cells = rows.iter().map(|(exhibit, shown)| {
        let verdict = if shown.passed() { "passed" } else { "missed" };
        vec![
            (*exhibit).to_owned(),
            shown.name.clone(),
            shown.actors.to_string(),
            shown.frames.to_string(),
            format!("{:.1}", shown.secs),
            verdict.to_owned(),
        ]
    });
    let heading = ["what", "motion", "actors", "frames", "secs", "card"];
    console.print(&table::columns(console.out, heading, cells.collect()))?;
    console.note(&format!("look at {}\nor see it, draw it, play it: marey studio\n", index.display()));
    Ok(())
}
