//! Motion files in another format, unit, rate or body, edited, or merged: the `convert` verb.

mod edit;
mod merged;
mod target;

pub use edit::{CycleSummary, EditSummary, MotionEdit};

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use target::Target;

use crate::batch::{self, FileOutcome};
use crate::character::{Cast, CharacterRequest};
use crate::formats::file::{read_file, write_file};
use crate::formats::gltf::Shape;
use crate::formats::{ExportOptions, FileTake, Format, ReadOptions, ReadRequest, WriteOptions};
use crate::inputs::Input;
use crate::motion::{Observer, Place, Report, Take};
use crate::ops::root::RootMotion;
use crate::{Budget, Context, Error, codes, inputs};

/// Ends of a cycle that are farther apart than this are reported, in metres. The ends of a captured walk are 2 to 5 cm apart.
const GOOD_SEAM_M: f32 = 0.08;

/// A request to convert motion files.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ConvertRequest {
    /// Files, folders and patterns.
    pub inputs: Vec<PathBuf>,
    /// A file for one input, a glTF or GLB file for several, which become its animations, or a folder. Files in a folder keep their paths
    /// below the folder or pattern of the input.
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
        self.edit.validate()?;
        self.export.reduce.map_or(Ok(()), |tolerance| tolerance.validate())?;
        self.characters.iter().try_for_each(CharacterRequest::validate)?;
        if self.edit.travel.is_some() && self.edit.skeletons.is_empty() && self.characters.is_empty() {
            return Err(Error::settings(
                "travel is scaled or kept on another body: add --skeleton or --character",
            ));
        }
        let is_changed =
            self.export.tool.is_some() || self.export.shape == Shape::None || !self.edit.skeletons.is_empty();
        if !self.characters.is_empty() && is_changed {
            return Err(Error::usage(
                &codes::NOT_FOR_CHARACTER,
                "a character cannot be renamed, hidden or replaced",
            ));
        }
        self.format.map_or(Ok(()), |format| self.check_tool(format))
    }

    /// Checks that the options apply to a format.
    fn check_format(&self, options: &WriteOptions) -> Result<(), Error> {
        let is_gltf = matches!(options, WriteOptions::Gltf(_));
        if self.export.reduce.is_some() && !is_gltf {
            let message = "--reduce removes keyframes, but this format has a value for every frame";
            return Err(Error::usage(&codes::NOT_FOR_OUTPUT, message));
        }
        if is_gltf && !self.characters.is_empty() && self.export.root == Some(RootMotion::Bone) {
            let message = "--root bone adds a bone, and a character keeps its own";
            return Err(Error::usage(&codes::NOT_FOR_CHARACTER, message));
        }
        Ok(())
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
    /// What the changes did, for each take.
    pub edits: Vec<EditSummary>,
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
    /// Warnings about the files of characters and skeletons.
    pub of_characters: Report,
}

/// Converts motion files.
pub fn run(request: &ConvertRequest, context: &Context<'_>) -> Result<ConvertOutcome, Error> {
    request.validate()?;
    let (bodies, of_skeletons) = Cast::load(&request.edit.skeletons)?;
    let (cast, mut of_characters) = Cast::load(&request.characters)?;
    of_characters.absorb(of_skeletons);
    let mut inputs = inputs::gather(&request.inputs)?;
    let target = Target::new(request, &inputs)?;
    request.check_tool(target.format)?;
    target.refuse_collisions(&mut inputs.files);
    let read_options = request.read.options()?;
    let options = request.export.write_options(target.format);
    let options = options.ok_or_else(|| unwritable(&request.output))?;
    request.check_format(&options)?;
    let (budget, observer) = (context.budget(), context.observer());
    let conversion = Conversion { request, bodies, cast, read_options, options, budget, observer };
    let files = if target.is_merged {
        merged::convert(&conversion, &target, &inputs, context)?
    } else {
        batch::each(&inputs.files, "converting", context, |input| conversion.convert(input, &target))?
    };
    let advice = request.export.tool.and_then(|tool| tool.advice(target.format));
    Ok(ConvertOutcome { files, advice, of_characters })
}

/// A request with everything that it names.
struct Conversion<'a> {
    request: &'a ConvertRequest,
    /// Skeletons that the motion is retargeted to.
    bodies: Cast,
    /// Characters that the motion is put on.
    cast: Cast,
    read_options: ReadOptions,
    options: WriteOptions,
    budget: &'a Budget,
    observer: Observer<'a>,
}

impl Conversion<'_> {
    /// Converts one file.
    fn convert(&self, input: &Input, target: &Target) -> Result<ConvertedFile, Error> {
        if !self.request.overwrite {
            check_free(&target.path_for(input))?;
        }
        let (takes, mut converted) = self.read(input)?;
        for (output, take) in target.paths_for(input, &takes)?.into_iter().zip(takes) {
            let take = self.edit(take, &mut converted)?;
            let (bytes, report) = self.cast.write(&[&take], &self.options)?;
            target.make_folder_for(&output)?;
            write_file(&output, &bytes, self.request.overwrite)
                .map_err(|error| Error::from(error).in_file(&output))?;
            converted.outputs.push(output);
            converted.report.absorb(report);
        }
        Ok(converted)
    }

    /// The takes of a file.
    fn read(&self, input: &Input) -> Result<(Vec<FileTake>, ConvertedFile), Error> {
        let file = read_file(&input.path, &self.read_options)?;
        let converted = ConvertedFile { report: file.report.clone(), ..ConvertedFile::default() };
        Ok((file.into_takes()?, converted))
    }

    /// A take with all changes, on its characters, with its travel and names as they are exported.
    fn edit(&self, source: FileTake, converted: &mut ConvertedFile) -> Result<Take, Error> {
        let request = self.request;
        [&self.bodies, &self.cast].into_iter().try_for_each(|cast| cast.check_source(&source))?;
        let (take, summary) = request.edit.apply(source.take, &self.bodies, self.budget, self.observer)?;
        if let Some(cycle) = summary.cycle.filter(|cycle| cycle.seam_m > GOOD_SEAM_M) {
            let message = format!("its ends are {:.1} cm apart", 100.0 * cycle.seam_m);
            converted.report.warn(&codes::LOOP_SEAM, Place::default().frame(cycle.first_frame), message);
        }
        let take =
            request.export.prepare(self.cast.fit_observed(take, request.edit.travel, self.observer)?)?;
        converted.add(&take, summary);
        Ok(take)
    }
}

impl ConvertedFile {
    fn add(&mut self, take: &Take, summary: EditSummary) {
        self.edits.push(summary);
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
