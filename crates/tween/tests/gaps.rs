//! Gaps that are filled as in the examples: exact ends, any length, continuous velocity, far poses, walks through the examples.

use marey_examples::walk::{WalkSettings, walk};
use marey_motion::{Clip, Coded, Ground, Observer};
use marey_plan::Seed;
use marey_tween::{
    EndPlace, GapCalibration, GapExample, GapModel, GapSettings, NearSettings, WanderSettings,
};

fn walker(seed: u64) -> Clip {
    let settings = WalkSettings { seed, duration_secs: 12.0, rate_hz: 60.0, ..WalkSettings::default() };
    walk(&settings).unwrap().take.first().clone()
}

fn model(seeds: &[u64]) -> GapModel {
    let example = |(take, seed): (usize, &u64)| GapExample { clip: walker(*seed), take };
    let examples: Vec<GapExample> = seeds.iter().enumerate().map(example).collect();
    GapModel::learn(&examples, &NearSettings::default(), None, Observer::ignore()).unwrap()
}

/// Mean distance of the joints of two clips, in metres.
fn distance_m(a: &Clip, b: &Clip) -> f32 {
    let (a, b) = (a.world(), b.world());
    let sum: f32 = a.positions.iter().zip(&b.positions).map(|(a, b)| a.distance(*b)).sum();
    sum / a.positions.len() as f32
}

#[test]
fn unseen_gaps_are_nearer_to_the_truth_than_interpolation() {
    let (model, truth) = (model(&[1, 2, 3]), walker(9));
    let (mut filled_m, mut straight_m) = (0.0, 0.0);
    for start in [100, 170, 250, 333, 404, 480] {
        let end = start + 40;
        let settings = GapSettings { rate_hz: 60.0, frames: Some(41), end: EndPlace::AsGiven };
        let motion = model.fill((&truth, start), (&truth, end), &settings).unwrap();
        assert_eq!((motion.clip.pose(0), motion.clip.pose(40)), (truth.pose(start), truth.pose(end)));
        let gap = truth.slice(start..end + 1).unwrap();
        filled_m += distance_m(&motion.clip, &gap);
        let line =
            gap.poses().enumerate().fold(marey_motion::ClipParts::default(), |mut parts, (frame, _)| {
                let share = frame as f32 / 40.0;
                let (a, b) = (gap.pose(0), gap.pose(40));
                parts.rotations.extend(a.rotations.iter().zip(b.rotations).map(|(a, b)| a.slerp(*b, share)));
                parts.positions.extend(a.positions.iter().zip(b.positions).map(|(a, b)| a.lerp(*b, share)));
                parts
            });
        straight_m += distance_m(&Clip::new(gap.skeleton().clone(), 60.0, line).unwrap(), &gap);
        assert!(motion.corpus_share > 0.5 && motion.distance < 10.0, "{motion:?}");
    }
    assert!(filled_m < 0.5 * straight_m, "{filled_m} m, interpolation {straight_m} m");
}

#[test]
fn velocities_are_continuous_at_both_ends() {
    let (model, truth) = (model(&[1, 2]), walker(8));
    let settings = GapSettings { rate_hz: 60.0, frames: Some(31), end: EndPlace::AsGiven };
    let settings_of_feet = NearSettings { plants_feet: false, ..NearSettings::default() };
    let examples = [GapExample { clip: walker(1), take: 0 }, GapExample { clip: walker(2), take: 1 }];
    let known = Some(model.calibration());
    let model = GapModel::learn(&examples, &settings_of_feet, known, Observer::ignore()).unwrap();
    let motion = model.fill((&truth, 200), (&truth, 230), &settings).unwrap();
    let joined =
        Clip::concat(&[truth.slice(195..200).unwrap(), motion.clip, truth.slice(231..236).unwrap()]).unwrap();
    let world = joined.world();
    let speed = |frame: usize, joint: usize| {
        60.0 * world.positions_at(frame + 1)[joint].distance(world.positions_at(frame)[joint])
    };
    for joint in 0..joined.skeleton().len() {
        for end in [5, 35] {
            let jump = (speed(end, joint) - speed(end - 1, joint)).abs();
            assert!(jump < 0.6, "joint {joint} jumps by {jump} m/s at frame {end}");
        }
    }
}

