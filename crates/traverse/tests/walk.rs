//! A person walks over stairs, and along a curved path.

mod stairs;

use std::sync::OnceLock;

use marey_examples::Example as GeneratedExample;
use marey_examples::walk::{WalkSettings, walk};
use marey_motion::{Role, Terrain, Vec2, Vec3};
use marey_ops::sole::SolePoint;
use marey_plan::{Plan, Seed, SourceRef};
use marey_traverse::{
    AdaptedMotion, CrossingRequest, GroundPath, PrimitiveDatabase, Strain, TraverseError, TraverseExample,
    TraverseSettings,
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
fn a_walk_begins_and_ends_standing_on_the_ground() {
    let terrain = stairs();
    let (_, plan, motion) = cross(&terrain, &GroundPath::straight());
    let clip = &motion.clip;
    let speed_mps = |frame: usize| {
        let roots: Vec<Vec3> = clip.root_positions().skip(frame).take(2).collect();
        roots[0].distance(roots[1]) * clip.rate_hz() as f32
    };
    let (first, last) = (plan.actors[0].placements[0].end(), clip.frames() - 2);
    // At rest, speeding up, walking, and at rest again.
    assert!(speed_mps(0) < 1e-4 && speed_mps(first + 3) < 0.2 && speed_mps(last) < 1e-4);
    assert!(speed_mps(clip.frames() / 2) > 0.5);
    // Neither while it speeds up nor while it slows down does its speed jump.
    let placements = &plan.actors[0].placements;
    let roots: Vec<Vec3> = clip.root_positions().collect();
    let (speeds_up, slows_down) = (&placements[1], &placements[placements.len() - 2]);
    for frames in [0..speeds_up.end() - 2, slows_down.start + 1..roots.len()] {
        let changes = roots[frames].windows(3).map(|at| (at[2] - 2.0 * at[1] + at[0]).with_y(0.0).length());
        let most_mps = changes.fold(0.0, f32::max) * clip.rate_hz() as f32;
        assert!(most_mps < 0.12, "{most_mps}");
    }
    // Both feet are flat on the ground, beside each other.
    let points = SolePoint::all(clip.skeleton());
    for frame in [0, clip.frames() - 1] {
        let world = marey_motion::WorldPose::of(clip.skeleton(), clip.pose(frame));
        let soles: Vec<Vec3> =
            points.iter().map(|point| point.at(&world.positions, &world.rotations)).collect();
        for (point, at) in points.iter().zip(&soles) {
            let above_m = at.y - point.rest_m() - terrain.height_at(at.z).unwrap();
            assert!(above_m.abs() < 0.005, "frame {frame}, {:?} {:?}: {above_m}", point.side, point.part);
        }
        let along_m = soles.iter().map(|at| at.z);
        let spread_m = along_m.clone().fold(f32::MIN, f32::max) - along_m.fold(f32::MAX, f32::min);
        assert!(spread_m < 0.3, "{spread_m}");
        assert!(
            motion.contacts.touches(Role::LeftFoot, frame) && motion.contacts.touches(Role::RightToes, frame)
        );
    }
}

#[test]
fn gaps_and_hurdles_beyond_the_examples_are_refused_with_place_and_number() {
    let database = PrimitiveDatabase::new(examples(), &TraverseSettings::for_walkers()).unwrap();
    let longest_m = database.max_length_m();
    let clearance_m = database.primitives().iter().map(|stride| stride.clearance_m).fold(0.0, f32::max);
    let at = |x: f32, y: f32| Vec2::new(x, y);
    let gap = |width_m: f32| {
        Terrain::new(vec![vec![at(-1.0, 0.0), at(2.0, 0.0)], vec![at(2.0 + width_m, 0.0), at(6.0, 0.0)]])
    };
    let hurdle = |up_m: f32| {
        let points = [(-1.0, 0.0), (2.0, 0.0), (2.0, up_m), (2.05, up_m), (2.05, 0.0), (6.0, 0.0)];
        Terrain::new(vec![points.map(|(x, y)| at(x, y)).to_vec()])
    };
    let plan = |terrain: Terrain| {
        let request = CrossingRequest::new(terrain.clone());
        database.plan(&database.footings(&terrain), &request, Seed(0), None).map(drop)
    };
    assert_eq!(plan(gap(0.3).unwrap()), Ok(()));
    assert_eq!(plan(hurdle(0.08).unwrap()), Ok(()));
    let margin_m = database.settings().length_margin_m;
    for (terrain, wanted) in [
        (gap(longest_m + margin_m).unwrap(), "behind a gap from 2.000"),
        (hurdle(clearance_m + 0.2).unwrap(), "behind an obstacle of 0."),
        (hurdle(0.5).unwrap(), "behind an obstacle of 0.500 m; strides lead at most"),
    ] {
        let error = plan(terrain).unwrap_err();
        assert!(error.to_string().contains(wanted), "{error}");
    }
}

#[test]
fn a_crossing_that_strains_the_body_is_refused_with_place_and_number() {
    let settings = TraverseSettings { knee_margin_rad: 0.15, ..TraverseSettings::for_walkers() };
    let database = PrimitiveDatabase::new(examples(), &settings).unwrap();
    let terrain = stairs();
    let plan = database.plan(&database.footings(&terrain), &CrossingRequest::new(terrain), Seed(0), None);
    let Err(TraverseError::Strained { along_m, strain: Strain::Knee { rad, most_rad }, .. }) = plan else {
        panic!("{plan:?}");
    };
    // The stairs begin at 2 m.
    assert!((1.5..6.5).contains(&along_m) && rad > most_rad, "{along_m} {rad} {most_rad}");
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
    // The first placement is standing, and the first landing is the start.
    assert_ne!(changed.landings[edited_index], motion.landings[edited_index]);
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
