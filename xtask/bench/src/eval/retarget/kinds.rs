//! The kinds of skeletons, each with the same takes.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use marey::inputs;
use marey_capture::files_of_half;
use marey_examples::rig::{RigKind, rig};
use marey_formats::file::read_file;
use marey_formats::{MotionFile, ReadRequest};
use marey_motion::Take;
use marey_ops::retarget::RetargetSettings;

use super::{MAX_SECS, on_bodies, write};
use crate::BoxError;
use crate::args::Args;

/// Folders of the takes of the captured kinds.
const CAPTURED: [(&str, &str); 2] = [("CMU", "cmu/walk_path"), ("Bandai", "bandai")];

/// A kind of skeleton.
pub(super) struct BodyKind {
    pub(super) name: &'static str,
    /// Takes on a skeleton of this kind. The first defines the body.
    pub(super) files: Vec<PathBuf>,
}

/// The six kinds. Those without captured takes get the ones of the first.
pub(super) fn all(folder: &Path, output: &Path, args: &Args) -> Result<Vec<BodyKind>, BoxError> {
    let count = if args.quick { 2 } else { 4 };
    let mut kinds = Vec::new();
    for (name, subfolder) in CAPTURED {
        let files = files_of_half(&folder.join(subfolder), "bvh", args.half);
        let chosen = files.iter().step_by((files.len() / count).max(1)).take(count);
        let takes = chosen.map(|file| captured(file)).collect::<Result<Vec<Take>, BoxError>>()?;
        kinds.push(BodyKind { name, files: written(name, &takes, output)? });
    }
    let first = kinds.first().ok_or("no kind")?;
    let sources = first.files.iter().map(|file| Ok(inputs::take(file)?));
    let sources = sources.collect::<Result<Vec<Take>, BoxError>>()?;
    for kind in RigKind::ALL {
        let skeleton = Arc::new(rig(kind)?);
        let settings = RetargetSettings::default();
        let takes = sources.iter().map(|take| on_bodies(take, std::slice::from_ref(&skeleton), &settings));
        let takes = takes.collect::<Result<Vec<Take>, _>>()?;
        kinds.push(BodyKind { name: kind.name(), files: written(kind.name(), &takes, output)? });
    }
    Ok(kinds)
}

/// A captured take without its calibration pose, cut if it is long.
fn captured(file: &Path) -> Result<Take, BoxError> {
    let options = ReadRequest { trim_rest: true, ..ReadRequest::default() }.options()?;
    let take = read_file(file, &options).and_then(MotionFile::into_first)?.take;
    let frames = ((MAX_SECS * take.rate_hz()) as usize).min(take.frames());
    Ok(Take::solo("take", take.first().slice(0..frames)?))
}

fn written(kind: &str, takes: &[Take], output: &Path) -> Result<Vec<PathBuf>, BoxError> {
    let mut files = Vec::new();
    for (index, take) in takes.iter().enumerate() {
        let path = output.join(format!("{kind} {index}.bvh"));
        write(take, &path)?;
        files.push(path);
    }
    Ok(files)
}
