//! Round trips: a written take is read back as the same motion, for any skeleton, rotation order and unit.

use std::collections::BTreeSet;
use std::f32::consts::{FRAC_PI_2, TAU};
use std::sync::Arc;

use marey_conventions::{ConventionOverrides, Unit, UpAxis};
use marey_formats::ReadOptions;
use marey_formats::bvh::{self, BvhOptions, BvhSettings, RotationOrder};
use marey_motion::{Actor, Clip, ClipParts, Joint, Quat, Skeleton, Take, Tip, Vec3, WorldPose};
use proptest::prelude::*;
use proptest::sample::{Index, select};

/// Largest deviation of a position, in metres.
const TOLERANCE_M: f32 = 1e-4;

/// Units, and the number of decimals that resolve a micrometre.
const UNITS: [(Unit, usize); 8] = [
    (Unit::Metre, 6),
    (Unit::Decimetre, 5),
    (Unit::Centimetre, 4),
    (Unit::Millimetre, 4),
    (Unit::Inch, 5),
    (Unit::Foot, 6),
    (Unit::Cmu, 5),
    (Unit::Metres(0.25), 6),
];

/// One joint of a random figure.
#[derive(Debug, Clone)]
struct RandomJoint {
    parent: Index,
    offset: Vec3,
    tips: Vec<Vec3>,
    moves: bool,
}

/// Rotation of a joint in a frame, and its position if it moves.
type JointState = (Quat, Vec3);

fn vector(largest: f32) -> impl Strategy<Value = Vec3> {
    let number = -largest..largest;
    [number.clone(), number.clone(), number].prop_map(Vec3::from)
}

/// Any rotation, many of them in gimbal lock for some order.
fn rotation() -> impl Strategy<Value = Quat> {
    let quarter =
        (select(&[1.0f32, -1.0][..]), select(&[Vec3::X, Vec3::Y, Vec3::Z][..]), -TAU..TAU, -TAU..TAU);
    prop_oneof![
        Just(Quat::IDENTITY),
        [-1f32..1.0, -1f32..1.0, -1f32..1.0, -1f32..1.0]
            .prop_filter("a rotation", |q| q.iter().map(|v| v * v).sum::<f32>() > 1e-3)
            .prop_map(|q| Quat::from_array(q).normalize()),
        quarter.prop_map(|(sign, axis, a, c)| {
            let (before, after) = (Vec3::new(axis.y, axis.z, axis.x), Vec3::new(axis.z, axis.x, axis.y));
            Quat::from_axis_angle(before, a)
                * Quat::from_axis_angle(axis, sign * FRAC_PI_2)
                * Quat::from_axis_angle(after, c)
        }),
    ]
}

fn joint() -> impl Strategy<Value = RandomJoint> {
    let tips = proptest::collection::vec(vector(0.1), 0..3);
    (any::<Index>(), vector(0.12), tips, proptest::bool::weighted(0.25))
        .prop_map(|(parent, offset, tips, moves)| RandomJoint { parent, offset, tips, moves })
}

/// A figure of 1 to 20 joints with a number of frames.
fn figure(frames: usize) -> impl Strategy<Value = (Vec<RandomJoint>, Vec<Vec<JointState>>)> {
    (1usize..=20).prop_flat_map(move |joints| {
        let place = prop_oneof![vector(0.02), vector(0.3), Just(Vec3::ZERO)];
        let acts = proptest::collection::vec((rotation(), place), joints);
        (proptest::collection::vec(joint(), joints), proptest::collection::vec(acts, frames))
    })
}

fn clip(joints: &[RandomJoint], frames: &[Vec<JointState>], rate_hz: f64) -> Clip {
    let made = joints.iter().enumerate().map(|(i, random)| {
        let mut joint = Joint::new(format!("j{i}"), (i > 0).then(|| random.parent.index(i)), random.offset);
        joint.moves |= random.moves;
        joint
    });
    let tips = joints.iter().enumerate();
    let tips =
        tips.flat_map(|(parent, random)| random.tips.iter().map(move |&offset| Tip { parent, offset }));
    let skeleton = Arc::new(Skeleton::new(made.collect(), tips.collect()).unwrap());
    let mut parts = ClipParts::default();
    for acts in frames {
        parts.rotations.extend(acts.iter().map(|(rotation, _)| *rotation));
        // Movers near their offset, and far from it.
        let place = |&joint: &usize| {
            acts[joint].1 + if joint % 2 == 0 { skeleton.offsets()[joint] } else { Vec3::ZERO }
        };
        parts.positions.extend(skeleton.movers().iter().map(place));
    }
    Clip::new(skeleton, rate_hz, parts).unwrap()
}

