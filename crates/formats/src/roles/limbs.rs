//! Pairs of limbs: two chains that hang from one joint and are alike in length.

use super::tree::Tree;

/// How far down a limb its upper joint is looked for.
const CHAIN_LIMIT: usize = 16;
/// How many children of one joint are compared with each other.
const CHILD_LIMIT: usize = 8;
/// How many pairs of a skeleton are kept.
const PAIR_LIMIT: usize = 24;
/// The bones of two limbs of a pair differ by no more than this part of the longer.
const ASYMMETRY: f32 = 0.3;

/// One limb, seen as its three main joints: hip, knee, ankle, or shoulder, elbow, wrist.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Limb {
    /// The child of the fork that the limb starts with: the upper joint, or a collar bone above it.
    pub top: usize,
    pub upper: usize,
    pub lower: usize,
    pub end: usize,
}

impl Limb {
    /// The lengths of the two main bones.
    pub(super) fn bones(&self, tree: &Tree) -> [f32; 2] {
        [tree.bone(self.lower), tree.bone(self.end)]
    }
}

/// Two limbs that hang from one joint.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Pair {
    /// The joint both hang from.
    pub fork: usize,
    pub limbs: [Limb; 2],
}

impl Pair {
    /// The mean lengths of the two main bones.
    pub(super) fn bones(&self, tree: &Tree) -> [f32; 2] {
        let [[a, b], [c, d]] = self.limbs.map(|limb| limb.bones(tree));
        [(a + c) / 2.0, (b + d) / 2.0]
    }

    /// The mean length from the upper joint to the end.
    pub(super) fn length(&self, tree: &Tree) -> f32 {
        self.bones(tree).iter().sum()
    }

    /// Whether a joint is in one of the limbs.
    pub(super) fn holds(&self, tree: &Tree, joint: usize) -> bool {
        self.limbs.iter().any(|limb| tree.is_under(joint, limb.top))
    }
}

/// The longest pairs of limbs of a skeleton, the longest first.
pub(super) fn pairs(tree: &Tree) -> Vec<Pair> {
    let mut pairs: Vec<Pair> = (0..tree.skeleton.len()).flat_map(|fork| pairs_at(tree, fork)).collect();
    pairs.sort_by(|a, b| b.length(tree).total_cmp(&a.length(tree)));
    pairs.truncate(PAIR_LIMIT);
    pairs
}

/// The pairs that hang from one joint.
fn pairs_at(tree: &Tree, fork: usize) -> Vec<Pair> {
    let mut tops = tree.children(fork).to_vec();
    tops.sort_by(|&a, &b| tree.extent(b).total_cmp(&tree.extent(a)));
    tops.truncate(CHILD_LIMIT);
    let two = |(i, &a): (usize, &usize)| {
        let others = tops.iter().skip(i + 1);
        others.filter_map(|&b| pair(tree, fork, a, b)).collect::<Vec<Pair>>()
    };
    tops.iter().enumerate().flat_map(two).collect()
}

/// Sees two chains as a pair of limbs, where they are alike.
///
/// The main joints are where both chains have two long bones in a row that start apart from each other: collar bones
/// that start in one point, or in the middle of the body, are not upper arms, however long.
fn pair(tree: &Tree, fork: usize, a: usize, b: usize) -> Option<Pair> {
    let chains = [a, b].map(|top| tree.chain(top).take(CHAIN_LIMIT).collect::<Vec<usize>>());
    let [a, b] = &chains;
    let mut best: Option<(f32, Pair)> = None;
    for (a3, b3) in a.windows(3).zip(b.windows(3)) {
        let limb = |top: &[usize], three: &[usize]| match (top, three) {
            (&[top, ..], &[upper, lower, end]) => Some(Limb { top, upper, lower, end }),
            _ => None,
        };
        let pair = Pair { fork, limbs: [limb(a, a3)?, limb(b, b3)?] };
        let merit = merit(tree, &pair);
        if alike(tree, &pair) && merit > best.map_or(0.0, |(merit, _)| merit) {
            best = Some((merit, pair));
        }
    }
    best.map(|(_, pair)| pair)
}

/// The shorter of the two main bones, up to halved where the limbs start close to each other.
fn merit(tree: &Tree, pair: &Pair) -> f32 {
    let [upper, lower] = pair.bones(tree);
    let [a, b] = pair.limbs.map(|limb| tree.position(limb.upper));
    let apart = (a.distance(b) / upper.max(f32::MIN_POSITIVE)).min(1.0);
    upper.min(lower) * (0.5 + 0.5 * apart)
}

/// Whether the main bones of both limbs are equally long, roughly.
fn alike(tree: &Tree, pair: &Pair) -> bool {
    let [a, b] = pair.limbs.map(|limb| limb.bones(tree));
    a.iter().zip(b).all(|(&a, b)| (a - b).abs() <= ASYMMETRY * a.max(b))
}
