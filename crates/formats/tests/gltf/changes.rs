//! Damaged bytes: none causes a panic, and every reading satisfies the invariants.

use marey_formats::{ReadOptions, read};
use proptest::prelude::*;

use crate::fixtures::{INVARIANTS, fixture_set};

fn check(bytes: &[u8], ending: &str) {
    INVARIANTS.hold(bytes, &read(bytes, Some(ending), &ReadOptions::default()));
}

fn file(name: &str) -> Vec<u8> {
    fixture_set().named("good", name).bytes
}

#[test]
fn every_truncation_is_survived() {
    for (name, ending) in [("binary.glb", "glb"), ("cubic.gltf", "gltf"), ("vrm-1.vrm", "vrm")] {
        let whole = file(name);
        for length in 0..whole.len() {
            check(&whole[..length], ending);
        }
    }
}

#[test]
fn every_byte_change_is_survived() {
    for (name, ending) in [("binary.glb", "glb"), ("sparse.gltf", "gltf"), ("two-figures.glb", "glb")] {
        let whole = file(name);
        for at in 0..whole.len() {
            for byte in [0, b'0', b'9', b'-', b'e', b'"', 0x7f, 0xff, whole[at] ^ 1, whole[at] ^ 0x80] {
                let mut changed = whole.clone();
                changed[at] = byte;
                check(&changed, ending);
            }
        }
    }
}

proptest! {
    #[test]
    fn several_changes_are_survived(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..12),
        fixture in any::<prop::sample::Index>(),
    ) {
        let fixtures = fixture_set().all("good");
        let fixture = fixture.get(&fixtures);
        let mut bytes = fixture.bytes.clone();
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        check(&bytes, "glb");
    }

    #[test]
    fn any_bytes_after_a_header_are_survived(body in prop::collection::vec(any::<u8>(), 0..200)) {
        check(&[b"glTF\x02\0\0\0".as_slice(), &body].concat(), "glb");
        check(&[b"{\"asset\":{\"version\":\"2.0\"},".as_slice(), &body].concat(), "gltf");
    }
}
