//! Pairs of limbs: two chains of similar length with a common parent joint.

use super::joint_tree::Tree;

/// Largest depth at which the upper joint of a limb is searched.
const CHAIN_LIMIT: usize = 16;
/// Largest number of children of a joint that are compared.
const CHILD_LIMIT: usize = 8;
/// Largest number of pairs per skeleton.
const PAIR_LIMIT: usize = 24;
/// Largest difference between the bones of a pair, as a fraction of the longer one.
const ASYMMETRY: f32 = 0.3;

/// The three main joints of a limb: hip, knee, ankle, or shoulder, elbow, wrist.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Limb {
    /// The first joint below the fork: the upper joint, or a collar bone above it.
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

/// Two limbs with a common parent joint.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Pair {
    /// The common parent joint.
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
    pub(super) fn contains(&self, tree: &Tree, joint: usize) -> bool {
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

/// The pairs below a joint.
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

/// Interprets two chains as a pair of limbs, if they are similar.
///
/// The main joints are those at which both chains have two consecutive long bones that start apart from each other. Collar
/// bones that start at one point, or at the middle of the body, are not upper arms, however long.
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
        let score = score(tree, &pair);
        if are_similar(tree, &pair) && score > best.map_or(0.0, |(score, _)| score) {
            best = Some((score, pair));
        }
    }
    best.map(|(_, pair)| pair)
}

/// The length of the shorter main bone, reduced by up to half if the limbs start close to each other.
fn score(tree: &Tree, pair: &Pair) -> f32 {
    let [upper, lower] = pair.bones(tree);
    let [a, b] = pair.limbs.map(|limb| tree.position(limb.upper));
    let apart = (a.distance(b) / upper.max(f32::MIN_POSITIVE)).min(1.0);
    upper.min(lower) * (0.5 + 0.5 * apart)
}

/// Whether the main bones of both limbs have similar lengths.
fn are_similar(tree: &Tree, pair: &Pair) -> bool {
    let [a, b] = pair.limbs.map(|limb| limb.bones(tree));
    a.iter().zip(b).all(|(&a, b)| (a - b).abs() <= ASYMMETRY * a.max(b))
}
