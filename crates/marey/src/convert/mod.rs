//! Motion files in another format, unit, rate or body: the `convert` verb.

mod edit;
mod target;

pub use edit::MotionEdit;

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use target::Target;

use crate::batch::{self, FileOutcome};
use crate::character::{Cast, CharacterRequest};
use crate::formats::file::{read_file, write_file};
use crate::formats::gltf::Shape;
use crate::formats::{ExportOptions, Format, ReadRequest, WriteOptions};
use crate::motion::{Report, Take};
use crate::{Context, Error, codes, inputs};

/// A request to convert motion files.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ConvertRequest {
    /// Files, folders and patterns.
    pub inputs: Vec<PathBuf>,
    /// A file for one input, or a folder. Files in a folder keep their paths below the folder or pattern of the input.
    pub output: PathBuf,
    /// Whether existing files are overwritten; default false.
    pub overwrite: bool,
    /// How the files are read.
    pub read: ReadRequest,
    /// Changes to the motion.
    pub edit: MotionEdit,
    /// Characters that the motion is put on, after all changes.
    pub characters: Vec<CharacterRequest>,
    /// Format of files in a folder; default BVH, or GLB if a tool or a character is given. A single file has the format of its ending.
    pub format: Option<Format>,
    /// How the files are written.
    pub export: ExportOptions,
}

impl ConvertRequest {
    /// Checks that the tool opens files of a format.
    fn check_tool(&self, format: Format) -> Result<(), Error> {
        match self.export.tool {
            Some(tool) if !tool.opens(format) => {
                let message = format!("{tool} does not open {}", format.ending().to_uppercase());
                Err(Error::usage(&codes::NOT_FOR_TOOL, message))
            }
            _ => Ok(()),
        }
    }

    /// Checks everything that does not depend on the files.
    pub fn validate(&self) -> Result<(), Error> {
        self.read.validate()?;
        self.characters.iter().try_for_each(CharacterRequest::validate)?;
        let is_changed =
            self.export.tool.is_some() || self.export.shape == Shape::None || self.edit.skeleton.is_some();
        if !self.characters.is_empty() && is_changed {
            return Err(Error::usage(
                &codes::NOT_FOR_CHARACTER,
                "a character cannot be renamed, hidden or replaced",
            ));
        }
        self.format.map_or(Ok(()), |format| self.check_tool(format))
    }

    fn folder_format(&self) -> Format {
        let is_shown = self.export.tool.is_some() || !self.characters.is_empty();
        self.format.unwrap_or(if is_shown { Format::Glb } else { Format::Bvh })
    }
}

/// The outcome of converting one file.
#[derive(Debug, Clone, Default)]
pub struct ConvertedFile {
    /// The files that were written: one for each take.
    pub outputs: Vec<PathBuf>,
    /// Number of joints of all actors.
    pub joints: usize,
    /// Number of frames of all takes.
    pub frames: usize,
    /// Frame rate in Hz.
    pub rate_hz: f64,
    /// Duration of all takes, in seconds.
    pub duration_secs: f64,
    /// Warnings of reading and writing.
    pub report: Report,
}

/// What `convert` returns.
#[derive(Debug, Clone)]
pub struct ConvertOutcome {
    /// The outcome of each file.
    pub files: Vec<FileOutcome<ConvertedFile>>,
    /// How to open the files in the tool that they were written for.
    pub advice: Option<&'static str>,
    /// Warnings about the characters' files.
    pub of_characters: Report,
}

/// Converts motion files.
pub fn run(request: &ConvertRequest, context: &Context<'_>) -> Result<ConvertOutcome, Error> {
    request.validate()?;
    let skeleton = request.edit.read_skeleton()?;
    let (cast, of_characters) = Cast::load(&request.characters)?;
    let mut inputs = inputs::gather(&request.inputs)?;
    let target = Target::new(request, &inputs)?;
    request.check_tool(target.format)?;
    target.refuse_collisions(&mut inputs.files);
    let read_options = request.read.options()?;
    let options = request.export.write_options(target.format);
    let options = options.ok_or_else(|| unwritable(&request.output))?;
    let files = batch::each(&inputs.files, "converting", context, |input| {
        if !request.overwrite {
            check_free(&target.path_for(input))?;
        }
        let file = read_file(&input.path, &read_options)?;
        let mut converted = ConvertedFile { report: file.report.clone(), ..ConvertedFile::default() };
        let takes = file.into_takes()?;
        for (output, take) in target.paths_for(input, &takes)?.into_iter().zip(takes) {
            let take = request.edit.apply(take.take, skeleton.as_ref())?;
            let take = request.export.prepare(cast.fit(take, request.edit.travel)?)?;
            converted.add(&output, &take);
            let (bytes, report) = cast.write(&take, &options)?;
            target.make_folder_for(&output)?;
            write_file(&output, &bytes, request.overwrite).map_err(|e| Error::from(e).in_file(&output))?;
            converted.report.absorb(report);
        }
        Ok(converted)
    })?;
    let advice = request.export.tool.and_then(|tool| tool.advice(target.format));
    Ok(ConvertOutcome { files, advice, of_characters })
}

impl ConvertedFile {
    fn add(&mut self, output: &Path, take: &Take) {
        self.outputs.push(output.to_owned());
        self.joints = take.actors().iter().map(|actor| actor.clip.skeleton().len()).sum();
        self.frames += take.frames();
        self.rate_hz = take.rate_hz();
        self.duration_secs += take.first().duration_secs();
    }
}

/// The default options of the format that a file name ending selects. Fails if Marey does not write it.
pub fn write_options(output: &Path) -> Result<WriteOptions, Error> {
    WriteOptions::for_path(output).map(|(_, options)| options).ok_or_else(|| unwritable(output))
}

/// Fails if a file exists.
pub fn check_free(output: &Path) -> Result<(), Error> {
    if !output.exists() {
        return Ok(());
    }
    let exists = crate::formats::FormatsError::file(output, std::io::ErrorKind::AlreadyExists.into());
    Err(Error::from(exists).in_file(output))
}

fn unwritable(output: &Path) -> Error {
    let message = format!("{} does not end in any of {}", output.display(), WriteOptions::endings());
    Error::usage(&codes::OUTPUT_ENDING, message)
}
