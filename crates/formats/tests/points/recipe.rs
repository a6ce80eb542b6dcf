//! Binary fixtures are written by a small writer of our own: each is a recipe here and a file under `fixtures`, and the two
//! must be the same. `MAREY_BLESS=1` writes the files.

use std::fs;
use std::path::{Path, PathBuf};

/// A fixture that is written, not typed.
pub(crate) struct Recipe {
    /// Below the format's folder: `good/plain.c3d`.
    pub(crate) path: &'static str,
    /// What it is there to show.
    pub(crate) about: &'static str,
    /// The `[read]` part of its report, where it has one.
    pub(crate) read: &'static str,
    pub(crate) bytes: Vec<u8>,
}

fn folder(format: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures").join(format)
}

/// Writes what differs, where that is asked for, with the start of a report for new ones.
pub(crate) fn write_all(format: &str, recipes: &[Recipe]) {
    if std::env::var_os("MAREY_BLESS").is_none_or(|value| value.is_empty()) {
        return;
    }
    for recipe in recipes {
        let path = folder(format).join(recipe.path);
        fs::write(&path, &recipe.bytes).unwrap();
        let report = PathBuf::from(format!("{}.report.toml", path.display()));
        if !report.exists() {
            fs::write(report, format!("about = {:?}\n{}", recipe.about, recipe.read)).unwrap();
        }
    }
}

/// Fails where a file is not what its recipe makes.
pub(crate) fn check_all(format: &str, recipes: &[Recipe]) {
    for recipe in recipes {
        let path = folder(format).join(recipe.path);
        let found = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert!(found == recipe.bytes, "{} is not as its recipe makes it", path.display());
    }
}
