//! Motions: listed, described, as poses, as small pictures.

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;
use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::{RawQuery, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use marey_corpus::{Annotation, AnnotationContent, ContactTarget, Corpus, Segment, TakeId, TakeInfo};
use marey_motion::Take;
use marey_render::{Animation, Background, Look};
use serde_json::{Value, json};

use super::{AppState, Named, answer, aside, in_turn};
use crate::imports::warnings;
use crate::{MotionId, Result, Studio, StudioResult, message, quoted};

/// How a small picture is drawn: its size in pixels, how long it lasts and how many pictures a second it has.
const THUMB_PX: [u32; 2] = [144, 108];
const THUMB_SECS: f64 = 2.4;
const THUMB_FPS: f64 = 12.0;

/// Every take.
pub(super) async fn takes(State(studio): AppState) -> Result<Response> {
    let list = aside(&studio, |studio| {
        let revision = studio.revision();
        let takes = studio.look(|corpus| {
            let mut rows = Vec::new();
            for info in corpus.takes()? {
                rows.push(row(corpus, &info, studio.survey.speed_mps(&info.content))?);
            }
            Ok::<_, marey_corpus::CorpusError>(rows)
        })?;
        Ok(json!({ "revision": revision, "takes": takes }))
    });
    Ok(answer(&list.await?))
}

fn row(corpus: &Corpus, info: &TakeInfo, speed_mps: Option<f32>) -> Result<Value, marey_corpus::CorpusError> {
    let tags: BTreeSet<String> = corpus
        .annotations(info.id)?
        .into_iter()
        .filter_map(|said| match said.what {
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

/// Everything about one motion but its poses.
pub(super) async fn about(State(studio): AppState, Named(name): Named) -> Result<Response> {
    let id: MotionId = name.parse()?;
    let about = aside(&studio, move |studio| match id {
        MotionId::Take(number) => {
            let path = quoted(&studio.path().display().to_string());
            studio.look(|corpus| take(corpus, TakeId(number), &path))
        }
        MotionId::Made(number) => Ok(made(&*studio.find_made(number)?)),
        MotionId::Import(_) => {
            let motion = studio.motion(id)?;
            Ok(json!({ "name": motion.take.name(), "marks": { "tags": [], "segments": [] } }))
        }
    });
    let mut about = about.await?;
    if let Value::Object(fields) = &mut about {
        fields.insert("id".into(), id.to_string().into());
    }
    Ok(answer(&about))
}

fn take(corpus: &Corpus, id: TakeId, path: &str) -> Result<Value, marey_corpus::CorpusError> {
    let info = corpus.info(id)?;
    Ok(json!({
        "command": format!("marey corpus export {path} out {}", quoted(&info.name)),
        "name": info.name,
        "licence": info.provenance.licence,
        "credit": info.provenance.credit,
        "source": info.provenance.source,
        "history": info.provenance.history,
        "marks": marks(corpus, id)?,
    }))
}

/// What can be edited of a take.
pub(super) fn marks(corpus: &Corpus, id: TakeId) -> Result<Value, marey_corpus::CorpusError> {
    let said = corpus.annotations(id)?;
    let mut tags = Vec::new();
    let mut markers = Vec::new();
    let mut holds = Vec::new();
    for Annotation { what, maker, .. } in &said {
        match what {
            AnnotationContent::Tag(tag) => {
                tags.push(json!({ "name": tag.name, "start": tag.start, "end": tag.end, "maker": maker.to_string() }));
            }
            AnnotationContent::Marker(marker) => {
                markers.push(json!({ "name": marker.name, "frame": marker.frame }))
            }
            AnnotationContent::Contact(touch) if touch.on != ContactTarget::Floor => holds.push(json!({
                "actor": touch.actor, "role": touch.role, "on": touch.on.to_string(),
                "start": touch.start, "end": touch.end,
            })),
            _ => {}
        }
    }
    let segments: Vec<Value> = corpus.segments_of(id)?.iter().map(|one| segment(one, &said)).collect();
    Ok(json!({ "tags": tags, "markers": markers, "holds": holds, "segments": segments }))
}

fn segment(segment: &Segment, said: &[Annotation]) -> Value {
    let labels: Vec<Value> = said
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

fn made(made: &StudioResult) -> Value {
    json!({
        "name": made.take.name(),
        "plan": made.planned.as_ref().map(|planned| &planned.plan),
        "trace": made.planned.as_ref().map(|planned| &planned.trace),
        "can_swap": made.can_swap(),
        "shows": made.shows,
        "command": made.command,
        "files": made.files.iter().map(|(name, _)| name).collect::<Vec<_>>(),
        "notes": made.notes,
        "beside": made.beside.map(|take| MotionId::Take(take).to_string()),
        "warnings": warnings(&made.report),
        "marks": { "tags": [], "markers": [], "holds": [], "segments": [] },
    })
}

/// The poses, in the layout of [`message`]. A browser that has them is told so.
pub(super) async fn poses(
    State(studio): AppState,
    Named(name): Named,
    headers: HeaderMap,
) -> Result<Response> {
    let id: MotionId = name.parse()?;
    let etag = aside(&studio, move |studio| etag(studio, id)).await?;
    let known = headers.get(header::IF_NONE_MATCH).and_then(|value| value.to_str().ok());
    let mut response = if etag.is_some() && known == etag.as_deref() {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        let bytes = aside(&studio, move |studio| Ok(message::encode(&studio.motion(id)?))).await?;
        Response::new(Body::from(bytes))
    };
    let kept = response.headers_mut();
    kept.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/octet-stream"));
    kept.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
    kept.extend(etag.and_then(|etag| Some((header::ETAG, HeaderValue::from_str(&etag).ok()?))));
    Ok(response)
}

/// What changes when the poses or the contacts of a motion do; `None` for what may change at any time.
fn etag(studio: &Studio, id: MotionId) -> Result<Option<String>> {
    match id {
        MotionId::Take(number) => {
            let (content, told) = studio.look(|corpus| {
                let info = corpus.info(TakeId(number))?;
                let mut told = DefaultHasher::new();
                for actor in 0..info.actors.len() {
                    for contact in corpus.floor_contacts(info.id, actor)?.all() {
                        (actor, contact.role.name(), contact.frames.clone()).hash(&mut told);
                    }
                }
                Ok::<_, marey_corpus::CorpusError>((info.content, told.finish()))
            })?;
            Ok(Some(format!("\"{content}-{told:x}\"")))
        }
        MotionId::Made(_) | MotionId::Import(_) => Ok(None),
    }
}

/// A small picture that loops; one that stands still where `still` is asked for.
pub(super) async fn thumb(
    State(studio): AppState,
    Named(name): Named,
    RawQuery(query): RawQuery,
) -> Result<Response> {
    let id: MotionId = name.parse()?;
    let still = query.as_deref() == Some("still");
    let picture = in_turn(&studio, move |studio| {
        let key = match id {
            MotionId::Take(number) => studio
                .look(|corpus| Ok::<_, marey_corpus::CorpusError>(corpus.info(TakeId(number))?.content))?,
            other => other.to_string(),
        };
        studio.thumb(&format!("{key} {still}"), || draw(studio, id, still))
    });
    let picture: Arc<[u8]> = picture.await?;
    let mut response = Response::new(Body::from(Bytes::from_owner(picture)));
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("image/gif"));
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("private, max-age=600"));
    Ok(response)
}

fn draw(studio: &Studio, id: MotionId, still: bool) -> Result<Vec<u8>> {
    let (take, floor_m) = match id {
        MotionId::Take(number) => {
            // Only as much as is shown.
            let take = studio.look(|corpus| {
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
    let frames = still.then(|| take.frames() / 2..take.frames() / 2 + 1);
    let look = Look { background: Background::Dark, floor_m, frames, ..Look::default() };
    let [width_px, height_px] = THUMB_PX;
    let animation = Animation { look, fps: THUMB_FPS, width_px, height_px, ..Animation::default() };
    Ok(animation.gif(&take)?)
}

/// The frames that a small picture shows: past the first third, where something happens.
fn middle(frames: usize, rate_hz: f64) -> Range<usize> {
    let wanted = ((THUMB_SECS * rate_hz) as usize).clamp(1, frames);
    let start = (frames / 3).min(frames - wanted);
    start..start + wanted
}

/// Some frames of a take.
pub(super) fn slice(take: &Take, frames: Range<usize>) -> Result<Take> {
    let actors = take.actors().iter().map(|actor| {
        let clip = actor.clip.slice(frames.clone())?;
        Ok(marey_motion::Actor { name: actor.name.clone(), clip })
    });
    Ok(Take::new(take.name(), actors.collect::<std::result::Result<_, marey_motion::MotionError>>()?)?)
}
