//! Hand holds, reach and look-at targets.

mod support;

use marey_measure::bounds::Bounds;
use marey_measure::hold::{self, hold_error};
use marey_motion::{Coded, Ground, Role, Vec3};
use marey_plan::{ActorJoint, Meeting, Placement, Plan, SourceRef, Target, TargetGoal};
use marey_realise::constrain::{self, Hold, propagate_holds};
use marey_realise::{RealiseSettings, codes, realise};
use support::{Map, RATE_HZ, plan_of, source, walks};

/// One walk as both actors of a take, who hold hands for a while.
fn couple() -> Map {
    let walks = walks(1, 8.0);
    let mut example = walks[&source(0)].clone();
    let held = |actor| SourceRef { take: "dance".into(), actor };
    let partner = example.clone();
    example.holds = vec![Hold {
        role: Role::LeftHand,
        with_actor: 1,
        with_role: Role::RightHand,
        frames: 130..190,
        gap_m: 0.05,
    }];
    Map::from([(held(0), example), (held(1), partner)])
}

/// Both actors side by side, `apart_m` metres apart.
fn side_by_side(apart_m: f32) -> Plan {
    let placement = |actor, x| Placement {
        source: SourceRef { take: "dance".into(), actor },
        source_start: 100,
        source_end: 220,
        start: 0,
        frames: 120,
        key_times: vec![],
        world_from_source: Ground::new(x, 0.0, 0.0),
        mirrored: false,
    };
    plan_of(vec![vec![placement(0, 0.0)], vec![placement(1, apart_m)]])
}

#[test]
fn holds_are_propagated_and_enforced() {
    let map = couple();
    let mut plan = side_by_side(0.0);
    // To the left of the first actor.
    let heading = map.values().next().unwrap().clip.ground_track().frames[150].yaw_rad;
    let beside = Ground::new(0.0, 0.0, heading).point(Vec3::X * 0.75);
    plan.actors[1].placements[0].world_from_source = Ground::new(beside.x, beside.z, 0.0);
    plan.meetings = propagate_holds(&plan, &map).unwrap();
    let wanted = Meeting {
        one: ActorJoint { actor: 0, role: Role::LeftHand },
        other: ActorJoint { actor: 1, role: Role::RightHand },
        start: 30,
        end: 90,
        gap_m: 0.05,
    };
    assert_eq!(plan.meetings, [wanted]);
    let held = hold::ExpectedHold {
        one: (0, Role::LeftHand),
        other: (1, Role::RightHand),
        frames: 30..90,
        gap_m: 0.05,
    };
    let error = |settings: &RealiseSettings| {
        let realised = realise(&plan, &map, settings).unwrap();
        hold_error(&realised.take, std::slice::from_ref(&held)).unwrap().largest_cm
    };
    let off = RealiseSettings { constrain: None, ..RealiseSettings::default() };
    assert!(
        error(&off) > 5.0 && error(&RealiseSettings::default()) < 0.1,
        "{} {}",
        error(&off),
        error(&RealiseSettings::default())
    );
}

#[test]
fn unreachable_holds_are_reported() {
    let map = couple();
    let mut plan = side_by_side(5.0);
    plan.meetings = propagate_holds(&plan, &map).unwrap();
    let realised = realise(&plan, &map, &RealiseSettings::default()).unwrap();
    assert!(realised.report.has(&codes::MEETING_MISSED));
    // Feet cannot hold.
    plan.meetings[0].one.role = Role::LeftFoot;
    assert_eq!(
        realise(&plan, &map, &RealiseSettings::default()).unwrap_err().code().id,
        "motion/missing-role"
    );
}

#[test]
fn targets_are_met_while_active() {
    let map = walks(1, 8.0);
    let mut chain = support::Chain::new(&map);
    chain.add(0, 0..60, 60);
    let mut plan = chain.plan();
    let bare = realise(&plan, &map, &RealiseSettings::default()).unwrap();
    let skeleton = bare.take.first().skeleton().clone();
    let [hand, head] = [Role::RightHand, Role::Head].map(|role| skeleton.joint_of(role).unwrap());
    let goal = bare.take.first().world().positions_at(30)[hand] + Vec3::new(0.0, 0.25, 0.1);
    let seen = Vec3::new(1.5, 1.4, 2.0);
    let target =
        |role, goal| Target { end: ActorJoint { actor: 0, role }, goal, from_frame: 25, until_frame: 35 };
    plan.targets = vec![
        target(Role::RightHand, TargetGoal::Reach(goal.to_array())),
        target(Role::Head, TargetGoal::LookAt(seen.to_array())),
    ];
    let realised = realise(&plan, &map, &RealiseSettings::default()).unwrap();
    let world = realised.take.first().world();
    for frame in 25..35 {
        assert!(world.positions_at(frame)[hand].distance(goal) < 0.01);
        let rest = skeleton.rest_world_rotations()[head];
        let looks = world.rotations_at(frame)[head] * rest.inverse() * Vec3::Z;
        assert!(looks.angle_between(seen - world.positions_at(frame)[head]) < 0.02);
    }
    // Limited to the range of the walk, it turns no farther.
    let mut kept = RealiseSettings::default();
    kept.constrain =
        kept.constrain.map(|constrain| constrain::ConstrainSettings { slack_rad: Some(0.01), ..constrain });
    let kept = realise(&plan, &map, &kept).unwrap();
    let seen = Bounds::learn([&map[&source(0)].clip], 0.011);
    assert!(seen.beyond(realised.take.first()).farthest_deg > 1.0);
    assert_eq!(seen.beyond(kept.take.first()).worst.filter(|worst| worst.what.contains("Arm")), None);
    assert!(kept.report.has(&codes::MEETING_MISSED));
    // Outside its frames, nothing changes.
    let ease = (0.25 * RATE_HZ) as usize;
    for frame in (0..25 - ease - 1).chain(35 + ease + 1..60) {
        assert_eq!(realised.take.first().pose(frame), bare.take.first().pose(frame));
    }
}

#[test]
fn holds_are_detected() {
    use std::collections::BTreeSet;

    use marey_examples::waltz::{WaltzSettings, waltz};
    let hands = [Role::LeftHand, Role::RightHand];
    for seed in 0..3 {
        let settings = WaltzSettings { seed, duration_secs: 15.0, rate_hz: 30.0, ..WaltzSettings::default() };
        let dance = waltz(&settings).unwrap();
        let found = constrain::detect_holds(&dance.take, 0);
        let mut seen = BTreeSet::new();
        for hold in &found {
            assert!((hold.gap_m - 0.09).abs() < 0.01, "{hold:?}");
            seen.extend(hold.frames.clone().map(|frame| (frame, hold.role, hold.with_role)));
        }
        let held = dance
            .truth
            .holds()
            .iter()
            .filter(|h| hands.contains(&h.one.role) && hands.contains(&h.other.role));
        let known: BTreeSet<_> = held
            .flat_map(|hold| {
                let [one, other] =
                    if hold.one.actor == 0 { [hold.one, hold.other] } else { [hold.other, hold.one] };
                hold.frames.clone().map(move |frame| (frame, one.role, other.role))
            })
            .collect();
        let both = seen.intersection(&known).count() as f64;
        assert!(known.len() > 300 && both > 0.95 * known.len() as f64 && both > 0.95 * seen.len() as f64);
        assert!(
            constrain::detect_holds(&dance.take, 1).is_empty()
                && constrain::detect_holds(&dance.take, 2).is_empty()
        );
    }
}
