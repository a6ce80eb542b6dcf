//! The likeliest next postures, without trying all.
//!
//! A body of 23 joints with b next orientations each has b²³ next postures. But joints depend on each other along a tree, so the best
//! are found as the paper suggests (section 4.2): joint by joint from the leaves to the root, keeping for each orientation
//! of a joint the best few ways to fill in what depends on it; then back from the root. It is the k-best form of the
//! Viterbi algorithm on a tree. Of each joint only the best few orientations are tried; what was left out, and what it would cost at least,
//! is remembered.

use crate::{Posture, Style};

/// A next orientation of a joint.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    to: u16,
    /// What the step costs, and what is still to come at least.
    cost: f32,
}

/// One of the best ways to fill in a joint and all that depends on it.
#[derive(Debug, Clone, Copy)]
struct Filled {
    cost: f32,
    /// What it is, by its number among all that was put together.
    what: usize,
}

/// What is filled in.
#[derive(Debug, Clone, Copy)]
enum What {
    Nothing,
    /// A joint's orientation.
    One(usize, u16),
    /// Two fillings, by their numbers.
    Both(usize, usize),
}

/// Next postures, the cheapest first, each with what the step costs.
pub(crate) struct Successors {
    pub(crate) postures: Vec<(Posture, f64)>,
    /// What no other next posture costs less than, with all that is still to come.
    pub(crate) others: f32,
}

/// At most `most` next postures of least cost, from at most as many orientations of each joint: what the step costs, and `to_go` of each
/// joint's next orientation, where joints with nothing to go cost infinity and are left out.
pub(crate) fn successors(
    style: &Style,
    from: &[u16],
    to_go: impl Fn(usize, u16) -> f32,
    most: usize,
) -> Successors {
    let joints = style.graphs().len();
    let mut candidates: Vec<Vec<Candidate>> = style
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
    let network = style.network();
    let Some(mut others) = best_of_each(&mut candidates, most) else {
        return Successors { postures: Vec::new(), others: f32::INFINITY };
    };
    let mut whats = vec![What::Nothing];
    // For each joint and candidate, the best ways to fill in what depends on it; sorted.
    let mut filled: Vec<Vec<Vec<Filled>>> = vec![Vec::new(); joints];
    let (mut heads, mut scratch) = (Vec::new(), Vec::new());
    for &joint in network.order().iter().rev() {
        let mut of_joint = Vec::with_capacity(candidates[joint].len());
        for candidate in &candidates[joint] {
            whats.push(What::One(joint, candidate.to));
            let mut ways = vec![Filled { cost: candidate.cost, what: whats.len() - 1 }];
            for &child in network.dependants(joint) {
                let links = candidates[child].iter().map(|next| network.cost(child, candidate.to, next.to));
                let choices = merged(&filled[child], links, most, &mut heads);
                ways = combined(&ways, &choices, most, &mut whats, &mut scratch);
            }
            of_joint.push(ways);
        }
        filled[joint] = of_joint;
    }
    let roots = network.order().iter().filter(|joint| network.parent(**joint).is_none());
    let whole = roots.fold(vec![Filled { cost: 0.0, what: 0 }], |ways, &root| {
        let choices = merged(&filled[root], candidates[root].iter().map(|_| 0.0), most, &mut heads);
        combined(&ways, &choices, most, &mut whats, &mut scratch)
    });
    let unfold = |way: &Filled| {
        let mut posture = vec![0; joints];
        let mut todo = vec![way.what];
        while let Some(what) = todo.pop() {
            match whats[what] {
                What::Nothing => {}
                What::One(joint, to) => posture[joint] = to,
                What::Both(one, other) => todo.extend([one, other]),
            }
        }
        let cost = style.step_cost(from, &posture);
        (posture, cost)
    };
    if let Some(last) = whole.last().filter(|_| whole.len() >= most) {
        others = others.min(last.cost);
    }
    Successors { postures: whole.iter().map(unfold).collect(), others }
}

/// Keeps the best orientations of each joint, by what they cost at least: then nothing that uses another costs less than is given
/// back. Nothing where a joint has none.
fn best_of_each(candidates: &mut [Vec<Candidate>], most: usize) -> Option<f32> {
    let (mut all, mut least_more) = (0.0, f32::INFINITY);
    for of_joint in candidates {
        let by_cost = |a: &Candidate, b: &Candidate| a.cost.total_cmp(&b.cost).then(a.to.cmp(&b.to));
        let other = (of_joint.len() > most).then(|| of_joint.select_nth_unstable_by(most, by_cost).1.cost);
        of_joint.truncate(most);
        of_joint.sort_unstable_by(by_cost);
        let best = of_joint.first()?.cost;
        all += best;
        if let Some(other) = other {
            least_more = least_more.min(other - best);
        }
    }
    Some(all + least_more)
}

/// The best of several sorted lists, each of which costs something by itself; sorted. `heads` is room for how far each list is used,
/// and what it costs by itself.
fn merged(
    lists: &[Vec<Filled>],
    links: impl Iterator<Item = f32>,
    most: usize,
    heads: &mut Vec<(usize, f32)>,
) -> Vec<Filled> {
    heads.clear();
    heads.extend(links.map(|link| (0, link)));
    let mut best = Vec::with_capacity(most.min(lists.iter().map(Vec::len).sum()));
    while best.len() < most {
        let mut least: Option<(f32, usize, usize)> = None;
        for (list, &(used, link)) in heads.iter().enumerate() {
            let Some(way) = lists.get(list).and_then(|ways| ways.get(used)) else { continue };
            let cost = way.cost + link;
            if least.is_none_or(|(other, ..)| cost < other) {
                least = Some((cost, list, way.what));
            }
        }
        let Some((cost, list, what)) = least else { break };
        best.push(Filled { cost, what });
        if let Some((used, _)) = heads.get_mut(list) {
            *used += 1;
        }
    }
    best
}

/// The best sums of one from each list; both are sorted.
fn combined(
    ways: &[Filled],
    choices: &[Filled],
    most: usize,
    whats: &mut Vec<What>,
    sums: &mut Vec<(f32, usize, usize)>,
) -> Vec<Filled> {
    sums.clear();
    for (a, way) in ways.iter().enumerate() {
        // The sum of the a-th and the b-th has at least (a + 1)(b + 1) − 1 that are as good before it.
        let room = most.div_ceil(a + 1);
        sums.extend(choices.iter().enumerate().take(room).map(|(b, choice)| (way.cost + choice.cost, a, b)));
    }
    sums.sort_unstable_by(|x, y| x.0.total_cmp(&y.0).then((x.1, x.2).cmp(&(y.1, y.2))));
    sums.truncate(most);
    let made = |&mut (cost, a, b): &mut (f32, usize, usize)| {
        whats.push(What::Both(ways[a].what, choices[b].what));
        Filled { cost, what: whats.len() - 1 }
    };
    sums.iter_mut().map(made).collect()
}
