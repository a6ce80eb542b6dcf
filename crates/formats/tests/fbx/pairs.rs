//! Compares one motion in three formats: FBX files of CMU's motions, the archive's AMC, and the BVH converted from it.
//!
//! The FBX files were converted from the BVH. They have its T-pose before the motion, ends of bones as joints, and lack the length of
//! the thorax (see the Acclaim tests). Their unit is a hundredth of CMU's, because the conversion read the numbers as metres. Keys were
//! reduced: of 288 curves, 8 to 25 have a key in every frame, and the motion between the other keys is some millimetres off. In frames
//! with all keys that the position of a joint depends on, the formats agree to a hundredth of a millimetre.

use std::collections::BTreeMap;

use marey_capture::{bytes, folder};
use marey_conventions::{ConventionOverrides, Unit};
use marey_formats::{Folder, ReadOptions, read, read_with};
use marey_motion::Clip;
use ufbx::LoadOpts;

use crate::support::cmu::BELOW_THE_THORAX;

/// Largest distance between two formats at keys, in metres.
const TOLERANCE_M: f32 = 5e-5;

/// Largest distance between keys. The measured maximum is 6.4 mm, at a toe in a cartwheel.
const BETWEEN_KEYS_M: f32 = 8e-3;

/// Motions, the folder of their BVH, and whether there is an AMC.
const PAIRS: [(&str, &str, bool); 3] =
    [("07_01", "walk_path", true), ("49_08", "dance_gymnastics", false), ("55_01", "dance_gymnastics", true)];

/// Whether each frame has all keys that the position of a node depends on, by the name of the node.
fn keyed(bytes: &[u8], frames: usize, rate_hz: f64) -> BTreeMap<String, Vec<bool>> {
    let scene = ufbx::load_memory(bytes, LoadOpts::default()).unwrap();
    let mut keyed = BTreeMap::new();
    for node in &scene.nodes {
        let mut has_all = vec![true; frames];
        let mut next = Some(node);
        while let Some(above) = next {
            let props =
                scene.anim_layers.iter().flat_map(|layer| ufbx::find_anim_props(layer, &above.element));
            // The rotation of a node does not move the node itself.
            let is_itself = above.element.element_id == node.element.element_id;
            let props = props.filter(|prop| !is_itself || &*prop.prop_name == "Lcl Translation");
            let curves = props.flat_map(|prop| prop.anim_value.curves.iter().flatten());
            for curve in curves.filter(|curve| curve.min_value != curve.max_value) {
                let mut has = vec![false; frames];
                let first = scene.anim_stacks[0].time_begin;
                curve
                    .keyframes
                    .iter()
                    .for_each(|key| has[((key.time - first) * rate_hz).round() as usize] = true);
                has_all.iter_mut().zip(has).for_each(|(all, has)| *all &= has);
            }
            next = above.parent.as_deref();
        }
        keyed.insert(node.element.name.to_string(), has_all);
    }
    keyed
}

/// The largest distances between joints of two motions, in metres: in frames with keys for the second motion's joint, and in all
/// frames. Also returns the number of joints × frames with keys.
fn distance(
    a: &Clip,
    b: &Clip,
    joints: &[(&str, &str)],
    keyed: &BTreeMap<String, Vec<bool>>,
    first_frame: usize,
) -> (f32, f32, usize) {
    assert_eq!(a.frames(), b.frames());
    let (world_a, world_b) = (a.world(), b.world());
    let (mut at_keys, mut anywhere, mut count) = (0f32, 0f32, 0);
    for (in_a, in_b) in joints {
        let joint_a = a.skeleton().joint_named(in_a).unwrap_or_else(|| panic!("no {in_a}"));
        let joint_b = b.skeleton().joint_named(in_b).unwrap_or_else(|| panic!("no {in_b}"));
        for frame in 0..a.frames() {
            let (p, q) = (world_a.positions_at(frame)[joint_a], world_b.positions_at(frame)[joint_b]);
            anywhere = anywhere.max(p.distance(q));
            if keyed[*in_b][frame + first_frame] {
                at_keys = at_keys.max(p.distance(q));
                count += 1;
            }
        }
    }
    (at_keys, anywhere, count)
}

#[test]
#[expect(clippy::print_stderr, reason = "the table is what the test is for")]
fn real_data_pairs_agree() {
    let Some(fbx_folder) = folder("conformance/fbx/IsaacGymEnvs") else { return };
    let Some(cmu) = folder("cmu") else { return };
    eprintln!(
        "largest distance between the FBX and the other formats of a motion in millimetres, at keys / everywhere:"
    );
    eprintln!("motion  frames  places at keys     BVH, all joints  AMC, below the thorax    AMC, neck");
    for (name, kind, has_amc) in PAIRS {
        let hundredth = Unit::Metres(Unit::Cmu.metres() / 100.0);
        let conventions = ConventionOverrides { unit: Some(hundredth), ..ConventionOverrides::default() };
        let options = ReadOptions { conventions, ..ReadOptions::default() };
        let fbx_bytes = bytes(&fbx_folder.join(format!("{name}_cmu.fbx")));
        let fbx = read(&fbx_bytes, None, &options).unwrap();
        let fbx = fbx.take().unwrap().first();
        let keyed = keyed(&fbx_bytes, fbx.frames(), fbx.rate_hz());
        let usual = ReadOptions::default();
        let bvh = read(&bytes(&cmu.join(format!("{kind}/{name}.bvh"))), None, &usual).unwrap();
        let bvh = bvh.take().unwrap().first();
        assert_eq!(fbx.rate_hz().round(), bvh.rate_hz().round(), "{name}");
        let names: Vec<(&str, &str)> =
            bvh.skeleton().joints().iter().map(|joint| (joint.name.as_str(), joint.name.as_str())).collect();
        let (at_keys, anywhere, count) = distance(bvh, fbx, &names, &keyed, 0);
        let mut line =
            format!("{name} {:8} {count:15} {:12.3} / {:.3}", fbx.frames(), at_keys * 1e3, anywhere * 1e3);
        assert!(count > 100, "{name}: {count} joints in frames with all keys");
        assert!(at_keys <= TOLERANCE_M, "{name}: {at_keys} m from the BVH at keys");
        assert!(anywhere <= BETWEEN_KEYS_M, "{name}: {anywhere} m from the BVH");
        if has_amc {
            let path = cmu.join(format!("asf_amc/{name}.amc"));
            let amc = read_with(&bytes(&path), None, &usual, &Folder::around(&path)).unwrap();
            let amc = amc.take().unwrap().first();
            // The first frame of the FBX is the T-pose of the BVH.
            let motion = fbx.slice(1..fbx.frames()).unwrap();
            let (at_keys, anywhere, _) = distance(amc, &motion, &BELOW_THE_THORAX, &keyed, 1);
            let (_, neck, _) = distance(amc, &motion, &[("lowerneck", "Neck")], &keyed, 1);
            line += &format!("{:15.3} / {:.3} {:12.1}", at_keys * 1e3, anywhere * 1e3, neck * 1e3);
            assert!(at_keys <= TOLERANCE_M, "{name}: {at_keys} m from the AMC at keys");
            assert!(anywhere <= BETWEEN_KEYS_M, "{name}: {anywhere} m from the AMC");
            let thorax = amc.skeleton().joint_named("lowerneck").unwrap();
            let thorax = amc.skeleton().offsets()[thorax].length();
            assert!((neck - thorax).abs() <= BETWEEN_KEYS_M, "{name}: neck {neck} m, thorax {thorax} m");
        }
        eprintln!("{line}");
    }
}
