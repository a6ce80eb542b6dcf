//! Files of many programs, if they are available.

use marey_formats::{ReadOptions, read};
use marey_motion::Coded;

use crate::fixtures::INVARIANTS;
use marey_capture::{bytes, files, folder};

/// Files that are refused, and the code.
const REFUSED: [(&str, &str); 10] = [
    // Cubes that move independently.
    ("ufbx/max2009_cube_anim_6100_ascii.fbx", "fbx/no-skeleton"),
    ("ufbx/maya_anim_interpolation_7700_ascii.fbx", "fbx/no-skeleton"),
    ("ufbx/maya_anim_interpolation_7700_binary.fbx", "fbx/no-skeleton"),
    ("ufbx/maya_anim_layers_7500_binary.fbx", "fbx/no-skeleton"),
    ("ufbx/maya_transform_animation_7500_binary.fbx", "fbx/no-skeleton"),
    ("ufbx/motionbuilder_cube_7700_binary.fbx", "fbx/no-skeleton"),
    ("ufbx/motionbuilder_tangent_linear_7700_ascii.fbx", "fbx/no-skeleton"),
    ("ufbx/synthetic_anim_stack_no_props_7100_ascii.fbx", "fbx/no-skeleton"),
    // The invalid numbers are in meshes, which are not read. There is no figure either.
    ("ufbx-must-fail/synthetic_bad_inf_nan_fail_7500_ascii.fbx", "fbx/no-skeleton"),
    ("ufbx-must-fail/synthetic_bad_inf_nan_fail_7700_ascii.fbx", "fbx/no-skeleton"),
];

#[test]
#[expect(clippy::print_stderr, reason = "the table is what the test is for")]
fn real_data_is_read_or_refused() {
    let Some(folder) = folder("conformance/fbx") else { return };
    let paths = files(&folder, "fbx");
    let mut refused = Vec::new();
    for path in &paths {
        let name = path.strip_prefix(&folder).unwrap().to_str().unwrap().to_owned();
        let bytes = bytes(path);
        let reading = read(&bytes, Some("fbx"), &ReadOptions::default());
        INVARIANTS.hold(&bytes, &reading);
        match reading {
            Ok(import) => {
                for reading in import.takes() {
                    let (take, found) = (&reading.take, &reading.detected[0]);
                    let joints: usize = take.actors().iter().map(|actor| actor.clip.skeleton().len()).sum();
                    let (frames, rate_hz, actors) = (take.frames(), take.rate_hz(), take.actors().len());
                    let height = found.height_m.map_or("no person".into(), |m| format!("{m:.2} m"));
                    eprintln!(
                        "{name:55} {actors} actors {joints:3} joints {frames:5} frames {rate_hz:4} Hz {height}"
                    );
                }
            }
            Err(error) => {
                eprintln!("{name:55} {}", error.code().id);
                refused.push((name, error.code().id));
            }
        }
    }
    eprintln!("{} of {} files are read", paths.len() - refused.len(), paths.len());
    refused.sort();
    let mut wanted = REFUSED.map(|(name, code)| (name.to_owned(), code));
    wanted.sort();
    assert_eq!(refused, wanted);
}

#[test]
fn real_data_people_stand_upright() {
    let Some(folder) = folder("conformance/fbx") else { return };
    for (name, height_m, rate_hz, frames) in [
        ("ozz-animation/walk.fbx", 1.80, 30.0, 41),
        ("ufbx/maya_character_7500_binary.fbx", 1.86, 24.0, 1),
        ("ufbx/maya_human_ik_7400_binary.fbx", 1.86, 24.0, 1),
    ] {
        let import = read(&bytes(&folder.join(name)), None, &ReadOptions::default()).unwrap();
        let reading = &import.takes()[0];
        let found = &reading.detected[0];
        assert!((found.height_m.unwrap() - height_m).abs() < 0.01, "{name}: {:?}", found.height_m);
        assert_eq!((reading.take.rate_hz(), reading.take.frames()), (rate_hz, frames), "{name}");
        assert_eq!(found.facing_deg.value, 0.0, "{name}");
        assert!(found.role_guess.confidence > 0.9, "{name}");
    }
}
