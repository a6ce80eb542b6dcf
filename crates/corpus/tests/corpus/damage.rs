//! Bytes that are not what was written: found, named, never read as motion.

use std::fs;
use std::path::Path;

use marey_corpus::{Corpus, Provenance};
use marey_motion::Coded;
use rusqlite::Connection;

use crate::support::{Folder, little, walking};

fn corpus_of_two(path: &Path) -> Corpus {
    let mut corpus = Corpus::create(path).unwrap();
    corpus.add(&walking(1, 20.0), &Provenance::default()).unwrap();
    corpus.add(&little("little", 1, 600), &Provenance::default()).unwrap();
    corpus
}

/// Changes a sound corpus behind its back, and tells what the check finds.
fn faults_after(name: &str, sql: &str) -> Vec<String> {
    let folder = Folder::new(name);
    let path = folder.path("a.marey");
    drop(corpus_of_two(&path));
    Connection::open(&path).unwrap().execute_batch(&format!("PRAGMA foreign_keys = OFF; {sql}")).unwrap();
    let corpus = Corpus::open(&path).unwrap();
    corpus.check().unwrap().faults
}

#[test]
fn a_check_names_what_is_wrong() {
    assert_eq!(faults_after("sound", ""), [""; 0]);
    for (name, sql, words) in [
        (
            "flipped",
            "UPDATE chunks SET bytes = zeroblob(length(bytes)) WHERE take = 2 AND start = 256",
            "#2 (little), actor 0: frames from 256: the checksum",
        ),
        (
            "forged",
            "UPDATE chunks SET bytes = x'00', crc = 3523407757 WHERE take = 2 AND start = 0",
            "frames from 0: stored frames are cut short",
        ),
        ("lost", "DELETE FROM chunks WHERE take = 1 AND start = 256", "frames 256..512 are missing"),
        ("short", "DELETE FROM chunks WHERE take = 2 AND start = 512", "512 frames of 600"),
        ("body", "UPDATE skeletons SET body = '{}' WHERE joints = 4", "a skeleton"),
        ("orphan", "INSERT INTO tags VALUES (1, 99, 'a', 0, 1, 'person')", "refers to nothing"),
        ("beyond", "INSERT INTO tags VALUES (1, 2, 'a', 0, 601, 'person')", "ends behind its take"),
        ("late", "INSERT INTO markers VALUES (1, 2, 'a', 600, 'person')", "is behind its take"),
        ("maker", "INSERT INTO tags VALUES (1, 2, 'a', 0, 1, 'robot')", "robot"),
        ("actorless", "DELETE FROM chunks WHERE take = 2; DELETE FROM actors WHERE take = 2", "has no actor"),
        (
            "derived",
            "INSERT INTO derived (kind, part, crc, bytes) VALUES ('x', 0, 1, x'00')",
            "derived x, part 0",
        ),
    ] {
        let faults = faults_after(name, sql);
        assert!(faults.iter().any(|fault| fault.contains(words)), "{name}: {faults:?}");
    }
}

#[test]
fn damaged_frames_are_refused_when_read() {
    let folder = Folder::new("damaged-read");
    let path = folder.path("a.marey");
    drop(corpus_of_two(&path));
    let sql = "UPDATE chunks SET bytes = CAST(substr(bytes, 1, 99) || x'ff' || substr(bytes, 101) AS BLOB) WHERE start = 256";
    Connection::open(&path).unwrap().execute_batch(sql).unwrap();
    let corpus = Corpus::open_read_only(&path).unwrap();
    for take in corpus.takes().unwrap() {
        assert_eq!(corpus.take(take.id).unwrap_err().code().id, "corpus/damaged");
        assert!(corpus.take_range(take.id, 0..256).is_ok());
    }
}

#[test]
fn flipped_bytes_anywhere_never_panic_and_are_found_or_harmless() {
    let folder = Folder::new("flips");
    let path = folder.path("a.marey");
    drop(corpus_of_two(&path));
    let good = fs::read(&path).unwrap();
    let sound = Corpus::open_read_only(&path).unwrap();
    let motions = |corpus: &Corpus| -> Option<Vec<_>> {
        corpus.takes().ok()?.iter().map(|take| corpus.take(take.id).ok()).collect()
    };
    let wanted = motions(&sound).unwrap();
    drop(sound);
    let flipped = folder.path("flipped.marey");
    for i in 0..120 {
        let mut bad = good.clone();
        let at = i * 7919 * 13 % bad.len();
        bad[at] ^= 1 << (i % 8);
        fs::write(&flipped, &bad).unwrap();
        let Ok(corpus) = Corpus::open_read_only(&flipped) else { continue };
        let clean = corpus.check().is_ok_and(|found| found.faults.is_empty());
        if clean {
            // A flip where nothing is kept, or in a name.
            let takes = motions(&corpus).unwrap();
            assert!(
                takes.iter().zip(&wanted).all(|(a, b)| a.actors()[0].clip == b.actors()[0].clip),
                "byte {at}"
            );
        }
    }
}
