//! The terrain readers: fixtures, truncated files and changed bytes.

use std::fs;
use std::path::{Path, PathBuf};

use marey_formats::terrain::{self, TerrainSettings, read_terrain};
use marey_formats::{FormatsError, Limits};
use marey_motion::{Coded, Terrain};

/// The code of each file in `fixtures/terrain/bad`.
const BAD: [(&str, &str); 15] = [
    ("curve.svg", "terrain/unsupported-svg"),
    ("enormous.png", "terrain/limit"),
    ("goes-back.svg", "motion/terrain"),
    ("goes-back.terrain.json", "terrain/bad-json"),
    ("no-line.svg", "terrain/no-ground"),
    ("no-picture.png", "terrain/bad-png"),
    ("no-start.svg", "terrain/bad-svg"),
    ("odd-coordinates.svg", "terrain/bad-svg"),
    ("transform.svg", "terrain/unsupported-svg"),
    ("transparent.png", "terrain/no-ground"),
    ("truncated.png", "terrain/bad-png"),
    ("unknown-key.terrain.json", "terrain/bad-json"),
    ("word-for-number.svg", "terrain/bad-svg"),
    ("word-for-number.terrain.json", "terrain/bad-json"),
    ("zero-byte.terrain.json", "terrain/not-text"),
];

/// Codes that depend on settings or a path rather than on a file.
const NOT_IN_A_FILE: [&str; 2] = ["terrain/off-map", "terrain/settings"];

fn fixtures(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/terrain").join(folder);
    let mut paths: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

fn read(path: &Path, bytes: &[u8]) -> Result<Terrain, FormatsError> {
    let limits = Limits { memory_bytes: 64 << 20, inflated_bytes: 16 << 20, ..Limits::default() };
    let settings = TerrainSettings { limits, ..TerrainSettings::default() };
    read_terrain(bytes, path.extension().unwrap().to_str().unwrap(), None, &settings)
}

/// Reads bytes and checks that an error has a message and a known code.
fn survives(path: &Path, bytes: &[u8]) {
    if let Err(error) = read(path, bytes) {
        let is_known = terrain::codes::ALL.contains(&error.code()) || error.code().id.starts_with("motion/");
        assert!(is_known && !error.to_string().is_empty(), "{}: {error}", path.display());
    }
}

#[test]
fn good_files_are_read() {
    let names = ["colour.png", "gap.png", "ramp.png", "steps.svg", "steps.terrain.json"];
    let pieces = [1, 2, 1, 3, 2];
    let paths = fixtures("good");
    assert_eq!(paths.len(), names.len());
    for ((path, name), pieces) in paths.iter().zip(names).zip(pieces) {
        assert!(path.ends_with(name), "{}", path.display());
        assert_eq!(read(path, &fs::read(path).unwrap()).unwrap().pieces().len(), pieces, "{name}");
    }
}

#[test]
fn bad_files_are_refused_with_their_code() {
    let paths = fixtures("bad");
    assert_eq!(paths.len(), BAD.len());
    for (path, (name, code)) in paths.iter().zip(BAD) {
        assert!(path.ends_with(name), "{}", path.display());
        let error = read(path, &fs::read(path).unwrap()).unwrap_err();
        assert_eq!(error.code().id, code, "{name}: {error}");
    }
}

#[test]
fn every_code_occurs_in_a_fixture() {
    for code in terrain::codes::ALL {
        let occurs = BAD.iter().any(|(_, id)| *id == code.id) || NOT_IN_A_FILE.contains(&code.id);
        assert!(occurs, "{}", code.id);
    }
}

#[test]
fn truncated_and_changed_files_are_read_or_refused() {
    for path in fixtures("good").iter().chain(&fixtures("bad")) {
        let bytes = fs::read(path).unwrap();
        for length in 0..bytes.len() {
            survives(path, &bytes[..length]);
        }
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            for value in (0..8).map(|bit| bytes[at] ^ (1 << bit)).chain([0, b'"', b'-', b'9', b'e', 255]) {
                changed[at] = value;
                survives(path, &changed);
            }
        }
    }
}
