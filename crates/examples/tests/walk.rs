//! Invariants of walks over many seeds, bodies, styles and rates.

use marey_body::BodyProportions;
use marey_examples::walk::{WalkSettings, drawn_path, walk};
use marey_examples::{Example, GaitStyle, Truth};
use marey_motion::{Clip, Role, Side, Vec3, WorldPose};
use proptest::prelude::*;

/// World positions of a clip's joints and tips.
struct WorldWalk {
    rate_hz: f64,
    frames: Vec<WorldPose>,
    tips: Vec<Vec<Vec3>>,
}

impl WorldWalk {
    fn of(clip: &Clip) -> Self {
        let frames: Vec<WorldPose> = clip.poses().map(|pose| WorldPose::of(clip.skeleton(), pose)).collect();
        let tips = frames.iter().map(|pose| pose.tips().collect()).collect();
        Self { rate_hz: clip.rate_hz(), frames, tips }
    }

    fn joint(&self, role: Role) -> impl Iterator<Item = Vec3> + '_ {
        self.frames.iter().map(move |pose| pose.positions[pose.skeleton().joint_of(role).unwrap()])
    }

    /// The point that touches the floor: the heel of a foot, the ball joint of toes.
    fn contact_point(&self, role: Role, frame: usize) -> Vec3 {
        let pose = &self.frames[frame];
        let joint = pose.skeleton().joint_of(role).unwrap();
        if role == Role::LeftToes || role == Role::RightToes {
            return pose.positions[joint];
        }
        let heel = pose.skeleton().tips().iter().position(|tip| tip.parent == joint).unwrap();
        self.tips[frame][heel]
    }

    fn lowest(&self) -> f32 {
        self.frames.iter().map(WorldPose::lowest).fold(f32::INFINITY, f32::min)
    }

    /// The folds of one knee in degrees; negative if it bends backwards.
    fn knee_degrees(&self, side: Side) -> impl Iterator<Item = f32> + '_ {
        let [hip, knee, ankle] = [Role::LeftUpperLeg, Role::LeftLowerLeg, Role::LeftFoot].map(|r| r.on(side));
        let [h, k, a] = [hip, knee, ankle].map(|r| self.frames[0].skeleton().joint_of(r).unwrap());
        self.frames.iter().map(move |pose| {
            let (thigh, shank) =
                (pose.positions[k] - pose.positions[h], pose.positions[a] - pose.positions[k]);
            // A knee folds about the X axis of the thigh, which moves the shank back.
            let hinge = pose.rotations[h] * Vec3::X;
            thigh.angle_between(shank).to_degrees() * thigh.cross(shank).dot(hinge).signum()
        })
    }

    /// The largest acceleration of any joint, by second differences.
    fn largest_acceleration(&self) -> f32 {
        let rate = self.rate_hz as f32;
        let triples = self.frames.windows(3);
        let all = triples.flat_map(|w| {
            (0..w[0].positions.len())
                .map(|j| (w[0].positions[j] - 2.0 * w[1].positions[j] + w[2].positions[j]).length())
        });
        all.fold(0.0, f32::max) * rate * rate
    }
}

fn short(seed: u64) -> WalkSettings {
    WalkSettings { seed, duration_secs: 20.0, backward_or_sideways: 0.2, ..WalkSettings::default() }
}

/// Seeds × bodies × rates.
fn assortment() -> impl Iterator<Item = WalkSettings> {
    let heights = [1.4, 1.55, 1.72, 1.9];
    let rates = [24.0, 30.0, 60.0, 120.0, 240.0];
    (0..30).map(move |seed| WalkSettings {
        body: BodyProportions { height_m: heights[seed as usize % 4], ..BodyProportions::default() },
        rate_hz: rates[seed as usize % 5],
        ..short(seed)
    })
}

fn generate(settings: &WalkSettings) -> (Example, WorldWalk) {
    let example = walk(settings).unwrap();
    let recorded = WorldWalk::of(example.take.first());
    (example, recorded)
}

/// The largest displacement of a planted point, in metres.
fn largest_skate(recorded: &WorldWalk, truth: &Truth) -> f32 {
    let contacts = truth.contacts().unwrap().all();
    let moves = contacts.iter().flat_map(|contact| {
        let first = recorded.contact_point(contact.role, contact.frames.start);
        contact.frames.clone().map(move |frame| recorded.contact_point(contact.role, frame).distance(first))
    });
    moves.fold(0.0, f32::max)
}

