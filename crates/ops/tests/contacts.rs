//! Contact detection on incomplete skeletons.

use std::sync::Arc;

use marey_motion::{Clip, ClipParts, Coded, Contacts, Joint, Quat, Role, Skeleton, Tip, Vec3};
use marey_ops::contacts::{ContactSettings, detect};

/// A foot with toes on a leg that moves from place to place.
fn leg(roles: [Option<Role>; 3], tips: Vec<Tip>) -> Arc<Skeleton> {
    let mut joints = vec![
        Joint::new("hip", None, Vec3::ZERO),
        Joint::new("ankle", Some(0), Vec3::Y * -0.8),
        Joint::new("ball", Some(1), Vec3::new(0.0, -0.06, 0.12)),
    ];
    for (joint, role) in joints.iter_mut().zip(roles) {
        joint.role = role;
    }
    Arc::new(Skeleton::new(joints, tips).unwrap())
}

/// Stands for a second, steps for half a second, stands for a second; the floor is at `floor_m`.
fn step(skeleton: &Arc<Skeleton>, rate_hz: f64, floor_m: f32) -> Clip {
    let frames = (2.5 * rate_hz).round() as usize;
    let place = |f: usize| {
        let s = ((f as f32 / rate_hz as f32 - 1.0) / 0.5).clamp(0.0, 1.0);
        let smooth = s * s * s * (10.0 + s * (6.0 * s - 15.0));
        Vec3::new(0.0, 0.86 + floor_m + 2.0 * (s * (1.0 - s)).powi(2), 0.7 * smooth)
    };
    let positions = (0..frames).map(place).collect();
    Clip::new(skeleton.clone(), rate_hz, ClipParts { rotations: vec![Quat::IDENTITY; 3 * frames], positions })
        .unwrap()
}

fn found(clip: &Clip) -> Contacts {
    detect(clip, &ContactSettings::default()).unwrap().contacts
}

#[test]
fn a_step_is_found_at_every_rate_and_on_every_floor() {
    let skeleton = leg([None, Some(Role::LeftFoot), Some(Role::LeftToes)], vec![]);
    for rate_hz in [24.0, 30.0, 60.0, 120.0, 240.0] {
        for floor_m in [-0.1, 0.0, 0.05] {
            let contacts = found(&step(&skeleton, rate_hz, floor_m));
            for role in [Role::LeftFoot, Role::LeftToes] {
                let spans: Vec<_> = contacts.of(role).cloned().collect();
                assert_eq!(spans.len(), 2, "{role} at {rate_hz} Hz: {spans:?}");
                let secs = |frame: usize| frame as f64 / rate_hz;
                assert!((secs(spans[0].end) - 1.0).abs() < 0.09, "{role} at {rate_hz} Hz: {spans:?}");
                assert!((secs(spans[1].start) - 1.5).abs() < 0.09, "{role} at {rate_hz} Hz: {spans:?}");
            }
        }
    }
}

#[test]
fn without_toes_a_forward_tip_is_the_ball() {
    let tips = vec![Tip { parent: 1, offset: Vec3::new(0.0, -0.06, 0.2) }];
    let contacts = found(&step(&leg([None, Some(Role::LeftFoot), None], tips), 60.0, 0.0));
    assert_eq!(contacts.of(Role::LeftToes).count(), 2);
    let contacts = found(&step(&leg([None, Some(Role::RightFoot), None], vec![]), 60.0, 0.0));
    assert_eq!((contacts.of(Role::RightFoot).count(), contacts.of(Role::RightToes).count()), (2, 0));
}

#[test]
fn without_roles_there_are_no_contacts() {
    let clip = step(&leg([None; 3], vec![]), 60.0, 0.02);
    let found = detect(&clip, &ContactSettings::default()).unwrap();
    assert!(found.contacts.all().is_empty());
    assert!((found.floor.height_m - 0.02).abs() < 1e-3, "but the floor is known");
}

#[test]
fn single_frames_do_not_panic() {
    let skeleton = leg([None, Some(Role::LeftFoot), Some(Role::LeftToes)], vec![]);
    let clip = step(&skeleton, 30.0, 0.0).slice(0..1).unwrap();
    assert!(found(&clip).all().iter().all(|contact| contact.frames == (0..1)));
}

#[test]
fn a_raised_foot_is_not_in_contact() {
    // Two feet on one post, the right one 12 cm higher, static.
    let joints = vec![
        Joint::new("root", None, Vec3::ZERO),
        Joint::new("left", Some(0), Vec3::new(0.1, -0.9, 0.0)).with_role(Role::LeftFoot),
        Joint::new("right", Some(0), Vec3::new(-0.1, -0.78, 0.0)).with_role(Role::RightFoot),
    ];
    let skeleton = Arc::new(Skeleton::new(joints, vec![]).unwrap());
    let parts = ClipParts { rotations: vec![Quat::IDENTITY; 3 * 180], positions: vec![Vec3::Y * 0.95; 180] };
    let contacts = found(&Clip::new(skeleton, 30.0, parts).unwrap());
    assert!(contacts.of(Role::LeftFoot).eq([&(0..180)]));
    assert_eq!(contacts.of(Role::RightFoot).count(), 0);
}

#[test]
fn invalid_settings_are_rejected() {
    let clip = step(&leg([None; 3], vec![]), 30.0, 0.0);
    let default = ContactSettings::default();
    for settings in [
        ContactSettings { smoothing_secs: -1.0, ..default },
        ContactSettings { enter_speed_mps: 0.0, ..default },
        ContactSettings { leave_speed_mps: 0.1, ..default },
        ContactSettings { enter_height_m: f32::NAN, ..default },
        ContactSettings { leave_height_m: 0.001, ..default },
        ContactSettings { least_gap_secs: 2.0, ..default },
        ContactSettings { level_secs: 0.0, ..default },
    ] {
        assert_eq!(detect(&clip, &settings).unwrap_err().code().id, "ops/setting");
    }
}
