//! Real motion capture, where it is at hand.

use std::path::PathBuf;

use crate::sandbox::Sandbox;

#[test]
fn real_data_every_file_is_listed_and_people_are_as_tall_as_people() {
    let Some(folder) = marey_capture::folder("") else { return };
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
