//! For many heads at once, the tail with the minimum of cost plus squared distance.
//!
//! This is the minimum of equation 6: over the tails of all cells that end at a sample, each with its Q, for the heads of
//! all cells that start there. For a head h and a tail a of cost q, relative to one origin,
//!
//! ```text
//! q + |h − a|² = (q + |a|²) − 2 h·a + |h|²
//! ```
//!
//! The last term is the same for all tails. The others are summed in single precision for several heads and as many tails as
//! the machine has lanes, without leaving the registers. Each lane keeps its minimum, the index of that tail, and the second
//! smallest value. All tails that could be the minimum within single precision are compared again in double precision. Ties
//! go to the lowest number.
//!
//! If there are many tails, `tail_pruning` first removes those that cannot be the best for any head of a group.
//!
//! In the backward sweep, heads and tails exchange their roles.

use pulp::{Arch, Simd, WithSimd};
use rayon::prelude::*;

use crate::tail_pruning::{
    LARGE_GROUP, PRUNE_MIN_TAILS, PrunedSearch, TWO_LEVEL_MIN_TAILS, TwoLevelPrunedSearch,
};

/// Number of tails in a block: two registers on machines with the most lanes.
pub(crate) const BLOCK: usize = 32;
/// Lane numbers in single precision, which is exact far beyond any number of tails.
const LANE_INDICES: [f32; BLOCK / 2] = [0., 1., 2., 3., 4., 5., 6., 7., 8., 9., 10., 11., 12., 13., 14., 15.];
/// Number of heads that are processed together and share the loaded tails.
pub(crate) const HEADS: usize = 4;
/// Number of heads in a task, and the number of pairs from which several threads pay.
const HEADS_PER_TASK: usize = HEADS * LARGE_GROUP;
const PARALLEL_MIN_PAIRS: usize = 1_000_000;
/// Upper bound of the relative error of one product in a single-precision sum.
pub(crate) const ROUNDING_ERROR: f32 = 4.0 * f32::EPSILON;
/// Number of rows in a block before those of the coordinates.
const HEADER_ROWS: usize = 2;

/// The best tail so far for a head.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct BestTail {
    pub(crate) cost: f64,
    /// Number of the tail; `u32::MAX` if there is none.
    pub(crate) tail: u32,
}

impl BestTail {
    pub(crate) const NONE: Self = Self { cost: f64::INFINITY, tail: u32::MAX };

    /// Accepts a tail that is cheaper, or equally cheap with a lower number.
    pub(crate) fn offer(&mut self, cost: f64, tail: u32) {
        if cost < self.cost || (cost == self.cost && tail < self.tail) {
            *self = Self { cost, tail };
        }
    }
}

/// The tails at a sample, laid out for SIMD.
#[derive(Debug, Clone)]
pub(crate) struct TailSet {
    /// Number of coordinates of a tail.
    pub(crate) dims: usize,
    /// The cost and number of each tail.
    all: Vec<(f64, u32)>,
    /// For each block: q + |a|², |a|², then each coordinate of a, for all tails of the block.
    blocks: Vec<f32>,
    /// The largest |a|².
    pub(crate) max_norm_squared: f32,
}

/// The row that products are added to.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Row {
    /// q + |a|²
    Costs,
    /// |a|²
    Squares,
}

