//! Motion of takes on other bodies, kept as derived data.
//!
//! The motion of an actor on another body depends on the take and the body alone. It is computed when it is first needed and
//! stored with the take, so that it goes when the take goes. What is returned is always what would be read: the packed
//! frames. A result does therefore not depend on whether it was stored.

use std::sync::Arc;

use marey_motion::{Clip, ClipParts, Observer, Skeleton};
use marey_ops::retarget::{RetargetSettings, retarget_clips_observed};
use rusqlite::params;

use crate::chunk::{self, CHUNK_FRAMES};
use crate::prepared_take::sha256;
use crate::takes::checked;
use crate::{Corpus, CorpusError, Result, TakeInfo, body, codes};

/// The version of retargeting. It changes whenever retargeting gives other motion, so that what was stored before is not used.
pub const RETARGETED_METHOD: u32 = 3;

impl Corpus {
    /// The motion of an actor of a take on another body. An actor that is alone travels in proportion to its legs. One of
    /// several keeps its place, as the others do here, and its hands touch them as they did.
    ///
    /// Stored if the file can be written, also if this corpus is open for reading only.
    pub fn retargeted(
        &self,
        info: &TakeInfo,
        actor: usize,
        target: &Arc<Skeleton>,
        observer: Observer<'_>,
    ) -> Result<Clip> {
        let kind = kind(actor, target)?;
        if let Some(kept) = self.kept_motion(&kind, info, target)? {
            return Ok(kept);
        }
        let actors = 0..info.actors.len();
        let read = actors.map(|actor| self.read_clip(info, actor, 0..info.frames));
        let clips = read.collect::<Result<Vec<Clip>>>()?;
        let mut bodies: Vec<Arc<Skeleton>> = clips.iter().map(|clip| clip.skeleton().clone()).collect();
        let no_actor =
            || CorpusError::request(&codes::NO_ACTOR, format!("take {} has no actor {actor}", info.id));
        *bodies.get_mut(actor).ok_or_else(no_actor)? = target.clone();
        let clips: Vec<&Clip> = clips.iter().collect();
        let settings = RetargetSettings::default();
        let moved = retarget_clips_observed(&clips, &bodies, &settings, observer)?.swap_remove(actor);
        let mut chunks = Vec::new();
        for start in (0..moved.frames()).step_by(CHUNK_FRAMES) {
            chunks.push(chunk::encode(&moved.slice(start..(start + CHUNK_FRAMES).min(moved.frames()))?));
        }
        self.keep_motion(&kind, info, &chunks);
        decoded(chunks.iter().map(Vec::as_slice), info.rate_hz, target)
    }

    /// The stored motion, if it is there and whole.
    fn kept_motion(&self, kind: &str, info: &TakeInfo, target: &Arc<Skeleton>) -> Result<Option<Clip>> {
        let rows: Vec<(u32, Vec<u8>)> = self.run(|connection| {
            let sql =
                "SELECT crc, bytes FROM derived WHERE kind = ? AND coalesce(take, -1) = ? ORDER BY part";
            let mut statement = connection.prepare_cached(sql)?;
            let rows = statement.query_map(params![kind, info.id.0], |row| Ok((row.get(0)?, row.get(1)?)))?;
            rows.collect()
        })?;
        let Ok(parts) = rows.iter().map(|(crc, bytes)| checked(bytes, *crc)).collect::<Result<Vec<_>>>()
        else {
            return Ok(None);
        };
        let clip = decoded(parts.into_iter(), info.rate_hz, target).ok();
        Ok(clip.filter(|clip| clip.frames() == info.frames))
    }

    /// Stores motion, if that is possible: without it, it is only computed again.
    fn keep_motion(&self, kind: &str, info: &TakeInfo, chunks: &[Vec<u8>]) {
        self.keep_derived(|transaction| {
            let sql = "INSERT OR REPLACE INTO derived (kind, take, part, crc, bytes) VALUES (?, ?, ?, ?, ?)";
            let mut statement = transaction.prepare_cached(sql)?;
            for (part, bytes) in (0i64..).zip(chunks) {
                statement.execute(params![kind, info.id.0, part, crc32fast::hash(bytes), bytes])?;
            }
            Ok(())
        });
    }
}

