//! One motion in three formats: FBX files of CMU's motions against the archive's AMC and the BVH made from it.
//!
//! The FBX files were made from the BVH: they have its T-pose before the motion, its joints with their ends as joints of their own,
//! and its lack of the thorax (see the Acclaim tests). One of their units is a hundredth of CMU's, as the numbers were taken for
//! metres on the way.

use marey_formats::door::Conventions;
use marey_formats::{Folder, ReadOptions, Unit, read, read_with};
use marey_motion::Clip;

use crate::kit::real_data::{bytes, folder};

/// How far apart two formats may be, in metres.
const TOLERANCE_M: f32 = 5e-3;

/// Motions, and the folder of their BVH. There is no AMC of the second.
const PAIRS: [(&str, &str, bool); 3] =
    [("07_01", "walk_path", true), ("49_08", "dance_gymnastics", false), ("55_01", "dance_gymnastics", true)];

/// Bones of the AMC whose starts are joints of the FBX in the same places: all but those beyond the thorax.
const BELOW_THE_THORAX: [(&str, &str); 14] = [
    ("root", "Hips"),
    ("lhipjoint", "LHipJoint"),
    ("lfemur", "LeftUpLeg"),
    ("ltibia", "LeftLeg"),
    ("lfoot", "LeftFoot"),
    ("ltoes", "LeftToeBase"),
    ("rhipjoint", "RHipJoint"),
    ("rfemur", "RightUpLeg"),
    ("rtibia", "RightLeg"),
    ("rfoot", "RightFoot"),
    ("rtoes", "RightToeBase"),
    ("lowerback", "LowerBack"),
    ("upperback", "Spine"),
    ("thorax", "Spine1"),
];

/// The largest distance between joints of two motions, in metres.
fn distance(a: &Clip, b: &Clip, joints: &[(&str, &str)]) -> f32 {
    assert_eq!(a.frames(), b.frames());
    let (world_a, world_b) = (a.world(), b.world());
    let mut largest = 0f32;
    for (in_a, in_b) in joints {
        let joint_a = a.skeleton().joint_named(in_a).unwrap_or_else(|| panic!("no {in_a}"));
        let joint_b = b.skeleton().joint_named(in_b).unwrap_or_else(|| panic!("no {in_b}"));
        for frame in 0..a.frames() {
            let (p, q) = (world_a.positions_at(frame)[joint_a], world_b.positions_at(frame)[joint_b]);
            largest = largest.max(p.distance(q));
        }
    }
    largest
}

#[test]
#[expect(clippy::print_stderr, reason = "the table is what the test is for")]
fn real_data_pairs_agree() {
    let Some(fbx_folder) = folder("conformance/fbx/IsaacGymEnvs") else { return };
    let Some(cmu) = folder("cmu") else { return };
    eprintln!("millimetres between the FBX of a motion and its other formats, at the most:");
    eprintln!("motion  frames  BVH, all joints  AMC, below the thorax  AMC, neck");
    for (name, kind, has_amc) in PAIRS {
        let hundredth = Unit::Metres(Unit::Cmu.metres() / 100.0);
        let conventions = Conventions { unit: Some(hundredth), ..Conventions::default() };
        let options = ReadOptions { conventions, ..ReadOptions::default() };
        let fbx = read(&bytes(&fbx_folder.join(format!("{name}_cmu.fbx"))), None, &options).unwrap();
        let fbx = fbx.take().unwrap().first();
        let usual = ReadOptions::default();
        let bvh = read(&bytes(&cmu.join(format!("{kind}/{name}.bvh"))), None, &usual).unwrap();
        let bvh = bvh.take().unwrap().first();
        assert_eq!(fbx.rate_hz().round(), bvh.rate_hz().round(), "{name}");
        let names: Vec<(&str, &str)> =
            bvh.skeleton().joints().iter().map(|joint| (joint.name.as_str(), joint.name.as_str())).collect();
        let to_bvh = distance(fbx, bvh, &names);
        let mut line = format!("{name} {:8} {:16.3}", fbx.frames(), to_bvh * 1e3);
        if has_amc {
            let path = cmu.join(format!("asf_amc/{name}.amc"));
            let amc = read_with(&bytes(&path), None, &usual, &Folder::around(&path)).unwrap();
            let amc = amc.take().unwrap().first();
            // The first frame of the FBX is the T-pose of the BVH.
            let motion = fbx.slice(1..fbx.frames()).unwrap();
            let below = distance(amc, &motion, &BELOW_THE_THORAX);
            let neck = distance(amc, &motion, &[("lowerneck", "Neck")]);
            line += &format!("{:23.3} {:10.1}", below * 1e3, neck * 1e3);
            assert!(below <= TOLERANCE_M, "{name}: {below} m from the AMC");
            let thorax = amc.skeleton().joint_named("lowerneck").unwrap();
            let thorax = amc.skeleton().offsets()[thorax].length();
            assert!((neck - thorax).abs() <= TOLERANCE_M, "{name}: neck {neck} m, thorax {thorax} m");
        }
        eprintln!("{line}");
        assert!(to_bvh <= TOLERANCE_M, "{name}: {to_bvh} m from the BVH");
    }
}