impl TailSet {
    /// An empty set. Coordinates should be relative to an origin near them, since products of large numbers are less
    /// precise.
    pub(crate) fn new(dims: usize) -> Self {
        Self { dims, all: Vec::new(), blocks: Vec::new(), max_norm_squared: 0.0 }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    pub(crate) fn clear(&mut self) {
        self.all.clear();
        self.blocks.clear();
        self.max_norm_squared = 0.0;
    }

    /// Adds a tail.
    pub(crate) fn push(&mut self, cost: f64, tail: u32, coordinates: &[f32]) {
        let squared: f32 = coordinates.iter().map(|value| value * value).sum();
        self.max_norm_squared = self.max_norm_squared.max(squared);
        let lane = self.next_lane();
        for (row, value) in [squared, squared].iter().chain(coordinates).enumerate() {
            self.blocks[lane + row * BLOCK] = *value;
        }
        self.all.push((cost, tail));
    }

    /// Replaces the content by some tails of another set that is ready to be searched.
    pub(crate) fn copy_from(&mut self, other: &TailSet, tails: &[u32]) {
        self.clear();
        self.max_norm_squared = other.max_norm_squared;
        for &tail in tails {
            let (from, lane) = (other.lane(tail as usize), self.next_lane());
            for row in 0..HEADER_ROWS + self.dims {
                self.blocks[lane + row * BLOCK] = other.blocks[from + row * BLOCK];
            }
            self.all.push(other.all[tail as usize]);
        }
    }

    /// Offset of a tail's value in the first row of its block.
    fn lane(&self, tail: usize) -> usize {
        tail / BLOCK * BLOCK * (HEADER_ROWS + self.dims) + tail % BLOCK
    }

    /// [`TailSet::lane`] of the next tail; adds a block if necessary.
    fn next_lane(&mut self) -> usize {
        let lane = self.lane(self.all.len());
        if self.all.len().is_multiple_of(BLOCK) {
            self.blocks.resize(lane + BLOCK, f32::INFINITY);
            self.blocks.resize(lane + BLOCK * (HEADER_ROWS + self.dims), 0.0);
        }
        lane
    }

    /// Total number of lanes of all blocks.
    pub(crate) fn lanes(&self) -> usize {
        self.all.len().next_multiple_of(BLOCK)
    }

    /// A coordinate of a tail.
    pub(crate) fn coordinate(&self, tail: usize, which: usize) -> f32 {
        self.blocks[self.lane(tail) + (HEADER_ROWS + which) * BLOCK]
    }

    /// For every register of lanes, visits the sum of a row and of the products of all coordinates with factors.
    #[inline(always)]
    pub(crate) fn products<S: Simd>(
        &self,
        simd: S,
        row: Row,
        factors: &[[f32; HEADS]],
        visitor: &mut impl RegisterVisitor<S>,
    ) {
        let (all, _) = S::as_simd_f32s(&self.blocks);
        // Registers per row of a block.
        let width = BLOCK / S::F32_LANES;
        let mut register = 0;
        for block in all.chunks_exact(width * (HEADER_ROWS + self.dims)) {
            let (firsts, rows) = block.split_at(HEADER_ROWS * width);
            let first = &firsts[row as usize * width..][..width];
            // Two registers at a time, so that additions do not wait for each other.
            for (pair, first) in first.as_chunks::<2>().0.iter().enumerate() {
                let mut sums = first.map(|first| [first; HEADS]);
                for (rows, factors) in rows.chunks_exact(3 * width).zip(factors.as_chunks::<3>().0) {
                    for (row, factors) in factors.iter().enumerate() {
                        let row = [rows[row * width + 2 * pair], rows[row * width + 2 * pair + 1]];
                        for (i, &factor) in factors.iter().enumerate() {
                            let factor = simd.splat_f32s(factor);
                            sums[0][i] = simd.mul_add_e_f32s(row[0], factor, sums[0][i]);
                            sums[1][i] = simd.mul_add_e_f32s(row[1], factor, sums[1][i]);
                        }
                    }
                }
                for sums in sums {
                    visitor.visit(simd, register, sums);
                    register += 1;
                }
            }
        }
    }

    /// The best tail for each head. The set must be cleared before it is used again.
    pub(crate) fn find_best(&mut self, heads: &[f32]) -> Vec<BestTail> {
        let dims = self.dims;
        let least = self.all.iter().map(|&(cost, _)| cost).fold(f64::INFINITY, f64::min);
        let blocks = self.blocks.chunks_exact_mut(BLOCK * (HEADER_ROWS + dims));
        for (costs, block) in self.all.chunks(BLOCK).zip(blocks) {
            for ((cost, _), base) in costs.iter().zip(block) {
                *base += (cost - least) as f32;
            }
        }
        let mut best = vec![BestTail::NONE; heads.len() / dims];
        let tails = &*self;
        let search = |(heads, best): (&[f32], &mut [BestTail])| match tails.all.len() {
            ..PRUNE_MIN_TAILS => Arch::new().dispatch(BruteForceSearch { tails, heads, best }),
            PRUNE_MIN_TAILS..TWO_LEVEL_MIN_TAILS => Arch::new().dispatch(PrunedSearch { tails, heads, best }),
            _ => Arch::new().dispatch(TwoLevelPrunedSearch(PrunedSearch { tails, heads, best })),
        };
        if tails.all.len() * best.len() < PARALLEL_MIN_PAIRS {
            search((heads, &mut best));
        } else {
            heads.par_chunks(HEADS_PER_TASK * dims).zip(best.par_chunks_mut(HEADS_PER_TASK)).for_each(search);
        }
        best
    }

    /// Offers a tail to a head, in double precision.
    fn offer(&self, tail: usize, head: &[f32], best: &mut BestTail) {
        let Some(&(cost, number)) = self.all.get(tail) else { return };
        let (block, lane) = (self.lane(tail - tail % BLOCK), tail % BLOCK);
        let rows = &self.blocks[block + HEADER_ROWS * BLOCK..][..BLOCK * self.dims];
        let mut squared = [0.0; 3];
        for (rows, head) in rows.as_chunks::<{ 3 * BLOCK }>().0.iter().zip(head.as_chunks::<3>().0) {
            for i in 0..3 {
                let off = f64::from(rows[i * BLOCK + lane]) - f64::from(head[i]);
                squared[i] += off * off;
            }
        }
        best.offer(cost + squared.iter().sum::<f64>(), number);
    }
}

/// Receives sums of products, register by register. A trait instead of a closure, so that it is inlined into the loop, where
/// the vector width is known.
pub(crate) trait RegisterVisitor<S: Simd> {
    fn visit(&mut self, simd: S, register: usize, sums: [S::f32s; HEADS]);
}

/// The minimum of each lane, the register it was in, and the second smallest value.
struct LaneMinima<S: Simd> {
    least: [S::f32s; HEADS],
    second: [S::f32s; HEADS],
    which: [S::f32s; HEADS],
}

impl<S: Simd> RegisterVisitor<S> for LaneMinima<S> {
    #[inline(always)]
    fn visit(&mut self, simd: S, register: usize, sums: [S::f32s; HEADS]) {
        let here = simd.splat_f32s(register as f32);
        for (i, sum) in sums.into_iter().enumerate() {
            let is_less = simd.less_than_f32s(sum, self.least[i]);
            self.second[i] = simd.min_f32s(self.second[i], simd.max_f32s(self.least[i], sum));
            self.least[i] = simd.min_f32s(self.least[i], sum);
            self.which[i] = simd.select_f32s(is_less, here, self.which[i]);
        }
    }
}

/// Compares each head with all tails.
pub(crate) struct BruteForceSearch<'a> {
    pub(crate) tails: &'a TailSet,
    pub(crate) heads: &'a [f32],
    pub(crate) best: &'a mut [BestTail],
}

