//! Adds a result to the corpus, with its provenance.

use std::collections::BTreeSet;

use axum::Json;
use axum::extract::State;
use marey_corpus::{
    Added, Annotation, AnnotationContent, ContactInterval, ContactTarget, Corpus, CorpusError, Maker,
    PreparedTake, Provenance,
};
use marey_motion::Take;
use serde::Deserialize;
use serde_json::json;

use super::{AppState, JsonBody, JsonResult, PathNumber, measure_new_takes, run_limited};
use crate::{MotionId, Result, StudioError, StudioResult, codes};

/// The name of the new take.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct KeepMessage {
    name: String,
}

/// Adds a result to the corpus as a take with its contacts. Its licence combines those of the examples that it is made of.
pub(super) async fn keep(
    State(studio): AppState,
    PathNumber(number): PathNumber,
    JsonBody(KeepMessage { name }): JsonBody<KeepMessage>,
) -> JsonResult {
    let kept = run_limited(&studio, move |studio| {
        let result = studio.result(number)?;
        let name = name.trim();
        if name.is_empty() || name.chars().count() > 200 || name.chars().any(char::is_control) {
            return Err(StudioError::new(
                &codes::REQUEST,
                "a name has 1 to 200 characters, without line breaks",
            ));
        }
        let take = Take::new(name, result.take.clone().into_actors())?;
        let prepared = PreparedTake::of(&take)?;
        studio.change(|corpus| {
            let provenance = provenance(corpus, &result)?;
            let added = corpus.add_prepared(&prepared, &provenance)?;
            if let Added::New(id) = added {
                let mut annotations = Vec::new();
                for (actor, contacts) in result.contacts.iter().enumerate() {
                    annotations.extend(contacts.all().iter().map(|contact| {
                        let (start, end) = (contact.frames.start, contact.frames.end);
                        let interval = ContactInterval {
                            start,
                            end,
                            actor,
                            role: contact.role,
                            on: ContactTarget::Floor,
                        };
                        Annotation {
                            take: id,
                            what: AnnotationContent::Contact(interval),
                            maker: Maker::method("studio"),
                        }
                    }));
                }
                corpus.annotate(&annotations)?;
            }
            let (id, already) = (MotionId::Take(added.id().0), matches!(added, Added::Already(_)));
            Ok::<_, CorpusError>(json!({ "id": id.to_string(), "already": already }))
        })
    });
    let kept = kept.await?;
    measure_new_takes(&studio);
    Ok(Json(kept))
}

/// The combined provenance of all takes that the plan of a result uses.
fn provenance(corpus: &Corpus, result: &StudioResult) -> Result<Provenance, CorpusError> {
    let placements = result.plan.iter().flat_map(|plan| &plan.actors).flat_map(|actor| &actor.placements);
    let used: BTreeSet<&str> = placements.map(|placement| placement.source.take.as_str()).collect();
    let (mut sources, mut licences, mut credits) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for take in corpus.takes()?.into_iter().filter(|take| used.contains(take.name.as_str())) {
        sources.insert(take.name);
        licences.insert(take.provenance.licence);
        credits.insert(take.provenance.credit);
    }
    let join = |texts: BTreeSet<String>, separator: &str| {
        texts.into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join(separator)
    };
    if licences.len() > 1 {
        // All of them apply.
        licences = licences
            .into_iter()
            .filter(|licence| !licence.is_empty())
            .map(|licence| format!("({licence})"))
            .collect();
    }
    Ok(Provenance {
        source: join(sources, " + "),
        licence: join(licences, " AND "),
        credit: join(credits, "; "),
        history: format!("made by the studio: {}", result.command),
    })
}
