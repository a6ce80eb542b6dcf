//! Other programs move and replace the corpus while the studio has it open.

mod support;

use std::fs;
use std::path::{Path, PathBuf};

use marey_corpus::{Corpus, Provenance};
use marey_examples::walk::{WalkSettings, walk};
use serde_json::json;
use support::Server;

/// Another corpus, at a path beside the studio's.
fn other_corpus(server: &Server, seed: u64) -> PathBuf {
    let path = server.path.with_extension("other");
    let _ = fs::remove_file(&path);
    let mut corpus = Corpus::create(&path).unwrap();
    let walk = walk(&WalkSettings { duration_secs: 6.0, seed, ..WalkSettings::default() }).unwrap();
    corpus.add(&walk.take, &Provenance::default()).unwrap();
    drop(corpus);
    path
}

/// Adds a tag through the studio. Returns the status of the response and its code.
fn tag(server: &Server, name: &str) -> (u16, String) {
    let put = json!({ "put_tags": [{ "name": name, "start": 0, "end": 30, "maker": "person" }] });
    let answer = server.post("/api/takes/t1/edits", &put.to_string());
    (answer.status, answer.json()["code"].as_str().unwrap_or_default().to_owned())
}

fn tags(path: &Path) -> Vec<String> {
    let corpus = Corpus::open_read_only(path).unwrap();
    assert_eq!(corpus.check().unwrap().faults, [""; 0], "{}", path.display());
    let all = corpus.annotations(corpus.takes().unwrap()[0].id).unwrap();
    all.into_iter()
        .filter_map(|one| match one.what {
            marey_corpus::AnnotationContent::Tag(tag) => Some(tag.name),
            _ => None,
        })
        .collect()
}

/// Whether the write-ahead log holds a change that could be mixed with another file.
///
/// The log itself may be there: the studio reads in the background.
fn has_change_in_log(path: &Path) -> bool {
    fs::metadata(format!("{}-wal", path.display())).is_ok_and(|about| about.len() > 0)
}

/// Replaces the corpus by another in some way; the studio must refuse changes and leave the new file as it is.
fn replaced(name: &str, code: &str, replace: impl Fn(&Path, &Path)) -> Server {
    let server = Server::start(name);
    assert_eq!(tag(&server, "before").0, 200);
    assert!(!has_change_in_log(&server.path));
    let other = other_corpus(&server, 7);
    let content = fs::read(&other).unwrap();
    replace(&other, &server.path);
    assert_eq!(tag(&server, "after"), (409, code.to_owned()));
    assert_eq!(server.get("/api/takes").status, 409);
    assert_eq!(fs::read(&server.path).unwrap(), content, "the new file was changed");
    assert!(!has_change_in_log(&server.path));
    assert!(tags(&server.path).is_empty());
    let _ = fs::remove_file(&other);
    server
}

/// The studio saves what it had, and goes on with it.
fn saved(server: &Server, expected: &[&str]) {
    let saved = server.post("/api/corpus/save-as", "{}").json()["corpus"].as_str().unwrap().to_owned();
    let path = server.path.with_file_name(saved);
    assert_eq!(tags(&path), expected);
    assert_eq!(tag(server, "later").0, 200);
    assert_eq!(tags(&path).len(), expected.len() + 1);
    fs::remove_file(path).unwrap();
}

#[test]
fn a_file_that_replaces_the_corpus_is_left_alone_and_the_edits_are_saved() {
    // As synchronisation tools do.
    let server = replaced("rename-over", "corpus/moved", |other, path| fs::rename(other, path).unwrap());
    saved(&server, &["before"]);
}

#[test]
fn a_checkout_of_another_version_is_left_alone() {
    // As version control does.
    let server = replaced("checkout", "corpus/moved", |other, path| {
        fs::remove_file(path).unwrap();
        fs::copy(other, path).unwrap();
    });
    saved(&server, &["before"]);
}

#[test]
fn a_file_that_is_copied_over_the_corpus_is_left_alone_and_can_be_opened() {
    let server = replaced("copy-over", "corpus/overwritten", |other, path| {
        fs::write(path, fs::read(other).unwrap()).unwrap();
    });
    let gone = server.post("/api/corpus/save-as", "{}");
    assert_eq!((gone.status, gone.json()["code"].as_str()), (409, Some("corpus/overwritten")));
    assert_eq!(server.post("/api/corpus/reopen", "{}").status, 200);
    assert_eq!(tag(&server, "new").0, 200);
    assert_eq!(tags(&server.path), ["new"]);
}

#[test]
fn an_older_copy_of_the_corpus_is_left_alone() {
    let server = Server::start("older-copy");
    assert_eq!(tag(&server, "one").0, 200);
    let old = fs::read(&server.path).unwrap();
    assert_eq!(tag(&server, "two").0, 200);
    fs::write(&server.path, &old).unwrap();
    assert_eq!(tag(&server, "three"), (409, "corpus/overwritten".into()));
    assert_eq!(fs::read(&server.path).unwrap(), old);
}

#[test]
fn a_corpus_that_is_renamed_keeps_every_edit() {
    let server = Server::start("renamed");
    assert_eq!(tag(&server, "before").0, 200);
    let moved = server.path.with_extension("moved");
    fs::rename(&server.path, &moved).unwrap();
    assert_eq!(tag(&server, "after"), (409, "corpus/moved".into()));
    assert!(!server.path.exists() && !has_change_in_log(&server.path));
    assert_eq!(tags(&moved), ["before"]);
    saved(&server, &["before"]);
    fs::remove_file(moved).unwrap();
}

#[test]
fn another_program_may_change_the_corpus() {
    let server = Server::start("shared");
    assert_eq!(tag(&server, "one").0, 200);
    let mut corpus = Corpus::open(&server.path).unwrap();
    let walk = walk(&WalkSettings { duration_secs: 6.0, seed: 9, ..WalkSettings::default() }).unwrap();
    corpus.add(&walk.take, &Provenance::default()).unwrap();
    drop(corpus);
    assert_eq!(tag(&server, "two").0, 200);
    assert_eq!(tags(&server.path), ["one", "two"]);
}
