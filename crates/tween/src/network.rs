//! How joints go together: a tree in which each depends on one other.
//!
//! | symbol | name | unit |
//! |---|---|---|
//! | P(t \| u) | how likely a joint is in t where the one it depends on is in u | – |
//! | C(t, u) | `cost`: −log P(t \| u) beyond the least that t has beside any u | nats |
//! | α | how many postures' worth of doubt is added to what was seen | postures |
//! | I(λ; μ) | mutual information of two joints | nats |
//!
//! The paper's network has the topology of the body, and its authors wished for one that is learned. C. Chow and C. Liu,
//! "Approximating discrete probability distributions with dependence trees" (1968): the tree of the most mutual information
//! is the likeliest.
//!
//! Changed: that an orientation is rare is told by the steps to it already. Counted again in −log P(t | u), it would make every step dear, and ways
//! short that had better take their time. So what counts is how much worse t goes with u than with what it goes with best.

use std::collections::BTreeMap;

use crate::settings::Dependence;

/// α. A pair that was never seen is unlikely, not impossible: corpora are small.
const DOUBT: f32 = 0.5;

/// Which joint depends on which, and how.
#[derive(Debug, Clone)]
pub struct Network {
    /// The joint that each depends on; none for roots.
    parents: Vec<Option<usize>>,
    /// Those that depend on each.
    dependants: Vec<Vec<usize>>,
    /// Every joint once, those depended on before those that depend.
    order: Vec<usize>,
    links: Vec<Link>,
}

/// How a joint depends on another.
#[derive(Debug, Clone, Default)]
struct Link {
    /// For each orientation of the other: what was seen with it, sorted, and what that costs.
    seen: Vec<Vec<(u16, f32)>>,
    /// For each orientation of the other, and each of the joint: what the rest costs.
    doubt: Vec<f32>,
    rare: Vec<f32>,
}

impl Network {
    /// Learns from postures: frames × joints. `sizes` is how many orientations each joint has, `body` the joint each hangs
    /// from.
    pub fn learn(postures: &[u16], sizes: &[usize], body: &[Option<usize>], dependence: Dependence) -> Self {
        let joints = sizes.len();
        let column = |joint: usize| postures.iter().skip(joint).step_by(joints.max(1)).copied();
        let parents = match dependence {
            Dependence::None => vec![None; joints],
            Dependence::Body => body.to_vec(),
            Dependence::Learned => {
                let columns: Vec<Vec<u16>> = (0..joints).map(|joint| column(joint).collect()).collect();
                likeliest_tree(&columns)
            }
        };
        let links = parents.iter().zip(sizes).enumerate().map(|(joint, (parent, size))| match parent {
            Some(parent) => {
                let other_size = sizes.get(*parent).copied().unwrap_or(0);
                Link::learn(column(*parent).zip(column(joint)), other_size, *size)
            }
            None => Link::default(),
        });
        let dependants = dependants(&parents);
        Self { order: order(&parents, &dependants), links: links.collect(), dependants, parents }
    }

    /// The joint that a joint depends on.
    pub fn parent(&self, joint: usize) -> Option<usize> {
        self.parents.get(joint).copied().flatten()
    }

    /// The joints that depend on a joint.
    pub fn dependants(&self, joint: usize) -> &[usize] {
        self.dependants.get(joint).map_or(&[], Vec::as_slice)
    }

    /// Every joint once, those depended on first.
    pub fn order(&self) -> &[usize] {
        &self.order
    }

    /// C(t, u): how much worse a joint goes in t with u of the one it depends on than with what t goes with best; 0 or more, and 0 for a
    /// joint that depends on none.
    pub fn cost(&self, joint: usize, other: u16, orientation: u16) -> f32 {
        let Some(link) = self.links.get(joint) else { return 0.0 };
        let Some(seen) = link.seen.get(usize::from(other)) else { return 0.0 };
        match seen.binary_search_by_key(&orientation, |(to, _)| *to) {
            Ok(at) => seen.get(at).map_or(0.0, |(_, cost)| *cost),
            Err(_) => {
                let doubt = link.doubt.get(usize::from(other)).copied().unwrap_or(0.0);
                (doubt + link.rare.get(usize::from(orientation)).copied().unwrap_or(0.0)).max(0.0)
            }
        }
    }
}

