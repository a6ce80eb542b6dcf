//! Blender imports what is written, and its bones are where Marey's joints are.
//!
//! The test needs a Python with the package `bpy`: `python3`, or the interpreter that `MAREY_PYTHON` names. Without it, the test says
//! that it is skipped.
#![cfg(feature = "fbx")]

#[path = "../support/mod.rs"]
mod support;

use std::path::{Path, PathBuf};
use std::process::Command;

use marey_examples::character::CharacterFile;
use marey_formats::gltf::Form;
use marey_formats::gltf::character::{GltfCharacter, animate};
use marey_formats::{Format, WriteOptions, write};
use marey_motion::Take;
use serde_json::json;

use support::characters::on_character;
use support::takes::{pair, walker};

/// Largest deviation of a joint, in metres.
const TOLERANCE_M: f64 = 1e-4;

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

/// The files of a take in some formats.
fn files(take: &Take, formats: &[Format]) -> Vec<(Format, Vec<u8>)> {
    let bytes = |format: Format| write(take, &WriteOptions::for_format(format).unwrap()).unwrap().0;
    formats.iter().map(|format| (*format, bytes(*format))).collect()
}

/// The files of a walk on a character: the character's own GLB, and its skeleton in other formats.
fn character_files(model: &GltfCharacter, take: &Take) -> Vec<(Format, Vec<u8>)> {
    let mut files = files(take, &[Format::Fbx, Format::Bvh]);
    files.push((Format::Glb, animate(&[model], &[take], None, Form::Binary).unwrap().0));
    files
}

fn check(mut python: Command, folder: &Path, take: &Take, files: &[(Format, Vec<u8>)]) {
    std::fs::create_dir_all(folder).unwrap();
    let truth_file = folder.join("truth.json");
    std::fs::write(&truth_file, truth(take).to_string()).unwrap();
    let written = |(format, bytes): &(Format, Vec<u8>)| -> PathBuf {
        let path = folder.join(format!("motion.{format}"));
        std::fs::write(&path, bytes).unwrap();
        path
    };
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/blender/check_joints.py");
    let paths: Vec<PathBuf> = files.iter().map(written).collect();
    let run = python.arg(script).arg(truth_file).args(paths).output().unwrap();
    let (told, errors) = (String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
    assert!(run.status.success(), "{}: {told}\n{errors}", folder.display());
    let rows: Vec<Vec<&str>> = told
        .lines()
        .filter(|line| line.starts_with("CHECKED"))
        .map(|line| line.split(' ').collect())
        .collect();
    // FBX has two importers.
    let wanted = files.len() + usize::from(files.iter().any(|(format, _)| *format == Format::Fbx));
    assert_eq!(rows.len(), wanted, "{told}\n{errors}");
    for row in rows {
        let [_, importer, joints, worst] = row[..] else { panic!("{row:?}") };
        assert!(joints.parse::<usize>().unwrap() > 0);
        let name = folder.file_name().unwrap().to_string_lossy();
        assert!(worst.parse::<f64>().unwrap() <= TOLERANCE_M, "{name}, {importer}: a joint is {worst} m off");
    }
    std::fs::remove_dir_all(folder).unwrap();
}

/// The folder of a test, and a Python for each of its runs; `None` without Blender.
#[expect(clippy::print_stderr, reason = "a skipped test says so")]
fn blender<const N: usize>(test: &str) -> Option<(PathBuf, [Command; N])> {
    let program = std::env::var_os("MAREY_PYTHON").unwrap_or_else(|| "python3".into());
    let has_blender = Command::new(&program).args(["-c", "import bpy"]).output();
    if !has_blender.is_ok_and(|run| run.status.success()) {
        eprintln!("skipped: no Python with the package bpy; MAREY_PYTHON may name one");
        return None;
    }
    let folder = std::env::temp_dir().join(format!("marey-blender-{test}-{}", std::process::id()));
    Some((folder, std::array::from_fn(|_| Command::new(&program))))
}

#[test]
fn blender_puts_bones_where_joints_are() {
    let Some((folder, [one, two])) = blender("takes") else { return };
    let (walk, pair) = (walker(), pair());
    check(one, &folder.join("solo"), &walk, &files(&walk, &[Format::Fbx, Format::Glb, Format::Bvh]));
    check(two, &folder.join("pair"), &pair, &files(&pair, &[Format::Fbx]));
}

#[test]
fn blender_puts_bones_of_characters_where_joints_are() {
    let kinds = [CharacterFile::Glb, CharacterFile::Armature, CharacterFile::Vrm0, CharacterFile::Vrm1];
    let Some((folder, pythons)) = blender::<4>("characters") else { return };
    for (python, kind) in pythons.into_iter().zip(kinds) {
        let (model, take) = on_character(kind);
        check(python, &folder.join(format!("{kind:?}")), &take, &character_files(&model, &take));
    }
}
