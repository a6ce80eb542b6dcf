//! Which tails can be the best for any head of a group at all.
//!
//! Let c be the middle of a group of heads and r how far they are from it, a one tail and b another, with what they cost. What the other
//! is dearer by changes from head to head no faster than 2 |a − b|, so
//!
//! ```text
//! f_b(h) − f_a(h) ≥ f_b(c) − f_a(c) − 2 r |a − b|,   f_a(h) = q + |h − a|²
//! ```
//!
//! for every head h of the group. With the tail for a that is best in the middle, two products a tail tell which tails are left to be
//! looked at by all heads of the group: of thousands, a few dozen. Nothing that could be the best is left out, whatever the groups;
//! but the nearer the heads of a group are to each other, the fewer tails are left. Where there are very many tails, they are sifted for
//! large groups first, and what is left for the small groups of each.

use pulp::{Simd, WithSimd};

use crate::tails::{BLOCK, Best, Each, HEADS, Look, OFF, Row, Tails, lanes_of};

/// So many heads are a group.
pub(crate) const GROUP: usize = 16;
/// So many heads are a large group.
pub(crate) const LARGE: usize = 8 * GROUP;
/// From so many tails on, sifting is worth it, and from so many, for large groups first.
pub(crate) const WORTH: usize = 192;
pub(crate) const WORTH_TWICE: usize = 1024;
/// What products and roots in single precision may be off by, over their size, and more.
const SURELY: f32 = 1e-5;

/// Puts ends that are near each other one after the other: halves of halves along the longest side, down to a group.
pub(crate) fn gathered<T: Copy>(ends: &[f32], dims: usize, names: &[T]) -> Vec<T> {
    let mut order: Vec<usize> = (0..names.len()).collect();
    let mut parts = vec![order.as_mut_slice()];
    while let Some(part) = parts.pop() {
        if part.len() <= GROUP {
            continue;
        }
        let mut sums = vec![[0.0f32; 2]; dims];
        for &i in part.iter() {
            for (sum, &value) in sums.iter_mut().zip(&ends[i * dims..][..dims]) {
                *sum = [sum[0] + value, sum[1] + value * value];
            }
        }
        let spread = |&[sum, squares]: &[f32; 2]| squares - sum * sum / part.len() as f32;
        let side = (0..dims).max_by(|&a, &b| spread(&sums[a]).total_cmp(&spread(&sums[b]))).unwrap_or(0);
        // Whole groups on the one side, so that only the last one is smaller.
        let size = if part.len() > LARGE { LARGE } else { GROUP };
        let half = (part.len() / 2).next_multiple_of(size).min(part.len() - 1);
        let at = |i: usize| ends[i * dims + side];
        part.select_nth_unstable_by(half, |&a, &b| at(a).total_cmp(&at(b)).then(a.cmp(&b)));
        let (low, high) = part.split_at_mut(half);
        parts.extend([low, high]);
    }
    order.into_iter().map(|i| names[i]).collect()
}

/// Heads to be looked at in groups, each with the tails that are left for it.
pub(crate) struct Sift<'a> {
    pub(crate) tails: &'a Tails,
    pub(crate) heads: &'a [f32],
    pub(crate) best: &'a mut [Best],
}

/// The same in large groups first.
pub(crate) struct SiftTwice<'a>(pub(crate) Sift<'a>);

impl WithSimd for Sift<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        self.in_groups(simd, GROUP, AtOnce);
    }
}

impl WithSimd for SiftTwice<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        self.0.in_groups(simd, LARGE, InGroups);
    }
}

/// How a group is looked at, when it is known which tails are left for it. Not a closure: it must become part of the loop.
trait Rest<S: Simd> {
    fn look(&self, simd: S, group: Sift<'_>);
}

struct AtOnce;

impl<S: Simd> Rest<S> for AtOnce {
    #[inline(always)]
    fn look(&self, simd: S, Sift { tails, heads, best }: Sift<'_>) {
        Look { tails, heads, best }.with_simd(simd);
    }
}

struct InGroups;

impl<S: Simd> Rest<S> for InGroups {
    #[inline(always)]
    fn look(&self, simd: S, group: Sift<'_>) {
        group.in_groups(simd, GROUP, AtOnce);
    }
}

/// The middle of a group, and what is known of tails there.
#[derive(Debug, Clone, Copy, Default)]
struct Middle {
    /// How far the farthest head is from it.
    radius: f32,
    /// |c|².
    squared: f32,
    /// What the best tail there costs, without |c|², and its own |a|².
    least: f32,
    best_squared: f32,
}

impl Sift<'_> {
    /// Looks at heads in groups of so many.
    #[inline(always)]
    fn in_groups<S: Simd>(self, simd: S, size: usize, rest: impl Rest<S>) {
        let (tails, dims, lanes) = (self.tails, self.tails.dims, self.tails.lanes());
        let mut few = Tails::new(dims);
        // Of each group, what every tail costs in its middle, then whether it is left.
        let mut values = vec![0f32; HEADS * lanes];
        let mut left = vec![0u32; lanes];
        let mut factors = vec![[0f32; HEADS]; dims];
        let together = HEADS * size;
        let (never, none) = (simd.splat_f32s(f32::INFINITY), simd.splat_f32s(0.0));
        for (heads, best) in self.heads.chunks(together * dims).zip(self.best.chunks_mut(together)) {
            let mut middles = [Middle::default(); HEADS];
            for ((i, group), middle) in heads.chunks(size * dims).enumerate().zip(&mut middles) {
                *middle = Middle::of(group, dims, |d, value| factors[d][i] = -2.0 * value);
            }
            let mut costs = InMiddles {
                values: S::as_mut_simd_f32s(&mut values).0,
                least: [never; HEADS],
                which: [none; HEADS],
            };
            tails.products(simd, Row::Costs, &factors, &mut costs);
            for (i, middle) in middles.iter_mut().enumerate() {
                let (tail, least) = costs.best(simd, i);
                (middle.least, middle.best_squared) = (least, 0.0);
                for (d, factors) in factors.iter_mut().enumerate() {
                    let number = tails.number(tail, d);
                    middle.best_squared += number * number;
                    factors[i] = -2.0 * number;
                }
            }
            let mut bounds = [Bound { least: none, squared: none, slope: none }; HEADS];
            for (bound, middle) in bounds.iter_mut().zip(&middles) {
                *bound = Bound::of(simd, tails, middle);
            }
            let mut sifted = Left { values: S::as_mut_simd_f32s(&mut values).0, bounds };
            tails.products(simd, Row::Squares, &factors, &mut sifted);
            for ((i, group), best) in heads.chunks(size * dims).enumerate().zip(best.chunks_mut(size)) {
                let mut count = 0;
                for (block, values) in values[i * lanes..][..lanes].chunks_exact(BLOCK).enumerate() {
                    // In most blocks, none is left.
                    if values.iter().fold(0, |any, is_left| any | is_left.to_bits()) == 0 {
                        continue;
                    }
                    for (lane, is_left) in values.iter().enumerate() {
                        left[count] = (block * BLOCK + lane) as u32;
                        count += usize::from(*is_left > 0.0);
                    }
                }
                few.take(tails, &left[..count]);
                rest.look(simd, Sift { tails: &few, heads: group, best });
            }
        }
    }
}

