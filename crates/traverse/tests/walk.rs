//! A person walks over stairs, and along a curved path.

mod stairs;

use std::sync::OnceLock;

use marey_examples::Example as GeneratedExample;
use marey_examples::walk::{WalkSettings, walk};
use marey_motion::{Role, Terrain, Vec2, Vec3};
use marey_ops::sole::SolePoint;
use marey_plan::{Plan, Seed, SourceRef};
use marey_traverse::{
    AdaptedMotion, CrossingRequest, GroundPath, PrimitiveDatabase, TraverseExample, TraverseSettings,
};

use stairs::stairs;

fn examples() -> Vec<TraverseExample> {
    static WALK: OnceLock<GeneratedExample> = OnceLock::new();
    let settings = WalkSettings { seed: 5, duration_secs: 40.0, ..WalkSettings::default() };
    let generated = WALK.get_or_init(|| walk(&settings).unwrap());
    vec![TraverseExample {
        source: SourceRef { take: "walk".into(), actor: 0 },
        clip: generated.take.first().clone(),
        contacts: generated.truth.contacts().cloned().unwrap_or_default(),
        tags: generated.truth.labels().to_vec(),
        unusable: Vec::new(),
    }]
}

fn cross(terrain: &Terrain, path: &GroundPath) -> (PrimitiveDatabase, Plan, AdaptedMotion) {
    let database = PrimitiveDatabase::new(examples(), &TraverseSettings::for_walkers()).unwrap();
    let footings = database.footings(terrain);
    let (plan, _) = database.plan(&footings, &CrossingRequest::new(terrain.clone()), Seed(0), None).unwrap();
    let motion = database.realise(&plan, &footings, path).unwrap();
    (database, plan, motion)
}

