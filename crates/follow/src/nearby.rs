//! Which of many points with a cost of their own is cheapest to go to: the least of cost + squared distance.
//!
//! That is the minimum of equation 6 for one cell: tails of all cells that end at an instant, each with its Q, and a head. A tree of
//! boxes over the tails tells from below what any of a box could cost, so that most are never looked at. Which tails are neighbours
//! hardly changes from one instant to the next, so the shape of the tree is made once; at each instant only the
//! boxes are fitted anew. Heads that are near each other (one instance at several durations) go down the tree together.
//!
//! Leaves of eight tails are compared in single precision, four at a time by the compiler's leave; what might be the least by that is
//! compared again in double precision. Of equals, the lowest number is taken.

/// How many tails a leaf has.
const LEAF: usize = 8;
/// More than single precision can be off, as a share, in sums of a few dozen squares.
const SLACK: f32 = 1e-5;

/// Points with costs, found by the least of cost + squared distance.
#[derive(Debug, Clone)]
pub(crate) struct Nearby {
    /// Numbers of a point, a multiple of four.
    dims: usize,
    /// How many leaves there are: a power of two.
    leaves: usize,
    /// Which point each place holds; `u32::MAX` where none is.
    order: Vec<u32>,
    /// The place of each point.
    place: Vec<u32>,
}

/// The points and boxes of one instant.
#[derive(Debug, Clone, Default)]
pub(crate) struct Places {
    /// By place: what each costs; infinite where it is not there.
    costs: Vec<f64>,
    /// The same above the least, in single precision.
    near_costs: Vec<f32>,
    /// By leaf: dims × eight numbers.
    numbers: Vec<f32>,
    /// By node, from the root (1): the least cost above `least`, then the lowest and the highest corner.
    node_costs: Vec<f32>,
    boxes: Vec<f32>,
    /// The least of all costs.
    least: f64,
}

/// Room that a search uses again.
#[derive(Debug, Clone, Default)]
pub(crate) struct Scratch {
    /// The corners of all heads.
    low: Vec<f32>,
    high: Vec<f32>,
    /// Nodes that are to be looked at, and their bounds.
    stack: Vec<(f32, usize)>,
}

/// The best so far for a head.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Best {
    pub(crate) cost: f64,
    /// Which point; `u32::MAX` for none.
    pub(crate) point: u32,
}

impl Best {
    pub(crate) const NONE: Self = Self { cost: f64::INFINITY, point: u32::MAX };

    /// Takes a point that is cheaper, or as cheap and of a lower number.
    pub(crate) fn offer(&mut self, cost: f64, point: u32) {
        if cost < self.cost || (cost == self.cost && point < self.point) {
            *self = Self { cost, point };
        }
    }
}

/// How many numbers a point of so many coordinates takes.
pub(crate) fn padded(coordinates: usize) -> usize {
    coordinates.next_multiple_of(4)
}

impl Nearby {
    /// A tree for as many points as these, and of a shape that suits them; dims (a multiple of four) numbers each.
    pub(crate) fn new(points: &[f32], dims: usize) -> Self {
        let count = points.len() / dims.max(1);
        let leaves = count.div_ceil(LEAF).next_power_of_two();
        let mut order: Vec<u32> = (0..count as u32).collect();
        let mut ranges: Vec<std::ops::Range<usize>> = std::iter::once(0..count).collect();
        // Halves along the widest side, until there is a range for each leaf.
        while ranges.len() < leaves {
            let mut halves = Vec::with_capacity(2 * ranges.len());
            for range in ranges {
                let middle = range.start + range.len() / 2;
                let part = &mut order[range.clone()];
                if part.len() > 1 {
                    let at = |point: u32, dim: usize| points[point as usize * dims + dim];
                    let width = |dim: usize| {
                        let ends = part.iter().fold((f32::MAX, f32::MIN), |(low, high), &point| {
                            (low.min(at(point, dim)), high.max(at(point, dim)))
                        });
                        ends.1 - ends.0
                    };
                    let widest = (0..dims).max_by(|&a, &b| width(a).total_cmp(&width(b))).unwrap_or(0);
                    part.select_nth_unstable_by(middle - range.start, |&a, &b| {
                        at(a, widest).total_cmp(&at(b, widest)).then(a.cmp(&b))
                    });
                }
                halves.extend([range.start..middle, middle..range.end]);
            }
            ranges = halves;
        }
        let mut places = vec![u32::MAX; leaves * LEAF];
        let mut place = vec![0; count];
        for (leaf, range) in ranges.into_iter().enumerate() {
            for (i, &point) in order[range].iter().enumerate() {
                places[leaf * LEAF + i] = point;
                place[point as usize] = (leaf * LEAF + i) as u32;
            }
        }
        Self { dims, leaves, order: places, place }
    }

