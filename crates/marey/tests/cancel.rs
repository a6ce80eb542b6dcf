//! Every verb stops soon after it is cancelled.

use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use marey::corpus::{ClusterMethodName, ClusterRequest, Corpus, CutMethod, DetectedCuts, Provenance};
use marey::examples::luxo::{self, LuxoSettings};
use marey::examples::walk::{WalkSettings, walk};
use marey::follow::{ControlInput, FollowRequest};
use marey::motion::{Observer, PointClip, Progress, Take, Terrain, Vec2, Vec3};
use marey::realise::RealiseRequest;
use marey::traverse::TraverseRequest;
use marey::tween::{PoseSelector, TweenMode, TweenRequest};
use marey::vary::VaryRequest;
use marey::wander::WanderRequest;
use marey::{Context, Error};

/// A corpus in a folder that is removed when it goes out of scope.
struct TestCorpus(std::path::PathBuf);

impl TestCorpus {
    fn new(name: &str, takes: &[Take]) -> Self {
        let path = std::env::temp_dir().join(format!("marey-cancel-{name}-{}.marey", std::process::id()));
        let _ = std::fs::remove_file(&path);
        let mut corpus = Corpus::create(&path).unwrap();
        for take in takes {
            let id = corpus.add(take, &Provenance::default()).unwrap().id();
            if let Ok(cuts) = DetectedCuts::of(take, CutMethod::Steps) {
                corpus.store_cuts(id, &cuts).unwrap();
            }
        }
        Self(path)
    }

    fn context(&self) -> Context<'static> {
        Context::open(&self.0).unwrap()
    }
}

