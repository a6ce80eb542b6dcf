//! Another process: this test program started again, told by the environment what to be.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use marey_corpus::{Added, Annotation, AnnotationContent, Corpus, Maker, Provenance, Span, TakeId};
use marey_motion::Coded;

use crate::support::little;

const ROLE: &str = "MAREY_TEST_CHILD";
const FILE: &str = "MAREY_TEST_FILE";

/// The command that starts a child in a role. Its output is what it says.
pub(crate) fn command(role: &str, file: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["child::child", "--exact", "--nocapture", "--quiet", "--test-threads=1"]);
    command
        .env(ROLE, role)
        .env(FILE, file)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

pub(crate) fn start(role: &str, file: &Path) -> Child {
    command(role, file).spawn().unwrap()
}

/// The lines that a child said; what the test program says around them is left out.
pub(crate) fn said(output: &str) -> Vec<&str> {
    output.lines().filter_map(|line| line.split_once("said: ").map(|(_, words)| words)).collect()
}

/// Says a line at once: whoever hears it may rely on it.
fn say(words: &str) {
    let mut out = std::io::stdout().lock();
    out.write_all(format!("\nsaid: {words}\n").as_bytes()).unwrap();
    out.flush().unwrap();
}

/// Nothing, where this program runs as a test.
#[test]
fn child() {
    let Ok(role) = std::env::var(ROLE) else { return };
    let file = PathBuf::from(std::env::var_os(FILE).unwrap());
    match role.as_str() {
        "worker" => work(&file),
        "adder" => add_many(&file),
        "reader" => read_all_the_while(&file),
        "visitor" => visit(&file),
        other => panic!("{other}"),
    }
}

/// How many frames the `i`-th take of a worker has.
pub(crate) fn frames(i: usize) -> usize {
    5 + i * 37 % 400
}

/// How a worker cuts its `i`-th take.
pub(crate) fn spans(i: usize) -> Vec<Span> {
    let cuts = 1 + i % 4;
    let span = |k: usize| Span { start: k, end: k + 1, actor: Some(0), name: format!("s{k}") };
    (0..cuts).map(span).collect()
}

/// Adds, cuts and labels one take after another for ever, and says each change once it is made.
fn work(file: &Path) {
    let mut corpus = Corpus::open(file).unwrap();
    // What is half done is done again first.
    let start = corpus.takes().unwrap().len().saturating_sub(1);
    for i in start.. {
        let added =
            corpus.add(&little(&format!("t{i}"), i as u64, frames(i)), &Provenance::default()).unwrap();
        say(&format!("add {i}"));
        let id: TakeId = added.id();
        corpus.cut(id, &spans(i), &Maker::method("dice")).unwrap();
        say(&format!("cut {i}"));
        let label = |n: usize| AnnotationContent::Label { key: format!("k{n}"), value: i.to_string() };
        let both: Vec<Annotation> =
            (0..2).map(|n| Annotation { take: id, what: label(n), maker: Maker::Person }).collect();
        corpus.annotate(&both).unwrap();
        say(&format!("label {i}"));
    }
}

/// Adds sixty takes.
fn add_many(file: &Path) {
    let mut corpus = Corpus::open(file).unwrap();
    for i in 0..60 {
        let added = corpus.add(&little(&format!("t{i}"), i, 200), &Provenance::default()).unwrap();
        assert!(matches!(added, Added::New(_)));
    }
    say("added 60");
}

/// Reads what there is, again and again, until sixty takes are there.
fn read_all_the_while(file: &Path) {
    let corpus = Corpus::open_read_only(file).unwrap();
    let (mut seen, mut rounds) = (0, 0);
    while seen < 60 {
        let takes = corpus.takes().unwrap();
        assert!(takes.len() >= seen, "takes went away");
        for take in takes.iter().skip(seen) {
            assert_eq!(corpus.take(take.id).unwrap().frames(), 200);
        }
        seen = takes.len();
        rounds += 1;
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    say(&format!("read 60 in {}", if rounds > 1 { "several rounds" } else { "one round" }));
}

/// Tries to read a corpus, to change it and to make another beside it, where that may not be.
fn visit(file: &Path) {
    let read = Corpus::open_read_only(file).and_then(|corpus| {
        let takes = corpus.takes()?;
        corpus.take(takes[0].id).map(|take| take.frames())
    });
    say(&format!(
        "read {}",
        read.map_or_else(|error| error.code().id.to_owned(), |frames| frames.to_string())
    ));
    let write =
        Corpus::open(file).and_then(|mut corpus| corpus.add(&little("new", 99, 5), &Provenance::default()));
    say(&format!("write {}", write.map_or_else(|error| error.code().id, |_| "done")));
    let make = Corpus::create(&file.with_file_name("other.marey"));
    say(&format!("make {}", make.map_or_else(|error| error.code().id, |_| "done")));
}
