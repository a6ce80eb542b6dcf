//! Which of many tails is cheapest to go on from, for many heads at once: the least of cost + squared distance.
//!
//! That is the minimum of equation 6: tails of all cells that end at an instant, each with its Q, and the heads of all cells that start
//! there. With h a head, a a tail and q what it costs, all about one place,
//!
//! ```text
//! q + |h − a|² = (q + |a|²) − 2 h·a + |h|²
//! ```
//!
//! The last term is the same for all tails of a head. The others are summed up for several heads and for as many tails at a time as the
//! machine has lanes, in single precision, and never leave the registers: all that is kept of a lane is its least, which tail that
//! was, and the second least. What could be the least of all by more than single precision can tell is compared again in double
//! precision. Of equals, the lowest number is taken.
//!
//! Where there are many tails, those that cannot be the best for any head of a group are sifted out before (`sift`).
//!
//! Where the search goes back from the control's end, the same is asked with heads for tails and tails for heads.

use pulp::{Arch, Simd, WithSimd};
use rayon::prelude::*;

use crate::sift::{LARGE, Sift, SiftTwice, WORTH, WORTH_TWICE};

/// Tails lie in blocks of so many: two registers of the machines with the most lanes.
pub(crate) const BLOCK: usize = 32;
/// What lanes are counted by; in single precision, which is exact far beyond any number of tails.
const NUMBERS: [f32; BLOCK / 2] = [0., 1., 2., 3., 4., 5., 6., 7., 8., 9., 10., 11., 12., 13., 14., 15.];
/// So many heads are looked at together: what is loaded of tails serves all of them.
pub(crate) const HEADS: usize = 4;
/// So many heads are a task, with so many pairs that threads are worth waking.
const SHARE: usize = HEADS * LARGE;
const MANY: usize = 1_000_000;
/// How far single precision can be off in a sum of so many products, over the size of the products, and more.
pub(crate) const OFF: f32 = 4.0 * f32::EPSILON;
/// The rows of a block before those of the numbers.
const ROWS: usize = 2;

/// The best so far for a head.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Best {
    pub(crate) cost: f64,
    /// Which tail; `u32::MAX` for none.
    pub(crate) tail: u32,
}

impl Best {
    pub(crate) const NONE: Self = Self { cost: f64::INFINITY, tail: u32::MAX };

    /// Takes a tail that is cheaper, or as cheap and of a lower number.
    pub(crate) fn offer(&mut self, cost: f64, tail: u32) {
        if cost < self.cost || (cost == self.cost && tail < self.tail) {
            *self = Self { cost, tail };
        }
    }
}

/// The tails at an instant, laid out for many lanes.
#[derive(Debug, Clone)]
pub(crate) struct Tails {
    /// Numbers of a tail.
    pub(crate) dims: usize,
    /// What each costs, and its number.
    all: Vec<(f64, u32)>,
    /// By block: q + |a|², |a|², then each number of a; of all tails of the block.
    blocks: Vec<f32>,
    /// The largest |a|².
    pub(crate) farthest: f32,
}

/// What products are added to.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Row {
    /// q + |a|²
    Costs,
    /// |a|²
    Squares,
}

