//! Round trips: a written take is read back as the same motion.

use std::sync::Arc;

use marey_formats::fbx::{self, FbxOptions, FbxSettings};
use marey_formats::gltf::Shape;
use marey_formats::{Format, ReadOptions, WriteOptions, read, write};
use marey_motion::{Actor, Clip, ClipParts, Joint, Quat, Skeleton, Take, Tip, Vec3};
use proptest::prelude::*;
use ufbx::LoadOpts;

use crate::support::takes::{any_take, pair, walker, worst_m};

/// Largest deviation of a joint, in metres.
const TOLERANCE_M: f32 = 1e-4;

/// The take after writing and reading, in metres.
fn again(take: &Take, options: &FbxOptions) -> Take {
    let (bytes, _) = fbx::write(take, options).unwrap();
    let file = fbx::read(&bytes, &FbxSettings::default()).unwrap();
    assert_eq!(
        (file.unit, file.up),
        (Some(marey_conventions::Unit::Centimetre), Some(marey_conventions::UpAxis::Y))
    );
    assert_eq!((file.takes.len(), file.rate_assumed), (1, false));
    let unexpected: Vec<_> = file
        .report
        .codes()
        .into_iter()
        .filter(|code| !["fbx/not-kept", "fbx/renamed"].contains(code))
        .collect();
    assert!(unexpected.is_empty(), "{unexpected:?}");
    let read = file.takes.into_iter().next().unwrap();
    let name = read.name().to_owned();
    let scaled = |actor: Actor| Actor { clip: actor.clip.scaled(0.01).unwrap(), ..actor };
    Take::new(name, read.into_actors().into_iter().map(scaled).collect()).unwrap()
}

#[test]
fn a_walk_keeps_motion_names_rest_pose_and_tips() {
    let take = walker();
    for shape in [Shape::Mannequin, Shape::None] {
        let found = again(&take, &FbxOptions { shape });
        assert!(worst_m(&take, &found) < TOLERANCE_M, "{}", worst_m(&take, &found));
        assert_eq!((found.rate_hz(), found.name()), (take.rate_hz(), take.name()));
        assert_eq!(found.actors()[0].name, take.actors()[0].name);
        let (before, after) = (take.first().skeleton(), found.first().skeleton());
        assert_eq!(before.tips().len(), after.tips().len());
        for tip in before.tips() {
            let is_kept =
                |other: &Tip| other.parent == tip.parent && other.offset.distance(tip.offset) < TOLERANCE_M;
            assert!(after.tips().iter().any(is_kept), "{tip:?}");
        }
        for (before, after) in before.joints().iter().zip(after.joints()) {
            assert!(before.rest_rotation.angle_between(after.rest_rotation) < 1e-3, "{}", before.name);
        }
    }
}

#[test]
fn every_reader_path_gives_metres_and_roles() {
    let take = walker();
    let (bytes, _) = write(&take, &WriteOptions::for_format(Format::Fbx).unwrap()).unwrap();
    let file = read(&bytes, None, &ReadOptions::default()).unwrap();
    let found = file.take().unwrap();
    assert_eq!(file.format, Format::Fbx);
    assert!(worst_m(&take, found) < TOLERANCE_M);
    let roles = |take: &Take| take.first().skeleton().roles().collect::<Vec<_>>();
    assert_eq!(roles(&take), roles(found));
}

#[test]
fn two_actors_keep_their_names_and_places() {
    let pair = pair();
    let found = again(&pair, &FbxOptions::default());
    let names = |take: &Take| take.actors().iter().map(|actor| actor.name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&pair), names(&found));
    assert!(worst_m(&pair, &found) < TOLERANCE_M);
}

