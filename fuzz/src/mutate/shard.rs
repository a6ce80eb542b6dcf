//! Shards of a corpus: a JSON header, then takes with a JSON header and chunks each.

use serde_json::Value;
use sha2::{Digest, Sha256};

use super::number::Kind;
use super::random::Random;
use super::{json, text};

/// Changes the header of a shard, or a take in it. Lengths and hashes are set anew, as a hostile sender could.
pub(super) fn change(bytes: &[u8], random: &mut Random) -> Option<Vec<u8>> {
    let (mut header, rest) = headed(bytes)?;
    let mut rest = rest.to_vec();
    if random.one_in(2) {
        json::change_value(&mut header, random)?;
    } else {
        let take = header.get_mut(0)?.get_mut("takes")?.get_mut(0)?;
        let length = usize::try_from(take.get("bytes")?.as_u64()?).ok()?;
        let (own, after) = rest.split_at_checked(length)?;
        let (own, content) = change_take(own, random)?;
        *take.get_mut("bytes")? = own.len().into();
        *take.get_mut("content")? = content.into();
        rest = [own.as_slice(), after].concat();
    }
    with_header(&header, &rest)
}

/// Changes a prepared take. Returns its bytes and its hash.
fn change_take(bytes: &[u8], random: &mut Random) -> Option<(Vec<u8>, String)> {
    let (mut header, chunks) = headed(bytes)?;
    let mut chunks = chunks.to_vec();
    match random.below(3) {
        0 => {
            let kind = *random.pick(&[Kind::F32, Kind::I32, Kind::U8])?;
            // The layout and the numbers of frames, joints and movers come first.
            let reach = if random.one_in(2) { chunks.len().min(24) } else { chunks.len() };
            kind.replace(&mut chunks, random.below(reach), random)?;
        }
        1 => {
            let body = header.get_mut("actors")?.get_mut(0)?.get_mut("body")?;
            let old = body.as_str()?.as_bytes();
            let new = json::change(old, random).or_else(|| text::change(old, random))?;
            *body = String::from_utf8(new).ok()?.into();
        }
        _ => json::change_value(&mut header, random)?,
    }
    let content = content_hash(&header, &chunks)?;
    *header.get_mut("content")? = content.clone().into();
    Some((with_header(&header, &chunks)?, content))
}

/// The hash as `marey_corpus` computes it.
fn content_hash(header: &Value, mut chunks: &[u8]) -> Option<String> {
    let mut hash = Sha256::new();
    hash.update(b"marey take 1");
    hash.update(header.get("rate_hz")?.as_f64()?.to_le_bytes());
    hash.update(header.get("frames")?.as_u64()?.to_le_bytes());
    for actor in header.get("actors")?.as_array()? {
        let body = actor.get("body")?.as_str()?;
        hash.update((body.len() as u64).to_le_bytes());
        hash.update(body.as_bytes());
        for length in actor.get("chunks")?.as_array()? {
            let (chunk, rest) = chunks.split_at_checked(usize::try_from(length.as_u64()?).ok()?)?;
            hash.update((chunk.len() as u64).to_le_bytes());
            hash.update(chunk);
            chunks = rest;
        }
    }
    Some(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

/// The JSON that the length in the first eight bytes delimits, and what follows it.
fn headed(bytes: &[u8]) -> Option<(Value, &[u8])> {
    let (length, rest) = bytes.split_first_chunk::<8>()?;
    let (header, rest) = rest.split_at_checked(usize::try_from(u64::from_le_bytes(*length)).ok()?)?;
    Some((serde_json::from_slice(header).ok()?, rest))
}

fn with_header(header: &Value, rest: &[u8]) -> Option<Vec<u8>> {
    let header = serde_json::to_vec(header).ok()?;
    Some([&(header.len() as u64).to_le_bytes(), header.as_slice(), rest].concat())
}
