//! Files for the ruler: the same motion, with joints named by their roles.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use marey::inputs;
use marey_motion::{Joint, Skeleton, Take};

use super::{METRES_PER_UNIT, write};
use crate::BoxError;
use crate::eval::feet::ruler::{self, RulerFigures};

/// The median figures of files, enlarged by a factor.
pub(super) fn measure_feet(files: &[PathBuf], enlarged_by: f64) -> Result<RulerFigures, BoxError> {
    let copies = files.iter().map(|file| copy(file)).collect::<Result<Vec<_>, BoxError>>()?;
    let figures = ruler::measure(&copies, METRES_PER_UNIT * enlarged_by, 0)?;
    Ok(RulerFigures::median(&figures))
}

/// Writes the copy of a file beside it.
fn copy(file: &Path) -> Result<PathBuf, BoxError> {
    let path = file.with_extension("roles.bvh");
    write(&named_by_roles(inputs::take(file)?)?, &path)?;
    Ok(path)
}

fn named_by_roles(take: Take) -> Result<Take, BoxError> {
    let mut clips = Vec::new();
    for actor in take.actors() {
        let skeleton = actor.clip.skeleton();
        let named = |(number, joint): (usize, &Joint)| Joint {
            name: joint.role.map_or_else(|| format!("joint{number}"), |role| role.name().to_owned()),
            ..joint.clone()
        };
        let joints = skeleton.joints().iter().enumerate().map(named).collect();
        let skeleton = Arc::new(Skeleton::new(joints, skeleton.tips().to_vec())?);
        clips.push(actor.clip.clone().with_skeleton(skeleton)?);
    }
    Ok(take.with_clips(clips)?)
}