impl Link {
    /// Learns from pairs: the other's orientation, and the joint's. P(t | u) = (n(u, t) + α P(t)) / (n(u) + α).
    fn learn(pairs: impl Iterator<Item = (u16, u16)>, other_size: usize, size: usize) -> Self {
        let mut counts: BTreeMap<(u16, u16), f32> = BTreeMap::new();
        let (mut of_other, mut of_joint, mut all) = (vec![0.0f32; other_size], vec![0.0f32; size], 0.0f32);
        for (other, orientation) in pairs {
            *counts.entry((other, orientation)).or_default() += 1.0;
            of_other.iter_mut().skip(other.into()).take(1).for_each(|count| *count += 1.0);
            of_joint.iter_mut().skip(orientation.into()).take(1).for_each(|count| *count += 1.0);
            all += 1.0;
        }
        // An orientation that no posture is nearest to is as rare as one in all of them.
        let share = |orientation: u16| {
            of_joint.get(usize::from(orientation)).copied().unwrap_or(0.0).max(1.0) / all.max(1.0)
        };
        let doubt: Vec<f32> = of_other.iter().map(|count| ((count + DOUBT) / DOUBT).ln()).collect();
        let mut rare: Vec<f32> = (0..size).map(|orientation| -share(orientation as u16).ln()).collect();
        let mut seen = vec![Vec::new(); other_size];
        let least_doubt = doubt.iter().copied().fold(f32::INFINITY, f32::min);
        let mut least: Vec<f32> = rare.iter().map(|rare| least_doubt + rare).collect();
        for ((other, orientation), count) in counts {
            let of_other = of_other.get(usize::from(other)).copied().unwrap_or(count);
            let likely = (count + DOUBT * share(orientation)) / (of_other + DOUBT);
            let cost = -likely.ln();
            if let Some(seen) = seen.get_mut(usize::from(other)) {
                seen.push((orientation, cost));
            }
            if let Some(least) = least.get_mut(usize::from(orientation)) {
                *least = least.min(cost);
            }
        }
        let beyond = |orientation: usize, cost: f32| cost - least.get(orientation).copied().unwrap_or(0.0);
        for (orientation, cost) in seen.iter_mut().flatten() {
            *cost = beyond(usize::from(*orientation), *cost).max(0.0);
        }
        rare.iter_mut().enumerate().for_each(|(orientation, cost)| *cost = beyond(orientation, *cost));
        Self { seen, doubt, rare }
    }
}

/// The joints that depend on each.
fn dependants(parents: &[Option<usize>]) -> Vec<Vec<usize>> {
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); parents.len()];
    for (joint, parent) in parents.iter().enumerate() {
        if let Some(siblings) = parent.and_then(|parent| children.get_mut(parent)) {
            siblings.push(joint);
        }
    }
    children
}

/// Every joint once, those depended on first.
fn order(parents: &[Option<usize>], children: &[Vec<usize>]) -> Vec<usize> {
    let roots = (0..parents.len()).filter(|joint| parents.get(*joint).is_some_and(Option::is_none));
    let mut order: Vec<usize> = roots.collect();
    let mut next = 0;
    while let Some(&joint) = order.get(next) {
        order.extend(children.get(joint).into_iter().flatten());
        next += 1;
    }
    order
}

