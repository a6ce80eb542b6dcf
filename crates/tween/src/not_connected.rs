//! Explaining why there is no path: the blocking joint, and the nearest reachable posture.

use crate::pose_path::{MAX_STEPS, min_steps};
use crate::transition_graph::CostToGo;
use crate::{MotionStyle, TransitionGraph, TweenError};

/// Returns the error that names the blocking joint, a sufficient number of steps, and the nearest reachable
/// posture.
pub(crate) fn not_connected(
    style: &MotionStyle,
    from: &[u16],
    goal: &[u16],
    cost_to_go: &[CostToGo],
    steps: Option<usize>,
) -> TweenError {
    let max_steps = steps.unwrap_or(MAX_STEPS);
    let first_arrival =
        |table: &CostToGo, from: u16| (0..=max_steps).find(|steps| table.cost(*steps, from) < f32::INFINITY);
    // The joint that needs the most steps; a joint that never arrives comes before all others.
    let joints = cost_to_go.iter().zip(from).map(|(table, from)| match steps {
        Some(steps) if table.cost(steps, *from) < f32::INFINITY => 0,
        _ => first_arrival(table, *from).unwrap_or(usize::MAX),
    });
    let blocking =
        joints.enumerate().max_by_key(|(joint, steps)| (*steps, usize::MAX - joint)).map(|(joint, _)| joint);
    let joint = blocking.and_then(|joint| style.skeleton().joints().get(joint));
    TweenError::NotConnected {
        joint: joint.map_or_else(String::new, |joint| joint.name.clone()),
        steps,
        sufficient: steps.and_then(|_| min_steps(style, from, goal)),
        nearest: nearest_reachable(style, from, goal, steps),
    }
}

/// Returns the frame of the corpus nearest to the goal whose orientations every joint can reach, in exactly
/// `steps` steps or in any number.
fn nearest_reachable(
    style: &MotionStyle,
    from: &[u16],
    goal: &[u16],
    steps: Option<usize>,
) -> Option<(usize, usize)> {
    let reached_by_joint = |(graph, from): (&TransitionGraph, &u16)| match steps {
        Some(steps) => reached_in(graph, *from, steps),
        None => reached(graph, *from),
    };
    let reached: Vec<Vec<bool>> = style.graphs().iter().zip(from).map(reached_by_joint).collect();
    let is_reached = |(reached, state): (&Vec<bool>, &u16)| reached.get(usize::from(*state)) == Some(&true);
    let mut best: Option<(f32, usize)> = None;
    for frame in 0..style.frames().len() {
        let posture = style.frames().posture(frame);
        if !reached.iter().zip(posture).all(is_reached) {
            continue;
        }
        let turns = style.codebooks().iter().zip(posture.iter().zip(goal));
        let distance_rad: f32 =
            turns.map(|(a, (x, y))| a.orientation(*x).angle_between(a.orientation(*y))).sum();
        if best.is_none_or(|(min_rad, _)| distance_rad < min_rad) {
            best = Some((distance_rad, frame));
        }
    }
    best.map(|(_, frame)| style.frames().clip_frame(frame))
}

/// Marks the orientations that a joint can reach.
fn reached(graph: &TransitionGraph, from: u16) -> Vec<bool> {
    let mut reached = vec![false; graph.len()];
    let mut pending = vec![from];
    while let Some(state) = pending.pop() {
        if let Some(mark @ false) = reached.get_mut(usize::from(state)) {
            *mark = true;
            pending.extend(graph.edges(state).iter().map(|edge| edge.to));
        }
    }
    reached
}

/// Marks the orientations that a joint can reach in exactly `steps` steps.
fn reached_in(graph: &TransitionGraph, from: u16, steps: usize) -> Vec<bool> {
    let mut current: Vec<bool> = (0..graph.len()).map(|state| state == usize::from(from)).collect();
    for _ in 0..steps.min(MAX_STEPS) {
        let mut next = vec![false; graph.len()];
        for (state, _) in current.iter().enumerate().filter(|(_, is_current)| **is_current) {
            for edge in graph.edges(state as u16) {
                next.iter_mut().skip(edge.to.into()).take(1).for_each(|mark| *mark = true);
            }
        }
        current = next;
    }
    current
}
