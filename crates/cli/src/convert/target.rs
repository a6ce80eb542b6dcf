//! Where converted files go.

use std::collections::HashSet;
use std::path::{Path, PathBuf, is_separator};

use marey::codes;
use marey::formats::file::make_folder;
use marey::formats::{FileTake, Format};

use super::output::OutputFlags;
use marey::Error;
use marey::inputs::{Input, Inputs};

/// What OUT names.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Target {
    File(PathBuf),
    /// With the format of the files in it.
    Folder(PathBuf, Format),
}

impl Target {
    /// A folder where there is one, where the name ends like one, or where several files go to what has no ending.
    pub(super) fn of(output: &Path, inputs: &Inputs, flags: &OutputFlags) -> Result<Self, Error> {
        let folder = || Self::Folder(output.to_owned(), flags.folder_format());
        if output.is_dir() || output.to_string_lossy().ends_with(is_separator) {
            return Ok(folder());
        }
        if inputs.is_one_file {
            flags.check_file(output)?;
            return Ok(Self::File(output.to_owned()));
        }
        if output.extension().is_some() || output.exists() {
            let message = format!("{} files to one, {}", inputs.files.len(), output.display());
            return Err(Error::usage(&codes::SEVERAL_TO_ONE, message));
        }
        Ok(folder())
    }

    /// The format that is written.
    pub(super) fn format(&self) -> Format {
        match self {
            Self::File(path) => {
                let ending = path.extension().and_then(|ending| ending.to_str());
                ending.and_then(Format::from_ending).unwrap_or(Format::Bvh)
            }
            Self::Folder(_, format) => *format,
        }
    }

    /// Where a file goes: in a folder, it keeps its path and changes its ending.
    pub(super) fn path_for(&self, input: &Input) -> PathBuf {
        match self {
            Self::File(path) => path.clone(),
            Self::Folder(folder, format) => with_ending(folder.join(&input.relative), *format),
        }
    }

    /// Where the takes of a file go: one goes where the file does, several into a folder named after it.
    pub(super) fn paths_for(&self, input: &Input, readings: &[FileTake]) -> Result<Vec<PathBuf>, Error> {
        let path = self.path_for(input);
        match (self, readings) {
            (_, [_]) => Ok(vec![path]),
            (Self::File(_), _) => Err(Error::several_takes(readings)),
            (Self::Folder(_, format), _) => {
                let folder = path.with_extension("");
                let names = file_names(readings.iter().map(|reading| reading.take.name()));
                Ok(names.into_iter().map(|name| with_ending(folder.join(name), *format)).collect())
            }
        }
    }

    /// Makes the folder that an output goes to, where the target is a folder.
    pub(super) fn make_room(&self, output: &Path) -> Result<(), Error> {
        match (self, output.parent()) {
            (Self::Folder(..), Some(folder)) => {
                make_folder(folder).map_err(|error| Error::from(error).in_file(folder))
            }
            _ => Ok(()),
        }
    }

    /// Refuses every file that would go where one before it goes.
    pub(super) fn refuse_collisions(&self, inputs: &mut [Input]) {
        let mut taken = HashSet::new();
        for input in inputs.iter_mut().filter(|input| input.refused.is_none()) {
            let output = self.path_for(input);
            if taken.contains(&output) {
                let message = format!("another file goes to {}", output.display());
                input.refused =
                    Some(Error::new(&marey::formats::codes::SAME_OUTPUT, message).in_file(&input.path));
            }
            taken.insert(output);
        }
    }
}

/// Names that files can have on any system, each once.
fn file_names<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut taken = HashSet::new();
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_' | '(' | ')');
    let plain = |name: &str| name.chars().map(|c| if is_plain(c) { c } else { '_' }).collect::<String>();
    let once = |(index, name): (usize, &str)| {
        let mut name = plain(name.trim());
        if name.is_empty() || taken.contains(&name.to_lowercase()) {
            name = format!("{name}-{}", index + 1);
        }
        taken.insert(name.to_lowercase());
        name
    };
    names.enumerate().map(once).collect()
}

fn format_of(path: &Path) -> Option<Format> {
    Format::from_ending(path.extension()?.to_str()?)
}

/// Replaces the ending of a motion format; any other is part of the name.
fn with_ending(path: PathBuf, format: Format) -> PathBuf {
    if format_of(&path).is_some() {
        return path.with_extension(format.ending());
    }
    let mut name = path.into_os_string();
    name.push(format!(".{format}"));
    name.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The flags of a command line.
    fn flags(words: &[&str]) -> OutputFlags {
        use clap::{Args, FromArgMatches};
        let command = OutputFlags::augment_args(clap::Command::new("convert").no_binary_name(true));
        OutputFlags::from_arg_matches(&command.get_matches_from(words)).unwrap()
    }

    fn inputs(relative: &[&str], is_one_file: bool) -> Inputs {
        let file = |path: &&str| Input { path: path.into(), relative: path.into(), refused: None };
        Inputs { files: relative.iter().map(file).collect(), is_one_file }
    }

    #[test]
    fn outputs_are_files_or_folders_by_what_goes_there() {
        let target = |output: &str, one| Target::of(Path::new(output), &inputs(&["a.bvh"], one), &flags(&[]));
        assert_eq!(target("no/such.bvh", true).unwrap(), Target::File("no/such.bvh".into()));
        assert_eq!(target("no-such/", true).unwrap(), Target::Folder("no-such/".into(), Format::Bvh));
        assert_eq!(target("no-such", false).unwrap(), Target::Folder("no-such".into(), Format::Bvh));
        assert_eq!(target("no-such.bvh", false).unwrap_err().code.id, "command/several-to-one");
        for bad in ["no-such", "no-such.fbx", "no-such.asf", "no-such.vrm"] {
            assert_eq!(target(bad, true).unwrap_err().code.id, "command/output-ending");
        }
        let told =
            |output: &str| Target::of(Path::new(output), &inputs(&["a.bvh"], true), &flags(&["--to", "glb"]));
        assert_eq!(told("no/such.GLB").unwrap(), Target::File("no/such.GLB".into()));
        assert_eq!(told("no-such/").unwrap(), Target::Folder("no-such/".into(), Format::Glb));
        assert_eq!(told("no-such.gltf").unwrap_err().code.id, "command/output-ending");
    }

    #[test]
    fn names_keep_what_is_not_an_ending() {
        let folder = Target::Folder("out".into(), Format::Bvh);
        let paths = inputs(&["a/b.BVH", "take.2", "take"], false);
        let outputs: Vec<PathBuf> = paths.files.iter().map(|input| folder.path_for(input)).collect();
        assert_eq!(outputs, ["out/a/b.bvh", "out/take.2.bvh", "out/take.bvh"].map(PathBuf::from));
        assert_eq!(with_ending("a/b.vrm".into(), Format::Glb), PathBuf::from("a/b.glb"));
    }

    #[test]
    fn takes_get_names_that_files_can_have() {
        let names = file_names(["walk", "a/b:c", "Walk", "", "../x"].into_iter());
        assert_eq!(names, ["walk", "a_b_c", "Walk-3", "-4", "___x"]);
    }

    #[test]
    fn the_second_file_for_one_place_is_refused() {
        let mut paths = inputs(&["a.bvh", "a.BVH", "b.bvh"], false);
        Target::Folder("out".into(), Format::Bvh).refuse_collisions(&mut paths.files);
        let refused: Vec<bool> = paths.files.iter().map(|input| input.refused.is_some()).collect();
        assert_eq!(refused, [false, true, false]);
    }
}
