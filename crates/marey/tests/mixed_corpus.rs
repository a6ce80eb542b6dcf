//! A corpus of many people: every verb uses the takes of one body, and reports the others instead of failing.

use std::path::PathBuf;

use marey::Context;
use marey::body::BodyProportions;
use marey::corpus::{Corpus, Provenance, Span};
use marey::duet::label::{self, DuetLabelRequest, quick_request};
use marey::duet::train::{self, DuetTrainRequest};
use marey::duet::{self, DuetRequest};
use marey::examples::luxo::{LuxoSettings, luxo};
use marey::examples::taekwondo::{TaekwondoSettings, taekwondo};
use marey::examples::walk::{WalkSettings, walk};
use marey::follow::{self, ControlInput, FollowRequest};
use marey::motion::{Report, Take};
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

#[track_caller]
fn assert_left_out(report: &Report, count: usize) {
    let left_out = report.warnings().iter().find(|warning| warning.code.id == "command/other-body");
    assert_eq!(left_out.map_or(0, |warning| warning.count), count, "{:?}", report.warnings());
}

#[test]
fn verbs_for_one_character_use_the_body_that_lasts_longest() {
    let corpus = MixedCorpus::new("solo");
    let context = corpus.context();
    let body = walker(3, 1.72, 30.0, 6.0).first().skeleton().clone();
    let points = (0..60).map(|step| [0.0, step as f32 * 0.12]).collect();
    let request =
        FollowRequest { input: ControlInput::Path { points, rate_hz: 10.0 }, ..FollowRequest::default() };
    let outcome = follow::run(&request, &context).unwrap();
    assert_eq!(outcome.take.first().skeleton(), &body);
    // The walk at another rate has the same body, and segments are compared at a rate of their own.
    assert_left_out(&outcome.report, 2);
    let outcome = wander::run(&WanderRequest { secs: 2.0, ..WanderRequest::default() }, &context).unwrap();
    assert_left_out(&outcome.report, 1);
    let request = TweenRequest { from: "a@10".into(), to: "b@30".into(), ..TweenRequest::default() };
    assert_left_out(&tween::run(&request, &context).unwrap().report, 1);
    let outcome =
        traverse::run(&TraverseRequest { takes: walkers(), ..TraverseRequest::default() }, &context);
    let outcome = outcome.unwrap();
    assert_eq!(outcome.take.first().skeleton(), &body);
    assert_left_out(&outcome.report, 3);
}

fn walkers() -> Vec<String> {
    ["small", "fast", "lamp", "a", "b"].map(String::from).to_vec()
}

#[test]
fn a_variation_uses_takes_that_go_together() {
    let corpus = MixedCorpus::new("vary");
    let outcome =
        vary::run(&VaryRequest { secs: Some(4.0), ..VaryRequest::default() }, &corpus.context()).unwrap();
    assert_eq!(outcome.take.actors().len(), 1);
    assert_left_out(&outcome.report, 6);
    let motion = vec![walker(1, 1.5, 30.0, 8.0), walker(2, 1.72, 30.0, 9.0)];
    let request = VaryRequest { motion, secs: Some(4.0), ..VaryRequest::default() };
    assert_left_out(&vary::run(&request, &Context::new()).unwrap().report, 1);
}

#[test]
fn a_duet_uses_the_pair_that_lasts_longest() {
    let corpus = MixedCorpus::new("duet");
    let context = corpus.context();
    let request = DuetLabelRequest { takes: Vec::new(), ..quick_request(&[]) };
    assert_left_out(&label::run(&request, &context).unwrap().report, 1);
    assert_left_out(&train::run(&DuetTrainRequest::default(), &context).unwrap().report, 1);
    let run = DuetRequest { secs: 3.0, ..DuetRequest::default() };
    let outcome = duet::run(&run, &context).unwrap();
    assert_eq!(outcome.take.first().skeleton(), fight(2, 0.0).first().skeleton());
    let train_on = ["tall pair", "pair 1", "pair 2"].map(String::from).to_vec();
    assert_left_out(&duet::run(&DuetRequest { train_on, ..run }, &context).unwrap().report, 1);
}
