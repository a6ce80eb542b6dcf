//! Pruning of tails that cannot be the best for any head of a group.
//!
//! Let c be the centre of a group of heads and r its radius. Let a and b be two tails with their costs q. The difference of
//! their costs changes between heads at a rate of at most 2 |a − b|, so
//!
//! ```text
//! f_b(h) − f_a(h) ≥ f_b(c) − f_a(c) − 2 r |a − b|,   f_a(h) = q + |h − a|²
//! ```
//!
//! for every head h of the group. If a is the best tail at the centre, two products per tail decide which tails the heads of
//! the group have to search: a few dozen of thousands. Pruning never removes the best tail of any head. The closer together
//! the heads of a group are, the fewer tails survive. For very many tails, pruning runs for large groups first, then for the
//! small groups of each on what survives.

use pulp::{Simd, WithSimd};

use crate::tail_search::{
    BLOCK, BestTail, BruteForceSearch, HEADS, ROUNDING_ERROR, RegisterVisitor, Row, TailSet, lanes_of,
};

/// Number of heads in a group.
pub(crate) const GROUP: usize = 16;
/// Number of heads in a large group.
pub(crate) const LARGE_GROUP: usize = 8 * GROUP;
/// The number of tails from which pruning pays, on one level and on two.
pub(crate) const PRUNE_MIN_TAILS: usize = 192;
pub(crate) const TWO_LEVEL_MIN_TAILS: usize = 1024;
/// Upper bound of the relative error of products and roots in single precision.
const ROUNDING_MARGIN: f32 = 1e-5;

/// Orders ends so that nearby ones are close together, by recursive bisection along the axis of largest variance.
pub(crate) fn spatial_order<T: Copy>(ends: &[f32], dims: usize, ids: &[T]) -> Vec<T> {
    let mut order: Vec<usize> = (0..ids.len()).collect();
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
        let axis = (0..dims).max_by(|&a, &b| spread(&sums[a]).total_cmp(&spread(&sums[b]))).unwrap_or(0);
        // Split at a multiple of the group size, so that only the last group is smaller.
        let size = if part.len() > LARGE_GROUP { LARGE_GROUP } else { GROUP };
        let half = (part.len() / 2).next_multiple_of(size).min(part.len() - 1);
        let at = |i: usize| ends[i * dims + axis];
        part.select_nth_unstable_by(half, |&a, &b| at(a).total_cmp(&at(b)).then(a.cmp(&b)));
        let (low, high) = part.split_at_mut(half);
        parts.extend([low, high]);
    }
    order.into_iter().map(|i| ids[i]).collect()
}

/// Heads to search in groups, each with the tails that survive for it.
pub(crate) struct PrunedSearch<'a> {
    pub(crate) tails: &'a TailSet,
    pub(crate) heads: &'a [f32],
    pub(crate) best: &'a mut [BestTail],
}

/// The same with large groups first.
pub(crate) struct TwoLevelPrunedSearch<'a>(pub(crate) PrunedSearch<'a>);

impl WithSimd for PrunedSearch<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        self.search_groups(simd, GROUP, SearchDirectly);
    }
}

impl WithSimd for TwoLevelPrunedSearch<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        self.0.search_groups(simd, LARGE_GROUP, SearchSubgroups);
    }
}

