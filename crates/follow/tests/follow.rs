//! Following generated motion, from a control to a plan and to motion.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};

use marey_examples::lindy::{self, LindySettings};
use marey_examples::walk::{WalkSettings, walk};
use marey_follow::{
    ExamplePace, ExamplePair, FollowSettings, GrowSettings, Instance, Interpretation, LearntMetric,
    LiveFollower, Mapping, PathControlSettings, PointSelection, Problem, SegmentConstraint, Transform,
    control_from_path, follow, follow_explained, grow,
};
use marey_motion::{Clip, Coded, Observer, PointClip, Progress, Vec3};
use marey_plan::SourceRef;

/// A generated walk, cut at its steps.
fn walks(seed: u64, secs: f64) -> (Mapping, Clip) {
    let settings = WalkSettings { seed, duration_secs: secs, rate_hz: 30.0, ..WalkSettings::default() };
    let example = walk(&settings).unwrap();
    let clip = example.take.first().clone();
    let pair = ExamplePair {
        source: SourceRef { take: "walk".into(), actor: 0 },
        control: PointSelection::hips().points(&clip).unwrap(),
        target: PointSelection::ends().points(&clip).unwrap(),
    };
    let cuts = example.truth.cuts().windows(2);
    let instances = cuts.map(|two| Instance {
        example: 0,
        frames: two[0].frame..two[1].frame,
        label: two[0].name.clone(),
    });
    let instances = instances.filter(|instance| instance.frames.len() >= 2).collect();
    let weights = (PointSelection::hips().weights(), PointSelection::ends().weights());
    (Mapping::new(vec![pair], instances, weights.0, weights.1).unwrap(), clip)
}

/// A path with a speed in metres per second and a turn to the left in radians per second.
fn drawn_path(secs: f64, pace: f32, turn: f32) -> PointClip {
    let mut at = Vec3::ZERO;
    let points = (0..(secs * 30.0) as usize).map(|frame| {
        let heading = turn * frame as f32 / 30.0;
        at += pace / 30.0 * Vec3::new(heading.sin(), 0.0, heading.cos());
        Some(at)
    });
    PointClip::new(vec!["path".into()], 30.0, points.collect()).unwrap()
}

/// The control starts and ends with whole segments.
fn whole_segments() -> FollowSettings {
    FollowSettings { free_start: false, free_end: false, ..FollowSettings::default() }
}

fn assert_covers(found: &Interpretation) {
    let mut at = 0;
    for piece in &found.pieces {
        assert_eq!(piece.start, at);
        at += piece.frames;
    }
    assert_eq!(at, found.frames);
    let (interpretation, continuity, stretch) = found.parts();
    assert!((interpretation + continuity + stretch - found.score).abs() < 1e-6 * (1.0 + found.score));
}

#[test]
fn a_control_cut_from_an_example_is_found_again() {
    let (mapping, clip) = walks(1, 30.0);
    let span = mapping.instances()[5].frames.start..mapping.instances()[20].frames.end;
    let control = PointSelection::hips().points(&clip.slice(span.clone()).unwrap()).unwrap();
    let settings = FollowSettings { rate_hz: 30.0, k: 0.1, stretch: 0.2, ..FollowSettings::default() };
    let found = follow(&mapping, &control, &[], &settings).unwrap();
    assert_covers(&found);
    let instances: Vec<usize> = found.pieces.iter().map(|piece| piece.instance).collect();
    assert_eq!(instances, (5..=20).collect::<Vec<_>>());
    // The control ends one frame before its last step.
    for piece in &found.pieces[..15] {
        assert!(piece.rms_m < 2e-3 && piece.jump_m < 0.02, "{piece:?}");
    }
}

