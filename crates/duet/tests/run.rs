//! Generates runs from models that were trained on generated recordings.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use marey_body::BodyCapsules;
use marey_duet::{
    Duet, DuetCommand, DuetLabelSettings, DuetModel, DuetModelSettings, DuetPath, DuetRunSettings,
    DuetSession, InteractionKind, PlacedMovement, RecordedPair, SeparationSettings, label, separate_bodies,
};
use marey_examples::taekwondo::{TaekwondoSettings, taekwondo};
use marey_examples::waltz::{WaltzSettings, waltz};
use marey_motion::{Actor, Coded, Ground, Observer, Take, WorldPose};
use marey_plan::Seed;

fn train(take: &Take) -> Duet {
    let pairs = [RecordedPair::from_take(take).unwrap()];
    let settings = DuetLabelSettings { iterations: 60, ..DuetLabelSettings::default() };
    let labels = label(&pairs, &settings, Seed(1), Observer::ignore()).unwrap();
    let model = DuetModel::train(&pairs, &labels, &DuetModelSettings::default()).unwrap();
    Duet::new(&pairs, model).unwrap()
}

fn fighters() -> &'static Duet {
    static DUET: OnceLock<Duet> = OnceLock::new();
    DUET.get_or_init(|| {
        let bout = TaekwondoSettings {
            seed: 21,
            duration_secs: 90.0,
            rate_hz: 30.0,
            ..TaekwondoSettings::default()
        };
        train(&taekwondo(&bout).unwrap().take)
    })
}

fn timing(placed: &[PlacedMovement]) -> Vec<(usize, usize, usize, usize)> {
    placed.iter().map(|p| (p.person, p.group, p.placement.start, p.placement.frames)).collect()
}