    /// Nothing anywhere.
    pub(crate) fn clear(&self, places: &mut Places) {
        places.costs.clear();
        places.costs.resize(self.leaves * LEAF, f64::INFINITY);
        places.numbers.resize(self.leaves * LEAF * self.dims, 0.0);
        places.least = f64::INFINITY;
    }

    /// Puts a point somewhere, at a cost.
    pub(crate) fn put(&self, places: &mut Places, point: u32, cost: f64, numbers: &[f32]) {
        let place = self.place[point as usize] as usize;
        places.costs[place] = cost;
        places.least = places.least.min(cost);
        let leaf = &mut places.numbers[place / LEAF * LEAF * self.dims..][..LEAF * self.dims];
        for (lane, &number) in leaf[place % LEAF..].iter_mut().step_by(LEAF).zip(numbers) {
            *lane = number;
        }
    }

    /// What a point costs.
    pub(crate) fn cost(&self, places: &Places, point: u32) -> f64 {
        places.costs[self.place[point as usize] as usize]
    }

    /// Whether anything is there.
    pub(crate) fn is_empty(places: &Places) -> bool {
        places.least == f64::INFINITY
    }

    /// Fits the boxes to what was put.
    pub(crate) fn fit(&self, places: &mut Places) {
        let (dims, leaves) = (self.dims, self.leaves);
        places.node_costs.resize(2 * leaves, 0.0);
        places.boxes.resize(2 * leaves * 2 * dims, 0.0);
        let above = |&cost: &f64| (cost - places.least) as f32;
        places.near_costs.clear();
        places.near_costs.extend(places.costs.iter().map(above));
        for leaf in 0..leaves {
            let costs = &places.costs[leaf * LEAF..][..LEAF];
            let least = costs.iter().copied().fold(f64::INFINITY, f64::min);
            places.node_costs[leaves + leaf] = ((least - places.least) as f32 * (1.0 - SLACK)).max(0.0);
            let numbers = &places.numbers[leaf * LEAF * dims..][..LEAF * dims];
            let node = &mut places.boxes[(leaves + leaf) * 2 * dims..][..2 * dims];
            let (low, high) = node.split_at_mut(dims);
            for ((lanes, low), high) in numbers.chunks_exact(LEAF).zip(low).zip(high) {
                (*low, *high) = (f32::INFINITY, f32::NEG_INFINITY);
                for (&number, cost) in lanes.iter().zip(costs) {
                    if *cost < f64::INFINITY {
                        *low = low.min(number);
                        *high = high.max(number);
                    }
                }
            }
        }
        for node in (1..leaves).rev() {
            places.node_costs[node] = places.node_costs[2 * node].min(places.node_costs[2 * node + 1]);
            let (above, below) = places.boxes.split_at_mut(4 * node * dims);
            let (one, other) = below[..4 * dims].split_at(2 * dims);
            let into = &mut above[node * 2 * dims..][..2 * dims];
            for i in 0..dims {
                into[i] = one[i].min(other[i]);
                into[dims + i] = one[dims + i].max(other[dims + i]);
            }
        }
    }

    /// The best point for each of some heads that are near each other. `best` may hold what is known already.
    pub(crate) fn best(&self, places: &Places, heads: &[f32], best: &mut [Best], scratch: &mut Scratch) {
        let dims = self.dims;
        let Scratch { low, high, stack } = scratch;
        low.clear();
        high.clear();
        low.extend_from_slice(&heads[..dims]);
        high.extend_from_slice(&heads[..dims]);
        for head in heads.chunks_exact(dims).skip(1) {
            for ((low, high), &at) in low.iter_mut().zip(&mut *high).zip(head) {
                (*low, *high) = (low.min(at), high.max(at));
            }
        }
        let limit_of = |best: &Best| (best.cost - places.least) as f32 * (1.0 + SLACK);
        let worst = |best: &[Best]| best.iter().map(limit_of).fold(0.0, f32::max);
        let mut limit = worst(best);
        stack.clear();
        stack.push((0.0, 1));
        while let Some((bound, node)) = stack.pop() {
            if bound > limit {
                continue;
            }
            if node < self.leaves {
                let mut below =
                    [2 * node, 2 * node + 1].map(|node| (self.bound(places, node, low, high), node));
                if below[0].0 < below[1].0 {
                    below.swap(0, 1);
                }
                stack.extend(below.into_iter().filter(|below| below.0 <= limit));
            } else {
                for (head, best) in heads.chunks_exact(dims).zip(&mut *best) {
                    let limit = limit_of(best);
                    if self.bound(places, node, head, head) <= limit {
                        self.leaf(places, node - self.leaves, head, limit, best);
                    }
                }
                limit = worst(best);
            }
        }
    }