#[test]
fn a_seed_gives_the_same_bits_and_seeds_differ() {
    let bits = |clip: &Clip| -> Vec<u32> {
        let rotations = clip.rotations().iter().flat_map(|q| q.to_array());
        rotations.chain(clip.positions().iter().flat_map(|p| p.to_array())).map(f32::to_bits).collect()
    };
    let mut others: Vec<Vec<u32>> = Vec::new();
    for seed in 0..4 {
        let settings = WalkSettings { noise_mm: 2.0, ..short(seed) };
        let (a, b) = (walk(&settings).unwrap(), walk(&settings).unwrap());
        assert_eq!(a.truth, b.truth);
        let these = bits(a.take.first());
        assert_eq!(these, bits(b.take.first()));
        assert!(!others.contains(&these));
        others.push(these);
    }
}

#[test]
fn a_seed_gives_the_same_walk_at_every_rate() {
    let slow = walk(&WalkSettings { rate_hz: 30.0, ..short(5) }).unwrap();
    let fast = walk(&WalkSettings { rate_hz: 120.0, ..short(5) }).unwrap();
    for frame in 0..slow.take.frames() {
        assert_eq!(slow.take.first().pose(frame).positions, fast.take.first().pose(4 * frame).positions);
    }
    assert_eq!(slow.truth.cuts().len(), fast.truth.cuts().len());
}

#[test]
fn planted_points_do_not_slide() {
    for settings in assortment() {
        let (example, recorded) = generate(&settings);
        let skate = largest_skate(&recorded, &example.truth);
        assert!(skate < 1e-4, "{settings:?}: {} mm", 1000.0 * skate);
    }
}

#[test]
fn nothing_sinks_into_the_floor_and_planted_feet_are_on_it() {
    for settings in assortment() {
        let (example, recorded) = generate(&settings);
        assert!(recorded.lowest() > -1e-3, "{settings:?}: {}", recorded.lowest());
        for contact in example.truth.contacts().unwrap().all() {
            let heel = matches!(contact.role, Role::LeftFoot | Role::RightFoot);
            if heel {
                let height = recorded.contact_point(contact.role, contact.frames.start).y;
                assert!(height.abs() < 1e-4, "{settings:?}: a heel planted at {height}");
            }
        }
    }
}

#[test]
fn one_foot_is_always_down() {
    for settings in assortment() {
        let (example, _) = generate(&settings);
        let contacts = example.truth.contacts().unwrap();
        let roles = [Role::LeftFoot, Role::LeftToes, Role::RightFoot, Role::RightToes];
        for frame in 0..example.take.frames() {
            assert!(roles.iter().any(|&role| contacts.touches(role, frame)), "{settings:?}: frame {frame}");
        }
    }
}

#[test]
fn knees_stay_within_their_range() {
    for settings in assortment() {
        let (_, recorded) = generate(&settings);
        for side in Side::BOTH {
            for fold in recorded.knee_degrees(side) {
                assert!((2.0..90.0).contains(&fold), "{settings:?}: {fold}°");
            }
        }
    }
}

/// A landing foot brakes from 4 m/s in about 80 ms, which is 50 m/s², and its knee reverses at the same time. In captured walks of the
/// CMU archive, smoothed by 12 ms, feet and knees reach 100 to 150 m/s². A pop of a single frame by 1 cm at 120 Hz would be 144 m/s²; by
/// 1 mm at 240 Hz, it would add 58 m/s².
#[test]
fn accelerations_are_bounded() {
    for seed in 0..30 {
        let (_, recorded) = generate(&WalkSettings { rate_hz: 120.0, ..short(seed) });
        let largest = recorded.largest_acceleration();
        assert!(largest < 130.0, "seed {seed}: {largest} m/s²");
    }
}

#[test]
fn bones_keep_their_length_with_and_without_noise() {
    for noise_mm in [0.0, 5.0] {
        let (example, recorded) = generate(&WalkSettings { noise_mm, ..short(8) });
        let skeleton = example.take.first().skeleton();
        for pose in &recorded.frames {
            for (j, &p) in skeleton.parents().iter().enumerate().skip(1) {
                let length = pose.positions[j].distance(pose.positions[p]);
                assert!((length - skeleton.offsets()[j].length()).abs() < 1e-5);
            }
        }
    }
}

#[test]
fn noise_moves_joints_but_not_the_walk() {
    let (clean, recorded) = generate(&short(9));
    let (noisy, shaken) = generate(&WalkSettings { noise_mm: 5.0, ..short(9) });
    assert_eq!(clean.truth, noisy.truth);
    for role in [Role::Hips, Role::LeftFoot, Role::RightToes, Role::Head, Role::LeftHand] {
        let squares = recorded.joint(role).zip(shaken.joint(role)).map(|(a, b)| a.distance_squared(b) / 3.0);
        let deviation = (squares.sum::<f32>() / recorded.frames.len() as f32).sqrt();
        assert!((0.003..0.008).contains(&deviation), "{role}: {deviation}");
    }
}

