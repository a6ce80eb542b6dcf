//! Performers: ground contact, labels and holds, and the closure of cycles.

use marey_body::BodyProportions;
use marey_examples::Example;
use marey_examples::playground::{Cycle, HEIGHTS_M, PlaygroundSettings, cycle, stream, streams};
use marey_motion::{Clip, Coded, Role, Side, Vec3, WorldPose};

/// Without noise.
fn clean(seed: u64, height_m: f32) -> PlaygroundSettings {
    let body = BodyProportions { height_m, ..BodyProportions::default() };
    PlaygroundSettings { seed, body, ..PlaygroundSettings::default() }
}

fn poses(clip: &Clip) -> Vec<WorldPose> {
    (0..clip.frames()).map(|frame| WorldPose::of(clip.skeleton(), clip.pose(frame))).collect()
}

/// The end of the heel, or the point of the toes.
fn tip(pose: &WorldPose, role: Role) -> Vec3 {
    let joint = pose.skeleton().joint_of(role).unwrap();
    let index = pose.skeleton().tips().iter().position(|tip| tip.parent == joint).unwrap();
    pose.tips().nth(index).unwrap()
}

#[test]
fn feet_match_their_contacts_and_never_sink() {
    for (seed, height_m) in [(1, 1.37), (2, 1.72), (3, 1.88)] {
        let Example { take, truth } = stream(&clean(seed, height_m)).unwrap().example;
        let poses = poses(take.first());
        for (frame, pose) in poses.iter().enumerate() {
            assert!(pose.lowest() > -0.002, "{height_m} m, frame {frame}: {}", pose.lowest());
        }
        let contacts = truth.contacts().unwrap();
        for role in [Role::LeftFoot, Role::RightFoot, Role::LeftToes, Role::RightToes] {
            let stands: Vec<_> = contacts.of(role).cloned().collect();
            assert!(stands.len() > 3, "{role} must leave the floor in jumps");
            for frames in stands {
                let at = tip(&poses[frames.start], role);
                for frame in frames {
                    let now = tip(&poses[frame], role);
                    assert!(now.y.abs() < 0.001 && now.distance(at) < 0.001, "{role}, frame {frame}: {now}");
                }
            }
        }
    }
}

#[test]
fn every_frame_has_a_label() {
    let example = stream(&clean(5, 1.6)).unwrap().example;
    let truth = &example.truth;
    assert_eq!(truth.labels()[0].start, 0);
    assert!(truth.labels().windows(2).all(|two| two[0].end == two[1].start));
    assert_eq!(truth.labels().last().unwrap().end, truth.frames());
    let names = ["swing", "climb", "walk", "breast-stroke", "jump", "tuck jump", "hang and kick", "wave"];
    let contacts = truth.contacts().unwrap();
    for name in names {
        let named: Vec<_> = truth.labels().iter().filter(|label| label.name == name).collect();
        assert_eq!(named.len(), 1, "{name}");
        let frames = named[0].start..named[0].end;
        let share =
            |role| frames.clone().filter(|&f| contacts.touches(role, f)).count() as f64 / frames.len() as f64;
        let held = share(Role::LeftHand);
        match name {
            "swing" | "hang and kick" => assert_eq!(held, 1.0),
            "climb" => assert!((0.55..0.65).contains(&held), "{held}"),
            _ => assert_eq!(held, 0.0, "{name}"),
        }
        let stood = share(Role::RightToes);
        match name {
            "jump" | "tuck jump" | "hang and kick" => {
                assert!((0.5..0.95).contains(&stood), "{name}: {stood}")
            }
            _ => assert_eq!(stood, 1.0, "{name}"),
        }
    }
    // In a tuck the knees come up, so the feet are closer to the hips than in a plain jump.
    let poses = poses(example.take.first());
    let nearest = |name: &str| {
        let label = truth.labels().iter().find(|label| label.name == name).unwrap();
        let flies = (label.start..label.end).filter(|&f| !contacts.touches(Role::LeftToes, f));
        let at = |pose: &WorldPose, role| pose.positions[pose.skeleton().joint_of(role).unwrap()];
        flies.map(|f| at(&poses[f], Role::LeftFoot).distance(at(&poses[f], Role::Hips))).fold(9.0, f32::min)
    };
    assert!(nearest("tuck jump") < nearest("jump") - 0.15);
}

