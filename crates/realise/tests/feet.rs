//! Feet that stand do not move, knees neither lock nor flip, nothing jumps.
#![expect(clippy::print_stdout, reason = "the figures are what one runs this for: --nocapture shows them")]

mod kit;

use std::sync::Arc;

use kit::{Chain, Map, bad_plan, walks};
use marey_measure::jolt::{jolts, percentile_mps2};
use marey_measure::skate::skate;
use marey_motion::{Clip, Contacts, Role, Side, Vec3};
use marey_ops::sole::SolePoint;
use marey_realise::{Example, Realised, Settings, codes, plant, realise};

/// The farthest that a part of a sole gets from where it came to stand, in metres.
fn farthest_m(clip: &Clip, contacts: &Contacts) -> f32 {
    let points = SolePoint::all(clip.skeleton());
    let paths = SolePoint::paths(&points, clip);
    let mut farthest = 0f32;
    for (point, path) in points.iter().zip(&paths) {
        for frames in contacts.of(point.part.role(point.side)) {
            let moved = frames.clone().map(|frame| path[frame].distance(path[frames.start]));
            farthest = moved.fold(farthest, f32::max);
        }
    }
    farthest
}

/// The least fold of any knee, in radians, and the farthest that one points away from the front of its thigh, as the
/// length of the knee's way off the line from hip to ankle, in metres.
fn knees(clip: &Clip) -> (f32, f32) {
    let world = clip.world();
    let rest = clip.skeleton().rest_world_rotations();
    let (mut fold, mut back) = (f32::INFINITY, 0f32);
    for side in Side::BOTH {
        let [hip, knee, ankle] = [Role::LeftUpperLeg, Role::LeftLowerLeg, Role::LeftFoot]
            .map(|role| clip.skeleton().joint_of(role.on(side)).unwrap());
        for frame in 0..clip.frames() {
            let at = world.positions_at(frame);
            let (thigh, shank) = (at[knee] - at[hip], at[ankle] - at[knee]);
            fold = fold.min(thigh.cross(shank).length().atan2(thigh.dot(shank)));
            let line = (at[ankle] - at[hip]).normalize();
            let front = world.rotations_at(frame)[hip] * rest[hip].inverse() * Vec3::Z;
            back = back.max(-(thigh - line * thigh.dot(line)).dot(front));
        }
    }
    (fold, back)
}

#[test]
fn a_bad_plan_comes_out_standing_and_smooth() {
    let map = walks(6, 20.0);
    let usual = percentile_mps2(&map.values().map(|example| jolts(&example.clip)).collect::<Vec<_>>(), 0.999);
    let mut all = Vec::new();
    for seed in 0..8 {
        let plan = bad_plan(&map, seed, 10);
        let off = Settings { plant: None, ..Settings::default() };
        let before = realise(&plan, &map, &off).unwrap();
        let after = realise(&plan, &map, &Settings::default()).unwrap();
        let numbers = |realised: &Realised| {
            (skate(realised.take.first(), &realised.contacts[0], 0.0), jolts(realised.take.first()))
        };
        let ((slid, _), (stood, jolts)) = (numbers(&before), numbers(&after));
        println!(
            "plan {seed}: skate {:.1} -> {:.3} cm/s, contact {:.1} -> {:.1} s, largest {:.0} of {usual:.0} m/s²",
            slid.cm_per_sec, stood.cm_per_sec, slid.contact_secs, stood.contact_secs, jolts.largest_mps2
        );
        assert!(slid.cm_per_sec > 10.0 && stood.cm_per_sec < 0.5);
        assert!(stood.contact_secs > 0.7 * slid.contact_secs);
        assert!(jolts.largest_mps2 < 1.5 * usual);
        assert!(farthest_m(after.take.first(), &after.contacts[0]) < 1e-3);
        let (fold, back) = knees(after.take.first());
        assert!(fold > 0.1 && back < 1e-4, "{fold} {back}");
        assert!(after.report.has(&codes::LET_GO));
        all.push(jolts);
    }
    assert!(percentile_mps2(&all, 0.999) <= usual);
}

#[test]
fn stretched_walks_stand_still() {
    let map = walks(4, 20.0);
    for seed in 0..4 {
        for stretch in [0.8, 0.9, 1.0, 1.1, 1.2] {
            let mut chain = Chain::new(&map);
            chain.add(seed, 60..560, (500.0 * stretch) as usize);
            chain.add(seed, 620..1120, (500.0 * stretch) as usize);
            let plan = chain.plan();
            let after = realise(&plan, &map, &Settings::default()).unwrap();
            let farthest_mm = 1000.0 * farthest_m(after.take.first(), &after.contacts[0]);
            let (fold, back) = knees(after.take.first());
            println!("walk {seed} × {stretch}: moved {farthest_mm:.2} mm, least fold {fold:.2} rad");
            assert!(farthest_mm < 1.0);
            assert!(fold > 0.1 && back < 1e-4);
        }
    }
}

#[test]
fn what_cannot_be_reached_is_told() {
    let map = walks(6, 20.0);
    let mut settings = Settings::default();
    // Feet may be pulled as far as they like, and hips do not give way.
    settings.plant =
        settings.plant.map(|plant| plant::Settings { most_pull_m: 1.0, most_drop_m: 0.0, ..plant });
    let realised = realise(&bad_plan(&map, 1, 10), &map, &settings).unwrap();
    assert!(realised.report.has(&codes::OUT_OF_REACH));
    assert!(realised.report.warnings()[0].place.frame.is_some());
}

#[test]
fn a_body_without_legs_is_left_as_it_is_and_that_is_told() {
    let map = walks(1, 8.0);
    let plan = {
        let mut chain = Chain::new(&map);
        chain.add(0, 100..200, 100);
        chain.plan()
    };
    let strip = |example: &Example| {
        let skeleton = example.clip.skeleton();
        let bare = Arc::new(skeleton.with_roles(&vec![None; skeleton.len()]).unwrap());
        Example { clip: example.clip.clone().with_skeleton(bare).unwrap(), ..example.clone() }
    };
    let bare: Map = map.iter().map(|(source, example)| (source.clone(), strip(example))).collect();
    let realised = realise(&plan, &bare, &Settings::default()).unwrap();
    assert!(realised.report.has(&codes::NO_LEGS));
    assert!(realise(&plan, &map, &Settings::default()).unwrap().report.is_empty());
}