impl Tails {
    /// None yet. The place that numbers are measured from is better near: the larger they are, the less precise are their products.
    pub(crate) fn new(dims: usize) -> Self {
        Self { dims, all: Vec::new(), blocks: Vec::new(), farthest: 0.0 }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    pub(crate) fn clear(&mut self) {
        self.all.clear();
        self.blocks.clear();
        self.farthest = 0.0;
    }

    /// Puts a tail.
    pub(crate) fn put(&mut self, cost: f64, tail: u32, numbers: &[f32]) {
        let squared: f32 = numbers.iter().map(|number| number * number).sum();
        self.farthest = self.farthest.max(squared);
        let lane = self.room();
        for (row, value) in [squared, squared].iter().chain(numbers).enumerate() {
            self.blocks[lane + row * BLOCK] = *value;
        }
        self.all.push((cost, tail));
    }

    /// Has only some tails of another, which are ready to be looked at.
    pub(crate) fn take(&mut self, other: &Tails, tails: &[u32]) {
        self.clear();
        self.farthest = other.farthest;
        for &tail in tails {
            let (from, lane) = (other.lane(tail as usize), self.room());
            for row in 0..ROWS + self.dims {
                self.blocks[lane + row * BLOCK] = other.blocks[from + row * BLOCK];
            }
            self.all.push(other.all[tail as usize]);
        }
    }

    /// Where the first row has the value of a tail.
    fn lane(&self, tail: usize) -> usize {
        tail / BLOCK * BLOCK * (ROWS + self.dims) + tail % BLOCK
    }

    /// [`Tails::lane`] of the next tail, in a block that is there.
    fn room(&mut self) -> usize {
        let lane = self.lane(self.all.len());
        if self.all.len().is_multiple_of(BLOCK) {
            self.blocks.resize(lane + BLOCK, f32::INFINITY);
            self.blocks.resize(lane + BLOCK * (ROWS + self.dims), 0.0);
        }
        lane
    }

    /// How many lanes all blocks have.
    pub(crate) fn lanes(&self) -> usize {
        self.all.len().next_multiple_of(BLOCK)
    }

    /// A number of a tail.
    pub(crate) fn number(&self, tail: usize, which: usize) -> f32 {
        self.blocks[self.lane(tail) + (ROWS + which) * BLOCK]
    }

    /// For every register of lanes, a row and the products of all numbers with factors, summed up.
    #[inline(always)]
    pub(crate) fn products<S: Simd>(
        &self,
        simd: S,
        row: Row,
        factors: &[[f32; HEADS]],
        each: &mut impl Each<S>,
    ) {
        let (all, _) = S::as_simd_f32s(&self.blocks);
        // How many registers a row of a block is.
        let width = BLOCK / S::F32_LANES;
        let mut register = 0;
        for block in all.chunks_exact(width * (ROWS + self.dims)) {
            let (firsts, rows) = block.split_at(ROWS * width);
            let first = &firsts[row as usize * width..][..width];
            // Two registers at a time, so that sums need not wait for each other.
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
                    each.each(simd, register, sums);
                    register += 1;
                }
            }
        }
    }

    /// What is best for each head. Tails are to be put anew then.
    pub(crate) fn best(&mut self, heads: &[f32]) -> Vec<Best> {
        let dims = self.dims;
        let least = self.all.iter().map(|&(cost, _)| cost).fold(f64::INFINITY, f64::min);
        let blocks = self.blocks.chunks_exact_mut(BLOCK * (ROWS + dims));
        for (costs, block) in self.all.chunks(BLOCK).zip(blocks) {
            for ((cost, _), base) in costs.iter().zip(block) {
                *base += (cost - least) as f32;
            }
        }
        let mut best = vec![Best::NONE; heads.len() / dims];
        let tails = &*self;
        let look = |(heads, best): (&[f32], &mut [Best])| match tails.all.len() {
            ..WORTH => Arch::new().dispatch(Look { tails, heads, best }),
            WORTH..WORTH_TWICE => Arch::new().dispatch(Sift { tails, heads, best }),
            _ => Arch::new().dispatch(SiftTwice(Sift { tails, heads, best })),
        };
        if tails.all.len() * best.len() < MANY {
            look((heads, &mut best));
        } else {
            heads.par_chunks(SHARE * dims).zip(best.par_chunks_mut(SHARE)).for_each(look);
        }
        best
    }

    /// Offers a tail to a head, in double precision.
    fn offer(&self, tail: usize, head: &[f32], best: &mut Best) {
        let Some(&(cost, number)) = self.all.get(tail) else { return };
        let (block, lane) = (self.lane(tail - tail % BLOCK), tail % BLOCK);
        let rows = &self.blocks[block + ROWS * BLOCK..][..BLOCK * self.dims];
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

/// What is done with sums of products, register by register. Not a closure: it must become part of the loop, where vectors are known.
pub(crate) trait Each<S: Simd> {
    fn each(&mut self, simd: S, register: usize, sums: [S::f32s; HEADS]);
}

/// The least of each lane, which register that was, and the second least.
struct Least<S: Simd> {
    least: [S::f32s; HEADS],
    second: [S::f32s; HEADS],
    which: [S::f32s; HEADS],
}

impl<S: Simd> Each<S> for Least<S> {
    #[inline(always)]
    fn each(&mut self, simd: S, register: usize, sums: [S::f32s; HEADS]) {
        let here = simd.splat_f32s(register as f32);
        for (i, sum) in sums.into_iter().enumerate() {
            let is_less = simd.less_than_f32s(sum, self.least[i]);
            self.second[i] = simd.min_f32s(self.second[i], simd.max_f32s(self.least[i], sum));
            self.least[i] = simd.min_f32s(self.least[i], sum);
            self.which[i] = simd.select_f32s(is_less, here, self.which[i]);
        }
    }
}

/// Some heads to be looked at.
pub(crate) struct Look<'a> {
    pub(crate) tails: &'a Tails,
    pub(crate) heads: &'a [f32],
    pub(crate) best: &'a mut [Best],
}