#[test]
fn markers_are_noisy_drop_out_and_hide_in_closed_hands() {
    let settings = PlaygroundSettings { seed: 8, ..PlaygroundSettings::default() };
    let still = PlaygroundSettings { marker_noise_mm: 0.0, dropouts_per_min: 0.0, ..settings.clone() };
    let (noisy, clean) = (stream(&settings).unwrap(), stream(&still).unwrap());
    assert_eq!(noisy.example.truth, clean.example.truth);
    let markers = &clean.markers;
    let contacts = clean.example.truth.contacts().unwrap();
    let mut hidden = 0;
    for side in Side::BOTH {
        let palm = format!("{}Palm", Role::LeftHand.on(side));
        let palm = markers.labels().iter().position(|label| *label == palm).unwrap();
        for frame in 0..markers.frames() {
            let closed = contacts.touches(Role::LeftHand.on(side), frame);
            hidden += usize::from(closed);
            assert_eq!(markers.get(frame, palm).is_none(), closed);
        }
    }
    assert_eq!(markers.missing(), hidden, "nothing else is lost");
    // Twice a minute for 0.225 s on average.
    let all = (markers.frames() * markers.labels().len()) as f64;
    let lost = (noisy.markers.missing() - hidden) as f64 / all;
    assert!((0.004..0.012).contains(&lost), "{lost}");
    let squares: Vec<f32> = (0..markers.frames())
        .filter_map(|f| Some(noisy.markers.get(f, 3)?.distance_squared(clean.markers.get(f, 3)?) / 3.0))
        .collect();
    let deviation = (squares.iter().sum::<f32>() / squares.len() as f32).sqrt();
    assert!((0.0009..0.0011).contains(&deviation), "{deviation}");
}

#[test]
fn six_performers_differ_in_height_and_are_reproducible() {
    let settings = PlaygroundSettings { rate_hz: 30.0, ..PlaygroundSettings::default() };
    let six = streams(&settings).unwrap();
    assert_eq!(six, streams(&settings).unwrap());
    for (stream, height_m) in six.iter().zip(HEIGHTS_M) {
        let skeleton = stream.example.take.first().skeleton();
        let crown = skeleton.rest_positions()[skeleton.joint_of(Role::Head).unwrap()].y;
        assert!((crown / height_m - 0.89).abs() < 0.01, "{height_m}");
    }
    let orders: Vec<Vec<&str>> = six
        .iter()
        .map(|s| s.example.truth.labels().iter().map(|label| label.name.as_str()).collect())
        .collect();
    assert_ne!(orders[0], orders[1]);
}

#[test]
fn cycles_close_and_holding_hands_do_not_move() {
    for kind in Cycle::ALL {
        let Example { take, truth } = cycle(kind, &BodyProportions::default(), 60.0).unwrap();
        let clip = take.first();
        let poses = poses(clip);
        let relative_to_root = |pose: &WorldPose| -> Vec<Vec3> {
            let root = pose.positions[0];
            pose.positions.iter().map(|at| *at - root).collect()
        };
        let moved = |a: usize, b: usize| {
            let (a, b) = (relative_to_root(&poses[a]), relative_to_root(&poses[b]));
            a.iter().zip(&b).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max)
        };
        let largest = (1..clip.frames()).map(|f| moved(f - 1, f)).fold(0.0, f32::max);
        let closing = moved(clip.frames() - 1, 0);
        assert!(
            closing <= largest,
            "{}: {closing} m from last to first frame, at most {largest} m elsewhere",
            kind.name()
        );
        for role in [Role::LeftHand, Role::RightHand] {
            for frames in truth.contacts().unwrap().of(role).cloned() {
                let hand = clip.skeleton().joint_of(role).unwrap();
                let middle = poses[(frames.start + frames.end) / 2].positions[hand];
                for frame in frames {
                    let off = poses[frame].positions[hand].distance(middle);
                    assert!(off < 0.002, "{}: {role} is {off} m off in frame {frame}", kind.name());
                }
            }
        }
    }
}

#[test]
fn invalid_settings_are_refused() {
    for wrong in [
        PlaygroundSettings { rate_hz: 0.0, ..PlaygroundSettings::default() },
        PlaygroundSettings { noise_mm: f32::NAN, ..PlaygroundSettings::default() },
        PlaygroundSettings { marker_noise_mm: -1.0, ..PlaygroundSettings::default() },
        PlaygroundSettings { dropouts_per_min: 100.0, ..PlaygroundSettings::default() },
        clean(0, 1.2),
    ] {
        assert_eq!(stream(&wrong).unwrap_err().code().id, "examples/setting");
    }
    assert_eq!(
        cycle(Cycle::Walk, &BodyProportions::default(), f64::NAN).unwrap_err().code().id,
        "examples/setting"
    );
}
