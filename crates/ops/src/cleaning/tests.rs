use std::sync::Arc;

use marey_motion::{ClipParts, Joint, Quat, Role, Vec3};

use super::*;

/// A person who waves: hips, chest, arm with a finger, head. Angles in radians and the position of the hips in each frame.
fn waving(frames: usize, rate_hz: f64, change: impl Fn(usize, &mut [f32; 5], &mut Vec3)) -> Clip {
    let joint = |name: &str, parent, offset| Joint::new(name, parent, offset);
    let joints = vec![
        joint("hips", None, Vec3::ZERO).with_role(Role::Hips),
        joint("head", Some(0), Vec3::Y * 0.6).with_role(Role::Head),
        joint("arm", Some(0), Vec3::X * 0.2).with_role(Role::LeftUpperArm),
        joint("hand", Some(2), Vec3::X * 0.5).with_role(Role::LeftHand),
        joint("thumb", Some(3), Vec3::X * 0.1),
    ];
    let skeleton = Arc::new(Skeleton::new(joints, vec![]).unwrap());
    let mut parts = ClipParts::default();
    for frame in 0..frames {
        let t = frame as f64 / rate_hz;
        let wave = (3.0 * t).sin() as f32;
        let mut angles = [0.1 * wave, 0.2 * wave, wave, 0.5 * wave, 0.3 * wave];
        let mut at = Vec3::new(0.0, 1.0, t as f32);
        change(frame, &mut angles, &mut at);
        parts.rotations.extend(angles.map(Quat::from_rotation_z));
        parts.positions.push(at);
    }
    Clip::new(skeleton, rate_hz, parts).unwrap()
}

fn cleaned(clip: &Clip) -> CleanedClip {
    clean(clip, &CleaningSettings::default()).unwrap()
}

/// The largest distance of two clips, in radians and metres.
fn difference(a: &Clip, b: &Clip) -> f32 {
    let rotations = a.rotations().iter().zip(b.rotations()).map(|(a, b)| a.angle_between(*b));
    let positions = a.positions().iter().zip(b.positions()).map(|(a, b)| a.distance(*b));
    rotations.chain(positions).fold(0.0, f32::max)
}

#[test]
fn clean_motion_keeps_every_bit_at_any_rate() {
    for rate_hz in [24.0, 30.0, 60.0, 120.0, 500.0] {
        let clip = waving(400, rate_hz, |_, _, _| {});
        let cleaned = cleaned(&clip);
        assert_eq!(cleaned.defects, []);
        assert_eq!(cleaned.clip, clip);
    }
    for frames in 1..4 {
        assert_eq!(cleaned(&waving(frames, 30.0, |_, _, _| {})).defects, []);
    }
}

#[test]
fn spikes_of_joints_and_root_are_repaired() {
    let plain = waving(240, 120.0, |_, _, _| {});
    let spiky = waving(240, 120.0, |frame, angles, at| match frame {
        50 => angles[2] += 1.5,
        90..=93 => angles[3] -= 2.0,
        150 => at.y += 0.4,
        _ => {}
    });
    let cleaned = cleaned(&spiky);
    let found: Vec<_> = cleaned.defects.iter().map(|d| (d.joint, d.remedy)).collect();
    let repaired = |joint| (Some(joint), DefectRemedy::Repaired);
    assert_eq!(found, [repaired(2), repaired(3), repaired(0)]);
    assert!(difference(&cleaned.clip, &plain) < 0.03, "{}", difference(&cleaned.clip, &plain));
    assert_eq!(cleaned.unusable(), []);
}

#[test]
fn a_small_spike_of_a_steady_joint_is_repaired_and_of_a_noisy_one_is_noise() {
    // Noise that alternates from frame to frame, and a deviation of 0.15 radians in one frame.
    let with_noise = |noise_rad: f32| {
        waving(240, 120.0, |frame, angles, _| {
            angles[0] += if frame % 2 == 0 { noise_rad } else { -noise_rad };
            if frame == 100 {
                angles[0] += 0.15;
            }
        })
    };
    let steady = cleaned(&with_noise(0.0002));
    let found: Vec<_> = steady.defects.iter().map(|d| (d.joint, d.remedy)).collect();
    assert_eq!(found, [(Some(0), DefectRemedy::Repaired)]);
    assert!(steady.defects[0].frames.contains(&100));
    assert_eq!(cleaned(&with_noise(0.02)).defects, []);
}