impl Middle {
    fn of(heads: &[f32], dims: usize, mut tell: impl FnMut(usize, f32)) -> Self {
        let count = (heads.len() / dims) as f32;
        let mut middle = vec![0f32; dims];
        for head in heads.chunks_exact(dims) {
            middle.iter_mut().zip(head).for_each(|(sum, value)| *sum += value / count);
        }
        let off = |head: &[f32]| head.iter().zip(&middle).map(|(a, b)| (a - b) * (a - b)).sum::<f32>();
        let radius = heads.chunks_exact(dims).map(off).fold(0.0, f32::max).sqrt();
        middle.iter().enumerate().for_each(|(d, &value)| tell(d, value));
        Self { radius, squared: middle.iter().map(|value| value * value).sum(), ..Self::default() }
    }
}

/// Notes what every tail costs in the middles, and which costs least there.
struct InMiddles<'a, S: Simd> {
    values: &'a mut [S::f32s],
    least: [S::f32s; HEADS],
    /// The register that was.
    which: [S::f32s; HEADS],
}

impl<S: Simd> Each<S> for InMiddles<'_, S> {
    #[inline(always)]
    fn each(&mut self, simd: S, register: usize, sums: [S::f32s; HEADS]) {
        let (registers, here) = (self.values.len() / HEADS, simd.splat_f32s(register as f32));
        for (i, sum) in sums.into_iter().enumerate() {
            self.values[i * registers + register] = sum;
            let is_less = simd.less_than_f32s(sum, self.least[i]);
            self.which[i] = simd.select_f32s(is_less, here, self.which[i]);
            self.least[i] = simd.min_f32s(self.least[i], sum);
        }
    }
}

impl<S: Simd> InMiddles<'_, S> {
    /// The tail that costs least in a middle, and what.
    #[inline(always)]
    fn best(&self, simd: S, i: usize) -> (usize, f32) {
        let (least, which) = (lanes_of(simd, self.least[i]), lanes_of(simd, self.which[i]));
        let lane = (0..S::F32_LANES).min_by(|&a, &b| least[a].total_cmp(&least[b])).unwrap_or(0);
        (which[lane] as usize * S::F32_LANES + lane, least[lane])
    }
}

/// Turns what tails cost in the middles into whether they are left, 1 or 0, by how far they are from the best there.
struct Left<'a, S: Simd> {
    values: &'a mut [S::f32s],
    bounds: [Bound<S>; HEADS],
}

/// What a tail is compared with.
#[derive(Clone, Copy)]
struct Bound<S: Simd> {
    /// What the best costs, and what single precision may be off.
    least: S::f32s,
    /// |a|² of the best, and the same.
    squared: S::f32s,
    /// How fast what it is dearer by may change: twice the radius.
    slope: S::f32s,
}

impl<S: Simd> Bound<S> {
    #[inline(always)]
    fn of(simd: S, tails: &Tails, middle: &Middle) -> Self {
        let off = OFF * (tails.dims + 2) as f32 * (tails.farthest + middle.squared + middle.least.abs());
        Self {
            least: simd.splat_f32s(middle.least + 2.0 * off),
            squared: simd.splat_f32s(middle.best_squared + off),
            slope: simd.splat_f32s(2.0 * (1.0 + SURELY) * middle.radius),
        }
    }
}

impl<S: Simd> Each<S> for Left<'_, S> {
    #[inline(always)]
    fn each(&mut self, simd: S, register: usize, sums: [S::f32s; HEADS]) {
        let registers = self.values.len() / HEADS;
        let (none, one, surely) = (simd.splat_f32s(0.0), simd.splat_f32s(1.0), simd.splat_f32s(1.0 - SURELY));
        for (i, sum) in sums.into_iter().enumerate() {
            let (value, bound) = (&mut self.values[i * registers + register], self.bounds[i]);
            let dearer = simd.mul_f32s(simd.sub_f32s(*value, bound.least), surely);
            let apart = simd.sqrt_f32s(simd.max_f32s(simd.add_f32s(sum, bound.squared), none));
            let is_left = simd.less_than_or_equal_f32s(dearer, simd.mul_f32s(bound.slope, apart));
            *value = simd.select_f32s(is_left, one, none);
        }
    }
}
