//! Every file under `fixtures/gltf` beside its report.

use std::sync::Once;

use marey_formats::gltf;
use marey_motion::{Role, Vec3};

use crate::support::fixtures::FixtureSet;
use crate::support::invariants::Invariants;
use crate::{made, plain_reader};

static GLTF: FixtureSet = FixtureSet {
    name: "gltf",
    folders: &["good", "bad"],
    endings: &["gltf", "glb", "vrm"],
    invariants: INVARIANTS,
    points: Some(plain_reader::points),
    blessed: Once::new(),
};

/// All fixtures. Writes them first if `MAREY_BLESS` is set.
pub(crate) fn fixture_set() -> &'static FixtureSet {
    made::keep();
    &GLTF
}

/// Places are in the JSON description, not in the whole file, and a few keys may become many frames.
pub(crate) const INVARIANTS: Invariants = Invariants { needs_a_byte_per_frame: false, places_in_text: false };

#[test]
fn good_files_match_their_reports() {
    fixture_set().check("good", 20);
}

#[test]
fn bad_files_match_their_reports() {
    fixture_set().check("bad", 50);
}

#[test]
fn rest_poses_and_roles_are_read_from_the_file() {
    let skeleton = |name: &str| {
        let import = fixture_set().named("good", name).read().unwrap();
        import.take().unwrap().first().skeleton().clone()
    };
    // The nodes are bent by 45 degrees, but the bind pose is straight.
    let bound = skeleton("bind-pose.gltf");
    assert!(bound.rest_positions()[2].distance(Vec3::new(0.0, 3.0, 0.0)) < 1e-6);
    let roles = |name: &str| skeleton(name).joints().iter().map(|joint| joint.role).collect::<Vec<_>>();
    let arm = [Role::LeftUpperArm, Role::LeftLowerArm];
    assert_eq!(roles("vrm-1.vrm"), [arm[0], arm[1], Role::LeftHand].map(Some));
    assert_eq!(roles("vrm-0.vrm"), [arm[0], arm[1], Role::LeftThumbProximal].map(Some));
}

#[test]
fn every_code_occurs_in_a_fixture() {
    let written = "only the writer reports it";
    let not_read = ["gltf/too-long", "gltf/not-humanoid", "gltf/reduced"].map(|id| (id, written));
    fixture_set().check_codes(&[gltf::codes::ALL], &not_read);
}

#[test]
fn good_reports_contain_independently_computed_positions() {
    for fixture in fixture_set().all("good") {
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
