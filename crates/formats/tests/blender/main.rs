//! Blender imports what is written, and its bones are where Marey's joints are.
//!
//! The test needs a Python with the package `bpy`: `python3`, or the interpreter that `MAREY_PYTHON` names. Without it, the test says
//! that it is skipped.
#![cfg(feature = "fbx")]

#[path = "../support/mod.rs"]
mod support;

use std::path::{Path, PathBuf};
use std::process::Command;

use marey_formats::{Format, WriteOptions, write};
use marey_motion::Take;
use serde_json::json;

use support::takes::{pair, walker};

/// Largest deviation of a joint, in metres.
const TOLERANCE_M: f64 = 1e-4;

fn python() -> Option<Command> {
    let program = std::env::var_os("MAREY_PYTHON").unwrap_or_else(|| "python3".into());
    let has_blender =
        Command::new(&program).args(["-c", "import bpy"]).output().is_ok_and(|run| run.status.success());
    has_blender.then(|| Command::new(program))
}

/// The positions of all joints in some frames.
fn truth(take: &Take) -> serde_json::Value {
    let frames: Vec<usize> = (0..take.frames()).step_by(take.frames().div_ceil(12)).collect();
    let mut actors = serde_json::Map::new();
    for actor in take.actors() {
        let world = actor.clip.world();
        let places = |joint: usize| -> Vec<[f32; 3]> {
            frames.iter().map(|frame| world.positions_at(*frame)[joint].to_array()).collect()
        };
        let joints = actor.clip.skeleton().joints().iter().enumerate();
        let joints: serde_json::Map<_, _> =
            joints.map(|(j, joint)| (joint.name.clone(), json!(places(j)))).collect();
        actors.insert(actor.name.clone(), joints.into());
    }
    json!({ "rate_hz": take.rate_hz(), "frames": frames, "actors": actors })
}

fn check(mut python: Command, folder: &Path, take: &Take, formats: &[Format]) {
    std::fs::create_dir_all(folder).unwrap();
    let truth_file = folder.join("truth.json");
    std::fs::write(&truth_file, truth(take).to_string()).unwrap();
    let file = |format: &Format| -> PathBuf {
        let path = folder.join(format!("motion.{format}"));
        std::fs::write(&path, write(take, &WriteOptions::for_format(*format).unwrap()).unwrap().0).unwrap();
        path
    };
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/blender/check_joints.py");
    let files: Vec<PathBuf> = formats.iter().map(file).collect();
    let run = python.arg(script).arg(truth_file).args(files).output().unwrap();
    let (told, errors) = (String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
    assert!(run.status.success(), "{told}\n{errors}");
    let rows: Vec<Vec<&str>> = told
        .lines()
        .filter(|line| line.starts_with("CHECKED"))
        .map(|line| line.split(' ').collect())
        .collect();
    // FBX has two importers.
    let wanted = formats.len() + usize::from(formats.contains(&Format::Fbx));
    assert_eq!(rows.len(), wanted, "{told}\n{errors}");
    for row in rows {
        let [_, importer, joints, worst] = row[..] else { panic!("{row:?}") };
        assert!(joints.parse::<usize>().unwrap() > 0);
        assert!(worst.parse::<f64>().unwrap() <= TOLERANCE_M, "{importer}: a joint is {worst} m off");
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
#[expect(clippy::print_stderr, reason = "a skipped test says so")]
fn blender_puts_bones_where_joints_are() {
    let folder = std::env::temp_dir().join(format!("marey-blender-{}", std::process::id()));
    let [Some(one), Some(two)] = [python(), python()] else {
        eprintln!("skipped: no Python with the package bpy; MAREY_PYTHON may name one");
        return;
    };
    check(one, &folder.join("solo"), &walker(), &[Format::Fbx, Format::Glb, Format::Bvh]);
    check(two, &folder.join("pair"), &pair(), &[Format::Fbx]);
}
