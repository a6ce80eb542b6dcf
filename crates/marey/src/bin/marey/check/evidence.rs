//! What clips are judged by, read once.

use std::path::Path;

use marey::codes;
use marey::examples::Truth;
use marey::formats::ReadOptions;
use marey::formats::file::read_file;
use marey::measure::card::{Evidence, Habits, Thresholds};
use marey::motion::{Clip, PointClip, Take, Terrain};
use marey::ops::contacts::Detected;

use super::CheckArgs;
use crate::failure::Failure;
use crate::inputs;

/// Everything that was named to judge by.
#[derive(Debug, Default)]
pub(super) struct Witness {
    reference: Option<Take>,
    path: Option<PointClip>,
    habits: Option<Habits>,
    truth: Option<Truth>,
    terrain: Option<Terrain>,
}

impl Witness {
    pub(super) fn gather(args: &CheckArgs) -> Result<Self, Failure> {
        Ok(Self {
            reference: args.against.as_deref().map(take).transpose()?,
            path: args.path.as_deref().map(path).transpose()?,
            habits: if args.examples.is_empty() { None } else { Some(habits(args)?) },
            truth: args.truth.as_deref().map(truth).transpose()?,
            terrain: args.terrain.as_deref().map(inputs::terrain).transpose()?,
        })
    }

    /// What one actor of a take is judged by.
    pub(super) fn evidence<'a>(
        &'a self,
        actor: usize,
        clip: &Clip,
        found: &'a Detected,
    ) -> Result<Evidence<'a>, Failure> {
        let told = self.truth.as_ref().map(|truth| truth.actors().get(actor).map(|actor| &actor.contacts));
        if let Some(truth) = self.truth.as_ref().filter(|truth| truth.frames() != clip.frames()) {
            let message = format!("{} frames, but the truth has {}", clip.frames(), truth.frames());
            return Err(Failure::new(&codes::OTHER_TRUTH, message));
        }
        let reference = self.reference.as_ref();
        Ok(Evidence {
            contacts: told.flatten().unwrap_or(&found.contacts),
            floor_m: found.floor.height_m,
            terrain: self.terrain.as_ref(),
            reference: reference
                .map(|take| take.actors().get(actor).map_or(take.first(), |actor| &actor.clip)),
            path: self.path.as_ref(),
            examples: self.habits.as_ref(),
        })
    }
}

fn take(path: &Path) -> Result<Take, Failure> {
    let first = read_file(path, &ReadOptions::default()).and_then(|import| import.into_first());
    Ok(first.map_err(|error| Failure::from(error).in_file(path))?.take)
}

fn path(file: &Path) -> Result<PointClip, Failure> {
    let import =
        read_file(file, &ReadOptions::default()).map_err(|error| Failure::from(error).in_file(file))?;
    match import.points() {
        Some(points) => Ok(points.clip.clone()),
        None => Err(Failure::new(&codes::NOT_A_PATH, "figures, where a path is wanted").in_file(file)),
    }
}

fn habits(args: &CheckArgs) -> Result<Habits, Failure> {
    let mut clips = Vec::new();
    for input in inputs::gather(&args.examples)?.files {
        if let Some(refused) = input.refused {
            return Err(refused);
        }
        clips.extend(take(&input.path)?.into_actors().into_iter().map(|actor| actor.clip));
    }
    Ok(Habits::learn(&clips))
}

fn truth(path: &Path) -> Result<Truth, Failure> {
    let wrong = |error: serde_json::Error| Failure::new(&codes::NOT_A_TRUTH, error.to_string()).in_file(path);
    serde_json::from_str(&inputs::text(path)?).map_err(wrong)
}

/// Thresholds from a file.
pub(super) fn thresholds(path: &Path) -> Result<Thresholds, Failure> {
    let wrong =
        |error: toml::de::Error| Failure::usage(&codes::SETTINGS, error.message().to_owned()).in_file(path);
    toml::from_str(&inputs::text(path)?).map_err(wrong)
}
