//! The likeliest next postures, without trying all.
//!
//! A body of 23 joints with b next orientations each has b²³ next postures. But joints depend on each other along a tree, so the best
//! are found as the paper suggests (section 4.2): joint by joint from the leaves to the root, keeping for each orientation
//! of a joint the best few ways to fill in what depends on it; then back from the root. It is the k-best form of the
//! Viterbi algorithm on a tree.

use crate::{Posture, Style};

/// A next orientation of a joint.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    to: u16,
    /// What the step costs, and what is still to come at least.
    cost: f32,
}

/// One of the best ways to fill in a joint and all that depends on it.
#[derive(Debug, Clone, Default)]
struct Filled {
    cost: f32,
    /// For each joint that depends on this one: which of its candidates, and which of that one's ways.
    picks: Vec<(usize, usize)>,
}

/// The `most` next postures of least cost, the cheapest first: what the step costs, and `to_go` of each joint's next
/// orientation, where joints with nothing to go cost infinity and are left out. Given back is the step's own cost.
pub(crate) fn successors(
    style: &Style,
    from: &[u16],
    to_go: impl Fn(usize, u16) -> f32,
    most: usize,
) -> Vec<(Posture, f64)> {
    let joints = style.graphs().len();
    let candidates: Vec<Vec<Candidate>> = style
        .graphs()
        .iter()
        .zip(from)
        .enumerate()
        .map(|(joint, (graph, &from))| {
            let of_edge =
                |edge: &crate::Edge| Candidate { to: edge.to, cost: edge.cost + to_go(joint, edge.to) };
            graph.edges(from).iter().map(of_edge).filter(|candidate| candidate.cost < f32::INFINITY).collect()
        })
        .collect();
    if candidates.iter().any(Vec::is_empty) {
        return Vec::new();
    }
    let mut dependants: Vec<Vec<usize>> = vec![Vec::new(); joints];
    let mut roots = Vec::new();
    for &joint in style.network().order() {
        match style.network().parent(joint) {
            Some(other) => dependants[other].push(joint),
            None => roots.push(joint),
        }
    }
    // For each joint and candidate, the best ways to fill in what depends on it.
    let mut filled: Vec<Vec<Vec<Filled>>> = vec![Vec::new(); joints];
    for &joint in style.network().order().iter().rev() {
        let fill = |candidate: &Candidate| {
            let start = vec![Filled { cost: candidate.cost, picks: Vec::new() }];
            dependants[joint].iter().fold(start, |ways, &child| {
                let link = |to: u16| style.network().cost(child, candidate.to, to);
                combined(&ways, &choices(&candidates[child], &filled[child], link, most), most)
            })
        };
        let of_joint = candidates[joint].iter().map(fill).collect();
        filled[joint] = of_joint;
    }
    let whole = roots.iter().fold(vec![Filled::default()], |ways, &root| {
        combined(&ways, &choices(&candidates[root], &filled[root], |_| 0.0, most), most)
    });
    let unfold = |way: &Filled| {
        let mut posture = vec![0; joints];
        let mut todo: Vec<(usize, (usize, usize))> =
            roots.iter().copied().zip(way.picks.iter().copied()).collect();
        while let Some((joint, (candidate, rank))) = todo.pop() {
            posture[joint] = candidates[joint][candidate].to;
            let picks = &filled[joint][candidate][rank].picks;
            todo.extend(dependants[joint].iter().copied().zip(picks.iter().copied()));
        }
        let cost = style.step_cost(from, &posture);
        (posture, cost)
    };
    whole.iter().map(unfold).collect()
}

/// One thing to choose: what it costs, which candidate, and which of its ways.
type Choice = (f32, (usize, usize));

/// The best ways of all candidates of a joint, with what they cost beside the other's orientation; sorted.
fn choices(
    candidates: &[Candidate],
    filled: &[Vec<Filled>],
    link: impl Fn(u16) -> f32,
    most: usize,
) -> Vec<Choice> {
    let mut all: Vec<Choice> = Vec::new();
    for (index, (candidate, ways)) in candidates.iter().zip(filled).enumerate() {
        let link = link(candidate.to);
        all.extend(ways.iter().enumerate().map(|(rank, way)| (way.cost + link, (index, rank))));
    }
    all.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    all.truncate(most);
    all
}

/// The best sums of one from each list; both are sorted.
fn combined(ways: &[Filled], choices: &[Choice], most: usize) -> Vec<Filled> {
    let mut sums: Vec<(f32, usize, usize)> = Vec::new();
    for (a, way) in ways.iter().enumerate() {
        // The sum of the a-th and the b-th has at least (a + 1)(b + 1) − 1 that are as good before it.
        let room = most.div_ceil(a + 1);
        sums.extend(choices.iter().enumerate().take(room).map(|(b, choice)| (way.cost + choice.0, a, b)));
    }
    sums.sort_unstable_by(|x, y| x.0.total_cmp(&y.0).then((x.1, x.2).cmp(&(y.1, y.2))));
    sums.truncate(most);
    let made = |(cost, a, b): (f32, usize, usize)| {
        let mut picks = ways[a].picks.clone();
        picks.push(choices[b].1);
        Filled { cost, picks }
    };
    sums.into_iter().map(made).collect()
}