/// How a group is searched once its surviving tails are known. A trait instead of a closure, so that it is inlined into the
/// loop.
trait GroupSearch<S: Simd> {
    fn search(&self, simd: S, group: PrunedSearch<'_>);
}

struct SearchDirectly;

impl<S: Simd> GroupSearch<S> for SearchDirectly {
    #[inline(always)]
    fn search(&self, simd: S, PrunedSearch { tails, heads, best }: PrunedSearch<'_>) {
        BruteForceSearch { tails, heads, best }.with_simd(simd);
    }
}

struct SearchSubgroups;

impl<S: Simd> GroupSearch<S> for SearchSubgroups {
    #[inline(always)]
    fn search(&self, simd: S, group: PrunedSearch<'_>) {
        group.search_groups(simd, GROUP, SearchDirectly);
    }
}

/// The centre of a group of heads.
#[derive(Debug, Clone, Copy, Default)]
struct GroupCentre {
    /// Distance of the farthest head from the centre.
    radius: f32,
    /// |c|².
    squared: f32,
    /// Cost of the best tail at the centre without |c|², and that tail's |a|².
    least: f32,
    best_squared: f32,
}

impl PrunedSearch<'_> {
    /// Searches the heads in groups of `size`.
    #[inline(always)]
    fn search_groups<S: Simd>(self, simd: S, size: usize, group_search: impl GroupSearch<S>) {
        let (tails, dims, lanes) = (self.tails, self.tails.dims, self.tails.lanes());
        let mut survivors = TailSet::new(dims);
        // For each group, the cost of every tail at its centre; later, whether the tail survives.
        let mut values = vec![0f32; HEADS * lanes];
        let mut survivor_ids = vec![0u32; lanes];
        let mut factors = vec![[0f32; HEADS]; dims];
        let heads_per_pass = HEADS * size;
        let (infinity, zero) = (simd.splat_f32s(f32::INFINITY), simd.splat_f32s(0.0));
        for (heads, best) in
            self.heads.chunks(heads_per_pass * dims).zip(self.best.chunks_mut(heads_per_pass))
        {
            let mut centres = [GroupCentre::default(); HEADS];
            for ((i, group), centre) in heads.chunks(size * dims).enumerate().zip(&mut centres) {
                *centre = GroupCentre::of(group, dims, |d, value| factors[d][i] = -2.0 * value);
            }
            let mut costs = CentreCosts {
                values: S::as_mut_simd_f32s(&mut values).0,
                least: [infinity; HEADS],
                which: [zero; HEADS],
            };
            tails.products(simd, Row::Costs, &factors, &mut costs);
            for (i, centre) in centres.iter_mut().enumerate() {
                let (tail, least) = costs.best(simd, i);
                (centre.least, centre.best_squared) = (least, 0.0);
                for (d, factors) in factors.iter_mut().enumerate() {
                    let coordinate = tails.coordinate(tail, d);
                    centre.best_squared += coordinate * coordinate;
                    factors[i] = -2.0 * coordinate;
                }
            }
            let mut bounds = [PruneBound { least: zero, squared: zero, slope: zero }; HEADS];
            for (bound, centre) in bounds.iter_mut().zip(&centres) {
                *bound = PruneBound::of(simd, tails, centre);
            }
            let mut mask = SurvivorMask { values: S::as_mut_simd_f32s(&mut values).0, bounds };
            tails.products(simd, Row::Squares, &factors, &mut mask);
            for ((i, group), best) in heads.chunks(size * dims).enumerate().zip(best.chunks_mut(size)) {
                let mut count = 0;
                for (block, values) in values[i * lanes..][..lanes].chunks_exact(BLOCK).enumerate() {
                    // In most blocks, no tail survives.
                    if values.iter().fold(0, |any, survives| any | survives.to_bits()) == 0 {
                        continue;
                    }
                    for (lane, survives) in values.iter().enumerate() {
                        survivor_ids[count] = (block * BLOCK + lane) as u32;
                        count += usize::from(*survives > 0.0);
                    }
                }
                survivors.copy_from(tails, &survivor_ids[..count]);
                group_search.search(simd, PrunedSearch { tails: &survivors, heads: group, best });
            }
        }
    }
}

impl GroupCentre {
    fn of(heads: &[f32], dims: usize, mut set: impl FnMut(usize, f32)) -> Self {
        let count = (heads.len() / dims) as f32;
        let mut centre = vec![0f32; dims];
        for head in heads.chunks_exact(dims) {
            centre.iter_mut().zip(head).for_each(|(sum, value)| *sum += value / count);
        }
        let off = |head: &[f32]| head.iter().zip(&centre).map(|(a, b)| (a - b) * (a - b)).sum::<f32>();
        let radius = heads.chunks_exact(dims).map(off).fold(0.0, f32::max).sqrt();
        centre.iter().enumerate().for_each(|(d, &value)| set(d, value));
        Self { radius, squared: centre.iter().map(|value| value * value).sum(), ..Self::default() }
    }
}

