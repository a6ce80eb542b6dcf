//! Binary fixtures, converted from the text fixtures by a small writer.

use std::path::{Path, PathBuf};

use marey_formats::fbx::{self, FbxSettings};

use crate::document::{self, Node, Value};
use crate::fixtures::FBX;

/// The tree of a good text fixture.
fn tree(name: &str) -> Vec<Node> {
    let path = folder("good").join(name);
    document::parse(&std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{name}: {error}")))
}

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/fbx").join(name)
}

/// The tree of `leg.fbx` with a change to every node with a name.
fn leg_with(name: &str, change: impl Fn(&mut Node)) -> Vec<Node> {
    fn walk(nodes: &mut [Node], name: &str, change: &dyn Fn(&mut Node)) {
        for node in nodes {
            if node.name == name {
                change(node);
            }
            walk(&mut node.children, name, change);
        }
    }
    let mut tree = tree("leg.fbx");
    walk(&mut tree, name, &change);
    tree
}

/// The offset after a word that occurs once.
fn offset_after(bytes: &[u8], word: &[u8]) -> usize {
    bytes.windows(word.len()).position(|window| window == word).unwrap() + word.len()
}

/// Sets four bytes.
fn set(bytes: &mut [u8], at: usize, value: u32) {
    bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
}

/// Every binary fixture: its folder, its name, its content.
fn all() -> Vec<(&'static str, &'static str, Vec<u8>)> {
    let leg = document::to_binary(&tree("leg.fbx"), 7400);
    let edited = |edit: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = leg.clone();
        edit(&mut bytes);
        bytes
    };
    // An array's kind, count, packing and length follow its node's name.
    let array = offset_after(&leg, b"KeyValueFloat") + 1;
    let nan = leg_with("KeyValueFloat", |node| node.values = vec![Value::Reals(vec![f64::NAN; 3])]);
    let infinite = leg_with("P", |node| {
        if node.text(0) == "Lcl Translation" {
            node.values.pop();
            node.values.push(Value::Real(f64::INFINITY));
        }
    });
    let huge = leg_with("P", |node| {
        if node.text(0) == "Lcl Translation" {
            node.values.pop();
            node.values.push(Value::Real(1e300));
        }
    });
    let nested = (0..600).fold(Node { name: "a".into(), values: vec![], children: vec![] }, |inner, _| {
        Node { name: "a".into(), values: vec![], children: vec![inner] }
    });
    let nested = [tree("leg.fbx"), vec![nested]].concat();
    vec![
        ("good", "leg-7400.fbx", leg.clone()),
        ("good", "leg-7500.fbx", document::to_binary(&tree("leg.fbx"), 7500)),
        ("good", "actors-7400.fbx", document::to_binary(&tree("actors.fbx"), 7400)),
        ("good", "max-biped-7500.fbx", document::to_binary(&tree("max-biped.fbx"), 7500)),
        ("bad", "binary-header-only.fbx", leg[..27].to_vec()),
        ("bad", "binary-cut-header.fbx", leg[..20].to_vec()),
        ("bad", "binary-cut.fbx", leg[..leg.len() / 2].to_vec()),
        ("bad", "binary-no-end.fbx", leg[..leg.len() - 13].to_vec()),
        ("bad", "binary-version-0.fbx", edited(&|bytes| set(bytes, 23, 0))),
        ("bad", "binary-version-9900.fbx", edited(&|bytes| set(bytes, 23, 9900))),
        ("bad", "binary-node-end-far.fbx", edited(&|bytes| set(bytes, 27, 0x7fff_ffff))),
        ("bad", "binary-node-end-before.fbx", edited(&|bytes| set(bytes, 27, 1))),
        ("bad", "binary-many-values.fbx", edited(&|bytes| set(bytes, 31, 0xffff_ffff))),
        ("bad", "binary-array-count.fbx", edited(&|bytes| set(bytes, array, 0x3fff_ffff))),
        ("bad", "binary-array-packing.fbx", edited(&|bytes| set(bytes, array + 4, 7))),
        (
            "bad",
            "binary-array-packed-badly.fbx",
            edited(&|bytes| {
                set(bytes, array, 0x1fff_ffff);
                set(bytes, array + 4, 1);
            }),
        ),
        (
            "bad",
            "binary-value-kind.fbx",
            edited(&|bytes| bytes[offset_after(leg.as_slice(), b"FBXVersion")] = b'Q'),
        ),
        (
            "bad",
            "binary-text-length.fbx",
            edited(&|bytes| {
                let at = offset_after(bytes, b"LimbNode") - 12;
                set(bytes, at, 0xffff_fff0);
            }),
        ),
        ("bad", "binary-key-nan.fbx", document::to_binary(&nan, 7400)),
        ("bad", "binary-place-infinite.fbx", document::to_binary(&infinite, 7400)),
        ("bad", "binary-place-huge.fbx", document::to_binary(&huge, 7400)),
        ("bad", "binary-nested.fbx", document::to_binary(&nested, 7400)),
    ]
}

#[test]
fn binary_fixtures_match_the_writer() {
    let is_blessing = std::env::var_os("MAREY_BLESS").is_some_and(|value| !value.is_empty());
    for (folder_name, name, bytes) in all() {
        let path = folder(folder_name).join(name);
        // Other tests read these files at the same time.
        if is_blessing && std::fs::read(&path).ok().as_ref() != Some(&bytes) {
            std::fs::write(&path, &bytes).unwrap();
        }
        let kept = std::fs::read(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(kept == bytes, "{name} differs from the writer's output; see MAREY_BLESS");
    }
}

/// The motions are equal except for rounding: keys have 32 bits in binary.
#[test]
fn binary_and_text_contain_the_same_motion() {
    let read = |name: &str| fbx::read(&FBX.named("good", name).bytes, &FbxSettings::default()).unwrap();
    for (binary, text) in [
        ("leg-7400.fbx", "leg.fbx"),
        ("leg-7500.fbx", "leg.fbx"),
        ("actors-7400.fbx", "actors.fbx"),
        ("max-biped-7500.fbx", "max-biped.fbx"),
    ] {
        let (a, b) = (read(binary), read(text));
        assert_eq!((a.unit, a.up, &a.report), (b.unit, b.up, &b.report), "{binary}");
        assert_eq!(a.takes.len(), b.takes.len(), "{binary}");
        for (a, b) in a.takes.iter().zip(&b.takes) {
            assert_eq!((a.name(), a.frames(), a.actors().len()), (b.name(), b.frames(), b.actors().len()));
            for (a, b) in a.actors().iter().zip(b.actors()) {
                assert_eq!(a.name, b.name);
                assert_eq!(a.clip.skeleton().parents(), b.clip.skeleton().parents());
                let (p, q) = (a.clip.world().positions, b.clip.world().positions);
                assert!(p.iter().zip(&q).all(|(p, q)| p.distance(*q) < 1e-3), "{binary}");
            }
        }
    }
}