impl WithSimd for Look<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let (tails, dims) = (self.tails, self.tails.dims);
        let (never, none, one) = (simd.splat_f32s(f32::INFINITY), simd.splat_f32s(0.0), simd.splat_f32s(1.0));
        let numbers = S::as_simd_f32s(&NUMBERS).0[0];
        let mut factors = vec![[0f32; HEADS]; dims];
        for (heads, best) in self.heads.chunks(HEADS * dims).zip(self.best.chunks_mut(HEADS)) {
            let mut norms = [0f32; HEADS];
            for ((i, head), norm) in heads.chunks_exact(dims).enumerate().zip(&mut norms) {
                for (factors, h) in factors.iter_mut().zip(head) {
                    factors[i] = -2.0 * h;
                    *norm += h * h;
                }
            }
            let mut all = Least { least: [never; HEADS], second: [never; HEADS], which: [none; HEADS] };
            tails.products(simd, Row::Costs, &factors, &mut all);
            let Least { least, second, which } = all;
            for (i, (head, best)) in heads.chunks_exact(dims).zip(best).enumerate() {
                let found = simd.reduce_min_f32s(least[i]);
                let off = OFF * (dims + 2) as f32 * (tails.farthest + norms[i] + found.abs());
                let enough = simd.splat_f32s(found + 2.0 * off);
                let is_near = simd.less_than_or_equal_f32s(least[i], enough);
                let near = simd.reduce_sum_f32s(simd.select_f32s(is_near, one, none));
                let nears = simd.less_than_or_equal_f32s(second[i], enough);
                let hidden = simd.reduce_sum_f32s(simd.select_f32s(nears, one, none));
                if near == 1.0 && hidden == 0.0 {
                    let register = simd.reduce_sum_f32s(simd.select_f32s(is_near, which[i], none));
                    let lane = simd.reduce_sum_f32s(simd.select_f32s(is_near, numbers, none));
                    tails.offer(register as usize * S::F32_LANES + lane as usize, head, best);
                } else {
                    let is_near = lanes_of(simd, simd.select_f32s(is_near, none, never));
                    for lane in (0..S::F32_LANES).filter(|&lane| is_near[lane] == 0.0) {
                        let all_of_lane = (lane..tails.all.len()).step_by(S::F32_LANES);
                        all_of_lane.for_each(|tail| tails.offer(tail, head, best));
                    }
                }
            }
        }
    }
}

/// The lanes of a register, one by one; infinite where there are fewer.
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
        fn it_finds_what_looking_at_all_finds(
            tails in proptest::collection::vec((proptest::array::uniform6(-3i32..4), 0i32..9), 1..1300),
            heads in proptest::collection::vec(proptest::array::uniform6(-3i32..4), 1..150),
            far in -40i32..40,
        ) {
            // Whole numbers, so that many cost the same.
            let numbers = |p: &[i32; 6]| p.map(|n| (n + far) as f32);
            let mut all = Tails::new(6);
            for (i, (p, cost)) in tails.iter().enumerate() {
                // Numbers in another order than they are put.
                all.put(f64::from(*cost), (tails.len() - i) as u32, &numbers(p));
            }
            let flat: Vec<f32> = heads.iter().flat_map(numbers).collect();
            for (head, best) in heads.iter().zip(all.best(&flat)) {
                let mut wanted = Best::NONE;
                for (i, (p, cost)) in tails.iter().enumerate() {
                    let squared: i32 = p.iter().zip(head).map(|(a, b)| (a - b) * (a - b)).sum();
                    wanted.offer(f64::from(cost + squared), (tails.len() - i) as u32);
                }
                prop_assert_eq!(best, wanted);
            }
        }
    }
}