#[test]
fn every_pose_and_length_has_an_answer() {
    let model = model(&[1, 2]);
    let clip = walker(1);
    // A handstand is far from any walk.
    let mut parts = clip.slice(300..301).unwrap().into_parts();
    parts.rotations[0] = marey_motion::Quat::from_rotation_x(3.0) * parts.rotations[0];
    let handstand = Clip::new(clip.skeleton().clone(), 60.0, parts).unwrap();
    for frames in [2, 3, 7, 40, 149, 400] {
        for end in [EndPlace::Free, EndPlace::AsGiven, EndPlace::At(Ground::new(1.0, 2.0, 0.5))] {
            let settings = GapSettings { rate_hz: 60.0, frames: Some(frames), end };
            let near = model.fill((&clip, 100), (&clip, 300), &settings).unwrap();
            assert_eq!(near.clip.frames(), frames);
            assert_eq!(near.clip.pose(0), clip.pose(100));
            if let EndPlace::At(place) = end {
                let last = near.clip.slice(frames - 1..frames).unwrap().ground_track().frames[0];
                assert!((last.x - place.x).abs() + (last.z - place.z).abs() < 1e-3, "{last:?}");
            }
            let far = model.fill((&clip, 100), (&handstand, 0), &settings).unwrap();
            assert!(far.clip.frames() == frames && far.distance >= 0.0);
        }
    }
    let found = model.fill((&clip, 100), (&clip, 130), &GapSettings::default()).unwrap();
    assert!((5..=121).contains(&found.clip.frames()));
    let far = GapSettings { frames: Some(31), ..GapSettings::default() };
    let far = model.fill((&clip, 100), (&handstand, 0), &far).unwrap();
    let near = GapSettings { frames: Some(31), end: EndPlace::AsGiven, ..GapSettings::default() };
    let near = model.fill((&clip, 100), (&clip, 130), &near).unwrap();
    assert!(far.distance > 2.0 * near.distance && far.corpus_share < near.corpus_share);
}

#[test]
fn long_gaps_move_instead_of_freezing() {
    let model = model(&[1, 2]);
    let clip = walker(3);
    let settings = GapSettings { rate_hz: 60.0, frames: Some(601), end: EndPlace::Free };
    let motion = model.fill((&clip, 100), (&clip, 300), &settings).unwrap().clip;
    let moved_m = |range: std::ops::Range<usize>| {
        let track = motion.slice(range).unwrap().ground_track().frames;
        track.windows(2).map(|pair| (pair[1].translation() - pair[0].translation()).length()).sum::<f32>()
    };
    for second in 0..10 {
        assert!(moved_m(60 * second..60 * second + 60) > 0.2, "second {second}");
    }
}

#[test]
fn walks_through_the_examples_last_as_long_as_asked_and_repeat_with_their_seed() {
    let model = model(&[1, 2, 3]);
    let settings = WanderSettings::default();
    let walk = |seed| model.walk(None, 30.0, &settings, Seed(seed)).unwrap();
    let one = walk(1);
    let secs: f64 = one.iter().map(|piece| piece.secs.end - piece.secs.start).sum();
    assert!((secs - 30.0).abs() < 0.05 && one.len() > 2, "{secs} s in {} pieces", one.len());
    assert_eq!(one, walk(1));
    assert_ne!(one, walk(2));
    assert!(one.iter().all(|piece| piece.secs.start >= 0.0 && piece.secs.end <= 12.01));
}

#[test]
fn results_do_not_depend_on_threads_or_on_a_known_calibration() {
    let clip = walker(5);
    let result = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let model = model(&[1, 2]);
            let settings = GapSettings { frames: Some(41), ..GapSettings::default() };
            let filled = model.fill((&clip, 100), (&clip, 300), &settings).unwrap();
            (filled, model.calibration(), model.walk(None, 8.0, &WanderSettings::default(), Seed(5)).unwrap())
        })
    };
    let one = result(1);
    assert!(one == result(2) && one == result(8));
    let stored = GapCalibration::from_numbers(&one.1.to_numbers());
    let examples = [GapExample { clip: walker(1), take: 0 }, GapExample { clip: walker(2), take: 1 }];
    let again = GapModel::learn(&examples, &NearSettings::default(), stored, Observer::ignore()).unwrap();
    let settings = GapSettings { frames: Some(41), ..GapSettings::default() };
    assert_eq!(again.fill((&clip, 100), (&clip, 300), &settings).unwrap(), one.0);
    assert_eq!(GapCalibration::from_numbers(&[1, 2, 3]), None);
}

#[test]
fn invalid_requests_are_errors_with_codes() {
    let code = |examples: &[GapExample], settings: &NearSettings| {
        GapModel::learn(examples, settings, None, Observer::ignore()).err().map(|error| error.code().id)
    };
    assert_eq!(code(&[], &NearSettings::default()), Some("tween/short"));
    let falloff = NearSettings { falloff: f32::NAN, ..NearSettings::default() };
    assert_eq!(code(&[GapExample { clip: walker(1), take: 0 }], &falloff), Some("tween/setting"));
    // One frame is enough to interpolate.
    let clip = walker(1);
    let one = [GapExample { clip: clip.slice(0..1).unwrap(), take: 0 }];
    let model = GapModel::learn(&one, &NearSettings::default(), None, Observer::ignore()).unwrap();
    let filled = model.fill((&clip, 10), (&clip, 40), &GapSettings::default()).unwrap();
    assert!(filled.corpus_share == 0.0 && filled.clip.frames() > 2);
    let short = GapSettings { frames: Some(1), ..GapSettings::default() };
    assert_eq!(model.fill((&clip, 10), (&clip, 40), &short).unwrap_err().code().id, "tween/setting");
    assert!(model.walk(Some((&clip, 5)), 3.0, &WanderSettings::default(), Seed(1)).unwrap().len() > 1);
}