/// The joint that each depends on, in the tree of most mutual information with the first joint as its root: Prim's algorithm.
fn likeliest_tree(columns: &[Vec<u16>]) -> Vec<Option<usize>> {
    let joints = columns.len();
    let mut parents = vec![None; joints];
    let mut is_in = vec![false; joints];
    // The best link of each joint into the tree so far.
    let mut best: Vec<(f64, usize)> = vec![(f64::NEG_INFINITY, 0); joints];
    let mut last = 0;
    for _ in 1..joints {
        is_in[last] = true;
        for joint in (0..joints).filter(|joint| !is_in[*joint]) {
            let information = mutual_information(&columns[last], &columns[joint]);
            if information > best[joint].0 {
                best[joint] = (information, last);
            }
        }
        let left = (0..joints).filter(|joint| !is_in[*joint]);
        // The first of equals, so that the tree does not depend on anything but the motion.
        let Some(next) = left.reduce(|a, b| if best[b].0 > best[a].0 { b } else { a }) else { break };
        parents[next] = Some(best[next].1);
        last = next;
    }
    parents
}

/// I(λ; μ) = Σ P(a, b) log (P(a, b) / P(a) P(b)).
fn mutual_information(a: &[u16], b: &[u16]) -> f64 {
    let all = a.len().min(b.len()).max(1) as f64;
    let mut pairs: Vec<(u16, u16)> = a.iter().copied().zip(b.iter().copied()).collect();
    pairs.sort_unstable();
    let count = |column: &[u16]| {
        let mut counts = vec![0.0f64; column.iter().max().map_or(0, |most| usize::from(*most) + 1)];
        column.iter().for_each(|state| counts[usize::from(*state)] += 1.0);
        counts
    };
    let (of_a, of_b) = (count(a), count(b));
    let runs = pairs.chunk_by(|x, y| x == y);
    let term = |run: &[(u16, u16)]| {
        let (x, y) = run[0];
        let together = run.len() as f64;
        together / all * (together * all / (of_a[usize::from(x)] * of_b[usize::from(y)])).ln()
    };
    runs.map(term).sum()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_learned_tree_follows_what_goes_together() {
        // 2 follows 0, and 1 follows 2; 3 goes its own way.
        let mut postures = Vec::new();
        for frame in 0u16..400 {
            let a = frame % 7;
            // Now and then it does not.
            let c = (a / 2 + u16::from(frame % 11 == 0)) % 4;
            postures.extend([a, u16::from(c > 1), c, (frame * 31 % 97) % 5]);
        }
        let network =
            Network::learn(&postures, &[7, 2, 4, 5], &[None, Some(0), Some(1), Some(2)], Dependence::Learned);
        assert_eq!(network.parent(2), Some(0));
        assert_eq!(network.parent(1), Some(2));
        assert_eq!(network.parent(0), None);
        // What was never seen together costs more than what was.
        assert!(network.cost(2, 6, 0) > network.cost(2, 6, 3) + 1.0);
    }

    proptest! {
        #[test]
        fn costs_are_likelihoods_beyond_the_best(
            postures in prop::collection::vec((0u16..4, 0u16..5), 1..60),
        ) {
            let flat: Vec<u16> = postures.iter().flat_map(|(a, b)| [*a, *b]).collect();
            let network = Network::learn(&flat, &[4, 5], &[None, Some(0)], Dependence::Body);
            let count = |is: &dyn Fn(&(u16, u16)) -> bool| postures.iter().filter(|pair| is(pair)).count() as f32;
            // P(b | a), from the counts.
            let likely = |a: u16, b: u16| {
                let share = count(&|pair| pair.1 == b).max(1.0) / postures.len() as f32;
                (count(&|pair| *pair == (a, b)) + DOUBT * share) / (count(&|pair| pair.0 == a) + DOUBT)
            };
            for b in 0..5 {
                let best = (0..4).map(|a| likely(a, b)).fold(0.0, f32::max);
                for a in 0..4 {
                    let wanted = (best / likely(a, b)).ln();
                    prop_assert!((network.cost(1, a, b) - wanted).abs() < 1e-4, "{} {}", a, b);
                    prop_assert!(network.cost(1, a, b) >= 0.0);
                }
            }
        }
    }
}