#[test]
fn the_mesh_is_the_mannequin_and_follows_the_joints() {
    let take = walker();
    let (bytes, report) = fbx::write(&take, &FbxOptions::default()).unwrap();
    assert!(report.is_empty());
    let scene = ufbx::load_memory(&bytes, LoadOpts::default()).unwrap();
    assert!(
        scene.metadata.warnings.is_empty(),
        "{:?}",
        scene.metadata.warnings.iter().map(|w| w.description.to_string()).collect::<Vec<_>>()
    );
    let mannequin = marey_body::Mannequin::of(take.first().skeleton()).unwrap();
    let count = |of: fn(&marey_body::SkinnedMesh) -> usize| mannequin.parts.iter().map(of).sum::<usize>();
    let [mesh] = scene.meshes.iter().collect::<Vec<_>>()[..] else { panic!("{} meshes", scene.meshes.len()) };
    assert_eq!(mesh.num_vertices, count(|part| part.positions.len()));
    assert_eq!(mesh.num_triangles, count(|part| part.triangles.len()));
    assert_eq!((mesh.materials.len(), mesh.skin_deformers.len()), (2, 1));
    let skin = &mesh.skin_deformers[0];
    let mut totals = vec![0.0; mesh.num_vertices];
    for cluster in &skin.clusters {
        assert!(cluster.bone_node.is_some());
        for (vertex, weight) in cluster.vertices.iter().zip(cluster.weights.iter()) {
            totals[*vertex as usize] += weight;
        }
    }
    assert!(totals.iter().all(|total| (total - 1.0).abs() < 1e-9));
    // Every object that is defined is there.
    assert_eq!(scene.skin_clusters.len() + scene.skin_deformers.len(), 1 + skin.clusters.len());
}

#[test]
fn names_with_reserved_characters_are_changed_and_reported() {
    let joints = vec![Joint::new("a\0b", None, Vec3::ZERO), Joint::new("\u{3b1} \"x\":y", Some(0), Vec3::Y)];
    let skeleton = Arc::new(Skeleton::new(joints, vec![]).unwrap());
    let parts = ClipParts { rotations: vec![Quat::IDENTITY; 4], positions: vec![Vec3::ZERO, Vec3::X] };
    let take = Take::solo("t", Clip::new(skeleton, 30.0, parts).unwrap());
    let (bytes, report) = fbx::write(&take, &FbxOptions::default()).unwrap();
    assert_eq!(report.codes(), ["fbx/renamed"]);
    let file = fbx::read(&bytes, &FbxSettings::default()).unwrap();
    let joints = file.takes[0].first().skeleton().joints();
    assert_eq!([&*joints[0].name, &*joints[1].name], ["a_b", "\u{3b1} \"x\":y"]);
}

#[test]
fn figures_without_size_have_no_mesh() {
    let skeleton = Arc::new(Skeleton::new(vec![Joint::new("a", None, Vec3::ZERO)], vec![]).unwrap());
    let parts = ClipParts { rotations: vec![Quat::IDENTITY; 2], positions: vec![Vec3::ZERO, Vec3::X] };
    let take = Take::solo("point", Clip::new(skeleton, 30.0, parts).unwrap());
    let (_, report) = fbx::write(&take, &FbxOptions::default()).unwrap();
    assert_eq!(report.codes(), ["file/no-mesh"]);
    assert!(worst_m(&take, &again(&take, &FbxOptions::default())) < TOLERANCE_M);
}

#[test]
fn the_same_take_gives_the_same_bytes() {
    let take = pair();
    let bytes = || fbx::write(&take, &FbxOptions::default()).unwrap().0;
    assert!(bytes() == bytes());
}

proptest! {
    #[test]
    fn any_skeleton_keeps_its_positions(take in any_take()) {
        let found = again(&take, &FbxOptions::default());
        prop_assert!(worst_m(&take, &found) < TOLERANCE_M, "{}", worst_m(&take, &found));
        if take.frames() > 1 {
            prop_assert!((found.rate_hz() / take.rate_hz() - 1.0).abs() < 1e-4);
        }
    }
}
