//! The lamp: its hops, ground contact, and the benefit of lookahead.

use marey_examples::luxo::{Crossing, LuxoSettings, cross, datasets, luxo, terrain};
use marey_motion::{Coded, Role, Terrain, Vec2, WorldPose};

/// A short course for tests.
fn settings(seed: u64) -> LuxoSettings {
    LuxoSettings { seed, length_m: 3.0, ..LuxoSettings::default() }
}

/// Positions of the joints and tips in each frame, in the plane.
fn points(crossing: &Crossing) -> Vec<Vec<Vec2>> {
    let clip = crossing.example.take.first();
    let pose = |frame| WorldPose::of(clip.skeleton(), clip.pose(frame));
    let flat = |pose: WorldPose| pose.positions.iter().copied().chain(pose.tips()).collect::<Vec<_>>();
    let plane = |p: marey_motion::Vec3| {
        assert_eq!(p.x, 0.0, "the lamp stays in its plane");
        Vec2::new(p.z, p.y)
    };
    (0..clip.frames()).map(|frame| flat(pose(frame)).into_iter().map(plane).collect()).collect()
}

#[test]
fn a_seed_gives_the_same_crossing_and_seeds_differ() {
    let one = luxo(&settings(4)).unwrap();
    assert_eq!(one, luxo(&settings(4)).unwrap());
    assert_ne!(one.terrain, luxo(&settings(5)).unwrap().terrain);
    assert!(one.crossed && one.hops >= 5);
    // The crossing is the same at another rate.
    let slow = luxo(&LuxoSettings { rate_hz: 30.0, ..settings(4) }).unwrap();
    let (fast, slow) = (points(&one), points(&slow));
    for (frame, slow) in slow.iter().enumerate() {
        let distance = slow.iter().zip(&fast[2 * frame]).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
        assert!(distance < 1e-6, "frame {frame}: {distance}");
    }
}

#[test]
fn lookahead_crosses_more_terrains_than_preference_alone() {
    let seeds = 40..50;
    let crossed = |lookahead| {
        let crossings = seeds.clone().map(|seed| {
            let settings = LuxoSettings { lookahead, ..settings(seed) };
            cross(&terrain(&settings).unwrap(), &settings).unwrap()
        });
        crossings.filter(|crossing| crossing.crossed).count()
    };
    let (with_lookahead, without) = (crossed(3), crossed(0));
    assert!(with_lookahead >= 9, "{with_lookahead} of 10");
    assert!(without + 3 <= with_lookahead, "{without} without lookahead, {with_lookahead} with");
}

#[test]
fn the_lamp_stands_on_the_ground_without_penetrating_it() {
    for seed in [1, 2, 3] {
        let crossing = luxo(&settings(seed)).unwrap();
        let contacts = crossing.example.truth.contacts().unwrap();
        for (frame, points) in points(&crossing).iter().enumerate() {
            let deepest = points.iter().map(|point| crossing.terrain.depth_m(*point)).fold(0.0, f32::max);
            assert!(deepest < 0.0025, "seed {seed}, frame {frame}: {deepest} m deep");
            if contacts.touches(Role::Hips, frame) {
                assert!(sole_gap_m(points, &crossing.terrain) < 0.012, "seed {seed}, frame {frame} hovers");
            }
        }
    }
}

/// The smallest distance of the sole from the ground.
fn sole_gap_m(points: &[Vec2], terrain: &Terrain) -> f32 {
    // The base is the first joint, the ends of its sole the first two tips.
    let (behind, ahead) = (points[4], points[5]);
    let gaps = (0..=50).filter_map(|i| {
        let at = behind.lerp(ahead, i as f32 / 50.0);
        Some(at.y - terrain.height_at(at.x)?)
    });
    gaps.fold(f32::INFINITY, f32::min)
}

#[test]
fn every_hop_crouches_flies_lands_and_rests() {
    let crossing = luxo(&settings(7)).unwrap();
    let (clip, truth) = (crossing.example.take.first(), &crossing.example.truth);
    let points = points(&crossing);
    let head_over_sole = |frame: usize| points[frame][3].y - points[frame][0].y;
    assert_eq!(truth.cuts().len(), crossing.hops);
    assert_eq!((truth.labels()[0].start, truth.labels()[crossing.hops - 1].end), (0, clip.frames()));
    let stands: Vec<_> = truth.contacts().unwrap().of(Role::Hips).cloned().collect();
    assert_eq!(stands.len(), crossing.hops + 1, "one flight a hop");
    for (hop, flight) in truth.labels().iter().zip(stands.windows(2)) {
        let (take_off, landing) = (flight[0].end, flight[1].start);
        assert!(hop.start < take_off && landing < hop.end, "{hop:?} flies {take_off}..{landing}");
        let lowest = (hop.start..take_off).map(head_over_sole).fold(f32::INFINITY, f32::min);
        assert!(lowest < head_over_sole(hop.start) - 0.02, "{hop:?} crouches");
        let (a, b) = (&points[hop.end - 2], &points[hop.end - 1]);
        let fastest =
            a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max) * clip.rate_hz() as f32;
        assert!(fastest < 0.15, "{hop:?} ends at {fastest} m/s");
        assert!(points[hop.end - 1][0].x > points[hop.start][0].x, "{hop:?} goes ahead");
        // From 0.1 s after the landing on, the base does not move.
        let rest = (landing + clip.rate_hz() as usize / 10).min(hop.end - 1);
        let slid = points[rest][0].distance(points[hop.end - 1][0]);
        assert!(slid < 0.02, "{hop:?} slides {slid} m");
    }
}

#[test]
fn the_datasets_have_different_ground() {
    let [gentle, rough] = datasets(&settings(0)).unwrap();
    assert!(gentle.crossed && rough.crossed);
    assert_eq!(gentle.terrain.gaps().count(), 0);
    let steepest = |terrain: &Terrain| {
        terrain.segments().map(|[from, to]| (to - from).to_angle().abs()).fold(0.0, f32::max)
    };
    assert!(steepest(&gentle.terrain) < 0.13);
    assert_ne!(gentle.terrain, rough.terrain);
}

#[test]
fn invalid_settings_are_refused() {
    for wrong in [
        LuxoSettings { rate_hz: 500.0, ..settings(0) },
        LuxoSettings { length_m: f32::NAN, ..settings(0) },
        LuxoSettings { roughness: -1.0, ..settings(0) },
        LuxoSettings { lookahead: 9, ..settings(0) },
    ] {
        assert_eq!(luxo(&wrong).unwrap_err().code().id, "examples/setting");
    }
    let late = Terrain::new(vec![vec![Vec2::ZERO, Vec2::X * 5.0]]).unwrap();
    assert_eq!(cross(&late, &settings(0)).unwrap_err().code().id, "examples/setting");
    // With a wall before the goal and no lookahead, the lamp falls, and the crossing reports it.
    let wall = vec![Vec2::new(-1.0, 0.0), Vec2::new(1.0, 0.0), Vec2::new(1.0, 2.0), Vec2::new(4.0, 2.0)];
    let stuck = cross(&Terrain::new(vec![wall]).unwrap(), &settings(0)).unwrap();
    assert!(!stuck.crossed);
    let steep = LuxoSettings { lookahead: 0, roughness: 1.5, length_m: 50.0, ..settings(0) };
    assert_eq!(luxo(&steep).unwrap_err().code().id, "examples/fell");
}
