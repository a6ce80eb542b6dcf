//! A corpus of many people: every verb puts the takes of all bodies on one, and reports what it cannot use instead of failing.

use std::path::PathBuf;
use std::sync::Arc;

use marey::body::BodyProportions;
use marey::corpus::Span;
use marey::duet::label::{self, DuetLabelRequest, quick_request};
use marey::duet::train::{self, DuetTrainRequest};
use marey::duet::{self, DuetRequest};
use marey::examples::luxo::{LuxoSettings, luxo};
use marey::examples::taekwondo::{TaekwondoSettings, taekwondo};
use marey::examples::walk::{WalkSettings, walk};
use marey::follow::{self, ControlInput, FollowRequest};
use marey::prelude::*;
use marey::realise::{self, RealiseRequest};
use marey::traverse::{self, TraverseRequest};
use marey::tween::{self, TweenRequest};
use marey::vary::{self, VaryRequest};
use marey::wander::{self, WanderRequest};

fn walker(seed: u64, height_m: f32, rate_hz: f64, duration_secs: f64) -> Take {
    let body = BodyProportions { height_m, ..BodyProportions::default() };
    walk(&WalkSettings { seed, body, rate_hz, duration_secs, ..WalkSettings::default() }).unwrap().take
}

fn fight(seed: u64, taller_m: f32) -> Take {
    let mut settings =
        TaekwondoSettings { seed, duration_secs: 30.0, rate_hz: 30.0, ..TaekwondoSettings::default() };
    settings.red.height_m += taller_m;
    settings.blue.height_m += taller_m;
    taekwondo(&settings).unwrap().take
}

/// A corpus in a folder of its own, which is removed at the end.
struct MixedCorpus(PathBuf);

impl MixedCorpus {
    /// Two walks of one body, walks of another body and at another rate, a lamp, two fights of one pair and one of another.
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("marey-mixed-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let takes = [
            ("small", walker(1, 1.5, 30.0, 8.0)),
            ("fast", walker(2, 1.72, 60.0, 8.0)),
            ("lamp", luxo(&LuxoSettings::default()).unwrap().example.take),
            ("a", walker(3, 1.72, 30.0, 40.0)),
            ("b", walker(4, 1.72, 30.0, 40.0)),
            ("tall pair", fight(1, 0.1)),
            ("pair 1", fight(2, 0.0)),
            ("pair 2", fight(3, 0.0)),
        ];
        let mut corpus = Corpus::create(&folder.join("mixed.marey")).unwrap();
        for (name, take) in takes {
            let take = Take::new(name, take.into_actors()).unwrap();
            let id = corpus.add(&take, &Provenance::default()).unwrap().id();
            let span = |start: usize| Span { start, end: start + 15, actor: None, name: "piece".into() };
            let spans: Vec<Span> = (0..take.frames() / 15).map(|number| span(15 * number)).collect();
            corpus.cut(id, &spans, &marey::corpus::Maker::method("test")).unwrap();
        }
        Self(folder)
    }

    fn context(&self) -> Context<'static> {
        Context::with_corpus(Corpus::open(&self.0.join("mixed.marey")).unwrap())
    }
}

