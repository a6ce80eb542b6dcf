//! Captured walks over uneven ground that nobody walked on, where motion capture is at hand.
#![expect(clippy::print_stderr, reason = "the table is what the test is for")]

mod stairs;

use marey_formats::{ReadOptions, read};
use marey_measure::jolt::{jolts, percentile_mps2};
use marey_measure::sink::sink_in;
use marey_measure::skate::skate;
use marey_motion::{Clip, Role, Terrain, Vec2, WorldPose};
use marey_ops::contacts::{self, detect};
use marey_plan::{Seed, SourceRef, answer};
use marey_traverse::{Crossing, Database, Example, Settings};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use stairs::stairs;

/// A captured walk, without the pose to calibrate by that it begins with.
fn example(file: &str) -> Option<Example> {
    let path = marey_capture::folder("cmu")?.join(file);
    let import = read(&marey_capture::bytes(&path), None, &ReadOptions::default()).unwrap();
    let clip = import.take().unwrap().first().clone();
    let clip = clip.slice(1..clip.frames()).unwrap();
    // Ground may be uneven: plants may be a few steps above each other.
    let settings = contacts::Settings { uneven_m: 0.4, floor_range_m: 5.0, ..contacts::Settings::default() };
    let contacts = detect(&clip, &settings).unwrap().contacts;
    Some(Example { source: SourceRef { take: file.to_owned(), actor: 0 }, clip, contacts, tags: vec![] })
}

/// Level stretches, slopes of up to 7° and steps of up to 10 cm, one after another.
fn uneven(seed: u64) -> Terrain {
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

/// How near an ankle comes to the hips from below, in metres.
fn least_drop_m(clip: &Clip) -> f32 {
    let joint = |role: Role| clip.skeleton().joint_of(role).unwrap();
    let (hips, feet) = (joint(Role::Hips), [Role::LeftFoot, Role::RightFoot].map(joint));
    let worlds = clip.poses().map(|pose| WorldPose::of(clip.skeleton(), pose).positions);
    let drops = worlds.flat_map(|at| feet.map(|foot| at[hips].y - at[foot].y));
    drops.fold(f32::INFINITY, f32::min)
}

/// Walks of one person over some grounds.
fn cross_all(files: &[&str], grounds: &[Terrain]) {
    let Some(examples) = files.iter().map(|file| example(file)).collect::<Option<Vec<_>>>() else { return };
    let own: Vec<_> = examples.iter().map(|example| jolts(&example.clip)).collect();
    let own_mps2 = percentile_mps2(&own, 0.999);
    let own_skate = examples.iter().map(|example| skate(&example.clip, &example.contacts, 0.0).cm_per_sec);
    let own_skate = own_skate.fold(0.0, f64::max);
    let database = Database::new(examples, &Settings::for_walkers()).unwrap();
    for (number, terrain) in grounds.iter().enumerate() {
        let brief = Crossing::of(terrain.clone(), database.rate_hz());
        let plan = answer(&database, &brief, Seed(0), None).unwrap();
        let crossed = database.realise(&plan, &database.footings(terrain)).unwrap();
        let mps2 = jolts(&crossed.clip).percentile_mps2(0.999);
        let deepest_cm = sink_in(&crossed.clip, terrain).deepest_cm;
        let skate = skate(&crossed.clip, &crossed.contacts, 0.0).cm_per_sec;
        let drop_m = least_drop_m(&crossed.clip);
        let strides = crossed.landings.len() - 1;
        eprintln!(
            "{} ground {number}: {strides} strides; skate {skate:.1} cm/s, examples {own_skate:.1}; {deepest_cm:.1} cm deep; 99.9 % \
             {mps2:.0} m/s², examples {own_mps2:.0}; ankles {drop_m:.2} m below the hips",
            files[0],
        );
        let last_m = crossed.landings[strides].1.at.x;
        assert!(last_m > terrain.end_m() - 1.5 && strides > 8, "{last_m} of {}", terrain.end_m());
        assert!(skate < own_skate + 1.0 && deepest_cm < 6.0 && mps2 < 1.5 * own_mps2 && drop_m > 0.2);
    }
}

#[test]
fn real_data_captured_walks_cross_uneven_ground() {
    let grounds: Vec<Terrain> = (0..4).map(uneven).collect();
    cross_all(&["walk_path/35_01.bvh", "walk_path/35_02.bvh", "walk_path/35_03.bvh"], &grounds);
    cross_all(&["uneven_terrain/36_01.bvh", "uneven_terrain/36_10.bvh"], &grounds);
}

#[test]
fn real_data_walks_captured_on_uneven_ground_climb_stairs() {
    cross_all(&["uneven_terrain/36_01.bvh", "uneven_terrain/36_10.bvh"], &[stairs()]);
}
