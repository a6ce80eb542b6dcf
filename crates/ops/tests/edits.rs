//! Cycles, smoothing and removal of keyframes, on generated walks with known contacts.

use marey_examples::walk::{WalkSettings, walk};
use marey_motion::{Clip, ClipParts, Contacts, Quat, Take};
use marey_ops::OpsError;
use marey_ops::cycle::{CycleSettings, close_cycle, find_cycle};
use marey_ops::keyframes::{KeyTolerance, Keyframes};
use marey_ops::smoothing::{SmoothingSettings, smoothed};
use marey_ops::sole::SolePoint;

fn walker() -> (Clip, Contacts) {
    let example = walk(&WalkSettings { duration_secs: 8.0, ..WalkSettings::default() }).unwrap();
    let contacts = example.truth.contacts().unwrap().clone();
    (example.take.first().clone(), contacts)
}

/// The largest distance of a joint between two motions.
fn apart_m(one: &Clip, other: &Clip) -> f32 {
    let (one, other) = (one.world(), other.world());
    one.positions.iter().zip(&other.positions).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max)
}

/// Mean speed of soles along the floor while they stand, in metres per second. `first` is the frame of the contacts that the clip starts at.
fn skate_mps(clip: &Clip, contacts: &Contacts, first: usize) -> f32 {
    let points = SolePoint::all(clip.skeleton());
    let mut speeds = Vec::new();
    for (point, path) in points.iter().zip(SolePoint::paths(&points, clip)) {
        for frame in 1..clip.frames() {
            let stands = |frame: usize| contacts.touches(point.part.role(point.side), first + frame);
            if stands(frame - 1) && stands(frame) {
                let moved = (path[frame] - path[frame - 1]).with_y(0.0).length();
                speeds.push(moved * clip.rate_hz() as f32);
            }
        }
    }
    speeds.iter().sum::<f32>() / speeds.len() as f32
}

#[test]
fn a_cycle_of_a_walk_closes_without_sliding() {
    let (clip, contacts) = walker();
    let cycle = find_cycle(&[&clip], &CycleSettings::default()).unwrap();
    assert!(cycle.seam_m < 0.05, "{cycle:?}");
    let closed = close_cycle(&[&clip], &cycle).unwrap().remove(0);
    assert_eq!(closed.frames(), cycle.frames.len());
    // Seen from the ground under the hips, the last pose is the first.
    let track = closed.ground_track();
    let body = closed.without_ground(&track).unwrap();
    let last = body.frames() - 1;
    let (first, last) = (body.pose(0), body.pose(last));
    assert!(first.positions.iter().zip(last.positions).all(|(a, b)| a.distance(*b) < 1e-4));
    assert!(first.rotations.iter().zip(last.rotations).all(|(a, b)| a.angle_between(*b) < 2e-3));
    let source = clip.slice(cycle.frames.clone()).unwrap();
    let (before, after) = (
        skate_mps(&source, &contacts, cycle.frames.start),
        skate_mps(&closed, &contacts, cycle.frames.start),
    );
    assert!(after < before + 0.01, "{after} m/s, {before} m/s before");
    assert!(apart_m(&source, &closed) < 0.1);
}

#[test]
fn partners_share_a_cycle_and_short_motion_has_none() {
    let (clip, _) = walker();
    let pair = [&clip, &clip];
    let cycle = find_cycle(&pair, &CycleSettings::default()).unwrap();
    let closed = close_cycle(&pair, &cycle).unwrap();
    assert_eq!(closed[0], closed[1]);
    let short = clip.slice(0..20).unwrap();
    let error = find_cycle(&[&short], &CycleSettings::default()).unwrap_err();
    assert_eq!(error, OpsError::NoCycle { frames: 20 });
}

#[test]
fn noise_is_removed_and_standing_feet_stay() {
    let (clip, contacts) = walker();
    let joints = clip.skeleton().len();
    let mut parts = clip.clone().into_parts();
    for (index, rotation) in parts.rotations.iter_mut().enumerate() {
        let (frame, joint) = (index / joints, index % joints);
        let noise = if (frame * 7 + joint * 3) % 2 == 0 { 0.004 } else { -0.004 };
        *rotation *= Quat::from_rotation_x(noise);
    }
    let noisy = Clip::new(clip.skeleton().clone(), clip.rate_hz(), parts).unwrap();
    let settings = SmoothingSettings::default();
    let smooth = smoothed(&noisy, &settings).unwrap();
    assert!(smooth.shift_m <= settings.max_shift_m * 1.01, "{}", smooth.shift_m);
    let jerk = |clip: &Clip| {
        let world = clip.world();
        let head = clip.skeleton().joint_of(marey_motion::Role::Head).unwrap();
        let at = |frame: usize| world.positions_at(frame)[head];
        (2..clip.frames()).map(|f| (at(f) - 2.0 * at(f - 1) + at(f - 2)).length()).sum::<f32>()
    };
    assert!(jerk(&smooth.clip) < 0.3 * jerk(&noisy));
    assert!(skate_mps(&smooth.clip, &contacts, 0) <= skate_mps(&noisy, &contacts, 0) + 0.005);
    // A tight bound holds too.
    let tight = SmoothingSettings { cutoff_hz: 1.0, max_shift_m: 0.005 };
    assert!(smoothed(&noisy, &tight).unwrap().shift_m <= 0.0055);
}

#[test]
fn keyframes_restore_the_motion_within_the_error() {
    let (clip, _) = walker();
    let all = clip.rotations().len() + clip.positions().len();
    let mut before = all;
    for metres in [0.0005, 0.002, 0.01] {
        let keys = Keyframes::within(&clip, KeyTolerance::Metres(metres)).unwrap();
        assert!(apart_m(&clip, &keys.restored(&clip).unwrap()) <= metres);
        assert!(keys.error_m <= metres && keys.len() < before, "{} of {before}", keys.len());
        before = keys.len();
    }
    let keys = Keyframes::within(&clip, KeyTolerance::Metres(0.0)).unwrap();
    assert_eq!(keys.error_m, 0.0);
    assert!(Keyframes::within(&clip, KeyTolerance::Radians(f32::NAN)).is_err());
}

#[test]
fn one_frame_can_be_edited() {
    let (clip, _) = walker();
    let one = clip.slice(0..1).unwrap();
    assert_eq!(smoothed(&one, &SmoothingSettings::default()).unwrap().clip.frames(), 1);
    assert_eq!(Keyframes::within(&one, KeyTolerance::Metres(0.001)).unwrap().rotations[0], [0]);
    let empty = ClipParts::default();
    assert!(Clip::new(clip.skeleton().clone(), 30.0, empty).is_err());
    let take = Take::solo("one", one);
    assert!(find_cycle(&[take.first()], &CycleSettings::default()).is_err());
}