#[test]
fn strides_reach_from_plant_to_plant() {
    let database = PrimitiveDatabase::new(examples(), &TraverseSettings::for_walkers()).unwrap();
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
fn feet_stand_on_stairs_without_penetrating_them() {
    let terrain = stairs();
    let (_, plan, motion) = cross(&terrain, &GroundPath::straight());
    assert_eq!(motion.clip.frames(), plan.frames());
    let points = SolePoint::all(motion.clip.skeleton());
    let paths = SolePoint::paths(&points, &motion.clip);
    for (point, path) in points.iter().zip(&paths) {
        let clearance_m = |at: &Vec3| at.y - point.rest_m() - terrain.height_at(at.z).unwrap();
        let deepest = path.iter().map(clearance_m).fold(f32::INFINITY, f32::min);
        assert!(deepest > -0.02, "{:?} {:?}: {deepest}", point.side, point.part);
    }
    // Tips of toes do not penetrate the stairs either, not even the face of a step.
    for pose in motion.clip.poses() {
        let world = marey_motion::WorldPose::of(motion.clip.skeleton(), pose);
        let deepest = world.tips().map(|tip| terrain.depth_m(Vec2::new(tip.z, tip.y))).fold(0.0, f32::max);
        assert!(deepest < 0.01, "{deepest}");
    }
    // Standing feet do not slide, and accelerations stay below twice those of the examples.
    assert!(marey_measure::contact_slide::contact_slide(&motion.clip, &motion.contacts).cm_per_sec < 1.0);
    let peak_mps2 = |clip: &marey_motion::Clip| marey_measure::jolt::jolts(clip).percentile_mps2(0.999);
    assert!(peak_mps2(&motion.clip) < 2.0 * peak_mps2(&examples()[0].clip), "{}", peak_mps2(&motion.clip));
    // The walk climbs to the top.
    let highest = motion.landings.iter().map(|landing| landing.footing.position.y).fold(0.0, f32::max);
    assert!(highest > 0.55, "{highest}");
    let hips: Vec<Vec3> = motion.clip.root_positions().collect();
    let rise = hips.iter().map(|at| at.y).fold(0.0, f32::max) - hips[0].y;
    assert!(rise > 0.4 && rise < 0.75, "{rise}");
    // The hips do not jump.
    let fastest = hips.windows(2).map(|two| two[0].distance(two[1])).fold(0.0, f32::max);
    assert!(fastest * (motion.clip.rate_hz() as f32) < 3.0, "{fastest}");
}

#[test]
fn standing_feet_do_not_slide_on_a_curved_path() {
    let bend: Vec<Vec2> = (0..60)
        .map(|i| 0.15 * i as f32)
        .map(|s| Vec2::new(6.0 * (1.0 - (s / 6.0).cos()), 6.0 * (s / 6.0).sin()))
        .collect();
    let (_, _, motion) = cross(&stairs(), &GroundPath::new(bend).unwrap());
    let points = SolePoint::all(motion.clip.skeleton());
    let paths = SolePoint::paths(&points, &motion.clip);
    for (point, path) in points.iter().zip(&paths) {
        let role = point.part.role(point.side);
        for interval in motion.contacts.of(role).filter(|interval| interval.len() > 20) {
            let (from, until) = (interval.start + interval.len() / 3, interval.end - interval.len() / 3);
            let slide_m = path[from].distance(path[until]);
            assert!(slide_m < 0.02, "{role:?} {interval:?}: {slide_m}");
        }
    }
    let knees =
        [Role::LeftLowerLeg, Role::RightLowerLeg].map(|role| motion.clip.skeleton().joint_of(role).unwrap());
    for frame in 0..motion.clip.frames() {
        for knee in knees {
            let fold = motion.clip.pose(frame).rotations[knee].to_axis_angle().1;
            assert!(fold < 2.3, "frame {frame}: a knee is folded by {fold}");
        }
    }
}

#[test]
fn splicing_upper_bodies_does_not_move_feet() {
    let terrain = stairs();
    let realise = |splice_max_correlation: f64| {
        let settings = TraverseSettings { splice_max_correlation, ..TraverseSettings::for_walkers() };
        let database = PrimitiveDatabase::new(examples(), &settings).unwrap();
        let footings = database.footings(&terrain);
        let request = CrossingRequest::new(terrain.clone());
        let (plan, _) = database.plan(&footings, &request, Seed(0), None).unwrap();
        let correlation = database.body_correlation().unwrap();
        assert!(correlation > 0.0 && correlation < 1.0, "{correlation}");
        database.realise(&plan, &footings, &GroundPath::straight()).unwrap().clip
    };
    let (unspliced, spliced) = (realise(0.0), realise(1.0));
    let at = |clip: &marey_motion::Clip, frame: usize, role: Role| {
        let joint = clip.skeleton().joint_of(role).unwrap();
        marey_motion::WorldPose::of(clip.skeleton(), clip.pose(frame)).positions[joint]
    };
    let max_distance_m = |role: Role| {
        (0..unspliced.frames())
            .map(|frame| at(&unspliced, frame, role).distance(at(&spliced, frame, role)))
            .fold(0.0, f32::max)
    };
    assert!(max_distance_m(Role::LeftFoot) < 1e-4 && max_distance_m(Role::Hips) < 1e-4);
    assert!(max_distance_m(Role::LeftHand) > 0.01);
}

#[test]
fn edited_landing_changes_three_placements_and_the_smoothing_window_only() {
    let terrain = stairs();
    let (database, plan, motion) = cross(&terrain, &GroundPath::straight());
    let edited_index = 4;
    let mut edited = plan.clone();
    edited.actors[0].placements[edited_index].world_from_source.z -= 0.05;
    let changed = database.realise(&edited, &database.footings(&terrain), &GroundPath::straight()).unwrap();
    let placements = &plan.actors[0].placements;
    let window = (0.3 * plan.rate_hz).ceil() as usize;
    let affected =
        placements[edited_index].start.saturating_sub(window)..placements[edited_index + 2].end() + window;
    assert!(affected.start > 0 && affected.end < motion.clip.frames());
    for frame in (0..motion.clip.frames()).filter(|frame| !affected.contains(frame)) {
        assert_eq!(changed.clip.pose(frame), motion.clip.pose(frame), "frame {frame}");
    }
    assert_ne!(changed.landings[edited_index + 1], motion.landings[edited_index + 1]);
    let landing = placements[edited_index].end();
    assert_ne!(changed.clip.pose(landing), motion.clip.pose(landing));
}

#[test]
fn strides_with_unusable_frames_are_left_out_and_counted() {
    let settings = TraverseSettings { redundancy_radius_m: 0.0, ..TraverseSettings::for_walkers() };
    let database = |unusable: Vec<std::ops::Range<usize>>| {
        let examples =
            examples().into_iter().map(|example| TraverseExample { unusable: unusable.clone(), ..example });
        PrimitiveDatabase::new(examples.collect(), &settings)
    };
    let all = database(vec![]).unwrap();
    let (first, last) = (&all.primitives()[0], all.primitives().last().unwrap());
    let gap = first.frames.start..last.frames.start;
    let some = database(vec![gap.clone()]).unwrap();
    assert!(some.primitives().iter().all(|one| one.frames.end < gap.start || one.frames.start >= gap.end));
    assert_eq!(some.primitives().len() + some.unusable_count(), all.primitives().len());
    let none = database(std::iter::once(0..usize::MAX).collect()).unwrap_err().to_string();
    assert!(none.contains(&format!("{} were left out", all.primitives().len())), "{none}");
}
