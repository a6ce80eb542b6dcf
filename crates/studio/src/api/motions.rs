//! Motions: their list, descriptions, poses and small pictures.

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use axum::Json;
use axum::body::{Body, Bytes};
use axum::extract::{RawQuery, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use marey::character::CharacterRequest;
use marey_corpus::{
    Annotation, AnnotationContent, ContactTarget, Corpus, CorpusError, Segment, TakeId, TakeInfo,
};
use marey_motion::Take;
use marey_render::{Animation, Background, SceneOptions};
use serde_json::{Value, json};

use super::{AppState, CharacterChoice, JsonResult, PathName, run_blocking, run_limited};
use crate::imports::warnings;
use crate::{CommandLine, MotionId, Result, Studio, StudioResult, message};

/// Size in pixels, duration and frames per second of a small picture.
const THUMBNAIL_PX: [u32; 2] = [144, 108];
const THUMBNAIL_SECS: f64 = 2.4;
const THUMBNAIL_FPS: f64 = 12.0;

/// Every take of the corpus.
pub(super) async fn takes(State(studio): AppState) -> JsonResult {
    let list = run_blocking(&studio, |studio| {
        let revision = studio.revision();
        let takes = studio.read(|corpus| {
            let mut rows = Vec::new();
            for info in corpus.takes()? {
                rows.push(row(corpus, &info, studio.travel_speeds.get(&info))?);
            }
            Ok::<_, CorpusError>(rows)
        })?;
        Ok(json!({ "revision": revision, "takes": takes }))
    });
    Ok(Json(list.await?))
}

fn row(corpus: &Corpus, info: &TakeInfo, speed_mps: Option<f32>) -> Result<Value, CorpusError> {
    let tags: BTreeSet<String> = corpus
        .annotations(info.id)?
        .into_iter()
        .filter_map(|annotation| match annotation.what {
            AnnotationContent::Tag(tag) => Some(tag.name),
            _ => None,
        })
        .collect();
    Ok(json!({
        "id": MotionId::Take(info.id.0).to_string(),
        "name": info.name,
        "frames": info.frames,
        "rate_hz": info.rate_hz,
        "secs": info.duration_secs(),
        "actors": info.actors.iter().map(|actor| &actor.name).collect::<Vec<_>>(),
        "licence": info.provenance.licence,
        "credit": info.provenance.credit,
        "source": info.provenance.source,
        "history": info.provenance.history,
        "segments": corpus.segments_of(info.id)?.len(),
        "tags": tags,
        "speed_mps": speed_mps,
    }))
}

/// The description of a motion, without its poses. With `character=2` in the query, the command of a result names that
/// character.
pub(super) async fn about(
    State(studio): AppState,
    PathName(name): PathName,
    RawQuery(query): RawQuery,
) -> JsonResult {
    let id: MotionId = name.parse()?;
    let choice = CharacterChoice::of_query(query.as_deref())?;
    let about = run_blocking(&studio, move |studio| match id {
        MotionId::Take(number) => studio.read(|corpus| take(corpus, TakeId(number), &studio.path())),
        MotionId::Result(number) => {
            let (found, known) = (studio.result(number)?, studio.read(|corpus| corpus.characters())?);
            Ok(result(&found, &choice.arguments(&found.take, &studio.path(), &known)))
        }
        MotionId::Import(_) => {
            let motion = studio.motion(id)?;
            Ok(json!({ "name": motion.take.name(), "marks": { "tags": [], "segments": [] } }))
        }
    });
    let mut about = about.await?;
    if let Value::Object(fields) = &mut about {
        fields.insert("id".into(), id.to_string().into());
    }
    Ok(Json(about))
}

fn take(corpus: &Corpus, id: TakeId, path: &Path) -> Result<Value, CorpusError> {
    let info = corpus.info(id)?;
    let command = CommandLine::new("corpus export").arg(path.display()).arg("out").arg(&info.name);
    Ok(json!({
        "command": command.to_string(),
        "name": info.name,
        "licence": info.provenance.licence,
        "credit": info.provenance.credit,
        "source": info.provenance.source,
        "history": info.provenance.history,
        "marks": marks(corpus, id)?,
    }))
}

/// The tags, markers, holds and segments of a take.
pub(super) fn marks(corpus: &Corpus, id: TakeId) -> Result<Value, CorpusError> {
    let annotations = corpus.annotations(id)?;
    let mut tags = Vec::new();
    let mut markers = Vec::new();
    let mut holds = Vec::new();
    for Annotation { what, maker, .. } in &annotations {
        match what {
            AnnotationContent::Tag(tag) => {
                tags.push(json!({ "name": tag.name, "start": tag.start, "end": tag.end, "maker": maker.to_string() }));
            }
            AnnotationContent::Marker(marker) => {
                markers.push(json!({ "name": marker.name, "frame": marker.frame }))
            }
            AnnotationContent::Contact(contact) if contact.on != ContactTarget::Floor => holds.push(json!({
                "actor": contact.actor, "role": contact.role, "on": contact.on.to_string(),
                "start": contact.start, "end": contact.end,
            })),
            _ => {}
        }
    }
    let segments: Vec<Value> =
        corpus.segments_of(id)?.iter().map(|found| segment(found, &annotations)).collect();
    Ok(json!({ "tags": tags, "markers": markers, "holds": holds, "segments": segments }))
}

fn segment(segment: &Segment, annotations: &[Annotation]) -> Value {
    let labels: Vec<Value> = annotations
        .iter()
        .filter_map(|annotation| match &annotation.what {
            AnnotationContent::SegmentLabel { segment: id, key, value } if *id == segment.id => {
                Some(json!([key, value, annotation.maker.to_string()]))
            }
            _ => None,
        })
        .collect();
    json!({
        "id": segment.id.0,
        "actor": segment.actor,
        "name": segment.name,
        "start": segment.frames.start,
        "end": segment.frames.end,
        "maker": segment.maker.to_string(),
        "labels": labels,
    })
}

fn result(result: &StudioResult, characters: &[CharacterRequest]) -> Value {
    let command = match result.command.as_str() {
        "" => String::new(),
        line => CommandLine::continued(line).option("--character", characters).to_string(),
    };
    json!({
        "name": result.take.name(),
        "plan": result.plan,
        "trace": result.plan.as_ref().map(|_| &result.trace),
        "can_swap": result.can_swap(),
        "overlay": result.overlay,
        "command": command,
        "files": result.files.iter().map(|(name, _)| name).collect::<Vec<_>>(),
        "notes": result.notes,
        "shown_beside": result.shown_beside.map(|take| MotionId::Take(take).to_string()),
        "warnings": warnings(&result.report),
        "marks": { "tags": [], "markers": [], "holds": [], "segments": [] },
    })
}

/// The poses, in the layout of [`message`]; 304 if the browser has them.
pub(super) async fn poses(
    State(studio): AppState,
    PathName(name): PathName,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response> {
    let id: MotionId = name.parse()?;
    let choice = CharacterChoice::of_query(query.as_deref())?;
    let etag = run_blocking(&studio, {
        let choice = choice.clone();
        move |studio| etag(studio, id, &choice)
    });
    let etag = etag.await?;
    let known = headers.get(header::IF_NONE_MATCH).and_then(|value| value.to_str().ok());
    let mut response = if etag.is_some() && known == etag.as_deref() {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        let bytes =
            run_blocking(&studio, move |studio| Ok(message::encode(&studio.motion_on(id, &choice)?))).await?;
        Response::new(Body::from(bytes))
    };
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/octet-stream"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
    headers.extend(etag.and_then(|etag| Some((header::ETAG, HeaderValue::from_str(&etag).ok()?))));
    Ok(response)
}

/// A tag that changes with the poses and contacts of a take; `None` for motions that may change at any time.
fn etag(studio: &Studio, id: MotionId, choice: &CharacterChoice) -> Result<Option<String>> {
    match id {
        MotionId::Take(number) => {
            let (content, hash) = studio.read(|corpus| {
                let info = corpus.info(TakeId(number))?;
                let mut hash = DefaultHasher::new();
                choice.hash(&mut hash);
                for actor in 0..info.actors.len() {
                    for contact in corpus.floor_contacts(info.id, actor)?.all() {
                        (actor, contact.role.name(), contact.frames.clone()).hash(&mut hash);
                    }
                }
                Ok::<_, CorpusError>((info.content, hash.finish()))
            })?;
            Ok(Some(format!("\"{content}-{hash:x}\"")))
        }
        MotionId::Result(_) | MotionId::Import(_) => Ok(None),
    }
}

/// A small picture that loops; with the query `still`, one frame of it.
pub(super) async fn thumbnail(
    State(studio): AppState,
    PathName(name): PathName,
    RawQuery(query): RawQuery,
) -> Result<Response> {
    let id: MotionId = name.parse()?;
    let is_still = query.as_deref() == Some("still");
    let picture = run_limited(&studio, move |studio| {
        let key = match id {
            MotionId::Take(number) => {
                studio.read(|corpus| Ok::<_, CorpusError>(corpus.info(TakeId(number))?.content))?
            }
            other => other.to_string(),
        };
        studio.thumbnail(&format!("{key} {is_still}"), || draw(studio, id, is_still))
    });
    let picture: Arc<[u8]> = picture.await?;
    let mut response = Response::new(Body::from(Bytes::from_owner(picture)));
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("image/gif"));
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("private, max-age=600"));
    Ok(response)
}

