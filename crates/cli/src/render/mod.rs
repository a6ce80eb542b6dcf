//! `marey render`.

mod picture;

use std::path::PathBuf;

use clap::Args;
use marey::formats::file::read_file;
use marey::formats::{FileTake, MotionFile};
use marey::motion::{Report, Terrain};
use marey::render::{Background, Look};
use marey::stage::Stage;
pub(crate) use picture::{Picture, PictureFlags};
use serde::Serialize;

use crate::console::Console;
use crate::flags::{ConventionFlags, ForceFlag, JsonFlag};
use crate::json::{self, Row};
use crate::verdict::Verdict;
use marey::Error;
use marey::inputs;

use crate::batch;

/// Draw motion: a contact sheet as PNG, an animation as GIF
///
/// Several clips are drawn together, in one world; they must agree in rate and length. A calibration pose in frame 0 is
/// left out, unless --frames says otherwise.
#[derive(Debug, Args)]
#[command(before_help = "Examples:
  marey render walk.bvh walk.png --poses 8        poses side by side
  marey render leader.bvh follower.bvh dance.gif  two dancers, moving")]
pub(crate) struct RenderArgs {
    /// Motion files, folders and patterns; all are drawn in one picture
    #[arg(required = true, value_name = "CLIP")]
    clips: Vec<PathBuf>,

    /// The picture: ends in .png for a contact sheet, in .gif for an animation
    #[arg(value_name = "OUT")]
    output: PathBuf,

    #[command(flatten)]
    picture: PictureFlags,

    /// Uneven ground to draw instead of a floor, as `marey examples luxo` writes it (.terrain.json)
    #[arg(long, value_name = "FILE")]
    terrain: Option<PathBuf>,

    /// Light figures on dark ground
    #[arg(long)]
    dark: bool,

    /// Keep the camera still and show the whole path, instead of going along
    #[arg(long)]
    fixed: bool,

    #[command(flatten)]
    force: ForceFlag,

    #[command(flatten)]
    json: JsonFlag,

    #[command(flatten)]
    conventions: ConventionFlags,
}

/// What was drawn, as JSON has it for each clip.
#[derive(Debug, Default, Serialize)]
struct Drawn {
    output: Option<String>,
    first_frame: Option<usize>,
    frames: Option<usize>,
    floor_m: Option<f32>,
    warnings: Vec<&'static str>,
}

pub(crate) fn run(args: &RenderArgs, console: &Console) -> Result<Verdict, Error> {
    let picture = Picture::of(&args.output)?;
    args.picture.check(picture)?;
    args.force.check(&args.output)?;
    let options = args.conventions.options()?;
    let inputs = inputs::gather(&args.clips)?.files;
    let results = batch::run(console, &inputs, |input| one_take(read_file(&input.path, &options)?));
    let verdict = Verdict::of(&results);
    let reports: Vec<Result<Report, Error>> = results
        .iter()
        .map(|result| result.as_ref().map(|(_, report)| report.clone()).map_err(Error::clone))
        .collect();
    let readings = || results.into_iter().flatten().map(|(reading, _)| reading).collect();
    let is_drawn = verdict == Verdict::AllDone;
    let stage = is_drawn.then(|| args.draw_all(picture, readings())).transpose()?;
    if args.json.json {
        let rows = inputs.iter().zip(&reports).map(|(input, report)| {
            Row::new(&input.path, report.as_ref().err(), args.drawn(stage.as_ref(), report.as_ref().ok()))
        });
        console.print(&json::array(rows))?;
    } else {
        let reports: Vec<_> = reports.iter().map(Result::as_ref).collect();
        batch::tell(console, &inputs, &reports);
        if stage.is_some() {
            console.note(&format!("wrote {}\n", args.output.display()));
        }
    }
    Ok(verdict)
}

/// The one take of a file, and what was met in reading it.
fn one_take(import: MotionFile) -> Result<(FileTake, Report), Error> {
    let report = import.report.clone();
    match <[FileTake; 1]>::try_from(import.into_takes()?) {
        Ok([reading]) => Ok((reading, report)),
        Err(several) => Err(Error::several_takes(&several)),
    }
}

impl RenderArgs {
    /// Puts the clips on one stage, draws and writes the picture.
    fn draw_all(&self, picture: Picture, readings: Vec<FileTake>) -> Result<Stage, Error> {
        let mut stage = Stage::of(readings, self.conventions.trim_rest)?;
        if let Some(wanted) = self.picture.frames {
            stage.frames = wanted.within(stage.take.frames());
        }
        let terrain = self.terrain.as_deref().map(inputs::terrain).transpose()?;
        let bytes = self.picture.draw(picture, &stage.take, self.look(&stage, terrain))?;
        self.force.write(&self.output, &bytes)?;
        Ok(stage)
    }

    fn drawn(&self, stage: Option<&Stage>, report: Option<&Report>) -> Drawn {
        Drawn {
            output: stage.map(|_| self.output.display().to_string()),
            first_frame: stage.map(|stage| stage.frames.start),
            frames: stage.map(|stage| stage.frames.len()),
            floor_m: stage.map(|stage| stage.floor_m),
            warnings: report.map(Report::codes).unwrap_or_default(),
        }
    }

    fn look(&self, stage: &Stage, terrain: Option<Terrain>) -> Look {
        Look {
            view: self.picture.view,
            follow: !self.fixed,
            background: if self.dark { Background::Dark } else { Background::Light },
            floor_m: stage.floor_m,
            terrain,
            props: Vec::new(),
            frames: Some(stage.frames.clone()),
        }
    }
}
