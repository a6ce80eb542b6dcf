//! The k likeliest successors of a posture, without enumerating all.
//!
//! A body of 23 joints with b next orientations each has b²³ successors. But joints depend on each other
//! along a tree, so the best are found as section 4.2 of the paper suggests: from the leaves to the root,
//! keep for each orientation of a joint the k best assignments of its subtree; then read off the best from
//! the root. This is the k-best Viterbi algorithm on a tree. Only the best few orientations of each joint are
//! tried. A lower bound for the cost of everything that is left out is returned with the result.

use marey_motion::CheckedAccess;

use crate::{MotionStyle, Posture, Result, TransitionEdge};

/// A possible next orientation of a joint.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    to: u16,
    /// Cost of the transition plus the joint's cost-to-go.
    cost: f32,
}

/// One of the best assignments of orientations to a subtree.
#[derive(Debug, Clone, Copy)]
struct Assignment {
    cost: f32,
    /// Index of its [`Part`].
    part: usize,
}

/// Assignments share their parts, as a binary tree in one array.
#[derive(Debug, Clone, Copy)]
enum Part {
    Empty,
    /// An orientation of a joint.
    Joint(usize, u16),
    /// Indices of two parts.
    Both(usize, usize),
}

pub(crate) struct Successors {
    /// Successors from cheap to expensive, each with the cost of its step.
    pub(crate) postures: Vec<(Posture, f64)>,
    /// Lower bound for the cost of all other successors, including the cost-to-go.
    pub(crate) other_bound: f32,
}

/// Returns the `count` successors of least cost, from the `count` best orientations of each joint. The cost
/// is that of the step plus `cost_to_go` of each joint. Orientations with an infinite cost-to-go are left
/// out.
pub(crate) fn successors(
    style: &MotionStyle,
    from: &[u16],
    cost_to_go: impl Fn(usize, u16) -> f32,
    count: usize,
) -> Result<Successors> {
    let joints = style.graphs().len();
    let mut candidates: Vec<Vec<Candidate>> = style
        .graphs()
        .iter()
        .zip(from)
        .enumerate()
        .map(|(joint, (graph, &from))| {
            let candidate = |edge: &TransitionEdge| Candidate {
                to: edge.to,
                cost: edge.cost + cost_to_go(joint, edge.to),
            };
            let candidates = graph.edges(from).iter().map(candidate);
            candidates.filter(|candidate| candidate.cost < f32::INFINITY).collect()
        })
        .collect();
    let tree = style.dependence_tree();
    let Some(mut other_bound) = keep_best_orientations(&mut candidates, count) else {
        return Ok(Successors { postures: Vec::new(), other_bound: f32::INFINITY });
    };
    let mut parts = vec![Part::Empty];
    // For each joint and candidate, the sorted best assignments of the subtree.
    let mut assignments: Vec<Vec<Vec<Assignment>>> = vec![Vec::new(); joints];
    let (mut heads, mut sums) = (Vec::new(), Vec::new());
    for &joint in tree.order().iter().rev() {
        let own = candidates.at(joint)?;
        let mut by_candidate = Vec::with_capacity(own.len());
        for candidate in own {
            parts.push(Part::Joint(joint, candidate.to));
            let mut best = vec![Assignment { cost: candidate.cost, part: parts.len() - 1 }];
            for &child in tree.dependants(joint) {
                let pair_costs =
                    candidates.at(child)?.iter().map(|next| tree.cost(child, candidate.to, next.to));
                let of_child = merge(assignments.at(child)?, pair_costs, count, &mut heads);
                best = combine(&best, &of_child, count, &mut parts, &mut sums)?;
            }
            by_candidate.push(best);
        }
        *assignments.at_mut(joint)? = by_candidate;
    }
    let roots = tree.order().iter().filter(|joint| tree.parent(**joint).is_none());
    let mut whole_body = vec![Assignment { cost: 0.0, part: 0 }];
    for &root in roots {
        let no_costs = candidates.at(root)?.iter().map(|_| 0.0);
        let of_root = merge(assignments.at(root)?, no_costs, count, &mut heads);
        whole_body = combine(&whole_body, &of_root, count, &mut parts, &mut sums)?;
    }
    let unfold = |assignment: &Assignment| {
        let mut posture = vec![0; joints];
        let mut pending = vec![assignment.part];
        while let Some(part) = pending.pop() {
            match *parts.at(part)? {
                Part::Empty => {}
                Part::Joint(joint, to) => *posture.at_mut(joint)? = to,
                Part::Both(first, second) => pending.extend([first, second]),
            }
        }
        let cost = style.step_cost(from, &posture);
        Ok((posture, cost))
    };
    if let Some(last) = whole_body.last().filter(|_| whole_body.len() >= count) {
        other_bound = other_bound.min(last.cost);
    }
    Ok(Successors { postures: whole_body.iter().map(unfold).collect::<Result<_>>()?, other_bound })
}