#[test]
fn a_drawn_path_is_followed_with_a_trace_and_a_plan() {
    let (mapping, _) = walks(1, 90.0);
    let control = control_from_path(&drawn_path(20.0, 1.2, 0.3), &PathControlSettings::default()).unwrap();
    let settings = FollowSettings::default();
    let (found, trace) = follow_explained(&mapping, &control, &[], &settings, Observer::ignore()).unwrap();
    assert_covers(&found);
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
    assert_covers(&finer);
    assert_eq!((finer.frames, finer.pieces.len()), (4 * control.frames(), found.pieces.len()));
    assert_eq!(found.at_rate(1.0), found);
    assert!(found.pieces.iter().all(|piece| piece.rms_m < 0.1), "{:?}", found.pieces);
    let pace = ExamplePace::of(&mapping, 0.25);
    assert!((0.8..1.8).contains(&pace.usual_mps) && pace.max_mps > pace.usual_mps, "{pace:?}");
    assert!(pace.speed_warnings(&control).is_empty() && pace.turn_warnings(&control).is_empty());
    let fast = control_from_path(&drawn_path(4.0, 6.0, 0.0), &PathControlSettings::default()).unwrap();
    assert_eq!(pace.speed_warnings(&fast).codes(), ["follow/too-fast"]);
    let sharp = control_from_path(&drawn_path(4.0, 0.5, 6.0), &PathControlSettings::default()).unwrap();
    assert_eq!(pace.turn_warnings(&sharp).codes(), ["follow/too-sharp"]);
}

#[test]
fn a_sparse_control_is_compared_at_the_working_rate() {
    let (mapping, _) = walks(1, 60.0);
    // A point every two seconds.
    let sparse = (0..8).map(|i| Some(Vec3::Z * 2.4 * i as f32)).collect();
    let sparse = PointClip::new(vec!["path".into()], 0.5, sparse).unwrap();
    let control = control_from_path(&sparse, &PathControlSettings::default()).unwrap();
    let found = follow(&mapping, &control, &[], &FollowSettings::default()).unwrap();
    assert_covers(&found);
    assert_eq!(found.rate_hz, 10.0);
    assert!(found.pieces.len() > 15, "{} steps in 16 s", found.pieces.len());
}

#[test]
fn a_stretch_is_limited_by_a_factor_and_costs() {
    let (mapping, _) = walks(1, 60.0);
    let control = control_from_path(&drawn_path(12.0, 0.9, 0.0), &PathControlSettings::default()).unwrap();
    let stretches = |stretch, stretch_cost_m| {
        let settings = FollowSettings { stretch, stretch_cost_m, ..FollowSettings::default() };
        let found = follow(&mapping, &control, &[], &settings).unwrap();
        found.pieces.iter().map(|piece| piece.stretch.ln().abs()).collect::<Vec<_>>()
    };
    let mean = |of: &[f64]| of.iter().sum::<f64>() / of.len() as f64;
    let (free, dear) = (stretches(0.25, 0.0), stretches(0.25, 1.0));
    // One frame of the working rate may be added by rounding.
    let most = |of: &[f64]| of.iter().copied().fold(0.0, f64::max);
    assert!(most(&free) <= 0.26f64.ln_1p() && mean(&dear) < mean(&free), "{free:?} {dear:?}");
}

#[test]
fn constraints_are_met() {
    let (mapping, _) = walks(2, 40.0);
    let control = control_from_path(&drawn_path(8.0, 1.2, 0.0), &PathControlSettings::default()).unwrap();
    let settings = FollowSettings::default();
    let free = follow(&mapping, &control, &[], &settings).unwrap();
    let middle = free.pieces[free.pieces.len() / 2];
    let at_secs = (middle.start as f64 + 0.5 * middle.frames as f64) / 30.0;
    let other = (0..mapping.instances().len()).rfind(|&i| i != middle.instance).unwrap();
    let used = follow(&mapping, &control, &[SegmentConstraint::Use { instance: other, at_secs }], &settings)
        .unwrap();
    let instance_at = |found: &Interpretation| {
        let frame = (at_secs * 30.0) as usize;
        found
            .pieces
            .iter()
            .find(|piece| (piece.start..piece.start + piece.frames).contains(&frame))
            .unwrap()
            .instance
    };
    assert_eq!(instance_at(&used), other);
    let avoid = SegmentConstraint::Avoid { instance: middle.instance, from_secs: 0.0, until_secs: 8.0 };
    let without = follow(&mapping, &control, &[avoid], &settings).unwrap();
    assert!(without.pieces.iter().all(|piece| piece.instance != middle.instance));
    let all = (0..mapping.instances().len()).map(|instance| SegmentConstraint::Avoid {
        instance,
        from_secs: 0.0,
        until_secs: 8.0,
    });
    let none = follow(&mapping, &control, &all.collect::<Vec<_>>(), &settings).unwrap_err();
    assert_eq!(none.code().id, "follow/constraints");
    let bad =
        follow(&mapping, &control, &[SegmentConstraint::Use { instance: 9999, at_secs: 0.0 }], &settings);
    assert_eq!(bad.unwrap_err().code().id, "follow/bad-constraint");
    let late = SegmentConstraint::Use { instance: 0, at_secs: f64::NAN };
    assert_eq!(
        follow(&mapping, &control, &[late], &settings).unwrap_err().code().id,
        "follow/bad-constraint"
    );
}