/// Records the cost of every tail at the centres, and the minimum.
struct CentreCosts<'a, S: Simd> {
    values: &'a mut [S::f32s],
    least: [S::f32s; HEADS],
    /// The register of the minimum.
    which: [S::f32s; HEADS],
}

impl<S: Simd> RegisterVisitor<S> for CentreCosts<'_, S> {
    #[inline(always)]
    fn visit(&mut self, simd: S, register: usize, sums: [S::f32s; HEADS]) {
        let (registers, here) = (self.values.len() / HEADS, simd.splat_f32s(register as f32));
        for (i, sum) in sums.into_iter().enumerate() {
            self.values[i * registers + register] = sum;
            let is_less = simd.less_than_f32s(sum, self.least[i]);
            self.which[i] = simd.select_f32s(is_less, here, self.which[i]);
            self.least[i] = simd.min_f32s(self.least[i], sum);
        }
    }
}

impl<S: Simd> CentreCosts<'_, S> {
    /// The cheapest tail at a centre, and its cost.
    #[inline(always)]
    fn best(&self, simd: S, i: usize) -> (usize, f32) {
        let (least, which) = (lanes_of(simd, self.least[i]), lanes_of(simd, self.which[i]));
        let lane = (0..S::F32_LANES).min_by(|&a, &b| least[a].total_cmp(&least[b])).unwrap_or(0);
        (which[lane] as usize * S::F32_LANES + lane, least[lane])
    }
}

/// Replaces the cost of each tail at the centres by 1 if the tail survives, else 0.
struct SurvivorMask<'a, S: Simd> {
    values: &'a mut [S::f32s],
    bounds: [PruneBound<S>; HEADS],
}

/// The bound that a tail is compared with.
#[derive(Clone, Copy)]
struct PruneBound<S: Simd> {
    /// Cost of the best tail plus rounding error.
    least: S::f32s,
    /// |a|² of the best tail plus rounding error.
    squared: S::f32s,
    /// The rate at which a cost difference may change: twice the radius.
    slope: S::f32s,
}

impl<S: Simd> PruneBound<S> {
    #[inline(always)]
    fn of(simd: S, tails: &TailSet, centre: &GroupCentre) -> Self {
        let off = ROUNDING_ERROR
            * (tails.dims + 2) as f32
            * (tails.max_norm_squared + centre.squared + centre.least.abs());
        Self {
            least: simd.splat_f32s(centre.least + 2.0 * off),
            squared: simd.splat_f32s(centre.best_squared + off),
            slope: simd.splat_f32s(2.0 * (1.0 + ROUNDING_MARGIN) * centre.radius),
        }
    }
}

impl<S: Simd> RegisterVisitor<S> for SurvivorMask<'_, S> {
    #[inline(always)]
    fn visit(&mut self, simd: S, register: usize, sums: [S::f32s; HEADS]) {
        let registers = self.values.len() / HEADS;
        let (zero, one, margin) =
            (simd.splat_f32s(0.0), simd.splat_f32s(1.0), simd.splat_f32s(1.0 - ROUNDING_MARGIN));
        for (i, sum) in sums.into_iter().enumerate() {
            let (value, bound) = (&mut self.values[i * registers + register], self.bounds[i]);
            let extra_cost = simd.mul_f32s(simd.sub_f32s(*value, bound.least), margin);
            let distance = simd.sqrt_f32s(simd.max_f32s(simd.add_f32s(sum, bound.squared), zero));
            let survives = simd.less_than_or_equal_f32s(extra_cost, simd.mul_f32s(bound.slope, distance));
            *value = simd.select_f32s(survives, one, zero);
        }
    }
}
