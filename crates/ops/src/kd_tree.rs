//! Nearest neighbours in few dimensions.
//!
//! J. Friedman, J. Bentley and R. Finkel, "An algorithm for finding best matches in logarithmic expected
//! time" (1977): points are split recursively at the median of the axis with the largest spread; a query
//! descends into its own side first, and into the other only if the splitting plane is nearer than the best
//! distance so far. Points are stored in leaf order, so that a leaf is contiguous. For many dimensions see
//! [`crate::nearest`].

/// Largest number of points in a leaf.
const LEAF: usize = 12;

/// A k-d tree of points in `D` dimensions.
///
/// ```
/// use marey_ops::kd_tree::KdTree;
/// let tree = KdTree::new(&[[0.0, 0.0], [3.0, 4.0], [3.0, 4.0]]);
/// // Of two at the same distance, the first.
/// assert_eq!(tree.nearest([3.0, 3.0]), Some((1, 1.0)));
/// assert_eq!(KdTree::<2>::new(&[]).nearest([0.0, 0.0]), None);
/// ```
#[derive(Debug, Clone)]
pub struct KdTree<const D: usize> {
    /// In the order of the leaves.
    points: Vec<[f64; D]>,
    /// The original index of each point.
    given_as: Vec<usize>,
    /// A binary tree in breadth-first order: the children of `n` are `2n + 1` and `2n + 2`.
    planes: Vec<Plane>,
}

/// A splitting plane. Points before it have coordinates at most `at`, points after it at least `at`.
#[derive(Debug, Clone, Copy, Default)]
struct Plane {
    axis: usize,
    at: f64,
}

/// The best so far: squared distance and original index.
type Best = (f64, usize);

impl<const D: usize> KdTree<D> {
    /// Builds the tree. Points that are not finite are never found.
    pub fn new(points: &[[f64; D]]) -> Self {
        let mut order: Vec<usize> =
            (0..points.len()).filter(|index| points.get(*index).is_some_and(is_finite)).collect();
        let depth = (order.len().div_ceil(LEAF)).next_power_of_two().trailing_zeros();
        let mut planes = vec![Plane::default(); (1 << depth) - 1];
        part(points, &mut order, &mut planes, 0);
        let sorted = order.iter().filter_map(|index| points.get(*index).copied()).collect();
        Self { points: sorted, given_as: order, planes }
    }

    /// The index of the nearest point and its squared distance; the first one of several at that distance.
    pub fn nearest(&self, at: [f64; D]) -> Option<(usize, f64)> {
        let mut best: Best = (f64::INFINITY, usize::MAX);
        self.look(&at, 0, 0..self.points.len(), &mut best);
        (best.1 != usize::MAX).then_some((best.1, best.0))
    }

    /// Searches a subtree with the points in a range.
    fn look(&self, at: &[f64; D], node: usize, range: std::ops::Range<usize>, best: &mut Best) {
        let Some(plane) = self.planes.get(node) else {
            let given_as = self.given_as.get(range.clone()).unwrap_or_default();
            for (point, given_as) in self.points.get(range).unwrap_or_default().iter().zip(given_as) {
                let distance: f64 = point.iter().zip(at).map(|(a, b)| (a - b) * (a - b)).sum();
                if (distance, *given_as) < *best {
                    *best = (distance, *given_as);
                }
            }
            return;
        };
        let middle = middle_of(&range);
        let off = at.get(plane.axis).copied().unwrap_or_default() - plane.at;
        let (low, high) = ((2 * node + 1, range.start..middle), (2 * node + 2, middle..range.end));
        let (near, far) = if off < 0.0 { (low, high) } else { (high, low) };
        self.look(at, near.0, near.1, best);
        // A point with a smaller index may lie at the same distance behind the plane.
        if off * off <= best.0 {
            self.look(at, far.0, far.1, best);
        }
    }
}

fn is_finite<const D: usize>(point: &[f64; D]) -> bool {
    point.iter().all(|x| x.is_finite())
}

fn middle_of(range: &std::ops::Range<usize>) -> usize {
    range.start + range.len() / 2
}

/// Splits points at the median of the axis with the largest spread.
fn part<const D: usize>(points: &[[f64; D]], order: &mut [usize], planes: &mut [Plane], node: usize) {
    if node >= planes.len() {
        return;
    }
    let along = |index: &usize, axis: usize| {
        points.get(*index).and_then(|p| p.get(axis)).copied().unwrap_or_default()
    };
    let spread = |axis: usize| {
        let range = order.iter().map(|index| along(index, axis));
        let (low, high) = range.fold((f64::MAX, f64::MIN), |(low, high), x| (low.min(x), high.max(x)));
        high - low
    };
    let axis = (0..D).max_by(|a, b| spread(*a).total_cmp(&spread(*b))).unwrap_or(0);
    let middle = middle_of(&(0..order.len()));
    if middle < order.len() {
        order.select_nth_unstable_by(middle, |a, b| along(a, axis).total_cmp(&along(b, axis)).then(a.cmp(b)));
    }
    let at = order.get(middle).map_or(0.0, |index| along(index, axis));
    if let Some(plane) = planes.get_mut(node) {
        *plane = Plane { axis, at };
    }
    let (low, high) = order.split_at_mut(middle);
    part(points, low, planes, 2 * node + 1);
    part(points, high, planes, 2 * node + 2);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn nearest_equals_a_linear_scan(
            // Few distinct values, so that many points tie.
            points in prop::collection::vec(prop::array::uniform3((-4i8..4).prop_map(f64::from)), 0..400),
            at in prop::array::uniform3((-10i8..10).prop_map(|x| f64::from(x) / 2.0)),
        ) {
            let distance = |point: &[f64; 3]| point.iter().zip(&at).map(|(a, b)| (a - b) * (a - b)).sum::<f64>();
            let slow = points.iter().map(distance).enumerate().reduce(|a, b| if b.1 < a.1 { b } else { a });
            prop_assert_eq!(KdTree::new(&points).nearest(at), slow);
        }
    }

    #[test]
    fn non_finite_points_are_never_found() {
        let tree = KdTree::new(&[[f64::NAN, 0.0], [9.0, 9.0], [f64::INFINITY, 0.0]]);
        assert_eq!(tree.nearest([0.0, 0.0]).unwrap().0, 1);
        assert_eq!(tree.nearest([f64::NAN, 0.0]), None);
    }
}
