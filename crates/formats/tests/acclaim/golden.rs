//! Compares world positions with an independent computation from the text of the files.

use marey_conventions::{FindingSource, Unit};
use marey_formats::acclaim::{self, AcclaimSettings};
use marey_formats::{Companion, Folder, ReadOptions, read_with};
use marey_motion::{Clip, WorldPose};

use crate::fixtures::{ACCLAIM, Fixture};
use crate::plain_reader::{self, Plain};
use crate::real_data::PAIRS;
use marey_capture::bytes;

/// Largest deviation of a position, in metres.
const TOLERANCE_M: f64 = 1e-4;

/// The largest distance of a joint or tip from its position by the plain reader, in file units. Ends of stretching bones without
/// children are excluded: see `acclaim/stretched-tip`.
fn largest_error(clip: &Clip, plain: &Plain) -> f64 {
    let skeleton = clip.skeleton();
    assert_eq!(skeleton.len(), plain.joints.len());
    assert_eq!(clip.frames(), plain.starts.len());
    let index = |name: &str| plain.joints.iter().position(|joint| joint.eq_ignore_ascii_case(name)).unwrap();
    let joints: Vec<usize> = skeleton.joints().iter().map(|joint| index(&joint.name)).collect();
    let tips: Vec<usize> = skeleton.tips().iter().map(|tip| joints[tip.parent]).collect();
    for (joint, has_children) in plain.has_children.iter().enumerate() {
        assert_ne!(tips.contains(&joint), *has_children, "{}", plain.joints[joint]);
    }
    let mut largest = 0f64;
    let mut world = WorldPose::scratch(skeleton);
    for (frame, (starts, ends)) in plain.starts.iter().zip(&plain.ends).enumerate() {
        world.set(clip.pose(frame));
        let starts = world.positions.iter().copied().zip(joints.iter().map(|&joint| starts[joint]));
        let tips = world.tips().zip(&tips).filter(|(_, joint)| !plain.stretches[**joint]);
        let ends = tips.map(|(found, &joint)| (found, ends[joint]));
        for (found, wanted) in starts.chain(ends) {
            largest = largest.max(found.as_dvec3().distance(wanted));
        }
    }
    largest
}

/// The skeleton file of a motion in `fixtures/acclaim/good`, with the same name or the part before the underscore.
fn skeleton_of(motion: &Fixture) -> Vec<u8> {
    let stem = motion.path.file_stem().unwrap().to_str().unwrap();
    let named =
        [stem, stem.split('_').next().unwrap()].map(|n| motion.path.with_file_name(format!("{n}.asf")));
    std::fs::read(named.iter().find(|path| path.is_file()).unwrap()).unwrap()
}

fn motions() -> impl Iterator<Item = Fixture> {
    ACCLAIM.all("good").into_iter().filter(|f| f.path.extension().is_some_and(|ending| ending == "amc"))
}

fn clip_of(motion: &Fixture) -> Clip {
    let skeleton = Companion::new("asf", skeleton_of(motion));
    acclaim::read_amc(&motion.bytes, &skeleton, &AcclaimSettings::default()).unwrap().take.first().clone()
}

/// Motions in notations that the plain reader does not support. They are equal to the plain motion.
const NOT_PLAIN: [&str; 2] = ["leg_notations.amc", "leg_utf16.amc"];

#[test]
fn good_fixtures_agree_with_the_plain_reader() {
    for motion in motions().filter(|motion| !NOT_PLAIN.iter().any(|name| motion.path.ends_with(name))) {
        let plain = plain_reader::read(&skeleton_of(&motion), &motion.bytes);
        let error = largest_error(&clip_of(&motion), &plain);
        // Fixtures are some units long; a unit is at most a metre.
        assert!(error <= 1e-5, "{}: {error} units", motion.path.display());
    }
}

#[test]
fn notations_of_one_motion_are_equal() {
    let clip = |name: &str| clip_of(&motions().find(|motion| motion.path.ends_with(name)).unwrap());
    let plain = clip("leg.amc");
    for name in ["leg_of_subject", "leg_crlf", "leg_cr", "leg_utf16", "leg_no_header"] {
        assert_eq!(clip(&format!("{name}.amc")), plain, "{name}");
    }
    assert_eq!(clip("leg_notations.amc"), plain.slice(0..2).unwrap());
    assert_eq!(clip("leg_shuffled.amc"), plain.slice(0..2).unwrap());
    assert_eq!(clip("loud_walk.amc").rotations(), plain.rotations());
}

#[test]
fn real_data_motions_agree_with_the_plain_reader() {
    let Some(folder) = marey_capture::folder("cmu") else { return };
    for (name, _) in PAIRS {
        let subject = name.split_once('_').unwrap().0;
        let asf = bytes(&folder.join(format!("asf_amc/{subject}.asf")));
        let amc = bytes(&folder.join(format!("asf_amc/{name}.amc")));
        let plain = plain_reader::read(&asf, &amc);
        let file = acclaim::read_amc(&amc, &Companion::new("asf", asf), &AcclaimSettings::default()).unwrap();
        let error = largest_error(file.take.first(), &plain) * Unit::Cmu.metres();
        assert!(error <= TOLERANCE_M, "{name}: {error} m");
    }
}

#[test]
fn real_data_conventions_are_found() {
    let Some(folder) = marey_capture::folder("cmu") else { return };
    for (name, _) in PAIRS {
        let path = folder.join(format!("asf_amc/{name}.amc"));
        let import = read_with(&bytes(&path), None, &ReadOptions::default(), &Folder::around(&path)).unwrap();
        let found = &import.takes()[0].detected[0];
        assert_eq!(found.unit.value, Unit::Cmu, "{name}: {}", found.unit.reason);
        assert_eq!(found.up_axis.value.to_string(), "y", "{name}");
        assert_eq!(found.facing_deg.value, 0.0, "{name}");
        assert_eq!((found.rate_hz.value, found.rate_hz.source), (120.0, FindingSource::Assumed), "{name}");
        assert!((1.4..2.0).contains(&found.height_m.unwrap()), "{name}: {:?} m", found.height_m);
        let mut codes = import.report.codes();
        // Two dancers were captured at 60 Hz.
        let is_doubted = codes.pop_if(|code| *code == "conventions/rate-doubtful").is_some();
        assert_eq!(is_doubted, name.starts_with('6'), "{name}");
        assert_eq!(codes, ["acclaim/not-kept", "acclaim/rate-assumed"], "{name}");
    }
}