/// The kind of derived data: the actor and the body.
fn kind(actor: usize, target: &Skeleton) -> Result<String> {
    let body = sha256(body::to_json(target)?.as_bytes());
    Ok(format!("retargeted {RETARGETED_METHOD} {actor} {body}"))
}

fn decoded<'a>(chunks: impl Iterator<Item = &'a [u8]>, rate_hz: f64, target: &Arc<Skeleton>) -> Result<Clip> {
    let mut parts = ClipParts::default();
    for bytes in chunks {
        let here = chunk::decode(bytes, target)?;
        parts.rotations.extend_from_slice(&here.rotations);
        parts.positions.extend_from_slice(&here.positions);
    }
    Ok(Clip::new(target.clone(), rate_hz, parts)?)
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use marey_examples::walk::{WalkSettings, walk};
    use marey_motion::Take;

    use super::*;
    use crate::Provenance;

    fn walker(scale: f32) -> Take {
        let settings = WalkSettings { duration_secs: 6.0, rate_hz: 60.0, ..WalkSettings::default() };
        let take = walk(&settings).unwrap().take;
        Take::solo("walk", take.first().clone().scaled(scale).unwrap())
    }

    fn stored(name: &str) -> (PathBuf, Corpus) {
        let path = std::env::temp_dir().join(format!("marey-retargeted-{name}-{}.marey", std::process::id()));
        let mut corpus = Corpus::create(&path).unwrap();
        corpus.add(&walker(1.0), &Provenance::default()).unwrap();
        (path, corpus)
    }

    fn count(corpus: &Corpus) -> i64 {
        let sql = "SELECT count(*) FROM derived WHERE kind LIKE 'retargeted %'";
        corpus.run(|connection| connection.query_row(sql, [], |row| row.get(0))).unwrap()
    }

    #[test]
    fn stored_motion_equals_computed_motion_and_goes_with_its_take() {
        let (path, corpus) = stored("equal");
        drop(corpus);
        let small = walker(0.8).first().skeleton().clone();
        let reader = Corpus::open_read_only(&path).unwrap();
        let info = reader.takes().unwrap().remove(0);
        let computed = reader.retargeted(&info, 0, &small, Observer::ignore()).unwrap();
        assert_eq!(count(&reader), 2, "360 frames are two chunks");
        assert_eq!(reader.retargeted(&info, 0, &small, Observer::ignore()).unwrap(), computed);
        assert_eq!(computed.skeleton(), &small);
        // The travel is that of the shorter legs.
        let far = |clip: &Clip| clip.root_positions().last().unwrap().with_y(0.0).length();
        let ratio = far(&computed) / far(walker(1.0).first());
        assert!((ratio - 0.8).abs() < 0.02, "{ratio}");
        drop(reader);
        // Another corpus with the same content copies the motion.
        let (other_path, mut other) = stored("adopting");
        other.adopt_derived(&path);
        assert_eq!(count(&other), 2);
        assert_eq!(other.retargeted(&info, 0, &small, Observer::ignore()).unwrap(), computed);
        other.adopt_derived(Path::new("/nothing/there.marey"));
        drop(other);
        std::fs::remove_file(&other_path).unwrap();
        let mut writer = Corpus::open(&path).unwrap();
        writer.remove(&crate::RemoveRequest { takes: vec!["walk".into()], ..Default::default() }).unwrap();
        assert_eq!(count(&writer), 0);
        drop(writer);
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn damaged_motion_is_computed_again() {
        let (path, corpus) = stored("damaged");
        let small = walker(0.8).first().skeleton().clone();
        let info = corpus.takes().unwrap().remove(0);
        let computed = corpus.retargeted(&info, 0, &small, Observer::ignore()).unwrap();
        corpus
            .run(|connection| connection.execute_batch("UPDATE derived SET bytes = x'00' WHERE part = 1"))
            .unwrap();
        assert_eq!(corpus.retargeted(&info, 0, &small, Observer::ignore()).unwrap(), computed);
        drop(corpus);
        std::fs::remove_file(&path).unwrap();
    }
}
