//! Several files as the animations of one.

use std::sync::Arc;

use super::target::Target;
use super::{Conversion, ConvertedFile, check_free};
use crate::batch::{self, FileOutcome};
use crate::formats::file::write_file;
use crate::formats::unique_file_names;
use crate::inputs::Inputs;
use crate::motion::{Clip, Observer, Place, Report, Skeleton, Take};
use crate::ops::retarget::{RetargetSettings, is_same_body, retarget_clips_observed};
use crate::{Context, Error, codes};

/// Converts files to the animations of one file. All have the bodies of the first, or of the characters. A file that cannot be used does
/// not stop the others.
pub(super) fn convert(
    conversion: &Conversion<'_>,
    target: &Target,
    inputs: &Inputs,
    context: &Context<'_>,
) -> Result<Vec<FileOutcome<ConvertedFile>>, Error> {
    let output = target.path();
    if !conversion.request.overwrite {
        check_free(output)?;
    }
    let edited = batch::each(&inputs.files, "converting", context, |input| {
        let (sources, mut converted) = conversion.read(input)?;
        let stem = input.path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let is_one = sources.len() == 1;
        let mut takes = Vec::new();
        for source in sources {
            let name = if is_one { stem.clone() } else { format!("{stem} {}", source.take.name()) };
            takes.push(Take::new(name, conversion.edit(source, &mut converted)?.into_actors())?);
        }
        converted.outputs.push(output.to_owned());
        Ok((takes, converted))
    })?;
    let mut takes: Vec<Take> = Vec::new();
    let mut files: Vec<FileOutcome<ConvertedFile>> = Vec::new();
    for FileOutcome { file, result } in edited {
        let result =
            result.and_then(|(edited, converted)| add(edited, converted, &mut takes, context.observer()));
        files.push(FileOutcome { result: result.map_err(|error| error.in_file(&file)), file });
    }
    if takes.is_empty() {
        return Ok(files);
    }
    let names = unique_file_names(takes.iter().map(Take::name));
    let named = takes.into_iter().zip(names).map(|(take, name)| Take::new(name, take.into_actors()));
    let takes = named.collect::<Result<Vec<Take>, _>>()?;
    let (bytes, report) = conversion.cast.write(&takes.iter().collect::<Vec<_>>(), &conversion.options)?;
    write_file(output, &bytes, conversion.request.overwrite)
        .map_err(|error| Error::from(error).in_file(output))?;
    if let Some(converted) = files.iter_mut().find_map(|file| file.result.as_mut().ok()) {
        converted.report.absorb(report);
    }
    Ok(files)
}

/// Adds the takes of a file, on the bodies of the first.
fn add(
    edited: Vec<Take>,
    mut converted: ConvertedFile,
    takes: &mut Vec<Take>,
    observer: Observer<'_>,
) -> Result<ConvertedFile, Error> {
    let mut added: Vec<Take> = Vec::new();
    for take in edited {
        let first = takes.first().or(added.first());
        let take = match first {
            Some(first) => like(take, first, &mut converted.report, observer)?,
            None => take,
        };
        added.push(take);
    }
    takes.extend(added);
    Ok(converted)
}

/// The take on the bodies of another. Fails if it has another number of actors.
fn like(take: Take, first: &Take, report: &mut Report, observer: Observer<'_>) -> Result<Take, Error> {
    let (found, wanted) = (take.actors().len(), first.actors().len());
    if found != wanted {
        let message = format!("{found} actors, but the first file has {wanted}");
        return Err(Error::new(&codes::MERGED_ACTORS, message));
    }
    let bodies: Vec<Arc<Skeleton>> =
        first.actors().iter().map(|actor| actor.clip.skeleton().clone()).collect();
    let mut others = take.actors().iter().zip(&bodies);
    if others.any(|(actor, body)| !is_same_body(actor.clip.skeleton(), body)) {
        report.warn(&codes::RETARGETED, Place::default(), "onto the body of the first file");
    }
    let clips: Vec<&Clip> = take.actors().iter().map(|actor| &actor.clip).collect();
    let clips = retarget_clips_observed(&clips, &bodies, &RetargetSettings::default(), observer)?;
    Ok(take.with_clips(clips)?)
}
