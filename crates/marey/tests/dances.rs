//! The verbs `vary`, `tween` and `wander`: their plans give the same motion again, with and without a cache.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use marey::corpus::{Corpus, Provenance};
use marey::examples::luxo::{LuxoSettings, luxo};
use marey::examples::walk::{WalkSettings, walk};
use marey::motion::{Clip, Coded, Observer, Take, WorldPose};
use marey::plan::{Plan, SourceRef};
use marey::realise::{Realisation, SourceClip, Sources};
use marey::sources::CorpusSources;
use marey::tween::{self, PoseSelector, TweenRequest};
use marey::vary::{self, Bridge, TravelMode, VaryRequest};
use marey::wander::{self, WanderRequest};
use marey::{Cache, Context};

fn walk_take(seed: u64) -> Take {
    let settings = WalkSettings { seed, duration_secs: 20.0, rate_hz: 30.0, ..WalkSettings::default() };
    walk(&settings).unwrap().take
}

/// A corpus of two walks in a folder of its own, which is removed at the end.
struct Walks {
    folder: PathBuf,
}

impl Walks {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("marey-dances-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let walks = Self { folder };
        let mut corpus = Corpus::create(&walks.path()).unwrap();
        for (seed, name) in [(1, "a"), (2, "b")] {
            let take = Take::solo(name, walk_take(seed).first().clone());
            corpus.add(&take, &Provenance::default()).unwrap();
        }
        walks
    }

    fn path(&self) -> PathBuf {
        self.folder.join("walks.marey")
    }

    fn context(&self) -> Context<'static> {
        Context::open(self.path()).unwrap()
    }

    fn sources(&self) -> CorpusSources<'static> {
        CorpusSources::new(&self.context())
    }
}

impl Drop for Walks {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn no_sources() -> BTreeMap<SourceRef, SourceClip> {
    BTreeMap::new()
}

/// Saves a plan, reads it and realises it with the settings that it carries.
fn realise_again(plan: &Plan, sources: &dyn Sources) -> Take {
    let plan = Plan::from_json(&plan.to_json().unwrap()).unwrap();
    let realisation = Realisation::from_plan(&plan).unwrap();
    realisation.realise(&plan, sources, Observer::ignore(), marey::Error::from).unwrap().take
}

fn same_motion(a: &Take, b: &Take) -> bool {
    a.actors()
        .iter()
        .map(|actor| (&actor.name, &actor.clip))
        .eq(b.actors().iter().map(|actor| (&actor.name, &actor.clip)))
}

#[test]
fn plans_of_varied_files_need_nothing_else() {
    for (bridge, travel) in [
        (Bridge::Join, TravelMode::Onward),
        (Bridge::None, TravelMode::Absolute),
        (Bridge::Tween, TravelMode::Onward),
    ] {
        let request =
            VaryRequest { motion: vec![walk_take(3).into()], bridge, travel, ..VaryRequest::default() };
        let outcome = vary::run(&request, &Context::new()).unwrap();
        let plan = outcome.plan.unwrap();
        assert_eq!(plan.realise.is_some(), bridge == Bridge::None);
        assert!(same_motion(&realise_again(&plan, &no_sources()), &outcome.take), "{bridge:?}");
    }
}

#[test]
fn plans_of_a_varied_corpus_carry_only_in_betweens() {
    let walks = Walks::new("vary");
    for bridge in [Bridge::Join, Bridge::Tween] {
        let request = VaryRequest { only: vec!["a".into()], bridge, ..VaryRequest::default() };
        let outcome = vary::run(&request, &walks.context()).unwrap();
        let plan = outcome.plan.unwrap();
        assert!(plan.clips.iter().all(|clip| clip.source.take.starts_with("in-between")));
        assert_eq!(plan.clips.is_empty(), bridge == Bridge::Join);
        assert!(same_motion(&realise_again(&plan, &walks.sources()), &outcome.take), "{bridge:?}");
    }
}

#[test]
fn an_edited_placement_changes_only_its_part() {
    let request = VaryRequest { motion: vec![walk_take(3).into()], ..VaryRequest::default() };
    let outcome = vary::run(&request, &Context::new()).unwrap();
    let mut plan = outcome.plan.unwrap();
    let last = plan.actors[0].placements.last_mut().unwrap();
    let start = last.start;
    assert!(start > 60, "the last chunk starts at {start}");
    last.world_from_source.x += 0.5;
    let edited = realise_again(&plan, &no_sources());
    let changed =
        (0..edited.frames()).find(|frame| edited.first().pose(*frame) != outcome.take.first().pose(*frame));
    // Fades and foot plants reach back by less than a second.
    assert!(changed.is_some_and(|frame| frame + 30 > start), "{changed:?}, edited at {start}");
}

/// The largest distance between the same joints of two clips.
fn farthest_m(a: &Clip, b: &Clip) -> f32 {
    assert_eq!(a.frames(), b.frames());
    let world =
        |clip: &Clip, frame: usize| WorldPose::of(clip.skeleton(), clip.pose(frame)).positions.clone();
    let of_frame = |frame: usize| {
        world(a, frame).iter().zip(world(b, frame)).map(|(a, b)| a.distance(b)).fold(0.0, f32::max)
    };
    (0..a.frames()).map(of_frame).fold(0.0, f32::max)
}

#[test]
fn plans_of_in_betweens_and_free_movement_carry_the_motion() {
    let walks = Walks::new("tween");
    let context = walks.context();
    let request = TweenRequest {
        frames: Some(45),
        gap_only: true,
        name: "between".into(),
        ..TweenRequest::between("a@100", "b@400")
    };
    let tweened = tween::run(&request, &context).unwrap();
    assert_eq!(tweened.take.frames(), 45);
    // The first pose is exact.
    let source = walks.sources().source_clip(&SourceRef { take: "a".into(), actor: 0 }).unwrap();
    assert_eq!(tweened.take.first().pose(0), source.clip.pose(100));
    let free = WanderRequest { secs: 3.0, seed: 7, ..WanderRequest::default() };
    let free = wander::run(&free, &context).unwrap();
    assert_eq!(free.take.frames(), 90);
    let plan = tweened.plan.as_ref().unwrap();
    assert_eq!(plan.clips.len(), 1);
    // Realising samples the clip of the engine, which rounds, and changes nothing else.
    assert!(farthest_m(&plan.clips[0].clip, tweened.take.first()) < 1e-4);
    assert!(same_motion(&realise_again(plan, &no_sources()), &tweened.take));
    // Free movement plays takes of the corpus.
    assert!(same_motion(&realise_again(free.plan.as_ref().unwrap(), &walks.sources()), &free.take));
    assert!(free.plan.as_ref().unwrap().clips.is_empty());
}

#[test]
fn in_betweens_of_a_variation_keep_its_length() {
    let walks = Walks::new("length");
    let frames = |bridge: Bridge, secs: Option<f64>| {
        let request = VaryRequest { bridge, secs, ..VaryRequest::default() };
        vary::run(&request, &walks.context()).unwrap().take.frames()
    };
    assert_eq!(frames(Bridge::Tween, None), frames(Bridge::Join, None));
    assert_eq!(frames(Bridge::Tween, Some(7.0)), 210);
}

#[test]
fn results_do_not_depend_on_cache_or_threads() {
    let walks = Walks::new("cache");
    let cache = Cache::default();
    let plain = walks.context();
    let cached = plain.clone().cached_in(&cache, 1);
    let threads = plain.clone().with_threads(NonZeroUsize::new(2).unwrap());
    let vary_request = VaryRequest { bridge: Bridge::Tween, ..VaryRequest::default() };
    let tween_request = TweenRequest::between("a@100", "b@400");
    let results = |context: &Context<'_>| {
        (vary::run(&vary_request, context).unwrap(), tween::run(&tween_request, context).unwrap())
    };
    let expected = results(&plain);
    assert_eq!(results(&cached), expected);
    assert_eq!(results(&cached), expected);
    assert_eq!(results(&threads), expected);
}

