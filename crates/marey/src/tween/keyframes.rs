//! Requests whose poses are in a table of keyframes.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use super::{PoseSelector, TweenRequest};
use crate::formats::keyframes::{Keyframe, KeyframeTable};
use crate::formats::{Limits, keyframes};
use crate::motion::Report;
use crate::{Error, codes, inputs};

/// Reads a table of keyframes, a file ending in `.csv` or `.json`. Poses whose files are in the folder of the table are selected
/// there.
pub(crate) fn read_keyframes(path: &Path) -> Result<KeyframeTable, Error> {
    let text = inputs::text(path)?;
    let mut table = keyframes::read(text.as_bytes(), Limits::default())
        .map_err(|error| Error::from(error).in_file(path))?;
    if let Some(folder) = path.parent() {
        for keyframe in &mut table.keyframes {
            let file = keyframe.pose.rsplit_once('@').map_or(keyframe.pose.as_str(), |(file, _)| file);
            if folder.join(file).is_file() {
                keyframe.pose = folder.join(&keyframe.pose).to_string_lossy().into_owned();
            }
        }
    }
    Ok(table)
}

/// The request with the keyframes of the table that it names, if it names one.
pub(super) fn with_keyframes<'a>(
    request: &'a TweenRequest,
    report: &mut Report,
) -> Result<Cow<'a, TweenRequest>, Error> {
    let Some(path) = request.poses.iter().find_map(table) else { return Ok(Cow::Borrowed(request)) };
    let refuse = |message: &str| Err(Error::usage(&codes::TWEEN_REQUEST, message));
    if request.poses.len() > 1 {
        return refuse("a table of keyframes stands for all poses; give no other pose");
    }
    let KeyframeTable { keyframes, report: read } = read_keyframes(&path)?;
    report.absorb(read);
    let has_times = keyframes.iter().any(|keyframe| keyframe.secs.is_some());
    if has_times && (!request.at_secs.is_empty() || request.frames.is_some()) {
        return refuse("the table of keyframes has times; give no others");
    }
    let has_places = keyframes.iter().any(|keyframe| keyframe.place.is_some());
    if has_places && (!request.places.is_empty() || request.start.is_some()) {
        return refuse("the table of keyframes has places; give no others");
    }
    Ok(Cow::Owned(of_keyframes(keyframes, request.clone())))
}

/// A request for motion through keyframes. Their times and places replace those of `request`, if they have any.
pub(crate) fn of_keyframes(keyframes: Vec<Keyframe>, mut request: TweenRequest) -> TweenRequest {
    let times: Vec<f64> = keyframes.iter().filter_map(|keyframe| keyframe.secs).collect();
    if !times.is_empty() {
        request.at_secs = times;
    }
    let mut places = keyframes.iter().map(|keyframe| keyframe.place);
    if keyframes.iter().any(|keyframe| keyframe.place.is_some()) {
        request.start = places.next().flatten();
        request.places = places.collect();
    }
    request.poses = keyframes.into_iter().map(|keyframe| PoseSelector::Text(keyframe.pose)).collect();
    request
}

/// The table that a selector names.
fn table(pose: &PoseSelector) -> Option<PathBuf> {
    let PoseSelector::Text(text) = pose else { return None };
    let path = Path::new(text);
    let extension = path.extension()?.to_ascii_lowercase();
    ((extension == "csv" || extension == "json") && path.is_file()).then(|| path.to_owned())
}