/// Takes of one to three actors, with a common rate or any other.
fn take() -> impl Strategy<Value = Take> {
    let rate = prop_oneof![select(&[24.0, 25.0, 30_000.0 / 1001.0, 60.0, 120.0, 240.0][..]), 1.5f64..500.0];
    (1usize..6, rate).prop_flat_map(|(frames, rate_hz)| {
        proptest::collection::vec(figure(frames), 1..=3).prop_map(move |figures| {
            let actors = figures
                .iter()
                .map(|(joints, acts)| Actor { name: "j0".into(), clip: clip(joints, acts, rate_hz) });
            Take::new("j0", actors.collect()).unwrap()
        })
    })
}

fn options() -> impl Strategy<Value = BvhOptions> {
    (select(&RotationOrder::ALL[..]), select(&UNITS[..]), 0usize..4)
        .prop_map(|(order, (unit, least), more)| BvhOptions { order, unit, decimals: (least + more).min(9) })
}

/// Reads a written file in a given unit.
fn read_back(bytes: &[u8], unit: Unit) -> (Take, Vec<&'static str>) {
    let conventions =
        ConventionOverrides { unit: Some(unit), up: Some(UpAxis::Y), ..ConventionOverrides::default() };
    let options = ReadOptions { conventions, ..ReadOptions::default() };
    let import = marey_formats::read(bytes, None, &options).unwrap();
    let codes = import.report.codes();
    (import.into_first().unwrap().take, codes)
}

/// World positions of a frame: the joint and its tips, by the name of the joint.
fn places(clip: &Clip, frame: usize) -> Vec<(String, Vec<Vec3>)> {
    let world = WorldPose::of(clip.skeleton(), clip.pose(frame));
    let tips: Vec<Vec3> = world.tips().collect();
    let of_joint = |(i, joint): (usize, &Joint)| {
        let own =
            clip.skeleton().tips().iter().zip(&tips).filter(|(tip, _)| tip.parent == i).map(|(_, at)| *at);
        (joint.name.clone(), [world.positions[i]].into_iter().chain(own).collect())
    };
    let mut places: Vec<(String, Vec<Vec3>)> =
        clip.skeleton().joints().iter().enumerate().map(of_joint).collect();
    // A file lists joints depth first.
    places.sort_by(|(a, _), (b, _)| a.cmp(b));
    places
}

/// The largest distance between two takes of the same actors, joints, tips and frames.
fn largest_error(a: &Take, b: &Take) -> f32 {
    assert_eq!((a.frames(), a.actors().len()), (b.frames(), b.actors().len()));
    let mut largest = 0f32;
    for (a, b) in a.actors().iter().zip(b.actors()) {
        for frame in 0..a.clip.frames() {
            let (a, b) = (places(&a.clip, frame), places(&b.clip, frame));
            assert_eq!(a.len(), b.len());
            for ((name, a), (other, b)) in a.iter().zip(&b) {
                assert_eq!((name, a.len()), (other, b.len()));
                largest = a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(largest, f32::max);
            }
        }
    }
    largest
}