#[test]
fn impossible_lengths_are_reported_with_the_nearest_possible_ones() {
    let (mapping, _) = walks(3, 20.0);
    let only = mapping.with_only(&[4]).unwrap();
    let secs = only.duration_secs(0);
    let settings = FollowSettings { rate_hz: 30.0, stretch: 0.0, ..whole_segments() };
    let control =
        |secs: f64| control_from_path(&drawn_path(secs, 1.0, 0.0), &PathControlSettings::default()).unwrap();
    assert!(follow(&only, &control(3.0 * secs + 0.001), &[], &settings).is_ok());
    let refused = follow(&only, &control(2.5 * secs), &[], &settings).unwrap_err();
    assert_eq!(refused.code().id, "follow/no-cover");
    let message = refused.to_string();
    assert!(
        message.contains(&format!("{:.3}", 2.0 * secs)) && message.contains(&format!("{:.3}", 3.0 * secs)),
        "{message}"
    );
    let short = follow(&only, &control(0.1), &[], &settings).unwrap_err();
    assert_eq!(short.code().id, "follow/too-short");
    let two = PointClip::new(vec!["a".into()], 30.0, vec![Some(Vec3::ZERO); 90]).unwrap();
    assert_eq!(follow(&only, &two, &[], &settings).unwrap_err().code().id, "follow/points");
}

#[test]
fn few_candidates_cost_no_less_and_tilted_examples_have_no_plan() {
    let (mapping, _) = walks(4, 30.0);
    let control = control_from_path(&drawn_path(6.0, 1.1, -0.4), &PathControlSettings::default()).unwrap();
    let settings = FollowSettings { refine: false, ..FollowSettings::default() };
    let found = |candidates: Option<u32>| {
        follow(&mapping, &control, &[], &FollowSettings { candidates, ..settings }).unwrap()
    };
    let (all, few) = (found(None), found(Some(2)));
    assert_eq!((all.gap, &found(Some(10_000))), (0.0, &all));
    assert!(few.score >= all.score - 1e-9 && few.gap >= 0.0, "{few:?}");
    assert!(few.score * (1.0 - few.gap) <= all.score + 1e-9);
    let tilted = FollowSettings { transform: Transform::Rigid, ..settings };
    let tilted = follow(&mapping, &control, &[], &tilted).unwrap();
    assert_eq!(tilted.plan(&mapping, "a").unwrap_err().code().id, "follow/tilted");
}

#[test]
fn the_live_follower_covers_the_control_within_its_delay() {
    let (mapping, _) = walks(5, 60.0);
    let control = control_from_path(&drawn_path(12.0, 1.2, 0.2), &PathControlSettings::default()).unwrap();
    let settings = FollowSettings::default();
    let mut live = LiveFollower::new(&mapping, 30.0, &settings).unwrap();
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
    // The live follower sees less than the global search, but comes close to it.
    let whole = FollowSettings { refine: false, ..settings };
    let best = Problem::new(&mapping, &control, &[], &whole).unwrap().solve().unwrap().score;
    let cost: f64 = pieces.iter().map(|piece| piece.interpretation + piece.continuity).sum();
    assert!(cost < 5.0 * best, "{cost} {best}");
}

