//! Paths between postures: equal to exhaustive search on small bodies.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use glam::{Quat, Vec3};
use marey_motion::{Clip, ClipParts, Coded, Joint, Skeleton};
use marey_tween::{
    Dependence, MotionStyle, PathSearchSettings, Posture, StyleSettings, TweenError, find_path,
};
use proptest::prelude::*;

/// A figure of three joints below a fixed root, animated by orientation numbers, frames × 3.
fn clip(frames: &[[u8; 3]]) -> Clip {
    let mut joints = vec![Joint::new("root", None, Vec3::Y)];
    joints
        .extend([("a", 0), ("b", 1), ("c", 1)].map(|(name, parent)| Joint::new(name, Some(parent), Vec3::Y)));
    let skeleton = Arc::new(Skeleton::new(joints, vec![]).unwrap());
    let mut parts = ClipParts::default();
    for frame in frames {
        parts.rotations.push(Quat::IDENTITY);
        parts.rotations.extend(frame.map(|k| Quat::from_rotation_x(f32::from(k) * 0.4)));
        parts.positions.push(Vec3::Y);
    }
    Clip::new(skeleton, 15.0, parts).unwrap()
}

fn style(frames: &[[u8; 3]], dependence: Dependence) -> MotionStyle {
    let settings = StyleSettings { dependence, smoothing: 0.0, ..StyleSettings::default() };
    MotionStyle::learn(&[clip(frames)], &settings).unwrap()
}

/// An exact search: no pruning, weight 1.
fn exact() -> PathSearchSettings {
    PathSearchSettings {
        successors: 1_000_000,
        beam_width: 1_000_000,
        max_expansions: 100_000_000,
        heuristic_weight: 1.0,
        max_length_ratio: 100.0,
    }
}

/// All successors of a posture, by enumeration.
fn all_successors(style: &MotionStyle, from: &[u16]) -> Vec<(Posture, f64)> {
    let mut all: Vec<Posture> = vec![vec![]];
    for (graph, &state) in style.graphs().iter().zip(from) {
        all = all
            .iter()
            .flat_map(|posture| {
                graph.edges(state).iter().map(|edge| [posture.as_slice(), &[edge.to]].concat())
            })
            .collect();
    }
    all.into_iter()
        .map(|posture| {
            let cost = style.step_cost(from, &posture);
            (posture, cost)
        })
        .collect()
}

/// Cost of the cheapest path in the product of all graphs, by Dijkstra's algorithm.
fn dijkstra(style: &MotionStyle, from: &[u16], to: &[u16]) -> Option<f64> {
    let mut best: BTreeMap<Posture, f64> = BTreeMap::from([(from.to_vec(), 0.0)]);
    let mut done: BTreeSet<Posture> = BTreeSet::new();
    loop {
        let open = best.iter().filter(|(posture, _)| !done.contains(*posture));
        let (posture, cost) = open.min_by(|a, b| a.1.total_cmp(b.1)).map(|(p, c)| (p.clone(), *c))?;
        if posture == to {
            return Some(cost);
        }
        for (next, step) in all_successors(style, &posture) {
            let known = best.entry(next).or_insert(f64::INFINITY);
            *known = known.min(cost + step);
        }
        done.insert(posture);
    }
}

/// Cost of the cheapest path with exactly `steps` steps, by enumeration.
fn cost_in_steps(style: &MotionStyle, from: &[u16], to: &[u16], steps: usize) -> f64 {
    if steps == 0 {
        return if from == to { 0.0 } else { f64::INFINITY };
    }
    let cost_through = |(next, step): (Posture, f64)| step + cost_in_steps(style, &next, to, steps - 1);
    all_successors(style, from).into_iter().map(cost_through).fold(f64::INFINITY, f64::min)
}

fn frames() -> impl Strategy<Value = Vec<[u8; 3]>> {
    prop::collection::vec(prop::array::uniform3(0u8..3), 8..25)
}

