//! Checks with the library of USD itself: the validators find nothing, and UsdSkel puts joints where they are.
//!
//! The test needs a Python with the package `usd-core`: `python3`, or the interpreter that `MAREY_PYTHON` names.

use std::path::Path;
use std::process::Command;

use marey_examples::character::CharacterFile;
use marey_formats::usd::{UsdOptions, write};
use marey_motion::Take;

use crate::support::characters::on_character;
use crate::support::takes::{pair, walker};

fn check(program: &std::ffi::OsStr, name: &str, take: &Take) {
    let path = std::env::temp_dir().join(format!("marey-usd-{}-{name}.usda", std::process::id()));
    std::fs::write(&path, write(take, &UsdOptions::default()).unwrap().0).unwrap();
    let frames: Vec<usize> = (0..take.frames()).step_by(take.frames().div_ceil(12)).collect();
    let actor = |actor: &marey_motion::Actor| -> Vec<Vec<[f32; 3]>> {
        let world = actor.clip.world();
        frames
            .iter()
            .map(|frame| world.positions_at(*frame).iter().map(|at| at.to_array()).collect())
            .collect()
    };
    let actors: Vec<_> = take.actors().iter().map(actor).collect();
    let truth = serde_json::json!({ "frames": frames, "actors": actors });
    let truth_path = path.with_extension("json");
    std::fs::write(&truth_path, truth.to_string()).unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/usd/check_layer.py");
    let run = Command::new(program).arg(script).arg(&path).arg(&truth_path).output().unwrap();
    let (told, errors) = (String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
    assert!(run.status.success(), "{told}\n{errors}");
    let worst: f64 = told.lines().find_map(|line| line.strip_prefix("WORST ")).unwrap().parse().unwrap();
    assert!(worst <= 1e-4, "{name}: a joint is {worst} m off");
    std::fs::remove_file(&path).unwrap();
    std::fs::remove_file(&truth_path).unwrap();
}

#[test]
#[expect(clippy::print_stderr, reason = "a skipped test says so")]
fn layers_are_valid_and_joints_are_in_place() {
    let program = std::env::var_os("MAREY_PYTHON").unwrap_or_else(|| "python3".into());
    let has_usd = Command::new(&program).args(["-c", "from pxr import UsdSkel"]).output();
    if !has_usd.is_ok_and(|run| run.status.success()) {
        eprintln!("skipped: no Python with the package usd-core; MAREY_PYTHON may name one");
        return;
    }
    check(&program, "walk", &walker());
    check(&program, "pair", &pair());
    check(&program, "character", &on_character(CharacterFile::Armature).1);
}