#[test]
fn grow_finds_many_instances_from_few() {
    let (mapping, clip) = walks(6, 60.0);
    let (_, other) = walks(7, 40.0);
    let example = |take: &str, clip: &Clip| ExamplePair {
        source: SourceRef { take: take.into(), actor: 0 },
        control: PointSelection::ends().points(clip).unwrap(),
        target: PointSelection::ends().points(clip).unwrap(),
    };
    let by_hand = mapping.instances()[..40].to_vec();
    let weights = PointSelection::ends().weights();
    let few = vec![example("a", &clip), example("b", &other)];
    let few = Mapping::new(few, by_hand, weights.clone(), weights).unwrap();
    let settings = FollowSettings { rate_hz: 15.0, ..FollowSettings::default() };
    let many = grow(&few, &settings, &GrowSettings { max_rms_m: 0.08, rounds: 3 }).unwrap();
    assert_eq!(many.instances()[..40], few.instances()[..]);
    let found = &many.instances()[40..];
    assert!(found.len() > 15, "{}", found.len());
    // Left and right steps alternate, so the labels of consecutive new instances must too.
    let in_turn = found.windows(2).filter(|two| two[0].frames.end == two[1].frames.start);
    let (mut same, mut all) = (0, 0);
    for two in in_turn {
        same += usize::from(two[0].label == two[1].label);
        all += 1;
    }
    assert!(same * 10 <= all, "{same} of {all}");
    assert!(grow(&few, &settings, &GrowSettings { max_rms_m: -1.0, rounds: 3 }).is_err());
}

#[test]
fn results_do_not_depend_on_threads_and_can_be_realised() {
    let settings = LindySettings { seed: 3, rate_hz: 30.0, ..LindySettings::default() };
    let dance = lindy::dance(&settings, &lindy::DATABASE[..1].repeat(4), 150.0).unwrap();
    let [leader, follower] = dance.take.actors() else { panic!("two dance") };
    let source = SourceRef { take: "dance".into(), actor: 1 };
    let example = ExamplePair {
        source: source.clone(),
        control: PointSelection::body().points(&leader.clip).unwrap(),
        target: PointSelection::body().points(&follower.clip).unwrap(),
    };
    let instances = dance.truth.labels().iter().map(|label| Instance {
        example: 0,
        frames: label.start..label.end,
        label: label.name.clone(),
    });
    let weights = PointSelection::body().weights();
    let mapping = Mapping::new(vec![example], instances.collect(), weights.clone(), weights).unwrap();
    let other =
        lindy::dance(&LindySettings { seed: 4, ..settings }, &lindy::DATABASE[..1].repeat(3), 140.0).unwrap();
    let control = PointSelection::body().points(&other.take.actors()[0].clip).unwrap();
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| follow(&mapping, &control, &[], &whole_segments()).unwrap())
    };
    let found = run(1);
    assert!(found == run(2) && found == run(8));
    let transcript = found.transcript(&mapping);
    assert_eq!((transcript[0].label.as_str(), transcript.len()), ("ready", found.pieces.len()));
    let plan = found.plan(&mapping, "follower").unwrap();
    let motion = marey_realise::SourceClip {
        clip: follower.clip.clone(),
        contacts: dance.truth.actors()[1].contacts.clone(),
        holds: vec![],
    };
    let made =
        marey_realise::realise(&plan, &BTreeMap::from([(source, motion)]), &Default::default()).unwrap();
    assert_eq!(made.take.frames(), control.frames());
}

