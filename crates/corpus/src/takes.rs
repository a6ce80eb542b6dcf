//! Takes: adding, listing, finding and reading them, whole or in part.

use std::ops::Range;
use std::sync::Arc;

use marey_motion::{Actor, Clip, ClipParts, Skeleton, Take};
use rusqlite::{OptionalExtension, Row, Transaction, params};
use serde::{Serialize, Serializer};

use crate::chunk::{self, CHUNK_FRAMES};
use crate::corpus::Change;
use crate::prepared_take::{PreparedActor, PreparedTake};
use crate::{Corpus, CorpusError, Provenance, Result, TakeId, body, codes};

/// The largest number of skeletons that are kept in memory.
const MOST_SKELETONS: usize = 256;

/// The result of adding a take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Added {
    /// The take was added.
    New(TakeId),
    /// The corpus has the same content already, as this take; nothing was changed.
    Already(TakeId),
}

impl Added {
    /// The take with the content.
    pub fn id(self) -> TakeId {
        match self {
            Added::New(id) | Added::Already(id) => id,
        }
    }
}

/// Information about a take without its frames.
#[derive(Debug, Clone, PartialEq)]
pub struct TakeInfo {
    /// Its id.
    pub id: TakeId,
    /// Its name, unique in the corpus.
    pub name: String,
    /// SHA-256 of its content, in hexadecimal.
    pub content: String,
    /// Number of frames of every actor.
    pub frames: usize,
    /// Frames per second.
    pub rate_hz: f64,
    /// Its actors; at least one.
    pub actors: Vec<ActorInfo>,
    /// Its origin.
    pub provenance: Provenance,
}

/// One actor of a take.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ActorInfo {
    /// Its name.
    pub name: String,
    /// Number of joints.
    pub joints: usize,
}

impl TakeInfo {
    /// Duration.
    pub fn duration_secs(&self) -> f64 {
        self.frames as f64 / self.rate_hz
    }
}

impl Serialize for TakeInfo {
    /// All fields, those of the provenance among them, and `duration_secs`.
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Row<'a> {
            id: TakeId,
            name: &'a str,
            content: &'a str,
            frames: usize,
            rate_hz: f64,
            duration_secs: f64,
            actors: &'a [ActorInfo],
            #[serde(flatten)]
            provenance: &'a Provenance,
        }
        let Self { id, name, content, frames, rate_hz, actors, provenance } = self;
        let (duration_secs, frames, rate_hz) = (self.duration_secs(), *frames, *rate_hz);
        Row { id: *id, name, content, frames, rate_hz, duration_secs, actors, provenance }
            .serialize(serializer)
    }
}

impl Corpus {
    /// Adds a take. If the corpus has the same content already, under any name, nothing is changed. If another take
    /// has its name, a number is appended. An actor whose body the corpus has gets the stored skeleton, with its rest pose.
    pub fn add(&mut self, take: &Take, provenance: &Provenance) -> Result<Added> {
        self.add_prepared(&PreparedTake::of(take)?, provenance)
    }

    /// [`Corpus::add`] for a take that was prepared before, possibly on another thread.
    pub fn add_prepared(&mut self, take: &PreparedTake, provenance: &Provenance) -> Result<Added> {
        let take = self.with_stored_bodies(take)?;
        self.change(|transaction| insert(transaction, &take, provenance))
    }

    /// All takes, in the order in which they were added.
    pub fn takes(&self) -> Result<Vec<TakeInfo>> {
        self.infos("ORDER BY takes.id, actor", [])
    }

    /// One take.
    pub fn info(&self, id: TakeId) -> Result<TakeInfo> {
        let found = self.infos("WHERE takes.id = ? ORDER BY actor", [id.0])?;
        found.into_iter().next().ok_or_else(|| no_take(&id.to_string()))
    }

    /// Finds a take by its name, or by `#` and its id.
    pub fn find(&self, name: &str) -> Result<TakeId> {
        let number = name.strip_prefix('#').map(|text| text.parse::<i64>().unwrap_or(-1));
        let found = self.run(|connection| {
            let sql = "SELECT id FROM takes WHERE CASE WHEN ?1 IS NULL THEN name = ?2 ELSE id = ?1 END";
            connection.query_row(sql, params![number, name], |row| row.get(0)).optional()
        })?;
        found.map(TakeId).ok_or_else(|| no_take(name))
    }

    /// Finds a take by the hash of its content.
    pub(crate) fn find_content(&self, content: &str) -> Result<Option<TakeId>> {
        self.run(|connection| {
            let sql = "SELECT id FROM takes WHERE content = ?";
            connection.query_row(sql, [content], |row| row.get(0)).optional()
        })
        .map(|id| id.map(TakeId))
    }

