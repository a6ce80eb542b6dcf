//! Captured walks on generated uneven terrain, if motion capture data is available.
#![expect(clippy::print_stderr, reason = "the test prints a table of its measurements")]

mod stairs;

use marey_formats::{ReadOptions, read};
use marey_measure::contact_slide::contact_slide;
use marey_measure::jolt::{jolts, percentile_mps2};
use marey_measure::sink::sink_in;
use marey_motion::{Clip, Role, Terrain, Vec2, WorldPose};
use marey_ops::contacts::{self, detect};
use marey_plan::{Seed, SourceRef};
use marey_traverse::{CrossingRequest, GroundPath, PrimitiveDatabase, TraverseExample, TraverseSettings};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use stairs::stairs;

/// A captured walk without its first frame, which is a calibration pose.
fn example(file: &str) -> Option<TraverseExample> {
    let path = marey_capture::folder("cmu")?.join(file);
    let import = read(&marey_capture::bytes(&path), None, &ReadOptions::default()).unwrap();
    let clip = import.take().unwrap().first().clone();
    let clip = clip.slice(1..clip.frames()).unwrap();
    // On uneven ground, plants can be several steps above each other.
    let settings = contacts::ContactSettings {
        uneven_m: 0.4,
        floor_range_m: 5.0,
        ..contacts::ContactSettings::default()
    };
    let contacts = detect(&clip, &settings).unwrap().contacts;
    Some(TraverseExample {
        source: SourceRef { take: file.to_owned(), actor: 0 },
        clip,
        contacts,
        tags: vec![],
        unusable: Vec::new(),
    })
}

/// Level stretches, slopes of up to 7° and steps of up to 10 cm.
fn uneven_terrain(seed: u64) -> Terrain {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut at = Vec2::new(1.5, 0.0);
    let mut points = vec![Vec2::new(-1.0, 0.0), at];
    for _ in 0..8 {
        if rng.random_bool(0.5) {
            at.y += rng.random_range(-0.1..0.1f32);
            points.push(at);
        }
        let along_m = rng.random_range(0.5..1.0f32);
        at += Vec2::new(along_m, along_m * rng.random_range(-0.12..0.12f32));
        points.push(at);
    }
    points.push(at + Vec2::X * 2.0);
    Terrain::new(vec![points]).unwrap()
}

/// Minimum height of the hips above an ankle, in metres.
fn min_hip_height_m(clip: &Clip) -> f32 {
    let joint = |role: Role| clip.skeleton().joint_of(role).unwrap();
    let (hips, feet) = (joint(Role::Hips), [Role::LeftFoot, Role::RightFoot].map(joint));
    let worlds = clip.poses().map(|pose| WorldPose::of(clip.skeleton(), pose).positions);
    let drops = worlds.flat_map(|at| feet.map(|foot| at[hips].y - at[foot].y));
    drops.fold(f32::INFINITY, f32::min)
}

/// Crosses terrains with the walks of one person.
fn cross_all(files: &[&str], terrains: &[Terrain]) {
    let Some(examples) = files.iter().map(|file| example(file)).collect::<Option<Vec<_>>>() else { return };
    let example_jolts: Vec<_> = examples.iter().map(|example| jolts(&example.clip)).collect();
    let example_mps2 = percentile_mps2(&example_jolts, 0.999);
    let example_slide =
        examples.iter().map(|example| contact_slide(&example.clip, &example.contacts).cm_per_sec);
    let example_slide = example_slide.fold(0.0, f64::max);
    let database = PrimitiveDatabase::new(examples, &TraverseSettings::for_walkers()).unwrap();
    for (index, terrain) in terrains.iter().enumerate() {
        let footings = database.footings(terrain);
        let request = CrossingRequest::new(terrain.clone());
        let (plan, _) = database.plan(&footings, &request, Seed(0), None).unwrap();
        let motion = database.realise(&plan, &footings, &GroundPath::straight()).unwrap();
        let mps2 = jolts(&motion.clip).percentile_mps2(0.999);
        let deepest_cm = sink_in(&motion.clip, terrain).deepest_cm;
        let slide = contact_slide(&motion.clip, &motion.contacts).cm_per_sec;
        let ankle_drop_m = min_hip_height_m(&motion.clip);
        let strides = motion.landings.len() - 1;
        eprintln!(
            "{} terrain {index}: {strides} strides; slide {slide:.1} cm/s, examples {example_slide:.1}; {deepest_cm:.1} cm deep; 99.9 % \
             {mps2:.0} m/s², examples {example_mps2:.0}; ankles {ankle_drop_m:.2} m below the hips",
            files[0],
        );
        let last_m = motion.landings[strides].footing.position.x;
        assert!(last_m > terrain.end_m() - 1.5 && strides > 8, "{last_m} of {}", terrain.end_m());
        assert!(
            slide < example_slide + 1.0
                && deepest_cm < 1.0
                && mps2 < 1.5 * example_mps2
                && ankle_drop_m > 0.2
        );
    }
}

#[test]
fn real_data_level_and_uneven_walks_cross_uneven_terrain() {
    let terrains: Vec<Terrain> = (0..4).map(uneven_terrain).collect();
    cross_all(&["walk_path/35_01.bvh", "walk_path/35_02.bvh", "walk_path/35_03.bvh"], &terrains);
    cross_all(&["uneven_terrain/36_01.bvh", "uneven_terrain/36_10.bvh"], &terrains);
}

#[test]
fn real_data_uneven_walks_climb_stairs() {
    cross_all(&["uneven_terrain/36_01.bvh", "uneven_terrain/36_10.bvh"], &[stairs()]);
}