#[test]
fn a_search_reports_progress_and_can_be_cancelled() {
    let (mapping, clip) = walks(1, 20.0);
    let control = PointSelection::hips().points(&clip).unwrap();
    for candidates in [None, Some(4)] {
        let settings = FollowSettings { candidates, ..FollowSettings::default() };
        let problem = Problem::new(&mapping, &control, &[], &settings).unwrap();
        let reports = AtomicUsize::new(0);
        let all = problem
            .solve_observed(Observer::new(&|Progress { done, total, .. }| {
                assert!(done <= total && total == problem.frames());
                reports.fetch_add(1, Ordering::Relaxed);
                ControlFlow::Continue(())
            }))
            .unwrap();
        assert_eq!(all, problem.solve().unwrap());
        assert!(reports.load(Ordering::Relaxed) >= problem.frames());
        let cancel = |progress: Progress| {
            if progress.done < 9 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        assert_eq!(problem.solve_observed(Observer::new(&cancel)).unwrap_err().code().id, "follow/cancelled");
    }
}

/// Examples of which one of the two control points tells the target and the other moves at random.
fn noisy_examples() -> Mapping {
    let noise = |i: usize| ((i * 7919 % 641) as f32 / 320.0 - 1.0) * 0.3;
    let examples = (0..8).map(|take| {
        let points = |frame: usize| {
            let segment = (take * 31 + frame / 10) * 13 % 5;
            let told = 0.1 * segment as f32 * (frame % 10) as f32 / 10.0;
            let at = 1000 * take + frame;
            (
                Vec3::new(0.5, told, 0.1 * frame as f32),
                Vec3::new(-0.5 + noise(at), noise(at + 7), 0.1 * frame as f32),
            )
        };
        let clip = |points: Vec<Vec3>, labels: &[&str]| {
            let labels = labels.iter().map(|label| (*label).to_owned()).collect();
            PointClip::complete(labels, 10.0, points).unwrap()
        };
        let control = (0..60).flat_map(|frame| [points(frame).0, points(frame).1]).collect();
        let target = (0..60).map(|frame| points(frame).0).collect();
        ExamplePair {
            source: SourceRef { take: take.to_string(), actor: 0 },
            control: clip(control, &["told", "noise"]),
            target: clip(target, &["hand"]),
        }
    });
    let instances = (0..8).flat_map(|example| {
        (0..6).map(move |i| Instance { example, frames: 10 * i..10 * i + 10, label: "segment".into() })
    });
    Mapping::new(examples.collect(), instances.collect(), vec![1.0, 1.0], vec![1.0]).unwrap()
}

#[test]
fn a_metric_is_learnt_where_it_predicts_targets_and_explains_costs_by_point() {
    let mapping = noisy_examples();
    let settings = whole_segments();
    let learnt = LearntMetric::learn(&mapping, &settings).unwrap().expect("a better metric");
    assert!(learnt.error_m < 0.9 * learnt.plain_error_m, "{} {}", learnt.error_m, learnt.plain_error_m);
    assert!(LearntMetric::learn(&mapping.with_only(&[0, 1, 2]).unwrap(), &settings).unwrap().is_none());
    let rigid = FollowSettings { transform: Transform::Rigid, ..settings };
    assert!(LearntMetric::learn(&mapping, &rigid).unwrap().is_none());
    let control = mapping.examples()[3].control.clone();
    let shares = |mapping: &Mapping| {
        let (found, trace) = follow_explained(mapping, &control, &[], &settings, Observer::ignore()).unwrap();
        let candidates = trace.choices.iter().flat_map(|choice| &choice.candidates);
        let (mut told, mut noise) = (0.0, 0.0);
        for candidate in candidates {
            assert_eq!(candidate.label, "segment");
            told += candidate.cost["interpretation told"];
            noise += candidate.cost["interpretation noise"];
        }
        for (piece, choice) in found.pieces.iter().zip(&trace.choices) {
            let cost = &choice.candidates[choice.taken].cost;
            let sum = cost["interpretation told"] + cost["interpretation noise"];
            assert!(
                (sum - piece.interpretation).abs() < 1e-4 * (1.0 + sum),
                "{sum} {}",
                piece.interpretation
            );
        }
        told / (told + noise)
    };
    let (plain, better) = (shares(&mapping), shares(&mapping.clone().with_metric(Some(learnt.metric))));
    assert!(better > 1.5 * plain, "{better} {plain}");
}