#[test]
fn a_body_without_legs_moves_too() {
    let lamp = luxo(&LuxoSettings::default()).unwrap().example.take;
    let request =
        WanderRequest { training: vec![lamp.clone()], secs: 1.0, seed: 3, ..WanderRequest::default() };
    let frames = (lamp.rate_hz() * request.secs).round() as usize;
    assert_eq!(wander::run(&request, &Context::new()).unwrap().take.frames(), frames);
    let pose = |frame| PoseSelector::Frame(lamp.clone(), Some(frame));
    let request =
        TweenRequest { training: vec![lamp.clone()], ..TweenRequest::between(pose(100), pose(130)) };
    assert!(tween::run(&request, &Context::new()).unwrap().take.frames() > 2);
}

#[test]
fn bodies_that_are_not_alike_are_left_out_and_reported() {
    let walks = Walks::new("bodies");
    let lamp = luxo(&LuxoSettings::default()).unwrap().example.take;
    let mut corpus = Corpus::open(&walks.path()).unwrap();
    corpus.add(&lamp, &Provenance::default()).unwrap();
    drop(corpus);
    let request = WanderRequest { secs: 2.0, ..WanderRequest::default() };
    let outcome = wander::run(&request, &walks.context()).unwrap();
    assert_eq!(outcome.report.codes(), ["motion/missing-role"]);
    assert_eq!(outcome.details.takes, ["a", "b"]);
    let request = TweenRequest {
        training: vec![walk_take(1)],
        ..TweenRequest::between(PoseSelector::Frame(lamp, None), "a@0")
    };
    let error = tween::run(&request, &walks.context()).unwrap_err();
    assert_eq!(error.code.id, "motion/missing-role");
}

#[test]
fn invalid_requests_are_errors() {
    let request =
        VaryRequest { motion: vec![walk_take(1).into()], shift: Some(f64::NAN), ..VaryRequest::default() };
    assert_eq!(vary::run(&request, &Context::new()).unwrap_err().code.id, "vary/setting");
    let request = VaryRequest { secs: Some(-1.0), ..VaryRequest::default() };
    assert!(request.validate().unwrap_err().is_usage);
    let json = r#"{"shift": 0.1, "system": "chua", "bridge": "tween", "only": ["a"]}"#;
    let request: VaryRequest = serde_json::from_str(json).unwrap();
    assert_eq!((request.shift, request.bridge, request.seed), (Some(0.1), Bridge::Tween, 1));
    assert!(serde_json::from_str::<VaryRequest>(r#"{"no_such_field": 1}"#).is_err());
    let without_corpus = wander::run(&WanderRequest::default(), &Context::new()).unwrap_err();
    assert!(without_corpus.is_usage);
    let error = vary::VaryError::UnknownSystem { text: "x".into() };
    assert_eq!(error.code().id, "vary/system");
}
