//! A person walks over steps, and along a way that bends.

mod stairs;

use std::sync::OnceLock;

use marey_examples::Example as Made;
use marey_examples::walk::{WalkSettings, walk};
use marey_motion::{Role, Terrain, Vec2, Vec3};
use marey_ops::sole::SolePoint;
use marey_plan::{Plan, Seed, SourceRef, answer};
use marey_traverse::{Crossed, Crossing, Database, Example, Settings, Way};

use stairs::stairs;

fn examples() -> Vec<Example> {
    static WALKED: OnceLock<Made> = OnceLock::new();
    let settings = WalkSettings { seed: 5, duration_secs: 40.0, ..WalkSettings::default() };
    let walked = WALKED.get_or_init(|| walk(&settings).unwrap());
    vec![Example {
        source: SourceRef { take: "walk".into(), actor: 0 },
        clip: walked.take.first().clone(),
        contacts: walked.truth.contacts().cloned().unwrap_or_default(),
        tags: walked.truth.labels().to_vec(),
    }]
}

fn cross(terrain: &Terrain, way: &Way) -> (Database, Plan, Crossed) {
    let database = Database::new(examples(), &Settings::for_walkers()).unwrap();
    let brief = Crossing::of(terrain.clone(), database.rate_hz());
    let plan = answer(&database, &brief, Seed(0), None).unwrap();
    let crossed = database.realise_along(&plan, &database.footings(terrain), way).unwrap();
    (database, plan, crossed)
}

#[test]
fn strides_are_cut_from_plant_to_plant() {
    let database = Database::new(examples(), &Settings::for_walkers()).unwrap();
    assert!(database.primitives().len() > 20, "{}", database.primitives().len());
    for stride in database.primitives() {
        assert!(
            stride.height_m.abs() < 0.02 && stride.length_m > 0.15 && stride.length_m < 1.2,
            "{stride:?}"
        );
        assert!(stride.frames.start < stride.take_off && stride.take_off < stride.frames.end);
        assert!(stride.clearance_m > 0.0 && stride.clearance_m < 0.3);
    }
}

#[test]
fn feet_stand_on_the_steps_and_are_never_in_them() {
    let terrain = stairs();
    let (_, plan, crossed) = cross(&terrain, &Way::straight());
    assert_eq!(crossed.clip.frames(), plan.frames());
    let points = SolePoint::all(crossed.clip.skeleton());
    let paths = SolePoint::paths(&points, &crossed.clip);
    for (point, path) in points.iter().zip(&paths) {
        let over = |at: &Vec3| at.y - point.rest_m() - terrain.height_at(at.z).unwrap();
        let deepest = path.iter().map(over).fold(f32::INFINITY, f32::min);
        assert!(deepest > -0.02, "{:?} {:?}: {deepest}", point.side, point.part);
    }
    // Nor are tips of toes, also not in the face of a step.
    for pose in crossed.clip.poses() {
        let world = marey_motion::WorldPose::of(crossed.clip.skeleton(), pose);
        let deepest = world.tips().map(|tip| terrain.depth_m(Vec2::new(tip.z, tip.y))).fold(0.0, f32::max);
        assert!(deepest < 0.01, "{deepest}");
    }
    // Feet that stand do not slide, and nothing is more sudden than twice what the examples are.
    assert!(marey_measure::skate::skate(&crossed.clip, &crossed.contacts, 0.0).cm_per_sec < 1.0);
    let level = |clip: &marey_motion::Clip| marey_measure::jolt::jolts(clip).percentile_mps2(0.999);
    assert!(level(&crossed.clip) < 2.0 * level(&examples()[0].clip), "{}", level(&crossed.clip));
    // Feet climb: each step of the stairs is stood on, or the one beside it.
    let highest = crossed.landings.iter().map(|landing| landing.1.at.y).fold(0.0, f32::max);
    assert!(highest > 0.55, "{highest}");
    let hips: Vec<Vec3> = crossed.clip.root_positions().collect();
    let rise = hips.iter().map(|at| at.y).fold(0.0, f32::max) - hips[0].y;
    assert!(rise > 0.4 && rise < 0.75, "{rise}");
    // Nothing jumps.
    let fastest = hips.windows(2).map(|two| two[0].distance(two[1])).fold(0.0, f32::max);
    assert!(fastest * (crossed.clip.rate_hz() as f32) < 3.0, "{fastest}");
}

#[test]
fn a_flat_foot_does_not_slide_along_a_bend() {
    let bend: Vec<Vec2> = (0..60)
        .map(|i| 0.15 * i as f32)
        .map(|s| Vec2::new(6.0 * (1.0 - (s / 6.0).cos()), 6.0 * (s / 6.0).sin()))
        .collect();
    let (_, _, crossed) = cross(&stairs(), &Way::new(bend).unwrap());
    let points = SolePoint::all(crossed.clip.skeleton());
    let paths = SolePoint::paths(&points, &crossed.clip);
    for (point, path) in points.iter().zip(&paths) {
        let role = point.part.role(point.side);
        for stand in crossed.contacts.of(role).filter(|stand| stand.len() > 20) {
            let (from, until) = (stand.start + stand.len() / 3, stand.end - stand.len() / 3);
            let slid = path[from].distance(path[until]);
            assert!(slid < 0.02, "{role:?} {stand:?}: {slid}");
        }
    }
    let knees =
        [Role::LeftLowerLeg, Role::RightLowerLeg].map(|role| crossed.clip.skeleton().joint_of(role).unwrap());
    for frame in 0..crossed.clip.frames() {
        for knee in knees {
            let fold = crossed.clip.pose(frame).rotations[knee].to_axis_angle().1;
            assert!(fold < 2.3, "frame {frame}: a knee is folded by {fold}");
        }
    }
}

#[test]
fn upper_bodies_are_spliced_without_moving_a_foot() {
    let terrain = stairs();
    let made = |splice_below: f64| {
        let settings = Settings { splice_below, ..Settings::for_walkers() };
        let database = Database::new(examples(), &settings).unwrap();
        let brief = Crossing::of(terrain.clone(), database.rate_hz());
        let plan = answer(&database, &brief, Seed(0), None).unwrap();
        let together = database.together().unwrap();
        assert!(together > 0.0 && together < 1.0, "{together}");
        database.realise(&plan, &database.footings(&terrain)).unwrap().clip
    };
    let (whole, spliced) = (made(0.0), made(1.0));
    let at = |clip: &marey_motion::Clip, frame: usize, role: Role| {
        let joint = clip.skeleton().joint_of(role).unwrap();
        marey_motion::WorldPose::of(clip.skeleton(), clip.pose(frame)).positions[joint]
    };
    let apart = |role: Role| {
        (0..whole.frames())
            .map(|frame| at(&whole, frame, role).distance(at(&spliced, frame, role)))
            .fold(0.0, f32::max)
    };
    assert!(apart(Role::LeftFoot) < 1e-4 && apart(Role::Hips) < 1e-4);
    assert!(apart(Role::LeftHand) > 0.01);
}