#[test]
fn jumps_are_unusable_and_so_is_what_lies_between_two() {
    let jumping = waving(480, 120.0, |frame, angles, at| {
        if frame >= 100 {
            at.x += 2.0;
        }
        if (240..300).contains(&frame) {
            angles[2] += 2.0;
        }
    });
    let cleaned = cleaned(&jumping);
    let unusable = cleaned.unusable();
    assert_eq!(unusable.len(), 2, "{unusable:?}");
    assert!(unusable[0].contains(&100) && unusable[0].len() < 30);
    assert!((240..300).all(|frame| unusable[1].contains(&frame)) && unusable[1].len() < 80);
    // Frames that cannot be repaired are not changed.
    assert_eq!(cleaned.clip, jumping);
}

#[test]
fn fingers_are_repaired_longer_and_never_make_frames_unusable() {
    let clip = waving(480, 120.0, |frame, angles, _| {
        if (60..80).contains(&frame) && frame % 2 == 0 {
            angles[4] += 2.0;
        }
        if frame >= 300 {
            angles[4] += 3.0;
        }
    });
    let cleaned = cleaned(&clip);
    let found: Vec<_> = cleaned.defects.iter().map(|d| (d.joint, d.remedy)).collect();
    assert_eq!(found, [(Some(4), DefectRemedy::Repaired), (Some(4), DefectRemedy::Tolerated)]);
    assert_eq!(cleaned.unusable(), []);
}

#[test]
fn short_gaps_are_filled_and_long_ones_reported() {
    let frozen = |gap: Range<usize>| {
        let clip = waving(480, 120.0, |_, _, _| {});
        let mut parts = ClipParts::default();
        for frame in 0..480 {
            parts.push(clip.pose(if gap.contains(&frame) { gap.start } else { frame }));
        }
        Clip::new(clip.skeleton().clone(), 120.0, parts).unwrap()
    };
    let plain = waving(480, 120.0, |_, _, _| {});
    let short = cleaned(&frozen(100..110));
    assert_eq!(short.defects.len(), 1);
    assert_eq!((short.defects[0].kind, short.defects[0].remedy), (DefectKind::Gap, DefectRemedy::Repaired));
    assert!(difference(&short.clip, &plain) < 0.02);
    let long = cleaned(&frozen(100..160));
    assert!((101..160).all(|frame| long.unusable().iter().any(|range| range.contains(&frame))));
    // A person who stands still and starts again has no gap.
    let still = waving(300, 120.0, |frame, angles, at| {
        let moved = frame.saturating_sub(200) as f32 / 120.0;
        *angles = [moved; 5];
        *at = Vec3::Y;
    });
    assert_eq!(cleaned(&still).defects, []);
}

#[test]
fn a_pose_of_zeros_in_the_middle_is_a_gap() {
    let clip = waving(360, 120.0, |frame, angles, at| {
        if (100..140).contains(&frame) {
            (*angles, *at) = ([0.0; 5], Vec3::ZERO);
        }
    });
    let unusable = cleaned(&clip).unusable();
    assert!((100..140).all(|frame| unusable.iter().any(|range| range.contains(&frame))), "{unusable:?}");
}

#[test]
fn settings_out_of_range_are_rejected() {
    let clip = waving(10, 30.0, |_, _, _| {});
    let bad = CleaningSettings { noise_rad: -1.0, ..CleaningSettings::default() };
    assert!(clean(&clip, &bad).is_err());
}

#[test]
fn joints_that_made_up_for_a_spike_above_them_are_repaired_with_it() {
    let plain = waving(240, 120.0, |_, _, _| {});
    // The hips are off by 0.25 radians in one frame; head and arm point where they should. The hand goes with the arm.
    let spiky = waving(240, 120.0, |frame, angles, _| {
        if frame == 100 {
            angles[0] += 0.25;
            angles[1] -= 0.25;
            angles[2] -= 0.25;
        }
    });
    let cleaned = cleaned(&spiky);
    let found: Vec<_> = cleaned.defects.iter().map(|d| (d.frames.clone(), d.joint, d.remedy)).collect();
    assert_eq!(found, [0, 1, 2].map(|joint| (99..102, Some(joint), DefectRemedy::Repaired)));
    assert!(difference(&cleaned.clip, &plain) < 1e-3, "{}", difference(&cleaned.clip, &plain));
}

#[test]
fn a_small_counter_rotation_is_repaired_only_under_a_spike() {
    let with_hips = |off_rad: f32| {
        waving(240, 120.0, |frame, angles, _| {
            if frame == 100 {
                angles[0] += off_rad;
                angles[1] -= 0.05;
            }
        })
    };
    assert_eq!(cleaned(&with_hips(0.0)).defects, []);
    let joints: Vec<_> = cleaned(&with_hips(0.25)).defects.iter().map(|defect| defect.joint).collect();
    assert_eq!(joints, [Some(0), Some(1)]);
}
