//! Damaged files: any truncation or change gives motion or an error with a code.

use std::panic::{AssertUnwindSafe, catch_unwind};

use marey_formats::{ReadOptions, read};
use proptest::prelude::*;
use proptest::sample::Index;

use crate::support::fixtures::{Fixture, FixtureSet};

/// Reads damaged bytes and checks the invariants. A failure names the file and the change.
pub(crate) fn survive(fixture_set: &FixtureSet, bytes: &[u8], what: impl Fn() -> String) {
    let options = ReadOptions::default();
    let ending = fixture_set.endings.first().copied();
    let held =
        catch_unwind(AssertUnwindSafe(|| fixture_set.invariants.hold(bytes, &read(bytes, ending, &options))));
    assert!(held.is_ok(), "{}", what());
}

/// Every truncation of every good file.
pub(crate) fn truncations(fixture_set: &FixtureSet) {
    for fixture in fixture_set.all("good") {
        for length in 0..=fixture.bytes.len() {
            survive(fixture_set, &fixture.bytes[..length], || {
                format!("{length} bytes of {}", fixture.path.display())
            });
        }
    }
}

/// Changes every byte of a file: flips each bit, and inserts significant bytes.
pub(crate) fn changes(fixture_set: &FixtureSet, name: &str) {
    let bytes = fixture_set.named("good", name).bytes;
    let telling = [0, 1, 2, 4, 10, 32, 44, 45, 48, 57, 127, 128, 254, 255];
    for at in 0..bytes.len() {
        let mut changed = bytes.clone();
        let flips = (0..8).map(|bit| bytes[at] ^ (1 << bit));
        for value in flips.chain(telling) {
            changed[at] = value;
            survive(fixture_set, &changed, || format!("{name} with {value:#04x} at {at}"));
        }
    }
}

/// Two files cut and joined, with some bytes replaced.
pub(crate) fn spliced() -> impl Strategy<Value = Splice> {
    let edits = proptest::collection::vec((any::<Index>(), any::<u8>()), 0..6);
    (any::<[Index; 2]>(), any::<[Index; 2]>(), edits).prop_map(|(files, cuts, edits)| Splice {
        files,
        cuts,
        edits,
    })
}

#[derive(Debug)]
pub(crate) struct Splice {
    files: [Index; 2],
    cuts: [Index; 2],
    edits: Vec<(Index, u8)>,
}

impl Splice {
    pub(crate) fn of(&self, fixtures: &[Fixture]) -> Vec<u8> {
        let [a, b] = self.files.map(|index| &index.get(fixtures).bytes);
        let mut spliced =
            [&a[..self.cuts[0].index(a.len() + 1)], &b[self.cuts[1].index(b.len() + 1)..]].concat();
        for (at, value) in self.edits.iter().filter(|_| !b.is_empty()) {
            if !spliced.is_empty() {
                let at = at.index(spliced.len());
                spliced[at] = *value;
            }
        }
        spliced
    }
}
