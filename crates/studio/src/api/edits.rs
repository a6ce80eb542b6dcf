//! Edits of a take's tags and segments. An edit is on disk before the response is sent.

use axum::Json;
use axum::extract::State;
use marey::segment::{SegmentMethod, SegmentRequest};
use marey_corpus::{CorpusError, Edit, TakeId};
use serde::Deserialize;
use serde_json::json;

use super::motions::marks;
use super::{AppState, JsonBody, JsonResult, PathName, run_blocking};
use crate::{MotionId, Result, StudioError, codes};

/// Maximum number of changes in one edit.
const MAX_CHANGES: usize = 10_000;

fn take_of(name: &str) -> Result<TakeId> {
    match name.parse()? {
        MotionId::Take(number) => Ok(TakeId(number)),
        _ => Err(StudioError::new(
            &codes::NO_MOTION,
            "only takes of the corpus can be edited; add the motion to the corpus first",
        )),
    }
}

/// Applies an edit. Responds with the annotations and segments of the take, and the ids of the added segments.
pub(super) async fn edit(
    State(studio): AppState,
    PathName(name): PathName,
    JsonBody(edit): JsonBody<Edit>,
) -> JsonResult {
    let take = take_of(&name)?;
    if edit.len() > MAX_CHANGES {
        return Err(StudioError::new(&codes::TOO_LARGE, format!("more than {MAX_CHANGES} changes")));
    }
    let done = run_blocking(&studio, move |studio| {
        studio.change(|corpus| {
            let put = corpus.edit(take, &edit)?;
            Ok::<_, CorpusError>(json!({ "put": put, "marks": marks(corpus, take)? }))
        })
    });
    Ok(Json(done.await?))
}

/// How to segment a take.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SegmentBody {
    by: DetectionMethod,
}

/// The methods that need no further input. The page cannot name files.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum DetectionMethod {
    Steps,
    Instants,
    Beats,
}

/// Segments a take by a method, as `marey corpus segment` does. Responds with its annotations and segments.
pub(super) async fn segment(
    State(studio): AppState,
    PathName(name): PathName,
    JsonBody(SegmentBody { by }): JsonBody<SegmentBody>,
) -> JsonResult {
    let take = take_of(&name)?;
    let by = match by {
        DetectionMethod::Steps => SegmentMethod::Steps,
        DetectionMethod::Instants => SegmentMethod::Instants,
        DetectionMethod::Beats => SegmentMethod::Beats,
    };
    let request = SegmentRequest { takes: vec![take.to_string()], by, ..SegmentRequest::default() };
    let done = run_blocking(&studio, move |studio| {
        studio.segment(&request)?;
        studio.read(|corpus| Ok::<_, CorpusError>(json!({ "marks": marks(corpus, take)? })))
    });
    Ok(Json(done.await?))
}
