//! From a recorded pair to one that goes on.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::sync::OnceLock;

use marey_duet::{
    Command, Duet, Kind, LabelSettings, Model, ModelSettings, Pair, Performance, Played, RunSettings,
    Session, Shape, Touch, Way, kept_apart, label,
};
use marey_examples::taekwondo::{TaekwondoSettings, taekwondo};
use marey_examples::waltz::{WaltzSettings, waltz};
use marey_motion::{Coded, Take, WorldPose};
use marey_plan::Seed;
use marey_realise::{Example, Realised, Settings, join, realise};

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

#[test]
fn a_way_is_gone_along() {
    let points = (0..=40).map(|i| {
        let turn = f64::from(i) * 0.05;
        [f64::from(i), 2.0 * turn.sin(), 2.0 * turn.cos()]
    });
    let way = Way { person: 0, points: points.collect() };
    for seed in 2..5 {
        let run = fighters().perform(1200, Some(way.clone()), &RunSettings::default(), Seed(seed)).unwrap();
        let own: Vec<&Played> = run.played.iter().filter(|played| played.person == 0).collect();
        let off_m = |played: &Played, frame: usize| {
            played.ground_at(frame).translation().distance(way.at(frame as f64 / 30.0))
        };
        // After the first, which begins as somebody stood in the examples: in every frame, and all but exactly where movements end.
        for played in &own[1..] {
            for frame in played.placement.start..=played.end() {
                assert!(off_m(played, frame) < 0.1, "seed {seed}, frame {frame}: {}", off_m(played, frame));
            }
            assert!(off_m(played, played.end()) < 0.01);
        }
        assert!(run.played.iter().any(|played| played.kind == Kind::Offensive));
    }
}

#[test]
fn a_couple_moves_as_one() {
    let dance = WaltzSettings { duration_secs: 60.0, rate_hz: 30.0, ..WaltzSettings::default() };
    let duet = trained(&waltz(&dance).unwrap().take);
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