proptest! {
    #[test]
    fn written_takes_are_read_back(take in take(), options in options()) {
        let (bytes, _) = bvh::write(&take, &options);
        let (again, codes) = read_back(&bytes, options.unit);
        prop_assert!((again.rate_hz() / take.rate_hz() - 1.0).abs() < 1e-6, "{} Hz", again.rate_hz());
        prop_assert!(largest_error(&take, &again) <= TOLERANCE_M, "{} m", largest_error(&take, &again));
        let allowed = ["bvh/positions", "conventions/roles-unsure"];
        prop_assert!(codes.iter().all(|code| allowed.contains(code)), "{codes:?}");
    }

    #[test]
    fn any_names_become_unique(names in proptest::collection::btree_set("[ -~\u{80}-\u{ff}\t\u{2003}名]{0,6}", 1..12)) {
        let joints: Vec<Joint> = names
            .iter()
            .enumerate()
            .map(|(i, name)| Joint::new(name, i.checked_sub(1), Vec3::Y * 0.1))
            .collect();
        let skeleton = Arc::new(Skeleton::new(joints, vec![]).unwrap());
        let clip = Clip::still(skeleton.clone(), 30.0, marey_motion::LocalPose::rest(&skeleton)).unwrap();
        let (bytes, report) = bvh::write(&Take::solo("any", clip), &BvhOptions::default());
        let file = bvh::read(&bytes, &BvhSettings::default()).unwrap();
        prop_assert!(file.report.is_empty(), "{:?}", file.report);
        let read: BTreeSet<String> = file.take.first().skeleton().joints().iter().map(|j| j.name.clone()).collect();
        prop_assert_eq!(read.len(), names.len());
        let renamed = names.difference(&read).count();
        prop_assert_eq!(renamed, report.warnings().iter().map(|w| w.count).sum::<usize>());
    }
}

#[test]
fn actors_keep_their_names() {
    let skeleton = Arc::new(
        Skeleton::new(
            vec![Joint::new("Hips", None, Vec3::Y), Joint::new("ns:Spine", Some(0), Vec3::Y)],
            vec![],
        )
        .unwrap(),
    );
    let clip = Clip::still(skeleton.clone(), 30.0, marey_motion::LocalPose::rest(&skeleton)).unwrap();
    let round = |names: &[&str]| {
        let actors = names.iter().map(|name| Actor { name: (*name).into(), clip: clip.clone() });
        let (bytes, report) =
            bvh::write(&Take::new("two", actors.collect()).unwrap(), &BvhOptions::default());
        let take = bvh::read(&bytes, &BvhSettings::default()).unwrap().take;
        for actor in take.actors() {
            let joints: Vec<&str> =
                actor.clip.skeleton().joints().iter().map(|joint| joint.name.as_str()).collect();
            assert_eq!(joints, ["Hips", "ns:Spine"]);
        }
        let names: Vec<String> = take.actors().iter().map(|actor| actor.name.clone()).collect();
        (names.join(" "), report.codes())
    };
    assert_eq!(round(&["leader", "follower"]), ("leader follower".into(), vec![]));
    // A single actor has no prefix, and is named after its root.
    assert_eq!(round(&["leader"]).0, "Hips");
    assert_eq!(round(&["a b:c", "a b:c", ""]).0, "a_b_c a_b_c_2 _");
    assert_eq!(round(&["a b:c", "a b:c", ""]).1, ["bvh/renamed"]);
    // Prefixes that do not identify an actor are kept.
    let figure =
        |name: &str| format!("ROOT {name}\n{{\nOFFSET 0 0 0\nCHANNELS 3 Xrotation Yrotation Zrotation\n}}\n");
    let read = |names: [&str; 2]| {
        let text = format!(
            "HIERARCHY\n{}{}MOTION\nFrames: 1\nFrame Time: 0.1\n0 0 0 0 0 0\n",
            figure(names[0]),
            figure(names[1])
        );
        let take = bvh::read(text.as_bytes(), &BvhSettings::default()).unwrap().take;
        let of = |actor: &Actor| (actor.name.clone(), actor.clip.skeleton().joints()[0].name.clone());
        (of(&take.actors()[0]), of(&take.actors()[1]))
    };
    let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
    assert_eq!(
        read(["mixamorig:Hips", "mixamorig:Hips"]),
        (pair("mixamorig:Hips", "mixamorig:Hips"), pair("mixamorig:Hips_2", "mixamorig:Hips"))
    );
    assert_eq!(read(["a:Hips", "Hips"]), (pair("a:Hips", "a:Hips"), pair("Hips", "Hips")));
    assert_eq!(read(["a:Hips", "b:Hips"]), (pair("a", "Hips"), pair("b", "Hips")));
}

