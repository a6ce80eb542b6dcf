//! A tree of dependences between joints.
//!
//! The paper's network has the topology of the body; its authors suggest learning it. Of all trees, the one
//! with the most mutual information has the highest likelihood (C. Chow and C. Liu, "Approximating discrete
//! probability distributions with dependence trees", 1968).
//!
//! | symbol | name | unit |
//! |---|---|---|
//! | P(t \| u) | probability of orientation t of a joint, given orientation u of its parent | – |
//! | C(t, u) | `cost`: −log P(t \| u) minus its minimum over all u | nats |
//! | α | `SMOOTHING`: pseudo-count added to the counts | postures |
//! | I(λ; μ) | mutual information of two joints | nats |
//!
//! Difference from the paper: the transition costs already include the rarity of an orientation. Counting it
//! again in −log P(t | u) would make every step expensive, and paths too short. So C measures how much less
//! likely t is with u than with the orientation of the parent that suits it best.

use std::collections::BTreeMap;

use marey_motion::{CheckedAccess, Observer};

use crate::Result;
use crate::error::{TweenError, check_cancelled};
use crate::settings::Dependence;

/// α: makes unseen pairs unlikely instead of impossible.
const SMOOTHING: f32 = 0.5;

/// Which joint depends on which, with the costs of pairs of orientations.
#[derive(Debug, Clone)]
pub struct DependenceTree {
    /// The joint that each joint depends on; `None` for roots.
    parents: Vec<Option<usize>>,
    dependants: Vec<Vec<usize>>,
    /// All joints, parents before dependants.
    order: Vec<usize>,
    pair_costs: Vec<PairCosts>,
}

/// Costs of pairs of a joint's orientation and its parent's.
#[derive(Debug, Clone, Default)]
struct PairCosts {
    /// For each orientation of the parent: the orientations seen with it, sorted, and their costs.
    seen: Vec<Vec<(u16, f32)>>,
    /// The cost of an unseen pair is the sum of one value per parent orientation and one per own orientation.
    unseen_parent: Vec<f32>,
    unseen_own: Vec<f32>,
}

impl DependenceTree {
    /// Learns from postures (frames × joints). `sizes` is the number of orientations of each joint, `body`
    /// its parent in the skeleton.
    pub fn learn(
        postures: &[u16],
        sizes: &[usize],
        body: &[Option<usize>],
        dependence: Dependence,
        observer: Observer<'_>,
    ) -> Result<Self> {
        let joints = sizes.len();
        let column = |joint: usize| postures.iter().skip(joint).step_by(joints.max(1)).copied();
        let parents = match dependence {
            Dependence::None => vec![None; joints],
            Dependence::Body => body.to_vec(),
            Dependence::Learned => {
                let columns: Vec<Vec<u16>> = (0..joints).map(|joint| column(joint).collect()).collect();
                chow_liu_tree(&columns, observer)?
            }
        };
        Self::with_parents(postures, sizes, parents, observer)
    }

    /// Learns the costs of known dependences.
    pub(crate) fn with_parents(
        postures: &[u16],
        sizes: &[usize],
        parents: Vec<Option<usize>>,
        observer: Observer<'_>,
    ) -> Result<Self> {
        let joints = sizes.len();
        let column = |joint: usize| postures.iter().skip(joint).step_by(joints.max(1)).copied();
        let costs = |(joint, (parent, size)): (usize, (&Option<usize>, &usize))| {
            check_cancelled(observer)?;
            Ok(match parent {
                Some(parent) => {
                    let parent_size = sizes.get(*parent).copied().unwrap_or(0);
                    PairCosts::learn(column(*parent).zip(column(joint)), parent_size, *size)
                }
                None => PairCosts::default(),
            })
        };
        let pair_costs = parents.iter().zip(sizes).enumerate().map(costs).collect::<Result<_>>()?;
        let dependants = dependants(&parents);
        Ok(Self { order: order(&parents, &dependants), pair_costs, dependants, parents })
    }

    /// The joint that each joint depends on.
    pub(crate) fn parents(&self) -> &[Option<usize>] {
        &self.parents
    }

    /// The joint that a joint depends on; `None` for roots.
    pub fn parent(&self, joint: usize) -> Option<usize> {
        self.parents.get(joint).copied().flatten()
    }

    /// The joints that depend on a joint.
    pub fn dependants(&self, joint: usize) -> &[usize] {
        self.dependants.get(joint).map_or(&[], Vec::as_slice)
    }

