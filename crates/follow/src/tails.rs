//! Which of many tails is cheapest to go on from, for many heads at once: the least of cost + squared distance.
//!
//! That is the minimum of equation 6: tails of all cells that end at an instant, each with its Q, and the heads of all cells that start
//! there. With h a head, a a tail and q what it costs, all about one place,
//!
//! ```text
//! q + |h − a|² = (a, q + |a|², 1) · (−2 h, 1, |h|²)
//! ```
//!
//! so that all heads with all tails are a matrix product, done in single precision in parts that stay in the cache. Tails are in
//! the order of what they cost: distances are not below 0, so that parts of which each tail costs more by itself than the best
//! of all heads is known to are left out. What could be the least by more than single precision can tell is compared again in
//! double precision. Of equals, the lowest number is taken.

use nalgebra::{DMatrixView, DMatrixViewMut};
use rayon::prelude::*;

/// How many tails and heads are a part.
const TAILS: usize = 512;
const HEADS: usize = 64;
/// With so many pairs, heads are shared among threads.
const MANY: usize = 200_000;
/// How many values are compared at once; and of so many the least is known, before any is looked at.
const LANES: usize = 8;
const STRIP: usize = 64;
/// How far single precision can be off in a sum of so many products, over the size of the products, and more.
const OFF: f32 = 4.0 * f32::EPSILON;

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

/// The tails at an instant.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tails {
    /// What each costs, and its number.
    all: Vec<(f64, u32)>,
    /// Their numbers, one tail after the other.
    numbers: Vec<f32>,
}

impl Tails {
    pub(crate) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    pub(crate) fn clear(&mut self) {
        self.all.clear();
        self.numbers.clear();
    }

    /// Puts a tail.
    pub(crate) fn put(&mut self, cost: f64, tail: u32, numbers: &[f32]) {
        self.all.push((cost, tail));
        self.numbers.extend_from_slice(numbers);
    }

    /// What is best for each head, `dims` numbers a head.
    pub(crate) fn best(&self, heads: &[f32], dims: usize) -> Vec<Best> {
        let product = Product::of(self, heads, dims);
        let mut best = vec![Best::NONE; heads.len() / dims.max(1)];
        let is_much = self.all.len() * best.len() >= MANY;
        let parts = heads.chunks(HEADS * dims).zip(best.chunks_mut(HEADS));
        if !is_much {
            let mut room = Vec::new();
            parts.for_each(|(heads, best)| product.best(heads, best, &mut room));
        } else {
            let parts: Vec<_> = parts.collect();
            parts
                .into_par_iter()
                .for_each_init(Vec::new, |room, (heads, best)| product.best(heads, best, room));
        }
        best
    }
}

/// Tails as a factor of matrix products.
struct Product<'a> {
    tails: &'a Tails,
    dims: usize,
    /// The tails by what they cost.
    order: Vec<u32>,
    /// What places are measured from.
    about: Vec<f32>,
    /// By part: tails × (dims + 2), column by column.
    factors: Vec<f32>,
    /// What costs are measured from: the least.
    least: f64,
    /// How far a value can be off.
    off: f32,
}

impl<'a> Product<'a> {
    fn of(tails: &'a Tails, heads: &[f32], dims: usize) -> Self {
        let count = tails.all.len();
        let mut order: Vec<u32> = (0..count as u32).collect();
        order.sort_unstable_by(|&a, &b| {
            let (a, b) = (tails.all[a as usize], tails.all[b as usize]);
            a.0.total_cmp(&b.0).then(a.1.cmp(&b.1))
        });
        let mut about = vec![0f32; dims];
        for numbers in tails.numbers.chunks_exact(dims.max(1)) {
            about.iter_mut().zip(numbers).for_each(|(sum, number)| *sum += number);
        }
        about.iter_mut().for_each(|sum| *sum /= count.max(1) as f32);
        let least = order.first().map_or(f64::INFINITY, |&first| tails.all[first as usize].0);
        let mut product = Self { tails, dims, order, about, factors: Vec::new(), least, off: 0.0 };
        product.factors.resize(count * (dims + 2), 0.0);
        let (mut farthest, mut at) = (0f32, 0);
        for part in product.order.chunks(TAILS) {
            let factors = &mut product.factors[at..][..part.len() * (dims + 2)];
            at += factors.len();
            for (row, &tail) in part.iter().enumerate() {
                let numbers = &tails.numbers[tail as usize * dims..][..dims];
                let mut norm = 0.0;
                for (column, (number, about)) in numbers.iter().zip(&product.about).enumerate() {
                    let number = number - about;
                    factors[column * part.len() + row] = number;
                    norm += number * number;
                }
                farthest = farthest.max(norm);
                let above = (tails.all[tail as usize].0 - least) as f32;
                factors[dims * part.len() + row] = above + norm;
                factors[(dims + 1) * part.len() + row] = 1.0;
            }
        }
        let norm =
            |head: &[f32]| head.iter().zip(&product.about).map(|(h, a)| (h - a) * (h - a)).sum::<f32>();
        let heads = heads.chunks_exact(dims.max(1)).map(norm).fold(0.0, f32::max);
        product.off = OFF * (dims + 2) as f32 * (farthest + heads);
        product
    }

