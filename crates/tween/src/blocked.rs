//! Why there is no way: the joint that blocks, and what can be reached instead.

use crate::graph::ToGo;
use crate::way::{MOST_STEPS, fewest_steps};
use crate::{Error, Graph, Style};

/// Says which joint blocks, what would do, and which posture of the corpus near the goal can be reached.
pub(crate) fn not_connected(
    style: &Style,
    from: &[u16],
    goal: &[u16],
    to_go: &[ToGo],
    steps: Option<usize>,
) -> Error {
    let most = steps.unwrap_or(MOST_STEPS);
    let first = |to_go: &ToGo, from: u16| (0..=most).find(|steps| to_go.cost(*steps, from) < f32::INFINITY);
    // The joint that takes longest, where all get there in some number of steps; one that never does takes longest of all.
    let joints = to_go.iter().zip(from).map(|(to_go, from)| match steps {
        Some(steps) if to_go.cost(steps, *from) < f32::INFINITY => 0,
        _ => first(to_go, *from).unwrap_or(usize::MAX),
    });
    let blocking =
        joints.enumerate().max_by_key(|(joint, steps)| (*steps, usize::MAX - joint)).map(|(joint, _)| joint);
    let joint = blocking.and_then(|joint| style.skeleton().joints().get(joint));
    Error::NotConnected {
        joint: joint.map_or_else(String::new, |joint| joint.name.clone()),
        steps,
        enough: steps.and_then(|_| fewest_steps(style, from, goal)),
        nearest: nearest_reachable(style, from, goal, steps),
    }
}

/// The frame of the corpus nearest to a posture of which every joint can be reached: in just so many steps, or in any number.
fn nearest_reachable(
    style: &Style,
    from: &[u16],
    goal: &[u16],
    steps: Option<usize>,
) -> Option<(usize, usize)> {
    let of_joint = |(graph, from): (&Graph, &u16)| match steps {
        Some(steps) => reached_in(graph, *from, steps),
        None => reached(graph, *from),
    };
    let reached: Vec<Vec<bool>> = style.graphs().iter().zip(from).map(of_joint).collect();
    let is_reached = |(reached, state): (&Vec<bool>, &u16)| reached.get(usize::from(*state)) == Some(&true);
    let mut best: Option<(f32, usize)> = None;
    for frame in 0..style.frames().len() {
        let posture = style.frames().posture(frame);
        if !reached.iter().zip(posture).all(is_reached) {
            continue;
        }
        let turns = style.alphabets().iter().zip(posture.iter().zip(goal));
        let off: f32 = turns.map(|(a, (x, y))| a.orientation(*x).angle_between(a.orientation(*y))).sum();
        if best.is_none_or(|(least, _)| off < least) {
            best = Some((off, frame));
        }
    }
    best.map(|(_, frame)| style.frames().place(frame))
}

/// The orientations that a joint gets to.
fn reached(graph: &Graph, from: u16) -> Vec<bool> {
    let mut reached = vec![false; graph.len()];
    let mut todo = vec![from];
    while let Some(state) = todo.pop() {
        if let Some(mark @ false) = reached.get_mut(usize::from(state)) {
            *mark = true;
            todo.extend(graph.edges(state).iter().map(|edge| edge.to));
        }
    }
    reached
}

/// The orientations that a joint gets to in just so many steps.
fn reached_in(graph: &Graph, from: u16, steps: usize) -> Vec<bool> {
    let mut here: Vec<bool> = (0..graph.len()).map(|state| state == usize::from(from)).collect();
    for _ in 0..steps.min(MOST_STEPS) {
        let mut next = vec![false; graph.len()];
        for (state, _) in here.iter().enumerate().filter(|(_, is_here)| **is_here) {
            for edge in graph.edges(state as u16) {
                next.iter_mut().skip(edge.to.into()).take(1).for_each(|mark| *mark = true);
            }
        }
        here = next;
    }
    here
}
