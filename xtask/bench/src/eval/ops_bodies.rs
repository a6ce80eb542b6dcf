//! Retargeting to another body and back: the distance of soles in contact from the floor.

use std::sync::Arc;

use marey_capture::Half;
use marey_examples::walk::{WalkSettings, walk};
use marey_formats::{MotionFile, ReadOptions, read};
use marey_motion::{Clip, Contacts, Skeleton};
use marey_ops::retarget::{Retarget, RetargetSettings};
use marey_ops::sole::SolePoint;

use crate::BoxError;
use crate::args::Args;
use crate::data;
use crate::row::{Aim, Row};

/// Skeletons of captured takes of the report half that a generated walk is retargeted to.
const BODIES: [&str; 4] = [
    "cmu/walk_path/07_02.bvh",
    "cmu/salsa_60_61/60_03.bvh",
    "cmu/two_person/18_03.bvh",
    "bandai/dataset-2_walk_normal_001.bvh",
];

pub(crate) fn rows(args: &Args) -> Vec<Row> {
    let Some(folder) = data::captured(args, "") else { return Vec::new() };
    let walks = if args.quick { 1 } else { 4 };
    let (mut with_feet, mut rotations_only) = (Worst::default(), Worst::default());
    for seed in args.seed..args.seed + walks {
        for body in BODIES {
            let bytes = std::fs::read(folder.join(body)).unwrap_or_default();
            let import = read(&bytes, None, &ReadOptions::default()).and_then(MotionFile::into_first);
            let Ok(other) = import.map(|reading| reading.take.first().skeleton().clone()) else {
                eprintln!("{body} is skipped");
                continue;
            };
            for (keep_feet, worst) in [(true, &mut with_feet), (false, &mut rotations_only)] {
                let settings = RetargetSettings { keep_feet, ..RetargetSettings::default() };
                if let Err(error) = there_and_back(seed, &other, &settings, worst) {
                    eprintln!("seed {seed} to {body} is skipped: {error}");
                }
            }
        }
    }
    let subject = format!("{walks} generated walks to {} captured skeletons", BODIES.len());
    let row = |name: &str, value: f32, plain: f32| {
        Row::new(name, &subject, 1000.0 * f64::from(value), "mm")
            .against("rotations only", 1000.0 * f64::from(plain))
            .aim(Aim::AtMost(10.0))
            .of_half(Half::Report)
    };
    vec![
        row(
            "retargeting to another body: distance of soles in contact from the floor",
            with_feet.there_m,
            rotations_only.there_m,
        ),
        row(
            "retargeting there and back: distance of soles in contact from the floor",
            with_feet.back_m,
            rotations_only.back_m,
        ),
    ]
}

#[derive(Default)]
struct Worst {
    there_m: f32,
    back_m: f32,
}

fn there_and_back(
    seed: u64,
    other: &Arc<Skeleton>,
    settings: &RetargetSettings,
    worst: &mut Worst,
) -> Result<(), BoxError> {
    let example = walk(&WalkSettings { seed, duration_secs: 20.0, ..Default::default() })?;
    let clip = example.take.first();
    let Some(truth) = example.truth.contacts() else { return Ok(()) };
    let there = Retarget::new(clip.skeleton(), other.clone(), settings)?.apply(clip)?;
    let back = Retarget::new(other, clip.skeleton().clone(), settings)?.apply(&there)?;
    worst.there_m = worst.there_m.max(off_floor_m(&there, truth));
    worst.back_m = worst.back_m.max(off_floor_m(&back, truth));
    Ok(())
}

/// The largest distance of a part of a sole from the floor while it should be in contact.
fn off_floor_m(clip: &Clip, truth: &Contacts) -> f32 {
    let points = SolePoint::all(clip.skeleton());
    let paths = SolePoint::paths(&points, clip);
    let heights = points.iter().zip(&paths).flat_map(|(point, path)| {
        let stands = truth.of(point.part.role(point.side)).flat_map(|frames| frames.clone());
        stands.map(|frame| (path[frame].y - point.rest_m()).abs())
    });
    heights.fold(0.0, f32::max)
}
