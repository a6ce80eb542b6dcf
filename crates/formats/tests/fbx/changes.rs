//! Damaged files: any truncation or change gives motion or an error with a code.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::LazyLock;

use marey_formats::{ReadOptions, read};
use proptest::prelude::*;
use proptest::sample::{Index, select};

use crate::fixtures::{FBX, Fixture, INVARIANTS};

/// Good files of a few thousand bytes, text and binary.
const SMALL: [&str; 3] = ["leg.fbx", "leg-7400.fbx", "leg-7500.fbx"];

/// Reads damaged bytes and checks the invariants. A failure names the file and the change.
fn survive(bytes: &[u8], what: impl Fn() -> String) {
    let options = ReadOptions::default();
    let held = catch_unwind(AssertUnwindSafe(|| INVARIANTS.hold(bytes, &read(bytes, Some("fbx"), &options))));
    assert!(held.is_ok(), "{}", what());
}

/// Calls a function for each number below a count, on all cores.
fn on_all_cores(count: usize, check: impl Fn(usize) + Sync) {
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get());
    std::thread::scope(|scope| {
        for first in 0..threads {
            let check = &check;
            scope.spawn(move || (first..count).step_by(threads).for_each(check));
        }
    });
}

#[test]
fn every_truncation_is_read_or_refused() {
    for name in SMALL {
        let bytes = FBX.named("good", name).bytes;
        on_all_cores(bytes.len(), |length| survive(&bytes[..length], || format!("{length} bytes of {name}")));
    }
}

#[test]
fn truncations_of_larger_files_are_read_or_refused() {
    for fixture in FBX.all("good") {
        on_all_cores(fixture.bytes.len() / 61, |part| {
            survive(&fixture.bytes[..part * 61], || {
                format!("{} bytes of {}", part * 61, fixture.path.display())
            });
        });
    }
}

/// Flips each bit, and inserts bytes that are significant in text or binary.
#[test]
fn every_change_of_a_byte_is_read_or_refused() {
    for name in SMALL {
        let bytes = FBX.named("good", name).bytes;
        on_all_cores(bytes.len(), |at| {
            let mut changed = bytes.clone();
            let flips = (0..8).map(|bit| bytes[at] ^ (1 << bit));
            for value in flips.chain([0, 0xff, b'"', b'{', b'}', b'9', b'-', b':', b'\n']) {
                changed[at] = value;
                survive(&changed, || format!("{name} with {value:#04x} at {at}"));
            }
        });
    }
}

/// Words and numbers that are significant to the reader.
const WORDS: [&str; 24] = [
    "Model:",
    "LimbNode",
    "Null",
    "NodeAttribute:",
    "AnimationStack:",
    "AnimationCurve:",
    "KeyTime: *3 {",
    "KeyTime: *999999999 {",
    "Lcl Translation",
    "Lcl Scaling",
    "InheritType",
    "Connections:",
    "C: \"OO\",101,101",
    "C: \"OO\",101,105",
    "{",
    "}",
    "\n",
    "nan",
    "-1.#IND",
    "1e308",
    "9223372036854775807",
    "-9223372036854775808",
    "\"",
    "\0",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]
    #[test]
    fn spliced_files_are_read_or_refused(
        first in any::<Index>(),
        second in any::<Index>(),
        cuts in any::<[Index; 2]>(),
        edits in proptest::collection::vec((any::<Index>(), select(&WORDS[..]), 0usize..12), 0..6),
    ) {
        static FILES: LazyLock<Vec<Fixture>> = LazyLock::new(|| FBX.everything().collect());
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
