//! From a control to motion: behaviour of the whole.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};

use marey_examples::lindy::{self, LindySettings};
use marey_examples::walk::{WalkSettings, walk};
use marey_follow::{
    Control, Example, GrowSettings, Instance, Interpretation, Live, Mapping, PathSettings, Problem, Settings,
    Transform, Wish, follow, follow_explained, grow, path_control, too_fast,
};
use marey_motion::{Clip, Coded, PointClip, Vec3};
use marey_plan::SourceRef;

/// A walk, cut at its steps.
fn walks(seed: u64, secs: f64) -> (Mapping, Clip) {
    let settings = WalkSettings { seed, duration_secs: secs, rate_hz: 30.0, ..WalkSettings::default() };
    let made = walk(&settings).unwrap();
    let clip = made.take.first().clone();
    let example = Example {
        source: SourceRef { take: "walk".into(), actor: 0 },
        control: Control::hips().points(&clip).unwrap(),
        target: Control::ends().points(&clip).unwrap(),
    };
    let cuts = made.truth.cuts().windows(2);
    let instances = cuts.map(|two| Instance {
        example: 0,
        frames: two[0].frame..two[1].frame,
        label: two[0].name.clone(),
    });
    let instances = instances.filter(|instance| instance.frames.len() >= 2).collect();
    let weights = (Control::hips().weights(), Control::ends().weights());
    (Mapping::new(vec![example], instances, weights.0, weights.1).unwrap(), clip)
}

/// Ahead at a pace, in metres a second, turning left, in radians a second.
fn drawn(secs: f64, pace: f32, turn: f32) -> PointClip {
    let mut at = Vec3::ZERO;
    let points = (0..(secs * 30.0) as usize).map(|frame| {
        let heading = turn * frame as f32 / 30.0;
        at += pace / 30.0 * Vec3::new(heading.sin(), 0.0, heading.cos());
        Some(at)
    });
    PointClip::new(vec!["path".into()], 30.0, points.collect()).unwrap()
}

fn covers(found: &Interpretation) {
    let mut at = 0;
    for piece in &found.pieces {
        assert_eq!(piece.start, at);
        at += piece.frames;
    }
    assert_eq!(at, found.frames);
    let (interpretation, continuity) = found.parts();
    assert!((interpretation + continuity - found.score).abs() < 1e-6 * (1.0 + found.score));
}

#[test]
fn what_was_taken_from_the_mapping_is_found_again() {
    let (mapping, clip) = walks(1, 30.0);
    let span = mapping.instances()[5].frames.start..mapping.instances()[20].frames.end;
    let control = Control::hips().points(&clip.slice(span.clone()).unwrap()).unwrap();
    let settings = Settings { rate_hz: 30.0, k: 0.1, stretch_secs: 0.1, ..Settings::default() };
    let found = follow(&mapping, &control, &[], &settings).unwrap();
    covers(&found);
    let instances: Vec<usize> = found.pieces.iter().map(|piece| piece.instance).collect();
    assert_eq!(instances, (5..=20).collect::<Vec<_>>());
    // The control ends a frame before its last step does.
    for piece in &found.pieces[..15] {
        assert!(piece.rms_m < 2e-3 && piece.jump_m < 0.02, "{piece:?}");
    }
}

#[test]
fn a_drawn_path_is_followed_and_the_second_pass_never_costs_more() {
    let (mapping, _) = walks(1, 90.0);
    let control = path_control(&drawn(20.0, 1.2, 0.3), &PathSettings::default()).unwrap();
    let settings = Settings { free_start: true, free_end: true, ..Settings::default() };
    let (found, trace) =
        follow_explained(&mapping, &control, &[], &settings, &|_, _| ControlFlow::Continue(())).unwrap();
    covers(&found);
    assert_eq!(found, follow(&mapping, &control, &[], &settings).unwrap());
    assert_eq!(trace.choices.len(), found.pieces.len());
    for choice in &trace.choices {
        let source = &choice.candidates[choice.taken];
        assert_eq!(source.from_frame, found.pieces[choice.placement].from_frame.round() as usize);
    }
    let plan = found.plan(&mapping, "walker").unwrap();
    plan.validate().unwrap();
    assert_eq!(plan.frames(), control.frames());
    let finer = found.at_rate(120.0);
    covers(&finer);
    assert_eq!((finer.frames, finer.pieces.len()), (4 * control.frames(), found.pieces.len()));
    assert_eq!(found.at_rate(1.0), found);
    assert!(found.pieces.iter().all(|piece| piece.rms_m < 0.1), "{:?}", found.pieces);
    assert!(too_fast(&control, &mapping, 0.2).is_empty());
    let rush = path_control(&drawn(4.0, 6.0, 0.0), &PathSettings::default()).unwrap();
    assert_eq!(too_fast(&rush, &mapping, 0.2).codes(), ["follow/too-fast"]);
}

