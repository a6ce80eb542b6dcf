//! Compares one motion in two formats: the AMC files of CMU's archive, and the BVH files converted from them.
//!
//! The BVH files start with a T-pose, and lack bones: children of a branching bone are attached to the *start* of that bone, with
//! OFFSET 0 0 0. That is correct below the root, which is a point. But neck and shoulders lose the length of the thorax, 11 to 13 cm,
//! and fingers and thumb that of the wrist, 8 to 11 cm. If those bones are removed from the AMC's skeleton too, all joints agree.

use std::sync::Arc;

use marey_formats::{Folder, ReadOptions, read, read_with};
use marey_motion::{Clip, Skeleton, Vec3, WorldClip};

use marey_capture::bytes;

use crate::real_data::PAIRS;
use crate::support::cmu::BELOW_THE_THORAX;

/// Bones of the AMC, and the joints of the BVH at their starts.
const ABOVE_THE_THORAX: [(&str, &str); 11] = [
    ("lowerneck", "Neck"),
    ("upperneck", "Neck1"),
    ("head", "Head"),
    ("lclavicle", "LeftShoulder"),
    ("lhumerus", "LeftArm"),
    ("lradius", "LeftForeArm"),
    ("lwrist", "LeftHand"),
    ("rclavicle", "RightShoulder"),
    ("rhumerus", "RightArm"),
    ("rradius", "RightForeArm"),
    ("rwrist", "RightHand"),
];
const BEYOND_THE_WRIST: [(&str, &str); 6] = [
    ("lhand", "LeftFingerBase"),
    ("lfingers", "LeftHandIndex1"),
    ("lthumb", "LThumb"),
    ("rhand", "RightFingerBase"),
    ("rfingers", "RightHandIndex1"),
    ("rthumb", "RThumb"),
];

/// Largest distance between the two, in metres. The measured maximum is 0.01 mm.
const TOLERANCE_M: f32 = 5e-3;

/// The largest and the smallest distance between joints of two motions, in metres.
fn distances(amc: &Clip, bvh: &Clip, joints: &[(&str, &str)]) -> (f32, f32) {
    let (a, b): (WorldClip, WorldClip) = (amc.world(), bvh.world());
    let mut range = (0f32, f32::MAX);
    for (bone, joint) in joints {
        let bone = amc.skeleton().joint_named(bone).unwrap();
        let joint = bvh.skeleton().joint_named(joint).unwrap();
        for frame in 0..a.frames() {
            let distance = a.positions_at(frame)[bone].distance(b.positions_at(frame)[joint]);
            range = (range.0.max(distance), range.1.min(distance));
        }
    }
    range
}

/// The same motion on a skeleton in which children of branching bones are attached to the start of the bone.
fn without_branching_bones(clip: &Clip) -> Clip {
    let skeleton = clip.skeleton();
    let mut joints = skeleton.joints().to_vec();
    for joint in &mut joints {
        let siblings = skeleton.joints().iter().filter(|other| other.parent == joint.parent).count();
        if joint.parent.is_some() && siblings > 1 {
            joint.offset = Vec3::ZERO;
        }
    }
    let skeleton = Skeleton::new(joints, skeleton.tips().to_vec()).unwrap();
    clip.clone().with_skeleton(Arc::new(skeleton)).unwrap()
}

#[test]
#[expect(clippy::print_stderr, reason = "the table is what the test is for")]
fn real_data_pairs_agree() {
    let Some(folder) = marey_capture::folder("cmu") else { return };
    eprintln!("largest distance between the AMC and the BVH of a motion, in millimetres:");
    eprintln!("motion  frames  below the thorax  neck to wrists  fingers  all, without bones that branch");
    for (name, kind) in PAIRS {
        let path = folder.join(format!("asf_amc/{name}.amc"));
        let options = ReadOptions::default();
        let amc = read_with(&bytes(&path), None, &options, &Folder::around(&path)).unwrap();
        let path = folder.join(format!("{kind}/{name}.bvh"));
        let bvh = read(&bytes(&path), None, &options).unwrap();
        let (amc, bvh) = (amc.take().unwrap().first(), bvh.take().unwrap().first());
        // The first frame of the BVH is the T-pose.
        let bvh = bvh.slice(1..bvh.frames()).unwrap();
        assert_eq!(amc.frames(), bvh.frames(), "{name}");

        let (below, _) = distances(amc, &bvh, &BELOW_THE_THORAX);
        let (above, least_above) = distances(amc, &bvh, &ABOVE_THE_THORAX);
        let (fingers, _) = distances(amc, &bvh, &BEYOND_THE_WRIST);
        let all = [BELOW_THE_THORAX.as_slice(), &ABOVE_THE_THORAX, &BEYOND_THE_WRIST].concat();
        let (cut, _) = distances(&without_branching_bones(amc), &bvh, &all);
        let [a, b, c, d] = [below, above, fingers, cut].map(|metres| metres * 1e3);
        eprintln!("{name} {:8} {a:17.3} {b:15.1} {c:8.1} {d:31.3}", amc.frames());

        assert!(below <= TOLERANCE_M, "{name}: {below} m below the thorax");
        assert!(cut <= TOLERANCE_M, "{name}: {cut} m without bones that branch");
        // From neck to wrists the difference is the thorax, to the hundredth of a millimetre and in every frame.
        let neck = amc.skeleton().joint_named("lowerneck").unwrap();
        let thorax = amc.skeleton().offsets()[neck].length();
        assert!((above - thorax).abs() < 1e-5 && (least_above - thorax).abs() < 1e-5, "{name}");
    }
}