/// Keeps the best orientations of each joint, and returns a lower bound for the cost of everything that uses
/// another; `None` if a joint has no candidates.
fn keep_best_orientations(candidates: &mut [Vec<Candidate>], count: usize) -> Option<f32> {
    let (mut sum_of_best, mut min_extra) = (0.0, f32::INFINITY);
    for of_joint in candidates {
        let by_cost = |a: &Candidate, b: &Candidate| a.cost.total_cmp(&b.cost).then(a.to.cmp(&b.to));
        let first_dropped =
            (of_joint.len() > count).then(|| of_joint.select_nth_unstable_by(count, by_cost).1.cost);
        of_joint.truncate(count);
        of_joint.sort_unstable_by(by_cost);
        let best = of_joint.first()?.cost;
        sum_of_best += best;
        if let Some(dropped) = first_dropped {
            min_extra = min_extra.min(dropped - best);
        }
    }
    Some(sum_of_best + min_extra)
}

/// Merges sorted lists into one sorted list of the best; each list has an additional cost. `heads` is scratch
/// space for the position in each list and its additional cost.
fn merge(
    lists: &[Vec<Assignment>],
    list_costs: impl Iterator<Item = f32>,
    count: usize,
    heads: &mut Vec<(usize, f32)>,
) -> Vec<Assignment> {
    heads.clear();
    heads.extend(list_costs.map(|cost| (0, cost)));
    let mut best = Vec::with_capacity(count.min(lists.iter().map(Vec::len).sum()));
    while best.len() < count {
        let mut cheapest: Option<(f32, usize, usize)> = None;
        for (list, &(position, list_cost)) in heads.iter().enumerate() {
            let Some(assignment) = lists.get(list).and_then(|list| list.get(position)) else { continue };
            let cost = assignment.cost + list_cost;
            if cheapest.is_none_or(|(other, ..)| cost < other) {
                cheapest = Some((cost, list, assignment.part));
            }
        }
        let Some((cost, list, part)) = cheapest else { break };
        best.push(Assignment { cost, part });
        if let Some((position, _)) = heads.get_mut(list) {
            *position += 1;
        }
    }
    best
}

/// Returns the best combinations of one assignment from each of two sorted lists.
fn combine(
    first: &[Assignment],
    second: &[Assignment],
    count: usize,
    parts: &mut Vec<Part>,
    sums: &mut Vec<(f32, usize, usize)>,
) -> Result<Vec<Assignment>> {
    sums.clear();
    for (a, own) in first.iter().enumerate() {
        // At least (a + 1)(b + 1) − 1 combinations are as good as that of the a-th and the b-th.
        let limit = count.div_ceil(a + 1);
        sums.extend(second.iter().enumerate().take(limit).map(|(b, other)| (own.cost + other.cost, a, b)));
    }
    sums.sort_unstable_by(|x, y| x.0.total_cmp(&y.0).then((x.1, x.2).cmp(&(y.1, y.2))));
    sums.truncate(count);
    let assignment = |&(cost, a, b): &(f32, usize, usize)| {
        parts.push(Part::Both(first.at(a)?.part, second.at(b)?.part));
        Ok(Assignment { cost, part: parts.len() - 1 })
    };
    sums.iter().map(assignment).collect()
}