impl WithSimd for BruteForceSearch<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let (tails, dims) = (self.tails, self.tails.dims);
        let (infinity, zero, one) =
            (simd.splat_f32s(f32::INFINITY), simd.splat_f32s(0.0), simd.splat_f32s(1.0));
        let numbers = S::as_simd_f32s(&LANE_INDICES).0[0];
        let mut factors = vec![[0f32; HEADS]; dims];
        for (heads, best) in self.heads.chunks(HEADS * dims).zip(self.best.chunks_mut(HEADS)) {
            let mut norms = [0f32; HEADS];
            for ((i, head), norm) in heads.chunks_exact(dims).enumerate().zip(&mut norms) {
                for (factors, h) in factors.iter_mut().zip(head) {
                    factors[i] = -2.0 * h;
                    *norm += h * h;
                }
            }
            let mut all =
                LaneMinima { least: [infinity; HEADS], second: [infinity; HEADS], which: [zero; HEADS] };
            tails.products(simd, Row::Costs, &factors, &mut all);
            let LaneMinima { least, second, which } = all;
            for (i, (head, best)) in heads.chunks_exact(dims).zip(best).enumerate() {
                let found = simd.reduce_min_f32s(least[i]);
                let off =
                    ROUNDING_ERROR * (dims + 2) as f32 * (tails.max_norm_squared + norms[i] + found.abs());
                let enough = simd.splat_f32s(found + 2.0 * off);
                let is_near = simd.less_than_or_equal_f32s(least[i], enough);
                let near = simd.reduce_sum_f32s(simd.select_f32s(is_near, one, zero));
                let is_second_near = simd.less_than_or_equal_f32s(second[i], enough);
                let second_near = simd.reduce_sum_f32s(simd.select_f32s(is_second_near, one, zero));
                if near == 1.0 && second_near == 0.0 {
                    let register = simd.reduce_sum_f32s(simd.select_f32s(is_near, which[i], zero));
                    let lane = simd.reduce_sum_f32s(simd.select_f32s(is_near, numbers, zero));
                    tails.offer(register as usize * S::F32_LANES + lane as usize, head, best);
                } else {
                    let is_near = lanes_of(simd, simd.select_f32s(is_near, zero, infinity));
                    for lane in (0..S::F32_LANES).filter(|&lane| is_near[lane] == 0.0) {
                        let all_of_lane = (lane..tails.all.len()).step_by(S::F32_LANES);
                        all_of_lane.for_each(|tail| tails.offer(tail, head, best));
                    }
                }
            }
        }
    }
}

/// The lanes of a register; infinite beyond the register's width.
#[inline(always)]
pub(crate) fn lanes_of<S: Simd>(_: S, register: S::f32s) -> [f32; BLOCK] {
    let mut lanes = [f32::INFINITY; BLOCK];
    S::as_mut_simd_f32s(&mut lanes).0[0] = register;
    lanes
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn equals_brute_force(
            tails in proptest::collection::vec((proptest::array::uniform6(-3i32..4), 0i32..9), 1..1300),
            heads in proptest::collection::vec(proptest::array::uniform6(-3i32..4), 1..150),
            far in -40i32..40,
        ) {
            // Integers, so that many tails have equal costs.
            let numbers = |p: &[i32; 6]| p.map(|n| (n + far) as f32);
            let mut all = TailSet::new(6);
            for (i, (p, cost)) in tails.iter().enumerate() {
                // Numbers in reverse of the order in which tails are added.
                all.push(f64::from(*cost), (tails.len() - i) as u32, &numbers(p));
            }
            let flat: Vec<f32> = heads.iter().flat_map(numbers).collect();
            for (head, best) in heads.iter().zip(all.find_best(&flat)) {
                let mut wanted = BestTail::NONE;
                for (i, (p, cost)) in tails.iter().enumerate() {
                    let squared: i32 = p.iter().zip(head).map(|(a, b)| (a - b) * (a - b)).sum();
                    wanted.offer(f64::from(cost + squared), (tails.len() - i) as u32);
                }
                prop_assert_eq!(best, wanted);
            }
        }
    }
}
