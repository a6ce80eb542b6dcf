//! A machine that loses power has lost nothing that the corpus acknowledged.
//!
//! What is simulated: the files are copied after every acknowledged change. Everything that SQLite wrote between two copies may or may
//! not have reached the disk, sector by sector (512 bytes, in any order), unless it waited for the disk in between. It waits, with
//! `synchronous = FULL` (tested in `corpus.rs`), at these points:
//!
//! | change | order |
//! |---|---|
//! | a transaction | frames are appended to the log; the log is synced; the change is acknowledged |
//! | the first transaction after a checkpoint | the header of the log is overwritten; synced; then as above |
//! | a checkpoint | the log is synced; pages are copied to the database; it is synced; the log may be reused, truncated or removed |
//!
//! What is not simulated: a disk that reports a sync before it is done, a sector that is torn in the middle, and the loss of the
//! directory entry of a new corpus.

use std::fs;
use std::path::Path;

use marey_corpus::{Corpus, Provenance};

use crate::support::{Folder, little};

const SECTOR: usize = 512;
/// The header of a write-ahead log, which has its own sync.
const LOG_HEADER: usize = 32;
const CHANGES: usize = 66;
/// The corpus is closed and opened again before these.
const CLOSED: [usize; 3] = [3, 5, 60];
/// States of the disk that are tried for each change.
const STATES: usize = 6;

/// The files of a corpus.
#[derive(Clone, PartialEq)]
struct Disk {
    database: Vec<u8>,
    log: Vec<u8>,
}

impl Disk {
    fn read(path: &Path) -> Self {
        let log = fs::read(log_path(path)).unwrap_or_default();
        Self { database: fs::read(path).unwrap(), log }
    }

    fn write(&self, path: &Path) {
        fs::write(path, &self.database).unwrap();
        fs::write(log_path(path), &self.log).unwrap();
        let _ = fs::remove_file(path.with_extension("marey-shm"));
    }
}

fn log_path(path: &Path) -> std::path::PathBuf {
    path.with_extension("marey-wal")
}

/// Numbers that look random, the same each time (splitmix64).
struct Dice(u64);

impl Dice {
    fn roll(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % end as u64) as usize
    }

    /// A file of which some of the sectors from `from` on have reached the disk. Its end may be missing, or not be written yet.
    fn partly_written(&mut self, before: &[u8], after: &[u8], from: usize) -> Vec<u8> {
        let mut file = before.to_vec();
        let longest = before.len().max(after.len());
        let length =
            if self.roll(2) == 0 { longest } else { before.len() + self.roll(longest - before.len() + 1) };
        file.resize(length, 0);
        let share = 1 + self.roll(10);
        let mut at = from;
        while at < after.len().min(length) {
            let end = (at - at % SECTOR + SECTOR).min(after.len()).min(length);
            if self.roll(10) < share {
                file[at..end].copy_from_slice(&after[at..end]);
            }
            at = end;
        }
        file
    }
}

/// A state in which the disk can be if power is lost between two acknowledged states.
fn lost_power(dice: &mut Dice, before: &Disk, after: &Disk) -> Disk {
    if before.database != after.database {
        // A checkpoint: the log, with the change, was synced before the database was written.
        let log = if after.log.len() >= before.log.len() { &after.log } else { &before.log };
        let database = dice.partly_written(&before.database, &after.database, 0);
        return Disk { database, log: log.clone() };
    }
    let is_restarted = before.log.get(..LOG_HEADER) != after.log.get(..LOG_HEADER);
    if is_restarted && !before.log.is_empty() && dice.roll(3) == 0 {
        // Only the header of the log was overwritten, wholly or not at all.
        let mut log = before.log.clone();
        if dice.roll(2) == 0 {
            log[..LOG_HEADER].copy_from_slice(&after.log[..LOG_HEADER]);
        }
        return Disk { database: before.database.clone(), log };
    }
    let mut log = before.log.clone();
    if is_restarted && !log.is_empty() {
        log[..LOG_HEADER].copy_from_slice(&after.log[..LOG_HEADER]);
    }
    let log = dice.partly_written(&log, &after.log, if log.is_empty() { 0 } else { LOG_HEADER });
    Disk { database: before.database.clone(), log }
}

/// Checks that a corpus has the first takes, in order and whole. Returns their number.
fn takes(path: &Path, is_thorough: bool) -> usize {
    let corpus = Corpus::open(path).unwrap();
    if is_thorough {
        assert_eq!(corpus.check().unwrap().faults, [""; 0]);
    }
    let takes = corpus.takes().unwrap();
    for (number, take) in takes.iter().enumerate() {
        assert_eq!(take.name, format!("t{number}"));
    }
    if let Some(last) = takes.last() {
        assert_eq!(corpus.take(last.id).unwrap().frames(), frames(takes.len() - 1));
    }
    takes.len()
}

/// Some takes are large, so that the log reaches the size at which SQLite copies it into the database.
fn frames(number: usize) -> usize {
    if number.is_multiple_of(4) { 20_000 } else { 20 + number * 37 % 300 }
}

#[test]
fn acknowledged_changes_survive_the_loss_of_unsynced_writes() {
    let folder = Folder::new("power");
    let (path, lost) = (folder.path("c.marey"), folder.path("lost.marey"));
    drop(Corpus::create(&path).unwrap());
    let mut dice = Dice(7);
    let (mut states, mut kept, mut checkpoints, mut restarts) = (0, 0, 0, 0);
    let mut corpus = Corpus::open(&path).unwrap();
    let mut acknowledged = Disk::read(&path);
    for number in 0..CHANGES {
        // Closing the corpus is a checkpoint that removes the log.
        if CLOSED.contains(&number) {
            drop(corpus);
            let closed = Disk::read(&path);
            for _ in 0..STATES {
                lost_power(&mut dice, &acknowledged, &closed).write(&lost);
                assert_eq!(takes(&lost, true), number, "lost while the corpus was closed");
                states += 1;
            }
            checkpoints += 1;
            corpus = Corpus::open(&path).unwrap();
            acknowledged = Disk::read(&path);
        }
        corpus
            .add(&little(&format!("t{number}"), number as u64, frames(number)), &Provenance::default())
            .unwrap();
        let now = Disk::read(&path);
        checkpoints += usize::from(now.database != acknowledged.database);
        let is_same_log = now.log.get(..LOG_HEADER) == acknowledged.log.get(..LOG_HEADER);
        restarts += usize::from(!acknowledged.log.is_empty() && !is_same_log);
        for state in 0..STATES {
            lost_power(&mut dice, &acknowledged, &now).write(&lost);
            let found = takes(&lost, state == 0);
            assert!(found == number || found == number + 1, "{found} takes, {number} were acknowledged");
            kept += found - number;
            states += 1;
        }
        acknowledged = now;
    }
    println!(
        "{states} losses of power, {CHANGES} changes, {checkpoints} checkpoints, {restarts} logs reused, none lost"
    );
    assert!(kept > 0 && kept < states, "some states have the last change and some do not: {kept}");
    assert!(checkpoints > CLOSED.len() && restarts > 0, "{checkpoints} checkpoints, {restarts} restarts");
}
