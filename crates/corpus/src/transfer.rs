//! PreparedTake takes and found cuts as bytes, to send them from the machine that reads a file to the one that writes the
//! corpus.
//!
//! A prepared take is the length of a JSON header in eight bytes, the header, and the chunks of its frames as they
//! are stored. Cuts are JSON. Both are checked on arrival.

use std::sync::Arc;

use marey_motion::{Actor, Clip, ClipParts, Contact, Contacts, Take};
use serde::{Deserialize, Serialize};

use crate::cut_detection::FoundInActor;
use crate::prepared_take::{PreparedActor, content_hash};
use crate::{CorpusError, CutMethod, DetectedCuts, PreparedTake, Result, Span, body, chunk};

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    name: String,
    frames: usize,
    rate_hz: f64,
    content: String,
    actors: Vec<ActorHeader>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ActorHeader {
    name: String,
    joints: usize,
    body: String,
    /// Bytes of each chunk.
    chunks: Vec<usize>,
}

impl PreparedTake {
    /// Encodes the take.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        let actors = self.actors.iter().map(|actor| ActorHeader {
            name: actor.name.clone(),
            joints: actor.joints,
            body: actor.body.clone(),
            chunks: actor.chunks.iter().map(Vec::len).collect(),
        });
        let header = Header {
            name: self.name.clone(),
            frames: self.frames,
            rate_hz: self.rate_hz,
            content: self.content.clone(),
            actors: actors.collect(),
        };
        let header = serde_json::to_vec(&header).map_err(|error| CorpusError::damaged(error.to_string()))?;
        let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
        bytes.extend(header);
        self.actors.iter().flat_map(|actor| &actor.chunks).for_each(|chunk| bytes.extend(chunk));
        Ok(bytes)
    }

    /// Decodes a take; fails if the bytes were changed.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let cut_off = || CorpusError::damaged("a prepared take is cut off");
        let (length, rest) = bytes.split_first_chunk::<8>().ok_or_else(cut_off)?;
        let length = usize::try_from(u64::from_le_bytes(*length)).map_err(|_| cut_off())?;
        let (header, mut rest) = rest.split_at_checked(length).ok_or_else(cut_off)?;
        let header: Header =
            serde_json::from_slice(header).map_err(|error| CorpusError::damaged(error.to_string()))?;
        let mut actors = Vec::new();
        for actor in header.actors {
            let mut chunks = Vec::new();
            for length in actor.chunks {
                let (chunk, after) = rest.split_at_checked(length).ok_or_else(cut_off)?;
                chunks.push(chunk.to_vec());
                rest = after;
            }
            actors.push(PreparedActor { name: actor.name, joints: actor.joints, body: actor.body, chunks });
        }
        let Header { name, frames, rate_hz, content, .. } = header;
        let of = |actor: &PreparedActor| (actor.body.clone(), actor.chunks.clone());
        let parts: Vec<(String, Vec<Vec<u8>>)> = actors.iter().map(of).collect();
        let found = parts.iter().map(|(body, chunks)| (body.as_str(), chunks.iter().map(Vec::as_slice)));
        if !rest.is_empty() || content_hash(rate_hz, frames, found) != content {
            return Err(CorpusError::damaged("a prepared take is not as it was sent"));
        }
        Ok(Self { name, frames, rate_hz, content, actors })
    }

    /// The take exactly as it will be read from the corpus.
    pub fn take(&self) -> Result<Take> {
        let actor = |actor: &PreparedActor| {
            let skeleton = Arc::new(body::from_json(&actor.body)?);
            let mut parts = ClipParts::default();
            for bytes in &actor.chunks {
                let here = chunk::decode(bytes, &skeleton)?;
                parts.rotations.extend_from_slice(&here.rotations);
                parts.positions.extend_from_slice(&here.positions);
            }
            Ok(Actor { name: actor.name.clone(), clip: Clip::new(skeleton, self.rate_hz, parts)? })
        };
        Ok(Take::new(self.name.clone(), self.actors.iter().map(actor).collect::<Result<_>>()?)?)
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CutsText {
    method: CutMethod,
    frames: usize,
    actors: Vec<ActorCuts>,
    spans: Vec<Span>,
    unusable: usize,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ActorCuts {
    contacts: Vec<Contact>,
    cuts: Vec<marey_ops::cut::Cut>,
    tempo_bpm: Option<f64>,
}

impl DetectedCuts {
    /// Encodes the cuts of a take of a given length as JSON.
    pub fn to_json(&self, frames: usize) -> Result<String> {
        let actors = self.actors.iter().map(|found| ActorCuts {
            contacts: found.contacts.all().to_vec(),
            cuts: found.cuts.clone(),
            tempo_bpm: found.tempo_bpm,
        });
        let (method, spans, unusable) = (self.method, self.spans.clone(), self.unusable);
        let text = CutsText { method, frames, actors: actors.collect(), spans, unusable };
        serde_json::to_string(&text).map_err(|error| CorpusError::damaged(error.to_string()))
    }

    /// Decodes cuts.
    pub fn from_json(text: &str) -> Result<Self> {
        let CutsText { method, frames, actors, spans, unusable } =
            serde_json::from_str(text).map_err(|error| CorpusError::damaged(error.to_string()))?;
        let actor = |found: ActorCuts| {
            let ActorCuts { contacts, cuts, tempo_bpm } = found;
            Ok(FoundInActor { contacts: Contacts::new(contacts, frames)?, cuts, tempo_bpm })
        };
        let actors = actors.into_iter().map(actor).collect::<Result<_>>()?;
        Ok(Self { method, actors, spans, unusable })
    }
}

#[cfg(test)]
mod tests {
    use marey_examples::walk::{WalkSettings, walk};

    use super::*;
    use crate::{Corpus, Provenance};

    fn sample() -> Take {
        let settings = WalkSettings { duration_secs: 10.0, rate_hz: 30.0, ..WalkSettings::default() };
        walk(&settings).unwrap().take
    }

    #[test]
    fn what_arrives_is_what_was_sent_and_what_a_corpus_reads() {
        let prepared = PreparedTake::of(&sample()).unwrap();
        let bytes = prepared.to_bytes().unwrap();
        let arrived = PreparedTake::from_bytes(&bytes).unwrap();
        assert_eq!((arrived.name(), arrived.content()), (prepared.name(), prepared.content()));
        let path = std::env::temp_dir().join(format!("marey-shipped-{}.marey", std::process::id()));
        let mut corpus = Corpus::create(&path).unwrap();
        let id = corpus.add_prepared(&arrived, &Provenance::default()).unwrap().id();
        let kept = corpus.take(id).unwrap();
        drop(corpus);
        std::fs::remove_file(&path).unwrap();
        assert_eq!(arrived.take().unwrap(), kept);
        let found = DetectedCuts::of(&kept, CutMethod::Steps).unwrap();
        let text = found.to_json(kept.frames()).unwrap();
        let again = DetectedCuts::from_json(&text).unwrap();
        assert_eq!(again.to_json(kept.frames()).unwrap(), text);
        assert_eq!(again.cuts(0), found.cuts(0));
    }

    #[test]
    fn what_was_changed_on_the_way_is_refused() {
        let bytes = PreparedTake::of(&sample()).unwrap().to_bytes().unwrap();
        for cut in [0, 5, 8, 40, bytes.len() - 1] {
            assert!(PreparedTake::from_bytes(&bytes[..cut]).is_err());
        }
        for at in (0..bytes.len()).step_by(bytes.len() / 97) {
            let mut changed = bytes.clone();
            changed[at] ^= 1;
            // A changed name is a name too; frames and body are not.
            let refused = PreparedTake::from_bytes(&changed);
            assert!(refused.is_err() || at < 60, "{at}");
        }
        assert!(DetectedCuts::from_json("{}").is_err());
    }
}
