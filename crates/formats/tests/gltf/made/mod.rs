//! The generated fixtures: content, options of the reader, and purpose.

mod bad;
mod good;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Once;

use crate::maker::Maker;

/// A fixture: its path below `fixtures/gltf`, its bytes, its purpose, and options of the reader.
type Generated = (&'static str, Vec<u8>, &'static str, &'static str);

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/gltf")
}

/// Files that other fixtures need.
fn companions() -> Vec<(&'static str, Vec<u8>)> {
    vec![("good/buffers/arm wave.bin", Maker::waving().bin)]
}

/// The waving arm after a change of its description.
fn changed(change: impl FnOnce(&mut Maker)) -> Maker {
    let mut maker = Maker::waving();
    change(&mut maker);
    maker
}

/// The arm with a channel on its lower bone, at three times.
fn keyed(times: &[f32], output: impl FnOnce(&mut Maker) -> usize, path: &str, between: &str) -> Maker {
    let mut maker = Maker::arm();
    let input = maker.floats("SCALAR", times);
    let output = output(&mut maker);
    maker.animate("keyed", &[(1, path, input, output, between)]);
    maker
}

/// Every file. Companions have no purpose of their own.
fn all() -> Vec<Generated> {
    let companions = companions().into_iter().map(|(name, bytes)| (name, bytes, "", ""));
    companions.chain(good::good()).chain(bad::bad()).collect()
}

/// Writes the fixtures if `MAREY_BLESS` is set, each with the start of a report.
pub(crate) fn keep() {
    static KEPT: Once = Once::new();
    if std::env::var_os("MAREY_BLESS").is_none_or(|value| value.is_empty()) {
        return;
    }
    KEPT.call_once(|| {
        for (name, bytes, about, read) in all() {
            let path = folder().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, &bytes).unwrap();
            let report = PathBuf::from(format!("{}.report.toml", path.display()));
            if !about.is_empty() && !report.exists() {
                fs::write(report, format!("about = {about:?}\n[read]\n{read}\n")).unwrap();
            }
        }
    });
}

#[test]
fn fixtures_match_their_generator() {
    keep();
    for (name, bytes, _, _) in all() {
        let found = fs::read(folder().join(name));
        assert!(found.is_ok_and(|found| found == bytes), "{name} differs from its generator");
    }
}
