//! Prepares takes for storage: all work that needs no file, so that many takes can be prepared in parallel.

use std::fmt::Write as _;

use marey_motion::{Actor, Take};
use rayon::prelude::*;
use sha2::{Digest, Sha256};

use crate::chunk::{self, CHUNK_FRAMES};
use crate::{Result, body};

/// A take in its stored form.
#[derive(Debug, Clone)]
pub struct PreparedTake {
    pub(crate) name: String,
    pub(crate) frames: usize,
    pub(crate) rate_hz: f64,
    pub(crate) content: String,
    pub(crate) actors: Vec<PreparedActor>,
}

/// One actor.
#[derive(Debug, Clone)]
pub(crate) struct PreparedActor {
    pub(crate) name: String,
    pub(crate) joints: usize,
    /// The skeleton as JSON.
    pub(crate) body: String,
    pub(crate) chunks: Vec<Vec<u8>>,
}

impl PreparedTake {
    /// Packs the frames and computes the hash.
    pub fn of(take: &Take) -> Result<Self> {
        let actors = take.actors().iter().map(PreparedActor::of).collect::<Result<Vec<_>>>()?;
        let content = content_hash(
            take.rate_hz(),
            take.frames(),
            actors.iter().map(|actor| (actor.body.as_str(), actor.chunks.iter().map(Vec::as_slice))),
        );
        let (frames, rate_hz) = (take.frames(), take.rate_hz());
        Ok(Self { name: take.name().to_owned(), frames, rate_hz, content, actors })
    }

    /// The name of the take.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// SHA-256 of the content in hexadecimal: motion and skeletons, independent of names and provenance.
    pub fn content(&self) -> &str {
        &self.content
    }
}

impl PreparedActor {
    fn of(actor: &Actor) -> Result<Self> {
        let clip = &actor.clip;
        let starts: Vec<usize> = (0..clip.frames()).step_by(CHUNK_FRAMES).collect();
        let one = |start: &usize| {
            let end = (start + CHUNK_FRAMES).min(clip.frames());
            Ok(chunk::encode(&clip.slice(*start..end)?))
        };
        Ok(Self {
            name: actor.name.clone(),
            joints: clip.skeleton().len(),
            body: body::to_json(clip.skeleton())?,
            chunks: starts.par_iter().map(one).collect::<Result<_>>()?,
        })
    }
}

/// SHA-256 over the rate, the length, and each actor's skeleton and chunks, each preceded by its length.
pub(crate) fn content_hash<'a, C: Iterator<Item = &'a [u8]>>(
    rate_hz: f64,
    frames: usize,
    actors: impl Iterator<Item = (&'a str, C)>,
) -> String {
    let mut hash = Sha256::new();
    hash.update(b"marey take 1");
    hash.update(rate_hz.to_le_bytes());
    hash.update((frames as u64).to_le_bytes());
    for (body, chunks) in actors {
        hash.update((body.len() as u64).to_le_bytes());
        hash.update(body.as_bytes());
        for chunk in chunks {
            hash.update((chunk.len() as u64).to_le_bytes());
            hash.update(chunk);
        }
    }
    hex(&hash.finalize())
}

/// SHA-256 of bytes, in hexadecimal.
pub(crate) fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}