    /// All joints, parents before dependants.
    pub fn order(&self) -> &[usize] {
        &self.order
    }

    /// C(t, u): cost of orientation t of a joint beside orientation u of its parent, in nats. At least 0; 0
    /// for roots.
    pub fn cost(&self, joint: usize, parent_orientation: u16, orientation: u16) -> f32 {
        let Some(costs) = self.pair_costs.get(joint) else { return 0.0 };
        let Some(seen) = costs.seen.get(usize::from(parent_orientation)) else { return 0.0 };
        match seen.binary_search_by_key(&orientation, |(own, _)| *own) {
            Ok(at) => seen.get(at).map_or(0.0, |(_, cost)| *cost),
            Err(_) => {
                let of_parent = costs.unseen_parent.get(usize::from(parent_orientation)).copied();
                let own = costs.unseen_own.get(usize::from(orientation)).copied();
                (of_parent.unwrap_or(0.0) + own.unwrap_or(0.0)).max(0.0)
            }
        }
    }
}

impl PairCosts {
    /// Learns from pairs of the parent's and the joint's orientation. P(t | u) = (n(u, t) + α P(t)) / (n(u) +
    /// α).
    fn learn(pairs: impl Iterator<Item = (u16, u16)>, parent_size: usize, size: usize) -> Self {
        let mut pair_counts: BTreeMap<(u16, u16), f32> = BTreeMap::new();
        let (mut parent_counts, mut own_counts) = (vec![0.0f32; parent_size], vec![0.0f32; size]);
        let mut total = 0.0f32;
        for (parent, own) in pairs {
            *pair_counts.entry((parent, own)).or_default() += 1.0;
            parent_counts.iter_mut().skip(parent.into()).take(1).for_each(|count| *count += 1.0);
            own_counts.iter_mut().skip(own.into()).take(1).for_each(|count| *count += 1.0);
            total += 1.0;
        }
        // An orientation that is the nearest of no posture counts as seen once.
        let probability =
            |own: u16| own_counts.get(usize::from(own)).copied().unwrap_or(0.0).max(1.0) / total.max(1.0);
        let unseen_parent: Vec<f32> =
            parent_counts.iter().map(|count| ((count + SMOOTHING) / SMOOTHING).ln()).collect();
        let mut unseen_own: Vec<f32> = (0..size).map(|own| -probability(own as u16).ln()).collect();
        let mut seen = vec![Vec::new(); parent_size];
        let min_unseen_parent = unseen_parent.iter().copied().fold(f32::INFINITY, f32::min);
        let mut min_costs: Vec<f32> = unseen_own.iter().map(|cost| min_unseen_parent + cost).collect();
        for ((parent, own), count) in pair_counts {
            let parent_count = parent_counts.get(usize::from(parent)).copied().unwrap_or(count);
            let conditional = (count + SMOOTHING * probability(own)) / (parent_count + SMOOTHING);
            let cost = -conditional.ln();
            if let Some(seen) = seen.get_mut(usize::from(parent)) {
                seen.push((own, cost));
            }
            if let Some(min_cost) = min_costs.get_mut(usize::from(own)) {
                *min_cost = min_cost.min(cost);
            }
        }
        let above_min = |own: usize, cost: f32| cost - min_costs.get(own).copied().unwrap_or(0.0);
        for (own, cost) in seen.iter_mut().flatten() {
            *cost = above_min(usize::from(*own), *cost).max(0.0);
        }
        unseen_own.iter_mut().enumerate().for_each(|(own, cost)| *cost = above_min(own, *cost));
        Self { seen, unseen_parent, unseen_own }
    }
}

fn dependants(parents: &[Option<usize>]) -> Vec<Vec<usize>> {
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); parents.len()];
    for (joint, parent) in parents.iter().enumerate() {
        if let Some(siblings) = parent.and_then(|parent| children.get_mut(parent)) {
            siblings.push(joint);
        }
    }
    children
}

/// Returns all joints, parents before dependants.
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

/// A joint outside the tree, and the joint in it that tells most about it.
#[derive(Debug, Clone, Copy)]
struct TreeLink {
    joint: usize,
    parent: usize,
    information: f64,
}