/// Motion of one joint in small steps: three initial angles and their change per frame in degrees, initial position and its change
/// per frame in metres.
type Glide = ([f32; 3], [f32; 3], Vec3, Vec3);

fn glide() -> impl Strategy<Value = Glide> {
    let angles = [-170f32..170.0, -55f32..55.0, -170f32..170.0];
    let steps = [-9f32..9.0, -0.8f32..0.8, -9f32..9.0];
    let away = vector(0.02).prop_map(|v| v + Vec3::splat(0.03));
    (angles, steps, vector(0.3), away)
}

proptest! {
    /// Away from gimbal lock, and with no more digits than single precision, a second round trip gives the same bytes.
    #[test]
    fn a_second_writing_changes_nothing(
        joints in proptest::collection::vec((joint(), glide()), 1..8),
        order in select(&RotationOrder::ALL[..]),
        unit in select(&[Unit::Metre, Unit::Decimetre, Unit::Centimetre, Unit::Millimetre][..]),
        rate_hz in select(&[24.0, 37.3, 59.94, 60.0, 120.0][..]),
        decimals in 2usize..=3,
    ) {
        let axes: Vec<Vec3> = order.to_string().chars().map(|c| match c {
            'x' => Vec3::X,
            'y' => Vec3::Y,
            _ => Vec3::Z,
        }).collect();
        let act = |(_, (angles, steps, from, step)): &(RandomJoint, Glide), frame: usize| {
            let t = frame as f32;
            let turn = |i: usize| Quat::from_axis_angle(axes[i], (angles[i] + t * steps[i]).to_radians());
            (turn(0) * turn(1) * turn(2), *from + t * *step)
        };
        let frames: Vec<Vec<JointState>> = (0..6).map(|frame| joints.iter().map(|joint| act(joint, frame)).collect()).collect();
        let joints: Vec<RandomJoint> = joints.into_iter().map(|(joint, _)| joint).collect();
        let take = Take::solo("j0", clip(&joints, &frames, rate_hz));
        let options = BvhOptions { order, unit, decimals };
        let (once, _) = bvh::write(&take, &options);
        let (twice, _) = bvh::write(&read_back(&once, unit).0, &options);
        prop_assert_eq!(String::from_utf8(once).unwrap(), String::from_utf8(twice).unwrap());
    }

    /// The same table read by the fast path, and by the slow path because of comments or exponents.
    #[test]
    fn fast_and_slow_paths_read_the_same(
        table in proptest::collection::vec(
            [(-9e4f64..9e4, 0u32..8, 0usize..10), (-9e4f64..9e4, 0u32..8, 0usize..10), (-9e4f64..9e4, 0u32..8, 0usize..10)],
            2..30,
        ),
        gap in "[ \t]{1,3}",
        end in select(&["\n", "\r\n", " \n", "\n\n"][..]),
    ) {
        let header = "HIERARCHY\nROOT hip\n{\nOFFSET 0 0 0\nCHANNELS 3 Xposition Yposition Zposition\n}\nMOTION\n";
        let read = |number: fn(f64, usize) -> String, tail: &str| {
            let row = |row: &[(f64, u32, usize); 3]| {
                row.map(|(value, small, places)| number(value / 10f64.powi(small as i32), places)).join(&gap)
            };
            let rows: Vec<String> = table.iter().map(|values| row(values) + tail + end).collect();
            let text = format!("{header}Frames: {}\nFrame Time: 0.01\n{}", table.len(), rows.concat());
            bvh::read(text.as_bytes(), &BvhSettings::default()).unwrap()
        };
        let fast = read(|value, places| format!("{value:.places$}"), "");
        let commented = read(|value, places| format!("{value:.places$}"), " # slow");
        let exponents = read(|value, places| format!("{:e}", format!("{value:.places$}").parse::<f64>().unwrap()), "");
        prop_assert!(fast.report.is_empty() && commented.report.is_empty() && exponents.report.is_empty());
        let places = fast.take.first().positions().iter();
        for (fast, others) in places.zip(commented.take.first().positions().iter().zip(exponents.take.first().positions())) {
            prop_assert_eq!(others.0, others.1);
            let off = (*fast - *others.0).abs();
            prop_assert!(off.cmple(others.0.abs() * 1.2e-7).all(), "{} and {}", fast, others.0);
        }
    }
}

