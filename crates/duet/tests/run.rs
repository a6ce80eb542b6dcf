//! From a recorded pair to one that goes on.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::OnceLock;

use marey_duet::{
    Command, Duet, Kind, LabelSettings, Model, ModelSettings, Pair, Played, RunSettings, Session, Shape, Way,
    kept_apart, label,
};
use marey_examples::taekwondo::{TaekwondoSettings, taekwondo};
use marey_examples::waltz::{WaltzSettings, waltz};
use marey_motion::{Actor, Coded, Ground, Take, WorldPose};
use marey_plan::Seed;

fn trained(take: &Take) -> Duet {
    let pairs = [Pair::of_take(take).unwrap()];
    let settings = LabelSettings { iterations: 60, ..LabelSettings::default() };
    let labels = label(&pairs, &settings, Seed(1), &|_| ControlFlow::Continue(())).unwrap();
    let model = Model::train(&pairs, &labels, &ModelSettings::default()).unwrap();
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
        trained(&taekwondo(&bout).unwrap().take)
    })
}

fn shown(played: &[Played]) -> Vec<(usize, usize, usize, usize)> {
    played.iter().map(|p| (p.person, p.group, p.placement.start, p.placement.frames)).collect()
}

#[test]
fn rows_of_a_model_add_up_and_it_comes_back_from_a_file_whole() {
    let model = fighters().model();
    for person in &model.people {
        for row in &person.transitions {
            assert!((row.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        }
        assert!((person.initial.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        // Somebody strikes, and somebody is struck; and a group with one movement is a state like others.
        assert!(person.states.iter().any(|state| state.kind == Kind::Offensive));
        assert!(person.states.iter().any(|state| state.kind == Kind::Defensive));
        assert!(person.states.iter().any(|state| state.movements == 1));
    }
    assert!(!model.in_unison);
    let text = serde_json::to_string(model).unwrap();
    let back: Model = serde_json::from_str(&text).unwrap();
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
fn labels_that_do_not_fit_are_refused() {
    let bout =
        TaekwondoSettings { seed: 21, duration_secs: 20.0, rate_hz: 30.0, ..TaekwondoSettings::default() };
    let pairs = [Pair::of_take(&taekwondo(&bout).unwrap().take).unwrap()];
    let labels = &fighters().model().labels;
    let refused = Model::train(&pairs, labels, &ModelSettings::default()).unwrap_err();
    assert_eq!(refused.code().id, "duet/label");
}

#[test]
fn a_run_has_no_gaps_and_is_the_same_again() {
    let run = |seed| fighters().perform(900, None, &RunSettings::default(), Seed(seed)).unwrap();
    let (one, again, another) = (run(3), run(3), run(4));
    assert_eq!(one.plan, again.plan);
    assert_eq!(one.plan.frames(), 900);
    assert_ne!(shown(&one.played), shown(&another.played));
    for (a, b) in one.movements.iter().zip(&again.movements) {
        assert_eq!(a.1, b.1);
    }
}

#[test]
fn every_attack_is_answered_in_time() {
    let mut attacks = 0;
    for seed in 0..4 {
        let run = fighters().perform(1800, None, &RunSettings::default(), Seed(seed)).unwrap();
        // The last may be cut off before it is answered.
        let whole = |played: &&Played| played.kind == Kind::Offensive && played.end() < 1700;
        for attack in run.played.iter().filter(whole) {
            attacks += 1;
            let touch = attack.touch.unwrap();
            let answered = run.played.iter().any(|other| {
                other.person != attack.person
                    && other.kind == Kind::Defensive
                    && other.touch.is_some_and(|own| own.abs_diff(touch) <= 3)
            });
            let near: Vec<_> = run
                .played
                .iter()
                .filter(|p| p.placement.start <= touch && p.end() >= touch)
                .map(|p| (p.person, p.kind, p.placement.start, p.end(), p.touch))
                .collect();
            assert!(answered, "seed {seed}, frame {touch}: {near:?}");
        }
    }
    assert!(attacks > 5, "{attacks}");
}

#[test]
fn who_is_told_to_defend_is_attacked() {
    let mut session = Session::new(fighters(), &RunSettings::default(), Seed(3)).unwrap();
    session.command(0, Command { kind: Some(Kind::Defensive), ..Command::default() }).unwrap();
    let mut played = Vec::new();
    while session.planned() < 900 && session.waiting(0) > 0 {
        played.extend(session.advance().unwrap());
    }
    assert_eq!(session.waiting(0), 0);
    for _ in 0..2 {
        played.extend(session.advance().unwrap());
    }
    let touches = |person: usize, kind: Kind| {
        played.iter().filter(move |p| p.person == person && p.kind == kind).filter_map(|p| p.touch)
    };
    assert!(touches(0, Kind::Defensive).count() > 0);
    for own in touches(0, Kind::Defensive) {
        assert!(touches(1, Kind::Offensive).any(|attack| attack.abs_diff(own) <= 3), "{own}");
    }
}

/// A bout in which one of them is moved into the other.
#[test]
fn limbs_are_brought_out_of_the_other_without_a_jump() {
    let bout = TaekwondoSettings { duration_secs: 30.0, rate_hz: 30.0, ..TaekwondoSettings::default() };
    let take = taekwondo(&bout).unwrap().take;
    let [one, other] = [0, 1].map(|i| take.actors()[i].clone());
    let between =
        other.clip.ground_track().frames[0].translation() - one.clip.ground_track().frames[0].translation();
    let nearer = between * -0.3;
    let moved = Actor { clip: other.clip.moved(Ground::new(nearer.x, nearer.z, 0.0)), ..other };
    let crowded = Take::new("crowded", vec![one, moved]).unwrap();
    let stands = Pair::of_take(&crowded).unwrap().people.map(|person| person.contacts);
    let apart = kept_apart(&crowded, &stands).unwrap();
    let worlds = |take: &Take, frame: usize| {
        [0, 1].map(|i| WorldPose::of(take.actors()[i].clip.skeleton(), take.actors()[i].clip.pose(frame)))
    };
    let shapes = [0, 1].map(|i| Shape::of(crowded.actors()[i].clip.skeleton()));
    let deep = |take: &Take| {
        let is_deep =
            |frame: &usize| Shape::depth_m(shapes.each_ref(), worlds(take, *frame).each_ref()) > 0.02;
        (0..take.frames()).filter(is_deep).count()
    };
    // What is left is legs that stand, and trunks.
    assert!(deep(&crowded) > 60 && deep(&apart) * 4 < deep(&crowded), "{} {}", deep(&crowded), deep(&apart));
    // How far any joint was carried changes little from one frame to the next, but where a strike is stopped.
    let carried = |frame: usize| {
        let (from, to) = (worlds(&crowded, frame), worlds(&apart, frame));
        let of = |i: usize| {
            to[i].positions.iter().zip(&from[i].positions).map(|(a, b)| *a - *b).collect::<Vec<_>>()
        };
        [of(0), of(1)].concat()
    };
    let jumps = (1..take.frames()).filter(|&frame| {
        let (now, before) = (carried(frame), carried(frame - 1));
        now.iter().zip(&before).any(|(a, b)| a.distance(*b) > 0.12)
    });
    let jumps = jumps.count();
    assert!(jumps < 8, "{jumps}");
    assert_eq!(kept_apart(&apart, &[]).unwrap_err().code().id, "duet/people");
}

#[test]
fn the_likeliest_comes_next_where_nothing_is_drawn() {
    let settings = RunSettings { temperature: 0.0, ..RunSettings::default() };
    let run = fighters().perform(300, None, &settings, Seed(1)).unwrap();
    let drawn = fighters().perform(300, None, &RunSettings::default(), Seed(1)).unwrap();
    assert_ne!(shown(&run.played), shown(&drawn.played));
    // Fewer different movements than when they are drawn.
    let groups =
        |played: &[Played]| played.iter().map(|p| (p.person, p.group)).collect::<BTreeSet<_>>().len();
    assert!(groups(&run.played) <= groups(&drawn.played));
}

#[test]
fn commands_are_obeyed_in_order() {
    let duet = fighters();
    let states = &duet.model().people[0].states;
    let most = |kind: Kind| {
        let of = states.iter().enumerate().filter(move |(_, state)| state.kind == kind);
        of.max_by_key(|(_, state)| state.movements).map(|(group, _)| group).unwrap()
    };
    let wanted = [most(Kind::Normal), most(Kind::Offensive), most(Kind::Normal), most(Kind::Offensive)];
    let mut session = Session::new(duet, &RunSettings::default(), Seed(5)).unwrap();
    for group in wanted {
        session.command(0, Command { group: Some(group), ..Command::default() }).unwrap();
    }
    let mut played = Vec::new();
    while session.planned() < 3000 && session.waiting(0) > 0 {
        played.extend(session.advance().unwrap());
    }
    assert_eq!(session.waiting(0), 0);
    played.extend(session.advance().unwrap());
    let mut left = wanted.iter().peekable();
    for own in played.iter().filter(|played| played.person == 0) {
        left.next_if(|group| **group == own.group);
    }
    assert!(left.next().is_none(), "{:?}", shown(&played));
    let none = session.command(0, Command { group: Some(9999), ..Command::default() });
    assert_eq!(none.unwrap_err().code().id, "duet/command");
    assert!(session.command(2, Command::default()).is_err());
}

/// Somebody who is moved so far away that the two never touch, and so far that nothing begins where anything ended, if both are one.
#[test]
fn who_never_touch_go_on_without_a_strike() {
    let bout = TaekwondoSettings { duration_secs: 30.0, rate_hz: 30.0, ..TaekwondoSettings::default() };
    let take = taekwondo(&bout).unwrap().take;
    let [one, other] = [0, 1].map(|i| take.actors()[i].clone());
    let away = Actor { clip: other.clip.moved(Ground::new(400.0, 0.0, 1.0)), ..other };
    let pairs = [Pair::of_take(&Take::new("apart", vec![one, away]).unwrap()).unwrap()];
    assert!(pairs[0].touches.is_empty());
    for in_unison in [None, Some(true)] {
        let settings = LabelSettings { in_unison, iterations: 20, ..LabelSettings::default() };
        let labels = label(&pairs, &settings, Seed(1), &|_| ControlFlow::Continue(())).unwrap();
        let settings = ModelSettings { in_unison, ..ModelSettings::default() };
        let duet = Duet::new(&pairs, Model::train(&pairs, &labels, &settings).unwrap()).unwrap();
        let run = duet.perform(600, None, &RunSettings::default(), Seed(1)).unwrap();
        assert_eq!(run.plan.frames(), 600);
        assert!(run.played.iter().all(|played| played.kind == Kind::Normal));
    }
}

fn couple() -> &'static Duet {
    static DUET: OnceLock<Duet> = OnceLock::new();
    DUET.get_or_init(|| {
        let dance = WaltzSettings { duration_secs: 60.0, rate_hz: 30.0, ..WaltzSettings::default() };
        trained(&waltz(&dance).unwrap().take)
    })
}

#[test]
fn a_couple_is_cut_as_one_and_others_where_it_is_asked_for() {
    let bout = TaekwondoSettings { duration_secs: 20.0, rate_hz: 30.0, ..TaekwondoSettings::default() };
    let dance = WaltzSettings { duration_secs: 20.0, rate_hz: 30.0, ..WaltzSettings::default() };
    let [fight, dance] = [taekwondo(&bout).unwrap().take, waltz(&dance).unwrap().take]
        .map(|take| [Pair::of_take(&take).unwrap()]);
    assert!(!Pair::are_a_couple(&fight) && Pair::are_a_couple(&dance));
    let cuts = |pairs: &[Pair], in_unison| {
        let settings = LabelSettings { in_unison, iterations: 20, ..LabelSettings::default() };
        let labels = label(pairs, &settings, Seed(1), &|_| ControlFlow::Continue(())).unwrap();
        labels.people.map(|person| person.all.into_iter().map(|m| (m.frames, m.group)).collect::<Vec<_>>())
    };
    for (pairs, in_unison, are_one) in [
        (&dance, None, true),
        (&fight, None, false),
        (&fight, Some(true), true),
        (&fight, Some(false), false),
    ] {
        let [one, other] = cuts(pairs, in_unison);
        assert_eq!(one == other, are_one, "{in_unison:?}");
    }
}

#[test]
fn what_either_of_a_couple_is_told_both_do() {
    let duet = couple();
    let mut session = Session::new(duet, &RunSettings::default(), Seed(2)).unwrap();
    let last = duet.model().people[0].states.len() - 1;
    session.command(1, Command { group: Some(last), ..Command::default() }).unwrap();
    assert_eq!((session.waiting(0), session.waiting(1)), (1, 1));
    // Nobody strikes.
    let strike = session.command(0, Command { kind: Some(Kind::Offensive), ..Command::default() });
    assert_eq!(strike.unwrap_err().code().id, "duet/command");
    let mut played = session.advance().unwrap();
    played.extend(session.advance().unwrap());
    assert_eq!((session.waiting(0), session.waiting(1)), (0, 0));
    assert_eq!((played[2].group, played[3].group), (last, last));
}

#[test]
fn either_of_a_couple_goes_along_a_way() {
    let way = |person| Way { person, points: vec![[0.0, 0.0, 0.0], [30.0, 0.0, 9.0]] };
    for person in [0, 1] {
        let way = way(person);
        let run = couple().perform(900, Some(way.clone()), &RunSettings::default(), Seed(3)).unwrap();
        let off = run.played.iter().filter(|played| played.person == person).map(|played| {
            let frame = played.end().min(900);
            played.ground_at(frame).translation().distance(way.at(frame as f64 / 30.0))
        });
        let off: Vec<f32> = off.collect();
        assert!(off.iter().sum::<f32>() / (off.len() as f32) < 0.15, "person {person}: {off:?}");
    }
}

#[test]
fn a_couple_moves_as_one() {
    let duet = couple();
    assert!(duet.model().in_unison);
    let run = duet.perform(600, None, &RunSettings::default(), Seed(1)).unwrap();
    let [one, two] =
        [0, 1].map(|person| run.played.iter().filter(move |p| p.person == person).collect::<Vec<_>>());
    for (leader, follower) in one.iter().zip(&two) {
        assert_eq!(leader.weights, follower.weights);
        assert_eq!((leader.placement.start, leader.end()), (follower.placement.start, follower.end()));
        // In each other's arms all the way.
        for frame in leader.placement.start..leader.end() {
            let apart =
                leader.ground_at(frame).translation().distance(follower.ground_at(frame).translation());
            assert!((0.2..0.6).contains(&apart), "{apart} at {frame}");
        }
    }
}
