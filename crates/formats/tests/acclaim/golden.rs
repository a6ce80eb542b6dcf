//! World positions against an independent computation from the files' text.

use marey_formats::acclaim::{self, AcclaimSettings};
use marey_formats::{Companion, Folder, Import, ReadOptions, Unit, read_with};
use marey_motion::{Clip, WorldPose};

use crate::plain_reader::{self, Plain};
use crate::real_data::{self, PAIRS};

/// How far off a position may be, in metres.
const TOLERANCE_M: f64 = 1e-4;

/// The largest distance of a joint or tip from where the plain reader has it, in file units.
pub(crate) fn largest_error(clip: &Clip, plain: &Plain) -> f64 {
    let skeleton = clip.skeleton();
    assert_eq!(skeleton.len(), plain.joints.len());
    assert_eq!(clip.frames(), plain.starts.len());
    let index = |name: &str| plain.joints.iter().position(|joint| joint.eq_ignore_ascii_case(name)).unwrap();
    let joints: Vec<usize> = skeleton.joints().iter().map(|joint| index(&joint.name)).collect();
    for (joint, tip) in skeleton.tips().iter().map(|tip| (joints[tip.parent], tip)) {
        assert!(!plain.has_children[joint], "{tip:?} is not at the end of a chain");
    }
    let mut largest = 0f64;
    let mut world = WorldPose::scratch(skeleton);
    for (frame, (starts, ends)) in plain.starts.iter().zip(&plain.ends).enumerate() {
        world.set(clip.pose(frame));
        let starts = joints.iter().map(|&joint| starts[joint]);
        let ends = skeleton.tips().iter().map(|tip| ends[joints[tip.parent]]);
        for (found, wanted) in world.positions.iter().copied().chain(world.tips()).zip(starts.chain(ends)) {
            largest = largest.max(found.as_dvec3().distance(wanted));
        }
    }
    largest
}

#[test]
fn real_data_motions_agree_with_the_plain_reader() {
    let Some(folder) = real_data::cmu() else { return };
    for (name, _) in PAIRS {
        let subject = name.split_once('_').unwrap().0;
        let asf = real_data::bytes(&folder.join(format!("asf_amc/{subject}.asf")));
        let amc = real_data::bytes(&folder.join(format!("asf_amc/{name}.amc")));
        let plain = plain_reader::read(&asf, &amc);
        let file = acclaim::read_amc(&amc, &Companion::new("asf", asf), &AcclaimSettings::default()).unwrap();
        let error = largest_error(file.take.first(), &plain) * Unit::Cmu.metres();
        assert!(error <= TOLERANCE_M, "{name}: {error} m");
    }
}

#[test]
fn real_data_conventions_are_found() {
    let Some(folder) = real_data::cmu() else { return };
    for (name, _) in PAIRS {
        let path = folder.join(format!("asf_amc/{name}.amc"));
        let bytes = real_data::bytes(&path);
        let import: Import =
            read_with(&bytes, None, &ReadOptions::default(), &Folder::around(&path)).unwrap();
        let found = &import.detected[0];
        assert_eq!(found.unit.value, Unit::Cmu, "{name}: {}", found.unit.why);
        assert_eq!(found.up_axis.value.to_string(), "y", "{name}");
        assert_eq!(found.facing_deg.value, 0.0, "{name}");
        let height_m = found.height_m.unwrap();
        assert!((1.4..2.0).contains(&height_m), "{name}: {height_m} m");
        eprintln!("{name} {height_m} {:?} {:?}", found.rate_hz, found.role_guess.why);
        for w in import.report.warnings() { eprintln!("   {} {} x{}", w.code.id, w.message, w.count); }
    }
}