impl Drop for MixedCorpus {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Checks how many examples were retargeted, and how many takes were left out, by code.
#[track_caller]
fn assert_reported(report: &Report, expected: &[(&str, usize)]) {
    let found: Vec<(&str, usize)> =
        report.warnings().iter().map(|warning| (warning.code.id, warning.count)).collect();
    for one in expected {
        assert!(found.contains(one), "{one:?} not in {found:?}");
    }
    let codes = ["command/retargeted", "command/other-body", "motion/missing-role"];
    let others = found.iter().filter(|one| codes.contains(&one.0) && !expected.contains(one));
    assert_eq!(others.count(), 0, "{found:?}");
}

/// A body that no take has.
fn child() -> Arc<Skeleton> {
    walker(9, 1.4, 30.0, 6.0).first().skeleton().clone()
}

#[test]
fn verbs_for_one_character_use_all_bodies() {
    let corpus = MixedCorpus::new("solo");
    let context = corpus.context();
    let longest = walker(3, 1.72, 30.0, 6.0).first().skeleton().clone();
    for (context, body, retargeted) in
        [(context.clone(), longest, 1), (context.clone().with_body(child()), child(), 4)]
    {
        let points = (0..60).map(|step| [0.0, step as f32 * 0.08]).collect();
        let input = ControlInput::Path { points, rate_hz: Some(10.0) };
        let outcome = follow::run(&FollowRequest { input, ..FollowRequest::default() }, &context).unwrap();
        assert_eq!(outcome.take.first().skeleton(), &body);
        // The lamp does not have two legs.
        assert_reported(&outcome.report, &[("command/retargeted", retargeted), ("motion/missing-role", 1)]);
        let wander = wander::run(&WanderRequest { secs: 2.0, ..WanderRequest::default() }, &context).unwrap();
        assert_eq!(wander.take.first().skeleton(), &body);
        let request = TweenRequest::between("a@10", "small@30");
        let tween = tween::run(&request, &context).unwrap();
        assert_eq!(tween.take.first().skeleton(), &body);
        let request = TraverseRequest { takes: walkers(), ..TraverseRequest::default() };
        let outcome = traverse::run(&request, &context).unwrap();
        assert_eq!(outcome.take.first().skeleton(), &body);
        // The lamp and the walk at 60 Hz have another rate.
        let retargeted = if retargeted == 1 { 1 } else { 3 };
        assert_reported(&outcome.report, &[("command/retargeted", retargeted), ("command/other-body", 2)]);
    }
}

fn walkers() -> Vec<String> {
    ["small", "fast", "lamp", "a", "b"].map(String::from).to_vec()
}

#[test]
fn plans_on_other_bodies_are_complete() {
    let corpus = MixedCorpus::new("plans");
    let asked = corpus.context().with_body(child());
    let points = (0..60).map(|step| [0.0, step as f32 * 0.08]).collect();
    let input = ControlInput::Path { points, rate_hz: Some(10.0) };
    let follow = follow::run(&FollowRequest { input, ..FollowRequest::default() }, &asked).unwrap();
    let vary = vary::run(&VaryRequest { only: walkers(), secs: Some(4.0), ..VaryRequest::default() }, &asked)
        .unwrap();
    let request = TraverseRequest { takes: walkers(), ..TraverseRequest::default() };
    let traverse = traverse::run(&request, &asked).unwrap();
    let bytes = |take: &Take| bvh::write(take, &BvhOptions::default()).0;
    for (take, plan) in [(follow.take, follow.plan), (vary.take, vary.plan), (traverse.take, traverse.plan)] {
        assert_eq!(take.first().skeleton(), &child());
        let plan = plan.unwrap().to_json().unwrap();
        let request = RealiseRequest { plan, name: take.name().into(), ..RealiseRequest::default() };
        // The plan names the body: realising it needs no request for one, and is not changed by the same request.
        for context in [corpus.context(), asked.clone()] {
            assert!(bytes(&realise::run(&request, &context).unwrap().take) == bytes(&take));
        }
        // Realised for another body, it is retargeted.
        let other = walker(1, 1.5, 30.0, 6.0).first().skeleton().clone();
        let moved = realise::run(&request, &corpus.context().with_body(other.clone())).unwrap();
        assert_eq!(moved.take.first().skeleton(), &other);
    }
}

#[test]
fn a_variation_uses_takes_that_go_together() {
    let corpus = MixedCorpus::new("vary");
    let request = VaryRequest { only: walkers(), secs: Some(4.0), ..VaryRequest::default() };
    let outcome = vary::run(&request, &corpus.context()).unwrap();
    assert_eq!(outcome.take.first().skeleton(), walker(3, 1.72, 30.0, 6.0).first().skeleton());
    // Two walks of the longest body and one of another are used; the lamp and the fast walk have other rates.
    assert_reported(&outcome.report, &[("command/retargeted", 1), ("command/other-body", 2)]);
    // Among all takes, those of pairs last longest.
    let request = VaryRequest { secs: Some(4.0), ..VaryRequest::default() };
    let outcome = vary::run(&request, &corpus.context()).unwrap();
    assert_eq!(outcome.take.actors().len(), 2);
    assert_reported(&outcome.report, &[("command/retargeted", 1), ("command/other-body", 5)]);
    let motion = vec![walker(1, 1.5, 30.0, 8.0).into(), walker(2, 1.72, 30.0, 9.0).into()];
    let request = VaryRequest { motion, secs: Some(4.0), ..VaryRequest::default() };
    let outcome = vary::run(&request, &Context::new()).unwrap();
    assert_reported(&outcome.report, &[("command/retargeted", 1)]);
}

#[test]
fn a_duet_uses_pairs_of_all_bodies() {
    let corpus = MixedCorpus::new("duet");
    let context = corpus.context();
    let request = DuetLabelRequest { takes: Vec::new(), ..quick_request(&[]) };
    assert_reported(&label::run(&request, &context).unwrap().report, &[("command/retargeted", 1)]);
    let trained = train::run(&DuetTrainRequest::default(), &context).unwrap();
    assert_reported(&trained.report, &[("command/retargeted", 1)]);
    let run = DuetRequest { secs: 3.0, ..DuetRequest::default() };
    let outcome = duet::run(&run, &context).unwrap();
    assert_eq!(outcome.take.first().skeleton(), fight(2, 0.0).first().skeleton());
    let asked = duet::run(&run, &context.clone().with_body(child())).unwrap();
    assert!(asked.take.actors().iter().all(|actor| actor.clip.skeleton() == &child()));
    assert!(!asked.report.codes().contains(&"command/labels-changed"));
    let train_on = ["tall pair", "pair 1", "pair 2"].map(String::from).to_vec();
    let outcome = duet::run(&DuetRequest { train_on, ..run }, &context).unwrap();
    assert_reported(&outcome.report, &[("command/retargeted", 1)]);
}
