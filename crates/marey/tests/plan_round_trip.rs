//! The plan of every planning engine: saved and realised, it gives the same bytes; an edit of one placement changes that
//! part of the motion and nothing else.

mod support;

use std::ops::Range;

use marey::corpus::CutMethod;
use marey::duet::DuetRequest;
use marey::examples::lindy::{self, LindySettings};
use marey::examples::luxo::{self, LuxoSettings};
use marey::examples::taekwondo::{TaekwondoSettings, taekwondo};
use marey::examples::walk::{WalkSettings, walk};
use marey::examples::waltz::{WaltzSettings, waltz};
use marey::follow::{ControlInput, ControlKind, FollowRequest};
use marey::motion::Vec2;
use marey::plan::Placement;
use marey::prelude::*;
use marey::realise::RealiseRequest;
use marey::realise::plant::PlantSettings;
use marey::traverse::TraverseRequest;
use marey::tween::{PoseSelector, TweenRequest};
use marey::vary::{Bridge, VaryRequest};
use marey::wander::WanderRequest;
use marey::{duet, follow, realise, traverse, tween, vary, wander};
use support::Folder;

/// What an engine made, and which placement is edited.
struct RoundTrip<'a> {
    context: &'a Context<'a>,
    take: Take,
    plan: Plan,
    actor: usize,
    /// How far the placement is moved along x and z, in metres.
    shift: [f32; 2],
    /// The frames that may change, given the placements of the actor and the index of the edited one.
    part: fn(&[Placement], usize) -> Range<usize>,
}

/// The edited placement, and the frames that joins and foot plants adjust around it: feet are planted with this
/// much look-ahead.
fn with_joins(placements: &[Placement], edited: usize) -> Range<usize> {
    let placement = &placements[edited];
    let ahead = PlantSettings::default().look_ahead(30.0);
    placement.start.saturating_sub(ahead)..placement.end() + 60
}

/// The edited placement, and two seconds before and three after it: stances that follow each other adapt in turn.
fn with_stances(placements: &[Placement], edited: usize) -> Range<usize> {
    let placement = &placements[edited];
    placement.start.saturating_sub(60)..placement.end() + 90
}

impl<'a> RoundTrip<'a> {
    fn new<D>(outcome: Outcome<D>, context: &'a Context<'a>) -> Self {
        let plan = outcome.plan.expect("the engine plans");
        Self { context, take: outcome.take, plan, actor: 0, shift: [0.05, 0.0], part: with_joins }
    }

    fn check(self) {
        let again = self.realise(&self.plan);
        let bytes = |take: &Take| bvh::write(take, &BvhOptions::default()).0;
        assert!(bytes(&again) == bytes(&self.take), "the plan realises to other motion");

        let mut plan = self.plan.clone();
        let placements = &mut plan.actors[self.actor].placements;
        divide_if_single(placements);
        let edited = placements.len() / 2;
        let part = (self.part)(placements, edited);
        let before = self.realise(&plan);
        let world_from_source = &mut plan.actors[self.actor].placements[edited].world_from_source;
        world_from_source.x += self.shift[0];
        world_from_source.z += self.shift[1];
        let after = self.realise(&plan);

        let frames = before.frames();
        assert!(part.start > 0 || part.end < frames, "the part is everything");
        assert_eq!(after.frames(), frames);
        let differs = |frame: &usize| {
            let mut actors = before.actors().iter().zip(after.actors());
            actors.any(|(before, after)| before.clip.pose(*frame) != after.clip.pose(*frame))
        };
        let changed: Vec<usize> = (0..frames).filter(differs).collect();
        assert!(!changed.is_empty(), "the edit changes nothing");
        assert!(changed.iter().all(|frame| part.contains(frame)), "{changed:?} not in {part:?}");
    }

    fn realise(&self, plan: &Plan) -> Take {
        let request = RealiseRequest { plan: plan.to_json().unwrap(), ..RealiseRequest::default() };
        realise::run(&request, self.context).unwrap().take
    }
}

/// Divides the only placement of a plan into two halves, so that one of them can be edited.
fn divide_if_single(placements: &mut Vec<Placement>) {
    if let [whole] = placements.as_slice() {
        let middle = whole.frames / 2;
        let first = Placement { source_end: middle, frames: middle, ..whole.clone() };
        let frames = whole.frames - middle;
        let second = Placement { source_start: middle, start: middle, frames, ..whole.clone() };
        *placements = vec![first, second];
    }
}

fn walking(secs: f64) -> Take {
    walk(&WalkSettings { duration_secs: secs, rate_hz: 30.0, ..WalkSettings::default() }).unwrap().take
}

