//! Edits of a take's tags and segments: on the disk when they are answered.

use axum::Json;
use axum::extract::State;
use marey_corpus::{CutMethod, Edit, FoundCuts, Maker, PutSegment, SegmentId, Span, TakeId};
use marey_motion::Tag;
use serde::Deserialize;
use serde_json::json;

use super::motions::marks;
use super::{AppState, JsonBody, JsonResult, PathName, run_blocking};
use crate::{MotionId, Result, StudioError, codes};

/// How much one edit may change.
const MOST_CHANGES: usize = 10_000;

/// An edit as the page sends it.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Asked {
    remove_tags: Vec<Tag>,
    put_tags: Vec<SentTag>,
    remove_segments: Vec<i64>,
    put_segments: Vec<SentSegment>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct SentTag {
    name: String,
    start: usize,
    end: usize,
    maker: Maker,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct SentSegment {
    id: Option<i64>,
    actor: Option<usize>,
    name: String,
    start: usize,
    end: usize,
    maker: Maker,
    #[serde(default)]
    labels: Vec<(String, String, Maker)>,
}

impl From<Asked> for Edit {
    fn from(asked: Asked) -> Self {
        let tag = |SentTag { name, start, end, maker }| (Tag { name, start, end }, maker);
        let segment = |SentSegment { id, actor, name, start, end, maker, labels }| PutSegment {
            id: id.map(SegmentId),
            span: Span { start, end, actor, name },
            maker,
            labels,
        };
        Self {
            remove_tags: asked.remove_tags,
            put_tags: asked.put_tags.into_iter().map(tag).collect(),
            remove_segments: asked.remove_segments.into_iter().map(SegmentId).collect(),
            put_segments: asked.put_segments.into_iter().map(segment).collect(),
        }
    }
}

fn take_of(name: &str) -> Result<TakeId> {
    match name.parse()? {
        MotionId::Take(number) => Ok(TakeId(number)),
        _ => {
            Err(StudioError::new(&codes::NO_MOTION, "only takes of the corpus can be edited; keep it first"))
        }
    }
}

/// Carries out an edit; the marks as they are then, and the segments that were put in.
pub(super) async fn edit(
    State(studio): AppState,
    PathName(name): PathName,
    JsonBody(asked): JsonBody<Asked>,
) -> JsonResult {
    let take = take_of(&name)?;
    let edit = Edit::from(asked);
    let changes =
        edit.remove_tags.len() + edit.put_tags.len() + edit.remove_segments.len() + edit.put_segments.len();
    if changes > MOST_CHANGES {
        return Err(StudioError::new(&codes::TOO_LARGE, format!("more than {MOST_CHANGES} changes")));
    }
    let done = run_blocking(&studio, move |studio| {
        studio.change(|corpus| {
            let put = corpus.edit(take, &edit)?;
            let put: Vec<i64> = put.into_iter().map(|id| id.0).collect();
            Ok::<_, marey_corpus::CorpusError>(json!({ "put": put, "marks": marks(corpus, take)? }))
        })
    });
    Ok(Json(done.await?))
}

/// How a take is to be cut.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Cut {
    by: By,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum By {
    Steps,
    Instants,
    Beats,
}

/// Cuts a take by a method; the marks as they are then.
pub(super) async fn cut(
    State(studio): AppState,
    PathName(name): PathName,
    JsonBody(Cut { by }): JsonBody<Cut>,
) -> JsonResult {
    let take = take_of(&name)?;
    let method = match by {
        By::Steps => CutMethod::Steps,
        By::Instants => CutMethod::Instants,
        By::Beats => CutMethod::Beats { every: 2 },
    };
    let done = run_blocking(&studio, move |studio| {
        let motion = studio.read(|corpus| corpus.take(take))?;
        let found = FoundCuts::of(&motion, method)?;
        studio.change(|corpus| {
            corpus.put_cuts(take, &found)?;
            Ok::<_, marey_corpus::CorpusError>(json!({ "marks": marks(corpus, take)? }))
        })
    });
    Ok(Json(done.await?))
}
