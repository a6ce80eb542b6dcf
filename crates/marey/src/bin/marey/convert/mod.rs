//! `marey convert`.

mod edit;
mod target;

use std::path::{Path, PathBuf};

use clap::Args;
use edit::EditFlags;
use marey::formats::bvh::{self, BvhOptions, RotationOrder};
use marey::formats::file::read_file;
use marey::formats::{ReadOptions, Unit};
use marey::motion::{Report, Take};
use serde::Serialize;
use target::Target;
pub(crate) use target::check_ending;

use crate::batch;
use crate::console::Console;
use crate::failure::{Failure, Verdict};
use crate::flags::{ConventionFlags, ForceFlag, JsonFlag};
use crate::inputs::{self, Input};
use crate::json::{self, Row};

/// Write motion files anew: another unit, rate, rotation order, or part of the motion
///
/// What is written is in Marey's conventions: Y up, facing +Z at rest. One file goes to a file, or to a folder; several
/// files, folders and patterns go to a folder, with their paths below it kept.
#[derive(Debug, Args)]
#[command(before_help = "Examples:
  marey convert walk.bvh walk30.bvh --resample 30  one file, at another rate
  marey convert archive/ clean/ --trim-rest        a folder, without T-poses in front")]
pub(crate) struct ConvertArgs {
    /// Files, folders (with all folders in them) and patterns ('walks/**/*.bvh')
    #[arg(required = true, value_name = "IN")]
    inputs: Vec<PathBuf>,

    /// A file ending in .bvh, or a folder
    #[arg(value_name = "OUT")]
    output: PathBuf,

    /// Order of the rotation channels
    #[arg(long, value_name = "ORDER", default_value_t)]
    order: RotationOrder,

    /// Digits behind the point, 1 to 9
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u8).range(1..=9))]
    decimals: u8,

    /// Unit of length that is written: m, dm, cm, mm, in, ft, cmu, or a number of metres
    #[arg(long, value_name = "UNIT", default_value_t = Unit::Centimetre)]
    out_unit: Unit,

    #[command(flatten)]
    force: ForceFlag,

    #[command(flatten)]
    json: JsonFlag,

    #[command(flatten)]
    edit: EditFlags,

    #[command(flatten)]
    conventions: ConventionFlags,
}

/// What was written, as JSON has it.
#[derive(Debug, Default, Clone, Serialize)]
struct Written {
    output: Option<String>,
    joints: Option<usize>,
    frames: Option<usize>,
    rate_hz: Option<f64>,
    duration_secs: Option<f64>,
    warnings: Vec<&'static str>,
    #[serde(skip)]
    report: Report,
}

pub(crate) fn run(args: &ConvertArgs, console: &Console) -> Result<Verdict, Failure> {
    let options = args.conventions.options()?;
    let mut inputs = inputs::gather(&args.inputs)?;
    let target = Target::of(&args.output, &inputs)?;
    target.refuse_collisions(&mut inputs.files);
    let results = batch::run(console, &inputs.files, |input| convert(input, &target, args, &options));
    if args.json.json {
        let rows = inputs.files.iter().zip(&results).map(|(input, result)| {
            Row::new(&input.path, result.as_ref().err(), result.as_ref().cloned().unwrap_or_default())
        });
        console.print(&json::array(rows))?;
    } else {
        tell(console, &inputs.files, &results);
    }
    Ok(Verdict::of(&results))
}

/// Reads, edits and writes one file.
fn convert(
    input: &Input,
    target: &Target,
    args: &ConvertArgs,
    options: &ReadOptions,
) -> Result<Written, Failure> {
    let output = target.path_for(input);
    args.force.check(&output)?;
    let import = read_file(&input.path, options)?;
    let take = args.edit.apply(import.take)?;
    let options = BvhOptions { order: args.order, decimals: usize::from(args.decimals), unit: args.out_unit };
    let (bytes, notes) = bvh::write(&take, &options);
    let mut report = import.report;
    report.absorb(notes);
    target.make_room(&output)?;
    args.force.write(&output, &bytes)?;
    Ok(Written::new(&output, &take, report))
}

impl Written {
    fn new(output: &Path, take: &Take, report: Report) -> Self {
        Self {
            output: Some(output.display().to_string()),
            joints: Some(take.actors().iter().map(|actor| actor.clip.skeleton().len()).sum()),
            frames: Some(take.frames()),
            rate_hz: Some(take.rate_hz()),
            duration_secs: Some(take.first().duration_secs()),
            warnings: report.codes(),
            report,
        }
    }
}

/// Says what was met on the way, what failed and what was written.
fn tell(console: &Console, inputs: &[Input], results: &[Result<Written, Failure>]) {
    let report = |result| Result::map(Result::as_ref(result), |written: &Written| &written.report);
    batch::tell(console, inputs, &results.iter().map(report).collect::<Vec<_>>());
    match results {
        [Ok(Written { output: Some(output), .. })] => console.note(&format!("wrote {output}\n")),
        [_] => {}
        _ => {
            let written = results.iter().flatten().count();
            console.note(&format!("wrote {written} of {} files\n", results.len()));
        }
    }
}
