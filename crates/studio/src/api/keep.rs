//! Results that are kept in the corpus, with where they come from.

use std::collections::BTreeSet;

use axum::extract::State;
use axum::response::Response;
use marey_corpus::{
    Added, Annotation, AnnotationContent, ContactInterval, ContactTarget, Corpus, Maker, PreparedTake,
    Provenance,
};
use marey_motion::Take;
use serde::Deserialize;
use serde_json::json;

use super::{AppState, JsonBody, Numbered, answer, aside, in_turn};
use crate::{MotionId, Result, StudioError, StudioResult, codes};

/// What a result is to be called.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Called {
    name: String,
}

/// Puts a result into the corpus as a take, its contacts with it; the take. Its licence is that of the examples it was made of.
pub(super) async fn keep(
    State(studio): AppState,
    Numbered(number): Numbered,
    JsonBody(Called { name }): JsonBody<Called>,
) -> Result<Response> {
    let kept = in_turn(&studio, move |studio| {
        let made = studio.find_made(number)?;
        let name = name.trim();
        if name.is_empty() || name.chars().count() > 200 || name.chars().any(char::is_control) {
            return Err(StudioError::new(
                &codes::REQUEST,
                "a name has 1 to 200 characters, without line breaks",
            ));
        }
        let take = Take::new(name, made.take.clone().into_actors())?;
        let prepared = PreparedTake::of(&take)?;
        studio.change(|corpus| {
            let provenance = provenance(corpus, &made)?;
            let added = corpus.add_prepared(&prepared, &provenance)?;
            if let Added::New(id) = added {
                let mut said = Vec::new();
                for (actor, contacts) in made.contacts.iter().enumerate() {
                    said.extend(contacts.all().iter().map(|contact| {
                        let (start, end) = (contact.frames.start, contact.frames.end);
                        let touch = ContactInterval {
                            start,
                            end,
                            actor,
                            role: contact.role,
                            on: ContactTarget::Floor,
                        };
                        Annotation {
                            take: id,
                            what: AnnotationContent::Contact(touch),
                            maker: Maker::method("studio"),
                        }
                    }));
                }
                corpus.annotate(&said)?;
            }
            let (id, already) = (MotionId::Take(added.id().0), matches!(added, Added::Already(_)));
            Ok::<_, marey_corpus::CorpusError>(json!({ "id": id.to_string(), "already": already }))
        })
    });
    let kept = kept.await?;
    let around = studio.clone();
    // What the library shows of it comes when it comes.
    tokio::spawn(async move { aside(&around, |studio| studio.look_around()).await });
    Ok(answer(&kept))
}

/// Whose motion a result is: that of all takes its plan uses.
fn provenance(corpus: &Corpus, made: &StudioResult) -> Result<Provenance, marey_corpus::CorpusError> {
    let placements = made.planned.iter().flat_map(|planned| &planned.plan.actors);
    let used: BTreeSet<&str> = placements
        .flat_map(|actor| &actor.placements)
        .map(|placement| placement.source.take.as_str())
        .collect();
    let (mut sources, mut licences, mut credits) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for take in corpus.takes()?.into_iter().filter(|take| used.contains(take.name.as_str())) {
        sources.insert(take.name);
        licences.insert(take.provenance.licence);
        credits.insert(take.provenance.credit);
    }
    let listed = |words: BTreeSet<String>, between: &str| {
        words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(between)
    };
    if licences.len() > 1 {
        // Every one of them must be kept.
        licences = licences.into_iter().filter(|one| !one.is_empty()).map(|one| format!("({one})")).collect();
    }
    Ok(Provenance {
        source: listed(sources, " + "),
        licence: listed(licences, " AND "),
        credit: listed(credits, "; "),
        history: format!("made by the studio: {}", made.command),
    })
}