#[test]
fn wishes_are_granted() {
    let (mapping, _) = walks(2, 40.0);
    let control = path_control(&drawn(8.0, 1.2, 0.0), &PathSettings::default()).unwrap();
    let settings = Settings { free_start: true, free_end: true, ..Settings::default() };
    let free = follow(&mapping, &control, &[], &settings).unwrap();
    let middle = free.pieces[free.pieces.len() / 2];
    let at_secs = (middle.start as f64 + 0.5 * middle.frames as f64) / 30.0;
    let other = (0..mapping.instances().len()).rfind(|&i| i != middle.instance).unwrap();
    let used = follow(&mapping, &control, &[Wish::Use { instance: other, at_secs }], &settings).unwrap();
    let there = |found: &Interpretation| {
        let frame = (at_secs * 30.0) as usize;
        found
            .pieces
            .iter()
            .find(|piece| (piece.start..piece.start + piece.frames).contains(&frame))
            .unwrap()
            .instance
    };
    assert_eq!(there(&used), other);
    let avoid = Wish::Avoid { instance: middle.instance, from_secs: 0.0, until_secs: 8.0 };
    let without = follow(&mapping, &control, &[avoid], &settings).unwrap();
    assert!(without.pieces.iter().all(|piece| piece.instance != middle.instance));
    let all = (0..mapping.instances().len()).map(|instance| Wish::Avoid {
        instance,
        from_secs: 0.0,
        until_secs: 8.0,
    });
    let none = follow(&mapping, &control, &all.collect::<Vec<_>>(), &settings).unwrap_err();
    assert_eq!(none.code().id, "follow/wishes");
    let bad = follow(&mapping, &control, &[Wish::Use { instance: 9999, at_secs: 0.0 }], &settings);
    assert_eq!(bad.unwrap_err().code().id, "follow/bad-wish");
    let late = Wish::Use { instance: 0, at_secs: f64::NAN };
    assert_eq!(follow(&mapping, &control, &[late], &settings).unwrap_err().code().id, "follow/bad-wish");
}

#[test]
fn lengths_that_cannot_be_are_told_with_those_that_can() {
    let (mapping, _) = walks(3, 20.0);
    let only = mapping.with_only(&[4]).unwrap();
    let secs = only.duration_secs(0);
    let settings = Settings { rate_hz: 30.0, stretch_secs: 0.0, ..Settings::default() };
    let control = |secs: f64| path_control(&drawn(secs, 1.0, 0.0), &PathSettings::default()).unwrap();
    assert!(follow(&only, &control(3.0 * secs + 0.001), &[], &settings).is_ok());
    let refused = follow(&only, &control(2.5 * secs), &[], &settings).unwrap_err();
    assert_eq!(refused.code().id, "follow/no-cover");
    let said = refused.to_string();
    assert!(
        said.contains(&format!("{:.3}", 2.0 * secs)) && said.contains(&format!("{:.3}", 3.0 * secs)),
        "{said}"
    );
    let brief = follow(&only, &control(0.1), &[], &settings).unwrap_err();
    assert_eq!(brief.code().id, "follow/too-short");
    let two = PointClip::new(vec!["a".into()], 30.0, vec![Some(Vec3::ZERO); 90]).unwrap();
    assert_eq!(follow(&only, &two, &[], &settings).unwrap_err().code().id, "follow/points");
}

#[test]
fn beams_cost_no_less_and_full_turns_cannot_stand_on_a_floor() {
    let (mapping, _) = walks(4, 30.0);
    let control = path_control(&drawn(6.0, 1.1, -0.4), &PathSettings::default()).unwrap();
    let settings = Settings { free_start: true, free_end: true, refine: false, ..Settings::default() };
    let score = |settings: &Settings| follow(&mapping, &control, &[], settings).map(|found| found.score);
    let best = score(&settings).unwrap();
    assert!(score(&Settings { beam: Some(0.05), ..settings }).unwrap() >= best - 1e-9);
    assert!((score(&Settings { beam: Some(1e6), ..settings }).unwrap() - best).abs() < 1e-6);
    let tilted = Settings { transform: Transform::Rigid, ..settings };
    let tilted = follow(&mapping, &control, &[], &tilted).unwrap();
    assert_eq!(tilted.plan(&mapping, "a").unwrap_err().code().id, "follow/tilted");
}

#[test]
fn live_covers_all_and_is_never_later_than_it_says() {
    let (mapping, _) = walks(5, 60.0);
    let control = path_control(&drawn(12.0, 1.2, 0.2), &PathSettings::default()).unwrap();
    let settings = Settings { free_start: true, ..Settings::default() };
    let mut live = Live::new(&mapping, 30.0, &settings).unwrap();
    let delay = live.delay_frames();
    let (mut pieces, mut until) = (Vec::new(), 0);
    for frame in 0..control.frames() {
        if let Some(piece) = live.push(control.frame(frame)).unwrap() {
            assert_eq!(piece.start, until);
            until += piece.frames;
            pieces.push(piece);
        }
        assert!(frame <= until + delay, "frame {frame}, decided until {until}, delay {delay}");
    }
    assert!(live.push(&[Vec3::NAN, Vec3::ZERO]).is_err() && live.push(&[Vec3::ZERO]).is_err());
    for piece in live.finish().unwrap() {
        assert_eq!(piece.start, until);
        until += piece.frames;
        pieces.push(piece);
    }
    assert_eq!(until, control.frames());
    // It knows less than the search that sees all, and is not far from it.
    let whole = Settings { free_start: true, free_end: true, refine: false, ..settings };
    let best = Problem::new(&mapping, &control, &[], &whole).unwrap().solve().unwrap().score;
    let cost: f64 = pieces.iter().map(|piece| piece.interpretation + piece.continuity).sum();
    assert!(cost < 5.0 * best, "{cost} {best}");
}

