//! Every file under `fixtures/gltf` beside its report.

use std::sync::Once;

use marey_formats::gltf;
use marey_motion::{Role, Vec3};

use crate::support::fixtures::Shelf;
use crate::support::invariants::Promises;
use crate::{made, plain_reader};

static GLTF: Shelf = Shelf {
    name: "gltf",
    folders: &["good", "bad"],
    endings: &["gltf", "glb", "vrm"],
    promises: PROMISES,
    points: Some(plain_reader::points),
    blessed: Once::new(),
};

/// All fixtures, once they are written where that is asked for.
pub(crate) fn shelf() -> &'static Shelf {
    made::keep();
    &GLTF
}

/// Places are in the description, which is not all of a GLB; a few keys may be many frames.
pub(crate) const PROMISES: Promises = Promises { a_byte_a_frame: false, places_in_text: false };

#[test]
fn good_files_are_read_as_their_reports_say() {
    shelf().check("good", 20);
}

#[test]
fn bad_files_are_refused_or_read_as_their_reports_say() {
    shelf().check("bad", 50);
}

#[test]
fn rest_poses_and_roles_are_those_that_the_file_states() {
    let skeleton = |name: &str| {
        let import = shelf().named("good", name).read().unwrap();
        import.take().unwrap().first().skeleton().clone()
    };
    // The nodes stand bent by 45 degrees, the mesh was bound straight.
    let bound = skeleton("bind-pose.gltf");
    assert!(bound.rest_positions()[2].distance(Vec3::new(0.0, 3.0, 0.0)) < 1e-6);
    let roles = |name: &str| skeleton(name).joints().iter().map(|joint| joint.role).collect::<Vec<_>>();
    let arm = [Role::LeftUpperArm, Role::LeftLowerArm];
    assert_eq!(roles("vrm-1.vrm"), [arm[0], arm[1], Role::LeftHand].map(Some));
    assert_eq!(roles("vrm-0.vrm"), [arm[0], arm[1], Role::LeftThumbProximal].map(Some));
}

#[test]
fn every_code_occurs_in_a_fixture() {
    let written = "it is about what is written";
    shelf().check_codes(&[gltf::codes::ALL], &[("gltf/too-long", written), ("gltf/no-mesh", written)]);
}

#[test]
fn good_reports_hold_places_worked_out_another_way() {
    for fixture in shelf().all("good") {
        let points = fixture.expectation().points;
        assert!(points.len() >= 2, "{}", fixture.path.display());
        assert_eq!(
            points,
            plain_reader::points(&fixture, &fixture.expectation()),
            "{}",
            fixture.path.display()
        );
    }
}
