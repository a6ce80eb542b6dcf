//! Placing, stretching and joining of pieces.

mod support;

use std::f32::consts::TAU;
use std::sync::Arc;

use marey_measure::jolt::{jolts, percentile_mps2};
use marey_motion::{Clip, ClipParts, Coded, Contacts, Ground, Joint, LocalPose, Quat, Role, Skeleton, Vec3};
use marey_plan::KeyTime;
use marey_realise::join::JoinMethod;
use marey_realise::{RealiseSettings, SourceClip, realise};
use support::{Chain, Map, bad_plan, source, walks};

/// Joins without foot-skate clean-up.
fn settings(method: JoinMethod) -> RealiseSettings {
    let mut settings = RealiseSettings { plant: None, ..RealiseSettings::default() };
    settings.join.method = method;
    settings
}

#[test]
fn a_single_piece_is_unchanged() {
    let map = walks(1, 8.0);
    let clip = &map[&source(0)].clip;
    for method in JoinMethod::ALL {
        let mut chain = Chain::new(&map);
        chain.add(0, 100..200, 100);
        let mut plan = chain.plan();
        plan.actors[0].placements[0].world_from_source = Ground::IDENTITY;
        let realised = realise(&plan, &map, &settings(method)).unwrap();
        let wanted = clip.slice(100..200).unwrap().world();
        for (a, b) in realised.take.first().world().positions.iter().zip(&wanted.positions) {
            assert!(a.distance(*b) < 1e-5);
        }
        // Two continuous pieces give the same result.
        let mut two = plan.clone();
        let mut second = two.actors[0].placements[0].clone();
        (second.source_start, second.start, second.frames) = (150, 50, 50);
        two.actors[0].placements[0].source_end = 150;
        two.actors[0].placements[0].frames = 50;
        two.actors[0].placements.push(second);
        let two = realise(&two, &map, &settings(method)).unwrap();
        for (a, b) in two.take.first().world().positions.iter().zip(&wanted.positions) {
            assert!(a.distance(*b) < 1e-5, "{method:?}");
        }
    }
}

#[test]
fn key_times_and_positions_are_kept() {
    let map = walks(1, 8.0);
    let clip = &map[&source(0)].clip;
    let mut chain = Chain::new(&map);
    chain.add(0, 100..200, 150);
    let mut plan = chain.plan();
    let placement = &mut plan.actors[0].placements[0];
    placement.key_times = vec![KeyTime { source_frame: 130.0, frame: 20.0 }];
    placement.world_from_source = Ground::new(3.0, -1.0, 1.2);
    let realised = realise(&plan, &map, &settings(JoinMethod::Inertialise)).unwrap();
    let (here, there) = (realised.take.first().world(), clip.world());
    let wanted = there.positions_at(130).iter().map(|p| Ground::new(3.0, -1.0, 1.2).point(*p));
    for (a, b) in here.positions_at(20).iter().zip(wanted) {
        assert!(a.distance(b) < 1e-4);
    }
    // With both passes off, a piece keeps its own speed and position.
    let off = RealiseSettings { place: false, stretch: false, plant: None, ..RealiseSettings::default() };
    let realised = realise(&plan, &map, &off).unwrap();
    let here = realised.take.first().world();
    assert!(here.positions_at(20)[0].distance(there.positions_at(120)[0]) < 1e-4);
}

#[test]
fn mirrored_placements_are_mirrored() {
    let map = walks(1, 8.0);
    let mut chain = Chain::new(&map);
    chain.add(0, 100..200, 100);
    let mut plan = chain.plan();
    plan.actors[0].placements[0].world_from_source = Ground::IDENTITY;
    plan.actors[0].placements[0].mirrored = true;
    let realised = realise(&plan, &map, &settings(JoinMethod::Inertialise)).unwrap();
    let wanted = map[&source(0)].clip.slice(100..200).unwrap().mirrored();
    for (a, b) in realised.take.first().world().positions.iter().zip(&wanted.world().positions) {
        assert!(a.distance(*b) < 1e-5);
    }
    let (here, there) = (&realised.contacts[0], &map[&source(0)].contacts);
    use marey_motion::Role;
    for frame in 0..100 {
        assert_eq!(here.touches(Role::LeftFoot, frame), there.touches(Role::RightFoot, frame + 100));
    }
}

