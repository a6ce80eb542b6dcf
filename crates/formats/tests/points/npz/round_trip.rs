//! Round trips: what is written is read back as the same motion, on the body that files are read with.

use std::process::Command;

use marey_formats::npz::write;
use marey_formats::{MotionFile, ReadOptions, read};
use marey_motion::{Clip, ClipParts, Coded, Quat, Role, Take, Vec3};
use proptest::prelude::*;

use super::fixtures::fixture_set;
use crate::support::takes::{any_take, pair, walker, worst_m};

fn again(take: &Take) -> MotionFile {
    let (bytes, _) = write(take).unwrap();
    read(&bytes, None, &ReadOptions::default()).unwrap()
}

/// A take on the body that files are read with.
fn on_model() -> Take {
    again(&walker()).into_first().unwrap().take
}

#[test]
fn motion_on_the_model_is_read_back() {
    let take = on_model();
    let (_, report) = write(&take).unwrap();
    assert!(report.is_empty(), "{:?}", report.codes());
    let file = again(&take);
    assert!(worst_m(&take, file.take().unwrap()) < 1e-4);
    assert_eq!(file.take().unwrap().rate_hz(), take.rate_hz());
}

#[test]
fn other_bodies_are_retargeted_and_reported() {
    let walk = walker();
    let (_, report) = write(&walk).unwrap();
    assert_eq!(report.codes(), ["npz/replaced-body"]);
    let found = on_model();
    assert_eq!((found.frames(), found.rate_hz()), (walk.frames(), walk.rate_hz()));
    // Arms and legs point where they pointed.
    for (from, to) in [
        (Role::LeftUpperArm, Role::LeftLowerArm),
        (Role::RightUpperLeg, Role::RightLowerLeg),
        (Role::Hips, Role::Head),
    ] {
        for frame in [0, 100, 200] {
            let way = |clip: &Clip| {
                let at = |role| clip.world().positions_at(frame)[clip.skeleton().joint_of(role).unwrap()];
                (at(to) - at(from)).normalize()
            };
            let angle = way(walk.first()).angle_between(way(found.first()));
            assert!(angle < 0.15, "{from} {frame}: {angle}");
        }
    }
}

#[test]
fn several_actors_and_figures_without_hips_are_refused() {
    assert_eq!(write(&pair()).unwrap_err().code().id, "file/one-actor");
    let shapeless = fixture_set().named("good", "body-only.npz").read().unwrap().into_first().unwrap().take;
    let plain =
        shapeless.first().skeleton().with_roles(&vec![None; shapeless.first().skeleton().len()]).unwrap();
    let take = Take::solo("a", shapeless.first().clone().with_skeleton(plain.into()).unwrap());
    assert!(write(&take).is_err());
}

#[test]
fn the_same_take_gives_the_same_bytes() {
    let take = walker();
    assert!(write(&take).unwrap().0 == write(&take).unwrap().0);
}

const SCRIPT: &str = "
import sys, numpy as np
with np.load(sys.argv[1]) as file:
    print(file['poses'].shape, file['trans'].shape, file['betas'].shape, str(file['gender']), float(file['mocap_framerate']))
";

#[test]
#[expect(clippy::print_stderr, reason = "a skipped test says so")]
fn numpy_reads_the_arrays_of_the_archive() {
    let has_numpy = Command::new("python3").args(["-c", "import numpy"]).output();
    if !has_numpy.is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: no python3 with numpy");
        return;
    }
    let take = walker();
    let path = std::env::temp_dir().join(format!("marey-npz-{}.npz", std::process::id()));
    std::fs::write(&path, write(&take).unwrap().0).unwrap();
    let run = Command::new("python3").args(["-c", SCRIPT]).arg(&path).output().unwrap();
    std::fs::remove_file(&path).unwrap();
    let (frames, rate_hz) = (take.frames(), take.rate_hz());
    let wanted = format!("({frames}, 156) ({frames}, 3) (16,) neutral {rate_hz:?}");
    assert_eq!(
        String::from_utf8_lossy(&run.stdout).trim(),
        wanted,
        "{}",
        String::from_utf8_lossy(&run.stderr)
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn any_motion_on_the_model_is_read_back(random in any_take()) {
        let skeleton = on_model().first().skeleton().clone();
        let source = random.first().rotations();
        let mut parts = ClipParts::default();
        for frame in 0..random.frames() {
            let rotation = |joint: usize| -> Quat { source[(frame * 7 + joint * 3) % source.len()] };
            parts.rotations.extend((0..skeleton.len()).map(rotation));
            parts.positions.push(Vec3::new(0.1 * frame as f32, 1.0, -0.3));
        }
        let take = Take::solo("any", Clip::new(skeleton, random.rate_hz(), parts).unwrap());
        prop_assert!(worst_m(&take, again(&take).take().unwrap()) < 1e-4);
    }
}