#[test]
fn a_model_is_normalised_and_survives_serialisation() {
    let model = fighters().model();
    for person in &model.people {
        for row in &person.transitions {
            assert!((row.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        }
        assert!((person.initial.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        // Each person strikes and is struck, and groups of one movement are states too.
        assert!(person.states.iter().any(|state| state.kind == InteractionKind::Offensive));
        assert!(person.states.iter().any(|state| state.kind == InteractionKind::Defensive));
        assert!(person.states.iter().any(|state| state.movements == 1));
    }
    assert!(!model.in_unison);
    let text = serde_json::to_string(model).unwrap();
    let back: DuetModel = serde_json::from_str(&text).unwrap();
    assert!(back.validate().is_ok());
    assert_eq!(back.people[0].counts, model.people[0].counts);
    let mut broken = model.clone();
    broken.people[1].transitions[0].pop();
    assert_eq!(broken.validate().unwrap_err().code().id, "duet/model");
    let mut singular = model.clone();
    singular.people[0].states[0].observed.covariance = [1.0, 1.0, 1.0];
    assert_eq!(singular.validate().unwrap_err().code().id, "duet/model");
}

#[test]
fn labels_outside_the_recording_are_refused() {
    let bout =
        TaekwondoSettings { seed: 21, duration_secs: 20.0, rate_hz: 30.0, ..TaekwondoSettings::default() };
    let pairs = [RecordedPair::from_take(&taekwondo(&bout).unwrap().take).unwrap()];
    let labels = &fighters().model().labels;
    let refused = DuetModel::train(&pairs, labels, &DuetModelSettings::default()).unwrap_err();
    assert_eq!(refused.code().id, "duet/label");
}

#[test]
fn a_run_has_no_gaps_and_is_reproducible() {
    let run = |seed| fighters().run(900, None, &DuetRunSettings::default(), Seed(seed)).unwrap();
    let (one, again, another) = (run(3), run(3), run(4));
    assert_eq!(one.plan, again.plan);
    assert_eq!(one.plan.frames(), 900);
    assert_ne!(timing(&one.placed), timing(&another.placed));
}

#[test]
fn every_attack_meets_a_defence_in_time() {
    let mut attacks = 0;
    for seed in 0..4 {
        let run = fighters().run(1800, None, &DuetRunSettings::default(), Seed(seed)).unwrap();
        // The end of the run may cut off the last defence.
        let is_complete_attack =
            |placed: &&PlacedMovement| placed.kind == InteractionKind::Offensive && placed.end() < 1700;
        for attack in run.placed.iter().filter(is_complete_attack) {
            attacks += 1;
            let contact = attack.contact_frame.unwrap();
            let is_defended = run.placed.iter().any(|other| {
                other.person != attack.person
                    && other.kind == InteractionKind::Defensive
                    && other.contact_frame.is_some_and(|own| own.abs_diff(contact) <= 3)
            });
            let near: Vec<_> = run
                .placed
                .iter()
                .filter(|p| p.placement.start <= contact && p.end() >= contact)
                .map(|p| (p.person, p.kind, p.placement.start, p.end(), p.contact_frame))
                .collect();
            assert!(is_defended, "seed {seed}, frame {contact}: {near:?}");
        }
    }
    assert!(attacks > 5, "{attacks}");
}

#[test]
fn a_commanded_defence_is_attacked() {
    let mut session = DuetSession::new(fighters(), &DuetRunSettings::default(), Seed(3)).unwrap();
    session
        .command(0, DuetCommand { kind: Some(InteractionKind::Defensive), ..DuetCommand::default() })
        .unwrap();
    let mut placed = Vec::new();
    while session.planned_frames() < 900 && session.pending_commands(0) > 0 {
        placed.extend(session.advance().unwrap());
    }
    assert_eq!(session.pending_commands(0), 0);
    for _ in 0..2 {
        placed.extend(session.advance().unwrap());
    }
    let contact_frames = |person: usize, kind: InteractionKind| {
        placed.iter().filter(move |p| p.person == person && p.kind == kind).filter_map(|p| p.contact_frame)
    };
    assert!(contact_frames(0, InteractionKind::Defensive).count() > 0);
    for own in contact_frames(0, InteractionKind::Defensive) {
        assert!(
            contact_frames(1, InteractionKind::Offensive).any(|attack| attack.abs_diff(own) <= 3),
            "{own}"
        );
    }
}

#[test]
fn separated_limbs_move_without_jumps() {
    let bout = TaekwondoSettings { duration_secs: 30.0, rate_hz: 30.0, ..TaekwondoSettings::default() };
    let take = taekwondo(&bout).unwrap().take;
    let [one, other] = [0, 1].map(|i| take.actors()[i].clone());
    let between =
        other.clip.ground_track().frames[0].translation() - one.clip.ground_track().frames[0].translation();
    let nearer = between * -0.3;
    let moved = Actor { clip: other.clip.moved(Ground::new(nearer.x, nearer.z, 0.0)), ..other };
    let crowded = Take::new("crowded", vec![one, moved]).unwrap();
    let contacts = RecordedPair::from_take(&crowded).unwrap().people.map(|person| person.contacts);
    let separated =
        separate_bodies(&crowded, &contacts, &SeparationSettings::default(), Observer::ignore()).unwrap();
    let worlds = |take: &Take, frame: usize| {
        [0, 1].map(|i| WorldPose::of(take.actors()[i].clip.skeleton(), take.actors()[i].clip.pose(frame)))
    };
    let shapes = [0, 1].map(|i| BodyCapsules::of(crowded.actors()[i].clip.skeleton()));
    let deep_frames = |take: &Take| {
        let is_deep = |frame: &usize| {
            BodyCapsules::overlap_m(shapes.each_ref(), worlds(take, *frame).each_ref()) > 0.02
        };
        (0..take.frames()).filter(is_deep).count()
    };
    // Planted legs and trunks are not separated.
    assert!(
        deep_frames(&crowded) > 60 && deep_frames(&separated) * 4 < deep_frames(&crowded),
        "{} {}",
        deep_frames(&crowded),
        deep_frames(&separated)
    );
    // Corrections change little between frames, except when a strike is stopped.
    let corrections = |frame: usize| {
        let (from, to) = (worlds(&crowded, frame), worlds(&separated, frame));
        let of = |i: usize| {
            to[i].positions.iter().zip(&from[i].positions).map(|(a, b)| *a - *b).collect::<Vec<_>>()
        };
        [of(0), of(1)].concat()
    };
    let jumps = (1..take.frames()).filter(|&frame| {
        let (current, before) = (corrections(frame), corrections(frame - 1));
        current.iter().zip(&before).any(|(a, b)| a.distance(*b) > 0.12)
    });
    let jumps = jumps.count();
    assert!(jumps < 8, "{jumps}");
    assert_eq!(
        separate_bodies(&separated, &[], &SeparationSettings::default(), Observer::ignore())
            .unwrap_err()
            .code()
            .id,
        "duet/people"
    );
    let stop = |_| std::ops::ControlFlow::Break(());
    let cancelled =
        separate_bodies(&crowded, &contacts, &SeparationSettings::default(), Observer::new(&stop))
            .unwrap_err();
    assert_eq!(cancelled.code().id, "duet/cancelled");
}

#[test]
fn temperature_zero_picks_the_most_likely_movements() {
    let settings = DuetRunSettings { temperature: 0.0, ..DuetRunSettings::default() };
    let run = fighters().run(300, None, &settings, Seed(1)).unwrap();
    let drawn = fighters().run(300, None, &DuetRunSettings::default(), Seed(1)).unwrap();
    assert_ne!(timing(&run.placed), timing(&drawn.placed));
    // Random choices use more groups.
    let groups =
        |placed: &[PlacedMovement]| placed.iter().map(|p| (p.person, p.group)).collect::<BTreeSet<_>>().len();
    assert!(groups(&run.placed) <= groups(&drawn.placed));
}

#[test]
fn commands_are_executed_in_order() {
    let duet = fighters();
    let states = &duet.model().people[0].states;
    let largest_group = |kind: InteractionKind| {
        let of = states.iter().enumerate().filter(move |(_, state)| state.kind == kind);
        of.max_by_key(|(_, state)| state.movements).map(|(group, _)| group).unwrap()
    };
    let requested = [
        largest_group(InteractionKind::Normal),
        largest_group(InteractionKind::Offensive),
        largest_group(InteractionKind::Normal),
        largest_group(InteractionKind::Offensive),
    ];
    let mut session = DuetSession::new(duet, &DuetRunSettings::default(), Seed(5)).unwrap();
    for group in requested {
        session.command(0, DuetCommand { group: Some(group), ..DuetCommand::default() }).unwrap();
    }
    let mut placed = Vec::new();
    while session.planned_frames() < 3000 && session.pending_commands(0) > 0 {
        placed.extend(session.advance().unwrap());
    }
    assert_eq!(session.pending_commands(0), 0);
    placed.extend(session.advance().unwrap());
    let mut remaining = requested.iter().peekable();
    for own in placed.iter().filter(|placed| placed.person == 0) {
        remaining.next_if(|group| **group == own.group);
    }
    assert!(remaining.next().is_none(), "{:?}", timing(&placed));
    let none = session.command(0, DuetCommand { group: Some(9999), ..DuetCommand::default() });
    assert_eq!(none.unwrap_err().code().id, "duet/command");
    assert!(session.command(2, DuetCommand::default()).is_err());
}

/// One person is moved far away. The two never touch, and seen as a couple, no movement starts in a
/// posture in which another ends.
#[test]
fn people_who_never_touch_never_strike() {
    let bout = TaekwondoSettings { duration_secs: 30.0, rate_hz: 30.0, ..TaekwondoSettings::default() };
    let take = taekwondo(&bout).unwrap().take;
    let [one, other] = [0, 1].map(|i| take.actors()[i].clone());
    let away = Actor { clip: other.clip.moved(Ground::new(400.0, 0.0, 1.0)), ..other };
    let pairs = [RecordedPair::from_take(&Take::new("apart", vec![one, away]).unwrap()).unwrap()];
    assert!(pairs[0].partner_contacts.is_empty());
    for in_unison in [None, Some(true)] {
        let settings = DuetLabelSettings { in_unison, iterations: 20, ..DuetLabelSettings::default() };
        let labels = label(&pairs, &settings, Seed(1), Observer::ignore()).unwrap();
        let settings = DuetModelSettings { in_unison, ..DuetModelSettings::default() };
        let duet = Duet::new(&pairs, DuetModel::train(&pairs, &labels, &settings).unwrap()).unwrap();
        let run = duet.run(600, None, &DuetRunSettings::default(), Seed(1)).unwrap();
        assert_eq!(run.plan.frames(), 600);
        assert!(run.placed.iter().all(|placed| placed.kind == InteractionKind::Normal));
    }
}

fn couple() -> &'static Duet {
    static DUET: OnceLock<Duet> = OnceLock::new();
    DUET.get_or_init(|| {
        let dance = WaltzSettings { duration_secs: 60.0, rate_hz: 30.0, ..WaltzSettings::default() };
        train(&waltz(&dance).unwrap().take)
    })
}

#[test]
fn a_couple_is_cut_together_by_default_or_on_request() {
    let bout = TaekwondoSettings { duration_secs: 20.0, rate_hz: 30.0, ..TaekwondoSettings::default() };
    let dance = WaltzSettings { duration_secs: 20.0, rate_hz: 30.0, ..WaltzSettings::default() };
    let [fight, dance] = [taekwondo(&bout).unwrap().take, waltz(&dance).unwrap().take]
        .map(|take| [RecordedPair::from_take(&take).unwrap()]);
    assert!(!RecordedPair::is_couple(&fight) && RecordedPair::is_couple(&dance));
    let cuts = |pairs: &[RecordedPair], in_unison| {
        let settings = DuetLabelSettings { in_unison, iterations: 20, ..DuetLabelSettings::default() };
        let labels = label(pairs, &settings, Seed(1), Observer::ignore()).unwrap();
        labels.people.map(|person| person.all.into_iter().map(|m| (m.frames, m.group)).collect::<Vec<_>>())
    };
    for (pairs, in_unison, are_cut_together) in [
        (&dance, None, true),
        (&fight, None, false),
        (&fight, Some(true), true),
        (&fight, Some(false), false),
    ] {
        let [one, other] = cuts(pairs, in_unison);
        assert_eq!(one == other, are_cut_together, "{in_unison:?}");
    }
}

#[test]
fn both_of_a_couple_execute_a_command_for_either() {
    let duet = couple();
    let mut session = DuetSession::new(duet, &DuetRunSettings::default(), Seed(2)).unwrap();
    let last = duet.model().people[0].states.len() - 1;
    session.command(1, DuetCommand { group: Some(last), ..DuetCommand::default() }).unwrap();
    assert_eq!((session.pending_commands(0), session.pending_commands(1)), (1, 1));
    // A couple has no offensive movements.
    let strike =
        session.command(0, DuetCommand { kind: Some(InteractionKind::Offensive), ..DuetCommand::default() });
    assert_eq!(strike.unwrap_err().code().id, "duet/command");
    session.advance().unwrap();
    // Others may lead to it.
    let mut placed = Vec::new();
    while session.pending_commands(0) > 0 && session.planned_frames() < 900 {
        placed = session.advance().unwrap();
    }
    assert_eq!((session.pending_commands(0), session.pending_commands(1)), (0, 0));
    assert_eq!(placed.iter().map(|placed| placed.group).collect::<Vec<_>>(), [last, last]);
}

#[test]
fn either_of_a_couple_follows_a_path() {
    let path_of = |person| DuetPath { person, points: vec![[0.0, 0.0, 0.0], [30.0, 0.0, 9.0]] };
    for person in [0, 1] {
        let path = path_of(person);
        let run = couple().run(900, Some(path.clone()), &DuetRunSettings::default(), Seed(3)).unwrap();
        let distances_m = run.placed.iter().filter(|placed| placed.person == person).map(|placed| {
            let frame = placed.end().min(900);
            placed.ground_at(frame).translation().distance(path.at(frame as f64 / 30.0))
        });
        let distances_m: Vec<f32> = distances_m.collect();
        assert!(
            distances_m.iter().sum::<f32>() / (distances_m.len() as f32) < 0.4,
            "person {person}: {distances_m:?}"
        );
    }
}

#[test]
fn a_couple_moves_in_unison() {
    let duet = couple();
    assert!(duet.model().in_unison);
    let run = duet.run(600, None, &DuetRunSettings::default(), Seed(1)).unwrap();
    let [one, two] =
        [0, 1].map(|person| run.placed.iter().filter(move |p| p.person == person).collect::<Vec<_>>());
    for (leader, follower) in one.iter().zip(&two) {
        assert_eq!(leader.weights, follower.weights);
        assert_eq!((leader.placement.start, leader.end()), (follower.placement.start, follower.end()));
        // They stay in hold.
        for frame in leader.placement.start..leader.end() {
            let distance_m =
                leader.ground_at(frame).translation().distance(follower.ground_at(frame).translation());
            assert!((0.2..0.6).contains(&distance_m), "{distance_m} at {frame}");
        }
    }
}