#[test]
fn joins_are_smoother_than_cuts_and_keep_earlier_frames() {
    let map = walks(4, 12.0);
    let corpus: Vec<_> = map.values().map(|example| jolts(&example.clip)).collect();
    let usual = percentile_mps2(&corpus, 0.999);
    let (mut of, mut count) = ([0f32; 6], 0);
    for seed in 0..6 {
        let plan = bad_plan(&map, seed, 8);
        let ends: Vec<usize> = plan.actors[0].placements.iter().map(|p| p.end()).collect();
        let plain = realise(&plan, &map, &settings(JoinMethod::None)).unwrap();
        for (i, method) in JoinMethod::ALL.into_iter().enumerate() {
            let joined = realise(&plan, &map, &settings(method)).unwrap();
            of[i] = of[i].max(jolts(joined.take.first()).largest_mps2);
            if matches!(method, JoinMethod::Hermite | JoinMethod::Inertialise | JoinMethod::Crossfade) {
                // Nothing before the first join changes.
                for frame in 0..ends[0] {
                    assert_eq!(joined.take.first().pose(frame), plain.take.first().pose(frame));
                }
            }
        }
        count += 1;
    }
    assert_eq!(count, 6);
    let [none, linear, ease, hermite, inertialise, crossfade] = of;
    assert!(inertialise < 1.5 * usual, "{of:?}, examples {usual}");
    for joined in [linear, ease, hermite, inertialise, crossfade] {
        assert!(joined < 0.25 * none, "{of:?}");
    }
    assert!(inertialise < linear && hermite < linear);
}

#[test]
fn fades_equal_the_reference() {
    let map = walks(3, 8.0);
    let mut fixed = settings(JoinMethod::Crossfade);
    (fixed.join.window_secs, fixed.join.longest, fixed.join.arms) = (0.5, 1.0, 1.5);
    // Pieces of any length, down to a frame; a window is 30 frames, and 45 for arms and head.
    let pieces = [(0, 100..150), (1, 60..67), (2, 200..201), (0, 30..42), (1, 300..360)];
    let mut chain = Chain::new(&map);
    for (walk, span) in &pieces {
        chain.add(*walk, span.clone(), span.len());
    }
    let plan = chain.plan();
    let placements = &plan.actors[0].placements;
    let joined = realise(&plan, &map, &fixed).unwrap();
    let ease = |s: f32| s * s * (3.0 - 2.0 * s);
    let skeleton = joined.take.first().skeleton();
    let tops = [Role::Neck, Role::LeftShoulder, Role::RightShoulder, Role::LeftUpperArm, Role::RightUpperArm];
    let tops: Vec<usize> = tops.into_iter().filter_map(|role| skeleton.joint_of(role)).collect();
    let window = |joint: usize| if tops.iter().any(|top| skeleton.is_under(joint, *top)) { 45 } else { 30 };
    for frame in 0..plan.frames() {
        // All pieces that have started, each blended over the previous ones.
        let mut twin: Option<LocalPose> = None;
        for placement in placements.iter().filter(|placement| placement.start <= frame) {
            let age = frame - placement.start;
            let mut over = map[&placement.source].clip.pose(placement.source_start + age).to_owned();
            let ground = placement.world_from_source;
            over.rotations[0] = ground.rotation() * over.rotations[0];
            over.positions[0] = ground.point(over.positions[0]);
            if let Some(under) = twin.take() {
                let share = |window: usize| ease(((age + 1) as f32 / (window + 1) as f32).min(1.0));
                for (joint, (a, b)) in over.rotations.iter_mut().zip(&under.rotations).enumerate() {
                    *a = b.slerp(*a, share(window(joint)));
                }
                over.positions[0] = under.positions[0].lerp(over.positions[0], share(30));
            }
            twin = Some(over);
        }
        let (twin, is) = (twin.unwrap(), joined.take.first().pose(frame));
        assert!(twin.positions[0].distance(is.positions[0]) < 1e-4, "frame {frame}");
        for (a, b) in twin.rotations.iter().zip(is.rotations) {
            assert!(a.dot(*b).abs() > 1.0 - 1e-5, "frame {frame}: {a} {b}");
        }
    }
}

