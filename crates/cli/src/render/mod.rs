//! `marey render`.

mod picture;

use std::path::PathBuf;

use clap::Args;
use marey::motion::Report;
use marey::render::{self, Background, PictureOptions, RenderRequest};
use marey::{Context, Error};
pub(crate) use picture::{PictureFlags, picture_format};
use serde::Serialize;

use crate::console::Console;
use crate::flags::{ConventionFlags, ForceFlag, JsonFlag};
use crate::verdict::Verdict;
use crate::{batch, json};

/// Draw motion: a contact sheet as PNG, an animation as GIF
///
/// Several clips are drawn together in one world; they must agree in rate and length. A calibration pose in frame 0 is left
/// out unless --frames includes it.
#[derive(Debug, Args)]
#[command(before_help = "Examples:
  marey render walk.bvh walk.png --poses 8        poses side by side
  marey render leader.bvh follower.bvh dance.gif  two dancers, moving")]
pub(crate) struct RenderArgs {
    /// Motion files, folders and patterns; all are drawn in one picture
    #[arg(required = true, value_name = "CLIP")]
    clips: Vec<PathBuf>,

    /// The picture: a contact sheet if it ends in .png, an animation if it ends in .gif
    #[arg(value_name = "OUT")]
    output: PathBuf,

    #[command(flatten)]
    picture: PictureFlags,

    /// Uneven ground to draw instead of a floor, as `marey examples luxo` writes it (.terrain.json)
    #[arg(long, value_name = "FILE")]
    terrain: Option<PathBuf>,

    /// Light figures on a dark background
    #[arg(long)]
    dark: bool,

    /// Keep the camera still and show the whole path, instead of following the figure
    #[arg(long)]
    fixed: bool,

    #[command(flatten)]
    force: ForceFlag,

    #[command(flatten)]
    json: JsonFlag,

    #[command(flatten)]
    conventions: ConventionFlags,
}

/// The row that `--json` prints for each file.
#[derive(Debug, Serialize)]
struct RenderRow {
    output: Option<String>,
    first_frame: Option<usize>,
    frames: Option<usize>,
    floor_m: Option<f32>,
    warnings: Vec<&'static str>,
}

pub(crate) fn run(args: &RenderArgs, console: &Console) -> Result<Verdict, Error> {
    let background = if args.dark { Background::Dark } else { Background::Light };
    let request = RenderRequest {
        clips: args.clips.clone(),
        read: args.conventions.request(),
        format: picture_format(&args.output)?,
        options: PictureOptions { background, follow: !args.fixed, ..args.picture.options() },
        terrain: args.terrain.clone(),
    };
    request.validate()?;
    args.force.check(&args.output)?;
    let outcome =
        console.observed(|observer| render::run(&request, &console.context(Context::new(), observer)))?;
    let picture = outcome.picture.as_ref();
    if let Some(picture) = picture {
        args.force.write(&args.output, &picture.bytes)?;
    }
    let output = picture.map(|_| args.output.display().to_string());
    if args.json.json {
        let row = |report: Option<&Report>| RenderRow {
            output: output.clone(),
            first_frame: picture.map(|picture| picture.frames.start),
            frames: picture.map(|picture| picture.frames.len()),
            floor_m: picture.map(|picture| picture.floor_m),
            warnings: report.map(Report::codes).unwrap_or_default(),
        };
        console.print(&json::files(&outcome.files, row))?;
    } else {
        batch::tell_files(console, &outcome.files, |report| report);
        output.iter().for_each(|output| console.note(&format!("wrote {output}\n")));
    }
    Ok(Verdict::of_files(&outcome.files))
}