#[test]
fn a_standing_body_has_its_height() {
    for height_m in [1.4, 1.6, 1.9] {
        let (_, recorded) = generate(&WalkSettings {
            body: BodyProportions { height_m, ..BodyProportions::default() },
            ..short(2)
        });
        let crown = recorded.tips[0].iter().map(|p| p.y).fold(0.0, f32::max);
        assert!((crown / height_m - 1.0).abs() < 0.02, "{crown} for {height_m}");
    }
}

#[test]
fn a_walk_starts_and_ends_in_standing() {
    for settings in assortment() {
        let (example, recorded) = generate(&settings);
        let labels = example.truth.labels();
        assert_eq!(labels.first().unwrap().name, "stand");
        assert_eq!(labels.last().unwrap().name, "stand");
        let hips: Vec<Vec3> = recorded.joint(Role::Hips).collect();
        for pair in [&hips[..3], &hips[hips.len() - 3..]] {
            let speed = pair[0].distance(pair[2]) * settings.rate_hz as f32 / 2.0;
            assert!(speed < 0.1, "{settings:?}: {speed} m/s");
        }
    }
}

#[test]
fn the_shortest_walk_has_steps() {
    for seed in 0..50 {
        for speed_mps in [0.5, 1.3] {
            let style = GaitStyle { speed_mps, ..GaitStyle::default() };
            let (example, _) = generate(&WalkSettings { duration_secs: 6.0, style, ..short(seed) });
            assert!(example.truth.cuts().len() >= 2, "seed {seed}: {:?}", example.truth.cuts());
        }
    }
}

#[test]
fn labels_cover_every_frame_once_and_all_kinds_occur() {
    let mut kinds: Vec<String> = Vec::new();
    for settings in assortment() {
        let (example, _) = generate(&settings);
        let mut next = 0;
        for label in example.truth.labels() {
            assert_eq!(label.start, next);
            next = label.end;
            kinds.push(label.name.clone());
        }
        assert_eq!(next, example.take.frames());
    }
    kinds.sort();
    kinds.dedup();
    let expected = [
        "backward",
        "curve left",
        "curve right",
        "sharp left",
        "sharp right",
        "sidestep left",
        "sidestep right",
        "stand",
        "start",
        "stop",
        "straight",
    ];
    assert_eq!(kinds, expected);
}

#[test]
fn there_is_one_cut_at_each_plant() {
    for settings in assortment() {
        let (example, _) = generate(&settings);
        let contacts = example.truth.contacts().unwrap();
        for role in [Role::LeftFoot, Role::RightFoot] {
            let plants: Vec<usize> =
                contacts.of(role).map(|frames| frames.start).filter(|&f| f > 0).collect();
            let named = example.truth.cuts().iter().filter(|cut| cut.name == role.name());
            assert_eq!(plants, named.map(|cut| cut.frame).collect::<Vec<_>>());
        }
    }
}

#[test]
fn a_sharp_turn_always_has_the_same_footwork() {
    let mut turns = 0;
    for seed in 0..20 {
        let (example, _) = generate(&WalkSettings { duration_secs: 60.0, ..short(seed) });
        for label in example.truth.labels() {
            let outer = match label.name.as_str() {
                "sharp left" => "RightFoot",
                "sharp right" => "LeftFoot",
                _ => continue,
            };
            // The label starts when the previous foot lands. The first foot that lands within it is the outer one.
            let first = example.truth.cuts().iter().find(|cut| cut.frame > label.start).unwrap();
            assert_eq!(first.name, outer, "seed {seed}: {label:?}");
            turns += 1;
        }
    }
    assert!(turns > 20, "{turns}");
}

#[test]
fn steps_backwards_and_sideways_move_in_their_direction() {
    let mut counts = [0; 3];
    for seed in 0..20 {
        let (example, recorded) = generate(&WalkSettings { duration_secs: 60.0, ..short(seed) });
        let hips: Vec<Vec3> = recorded.joint(Role::Hips).collect();
        for label in example.truth.labels() {
            let expected = match label.name.as_str() {
                "backward" => Vec3::NEG_Z,
                "sidestep left" => Vec3::X,
                "sidestep right" => Vec3::NEG_X,
                _ => continue,
            };
            let turn = recorded.frames[label.start].rotations[0];
            let displacement = turn.inverse() * (hips[label.end - 1] - hips[label.start]);
            assert!(
                displacement.with_y(0.0).normalize().dot(expected) > 0.9,
                "seed {seed}: {label:?}: {displacement}"
            );
            counts[if expected == Vec3::NEG_Z {
                0
            } else if expected == Vec3::X {
                1
            } else {
                2
            }] += 1;
        }
    }
    assert!(counts.iter().all(|&count| count >= 3), "{counts:?}");
}

