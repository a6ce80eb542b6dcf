//! Pictures of motion files: the `render` verb, and the pictures of [`marey_render`].

use std::ops::Range;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

pub use marey_render::*;

use crate::batch::{self, FileOutcome};
use crate::formats::file::read_file;
use crate::formats::{FileTake, ReadRequest};
use crate::motion::Report;
use crate::{Context, Error, inputs};

/// A request for a picture of motion files, all in one world.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RenderRequest {
    /// Files, folders and patterns. They must agree in rate and length, and have one take each.
    pub clips: Vec<PathBuf>,
    /// How the files are read.
    pub read: ReadRequest,
    /// Format of the picture; default PNG, a contact sheet.
    pub format: PictureFormat,
    /// How the picture is drawn. A calibration pose in frame 0 is left out unless `frames` is given.
    pub options: PictureOptions,
    /// A terrain file, drawn instead of a level floor.
    pub terrain: Option<PathBuf>,
}

impl RenderRequest {
    /// Checks how files are read, and that every option applies to the format.
    pub fn validate(&self) -> Result<(), Error> {
        self.read.validate()?;
        check_options(&self.options, self.format)
    }
}

/// Fails if an option does not apply to a format.
pub fn check_options(options: &PictureOptions, format: PictureFormat) -> Result<(), Error> {
    let Some(option) = options.unused_option(format) else { return Ok(()) };
    let message = match format {
        PictureFormat::Png => format!("{option} is for animations (.gif)"),
        PictureFormat::Gif => format!("{option} is for contact sheets (.png)"),
    };
    Err(Error::usage(&crate::codes::NOT_FOR_FORMAT, message))
}

/// A picture, and what it shows.
#[derive(Debug, Clone)]
pub struct RenderedPicture {
    /// The content of the file.
    pub bytes: Vec<u8>,
    /// The frames that are drawn.
    pub frames: Range<usize>,
    /// Height of the floor, in metres.
    pub floor_m: f32,
}

/// What `render` returns.
#[derive(Debug, Clone)]
pub struct RenderOutcome {
    /// The warnings of each file, or why it could not be read.
    pub files: Vec<FileOutcome<Report>>,
    /// The picture; `None` if a file failed.
    pub picture: Option<RenderedPicture>,
}

/// Reads files and draws them in one picture.
pub fn run(request: &RenderRequest, context: &Context<'_>) -> Result<RenderOutcome, Error> {
    request.validate()?;
    let options = request.read.options()?;
    let inputs = inputs::gather(&request.clips)?.files;
    let read = batch::each(&inputs, "reading", context, |input| {
        let file = read_file(&input.path, &options)?;
        let report = file.report.clone();
        match <[FileTake; 1]>::try_from(file.into_takes()?) {
            Ok([take]) => Ok((take, report)),
            Err(several) => Err(Error::several_takes(&several)),
        }
    })?;
    let (mut files, mut takes) = (Vec::new(), Vec::new());
    for FileOutcome { file, result } in read {
        let result = result.map(|(take, report)| {
            takes.push(take);
            report
        });
        files.push(FileOutcome { file, result });
    }
    let is_complete = takes.len() == files.len();
    let picture = if is_complete { Some(draw(request, takes, context)?) } else { None };
    Ok(RenderOutcome { files, picture })
}

fn draw(
    request: &RenderRequest,
    takes: Vec<FileTake>,
    context: &Context<'_>,
) -> Result<RenderedPicture, Error> {
    let is_trimmed = request.read.trim_rest;
    let first = takes.iter().map(|take| take.first_frame(is_trimmed)).max().unwrap_or(0);
    let mut stage = Stage::new(takes.into_iter().map(|take| take.take).collect(), first)?;
    if let Some(frames) = request.options.frames {
        stage.frames = frames.within(stage.take.frames());
    }
    let terrain = request.terrain.as_deref().map(inputs::terrain).transpose()?;
    if let Some(terrain) = &terrain {
        context.budget().check_terrain(terrain)?;
    }
    let bytes = request.options.draw(request.format, &stage, terrain, Vec::new())?;
    Ok(RenderedPicture { bytes, frames: stage.frames, floor_m: stage.floor_m })
}
