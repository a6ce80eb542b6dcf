//! Motion onto its own skeleton: nothing changes.

use std::path::{Path, PathBuf};

use marey::character::{Cast, CharacterRequest};
use marey::examples::{ExampleName, ExampleRequest};
use marey_formats::file::read_file;
use marey_formats::{MotionFile, ReadOptions};
use marey_motion::Take;

use crate::BoxError;
use crate::args::Args;
use crate::data;
use crate::row::{Aim, Row};

/// The endings of files with figures.
const ENDINGS: [&str; 6] = ["bvh", "amc", "fbx", "glb", "gltf", "npz"];
/// Every so many files are measured with `--quick`.
const QUICK_STEP: usize = 8;

pub(super) fn rows(folder: &Path, args: &Args) -> Vec<Row> {
    let files = ENDINGS.iter().flat_map(|ending| marey_capture::files(folder, ending));
    let files: Vec<PathBuf> = files.step_by(if args.quick { QUICK_STEP } else { 1 }).collect();
    let (mut worst_mm, mut measured) = (0.0f64, 0);
    for file in files {
        // Files without a figure have no skeleton to go onto.
        let Ok(read) = read_file(&file, &ReadOptions::default()).and_then(MotionFile::into_first) else {
            continue;
        };
        match distance_mm(&file, &read.take) {
            Ok(mm) => worst_mm = worst_mm.max(mm),
            Err(error) => {
                eprintln!("{}: {error}", file.display());
                worst_mm = f64::INFINITY;
            }
        }
        measured += 1;
    }
    let name = "retarget: onto the own skeleton, distance of joints, worst";
    let captured = Row::new(name, format!("{measured} captured files"), worst_mm, "mm").aim(Aim::AtMost(0.1));
    let (worst_mm, count) = generated(args);
    let generated =
        Row::new(name, format!("{count} generated examples"), worst_mm, "mm").aim(Aim::AtMost(0.1));
    vec![captured, generated]
}

/// The farthest that a joint moves when a take goes onto the skeletons of its own file.
fn distance_mm(file: &Path, take: &Take) -> Result<f64, BoxError> {
    let mut requests = Vec::new();
    for (index, actor) in take.actors().iter().enumerate() {
        requests.push(CharacterRequest {
            actor: Some(actor.name.clone()),
            file: file.to_owned(),
            figure: Some((index + 1).to_string()),
            ..CharacterRequest::default()
        });
    }
    let (cast, _) = Cast::load(&requests)?;
    let fitted = cast.fit(take.clone(), None)?;
    let mut worst_m = 0.0f32;
    for (before, after) in take.actors().iter().zip(fitted.actors()) {
        let (one, other) = (before.clip.world(), after.clip.world());
        for (a, b) in one.positions.iter().zip(&other.positions) {
            worst_m = worst_m.max(a.distance(*b));
        }
    }
    Ok(1000.0 * f64::from(worst_m))
}

/// The worst distance over generated examples, written to files, and their number.
fn generated(args: &Args) -> (f64, usize) {
    let (mut worst_mm, mut count) = (0.0f64, 0);
    for &name in ExampleName::ALL {
        let one = || -> Result<f64, BoxError> {
            let made = ExampleRequest { seed: args.seed, ..ExampleRequest::new(name) }.generate()?;
            let path = data::scratch_folder()?.join(format!("identity-{name}.bvh"));
            super::write(&made.first().ok_or("no example")?.example.take, &path)?;
            distance_mm(&path, &marey::inputs::take(&path)?)
        };
        match one() {
            Ok(mm) => worst_mm = worst_mm.max(mm),
            Err(error) => {
                eprintln!("{name}: {error}");
                worst_mm = f64::INFINITY;
            }
        }
        count += 1;
    }
    (worst_mm, count)
}