impl Drop for TestCorpus {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

fn walk_take(seed: u64) -> Take {
    let settings = WalkSettings { duration_secs: 8.0, rate_hz: 30.0, seed, ..WalkSettings::default() };
    Take::solo(format!("walk {seed}"), walk(&settings).unwrap().take.first().clone())
}

fn walks(name: &str) -> TestCorpus {
    TestCorpus::new(name, &[walk_take(1), walk_take(2)])
}

/// Runs a verb that is cancelled at its n-th report. Returns its error and the number of reports.
fn cancelled_at(
    at: usize,
    context: &Context<'static>,
    verb: impl Fn(&Context<'_>) -> Result<(), Error>,
) -> (Result<(), Error>, usize) {
    let reports = AtomicUsize::new(0);
    let observe = |_: Progress| match reports.fetch_add(1, Ordering::Relaxed) < at {
        true => ControlFlow::Continue(()),
        false => ControlFlow::Break(()),
    };
    let result = verb(&context.clone().observed_by(Observer::new(&observe)));
    (result, reports.load(Ordering::Relaxed))
}

/// Cancels a verb at many points. Between two reports it must do little, so it must report often. Some of the errors must have this code.
fn check(
    name: &str,
    code: &str,
    least: usize,
    context: &Context<'static>,
    verb: impl Fn(&Context<'_>) -> Result<(), Error>,
) {
    // The first run stores what it finds in the corpus; those after it report less.
    let uncancelled = || {
        let (done, total) = cancelled_at(usize::MAX, context, &verb);
        done.unwrap_or_else(|error| panic!("{name}: {error}"));
        total
    };
    uncancelled();
    let total = uncancelled();
    assert!(total >= least, "{name} reports {total} times");
    let mut codes = Vec::new();
    for at in [0, 1, total / 4, total / 2, 3 * total / 4, total - 1] {
        let (result, reports) = cancelled_at(at, context, &verb);
        let error = result.err().unwrap_or_else(|| panic!("{name} ignores its observer at {at} of {total}"));
        assert!(error.code.id.ends_with("/cancelled"), "{name} at {at}: {error}");
        codes.push(error.code.id);
        // Each thread may be in the middle of a step.
        let threads = rayon::current_num_threads();
        assert!(reports <= at + 2 * threads + 40, "{name} goes on: {reports} reports, cancelled at {at}");
    }
    assert!(codes.contains(&code), "{name}: {codes:?}");
}

#[test]
fn following_stops() {
    let corpus = walks("follow");
    let points = (0..120).map(|i| Some(Vec3::new(0.0, 0.0, i as f32 * 0.04))).collect();
    let path = PointClip::new(vec!["path".into()], 30.0, points).unwrap();
    let request = FollowRequest { input: ControlInput::Points(path), ..FollowRequest::default() };
    check("follow", "follow/cancelled", 120, &corpus.context(), |context| {
        marey::follow::run(&request, context).map(drop)
    });
}

#[test]
fn varying_and_realising_stop() {
    let corpus = walks("vary");
    let request = VaryRequest::default();
    check("vary", "realise/cancelled", 240, &corpus.context(), |context| {
        marey::vary::run(&request, context).map(drop)
    });
    let plan = marey::vary::run(&request, &corpus.context()).unwrap().plan.unwrap().to_json().unwrap();
    let request = RealiseRequest { plan, ..RealiseRequest::default() };
    check("realise", "realise/cancelled", 240, &corpus.context(), |context| {
        marey::realise::run(&request, context).map(drop)
    });
}

#[test]
fn learning_a_style_stops() {
    // Not from a corpus, which would keep what was learned.
    let poses = [walk_take(1), walk_take(2)].map(|take| PoseSelector::Frame(take, Some(20))).to_vec();
    let training = vec![walk_take(1), walk_take(2)];
    for (mode, least) in [(TweenMode::Near, 60), (TweenMode::Style, 300)] {
        let request = TweenRequest {
            training: training.clone(),
            poses: poses.clone(),
            mode,
            ..TweenRequest::default()
        };
        check("tween", "tween/cancelled", least, &Context::new(), |context| {
            marey::tween::run(&request, context).map(drop)
        });
    }
}

#[test]
fn a_model_is_learned_once_and_again_when_takes_change() {
    let corpus = walks("kept-model");
    let request = TweenRequest { gap_only: true, ..TweenRequest::between("walk 1@50", "walk 2@100") };
    let run = || {
        let take = Mutex::new(None);
        let (done, reports) = cancelled_at(usize::MAX, &corpus.context(), |context| {
            *take.lock().unwrap() = Some(marey::tween::run(&request, context)?.take);
            Ok(())
        });
        done.unwrap();
        (take.into_inner().unwrap().unwrap(), reports)
    };
    let (first, learning) = run();
    let (second, using) = run();
    assert_eq!(first, second, "what was learned before gives the same motion");
    assert!(using + 60 < learning, "{using} reports with a kept model, {learning} without");
    Corpus::open(&corpus.0).unwrap().add(&walk_take(3), &Provenance::default()).unwrap();
    let (third, again) = run();
    assert!(again > using + 60, "the model is learned from three takes: {again}, {using}");
    assert_ne!(first, third);
}

#[test]
fn a_model_is_kept_when_takes_come_that_it_does_not_use() {
    let corpus = walks("kept-by-content");
    let only = vec!["walk 1".to_owned(), "walk 2".to_owned()];
    let request = TweenRequest { gap_only: true, only, ..TweenRequest::between("walk 1@50", "walk 2@100") };
    let run = || {
        let (done, reports) = cancelled_at(usize::MAX, &corpus.context(), |context| {
            marey::tween::run(&request, context).map(drop)
        });
        done.unwrap();
        reports
    };
    let learning = run();
    let kept = run();
    assert!(kept + 60 < learning, "{kept} reports with a kept model, {learning} without");
    Corpus::open(&corpus.0).unwrap().add(&walk_take(3), &Provenance::default()).unwrap();
    assert_eq!(run(), kept, "a take that is not used changes nothing");
}

#[test]
fn reading_examples_stops_before_each_take() {
    let takes: Vec<Take> = (1..7).map(walk_take).collect();
    let corpus = TestCorpus::new("reading", &takes);
    let points = (0..60).map(|i| Some(Vec3::new(0.0, 0.0, i as f32 * 0.04))).collect();
    let path = PointClip::new(vec!["path".into()], 30.0, points).unwrap();
    let follow = FollowRequest { input: ControlInput::Points(path), ..FollowRequest::default() };
    let (vary, wander) = (VaryRequest::default(), WanderRequest::default());
    type Verb<'a> = &'a dyn Fn(&Context<'_>) -> Result<(), Error>;
    let verbs: [(&str, Verb<'_>); 3] = [
        ("follow", &|context| marey::follow::run(&follow, context).map(drop)),
        ("vary", &|context| marey::vary::run(&vary, context).map(drop)),
        ("wander", &|context| marey::wander::run(&wander, context).map(drop)),
    ];
    for (name, verb) in verbs {
        let read = AtomicUsize::new(0);
        let observe = |progress: Progress| match progress.stage {
            "reading the examples" if read.fetch_add(1, Ordering::Relaxed) >= 3 => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        };
        let error = verb(&corpus.context().observed_by(Observer::new(&observe))).unwrap_err();
        assert_eq!(error.code.id, "command/cancelled", "{name}");
        assert!(read.load(Ordering::Relaxed) <= 4 + takes.len(), "{name} goes on reading");
    }
}

#[test]
fn walking_freely_stops() {
    let corpus = walks("wander");
    let request = WanderRequest { secs: 20.0, ..WanderRequest::default() };
    check("wander", "realise/cancelled", 300, &corpus.context(), |context| {
        marey::wander::run(&request, context).map(drop)
    });
}

#[test]
fn clustering_stops() {
    let corpus = walks("cluster");
    for method in [ClusterMethodName::Linkage, ClusterMethodName::Kmeans] {
        let settings = ClusterRequest { method, ..ClusterRequest::default() }.settings().unwrap();
        let context = Context::with_corpus(Corpus::open(&corpus.0).unwrap());
        check("cluster", "ops/cancelled", 6, &context, |context| {
            Ok(context.corpus()?.cluster(&settings, context.observer()).map(drop)?)
        });
    }
}

#[test]
fn planning_over_terrain_stops() {
    let hops: Vec<Take> =
        luxo::datasets(&LuxoSettings::default()).unwrap().into_iter().map(|made| made.example.take).collect();
    let corpus = TestCorpus::new("lamp", &hops);
    let level = Terrain::new(vec![vec![Vec2::ZERO, Vec2::new(8.0, 0.0)]]).unwrap();
    let request = TraverseRequest { terrain: level, ..TraverseRequest::default() };
    check("traverse", "traverse/cancelled", 10, &corpus.context(), |context| {
        marey::traverse::run(&request, context).map(drop)
    });
}
