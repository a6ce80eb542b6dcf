//! Floor detection for jumps, hanging, a start in the air, and boxes.

use std::sync::Arc;

use marey_motion::{Clip, ClipParts, Joint, Quat, Skeleton, Vec3};
use marey_ops::floor::{FloorEstimate, estimate};

/// A post of two joints whose foot follows `foot`, in metres over seconds.
fn post(secs: f32, rate_hz: f64, foot: impl Fn(f32) -> Vec3) -> Clip {
    let joints = vec![Joint::new("head", None, Vec3::ZERO), Joint::new("foot", Some(0), Vec3::NEG_Y)];
    let skeleton = Arc::new(Skeleton::new(joints, vec![]).unwrap());
    let frames = (secs * rate_hz as f32) as usize;
    let positions = (0..frames).map(|f| foot(f as f32 / rate_hz as f32) + Vec3::Y).collect();
    Clip::new(skeleton, rate_hz, ClipParts { rotations: vec![Quat::IDENTITY; 2 * frames], positions })
        .unwrap()
}

/// Bouncing with flights of half a second, the foot on the floor for `stand` seconds in between.
fn bounce(t: f32, stand: f32) -> f32 {
    let flight = 0.5;
    let s = t % (flight + stand) - stand;
    if s < 0.0 { 0.0 } else { 4.9 * s * (flight - s) }
}

fn near(floor: FloorEstimate, height_m: f32, by_m: f32) {
    assert!((floor.height_m - height_m).abs() < by_m, "{floor:?} is not {height_m}");
}

#[test]
fn a_standing_figure_has_its_floor_at_every_rate() {
    for rate_hz in [24.0, 30.0, 60.0, 120.0, 240.0] {
        let floor = estimate(&post(3.0, rate_hz, |_| Vec3::Y * 0.07));
        near(floor, 0.07, 1e-4);
        assert_eq!((floor.support, floor.spread_m), (1.0, 0.0));
    }
}

#[test]
fn jumps_do_not_raise_the_floor() {
    for start in [0.0, 0.3, 0.45] {
        let floor = estimate(&post(6.0, 60.0, |t| Vec3::Y * (bounce(t + start, 0.3) - 0.02)));
        near(floor, -0.02, 0.006);
        assert!((0.2..0.5).contains(&floor.support), "{floor:?}");
    }
}

#[test]
fn outliers_do_not_lower_the_floor() {
    let floor = estimate(&post(4.0, 60.0, |t| {
        let glitch = (t * 60.0).round() as usize % 97 == 13;
        Vec3::Y * if glitch { -0.5 } else { 0.01 * (9.0 * t).sin() }
    }));
    near(floor, 0.0, 0.01);
}

#[test]
fn the_floor_is_below_a_box_with_more_contact() {
    let floor = estimate(&post(10.0, 30.0, |t| Vec3::Y * if t < 2.5 { 0.0 } else { 0.4 }));
    near(floor, 0.0, 1e-3);
    assert!((0.2..0.3).contains(&floor.support));
}

#[test]
fn a_moving_figure_has_no_support() {
    let swimmer = |t: f32| Vec3::new(1.2 * t, 0.9 + 0.3 * (6.0 * t).sin(), 0.4 * (5.0 * t).cos());
    let floor = estimate(&post(8.0, 60.0, swimmer));
    assert_eq!(floor.support, 0.0);
    near(floor, 0.6, 0.05);
}

#[test]
fn one_frame_gives_a_floor() {
    let floor = estimate(&post(0.04, 30.0, |_| Vec3::Y * 0.5));
    near(floor, 0.5, 1e-6);
}