/// A figure of two joints. The second has the given positions.
fn with_mover(offset: Vec3, places: &[Vec3]) -> Take {
    let mut mover = Joint::new("mover", Some(0), offset);
    mover.moves = true;
    let skeleton =
        Arc::new(Skeleton::new(vec![Joint::new("root", None, Vec3::ZERO), mover], vec![]).unwrap());
    let parts = ClipParts {
        rotations: vec![Quat::IDENTITY; 2 * places.len()],
        positions: places.iter().flat_map(|place| [Vec3::Y, *place]).collect(),
    };
    Take::solo("root", Clip::new(skeleton, 30.0, parts).unwrap())
}

#[test]
fn a_joint_near_its_parent_is_not_moved_to_its_offset() {
    let offset = Vec3::new(0.0, 0.4, 0.0);
    let near_parent = with_mover(offset, &[Vec3::ZERO, Vec3::new(0.01, 0.0, 0.0)]);
    let (bytes, report) = bvh::write(&near_parent, &BvhOptions::default());
    assert_eq!(report.codes(), ["bvh/rest-offset"]);
    assert!(largest_error(&near_parent, &read_back(&bytes, Unit::Centimetre).0) <= TOLERANCE_M);

    let near_offset = with_mover(offset, &[offset, offset + Vec3::new(0.01, 0.0, 0.0)]);
    let (bytes, report) = bvh::write(&near_offset, &BvhOptions::default());
    assert!(report.is_empty());
    let again = read_back(&bytes, Unit::Centimetre).0;
    assert!(largest_error(&near_offset, &again) <= TOLERANCE_M);
    assert!(again.first().skeleton().offsets()[1].distance(offset) <= TOLERANCE_M);
}

#[test]
fn a_joint_with_an_invalid_name_is_renamed() {
    let skeleton = Skeleton::new(
        vec![
            Joint::new("left leg", None, Vec3::ZERO),
            Joint::new("left_leg", Some(0), Vec3::Y),
            Joint::new("left\tleg", Some(1), Vec3::Y),
        ],
        vec![],
    );
    let skeleton = Arc::new(skeleton.unwrap());
    let clip = Clip::still(skeleton.clone(), 30.0, marey_motion::LocalPose::rest(&skeleton)).unwrap();
    let (bytes, report) = bvh::write(&Take::solo("leg", clip), &BvhOptions::default());
    assert_eq!(report.codes(), ["bvh/renamed"]);
    assert_eq!(report.warnings()[0].count, 2);
    let again = read_back(&bytes, Unit::Centimetre).0;
    let names: Vec<&str> =
        again.first().skeleton().joints().iter().map(|joint| joint.name.as_str()).collect();
    assert_eq!(names, ["left_leg_2", "left_leg", "left_leg_3"]);
}

/// Angles of a wheel that turns for hours stay within the range that readers accept.
#[test]
fn a_wheel_is_read_back_after_thousands_of_turns() {
    let joints = vec![Joint::new("hub", None, Vec3::ZERO), Joint::new("rim", Some(0), Vec3::X)];
    let skeleton = Arc::new(Skeleton::new(joints, vec![]).unwrap());
    let mut parts = ClipParts::default();
    for frame in 0..20_000 {
        let turns = f64::from(frame) * 0.3;
        parts
            .rotations
            .extend([Quat::from_rotation_z((turns.fract() * std::f64::consts::TAU) as f32), Quat::IDENTITY]);
        parts.positions.push(Vec3::ZERO);
    }
    let take = Take::solo("wheel", Clip::new(skeleton, 60.0, parts).unwrap());
    let (bytes, _) = bvh::write(&take, &BvhOptions::default());
    assert!(largest_error(&take, &read_back(&bytes, Unit::Centimetre).0) <= TOLERANCE_M);
}