    /// No point of a node costs any head between two corners less, above the least.
    fn bound(&self, places: &Places, node: usize, from: &[f32], to: &[f32]) -> f32 {
        let dims = self.dims;
        let (low, high) = places.boxes[node * 2 * dims..][..2 * dims].split_at(dims);
        let four = |numbers| <[f32]>::as_chunks::<4>(numbers).0;
        let mut sums = [0f32; 4];
        for ((from, to), (low, high)) in four(from).iter().zip(four(to)).zip(four(low).iter().zip(four(high)))
        {
            for i in 0..4 {
                let away = (low[i] - to[i]).max(from[i] - high[i]).max(0.0);
                sums[i] += away * away;
            }
        }
        places.node_costs[node] + (sums[0] + sums[1] + sums[2] + sums[3]) * (1.0 - SLACK)
    }

    /// Looks at the points of a leaf; those above the limit cannot be the best.
    fn leaf(&self, places: &Places, leaf: usize, head: &[f32], limit: f32, best: &mut Best) {
        let numbers = &places.numbers[leaf * LEAF * self.dims..][..LEAF * self.dims];
        let near = &places.near_costs[leaf * LEAF..][..LEAF];
        let mut sums = [0f32; LEAF];
        for (lanes, &at) in numbers.as_chunks::<LEAF>().0.iter().zip(head) {
            for (sum, lane) in sums.iter_mut().zip(lanes) {
                let away = lane - at;
                *sum += away * away;
            }
        }
        for (sum, near) in sums.iter_mut().zip(near) {
            *sum = (*sum + near) * (1.0 - SLACK);
        }
        if sums.iter().fold(f32::INFINITY, |least, &sum| least.min(sum)) > limit {
            return;
        }
        for (lane, _) in sums.iter().enumerate().filter(|(_, sum)| **sum <= limit && sum.is_finite()) {
            let cost = places.costs[leaf * LEAF + lane];
            let squared = numbers[lane..].iter().step_by(LEAF).zip(head);
            let squared = squared.map(|(&a, &b)| f64::from(a - b) * f64::from(a - b)).sum::<f64>();
            best.offer(cost + squared, self.order[leaf * LEAF + lane]);
        }
    }

    /// What one point costs a head.
    pub(crate) fn cost_from(&self, places: &Places, point: u32, head: &[f32]) -> f64 {
        let place = self.place[point as usize] as usize;
        let numbers = &places.numbers[place / LEAF * LEAF * self.dims..][..LEAF * self.dims];
        let squared = numbers[place % LEAF..].iter().step_by(LEAF).zip(head);
        let squared = squared.map(|(&a, &b)| f64::from(a - b) * f64::from(a - b)).sum::<f64>();
        places.costs[place] + squared
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn it_finds_what_looking_at_all_finds(
            points in proptest::collection::vec((proptest::array::uniform4(-3i32..4), 0i32..9, any::<bool>()), 1..70),
            heads in proptest::collection::vec(proptest::array::uniform4(-3i32..4), 1..5),
            shape in 1i32..4,
        ) {
            // Whole numbers, so that many cost the same.
            let numbers = |p: &[i32; 4]| p.map(|n| n as f32);
            let all: Vec<f32> = points.iter().flat_map(|p| numbers(&p.0).map(|n| n * shape as f32)).collect();
            let nearby = Nearby::new(&all, 4);
            let mut places = Places::default();
            nearby.clear(&mut places);
            for (i, (p, cost, is_there)) in points.iter().enumerate() {
                if *is_there {
                    nearby.put(&mut places, i as u32, f64::from(*cost), &numbers(p));
                }
            }
            nearby.fit(&mut places);
            let mut best = vec![Best::NONE; heads.len()];
            let flat: Vec<f32> = heads.iter().flat_map(numbers).collect();
            nearby.best(&places, &flat, &mut best, &mut Scratch::default());
            for (head, best) in heads.iter().zip(best) {
                let mut wanted = Best::NONE;
                for (i, (p, cost, _)) in points.iter().enumerate().filter(|(_, p)| p.2) {
                    let squared: i32 = p.iter().zip(head).map(|(a, b)| (a - b) * (a - b)).sum();
                    wanted.offer(f64::from(cost + squared), i as u32);
                    let own = nearby.cost_from(&places, i as u32, &numbers(head));
                    prop_assert_eq!(own, f64::from(cost + squared));
                }
                prop_assert_eq!(best, wanted);
            }
        }
    }
}