fn dependence() -> impl Strategy<Value = Dependence> {
    prop::sample::select(vec![Dependence::Body, Dependence::Learned, Dependence::None])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn the_path_is_the_cheapest(frames in frames(), dependence in dependence()) {
        let style = style(&frames, dependence);
        let (from, to) = (style.frames().posture(0), style.frames().posture(frames.len() - 1));
        let expected = dijkstra(&style, from, to).unwrap();
        let found = find_path(&style, from, to, None, &exact()).unwrap();
        prop_assert!((found.cost - expected).abs() < 1e-4, "{} instead of {}", found.cost, expected);
        prop_assert!(found.is_optimal);
        // The cost of the path is the sum of its steps.
        let steps: f64 = found.postures.windows(2).map(|pair| style.step_cost(&pair[0], &pair[1])).sum();
        prop_assert!((steps - found.cost).abs() < 1e-6);
    }

    #[test]
    fn a_path_of_fixed_length_is_the_cheapest_of_that_length(frames in frames(), dependence in dependence(), steps in 1usize..4) {
        let style = style(&frames, dependence);
        let (from, to) = (style.frames().posture(2), style.frames().posture(2 + steps));
        let found = find_path(&style, from, to, Some(steps), &exact()).unwrap();
        prop_assert_eq!(found.postures.len(), steps + 1);
        prop_assert!((found.cost - cost_in_steps(&style, from, to, steps)).abs() < 1e-4);
    }

    #[test]
    fn a_pruned_search_finds_a_valid_path(frames in frames(), dependence in dependence()) {
        let style = style(&frames, dependence);
        let (from, to) = (style.frames().posture(0), style.frames().posture(frames.len() - 1));
        let best = dijkstra(&style, from, to).unwrap();
        let found = find_path(&style, from, to, None, &PathSearchSettings::default()).unwrap();
        prop_assert!(found.cost.is_finite() && found.cost >= best - 1e-4);
        prop_assert!(found.postures[0] == from && found.postures.last().unwrap() == to);
    }
}

#[test]
fn not_connected_names_the_joint_and_a_reachable_posture() {
    // "b" never returns from 2.
    let style = style(&[[0, 0, 0], [1, 1, 1], [0, 1, 0], [1, 2, 1], [0, 2, 0]], Dependence::Body);
    let (late, early) = (style.frames().posture(4), style.frames().posture(0));
    let error = find_path(&style, late, early, None, &exact()).unwrap_err();
    assert_eq!(error.code().id, "tween/not-connected");
    match error {
        TweenError::NotConnected { joint, nearest, .. } => {
            assert_eq!(joint, "b");
            assert_eq!(nearest, Some((0, 4)));
        }
        other => panic!("{other:?}"),
    }
    // Zero steps lead nowhere.
    let error = find_path(&style, early, late, Some(0), &exact()).unwrap_err();
    assert!(error.to_string().ends_with("in 0 steps; 2 are enough"), "{error}");
}

#[test]
fn invalid_input_is_an_error_with_a_code() {
    let code = |result: Result<MotionStyle, TweenError>| result.err().map(|error| error.code().id);
    let default = StyleSettings::default();
    assert_eq!(code(MotionStyle::learn(&[], &default)), Some("tween/short"));
    assert_eq!(code(MotionStyle::learn(&[clip(&[[0, 0, 0]])], &default)), Some("tween/short"));
    let bad = StyleSettings { merge_angle_rad: f32::NAN, ..default };
    assert_eq!(code(MotionStyle::learn(&[clip(&[[0; 3], [1; 3]])], &bad)), Some("tween/setting"));
    let other = Skeleton::new(vec![Joint::new("hip", None, Vec3::Y)], vec![]).unwrap();
    let parts = ClipParts { rotations: vec![Quat::IDENTITY; 2], positions: vec![Vec3::Y; 2] };
    let other = Clip::new(Arc::new(other), 15.0, parts).unwrap();
    assert_eq!(
        code(MotionStyle::learn(&[clip(&[[0; 3], [1; 3]]), other.clone()], &default)),
        Some("tween/skeleton")
    );
    let style = style(&[[0; 3], [1; 3]], Dependence::Body);
    let invalid = PathSearchSettings { heuristic_weight: 0.5, ..PathSearchSettings::default() };
    let posture = style.frames().posture(0);
    assert_eq!(find_path(&style, posture, posture, None, &invalid).unwrap_err().code().id, "tween/setting");
}
