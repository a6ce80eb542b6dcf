//! Runs every program of `examples/` and checks the motion that it writes.

mod support;

use std::path::Path;

use marey::follow::ControlInput;
use marey::measure::path::path_error;
use marey::motion::{Clip, PointClip, Vec2, Vec3};
use marey::perform::{PerformRequest, PerformerRecording};
use marey::prelude::*;
use support::Folder;

/// Includes a program as a module. Its `main` is not called here.
macro_rules! program {
    ($name:ident, $path:literal) => {
        #[path = $path]
        #[expect(dead_code, reason = "the tests call `run` instead of `main`")]
        mod $name;
    };
}

program!(convert, "../examples/convert.rs");
program!(duet, "../examples/duet.rs");
program!(follow_leader, "../examples/follow_leader.rs");
program!(follow_path, "../examples/follow_path.rs");
program!(judge, "../examples/judge.rs");
program!(perform_stream, "../examples/perform_stream.rs");
program!(read, "../examples/read.rs");
program!(traverse, "../examples/traverse.rs");
program!(tween, "../examples/tween.rs");
program!(vary, "../examples/vary.rs");

/// The only take of a file.
fn take_in(folder: &Folder, name: &str) -> Take {
    read_file(&folder.path(name), &ReadOptions::default()).unwrap().into_first().unwrap().take
}

/// Where the root is on the floor in a frame.
fn place(clip: &Clip, frame: usize) -> Vec2 {
    let root = clip.pose(frame).root_position();
    Vec2::new(root.x, root.z)
}

/// The largest distance between joints of two poses, in metres.
fn farthest_m(one: (&Clip, usize), other: (&Clip, usize)) -> f32 {
    let [one, other] = [one, other].map(|(clip, frame)| clip.world().positions_at(frame).to_vec());
    one.iter().zip(&other).map(|(one, other)| one.distance(*other)).fold(0.0, f32::max)
}

/// Every program of the folder has a test here.
#[test]
fn every_program_is_run() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let tests =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/examples.rs")).unwrap();
    let mut programs = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let name = entry.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned();
        assert!(tests.contains(&format!("{name}::run(")), "{name} is not run");
        programs += 1;
    }
    assert_eq!(programs, 10);
}

#[test]
fn read_writes_a_walk() {
    let folder = Folder::new("example-read");
    read::run(&folder.path("")).unwrap();
    let take = take_in(&folder, "walk.bvh");
    assert_eq!((take.frames(), take.rate_hz().round()), (360, 60.0));
}

#[test]
fn convert_mirrors_at_another_rate() {
    let folder = Folder::new("example-convert");
    convert::run(&folder.path("")).unwrap();
    let (before, after) = (take_in(&folder, "walk.bvh"), take_in(&folder, "mirrored.glb"));
    assert_eq!(after.rate_hz().round(), 24.0);
    // A second later, the character is at the mirrored place.
    let (before, after) = (place(before.first(), 60), place(after.first(), 24));
    assert!(
        before.x.abs() > 1e-3 && (before * Vec2::new(-1.0, 1.0)).distance(after) < 0.01,
        "{before} {after}"
    );
}

#[test]
fn follow_path_stays_on_the_path() {
    let folder = Folder::new("example-follow-path");
    follow_path::run(&folder.path("")).unwrap();
    let take = take_in(&folder, "walk.bvh");
    let ControlInput::Path { points, rate_hz: Some(rate_hz) } = follow_path::curve() else {
        panic!("not a path")
    };
    let points = points.iter().map(|[x, z]| Some(Vec3::new(*x, 0.0, *z))).collect();
    let path = PointClip::new(vec!["path".into()], rate_hz, points).unwrap();
    let deviation = path_error(take.first(), &path).unwrap();
    assert!(deviation.mean_cm < 10.0, "{deviation:?}");
    // The plan beside it realises to the same motion.
    let plan = std::fs::read_to_string(folder.path("plan.json")).unwrap();
    let request = marey::realise::RealiseRequest { plan, ..Default::default() };
    let again = marey::realise::run(&request, &Context::open(folder.path("walks.marey")).unwrap()).unwrap();
    assert_eq!(
        bvh::write(&again.take, &BvhOptions::default()).0,
        std::fs::read(folder.path("walk.bvh")).unwrap()
    );
}

#[test]
fn follow_leader_adds_a_partner_within_reach() {
    let folder = Folder::new("example-follow-leader");
    follow_leader::run(&folder.path("")).unwrap();
    let take = take_in(&folder, "pair.bvh");
    let [leader, follower] = take.actors() else { panic!("{} actors", take.actors().len()) };
    assert_eq!((leader.name.as_str(), follower.name.as_str()), ("leader", "follower"));
    let apart =
        (0..take.frames()).map(|frame| place(&leader.clip, frame).distance(place(&follower.clip, frame)));
    let (near, far) = apart.fold((f32::INFINITY, 0f32), |(near, far), m| (near.min(m), far.max(m)));
    assert!(near > 0.2 && far < 2.0, "from {near} to {far} m apart");
}