#[test]
fn a_few_cut_by_hand_become_many() {
    let (mapping, clip) = walks(6, 60.0);
    let (_, other) = walks(7, 40.0);
    let example = |take: &str, clip: &Clip| Example {
        source: SourceRef { take: take.into(), actor: 0 },
        control: Control::ends().points(clip).unwrap(),
        target: Control::ends().points(clip).unwrap(),
    };
    let by_hand = mapping.instances()[..40].to_vec();
    let weights = Control::ends().weights();
    let few = vec![example("a", &clip), example("b", &other)];
    let few = Mapping::new(few, by_hand, weights.clone(), weights).unwrap();
    let settings = Settings { rate_hz: 15.0, ..Settings::default() };
    let many = grow(&few, &settings, &GrowSettings { most_rms_m: 0.08, rounds: 3 }).unwrap();
    assert_eq!(many.instances()[..40], few.instances()[..]);
    let found = &many.instances()[40..];
    assert!(found.len() > 15, "{}", found.len());
    // Left and right go in turn, as the labels of steps that were found do.
    let in_turn = found.windows(2).filter(|two| two[0].frames.end == two[1].frames.start);
    let (mut same, mut all) = (0, 0);
    for two in in_turn {
        same += usize::from(two[0].label == two[1].label);
        all += 1;
    }
    assert!(same * 10 <= all, "{same} of {all}");
    assert!(grow(&few, &settings, &GrowSettings { most_rms_m: -1.0, rounds: 3 }).is_err());
}

#[test]
fn the_number_of_threads_changes_nothing_and_motion_comes_of_it() {
    let settings = LindySettings { seed: 3, rate_hz: 30.0, ..LindySettings::default() };
    let dance = lindy::dance(&settings, &lindy::DATABASE[..1].repeat(4), 150.0).unwrap();
    let [leader, follower] = dance.take.actors() else { panic!("two dance") };
    let source = SourceRef { take: "dance".into(), actor: 1 };
    let example = Example {
        source: source.clone(),
        control: Control::body().points(&leader.clip).unwrap(),
        target: Control::body().points(&follower.clip).unwrap(),
    };
    let instances = dance.truth.labels().iter().map(|label| Instance {
        example: 0,
        frames: label.start..label.end,
        label: label.name.clone(),
    });
    let weights = Control::body().weights();
    let mapping = Mapping::new(vec![example], instances.collect(), weights.clone(), weights).unwrap();
    let other =
        lindy::dance(&LindySettings { seed: 4, ..settings }, &lindy::DATABASE[..1].repeat(3), 140.0).unwrap();
    let control = Control::body().points(&other.take.actors()[0].clip).unwrap();
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| follow(&mapping, &control, &[], &Settings::default()).unwrap())
    };
    let found = run(1);
    assert!(found == run(2) && found == run(8));
    let heard = found.transcript(&mapping);
    assert_eq!((heard[0].label.as_str(), heard.len()), ("ready", found.pieces.len()));
    let plan = found.plan(&mapping, "follower").unwrap();
    let motion = marey_realise::Example {
        clip: follower.clip.clone(),
        contacts: dance.truth.actors()[1].contacts.clone(),
        holds: vec![],
    };
    let made =
        marey_realise::realise(&plan, &BTreeMap::from([(source, motion)]), &Default::default()).unwrap();
    assert_eq!(made.take.frames(), control.frames());
}

#[test]
fn a_search_tells_how_far_it_is_and_ends_when_asked() {
    let (mapping, clip) = walks(1, 20.0);
    let control = Control::hips().points(&clip).unwrap();
    for beam in [None, Some(1.0)] {
        let settings = Settings { beam, ..Settings::default() };
        let problem = Problem::new(&mapping, &control, &[], &settings).unwrap();
        let told = AtomicUsize::new(0);
        let all = problem
            .solve_watched(&|done, frames| {
                assert!(done <= frames && frames == problem.frames());
                told.fetch_add(1, Ordering::Relaxed);
                ControlFlow::Continue(())
            })
            .unwrap();
        assert_eq!(all, problem.solve().unwrap());
        assert!(told.load(Ordering::Relaxed) >= problem.frames());
        let soon =
            |done: usize, _: usize| if done < 9 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) };
        assert_eq!(problem.solve_watched(&soon).unwrap_err().code().id, "follow/stopped");
    }
}