#[test]
fn follow_a_path() {
    let folder = Folder::new("round-trip-path");
    let context = folder.context([&walking(40.0)], Some(CutMethod::Steps));
    let points = (0..60).map(|i| 0.03 * i as f32).map(|turn| [4.0 - 4.0 * turn.cos(), 4.0 * turn.sin()]);
    let input = ControlInput::Path { points: points.collect(), rate_hz: Some(10.0) };
    let outcome = follow::run(&FollowRequest { input, ..FollowRequest::default() }, &context).unwrap();
    // Steps are short: the motion three placements away stays.
    let part =
        |placements: &[Placement], edited: usize| placements[edited - 3].start..placements[edited + 3].end();
    RoundTrip { part, ..RoundTrip::new(outcome, &context) }.check();
}

#[test]
fn follow_a_leader() {
    let folder = Folder::new("round-trip-leader");
    let dances = lindy::database(&LindySettings { rate_hz: 30.0, ..LindySettings::default() }).unwrap();
    let context =
        folder.context(dances[..4].iter().map(|dance| &dance.take), Some(CutMethod::Beats { every: 2 }));
    let request = FollowRequest {
        input: ControlInput::CorpusTake("lindy-01".into()),
        control: ControlKind::Actor("leader".into()),
        ..FollowRequest::default()
    };
    let outcome = follow::run(&request, &context).unwrap();
    RoundTrip { actor: 1, ..RoundTrip::new(outcome, &context) }.check();
}

#[test]
fn duet_of_fighters() {
    let folder = Folder::new("round-trip-duet");
    let settings =
        TaekwondoSettings { seed: 4, duration_secs: 20.0, rate_hz: 30.0, ..TaekwondoSettings::default() };
    let bout = taekwondo(&settings).unwrap().take;
    let context = folder.context([&bout], None);
    let request =
        DuetRequest { train_on: vec![bout.name().to_owned()], secs: 14.0, ..DuetRequest::default() };
    RoundTrip::new(duet::run(&request, &context).unwrap(), &context).check();
    // The plan carries its movements, so that it needs no corpus.
    let empty = Context::new();
    RoundTrip::new(duet::run(&request, &context).unwrap(), &empty).check();
}

#[test]
fn traverse_terrain() {
    let folder = Folder::new("round-trip-traverse");
    let crossings = luxo::datasets(&LuxoSettings::default()).unwrap();
    let context = folder.context(crossings.iter().map(|crossing| &crossing.example.take), None);
    let points = [[-0.5, 0.0], [1.0, 0.0], [1.0, 0.05], [3.5, 0.0]].map(Vec2::from);
    let terrain = Terrain::new(vec![points.to_vec()]).unwrap();
    let request = TraverseRequest { terrain, seed: 3, ..TraverseRequest::default() };
    let outcome = traverse::run(&request, &context).unwrap();
    // A hop that starts elsewhere, and the next one, which lands where it did.
    let part =
        |placements: &[Placement], edited: usize| placements[edited].start..placements[edited + 1].end();
    RoundTrip { shift: [0.0, -0.03], part, ..RoundTrip::new(outcome, &context) }.check();
}

#[test]
fn vary_with_every_bridge() {
    let folder = Folder::new("round-trip-vary");
    let context = folder.context([&walking(20.0)], None);
    for bridge in [Bridge::Join, Bridge::Tween, Bridge::None] {
        // In shorter pieces, more stances would adapt to the edit.
        let request = VaryRequest { bridge, min_chunk: Some(60), ..VaryRequest::default() };
        let outcome = vary::run(&request, &context).unwrap();
        let exactly =
            |placements: &[Placement], edited: usize| placements[edited].start..placements[edited].end();
        let part = if bridge == Bridge::None { exactly } else { with_stances };
        RoundTrip { part, ..RoundTrip::new(outcome, &context) }.check();
    }
}

#[test]
fn vary_a_couple_that_is_in_no_corpus() {
    let dance =
        waltz(&WaltzSettings { duration_secs: 20.0, rate_hz: 30.0, ..WaltzSettings::default() }).unwrap();
    let request = VaryRequest { motion: vec![dance.take.into()], ..VaryRequest::default() };
    let context = Context::new();
    let outcome = vary::run(&request, &context).unwrap();
    RoundTrip { actor: 1, part: with_stances, ..RoundTrip::new(outcome, &context) }.check();
}

#[test]
fn tween_and_wander() {
    let context = Context::new();
    let walk = walking(20.0);
    let request = TweenRequest {
        training: vec![walk.clone()],
        frames: Some(90),
        ..TweenRequest::between(
            PoseSelector::Frame(walk.clone(), Some(100)),
            PoseSelector::Frame(walk.clone(), Some(400)),
        )
    };
    RoundTrip::new(tween::run(&request, &context).unwrap(), &context).check();
    let request = WanderRequest { training: vec![walk], secs: 4.0, ..WanderRequest::default() };
    RoundTrip::new(wander::run(&request, &context).unwrap(), &context).check();
}
