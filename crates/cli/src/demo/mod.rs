//! `marey demo`.

mod engines;
mod gallery;
mod motion;

use std::path::PathBuf;

use clap::Args;
use marey::Error;
use marey::examples::{self, ExampleName, ExampleRequest};
use marey::formats::file::make_folder;
use motion::{DemoMotion, WrittenMotion};
use serde::Serialize;

use crate::console::Console;
use crate::flags::{ForceFlag, JsonFlag};
use crate::verdict::Verdict;
use crate::{json, table};

/// Show what Marey does: small examples, every engine on them, and a page to look at
///
/// Generates a small version of every example and runs every engine. DIR gets the motion as BVH and GLB, contact sheets,
/// animations, the corpus that the engines use, and an index.html that shows each input beside its output with its quality card. The
/// page needs no network.
#[derive(Debug, Args)]
#[command(before_help = "Examples:
  marey demo                       everything, in the folder demo
  marey demo show --seed 7 --force other motion, replacing the files in the folder show")]
pub(crate) struct DemoArgs {
    /// The folder to write to
    #[arg(value_name = "DIR", default_value = "demo")]
    folder: PathBuf,

    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,

    #[command(flatten)]
    force: ForceFlag,

    #[command(flatten)]
    json: JsonFlag,
}

/// An example, or the input and the output of an engine.
struct Exhibit<M> {
    name: String,
    about: String,
    motions: Vec<M>,
}

/// A heading and the exhibits under it.
type Section = (&'static str, Vec<Exhibit<WrittenMotion>>);

/// A motion as JSON.
#[derive(Debug, Serialize)]
struct DemoRow<'a> {
    exhibit: &'a str,
    motion: &'a str,
    actors: usize,
    frames: usize,
    secs: f64,
    passed: bool,
    /// The measures above their thresholds.
    missed: Vec<MissedRow<'a>>,
    files: &'a [String],
}

#[derive(Debug, Serialize)]
struct MissedRow<'a> {
    actor: &'a str,
    name: &'static str,
    value: f64,
    at_most: Option<f64>,
}

pub(crate) fn run(args: &DemoArgs, console: &Console) -> Result<Verdict, Error> {
    let index = args.folder.join("index.html");
    args.force.check(&index)?;
    let examples = args.write(console, examples(args.seed)?)?;
    let engines = args.write(console, engines::all(args)?)?;
    let sections = [("Examples", examples), ("Engines", engines)];
    args.force.write(&index, gallery::page(&sections).as_bytes())?;
    let rows: Vec<DemoRow<'_>> = sections.iter().flat_map(|(_, exhibits)| exhibits).flat_map(rows).collect();
    if args.json.json {
        console.print(&json::array(rows.iter()))?;
    } else {
        let cells = rows.iter().map(|row| {
            let verdict = if row.passed { "passed" } else { "missed" };
            let [actors, frames] = [row.actors, row.frames].map(|number| number.to_string());
            let secs = format!("{:.1}", row.secs);
            vec![row.exhibit.into(), row.motion.into(), actors, frames, secs, verdict.into()]
        });
        let heading = ["what", "motion", "actors", "frames", "secs", "card"];
        console.print(&table::columns(console.out, heading, cells.collect()))?;
        console.note(&format!("open {}, or try it yourself: marey studio\n", index.display()));
    }
    // The cards of engines are measurements; an example that misses a threshold is a defect.
    let [(_, examples), _] = &sections;
    Ok(Verdict::passed(examples.iter().flat_map(|example| &example.motions).all(WrittenMotion::passed)))
}

impl DemoArgs {
    fn write(
        &self,
        console: &Console,
        exhibits: Vec<Exhibit<DemoMotion>>,
    ) -> Result<Vec<Exhibit<WrittenMotion>>, Error> {
        let write = |Exhibit { name, about, motions }: Exhibit<DemoMotion>| {
            console.note(&format!("{name}\n"));
            let folder = self.folder.join(&name);
            make_folder(&folder).map_err(|error| Error::from(error).in_file(&folder))?;
            let motions = motions.into_iter().map(|motion| motion.write(&self.folder, &name, &self.force));
            Ok(Exhibit { motions: motions.collect::<Result<_, Error>>()?, name, about })
        };
        exhibits.into_iter().map(write).collect()
    }
}

/// A small version of every example.
fn examples(seed: u64) -> Result<Vec<Exhibit<DemoMotion>>, Error> {
    let exhibit = |&name: &ExampleName| {
        let request = ExampleRequest { seed, is_preview: true, ..ExampleRequest::new(name) };
        let motions = examples::run(&request)?.into_iter().map(DemoMotion::from_example);
        let (name, about) = (name.name().into(), name.summary().into());
        Ok(Exhibit { name, about, motions: motions.collect::<Result<_, Error>>()? })
    };
    ExampleName::ALL.iter().map(exhibit).collect()
}

fn rows(exhibit: &Exhibit<WrittenMotion>) -> impl Iterator<Item = DemoRow<'_>> {
    exhibit.motions.iter().map(|motion| DemoRow {
        exhibit: &exhibit.name,
        motion: &motion.name,
        actors: motion.actors,
        frames: motion.frames,
        secs: motion.secs,
        passed: motion.passed(),
        missed: motion.missed().collect(),
        files: &motion.files,
    })
}
