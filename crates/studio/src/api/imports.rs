//! Files that are dropped on the page.

use std::sync::Arc;

use axum::Json;
use axum::extract::{RawQuery, Request, State};
use marey_corpus::{Added, Prepared, Provenance};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{AppState, JsonBody, JsonResult, PathNumber, measure_new_takes, run_limited};
use crate::imports::{Imported, Wishes};
use crate::{MotionId, Result, StudioError, codes, guard};

/// How many files may belong to another.
const MOST_BESIDE: usize = 8;

/// The name in a query, as `name=…`, percent-encoded.
fn name_in(query: &str) -> Result<String> {
    let name = pairs(query).find(|(key, _)| *key == "name").and_then(|(_, name)| decoded(name));
    let name = name.filter(|name| !name.is_empty() && name.chars().count() <= 200);
    name.ok_or_else(|| StudioError::new(&codes::REQUEST, "a file has a name of up to 200 characters"))
}

fn pairs(query: &str) -> impl Iterator<Item = (&str, &str)> {
    query.split('&').filter_map(|pair| pair.split_once('='))
}

/// The bytes of a file.
async fn bytes_of(request: Request) -> Result<Arc<[u8]>> {
    let (parts, body) = request.into_parts();
    let bytes = guard::body(&parts.headers, body, "application/octet-stream", guard::FILE_BYTES).await?;
    Ok(bytes.as_ref().into())
}

/// Takes a file in that another needs beside it; its number.
pub(super) async fn companion(
    State(studio): AppState,
    RawQuery(query): RawQuery,
    request: Request,
) -> JsonResult {
    let name = name_in(&query.unwrap_or_default())?;
    let bytes = bytes_of(request).await?;
    Ok(Json(json!({ "companion": studio.companions.insert((name, bytes)) })))
}

/// Reads a file: its bytes as the body, its name in the query; files that belong to it were sent before and are named by
/// number, as `beside=1`.
pub(super) async fn read(State(studio): AppState, RawQuery(query): RawQuery, request: Request) -> JsonResult {
    let query = query.unwrap_or_default();
    let name = name_in(&query)?;
    let mut beside = Vec::new();
    for (_, number) in pairs(&query).filter(|(key, _)| *key == "beside").take(MOST_BESIDE) {
        let companion = number.parse().ok().and_then(|number| studio.companions.get(number));
        let companion = companion
            .ok_or_else(|| StudioError::new(&codes::NO_MOTION, "a file beside it is not there any more"))?;
        beside.push((*companion).clone());
    }
    let bytes = bytes_of(request).await?;
    let told = run_limited(&studio, move |studio| {
        let import = Imported::read(name, bytes, beside, &Wishes::default())?;
        let about = import.about();
        Ok(told(studio.imports.insert(import), about))
    });
    Ok(Json(told.await?))
}

/// Reads it again as told.
pub(super) async fn again(
    State(studio): AppState,
    PathNumber(number): PathNumber,
    JsonBody(wishes): JsonBody<Wishes>,
) -> JsonResult {
    let told = run_limited(&studio, move |studio| {
        let import = studio.imports.get(number).ok_or_else(gone)?.again(&wishes)?;
        let about = import.about();
        studio.imports.replace(number, import).ok_or_else(gone)?;
        Ok(told(number, about))
    });
    Ok(Json(told.await?))
}

/// What is said about where motion comes from.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Kept {
    licence: String,
    credit: String,
}

/// Puts it into the corpus.
pub(super) async fn keep(
    State(studio): AppState,
    PathNumber(number): PathNumber,
    JsonBody(kept): JsonBody<Kept>,
) -> JsonResult {
    let done = run_limited(&studio, move |studio| {
        let import = studio.imports.get(number).ok_or_else(gone)?;
        let plain = |text: &str| text.chars().count() <= 1000 && !text.chars().any(char::is_control);
        if !plain(&kept.licence) || !plain(&kept.credit) {
            return Err(StudioError::new(
                &codes::REQUEST,
                "a licence or credit is longer than 1000 characters or has line breaks",
            ));
        }
        let mut ready = Vec::new();
        for reading in &import.found.readings {
            ready.push(Prepared::of(&reading.take)?);
        }
        let provenance = Provenance {
            source: import.name.clone(),
            licence: kept.licence.trim().to_owned(),
            credit: kept.credit.trim().to_owned(),
            history: format!("{}, by the studio", import.found.format),
        };
        let takes = studio.change(|corpus| {
            let mut takes = Vec::new();
            for prepared in &ready {
                let added = corpus.add_prepared(prepared, &provenance)?;
                takes.push(json!({
                    "id": MotionId::Take(added.id().0).to_string(),
                    "already": matches!(added, Added::Already(_)),
                }));
            }
            Ok::<_, marey_corpus::CorpusError>(takes)
        })?;
        studio.imports.remove(number);
        Ok(json!({ "takes": takes }))
    });
    let done = done.await?;
    measure_new_takes(&studio);
    Ok(Json(done))
}

/// Lets it go.
pub(super) async fn forget(State(studio): AppState, PathNumber(number): PathNumber) -> JsonResult {
    if studio.imports.remove(number) { Ok(Json(json!({}))) } else { Err(gone()) }
}

fn gone() -> StudioError {
    StudioError::new(&codes::NO_MOTION, "the file is not there any more: newer ones took its place")
}

fn told(number: u64, mut about: Value) -> Value {
    if let Value::Object(fields) = &mut about {
        fields.insert("import".into(), number.into());
        fields.insert("motion".into(), MotionId::Import(number).to_string().into());
    }
    about
}

/// Percent-decoded text; `None` where it is none.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let mut digit = || char::from(rest.next()?).to_digit(16);
                (16 * digit()? + digit()?) as u8
            }
            other => other,
        });
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::decoded;

    #[test]
    fn names_are_decoded() {
        assert_eq!(decoded("a%20walk%C3%A9.bvh").as_deref(), Some("a walké.bvh"));
        for bad in ["%", "%2", "%zz", "%ff"] {
            assert_eq!(decoded(bad), None, "{bad}");
        }
    }
}
