//! VRM animations: humanoid bones, T-pose at rest, and the motion of the figure that was written.

use std::sync::Arc;

use marey_formats::gltf::write_vrma;
use marey_formats::{Format, ReadOptions, WriteOptions, read, write};
use marey_motion::{Clip, ClipParts, Coded, Joint, Role, Skeleton, Take, Vec3};
use proptest::prelude::*;

use crate::support::takes::{any_take, pair, walker, worst_m};

/// The take after writing and reading.
fn again(take: &Take) -> Take {
    let (bytes, report) = write_vrma(take).unwrap();
    assert!(report.is_empty());
    let mut options = ReadOptions::default();
    options.conventions.unit = Some(marey_conventions::Unit::Metre);
    read(&bytes, Some("vrma"), &options).unwrap().into_first().unwrap().take
}

/// The largest distance between joints with the same role.
fn worst_by_role_m(a: &Clip, b: &Clip) -> f32 {
    let (before, after) = (a.world(), b.world());
    let mut worst = 0f32;
    for (role, joint) in a.skeleton().roles() {
        let same = b.skeleton().joint_of(role).unwrap_or_else(|| panic!("no {role}"));
        for frame in 0..a.frames() {
            worst = worst.max(before.positions_at(frame)[joint].distance(after.positions_at(frame)[same]));
        }
    }
    worst
}

#[test]
fn a_walk_is_read_back_on_its_humanoid_bones() {
    let take = walker();
    let found = again(&take);
    assert_eq!((found.rate_hz(), found.frames()), (take.rate_hz(), take.frames()));
    assert!(worst_by_role_m(take.first(), found.first()) < 1e-4);
    let hips = found.first().skeleton().joint_of(Role::Hips).unwrap();
    assert_eq!((hips, found.first().skeleton().movers()), (0, &[0][..]));
}

#[test]
fn the_nodes_rest_in_a_t_pose_and_every_bone_is_named() {
    let take = walker();
    let (bytes, _) = write(&take, &WriteOptions::for_format(Format::Vrma).unwrap()).unwrap();
    let length = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    let json: serde_json::Value = serde_json::from_slice(&bytes[20..20 + length]).unwrap();
    assert_eq!(json["extensionsUsed"], serde_json::json!(["VRMC_vrm_animation"]));
    let extension = &json["extensions"]["VRMC_vrm_animation"];
    assert_eq!(extension["specVersion"], "1.0");
    let bones = extension["humanoid"]["humanBones"].as_object().unwrap();
    assert_eq!(bones.len(), take.first().skeleton().roles().count());
    let node = |bone: &str| &json["nodes"][bones[bone]["node"].as_u64().unwrap() as usize];
    // Frames are parallel to the world, the left arm points to +X and the legs down.
    assert!(json["nodes"].as_array().unwrap().iter().all(|node| node.get("rotation").is_none()));
    let offset = |bone: &str, axis: usize| node(bone)["translation"][axis].as_f64().unwrap();
    assert!(offset("leftLowerArm", 0) > 0.2 && offset("leftLowerArm", 1).abs() < 1e-3);
    assert!(offset("leftLowerLeg", 1) < -0.3 && offset("hips", 1) > 0.7);
    // Only the hips have translations.
    let channels = json["animations"][0]["channels"].as_array().unwrap();
    let moved: Vec<_> = channels.iter().filter(|c| c["target"]["path"] == "translation").collect();
    assert_eq!(moved.len(), 1);
    assert_eq!(moved[0]["target"]["node"], bones["hips"]["node"]);
}

#[test]
fn several_actors_and_incomplete_figures_are_refused() {
    let code = |take: &Take| write_vrma(take).unwrap_err().code().id;
    assert_eq!(code(&pair()), "file/one-actor");
    let skeleton = walker().first().skeleton().clone();
    let without_head =
        |joint: &Joint| Joint { role: joint.role.filter(|role| *role != Role::Head), ..joint.clone() };
    let skeleton = Skeleton::new(skeleton.joints().iter().map(without_head).collect(), vec![]).unwrap();
    let take = Take::solo("walk", walker().first().clone().with_skeleton(Arc::new(skeleton)).unwrap());
    assert_eq!(code(&take), "gltf/not-humanoid");
}

/// Random rotations of a person with a moving root above the hips, and joints without a role where neck and spine start.
fn any_person() -> impl Strategy<Value = Take> {
    (any_take(), 0f32..1.0).prop_map(|(random, height)| {
        let walk = walker();
        let mut joints = vec![Joint::new("root", None, Vec3::ZERO)];
        let mut place_of = Vec::new();
        for joint in walk.first().skeleton().joints() {
            let (mut parent, mut offset) =
                (joint.parent.map_or(0, |parent: usize| place_of[parent]), joint.offset);
            if matches!(joint.role, Some(Role::Spine | Role::Neck)) {
                joints.push(Joint::new(format!("{} twist", joint.name), Some(parent), offset));
                (parent, offset) = (joints.len() - 1, Vec3::ZERO);
            }
            place_of.push(joints.len());
            joints.push(Joint { parent: Some(parent), offset, moves: false, ..joint.clone() });
        }
        let skeleton = Arc::new(Skeleton::new(joints, vec![]).unwrap());
        let source = random.first().rotations();
        let mut parts = ClipParts::default();
        for frame in 0..random.frames() {
            let rotation = |joint: usize| source[(frame * 7 + joint * 3) % source.len()];
            parts.rotations.extend((0..skeleton.len()).map(rotation));
            parts.positions.push(Vec3::new(0.1 * frame as f32, height, 0.0));
        }
        Take::solo("person", Clip::new(skeleton, random.rate_hz(), parts).unwrap())
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]
    #[test]
    fn joints_between_and_above_bones_are_folded_into_them(take in any_person()) {
        let found = again(&take);
        let worst = worst_by_role_m(take.first(), found.first());
        prop_assert!(worst < 1e-4, "{worst}");
        // Written again, nothing is left to fold.
        prop_assert!(worst_m(&found, &again(&found)) < 1e-4);
    }
}