#[test]
fn duet_makes_new_motion_of_two() {
    let folder = Folder::new("example-duet");
    duet::run(&folder.path("")).unwrap();
    let take = take_in(&folder, "bout.bvh");
    assert_eq!((take.actors().len(), take.frames()), (2, 180));
    let [red, blue] = take.actors() else { panic!("{} actors", take.actors().len()) };
    let apart = |frame: usize| place(&red.clip, frame).distance(place(&blue.clip, frame));
    assert!((0..180).all(|frame| (0.3..4.0).contains(&apart(frame))));
    // Both move.
    for actor in [red, blue] {
        assert!(farthest_m((&actor.clip, 0), (&actor.clip, 90)) > 0.05, "{}", actor.name);
    }
}

#[test]
fn traverse_crosses_the_terrain_above_it() {
    let folder = Folder::new("example-traverse");
    traverse::run(&folder.path("")).unwrap();
    let take = take_in(&folder, "crossing.bvh");
    let (first, last) = (place(take.first(), 0), place(take.first(), take.frames() - 1));
    assert!(last.y - first.y > 2.0, "from {first} to {last}");
    let terrain = traverse::terrain().unwrap();
    let world = take.first().world();
    let deepest = (0..take.frames()).flat_map(|frame| world.positions_at(frame).to_vec());
    let deepest = deepest.map(|at| terrain.depth_m(Vec2::new(at.z, at.y))).fold(0.0, f32::max);
    assert!(deepest < 0.01, "{deepest} m under the ground");
}

#[test]
fn perform_stream_stands_and_sways_and_records_its_input() {
    let folder = Folder::new("example-perform");
    perform_stream::run(&folder.path("")).unwrap();
    let take = take_in(&folder, "hero.bvh");
    assert_eq!((take.frames(), take.rate_hz().round()), (150, 50.0));
    let x = |frame: usize| place(take.first(), frame).x;
    let sways = (60..150).map(x).fold(0.0, |most: f32, at| most.max((at - x(59)).abs()));
    assert!(sways > 0.02, "{sways} m");
    let recording = folder.path("performer.json");
    let recorded = PerformerRecording::from_text(&std::fs::read_to_string(&recording).unwrap()).unwrap();
    assert_eq!(recorded.frames(), 150);
    let request =
        PerformRequest { input: recording.to_str().unwrap().parse().unwrap(), ..Default::default() };
    let again = marey::perform::run(&request, &Context::new()).unwrap();
    let bytes = bvh::write(&again.take, &BvhOptions::default()).0;
    assert_eq!(bytes, std::fs::read(folder.path("hero.bvh")).unwrap());
}

#[test]
fn vary_makes_two_different_dances_of_the_same_couple() {
    let folder = Folder::new("example-vary");
    vary::run(&folder.path("")).unwrap();
    let [original, one, other] =
        ["original.bvh", "variation-1.bvh", "variation-2.bvh"].map(|name| take_in(&folder, name));
    for take in [&one, &other] {
        assert_eq!((take.frames(), take.actors().len()), (original.frames(), 2));
    }
    let differs = |a: &Take, b: &Take| {
        (0..a.frames()).filter(|&frame| farthest_m((a.first(), frame), (b.first(), frame)) > 0.05).count()
    };
    for (a, b) in [(&original, &one), (&original, &other), (&one, &other)] {
        assert!(differs(a, b) > original.frames() / 10, "{} and {}", a.name(), b.name());
    }
}

#[test]
fn tween_starts_and_ends_in_the_poses() {
    let folder = Folder::new("example-tween");
    tween::run(&folder.path("")).unwrap();
    let (walk, between) = (take_in(&folder, "walk.bvh"), take_in(&folder, "between.bvh"));
    assert!(between.frames() > 2);
    // Places are free; postures are not.
    let last = between.frames() - 1;
    for (frame, source) in [(0, 100), (last, 400)] {
        let (made, given) = (between.first().pose(frame), walk.first().pose(source));
        let turned = made.rotations[1..].iter().zip(&given.rotations[1..]);
        let most = turned.map(|(made, given)| made.angle_between(*given)).fold(0.0, f32::max);
        assert!(most < 0.35, "frame {frame}: {most} rad");
    }
}

#[test]
fn judge_fails_feet_that_slide() {
    let folder = Folder::new("example-judge");
    let [walk, sliding] = judge::run(&folder.path("")).unwrap();
    assert!(walk.passed && !sliding.passed);
    let failed: Vec<&str> = sliding.card.lines.iter().filter(|line| !line.ok).map(|line| line.name).collect();
    assert!(failed.contains(&"foot skate"), "{failed:?}");
    assert_eq!(take_in(&folder, "sliding.bvh").frames(), take_in(&folder, "walk.bvh").frames());
}
