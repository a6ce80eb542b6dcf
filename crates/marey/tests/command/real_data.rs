//! Real motion capture, where it is at hand.

use std::path::{Path, PathBuf};

use crate::sandbox::Sandbox;

/// `MAREY_DATA`, or the folder beside the project; `None`, with a word, where there is neither.
#[expect(clippy::print_stderr, reason = "a skipped test says so")]
pub(crate) fn data() -> Option<PathBuf> {
    let told = std::env::var_os("MAREY_DATA").map(PathBuf::from);
    let folder = told.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"));
    if folder.is_dir() {
        return Some(folder);
    }
    eprintln!("skipped: no motion capture at ../shared/data or MAREY_DATA");
    None
}

#[test]
fn real_data_every_file_is_listed_and_people_are_as_tall_as_people() {
    let Some(folder) = data() else { return };
    let folder = folder.to_str().unwrap();
    let sandbox = Sandbox::new("real-data");
    let rows = sandbox.rows(&["inspect", "--json", folder]);
    let of = |ending: &str| glob::glob(&format!("{folder}/**/*.{ending}")).unwrap().map(Result::unwrap);
    let endings = ["bvh", "amc", "fbx", "gltf", "glb", "vrm", "vrma", "c3d", "npz", "trc"];
    let files: Vec<PathBuf> = endings.into_iter().flat_map(of).collect();
    assert!(!files.is_empty() && rows.len() == files.len(), "{} of {} files", rows.len(), files.len());
    for row in &rows {
        assert_eq!(row["ok"], row["code"].is_null(), "{row}");
        // Real files are read, or refused for a reason of their own kind: some FBX hold no figure.
        assert!(row["ok"] == true || row["code"] == "fbx/no-skeleton", "{row}");
        if let Some(height_m) = row["height_m"].as_f64() {
            assert!((1.2..=2.2).contains(&height_m), "{} is {height_m} m tall", row["file"]);
        }
    }
    assert!(rows.iter().filter(|row| row["height_m"].is_number()).count() > rows.len() / 2);
}
