//! Motions as files.

use axum::body::Body;
use axum::extract::{Path, RawQuery, State};
use axum::http::{HeaderValue, header};
use axum::response::Response;
use marey_formats::{Format, WriteOptions, write};
use marey_motion::Take;
use marey_render::{Background, PictureFormat, PictureOptions, Stage};

use super::motions::slice;
use super::{AppState, in_turn};
use crate::{MotionId, Result, Studio, StudioError, codes};

/// Pictures per second of an animation.
const GIF_FPS: f64 = 25.0;

/// A file: `bvh`, `glb`, `plan`, `png`, `gif`, or one of the files of a result by name. Frames may be chosen in the query, as
/// `frames=10-200`.
pub(super) async fn export(
    State(studio): AppState,
    path: std::result::Result<Path<(String, String)>, axum::extract::rejection::PathRejection>,
    RawQuery(query): RawQuery,
) -> Result<Response> {
    let Path((name, what)) =
        path.map_err(|_| StudioError::new(&codes::NO_PAGE, "the address lacks a word"))?;
    let id: MotionId = name.parse()?;
    let (name, kind, bytes) =
        in_turn(&studio, move |studio| file(studio, id, &what, query.as_deref())).await?;
    let mut response = Response::new(Body::from(bytes));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    let disposition = HeaderValue::from_str(&format!("attachment; filename=\"{name}\""));
    headers.extend(disposition.ok().map(|value| (header::CONTENT_DISPOSITION, value)));
    Ok(response)
}

/// Name, kind and content.
fn file(
    studio: &Studio,
    id: MotionId,
    what: &str,
    query: Option<&str>,
) -> Result<(String, &'static str, Vec<u8>)> {
    if let MotionId::Made(number) = id {
        let made = studio.find_made(number)?;
        if let Some(planned) = made.planned.as_ref().filter(|_| what == "plan") {
            return Ok(("plan.json".into(), "application/json", planned.plan.to_json()?.into_bytes()));
        }
        if let Some((name, bytes)) = made.files.iter().find(|(name, _)| name == what) {
            return Ok((plain(name), "application/octet-stream", bytes.clone()));
        }
    }
    let motion = studio.motion(id)?;
    let take = match query.and_then(|query| query.strip_prefix("frames=")) {
        Some(range) => slice(&motion.take, frames(range)?)?,
        None => motion.take,
    };
    let stage = || Stage::on_floor(take.clone(), motion.floor_m);
    let (kind, bytes) = match what {
        "bvh" => ("application/octet-stream", written(&take, Format::Bvh)?),
        "glb" => ("model/gltf-binary", written(&take, Format::Glb)?),
        "png" => ("image/png", PictureOptions::default().draw(PictureFormat::Png, &stage(), None, vec![])?),
        "gif" => {
            let (background, fps) = (Background::Dark, Some(GIF_FPS));
            let options = PictureOptions { background, fps, ..PictureOptions::default() };
            ("image/gif", options.draw(PictureFormat::Gif, &stage(), None, vec![])?)
        }
        _ => {
            return Err(StudioError::new(
                &codes::NO_PAGE,
                "motions are exported as bvh, glb, png, gif or plan",
            ));
        }
    };
    Ok((format!("{}.{what}", plain(take.name())), kind, bytes))
}

fn written(take: &Take, format: Format) -> Result<Vec<u8>> {
    let options = WriteOptions::for_format(format)
        .ok_or_else(|| StudioError::new(&codes::NO_PAGE, "the format is only read"))?;
    Ok(write(take, &options)?.0)
}

fn frames(range: &str) -> Result<std::ops::Range<usize>> {
    let ends = range.split_once('-').and_then(|(a, b)| Some(a.parse().ok()?..b.parse().ok()?));
    ends.ok_or_else(|| StudioError::new(&codes::REQUEST, "frames are given as 10-200"))
}

/// A name that any file system takes.
fn plain(name: &str) -> String {
    let fits = |c: char| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '-' };
    let name: String = name.chars().take(80).map(fits).collect();
    let name = name.trim_matches(['.', '-']).to_owned();
    if name.is_empty() { "motion".into() } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_are_plain() {
        for (name, is) in
            [("walk 1", "walk-1"), ("../../etc", "etc"), ("é\"\r\n", "motion"), ("a.bvh", "a.bvh")]
        {
            assert_eq!(plain(name), is);
        }
        assert_eq!(frames("3-9").unwrap(), 3..9);
        assert!(["", "3", "-", "a-b", "3--9"].iter().all(|bad| frames(bad).is_err()));
    }
}
