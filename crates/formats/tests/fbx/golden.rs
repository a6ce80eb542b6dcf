//! Compares world positions with the plain reader's, for every joint and frame of the good fixtures.

use glam::DVec3;
use marey_formats::fbx::{self, FbxSettings};
use marey_motion::Take;

use crate::document;
use crate::fixtures::{FBX, Fixture};
use crate::plain_reader::{self, Plain};

/// Largest deviation of a joint, in file units. Fixtures are at most a few hundred units large.
const TOLERANCE: f64 = 2e-4;

fn plain(fixture: &Fixture) -> Plain {
    plain_reader::read(&document::parse(std::str::from_utf8(&fixture.bytes).unwrap()))
}

/// The largest distance of a joint from its position by the plain reader.
fn largest_error(take: &Take, plain: &Plain, mirror_x: bool) -> f64 {
    let begin_secs = plain.first_key_secs(take.name());
    let mut largest = 0f64;
    for actor in take.actors() {
        let world = actor.clip.world();
        for frame in 0..take.frames() {
            let places = plain.places(take.name(), begin_secs + frame as f64 / take.rate_hz());
            for (joint, found) in actor.clip.skeleton().joints().iter().zip(world.positions_at(frame)) {
                let mut wanted = places[&joint.name];
                if mirror_x {
                    wanted.x = -wanted.x;
                }
                largest = largest.max(found.as_dvec3().distance(wanted));
            }
        }
    }
    largest
}

#[test]
fn good_fixtures_agree_with_the_plain_reader() {
    let mut compared = 0;
    for fixture in FBX.all("good").iter().filter(|fixture| !fixture.bytes.starts_with(b"Kaydara")) {
        let plain = plain(fixture);
        let file = fbx::read(&fixture.bytes, &FbxSettings::default()).unwrap();
        for take in &file.takes {
            let error = largest_error(take, &plain, fixture.is_named("left-handed.fbx"));
            assert!(error <= TOLERANCE, "{} {}: {error}", fixture.path.display(), take.name());
            compared += 1;
        }
    }
    assert!(compared >= 14, "only {compared} takes were compared");
}

/// `leg.fbx`: the hip at (0, 80, 25), the knee 45 below it and rotated by 90° about x, the ankle (0, −45, 5) from it.
#[test]
fn the_leg_has_the_positions_computed_by_hand() {
    let file = fbx::read(&FBX.named("good", "leg.fbx").bytes, &FbxSettings::default()).unwrap();
    let world = file.takes[0].first().world();
    let wanted = [DVec3::new(0.0, 80.0, 25.0), DVec3::new(0.0, 35.0, 25.0), DVec3::new(0.0, 30.0, -20.0)];
    for (found, wanted) in world.positions_at(2).iter().zip(wanted) {
        assert!(found.as_dvec3().distance(wanted) < 1e-4, "{found} is not {wanted}");
    }
}

#[test]
fn a_higher_rate_gives_more_samples() {
    let bytes = FBX.named("good", "leg.fbx").bytes;
    let plain = fbx::read(&bytes, &FbxSettings::default()).unwrap();
    let told = fbx::read(&bytes, &FbxSettings { rate_hz: Some(60.0), ..FbxSettings::default() }).unwrap();
    let (plain, told) = (plain.takes[0].first(), told.takes[0].first());
    assert_eq!((plain.frames(), told.frames(), told.rate_hz()), (3, 5, 60.0));
    for frame in 0..3 {
        let (a, b) = (plain.pose(frame).positions[0], told.pose(2 * frame).positions[0]);
        assert!(a.distance(b) < 1e-4, "{a} {b}");
    }
}