    /// Reads a whole take.
    pub fn take(&self, id: TakeId) -> Result<Take> {
        let info = self.info(id)?;
        self.read_frames(&info, 0..info.frames)
    }

    /// Reads a range of a take's frames. Only the chunks that hold them are read.
    pub fn take_range(&self, id: TakeId, frames: Range<usize>) -> Result<Take> {
        let info = self.info(id)?;
        if frames.is_empty() || frames.end > info.frames {
            let Range { start, end } = frames;
            return Err(marey_motion::MotionError::Range { start, end, frames: info.frames }.into());
        }
        self.read_frames(&info, frames)
    }

    fn read_frames(&self, info: &TakeInfo, frames: Range<usize>) -> Result<Take> {
        let actors = (0..info.actors.len()).zip(&info.actors).map(|(actor, about)| {
            let clip = self.read_clip(info, actor, frames.clone())?;
            Ok(Actor { name: about.name.clone(), clip })
        });
        Ok(Take::new(info.name.clone(), actors.collect::<Result<_>>()?)?)
    }

    /// Reads a range of one actor's frames.
    pub(crate) fn read_clip(&self, info: &TakeInfo, actor: usize, frames: Range<usize>) -> Result<Clip> {
        let skeleton = self.skeleton(info.id, actor)?;
        let first = frames.start / CHUNK_FRAMES * CHUNK_FRAMES;
        let chunks: Vec<(usize, u32, Vec<u8>)> = self.run(|connection| {
            let sql = "SELECT start, crc, bytes FROM chunks
                       WHERE take = ? AND actor = ? AND start BETWEEN ? AND ? ORDER BY start";
            let mut statement = connection.prepare_cached(sql)?;
            let last = frames.end as i64 - 1;
            let rows = statement.query_map(params![info.id.0, actor as i64, first as i64, last], |row| {
                Ok((row.get::<_, i64>(0)? as usize, row.get(1)?, row.get(2)?))
            })?;
            rows.collect()
        })?;
        let mut parts = ClipParts::default();
        for (start, crc, bytes) in chunks {
            let here = checked(&bytes, crc).and_then(|bytes| chunk::decode(bytes, &skeleton));
            let here = here.map_err(|error| about_frames(info, start, &error))?;
            if start != first + parts.rotations.len() / skeleton.len() {
                return Err(about_frames(info, start, &CorpusError::damaged("frames before it are missing")));
            }
            parts.rotations.extend_from_slice(&here.rotations);
            parts.positions.extend_from_slice(&here.positions);
        }
        let clip = Clip::new(skeleton, info.rate_hz, parts)
            .map_err(|error| about_frames(info, first, &error.into()))?;
        let wanted = frames.start - first..frames.end - first;
        clip.slice(wanted)
            .map_err(|_| about_frames(info, frames.start, &CorpusError::damaged("frames are missing")))
    }

    /// The skeleton of one actor of a take. Actors with the same body share it.
    pub fn skeleton(&self, take: TakeId, actor: usize) -> Result<Arc<Skeleton>> {
        let text: Option<String> = self.run(|connection| {
            let sql = "SELECT body FROM actors JOIN skeletons ON skeletons.id = skeleton WHERE take = ? AND actor = ?";
            let mut statement = connection.prepare_cached(sql)?;
            statement.query_row(params![take.0, actor as i64], |row| row.get(0)).optional()
        })?;
        let text = text.ok_or_else(|| {
            CorpusError::refused(&codes::NO_ACTOR, format!("take {take} has no actor {actor}"))
        })?;
        let mut known = self.skeletons.borrow_mut();
        if let Some(skeleton) = known.get(&text) {
            return Ok(skeleton.clone());
        }
        let skeleton = Arc::new(body::from_json(&text)?);
        if known.len() >= MOST_SKELETONS {
            known.clear();
        }
        known.insert(text, skeleton.clone());
        Ok(skeleton)
    }

    fn infos<P: rusqlite::Params>(&self, rest: &str, params: P) -> Result<Vec<TakeInfo>> {
        let sql = format!(
            "SELECT takes.id, takes.name, content, frames, rate_hz, source, licence, credit, history, actors.name, joints
             FROM takes JOIN actors ON actors.take = takes.id JOIN skeletons ON skeletons.id = skeleton {rest}"
        );
        self.run(|connection| {
            let mut statement = connection.prepare_cached(&sql)?;
            let mut rows = statement.query(params)?;
            let mut takes: Vec<TakeInfo> = Vec::new();
            while let Some(row) = rows.next()? {
                let id = TakeId(row.get(0)?);
                let actor = ActorInfo { name: row.get(9)?, joints: row.get::<_, u32>(10)? as usize };
                match takes.last_mut() {
                    Some(take) if take.id == id => take.actors.push(actor),
                    _ => takes.push(info_of(id, row, actor)?),
                }
            }
            Ok(takes)
        })
    }
}

