//! Where converted files are written.

use std::collections::HashSet;
use std::path::{Path, PathBuf, is_separator};

use super::ConvertRequest;
use crate::formats::file::make_folder;
use crate::formats::{FileTake, Format, WriteOptions, unique_file_names, with_format};
use crate::inputs::{Input, Inputs};
use crate::{Error, codes};

/// A file or a folder.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Target {
    path: PathBuf,
    is_folder: bool,
    /// Whether all inputs become animations of one file.
    pub(super) is_merged: bool,
    /// The format that is written.
    pub(super) format: Format,
}

impl Target {
    /// A folder if there is one, if the name ends with a separator, or if several files are written to a name without an
    /// ending.
    pub(super) fn new(request: &ConvertRequest, inputs: &Inputs) -> Result<Self, Error> {
        let output = &request.output;
        let folder = || Self {
            path: output.clone(),
            is_folder: true,
            is_merged: false,
            format: request.folder_format(),
        };
        if output.is_dir() || output.to_string_lossy().ends_with(is_separator) {
            return Ok(folder());
        }
        if inputs.is_one_file {
            let (format, _) = WriteOptions::for_path(output).ok_or_else(|| super::unwritable(output))?;
            return match request.format {
                Some(other) if other != format => {
                    let message = format!("--to {other}, but the file is {}", output.display());
                    Err(Error::usage(&codes::OUTPUT_ENDING, message))
                }
                _ => Ok(Self { path: output.clone(), is_folder: false, is_merged: false, format }),
            };
        }
        if let Some((format @ (Format::Glb | Format::Gltf), _)) = WriteOptions::for_path(output) {
            return Ok(Self { path: output.clone(), is_folder: false, is_merged: true, format });
        }
        if output.extension().is_some() || output.exists() {
            let message = format!("{} files to one, {}", inputs.files.len(), output.display());
            return Err(Error::usage(&codes::SEVERAL_TO_ONE, message));
        }
        Ok(folder())
    }

    /// The output of a file. In a folder, it keeps its relative path and gets a new ending.
    pub(super) fn path_for(&self, input: &Input) -> PathBuf {
        if self.is_folder {
            with_format(&self.path.join(&input.relative), self.format)
        } else {
            self.path.clone()
        }
    }

    /// The outputs of the takes of a file. Several takes are written to a folder with the name of the file.
    pub(super) fn paths_for(&self, input: &Input, takes: &[FileTake]) -> Result<Vec<PathBuf>, Error> {
        let path = self.path_for(input);
        match takes {
            [_] => Ok(vec![path]),
            _ if !self.is_folder => Err(Error::several_takes(takes)),
            _ => {
                let folder = path.with_extension("");
                let names = unique_file_names(takes.iter().map(|take| take.take.name()));
                Ok(names.iter().map(|name| with_format(&folder.join(name), self.format)).collect())
            }
        }
    }

    /// Makes the folder of an output, if the target is a folder.
    pub(super) fn make_folder_for(&self, output: &Path) -> Result<(), Error> {
        match output.parent().filter(|_| self.is_folder) {
            Some(folder) => make_folder(folder).map_err(|error| Error::from(error).in_file(folder)),
            None => Ok(()),
        }
    }

    /// The file or folder.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Refuses every file that has the output of a previous one, unless they are merged.
    pub(super) fn refuse_collisions(&self, inputs: &mut [Input]) {
        if self.is_merged {
            return;
        }
        let mut taken = HashSet::new();
        for input in inputs.iter_mut().filter(|input| input.refused.is_none()) {
            let output = self.path_for(input);
            if taken.contains(&output) {
                let message = format!("another file is written to {}", output.display());
                input.refused =
                    Some(Error::new(&crate::formats::codes::SAME_OUTPUT, message).in_file(&input.path));
            }
            taken.insert(output);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inputs(relative: &[&str], is_one_file: bool) -> Inputs {
        let file = |path: &&str| Input { path: path.into(), relative: path.into(), refused: None };
        Inputs { files: relative.iter().map(file).collect(), is_one_file }
    }

    fn target(output: &str, is_one_file: bool, format: Option<Format>) -> Result<Target, &'static str> {
        let request = ConvertRequest { output: output.into(), format, ..ConvertRequest::default() };
        Target::new(&request, &inputs(&["a.bvh"], is_one_file)).map_err(|error| error.code.id)
    }

    fn folder(path: &str, format: Format) -> Target {
        Target { path: path.into(), is_folder: true, is_merged: false, format }
    }

    #[test]
    fn the_output_and_the_inputs_decide_between_file_and_folder() {
        let file = |path: &str, format| Target { is_folder: false, ..folder(path, format) };
        assert_eq!(target("no/such.bvh", true, None), Ok(file("no/such.bvh", Format::Bvh)));
        assert_eq!(target("no-such/", true, None), Ok(folder("no-such/", Format::Bvh)));
        assert_eq!(target("no-such", false, None), Ok(folder("no-such", Format::Bvh)));
        assert_eq!(target("no-such.bvh", false, None), Err("command/several-to-one"));
        let merged = Target { is_merged: true, ..file("no-such.glb", Format::Glb) };
        assert_eq!(target("no-such.glb", false, None), Ok(merged));
        for bad in ["no-such", "no-such.c3d", "no-such.asf", "no-such.vrm"] {
            assert_eq!(target(bad, true, None), Err("command/output-ending"));
        }
        let glb = Some(Format::Glb);
        assert_eq!(target("no/such.GLB", true, glb), Ok(file("no/such.GLB", Format::Glb)));
        assert_eq!(target("no-such/", true, glb), Ok(folder("no-such/", Format::Glb)));
        assert_eq!(target("no-such.gltf", true, glb), Err("command/output-ending"));
    }

    #[test]
    fn the_second_file_with_the_same_output_is_refused() {
        let mut paths = inputs(&["a.bvh", "a.BVH", "b.bvh"], false);
        folder("out", Format::Bvh).refuse_collisions(&mut paths.files);
        let refused: Vec<bool> = paths.files.iter().map(|input| input.refused.is_some()).collect();
        assert_eq!(refused, [false, true, false]);
    }
}
