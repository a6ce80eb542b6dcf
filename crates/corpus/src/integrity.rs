//! Checks that the file contains what was written.

use marey_motion::Coded;
use rusqlite::params;
use serde::Serialize;

use crate::chunk;
use crate::takes::checked;
use crate::{Corpus, Result, TakeInfo, codes};

/// The result of a check.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct IntegrityReport {
    /// The faults, one sentence each; empty if there are none.
    pub faults: Vec<String>,
    /// Number of takes read.
    pub takes: usize,
    /// Number of frames, over all actors.
    pub frames: usize,
    /// Bytes of motion.
    pub motion_bytes: usize,
    /// Number of chunks with rotations in 16 bytes, because 8 would have moved a joint too far.
    pub plain_chunks: usize,
}

/// Queries for rows that must not exist; each row of a result is one fault.
const RULES: [&str; 6] = [
    "SELECT 'tag ' || tags.id || ' (' || tags.name || ') ends behind its take' FROM tags JOIN takes ON takes.id = take
     WHERE \"end\" > frames",
    "SELECT 'marker ' || markers.id || ' (' || markers.name || ') is behind its take' FROM markers
     JOIN takes ON takes.id = take WHERE frame >= frames",
    "SELECT 'contact ' || contacts.id || ' ends behind its take' FROM contacts JOIN takes ON takes.id = take
     WHERE \"end\" > frames",
    "SELECT 'segment ' || segments.id || ' ends behind its take' FROM segments JOIN takes ON takes.id = take
     WHERE \"end\" > frames",
    "SELECT 'take ' || id || ' (' || name || ') has no actor' FROM takes WHERE id NOT IN (SELECT take FROM actors)",
    "SELECT 'two contacts of one part with one thing overlap in take ' || a.take FROM contacts a JOIN contacts b
     ON a.take = b.take AND a.actor = b.actor AND a.role = b.role AND a.what = b.what AND a.id < b.id
     AND a.start < b.\"end\" AND b.start < a.\"end\"",
];

impl Corpus {
    /// Reads everything: the structure of the file, references between tables, every annotation, every chunk of
    /// frames with its checksum, and all derived data.
    pub fn check(&self) -> Result<IntegrityReport> {
        let mut found = IntegrityReport::default();
        match self.check_all(&mut found) {
            // A file that SQLite cannot read through is damaged. Report the faults found so far.
            Err(error) if error.code() == &codes::DAMAGED => found.faults.push(error.to_string()),
            other => other?,
        }
        Ok(found)
    }

    fn check_all(&self, found: &mut IntegrityReport) -> Result<()> {
        let sentences = |sql: &str| -> Result<Vec<String>> {
            self.run(|connection| connection.prepare(sql)?.query_map([], |row| row.get(0))?.collect())
        };
        found.faults.extend(sentences("PRAGMA integrity_check")?.into_iter().filter(|line| line != "ok"));
        let orphans =
            sentences("SELECT \"table\" || ' row ' || coalesce(rowid, '?') FROM pragma_foreign_key_check")?;
        found.faults.extend(orphans.into_iter().map(|row| format!("{row} refers to nothing")));
        for rule in RULES {
            found.faults.extend(sentences(rule)?);
        }
        for take in self.takes()? {
            found.takes += 1;
            for actor in 0..take.actors.len() {
                if let Err(error) = self.check_frames(&take, actor, found) {
                    found.faults.push(error.to_string());
                }
            }
            let annotations = self.annotations(take.id).map(drop);
            let segments = self.segments_of(take.id).map(drop);
            for error in [annotations.err(), segments.err()].into_iter().flatten() {
                found.faults.push(format!("take {} ({}): {error}", take.id, take.name));
            }
        }
        found.faults.extend(self.check_characters()?);
        found.faults.extend(self.check_derived()?);
        Ok(())
    }

    /// Reads every chunk of an actor.
    fn check_frames(&self, take: &TakeInfo, actor: usize, found: &mut IntegrityReport) -> Result<()> {
        let skeleton = self.skeleton(take.id, actor)?;
        let mut faults = Vec::new();
        let mut next = 0;
        self.run(|connection| {
            let sql =
                "SELECT start, frames, crc, bytes FROM chunks WHERE take = ? AND actor = ? ORDER BY start";
            let mut statement = connection.prepare_cached(sql)?;
            let mut rows = statement.query(params![take.id.0, actor as i64])?;
            while let Some(row) = rows.next()? {
                let (start, frames): (i64, i64) = (row.get(0)?, row.get(1)?);
                let bytes: &[u8] = row.get_ref(3)?.as_blob().unwrap_or_default();
                let read = checked(bytes, row.get(2)?).and_then(|bytes| chunk::decode(bytes, &skeleton));
                let read = read.map(|parts| (parts.rotations.len() / skeleton.len()) as i64);
                match read {
                    Err(error) => faults.push(format!("frames from {start}: {error}")),
                    Ok(count) if count != frames => {
                        faults.push(format!("frames from {start}: {count} are stored instead of {frames}"));
                    }
                    Ok(_) => {}
                }
                if start != next {
                    faults.push(format!("frames {next}..{start} are missing"));
                }
                next = start + frames;
                found.frames += usize::try_from(frames).unwrap_or(0);
                found.motion_bytes += bytes.len();
                found.plain_chunks += usize::from(chunk::is_plain(bytes));
            }
            Ok(())
        })?;
        if next != take.frames as i64 {
            faults.push(format!("{next} frames of {}", take.frames));
        }
        let actor = format!("take {} ({}), actor {actor}", take.id, take.name);
        found.faults.extend(faults.into_iter().map(|fault| format!("{actor}: {fault}")));
        Ok(())
    }

    /// Compares the checksums of all derived data.
    fn check_derived(&self) -> Result<Vec<String>> {
        let mut faults = Vec::new();
        self.run(|connection| {
            let mut statement =
                connection.prepare("SELECT kind, part, crc, bytes FROM derived ORDER BY rowid")?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                if checked(row.get_ref(3)?.as_blob().unwrap_or_default(), row.get(2)?).is_err() {
                    let (kind, part): (String, i64) = (row.get(0)?, row.get(1)?);
                    faults.push(format!("derived {kind}, part {part}: the checksum is wrong"));
                }
            }
            Ok(())
        })?;
        Ok(faults)
    }
}
