//! In-betweens as motion: exact end poses, planted feet, errors with codes.

use std::sync::Arc;

use marey_examples::ballet::{BalletSettings, ballet};
use marey_examples::walk::{WalkSettings, walk};
use marey_motion::{Clip, Coded, Joint, Role, Skeleton, Vec3};
use marey_ops::sole::SolePoint;
use marey_tween::{MotionStyle, StyleSettings, TweenMotion, TweenSettings, tween};

fn walker(seed: u64) -> Clip {
    let settings = WalkSettings { seed, duration_secs: 30.0, rate_hz: 60.0, ..WalkSettings::default() };
    walk(&settings).unwrap().take.first().clone()
}

fn style(clips: &[Clip]) -> MotionStyle {
    MotionStyle::learn(clips, &StyleSettings::default()).unwrap()
}

/// Speed of sole points in contact, in metres per second of contact.
fn slide_mps(motion: &TweenMotion) -> f32 {
    let points = SolePoint::all(motion.clip.skeleton());
    let paths = SolePoint::paths(&points, &motion.clip);
    let (mut distance_m, mut frames) = (0.0, 0usize);
    for (point, path) in points.iter().zip(&paths) {
        for interval in motion.contacts.of(point.part.role(point.side)) {
            let steps = path[interval.clone()].windows(2);
            distance_m += steps.map(|pair| (pair[1] - pair[0]).with_y(0.0).length()).sum::<f32>();
            frames += interval.len();
        }
    }
    distance_m * motion.clip.rate_hz() as f32 / frames.max(1) as f32
}

#[test]
fn end_poses_and_frame_count_are_as_requested() {
    let clip = walker(1);
    let style = style(std::slice::from_ref(&clip));
    for (from, to, frames) in [(200, 1100, None), (333, 700, Some(71)), (901, 150, Some(140))] {
        let settings = TweenSettings { frames, ..TweenSettings::default() };
        let motion = tween(&style, (&clip, from), (&clip, to), &settings).unwrap();
        assert_eq!(motion.clip.pose(0), clip.pose(from));
        let last = motion.clip.pose(motion.clip.frames() - 1);
        // The last pose is where the steps lead; apart from its position it is the given one.
        let turns = last.rotations.iter().zip(clip.pose(to).rotations).skip(1);
        assert!(turns.into_iter().all(|(a, b)| a == b || *a == -*b));
        assert!((last.root_position().y - clip.pose(to).root_position().y).abs() < 1e-5);
        if let Some(frames) = frames {
            assert_eq!(motion.clip.frames(), frames);
        }
        let fixed = tween(
            &style,
            (&clip, from),
            (&clip, to),
            &TweenSettings { keeps_end_position: true, ..settings },
        )
        .unwrap();
        let (found, expected) = (fixed.clip.pose(fixed.clip.frames() - 1), clip.pose(to));
        assert!(found.root_position().distance(expected.root_position()) < 1e-4);
        assert!(found.root_rotation().angle_between(expected.root_rotation()) < 2e-3);
    }
}

#[test]
fn planted_feet_hardly_slide_and_motion_is_continuous() {
    let clip = walker(2);
    let style = style(&[clip.clone(), walker(3)]);
    for (from, to) in [(150, 900), (400, 1300), (777, 222)] {
        let motion = tween(&style, (&clip, from), (&clip, to), &TweenSettings::default()).unwrap();
        assert!(slide_mps(&motion) < 0.005, "{}", slide_mps(&motion));
        let world = motion.clip.world();
        for frame in 1..world.frames() {
            let moved = world.positions_at(frame).iter().zip(world.positions_at(frame - 1));
            let farthest = moved.map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
            assert!(farthest < 0.15, "frame {frame}: {farthest} m");
        }
    }
}

/// Maximum distance of a foot from its start, and its maximum height, in metres.
fn farthest_and_highest(motion: &TweenMotion, role: Role) -> (f32, f32) {
    let points = SolePoint::all(motion.clip.skeleton());
    let index = points.iter().position(|point| point.part.role(point.side) == role).unwrap();
    let path = &SolePoint::paths(&points, &motion.clip)[index];
    let far = path.iter().map(|place| place.with_y(0.0).distance(path[0].with_y(0.0))).fold(0.0, f32::max);
    let high = path.iter().map(|place| place.y - points[index].rest_m()).fold(0.0, f32::max);
    (far, high)
}

