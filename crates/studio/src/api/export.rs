//! Motions as files.

use axum::body::Body;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, RawQuery, State};
use axum::http::{HeaderValue, header};
use axum::response::Response;
use marey_formats::{Format, WriteOptions};
use marey_render::{Background, PictureFormat, PictureOptions, Stage};

use super::characters::parameter;
use super::motions::slice;
use super::{AppState, CharacterChoice, run_limited};
use crate::{MotionId, Result, Studio, StudioError, codes};

/// Pictures per second of an animation.
const GIF_FPS: f64 = 25.0;

/// A motion as a file: `bvh`, `glb`, `png`, `gif`, `plan`, or the name of a file of a result. The query may select frames, as in
/// `frames=10-200`, and characters of the corpus, as in `character=2&character=3:red`.
pub(super) async fn export(
    State(studio): AppState,
    path: Result<Path<(String, String)>, PathRejection>,
    RawQuery(query): RawQuery,
) -> Result<Response> {
    let Path((name, what)) =
        path.map_err(|_| StudioError::new(&codes::NO_PAGE, "the address lacks a name"))?;
    let id: MotionId = name.parse()?;
    let (name, kind, bytes) =
        run_limited(&studio, move |studio| file(studio, id, &what, query.as_deref())).await?;
    let mut response = Response::new(Body::from(bytes));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    let disposition = HeaderValue::from_str(&format!("attachment; filename=\"{name}\""));
    headers.extend(disposition.ok().map(|value| (header::CONTENT_DISPOSITION, value)));
    Ok(response)
}

/// The name, content type and bytes of a file.
fn file(
    studio: &Studio,
    id: MotionId,
    what: &str,
    query: Option<&str>,
) -> Result<(String, &'static str, Vec<u8>)> {
    if let MotionId::Result(number) = id {
        let result = studio.result(number)?;
        if let Some(plan) = result.plan.as_ref().filter(|_| what == "plan") {
            return Ok(("plan.json".into(), "application/json", plan.to_json()?.into_bytes()));
        }
        if let Some((name, bytes)) = result.files.iter().find(|(name, _)| name == what) {
            return Ok((file_name(name), "application/octet-stream", bytes.clone()));
        }
    }
    let choice = CharacterChoice::of_query(query)?;
    let motion = studio.motion_on(id, &choice)?;
    let take = match parameter(query, "frames") {
        Some(range) => slice(&motion.take, frames(range)?)?,
        None => motion.take,
    };
    let encode = |ending: &str| -> Result<(&'static str, Vec<u8>)> {
        let format = WriteOptions::FORMATS.iter().find(|format| format.ending() == ending);
        let Some(options) = format.and_then(|format| WriteOptions::for_format(*format)) else {
            let message = format!("motions are exported as {}, png, gif or plan", WriteOptions::endings());
            return Err(StudioError::new(&codes::NO_PAGE, message));
        };
        let kind =
            if ending == Format::Glb.ending() { "model/gltf-binary" } else { "application/octet-stream" };
        let (bytes, _) = studio.cast(&choice)?.among(&take).write(&[&take], &options)?;
        Ok((kind, bytes))
    };
    let stage = || Stage::on_floor(take.clone(), motion.floor_m);
    let (kind, bytes) = match what {
        "png" => ("image/png", PictureOptions::default().draw(PictureFormat::Png, &stage(), None, vec![])?),
        "gif" => {
            let (background, fps) = (Background::Dark, Some(GIF_FPS));
            let options = PictureOptions { background, fps, ..PictureOptions::default() };
            ("image/gif", options.draw(PictureFormat::Gif, &stage(), None, vec![])?)
        }
        _ => encode(what)?,
    };
    Ok((format!("{}.{what}", file_name(take.name())), kind, bytes))
}

fn frames(range: &str) -> Result<std::ops::Range<usize>> {
    let ends = range.split_once('-').and_then(|(a, b)| Some(a.parse().ok()?..b.parse().ok()?));
    ends.ok_or_else(|| StudioError::new(&codes::REQUEST, "frames are written as 10-200"))
}

/// A file name that every file system accepts.
fn file_name(name: &str) -> String {
    let portable = |c: char| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '-' };
    let name: String = name.chars().take(80).map(portable).collect();
    let name = name.trim_matches(['.', '-']).to_owned();
    if name.is_empty() { "motion".into() } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_are_portable() {
        for (name, expected) in
            [("walk 1", "walk-1"), ("../../etc", "etc"), ("é\"\r\n", "motion"), ("a.bvh", "a.bvh")]
        {
            assert_eq!(file_name(name), expected);
        }
        assert_eq!(frames("3-9").unwrap(), 3..9);
        assert!(["", "3", "-", "a-b", "3--9"].iter().all(|bad| frames(bad).is_err()));
    }
}
