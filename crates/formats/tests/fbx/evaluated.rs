//! Compares world positions with ufbx's evaluation of the whole scene, frame by frame, which is slow and handles inherited scale and
//! pivots independently of the reader.

use std::path::Path;

use glam::DVec3;
use marey_formats::fbx::{self, FbxSettings};
use ufbx::{EvaluateOpts, LoadOpts, PivotHandling};

use crate::fixtures::FBX;

/// Largest deviation of a joint, as a fraction of the scene's size: 0.03 mm for a person. Offsets that change by less are constant.
const TOLERANCE: f64 = 2e-5;

/// The largest distance between a joint and its node, over some frames of every take, as a fraction of the scene's size.
fn largest_error(bytes: &[u8], name: &Path) -> f64 {
    let file = fbx::read(bytes, &FbxSettings::default()).unwrap();
    let options = LoadOpts { pivot_handling: PivotHandling::AdjustToRotationPivot, ..LoadOpts::default() };
    let scene = ufbx::load_memory(bytes, options).unwrap();
    let (mut largest, mut size) = (0f64, 1e-9f64);
    for take in &file.takes {
        let stack = scene.anim_stacks.iter().find(|stack| &*stack.element.name == take.name());
        let anim = stack.map_or(&*scene.anim, |stack| &*stack.anim);
        // The first frame is at the first key.
        let keys =
            stack.iter().flat_map(|stack| stack.layers.iter()).flat_map(|layer| layer.anim_props.iter());
        let joints: Vec<&str> = take
            .actors()
            .iter()
            .flat_map(|actor| actor.clip.skeleton().joints())
            .map(|j| j.name.as_str())
            .collect();
        let times = keys
            .filter(|prop| prop.prop_name.starts_with("Lcl ") && joints.contains(&&*prop.element.name))
            .flat_map(|prop| prop.anim_value.curves.iter().flatten())
            .filter_map(|curve| curve.keyframes.first().map(|key| key.time));
        let begin_secs = times.fold(f64::MAX, f64::min).max(stack.map_or(0.0, |stack| stack.time_begin));
        for frame in (0..take.frames()).step_by(take.frames().div_ceil(12)) {
            let secs = begin_secs + frame as f64 / take.rate_hz() + 1e-9;
            let at = ufbx::evaluate_scene(&scene, anim, secs, EvaluateOpts::default()).unwrap();
            for actor in take.actors() {
                let world = actor.clip.world();
                for (joint, found) in actor.clip.skeleton().joints().iter().zip(world.positions_at(frame)) {
                    let node = ufbx::find_node(&at, &joint.name).unwrap();
                    let m = node.node_to_world;
                    let wanted = DVec3::new(m.m03, m.m13, m.m23);
                    size = size.max(wanted.length());
                    largest = largest.max(found.as_dvec3().distance(wanted));
                }
            }
        }
    }
    assert!(!file.takes.is_empty(), "{}", name.display());
    largest / size
}

#[test]
fn good_fixtures_agree_with_ufbx() {
    for fixture in FBX.all("good").iter().filter(|fixture| !fixture.is_named("left-handed.fbx")) {
        let error = largest_error(&fixture.bytes, &fixture.path);
        assert!(error <= TOLERANCE, "{}: {error}", fixture.path.display());
    }
}

#[test]
fn real_data_agrees_with_ufbx() {
    let Some(folder) = marey_capture::folder("conformance/fbx") else { return };
    for name in [
        "IsaacGymEnvs/07_01_cmu.fbx",
        "assimp/animation_with_skeleton.fbx",
        "ozz-animation/walk.fbx",
        "ufbx/max_transformed_skin_7500_binary.fbx",
        "ufbx/maya_character_7500_binary.fbx",
    ] {
        let error = largest_error(&marey_capture::bytes(&folder.join(name)), Path::new(name));
        assert!(error <= TOLERANCE, "{name}: {error}");
    }
}