#[test]
fn fades_rotate_in_the_direction_that_is_shorter_in_the_middle() {
    let joints = vec![Joint::new("hips", None, Vec3::ZERO), Joint::new("head", Some(0), Vec3::Y)];
    let skeleton = Arc::new(Skeleton::new(joints, vec![]).unwrap());
    // One faces forward; the other rotates from less than half a turn away to more.
    let other_rad = |age: f32| 2.6 + 0.05 * age;
    let example = |angle_rad: &dyn Fn(f32) -> f32| {
        let turn = |frame: i16| Quat::from_rotation_y(angle_rad(f32::from(frame) - 30.0));
        let rotations = (0..120).flat_map(|frame| [Quat::IDENTITY, turn(frame)]).collect();
        let parts = ClipParts { rotations, positions: vec![Vec3::ZERO; 120] };
        let clip = Clip::new(skeleton.clone(), 60.0, parts).unwrap();
        SourceClip { clip, contacts: Contacts::default(), holds: vec![] }
    };
    let map = Map::from([(source(0), example(&|_| 0.0)), (source(1), example(&other_rad))]);
    let mut chain = Chain::new(&map);
    chain.add(0, 0..30, 30);
    chain.add(1, 30..90, 60);
    let mut fixed = settings(JoinMethod::Crossfade);
    (fixed.join.window_secs, fixed.join.longest) = (0.6, 1.0);
    let joined = realise(&chain.plan(), &map, &fixed).unwrap();
    let turns: Vec<Quat> = joined.take.first().poses().map(|pose| pose.rotations[1]).collect();
    assert!(turns.windows(2).all(|pair| pair[0].angle_between(pair[1]) < 0.2));
    // In the middle of the fade the other is at 3.5, which is nearer in the reverse direction.
    let half_way = Quat::from_rotation_y(0.5 * (other_rad(17.5) - TAU));
    assert!(turns[30 + 17].angle_between(half_way) < 0.1, "{}", turns[30 + 17]);
}

#[test]
fn abrupt_fades_take_longer() {
    let map = walks(6, 12.0);
    let largest = |seed: u64, longest: f64| {
        let mut settings = settings(JoinMethod::Crossfade);
        settings.join.longest = longest;
        let plan = bad_plan(&map, seed, 8);
        let joined = realise(&plan, &map, &settings).unwrap();
        let jolts = jolts(joined.take.first());
        let joins = plan.actors[0].placements.iter().skip(1).map(|placement| placement.start);
        joins.filter_map(|at| jolts.largest_within(at - 1..at + 36)).map(|(size, _)| size).fold(0.0, f32::max)
    };
    let sum = |longest: f64| (0..12).map(|seed| largest(seed, longest)).sum::<f32>();
    let (always, as_needed) = (sum(1.0), sum(1.6));
    assert!(as_needed < 0.98 * always, "{as_needed} {always}");
    let mut out = RealiseSettings::default();
    out.join.longest = 0.5;
    assert_eq!(out.validate().unwrap_err().code().id, "ops/setting");
}

#[test]
fn invalid_plans_are_rejected() {
    let map = walks(1, 8.0);
    let plan = || {
        let mut chain = Chain::new(&map);
        chain.add(0, 100..200, 100);
        chain.plan()
    };
    let code = |change: &dyn Fn(&mut marey_plan::Plan)| {
        let mut plan = plan();
        change(&mut plan);
        realise(&plan, &map, &RealiseSettings::default()).unwrap_err().code().id
    };
    assert_eq!(code(&|plan| plan.actors[0].placements[0].source = source(9)), "realise/unknown-source");
    assert_eq!(code(&|plan| plan.actors[0].placements[0].source.actor = 1), "realise/unknown-source");
    assert_eq!(code(&|plan| plan.actors[0].placements[0].source_end = 481), "realise/out-of-span");
    assert_eq!(code(&|plan| plan.actors[0].placements[0].world_from_source.x = f32::NAN), "plan/not-finite");
    assert_eq!(code(&|plan| plan.actors[0].placements[0].world_from_source.x = 1e30), "plan/not-finite");
    assert_eq!(code(&|plan| plan.actors.clear()), "plan/empty");
    assert_eq!(code(&|plan| plan.rate_hz = f64::NAN), "plan/value");
    let json = plan().to_json().unwrap();
    // A plan from text locates the placement by its line.
    let mut read = marey_plan::Plan::from_json(&json).unwrap();
    read.actors[0].placements[0].source = source(9);
    let refused = realise(&read, &map, &RealiseSettings::default()).unwrap_err();
    assert_eq!(refused.to_string(), "actor, placement 0: there is no take \"walk-9\" with an actor 0");
    let line = json.lines().position(|line| line.contains("\"source\"")).unwrap();
    assert_eq!((refused.place_in(&json).line, refused.place().frame), (Some(line), Some(0)));
    let mut out = RealiseSettings::default();
    out.join.window_secs = f64::NAN;
    assert_eq!(realise(&plan(), &map, &out).unwrap_err().code().id, "ops/setting");
}