    /// How far a value can be off that is so large.
    fn off(&self, value: f32) -> f32 {
        self.off + OFF * (self.dims + 2) as f32 * value.abs()
    }

    /// What is best for each of some heads.
    fn best(&self, heads: &[f32], best: &mut [Best], room: &mut Vec<f32>) {
        let (dims, rows, count) = (self.dims, self.dims + 2, best.len());
        let mut factor = vec![0f32; rows * count];
        for (head, column) in heads.chunks_exact(dims).zip(factor.chunks_exact_mut(rows)) {
            let mut norm = 0.0;
            for ((into, head), about) in column.iter_mut().zip(head).zip(&self.about) {
                let number = head - about;
                *into = -2.0 * number;
                norm += number * number;
            }
            (column[dims], column[dims + 1]) = (1.0, norm);
        }
        let heads_factor = DMatrixView::from_slice(&factor, rows, count);
        let mut least = vec![f32::INFINITY; count];
        let mut done = 0;
        for part in self.order.chunks(TAILS) {
            let cheapest = (self.tails.all[part[0] as usize].0 - self.least) as f32;
            let dearest = least.iter().copied().fold(0.0, f32::max);
            if cheapest > dearest + 2.0 * self.off(dearest) {
                break;
            }
            let factors = &self.factors[done * rows..][..part.len() * rows];
            done += part.len();
            if room.len() < part.len() * count {
                room.resize(part.len() * count, 0.0);
            }
            let room = &mut room[..part.len() * count];
            let tails_factor = DMatrixView::from_slice(factors, part.len(), rows);
            let mut values = DMatrixViewMut::from_slice(room, part.len(), count);
            values.gemm(1.0, &tails_factor, &heads_factor, 0.0);
            let each = room.chunks_exact(part.len()).zip(heads.chunks_exact(dims));
            for ((values, head), (best, least)) in each.zip(best.iter_mut().zip(&mut least)) {
                let mut leasts = [f32::INFINITY; TAILS / STRIP];
                for (least, strip) in leasts.iter_mut().zip(values.chunks(STRIP)) {
                    *least = least_of(strip);
                }
                let here = least_of(&leasts);
                let enough = here.min(*least);
                let enough = enough + 2.0 * self.off(enough);
                if here > enough {
                    continue;
                }
                *least = least.min(here);
                let mut look = |at: usize| {
                    let tail = part[at] as usize;
                    let numbers = self.tails.numbers[tail * dims..][..dims].iter().zip(head);
                    let squared = numbers.map(|(&a, &b)| f64::from(a - b) * f64::from(a - b)).sum::<f64>();
                    let (cost, number) = self.tails.all[tail];
                    best.offer(cost + squared, number);
                };
                for (strip, _) in leasts.iter().enumerate().filter(|(_, least)| **least <= enough) {
                    let strip = strip * STRIP..part.len().min((strip + 1) * STRIP);
                    strip.filter(|&at| values[at] <= enough).for_each(&mut look);
                }
            }
        }
    }
}

/// The least of some values, several at a time.
fn least_of(values: &[f32]) -> f32 {
    let less = |a: f32, b: f32| if b < a { b } else { a };
    let (blocks, rest) = values.as_chunks::<LANES>();
    let mut least = [f32::INFINITY; LANES];
    for block in blocks {
        for (least, &value) in least.iter_mut().zip(block) {
            *least = less(*least, value);
        }
    }
    // Halves against each other.
    let mut width = LANES / 2;
    while width > 0 {
        for lane in 0..width {
            least[lane] = less(least[lane], least[lane + width]);
        }
        width /= 2;
    }
    rest.iter().fold(least[0], |least, &value| less(least, value))
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
            let mut all = Tails::default();
            for (i, (p, cost)) in tails.iter().enumerate() {
                // Numbers in another order than they are put.
                all.put(f64::from(*cost), (tails.len() - i) as u32, &numbers(p));
            }
            let flat: Vec<f32> = heads.iter().flat_map(numbers).collect();
            for (head, best) in heads.iter().zip(all.best(&flat, 6)) {
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