#[test]
fn a_foot_that_ends_elsewhere_makes_a_step() {
    let phrases = ballet(&BalletSettings { phrases: 4, ..BalletSettings::default() }).unwrap();
    let clips: Vec<Clip> = phrases.iter().map(|phrase| phrase.take.first().clone()).collect();
    let style = style(&clips);
    // Frames in which both feet stand.
    let standing: Vec<Vec<usize>> = phrases
        .iter()
        .map(|phrase| {
            let contacts = phrase.truth.contacts().unwrap();
            let is_standing = |frame: &usize| {
                [Role::LeftFoot, Role::RightFoot].iter().all(|role| contacts.touches(*role, *frame))
            };
            (0..phrase.take.frames()).filter(is_standing).collect()
        })
        .collect();
    let mut steps = 0;
    for (a, b) in [(0, 1), (1, 2), (2, 3), (3, 0), (0, 2), (1, 3)] {
        for (early, late) in [(4, 3), (3, 2), (5, 4)] {
            let (from, to) = (standing[a][standing[a].len() / early], standing[b][standing[b].len() / late]);
            let settings = TweenSettings { frames: Some(60), ..TweenSettings::default() };
            let motion = tween(&style, (&clips[a], from), (&clips[b], to), &settings).unwrap();
            assert_eq!(motion.clip.pose(0), clips[a].pose(from));
            assert!(slide_mps(&motion) < 0.005, "{a}@{from} to {b}@{to}: {}", slide_mps(&motion));
            for (role, toes) in [(Role::LeftFoot, Role::LeftToes), (Role::RightFoot, Role::RightToes)] {
                let (far, high) = farthest_and_highest(&motion, role);
                if far > 0.05 {
                    steps += 1;
                    assert!(high > 0.01, "{a}@{from} to {b}@{to}, {role:?}: {far} m along the floor");
                    let is_standing =
                        |frame: usize| [role, toes].iter().any(|r| motion.contacts.touches(*r, frame));
                    assert!((0..motion.clip.frames()).any(|frame| !is_standing(frame)));
                }
            }
        }
    }
    assert!(steps > 5, "{steps} steps");
}

#[test]
fn the_height_of_the_floor_makes_no_difference() {
    let clip = walker(5);
    let style = style(std::slice::from_ref(&clip));
    let high = clip.lifted(0.25).unwrap();
    let settings = TweenSettings::default();
    let low = tween(&style, (&clip, 200), (&clip, 777), &settings).unwrap();
    let high = tween(&style, (&high, 200), (&high, 777), &settings).unwrap();
    assert_eq!(low.contacts, high.contacts);
    let (low, high) = (low.clip.world(), high.clip.world());
    for frame in 0..low.frames() {
        let pairs = low.positions_at(frame).iter().zip(high.positions_at(frame));
        let distance_m = pairs.map(|(low, high)| (*low + 0.25 * Vec3::Y).distance(*high)).fold(0.0, f32::max);
        assert!(distance_m < 2e-3, "frame {frame}: {distance_m} m");
    }
}

#[test]
fn results_do_not_depend_on_the_number_of_threads() {
    let clip = walker(4);
    let motion = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let style = style(std::slice::from_ref(&clip));
            tween(&style, (&clip, 100), (&clip, 1000), &TweenSettings::default()).unwrap()
        })
    };
    let one = motion(1);
    assert_eq!(one, motion(2));
    assert_eq!(one, motion(8));
}

#[test]
fn impossible_requests_are_errors_with_codes() {
    let clip = walker(1);
    let style = style(&[clip.slice(0..600).unwrap()]);
    let code = |from: (&Clip, usize), to: (&Clip, usize), frames| {
        let settings = TweenSettings { frames, ..TweenSettings::default() };
        tween(&style, from, to, &settings).err().map(|error| error.code().id)
    };
    let joints = vec![Joint::new("hip", None, Vec3::Y), Joint::new("tail", Some(0), Vec3::Y)];
    let other = Arc::new(Skeleton::new(joints, vec![]).unwrap());
    let other = Clip::still(other.clone(), 60.0, marey_motion::LocalPose::rest(&other)).unwrap();
    assert_eq!(code((&other, 0), (&clip, 0), None), Some("tween/skeleton"));
    assert!(code((&clip, 10), (&clip, 99_999), None).is_some_and(|code| code.starts_with("motion/")));
    assert_eq!(code((&clip, 10), (&clip, 50), Some(1)), Some("tween/setting"));
    let invalid = TweenSettings { rate_hz: f64::NAN, ..TweenSettings::default() };
    assert_eq!(tween(&style, (&clip, 1), (&clip, 9), &invalid).unwrap_err().code().id, "tween/setting");
    // A sixtieth of a second is too short.
    assert_eq!(code((&clip, 100), (&clip, 130), Some(2)), Some("tween/not-connected"));
    // A handstand is not in the style: the heading is ignored, but not the tilt.
    let mut parts = clip.slice(0..1).unwrap().into_parts();
    parts.rotations[0] = marey_motion::Quat::from_rotation_x(3.0) * parts.rotations[0];
    let upside_down = Clip::new(clip.skeleton().clone(), 60.0, parts).unwrap();
    assert_eq!(code((&upside_down, 0), (&clip, 0), None), Some("tween/outside"));
    let short = MotionStyle::learn(&[clip.slice(0..1).unwrap()], &StyleSettings::default());
    assert_eq!(short.err().map(|error| error.code().id), Some("tween/short"));
}
