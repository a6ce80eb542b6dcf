//! Files that are dropped on the page.

use std::sync::Arc;

use axum::Json;
use axum::extract::{RawQuery, Request, State};
use marey_corpus::ImportedTake;
use marey_corpus::import::{ImportSettings, KnownFingerprints};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{AppState, JsonBody, JsonResult, PathNumber, measure_new_takes, run_limited};
use crate::imports::{ImportOverrides, Imported};
use crate::{MotionId, Result, Studio, StudioError, codes, guard};

/// Maximum number of companions of a file.
const MAX_COMPANIONS: usize = 8;

/// The parameter `name=…` of a query, percent-decoded.
fn file_name_in(query: &str) -> Result<String> {
    let name = pairs(query).find(|(key, _)| *key == "name").and_then(|(_, name)| percent_decoded(name));
    let name = name.filter(|name| !name.is_empty() && name.chars().count() <= 200);
    name.ok_or_else(|| StudioError::new(&codes::REQUEST, "the file needs a name of 1 to 200 characters"))
}

/// The names and values of a query.
pub(super) fn pairs(query: &str) -> impl Iterator<Item = (&str, &str)> {
    query.split('&').filter_map(|pair| pair.split_once('='))
}

/// The bytes of a file.
async fn body_bytes(request: Request) -> Result<Arc<[u8]>> {
    let (parts, body) = request.into_parts();
    let bytes = guard::body(&parts.headers, body, "application/octet-stream", guard::FILE_BYTES).await?;
    Ok(bytes.as_ref().into())
}

/// Receives a file that another file needs. Responds with its number.
pub(super) async fn companion(
    State(studio): AppState,
    RawQuery(query): RawQuery,
    request: Request,
) -> JsonResult {
    let name = file_name_in(&query.unwrap_or_default())?;
    let bytes = body_bytes(request).await?;
    Ok(Json(json!({ "companion": studio.companions.insert((name, bytes)) })))
}

/// A file that the page sent.
pub(super) struct SentFile {
    pub(super) name: String,
    pub(super) bytes: Arc<[u8]>,
    pub(super) companions: Vec<(String, Arc<[u8]>)>,
}

/// The file of a request: its bytes are the body, its name is in the query. Companions were sent before and are named by
/// number, as `companion=1`.
pub(super) async fn sent_file(studio: &Studio, query: Option<String>, request: Request) -> Result<SentFile> {
    let query = query.unwrap_or_default();
    let name = file_name_in(&query)?;
    let mut companions = Vec::new();
    for (_, number) in pairs(&query).filter(|(key, _)| *key == "companion").take(MAX_COMPANIONS) {
        let companion = number.parse().ok().and_then(|number| studio.companions.get(number));
        let companion = companion
            .ok_or_else(|| StudioError::new(&codes::NO_MOTION, "a companion file is no longer kept"))?;
        companions.push((*companion).clone());
    }
    Ok(SentFile { name, bytes: body_bytes(request).await?, companions })
}

/// Reads a file.
pub(super) async fn read(State(studio): AppState, RawQuery(query): RawQuery, request: Request) -> JsonResult {
    let SentFile { name, bytes, companions } = sent_file(&studio, query, request).await?;
    let about = run_limited(&studio, move |studio| {
        let import = Imported::read(name, bytes, companions, &ImportOverrides::default())?;
        let about = import.about();
        Ok(with_number(studio.imports.insert(import), about))
    });
    Ok(Json(about.await?))
}

/// Reads a file again with other settings.
pub(super) async fn read_again(
    State(studio): AppState,
    PathNumber(number): PathNumber,
    JsonBody(overrides): JsonBody<ImportOverrides>,
) -> JsonResult {
    let about = run_limited(&studio, move |studio| {
        let import = studio.imports.get(number).ok_or_else(gone)?.read_again(&overrides)?;
        let about = import.about();
        studio.imports.replace(number, import).ok_or_else(gone)?;
        Ok(with_number(number, about))
    });
    Ok(Json(about.await?))
}

/// The licence and credit of a file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ImportCredit {
    licence: String,
    credit: String,
}

/// Adds a file to the corpus, as `marey corpus add` does.
pub(super) async fn keep(
    State(studio): AppState,
    PathNumber(number): PathNumber,
    JsonBody(ImportCredit { licence, credit }): JsonBody<ImportCredit>,
) -> JsonResult {
    let done = run_limited(&studio, move |studio| {
        let import = studio.imports.get(number).ok_or_else(gone)?;
        let is_plain = |text: &str| text.chars().count() <= 1000 && !text.chars().any(char::is_control);
        if !is_plain(&licence) || !is_plain(&credit) {
            let message = "a licence or credit is longer than 1000 characters or has line breaks";
            return Err(StudioError::new(&codes::REQUEST, message));
        }
        let (licence, credit) = (licence.trim().to_owned(), credit.trim().to_owned());
        let settings = ImportSettings { licence, credit, ..ImportSettings::default() };
        let prepared = settings.prepare(&import.file, &import.name)?;
        let stored = studio.change(|corpus| {
            let mut known = KnownFingerprints::load(corpus)?;
            corpus.store_file(prepared, &mut known)
        })?;
        studio.imports.remove(number);
        let take = |take: &ImportedTake| json!({ "id": MotionId::Take(take.id.0).to_string(), "already": take.already });
        Ok(json!({ "takes": stored.takes.iter().map(take).collect::<Vec<_>>() }))
    });
    let done = done.await?;
    measure_new_takes(&studio);
    Ok(Json(done))
}

/// Discards a file.
pub(super) async fn forget(State(studio): AppState, PathNumber(number): PathNumber) -> JsonResult {
    if studio.imports.remove(number) { Ok(Json(json!({}))) } else { Err(gone()) }
}

fn gone() -> StudioError {
    StudioError::new(&codes::NO_MOTION, "the file is no longer kept: newer ones replaced it")
}

/// A description with the numbers of the import and its motion.
fn with_number(number: u64, mut about: Value) -> Value {
    if let Value::Object(fields) = &mut about {
        fields.insert("import".into(), number.into());
        fields.insert("motion".into(), MotionId::Import(number).to_string().into());
    }
    about
}

/// Percent-decoded text; `None` if it is malformed.
pub(super) fn percent_decoded(text: &str) -> Option<String> {
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
    use super::percent_decoded;

    #[test]
    fn names_are_decoded() {
        assert_eq!(percent_decoded("a%20walk%C3%A9.bvh").as_deref(), Some("a walké.bvh"));
        for bad in ["%", "%2", "%zz", "%ff"] {
            assert_eq!(percent_decoded(bad), None, "{bad}");
        }
    }
}