#[test]
fn placements_must_be_in_order_and_of_one_body() {
    use marey_realise::{Machine, SourceClip};
    let map = walks(1, 8.0);
    let example = &map[&source(0)];
    let mut chain = Chain::new(&map);
    chain.add(0, 100..200, 100);
    chain.add(0, 300..400, 100);
    let placements = chain.plan().actors.remove(0).placements;
    let skeleton = example.clip.skeleton().clone();
    let mut machine = Machine::new(skeleton.clone(), 60.0, RealiseSettings::default()).unwrap();
    assert_eq!(machine.push(&placements[1], example).unwrap_err().code().id, "realise/order");
    machine.push(&placements[0], example).unwrap();
    let larger = SourceClip { clip: example.clip.clone().scaled(1.1).unwrap(), ..example.clone() };
    let refused = machine.push(&placements[1], &larger).unwrap_err();
    assert_eq!((refused.code().id, refused.place().frame), ("realise/other-body", Some(100)));
    machine.finish();
    assert_eq!(machine.push(&placements[1], example).unwrap_err().code().id, "realise/order");
    assert!(Machine::new(skeleton, -1.0, RealiseSettings::default()).is_err());
}

#[test]
fn unreadable_and_unknown_sources_differ() {
    use marey_plan::SourceRef;
    use marey_realise::{RealiseError, SourceClip, Sources};
    struct Broken;
    impl Sources for Broken {
        fn source_clip(&self, source: &SourceRef) -> Result<SourceClip, RealiseError> {
            Err(RealiseError::Unreadable {
                source_ref: source.clone(),
                message: "the disk is full of sand".into(),
            })
        }
    }
    let map = walks(1, 8.0);
    let refused = realise(&bad_plan(&map, 0, 2), &Broken, &RealiseSettings::default()).unwrap_err();
    assert_eq!(refused.code().id, "realise/unreadable");
    assert!(refused.to_string().contains("sand"));
}

#[test]
fn frames_are_always_finite() {
    let map = walks(2, 8.0);
    for seed in 0..10 {
        for method in JoinMethod::ALL {
            let realised = realise(&bad_plan(&map, seed, 12), &map, &settings(method)).unwrap();
            let world = realised.take.first().world();
            assert!(world.positions.iter().all(|p: &Vec3| p.is_finite() && p.length() < 100.0));
        }
    }
}

#[test]
fn an_ended_source_comes_to_rest_while_it_fades() {
    let mut map = walks(2, 8.0);
    let cut = map.get_mut(&source(0)).unwrap();
    cut.clip = cut.clip.slice(0..240).unwrap();
    let mut chain = Chain::new(&map);
    chain.add(0, 180..240, 60);
    chain.add(1, 100..200, 100);
    let joined = realise(&chain.plan(), &map, &settings(JoinMethod::Crossfade)).unwrap();
    // The source ends while walking: a stop within a frame would be an acceleration of sixty times its speed.
    let clip = joined.take.first();
    let hips = |frame: usize| clip.pose(frame).positions[0];
    let speed_mps = (hips(59) - hips(58)).length() * 60.0;
    let jolt_mps2 = (hips(60) - hips(59) * 2.0 + hips(58)).length() * 3600.0;
    assert!(speed_mps > 0.5 && jolt_mps2 < 20.0 * speed_mps, "{speed_mps} m/s, {jolt_mps2} m/s²");
}