/// Returns the parents in the tree of most mutual information whose root is the first joint (Prim's
/// algorithm).
fn chow_liu_tree(columns: &[Vec<u16>], observer: Observer<'_>) -> Result<Vec<Option<usize>>> {
    let joints = columns.len();
    let mut parents = vec![None; joints];
    // The joints outside the tree, each with its best link to the tree so far.
    let mut outside: Vec<TreeLink> =
        (1..joints).map(|joint| TreeLink { joint, parent: 0, information: f64::NEG_INFINITY }).collect();
    let mut last = 0;
    loop {
        for link in &mut outside {
            check_cancelled(observer)?;
            let information = mutual_information(columns.at(last)?, columns.at(link.joint)?)?;
            if information > link.information {
                (link.information, link.parent) = (information, last);
            }
        }
        // The first of equals, for determinism.
        let best = outside.iter().copied().reduce(|a, b| if b.information > a.information { b } else { a });
        let Some(best) = best else { break };
        *parents.at_mut(best.joint)? = Some(best.parent);
        outside.retain(|link| link.joint != best.joint);
        last = best.joint;
    }
    Ok(parents)
}

/// I(λ; μ) = Σ P(a, b) log (P(a, b) / P(a) P(b)).
fn mutual_information(a: &[u16], b: &[u16]) -> Result<f64> {
    let all = a.len().min(b.len()).max(1) as f64;
    let mut pairs: Vec<(u16, u16)> = a.iter().copied().zip(b.iter().copied()).collect();
    pairs.sort_unstable();
    let count = |column: &[u16]| {
        let mut counts = vec![0.0f64; column.iter().max().map_or(0, |max| usize::from(*max) + 1)];
        for state in column {
            *counts.at_mut(usize::from(*state))? += 1.0;
        }
        Ok::<_, TweenError>(counts)
    };
    let (counts_a, counts_b) = (count(a)?, count(b)?);
    let runs = pairs.chunk_by(|x, y| x == y);
    let term = |run: &[(u16, u16)]| {
        let (x, y) = *run.at(0)?;
        let (of_x, of_y) = (*counts_a.at(usize::from(x))?, *counts_b.at(usize::from(y))?);
        let together = run.len() as f64;
        Ok(together / all * (together * all / (of_x * of_y)).ln())
    };
    runs.map(term).sum()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_learned_tree_links_dependent_joints() {
        // 2 depends on 0, and 1 on 2; 3 is independent.
        let mut postures = Vec::new();
        for frame in 0u16..400 {
            let a = frame % 7;
            // With some noise.
            let c = (a / 2 + u16::from(frame % 11 == 0)) % 4;
            postures.extend([a, u16::from(c > 1), c, (frame * 31 % 97) % 5]);
        }
        let dependence_tree = DependenceTree::learn(
            &postures,
            &[7, 2, 4, 5],
            &[None, Some(0), Some(1), Some(2)],
            Dependence::Learned,
            Observer::ignore(),
        )
        .unwrap();
        assert_eq!(dependence_tree.parent(2), Some(0));
        assert_eq!(dependence_tree.parent(1), Some(2));
        assert_eq!(dependence_tree.parent(0), None);
        // An unseen pair costs more than a seen one.
        assert!(dependence_tree.cost(2, 6, 0) > dependence_tree.cost(2, 6, 3) + 1.0);
    }

    proptest! {
        #[test]
        fn costs_are_relative_to_the_likeliest_parent_orientation(
            postures in prop::collection::vec((0u16..4, 0u16..5), 1..60),
        ) {
            let flat: Vec<u16> = postures.iter().flat_map(|(a, b)| [*a, *b]).collect();
            let dependence_tree = DependenceTree::learn(
                &flat, &[4, 5], &[None, Some(0)], Dependence::Body, Observer::ignore(),
            ).unwrap();
            let count = |matches: &dyn Fn(&(u16, u16)) -> bool| postures.iter().filter(|pair| matches(pair)).count() as f32;
            // P(b | a), from the counts.
            let probability = |a: u16, b: u16| {
                let prior = count(&|pair| pair.1 == b).max(1.0) / postures.len() as f32;
                (count(&|pair| *pair == (a, b)) + SMOOTHING * prior) / (count(&|pair| pair.0 == a) + SMOOTHING)
            };
            for b in 0..5 {
                let best = (0..4).map(|a| probability(a, b)).fold(0.0, f32::max);
                for a in 0..4 {
                    let expected = (best / probability(a, b)).ln();
                    prop_assert!((dependence_tree.cost(1, a, b) - expected).abs() < 1e-4, "{} {}", a, b);
                    prop_assert!(dependence_tree.cost(1, a, b) >= 0.0);
                }
            }
        }
    }
}