fn draw(studio: &Studio, id: MotionId, is_still: bool) -> Result<Vec<u8>> {
    let (take, floor_m) = match id {
        MotionId::Take(number) => {
            // Only the frames that are drawn are read.
            let take = studio.read(|corpus| {
                let info = corpus.info(TakeId(number))?;
                corpus.take_range(info.id, middle(info.frames, info.rate_hz))
            })?;
            let floors = take.actors().iter().map(|actor| marey_ops::floor::estimate(&actor.clip).height_m);
            let floor_m = floors.fold(f32::INFINITY, f32::min);
            (take, if floor_m.is_finite() { floor_m } else { 0.0 })
        }
        other => {
            let motion = studio.motion(other)?;
            let range = middle(motion.take.frames(), motion.take.rate_hz());
            (slice(&motion.take, range)?, motion.floor_m)
        }
    };
    let frames = is_still.then(|| take.frames() / 2..take.frames() / 2 + 1);
    let scene = SceneOptions { background: Background::Dark, floor_m, frames, ..SceneOptions::default() };
    let [width_px, height_px] = THUMBNAIL_PX;
    let animation = Animation { scene, fps: THUMBNAIL_FPS, width_px, height_px, ..Animation::default() };
    Ok(animation.gif(&take)?)
}

/// The frames that a small picture shows, after the first third.
fn middle(frames: usize, rate_hz: f64) -> Range<usize> {
    let count = ((THUMBNAIL_SECS * rate_hz) as usize).clamp(1, frames);
    let start = (frames / 3).min(frames - count);
    start..start + count
}

/// A range of frames of a take.
pub(super) fn slice(take: &Take, frames: Range<usize>) -> Result<Take> {
    let actors = take.actors().iter().map(|actor| {
        let clip = actor.clip.slice(frames.clone())?;
        Ok(marey_motion::Actor { name: actor.name.clone(), clip })
    });
    Ok(Take::new(take.name(), actors.collect::<Result<_, marey_motion::MotionError>>()?)?)
}
