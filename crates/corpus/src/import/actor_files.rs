//! Reads the files of several actors as one take.

use std::path::PathBuf;

use marey_conventions::{DetectedConventions, FloorHeight, share_rate};
use marey_formats::file::read_file;
use marey_formats::{FileTake, FormatsError, ReadOptions};
use marey_motion::{Actor, Place, Report, Take};
use marey_ops::floor;

use crate::{Result, codes};

/// Reads one file per actor. All share the unit and up axis of the first, so that they stay in one world, and have the length
/// of the shortest. They are named after `names`, if there are any, else after the files. Returns the format, the take and the
/// warnings.
pub(super) fn read_actors(
    files: &[PathBuf],
    names: &[String],
    options: &ReadOptions,
) -> Result<(String, FileTake, Report)> {
    let mut options = options.clone();
    // Frames and heights must change by the same amount for all actors, so this waits until all files are read.
    let trim_rest_frame = std::mem::take(&mut options.conventions.trim_rest_frame);
    let floor = options.conventions.floor.take();
    let mut report = Report::default();
    let mut actors: Vec<Actor> = Vec::new();
    let mut detected: Vec<DetectedConventions> = Vec::new();
    let mut format = String::new();
    for path in files {
        let file = read_file(path, &options)?;
        format = file.format.to_string();
        report.absorb(file.report.clone());
        let first = file.into_first().map_err(|error| error.in_file(path))?;
        if let Some(found) = first.detected.first().filter(|_| detected.is_empty()) {
            options.conventions.unit = Some(found.unit.value);
            options.conventions.up = Some(found.up_axis.value);
        }
        actors.extend(first.take.into_actors());
        detected.extend(first.detected);
    }
    if trim_rest_frame && detected.iter().any(|found| found.rest_frame.value) {
        for actor in &mut actors {
            actor.clip = actor.clip.slice(1..actor.clip.frames())?;
        }
    }
    actors.iter_mut().zip(names).for_each(|(actor, name)| actor.name.clone_from(name));
    if options.conventions.fix_rate {
        share_rate(&mut actors, &mut detected).map_err(FormatsError::from)?;
    }
    trim_to_shortest(&mut actors, &mut report)?;
    put_on_floor(&mut actors, floor)?;
    let stem = |file: &PathBuf| file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let name = files.iter().map(stem).collect::<Vec<_>>().join("+");
    Ok((format, FileTake { take: Take::new(name, actors)?, detected }, report))
}

fn trim_to_shortest(actors: &mut [Actor], report: &mut Report) -> Result<()> {
    let shortest = actors.iter().map(|actor| actor.clip.frames()).min().unwrap_or(0);
    for actor in actors {
        let frames = actor.clip.frames();
        if frames > shortest {
            let message = format!("{} has {frames} frames, another {shortest}", actor.name);
            report.warn(&codes::TRIMMED, Place::default().frame(shortest), message);
            actor.clip = actor.clip.slice(0..shortest)?;
        }
    }
    Ok(())
}

/// Moves all actors by the same height: the lowest floor of any of them, as for the actors of one file.
fn put_on_floor(actors: &mut [Actor], floor: Option<FloorHeight>) -> Result<()> {
    let height_m = match floor {
        None => return Ok(()),
        Some(FloorHeight::Metres(height_m)) => height_m,
        Some(FloorHeight::Detected) => {
            let floors = actors.iter().map(|actor| floor::estimate(&actor.clip));
            floor::shared_height_m(floors).unwrap_or(0.0)
        }
    };
    for actor in actors {
        actor.clip = actor.clip.lifted(-height_m)?;
    }
    Ok(())
}
