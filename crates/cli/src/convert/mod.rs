//! `marey convert`.

mod edit;
mod output;
mod target;

use std::path::{Path, PathBuf};

use clap::Args;
use edit::{Edit, EditFlags};
use marey::formats::file::read_file;
use marey::formats::{FileTake, ReadOptions, write};
use marey::motion::{Report, Take};
use output::OutputFlags;
pub(crate) use output::usual_options;
use serde::Serialize;
use target::Target;

use crate::batch;
use crate::console::Console;
use crate::flags::{ConventionFlags, ForceFlag, JsonFlag};
use crate::json::{self, Row};
use crate::verdict::Verdict;
use marey::Error;
use marey::inputs::{self, Input};

/// Write motion files anew: another format, unit, rate, or part of the motion
///
/// What is written is in Marey's conventions: Y up, facing +Z at rest. One file goes to a file, or to a folder; several
/// files, folders and patterns go to a folder, with their paths below it kept.
#[derive(Debug, Args)]
#[command(before_help = "Examples:
  marey convert walk.bvh walk.glb                   for any viewer or engine, with a body to look at
  marey convert archive/ clean/ --trim-rest --to glb  a folder, without T-poses in front")]
pub(crate) struct ConvertArgs {
    /// Files, folders (with all folders in them) and patterns ('walks/**/*.bvh')
    #[arg(required = true, value_name = "IN")]
    inputs: Vec<PathBuf>,

    /// A file ending in .bvh, .glb or .gltf, or a folder
    #[arg(value_name = "OUT")]
    output: PathBuf,

    #[command(flatten)]
    force: ForceFlag,

    #[command(flatten)]
    json: JsonFlag,

    #[command(flatten)]
    format: OutputFlags,

    #[command(flatten)]
    edit: EditFlags,

    #[command(flatten)]
    conventions: ConventionFlags,
}

/// What was written from one file, as JSON has it.
#[derive(Debug, Default, Clone, Serialize)]
struct Written {
    outputs: Vec<String>,
    joints: Option<usize>,
    frames: Option<usize>,
    rate_hz: Option<f64>,
    duration_secs: Option<f64>,
    warnings: Vec<&'static str>,
    #[serde(skip)]
    report: Report,
}

pub(crate) fn run(args: &ConvertArgs, console: &Console) -> Result<Verdict, Error> {
    let options = args.conventions.options()?;
    let edit = args.edit.ready()?;
    let mut inputs = inputs::gather(&args.inputs)?;
    let target = Target::of(&args.output, &inputs, &args.format)?;
    args.format.check_tool(target.format())?;
    target.refuse_collisions(&mut inputs.files);
    let results = batch::run(console, &inputs.files, |input| convert(input, &target, args, &edit, &options));
    if args.json.json {
        let rows = inputs.files.iter().zip(&results).map(|(input, result)| {
            Row::new(&input.path, result.as_ref().err(), result.as_ref().cloned().unwrap_or_default())
        });
        console.print(&json::array(rows))?;
    } else {
        tell(console, &inputs.files, &results);
        if let Some(advice) =
            args.format.advice(target.format()).filter(|_| results.iter().any(Result::is_ok))
        {
            console.note(&format!("{advice}\n"));
        }
    }
    Ok(Verdict::of(&results))
}

/// Reads, edits and writes one file.
fn convert(
    input: &Input,
    target: &Target,
    args: &ConvertArgs,
    edit: &Edit<'_>,
    options: &ReadOptions,
) -> Result<Written, Error> {
    args.force.check(&target.path_for(input))?;
    let import = read_file(&input.path, options)?;
    let mut written = Written { report: import.report.clone(), ..Written::default() };
    let readings = import.into_takes()?;
    for output in target.paths_for(input, &readings)?.iter().zip(readings) {
        args.convert_take(output, target, edit, &mut written)?;
    }
    written.warnings = written.report.codes();
    Ok(written)
}

impl ConvertArgs {
    /// Edits and writes one take.
    fn convert_take(
        &self,
        (output, reading): (&PathBuf, FileTake),
        target: &Target,
        edit: &Edit<'_>,
        written: &mut Written,
    ) -> Result<(), Error> {
        let take = self.format.dressed(edit.apply(reading.take)?)?;
        let (bytes, notes) = write(&take, &self.format.options(output)?)?;
        target.make_room(output)?;
        self.force.write(output, &bytes)?;
        written.add(output, &take);
        written.report.absorb(notes);
        Ok(())
    }
}

impl Written {
    /// Notes an output; frames and seconds add up.
    fn add(&mut self, output: &Path, take: &Take) {
        self.outputs.push(output.display().to_string());
        self.joints = Some(take.actors().iter().map(|actor| actor.clip.skeleton().len()).sum());
        self.frames = Some(self.frames.unwrap_or(0) + take.frames());
        self.rate_hz = Some(take.rate_hz());
        self.duration_secs = Some(self.duration_secs.unwrap_or(0.0) + take.first().duration_secs());
    }
}

/// Says what was met on the way, what failed and what was written.
fn tell(console: &Console, inputs: &[Input], results: &[Result<Written, Error>]) {
    let report = |result| Result::map(Result::as_ref(result), |written: &Written| &written.report);
    batch::tell(console, inputs, &results.iter().map(report).collect::<Vec<_>>());
    match results {
        [result] => {
            for output in result.iter().flat_map(|written| &written.outputs) {
                console.note(&format!("wrote {output}\n"));
            }
        }
        _ => {
            let written = results.iter().flatten().count();
            console.note(&format!("wrote {written} of {} files\n", results.len()));
        }
    }
}