fn info_of(id: TakeId, row: &Row<'_>, actor: ActorInfo) -> rusqlite::Result<TakeInfo> {
    Ok(TakeInfo {
        id,
        name: row.get(1)?,
        content: row.get(2)?,
        frames: row.get::<_, u32>(3)? as usize,
        rate_hz: row.get(4)?,
        actors: vec![actor],
        provenance: Provenance {
            source: row.get(5)?,
            licence: row.get(6)?,
            credit: row.get(7)?,
            history: row.get(8)?,
        },
    })
}

/// Verifies the checksum of bytes.
pub(crate) fn checked(bytes: &[u8], crc: u32) -> Result<&[u8]> {
    let found = crc32fast::hash(bytes);
    if found == crc {
        Ok(bytes)
    } else {
        Err(CorpusError::damaged("the checksum of the stored bytes is wrong"))
    }
}

fn about_frames(info: &TakeInfo, start: usize, error: &CorpusError) -> CorpusError {
    CorpusError::damaged(format!("take {} ({}), frames from {start}: {error}", info.id, info.name))
}

fn no_take(name: &str) -> CorpusError {
    CorpusError::refused(&codes::NO_TAKE, format!("no take {name}"))
}

pub(crate) fn insert(
    transaction: &Transaction<'_>,
    take: &PreparedTake,
    provenance: &Provenance,
) -> std::result::Result<Added, Change> {
    let there = "SELECT id FROM takes WHERE content = ?";
    let there = transaction.query_row(there, [&take.content], |row| row.get(0)).optional()?;
    if let Some(id) = there {
        return Ok(Added::Already(TakeId(id)));
    }
    check_name(&take.name)?;
    let name = free_name(transaction, &take.name)?;
    let sql = "INSERT INTO takes (name, content, frames, rate_hz, source, licence, credit, history)
               VALUES (?, ?, ?, ?, ?, ?, ?, ?)";
    let Provenance { source, licence, credit, history } = provenance;
    let frames = take.frames as i64;
    transaction
        .execute(sql, params![name, take.content, frames, take.rate_hz, source, licence, credit, history])?;
    let id = transaction.last_insert_rowid();
    for (number, actor) in take.actors.iter().enumerate() {
        insert_actor(transaction, id, number as i64, actor, take.frames)?;
    }
    Ok(Added::New(TakeId(id)))
}

fn insert_actor(
    transaction: &Transaction<'_>,
    take: i64,
    number: i64,
    actor: &PreparedActor,
    frames: usize,
) -> std::result::Result<(), Change> {
    let sql = "INSERT INTO skeletons (joints, body, bones_m) VALUES (?, ?, ?) ON CONFLICT (body) DO NOTHING";
    let bones_m = body::bones_m(&body::from_json(&actor.body)?);
    transaction.prepare_cached(sql)?.execute(params![actor.joints as i64, actor.body, bones_m])?;
    transaction
        .prepare_cached("INSERT INTO actors SELECT ?, ?, ?, id FROM skeletons WHERE body = ?")?
        .execute(params![take, number, actor.name, actor.body])?;
    let mut statement = transaction.prepare_cached(
        "INSERT INTO chunks (take, actor, start, frames, crc, bytes) VALUES (?, ?, ?, ?, ?, ?)",
    )?;
    for (start, bytes) in (0..).step_by(CHUNK_FRAMES).zip(&actor.chunks) {
        let here = CHUNK_FRAMES.min(frames - start);
        statement.execute(params![take, number, start as i64, here as i64, crc32fast::hash(bytes), bytes])?;
    }
    Ok(())
}

/// The name, with the first free number appended if it is taken.
fn free_name(transaction: &Transaction<'_>, name: &str) -> rusqlite::Result<String> {
    let mut statement = transaction.prepare_cached("SELECT count(*) FROM takes WHERE name = ?")?;
    let mut free = name.to_owned();
    for number in 2.. {
        if statement.query_row([&free], |row| row.get::<_, i64>(0))? == 0 {
            break;
        }
        free = format!("{name}~{number}");
    }
    Ok(free)
}

/// Rejects take names that could not be typed to refer to the take.
pub(crate) fn check_name(name: &str) -> Result<()> {
    if name.contains(':') || name.starts_with('#') {
        return Err(CorpusError::refused(&codes::NAME, format!("{name:?} has a : or starts with #")));
    }
    check_word("a take", name)
}

/// Rejects names that cannot be typed or read.
pub(crate) fn check_word(what: &str, name: &str) -> Result<()> {
    let fits = !name.trim().is_empty() && name.chars().count() <= 200 && !name.chars().any(char::is_control);
    if fits { Ok(()) } else { Err(CorpusError::refused(&codes::NAME, format!("{what} named {name:?}"))) }
}
