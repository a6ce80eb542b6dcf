//! `marey convert`.

mod flags;

use std::path::PathBuf;

use clap::Args;
use flags::{EditFlags, ExportFlags};
use marey::convert::{self, ConvertRequest, ConvertedFile, EditSummary};
use marey::{Context, Error};
use serde::Serialize;

use crate::console::Console;
use crate::flags::{CharacterFlags, ConventionFlags, ForceFlag, JsonFlag};
use crate::verdict::Verdict;
use crate::{batch, json};

/// Convert motion files to another format, unit, rate or body, edit or merge them
///
/// The output is in Marey's conventions: Y up, facing +Z at rest. One file is written to a file or a folder; several files,
/// folders and patterns are written to a folder, and keep their paths below it, or become the animations of one .glb or .gltf.
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
        console.observed(|observer| convert::run(&request, &console.context(Context::new(), observer)))?;
    let body = request.characters.first().or(request.edit.skeletons.first());
    if let (Some(character), false) = (body, args.json.json) {
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
        for edit in converted.iter().flat_map(|file| &file.edits) {
            console.note(&edit_notes(edit));
        }
    } else {
        console.note(&format!("wrote {} of {} files\n", converted.len(), files.len()));
    }
    if let Some(advice) = outcome.advice.filter(|_| !converted.is_empty()) {
        console.note(&format!("{advice}\n"));
    }
    Ok(Verdict::of_files(&files))
}

/// What changes did to a take, as lines.
fn edit_notes(edit: &EditSummary) -> String {
    let mut notes = String::new();
    if let Some(shift_m) = edit.smoothing_shift_m {
        notes += &format!("smoothing moved joints by up to {:.1} mm\n", 1000.0 * shift_m);
    }
    if let Some(cycle) = edit.cycle {
        notes += &format!(
            "loop of {} frames from frame {}, closed over a seam of {:.1} cm; repeating it moves {:.2} m and turns {:.0}°\n",
            cycle.frames,
            cycle.first_frame,
            100.0 * cycle.seam_m,
            cycle.travel_m,
            cycle.turn_deg
        );
    }
    notes
}

/// The row that `--json` prints for each file.
#[derive(Debug, Serialize)]
struct ConvertRow {
    outputs: Vec<String>,
    joints: Option<usize>,
    frames: Option<usize>,
    rate_hz: Option<f64>,
    duration_secs: Option<f64>,
    /// What changes did, for takes to which they did something.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    edits: Vec<EditSummary>,
    warnings: Vec<&'static str>,
}

impl ConvertRow {
    fn new(file: Option<&ConvertedFile>) -> Self {
        let outputs = file.iter().flat_map(|file| &file.outputs);
        let edits = file.iter().flat_map(|file| &file.edits).filter(|edit| **edit != EditSummary::default());
        Self {
            outputs: outputs.map(|path| path.display().to_string()).collect(),
            joints: file.map(|file| file.joints),
            frames: file.map(|file| file.frames),
            rate_hz: file.map(|file| file.rate_hz),
            duration_secs: file.map(|file| file.duration_secs),
            edits: edits.copied().collect(),
            warnings: file.map(|file| file.report.codes()).unwrap_or_default(),
        }
    }
}
