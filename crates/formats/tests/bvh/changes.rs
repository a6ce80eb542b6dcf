//! Damaged files: any truncation or change gives a clip or an error with a code.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::LazyLock;

use marey_formats::bvh::{self, BvhSettings};
use marey_formats::{ReadOptions, read};
use marey_motion::Coded;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use crate::fixtures::{BVH, Fixture, INVARIANTS};

/// Good files of a few hundred bytes: read by the slow path, by the fast path, and by counting values.
const SMALL: [&str; 3] = ["plain", "one-joint", "wrapped-frames"];

/// Reads damaged bytes and checks the invariants. A failure names the file and the change.
fn survive(bytes: &[u8], what: impl Fn() -> String) {
    let options = ReadOptions::default();
    let held = catch_unwind(AssertUnwindSafe(|| INVARIANTS.hold(bytes, &read(bytes, Some("bvh"), &options))));
    assert!(held.is_ok(), "{}", what());
}

#[test]
fn every_truncation_is_read_or_refused() {
    for fixture in BVH.all("good") {
        for length in 0..=fixture.bytes.len() {
            survive(&fixture.bytes[..length], || format!("{length} bytes of {}", fixture.path.display()));
        }
    }
}

/// Words and numbers that are significant to the reader.
const WORDS: [&str; 26] = [
    "HIERARCHY",
    "ROOT",
    "JOINT",
    "End Site",
    "OFFSET",
    "CHANNELS",
    "MOTION",
    "Frames:",
    "Frame Time:",
    "fps:",
    "{",
    "}",
    "\n",
    "\r",
    "#",
    "//",
    "Xposition",
    "Zrotation",
    "nan",
    "-1.#IND",
    "1e38",
    "-1e-45",
    "999999999999",
    "0,5",
    "-",
    "\0",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]
    #[test]
    fn spliced_files_are_read_or_refused(
        first in any::<Index>(),
        second in any::<Index>(),
        cuts in any::<[Index; 2]>(),
        edits in proptest::collection::vec((any::<Index>(), select(&WORDS[..]), 0usize..8), 0..6),
    ) {
        static FILES: LazyLock<Vec<Fixture>> =
            LazyLock::new(|| BVH.everything().collect());
        let (a, b) = (&first.get(&FILES).bytes, &second.get(&FILES).bytes);
        let mut spliced = [&a[..cuts[0].index(a.len() + 1)], &b[cuts[1].index(b.len() + 1)..]].concat();
        for (at, word, gone) in edits {
            let at = at.index(spliced.len() + 1);
            let end = (at + gone).min(spliced.len());
            spliced.splice(at..end, word.bytes());
        }
        survive(&spliced, || spliced.escape_ascii().to_string());
    }
}

/// Calls a function for each change of one byte of a small file, on all cores.
fn for_every_change(name: &str, check: impl Fn(usize, &[u8]) + Sync) {
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get());
    let bytes = BVH.named("good", &format!("{name}.bvh")).bytes;
    std::thread::scope(|scope| {
        for first in 0..threads {
            let (bytes, check) = (&bytes, &check);
            scope.spawn(move || {
                for at in (first..bytes.len()).step_by(threads) {
                    let mut changed = bytes.clone();
                    for value in 0..=255 {
                        changed[at] = value;
                        check(at, &changed);
                    }
                }
            });
        }
    });
}

#[test]
fn every_change_of_a_byte_is_read_or_refused() {
    for name in SMALL {
        for_every_change(name, |at, changed| {
            survive(changed, || format!("{name} with {:#04x} at {at}", changed[at]));
        });
    }
}

/// The same text with a comment at the end of each line of the table, which forces the slow path.
fn with_comments(bytes: &[u8]) -> Vec<u8> {
    let motion = bytes.windows(6).position(|word| word == b"MOTION").unwrap_or(bytes.len());
    let (tree, table) = bytes.split_at(motion);
    let table = table.split_inclusive(|byte| *byte == b'\n').flat_map(|line| match line {
        [line @ .., b'\n'] => [line, b" #\n"].concat(),
        line => line.to_vec(),
    });
    tree.iter().copied().chain(table).collect()
}

#[test]
fn fast_and_slow_paths_agree_on_every_change_of_a_byte() {
    for_every_change("one-joint", |at, changed| {
        // A carriage return ends a line before its comment does.
        if changed[at] == b'\r' {
            return;
        }
        let read = |bytes: &[u8]| bvh::read(bytes, &BvhSettings::default());
        let (fast, slow) = (read(changed), read(&with_comments(changed)));
        let agrees = match (&fast, &slow) {
            (Ok(fast), Ok(slow)) => {
                let (a, b) = (fast.take.first(), slow.take.first());
                let near = a.rotations().iter().zip(b.rotations()).all(|(a, b)| (*a - *b).length() < 1e-6)
                    && a.positions()
                        .iter()
                        .zip(b.positions())
                        .all(|(a, b)| a.distance(*b) <= 1e-6 * a.length());
                near && a.frames() == b.frames() && fast.report.codes() == slow.report.codes()
            }
            (Err(fast), Err(slow)) => fast.code() == slow.code() && fast.place() == slow.place(),
            _ => false,
        };
        assert!(agrees, "{:#04x} at {at}: {fast:?} and {slow:?}", changed[at]);
    });
}