#[test]
fn scuffing_feet_stay_low_and_above_the_floor() {
    let style = GaitStyle { scuff: 1.0, ..GaitStyle::default() };
    let high = generate(&short(3));
    let low = generate(&WalkSettings { style, ..short(3) });
    let mean_lowest_in_air = |(example, recorded): &(Example, WorldWalk)| {
        let contacts = example.truth.contacts().unwrap();
        let roles = [Role::LeftFoot, Role::LeftToes];
        let in_air =
            (0..recorded.frames.len()).filter(|&f| roles.iter().all(|&role| !contacts.touches(role, f)));
        let heights = in_air.map(|f| roles.map(|role| recorded.contact_point(role, f).y));
        let heights: Vec<f32> = heights.map(|heights| heights[0].min(heights[1])).collect();
        heights.iter().sum::<f32>() / heights.len() as f32
    };
    assert!(mean_lowest_in_air(&low) < 0.6 * mean_lowest_in_air(&high));
    assert!(low.1.lowest() > -1e-3);
}

#[test]
fn a_drawn_path_follows_the_hips_without_their_sway() {
    let (example, recorded) = generate(&short(6));
    let hips: Vec<Vec3> = recorded.joint(Role::Hips).collect();
    let path = drawn_path(&example.take);
    assert_eq!(path.points.len(), 200);
    let mut distances = Vec::new();
    for [secs, x, z] in &path.points {
        let hip = hips[(secs * 60.0).round() as usize].with_y(0.0);
        distances.push(hip.distance(Vec3::new(*x as f32, 0.0, *z as f32)));
    }
    let mean = distances.iter().sum::<f32>() / distances.len() as f32;
    assert!((0.003..0.05).contains(&mean), "{mean} m");
}

#[test]
fn named_styles_are_valid_and_planted_points_do_not_slide() {
    for (name, style) in GaitStyle::NAMED {
        let (example, recorded) = generate(&WalkSettings { style, ..short(1) });
        assert!(largest_skate(&recorded, &example.truth) < 1e-4, "{name}");
    }
}

#[test]
fn the_truth_round_trips_through_json() {
    let truth = walk(&short(4)).unwrap().truth;
    let json = serde_json::to_string(&truth).unwrap();
    assert_eq!(serde_json::from_str::<Truth>(&json).unwrap(), truth);
}

#[test]
fn settings_out_of_range_are_refused() {
    for settings in [
        WalkSettings { duration_secs: 1.0, ..short(0) },
        WalkSettings { rate_hz: f64::NAN, ..short(0) },
        WalkSettings { noise_mm: -1.0, ..short(0) },
        WalkSettings { room_m: 0.0, ..short(0) },
        WalkSettings { speed_range: 0.9, ..short(0) },
        WalkSettings { backward_or_sideways: 2.0, ..short(0) },
        WalkSettings { body: BodyProportions { height_m: 3.0, ..BodyProportions::default() }, ..short(0) },
        WalkSettings { style: GaitStyle { speed_mps: 9.0, ..GaitStyle::default() }, ..short(0) },
    ] {
        assert!(walk(&settings).is_err(), "{settings:?}");
    }
}

prop_compose! {
    fn any_style()(
        speed_mps in 0.5f32..1.7, stride in 0.9f32..1.1, step_width_m in 0.06f32..0.25,
        toe_out_rad in -0.1f32..0.4, arm_swing in 0f32..2.0, bounce in 0f32..1.5, sway in 0f32..2.0,
        twist in 0f32..2.0, lean_rad in -0.15f32..0.35, roll in 0.4f32..1.2, scuff in 0f32..1.0, variation in 0f32..2.0,
    ) -> GaitStyle {
        GaitStyle {
            speed_mps, stride, step_width_m, toe_out_rad, arm_swing, bounce, sway, twist, lean_rad, roll, scuff,
            variation,
        }
    }
}

prop_compose! {
    fn any_body()(
        height_m in 1.4f32..1.9, leg_length in 0.94f32..1.06, shoulder_width in 0.85f32..1.15,
        hip_width in 0.85f32..1.15,
    ) -> BodyProportions {
        BodyProportions { height_m, leg_length, shoulder_width, hip_width }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_body_and_style_satisfies_the_invariants(
        body in any_body(), style in any_style(), seed in any::<u64>(), duration_secs in 6f64..25.0,
        speed_range in 0f32..0.6, room_m in 2f32..8.0,
        backward_or_sideways in 0f32..1.0,
    ) {
        let settings = WalkSettings {
            seed, duration_secs, body, style, speed_range, room_m, backward_or_sideways, ..WalkSettings::default()
        };
        let (example, recorded) = generate(&settings);
        prop_assert!(largest_skate(&recorded, &example.truth) < 1e-4);
        prop_assert!(recorded.lowest() > -1e-3);
        for side in Side::BOTH {
            for fold in recorded.knee_degrees(side) {
                prop_assert!((2.0..90.0).contains(&fold), "{}°", fold);
            }
        }
    }
}
