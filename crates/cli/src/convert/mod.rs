//! `marey convert`.

mod flags;

use std::path::PathBuf;

use clap::Args;
use flags::{EditFlags, ExportFlags};
use marey::convert::{self, ConvertRequest, ConvertedFile};
use marey::{Context, Error};
use serde::Serialize;

use crate::console::Console;
use crate::flags::{CharacterFlags, ConventionFlags, ForceFlag, JsonFlag};
use crate::verdict::Verdict;
use crate::{batch, json};

/// Convert motion files to another format, unit, rate or body
///
/// The output is in Marey's conventions: Y up, facing +Z at rest. One file is written to a file or a folder; several files,
/// folders and patterns are written to a folder, and keep their paths below it.
#[derive(Debug, Args)]
#[command(before_help = "Examples:
  marey convert walk.bvh walk.glb                     for any viewer or engine, with a mannequin
  marey convert archive/ clean/ --trim-rest --to glb  a folder, without the calibration poses")]
pub(crate) struct ConvertArgs {
    /// Files, folders (including their subfolders) and patterns ('walks/**/*.bvh')
    #[arg(required = true, value_name = "IN")]
    inputs: Vec<PathBuf>,

    /// A file ending in .bvh, .glb, .gltf, .fbx, .vrma, .usda or .npz, or a folder
    #[arg(value_name = "OUT")]
    output: PathBuf,

    #[command(flatten)]
    force: ForceFlag,

    #[command(flatten)]
    json: JsonFlag,

    #[command(flatten)]
    characters: CharacterFlags,

    #[command(flatten)]
    export: ExportFlags,

    #[command(flatten)]
    edit: EditFlags,

    #[command(flatten)]
    conventions: ConventionFlags,
}

pub(crate) fn run(args: &ConvertArgs, console: &Console) -> Result<Verdict, Error> {
    let request = ConvertRequest {
        inputs: args.inputs.clone(),
        output: args.output.clone(),
        overwrite: args.force.force,
        read: args.conventions.request(),
        edit: args.edit.edit(),
        characters: args.characters.requests(),
        format: args.export.format(),
        export: args.export.options(),
    };
    let outcome =
        console.observed(|observer| convert::run(&request, &Context::new().observed_by(observer)))?;
    if let (Some(character), false) = (request.characters.first(), args.json.json) {
        console.warnings(&outcome.of_characters, &character.file);
    }
    let files = outcome.files;
    let converted: Vec<&ConvertedFile> = files.iter().filter_map(|each| each.result.as_ref().ok()).collect();
    if args.json.json {
        console.print(&json::files(&files, ConvertRow::new))?;
        return Ok(Verdict::of_files(&files));
    }
    batch::tell_files(console, &files, |file| &file.report);
    if files.len() == 1 {
        for output in converted.iter().flat_map(|file| &file.outputs) {
            console.note(&format!("wrote {}\n", output.display()));
        }
    } else {
        console.note(&format!("wrote {} of {} files\n", converted.len(), files.len()));
    }
    if let Some(advice) = outcome.advice.filter(|_| !converted.is_empty()) {
        console.note(&format!("{advice}\n"));
    }
    Ok(Verdict::of_files(&files))
}

/// The row that `--json` prints for each file.
#[derive(Debug, Serialize)]
struct ConvertRow {
    outputs: Vec<String>,
    joints: Option<usize>,
    frames: Option<usize>,
    rate_hz: Option<f64>,
    duration_secs: Option<f64>,
    warnings: Vec<&'static str>,
}

impl ConvertRow {
    fn new(file: Option<&ConvertedFile>) -> Self {
        let outputs = file.iter().flat_map(|file| &file.outputs);
        Self {
            outputs: outputs.map(|path| path.display().to_string()).collect(),
            joints: file.map(|file| file.joints),
            frames: file.map(|file| file.frames),
            rate_hz: file.map(|file| file.rate_hz),
            duration_secs: file.map(|file| file.duration_secs),
            warnings: file.map(|file| file.report.codes()).unwrap_or_default(),
        }
    }
}
