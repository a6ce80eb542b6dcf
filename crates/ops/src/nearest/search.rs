//! Searching an index.

use super::build::project;
use super::{FAN, LEAF, Mask, Neighbour, PREFIX, RowSource, Tree, size_from, squared_distance};
use crate::Result;

/// If a filter passes a smaller share of rows, they are scanned.
const FEW: usize = 256;

/// Error margins of distances in principal coordinates: relative, and relative to the sizes of query and
/// rows.
const SHARE: f32 = 1e-5;
const SHARE_OF_SIZE: f32 = 1e-6;

/// A query that fits its index and is finite.
#[derive(Debug, Clone, Copy)]
pub struct NearestQuery<'a> {
    tree: &'a Tree,
    values: &'a [f32],
    mask: Option<&'a Mask>,
}

impl Tree {
    /// A query with the numbers of a row, for the rows that pass a filter.
    pub fn query<'a>(&'a self, values: &'a [f32], mask: Option<&'a Mask>) -> Result<NearestQuery<'a>> {
        if values.len() != self.dims {
            let (found, wanted) = (values.len(), self.dims);
            return Err(marey_motion::MotionError::Length { what: "a query", found, wanted }.into());
        }
        if let Some(joint) = values.iter().position(|v| !v.is_finite()) {
            return Err(marey_motion::MotionError::NotFinite { what: "a query", frame: 0, joint }.into());
        }
        if let Some(mask) = mask.filter(|mask| mask.len() != self.rows()) {
            let (found, wanted) = (mask.len(), self.rows());
            return Err(marey_motion::MotionError::Length { what: "a filter", found, wanted }.into());
        }
        Ok(NearestQuery { tree: self, values, mask })
    }
}

impl NearestQuery<'_> {
    /// Fills `found` with the `count` nearest rows, nearest first; fewer if there are fewer. Returns errors of the
    /// source of leaves.
    pub fn nearest_into<S: RowSource>(
        &self,
        source: &S,
        count: usize,
        found: &mut Vec<Neighbour>,
    ) -> std::result::Result<(), S::Error> {
        found.clear();
        let NearestQuery { tree, values, mask } = *self;
        let count = count.min(mask.map_or(tree.rows(), Mask::count));
        if count == 0 {
            return Ok(());
        }
        let size = size_from(values, &tree.parts.mean);
        let mut search = Search {
            tree,
            source,
            query: values,
            projected: [0.0; PREFIX],
            mask,
            count,
            found,
            margin: SHARE_OF_SIZE * (size + tree.parts.reach),
            limit: f32::INFINITY,
        };
        match mask {
            Some(mask) if mask.count() < tree.rows() / FEW => search.scan_filtered(mask),
            _ => {
                project(values, &tree.parts.mean, &tree.parts.axes, &mut search.projected[..tree.prefix]);
                search.descend(tree.levels.len() - 1, 0)
            }
        }
    }
}

/// The state of a search.
struct Search<'a, S> {
    tree: &'a Tree,
    source: &'a S,
    query: &'a [f32],
    projected: [f32; PREFIX],
    mask: Option<&'a Mask>,
    count: usize,
    found: &'a mut Vec<Neighbour>,
    margin: f32,
    /// Squared distance in principal coordinates beyond which nothing is visited.
    limit: f32,
}

impl<S: RowSource> Search<'_, S> {
    /// Scans the rows that pass a filter.
    fn scan_filtered(&mut self, mask: &Mask) -> std::result::Result<(), S::Error> {
        for row in mask.rows() {
            let place = self.source.place(row)?;
            self.consider(row, place / LEAF, place % LEAF)?;
        }
        Ok(())
    }

    /// Visits a group of nodes of a level, the nearest first.
    fn descend(&mut self, level: usize, group: usize) -> std::result::Result<(), S::Error> {
        let nodes = (self.tree.levels[level].nodes - group * FAN).min(FAN);
        let distances = self.box_distances(self.tree.levels[level].first_group + group);
        let mut left: u32 = (1u32 << nodes) - 1;
        while left != 0 {
            let (mut nearest, mut least) = (0, f32::INFINITY);
            for (node, &distance) in distances.iter().enumerate().take(nodes) {
                if left >> node & 1 == 1 && distance <= least {
                    (nearest, least) = (node, distance);
                }
            }
            if least > self.limit {
                break;
            }
            left &= !(1 << nearest);
            match level.checked_sub(1) {
                Some(below) => self.descend(below, group * FAN + nearest)?,
                None => self.scan(group * FAN + nearest)?,
            }
        }
        Ok(())
    }

    /// Squared distances of the boxes of a group from the query.
    fn box_distances(&self, group: usize) -> [f32; FAN] {
        let prefix = self.tree.prefix;
        let bounds = &self.tree.parts.boxes[group * 2 * prefix * FAN..][..2 * prefix * FAN];
        let (low, high) = bounds.split_at(prefix * FAN);
        let mut sums = [0.0; FAN];
        let axes = low.as_chunks::<FAN>().0.iter().zip(high.as_chunks::<FAN>().0);
        for ((low, high), &q) in axes.zip(&self.projected) {
            for ((sum, &low), &high) in sums.iter_mut().zip(low).zip(high) {
                let away = (low - q).max(q - high).max(0.0);
                *sum += away * away;
            }
        }
        sums
    }

    /// Visits the rows of a leaf.
    fn scan(&mut self, leaf: usize) -> std::result::Result<(), S::Error> {
        let coordinates = self.source.coordinates(leaf)?;
        let mut sums = [0.0; LEAF];
        for (values, &q) in coordinates.as_chunks::<LEAF>().0.iter().zip(&self.projected) {
            for (sum, &v) in sums.iter_mut().zip(values) {
                *sum += (v - q) * (v - q);
            }
        }
        let rows = (self.tree.rows() - leaf * LEAF).min(LEAF);
        for (lane, &sum) in sums.iter().enumerate().take(rows) {
            if sum <= self.limit {
                let row = self.source.order(leaf)?[lane] as usize;
                if self.mask.is_none_or(|mask| mask.passes(row)) {
                    self.consider(row, leaf, lane)?;
                }
            }
        }
        Ok(())
    }

    /// Measures a row and keeps it if it is among the nearest so far.
    fn consider(&mut self, row: usize, leaf: usize, lane: usize) -> std::result::Result<(), S::Error> {
        let dims = self.tree.dims;
        let squared = squared_distance(&self.source.rows(leaf)?[lane * dims..][..dims], self.query);
        let place = self.found.partition_point(|f| (f.squared, f.row) < (squared, row));
        if place >= self.count {
            return Ok(());
        }
        self.found.truncate(self.count - 1);
        self.found.insert(place, Neighbour { row, squared });
        if self.found.len() == self.count
            && let Some(last) = self.found.last()
        {
            let limit = last.squared.sqrt() * (1.0 + SHARE) + self.margin;
            self.limit = limit * limit;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::nearest::NearestIndex;

    /// A linear scan.
    fn by_linear_scan(
        index: &NearestIndex,
        query: &[f32],
        count: usize,
        mask: Option<&Mask>,
    ) -> Vec<Neighbour> {
        let rows = (0..index.rows()).filter(|&row| mask.is_none_or(|mask| mask.passes(row)));
        let mut all: Vec<Neighbour> =
            rows.map(|row| Neighbour { row, squared: squared_distance(index.row(row), query) }).collect();
        all.sort_by(|a, b| a.squared.total_cmp(&b.squared).then(a.row.cmp(&b.row)));
        all.truncate(count);
        all
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]
        #[test]
        fn search_equals_a_linear_scan(
            dims in 1usize..30, rows in 0usize..1500, seed in 0u32..1000, offset in -100f32..100.0,
            coarse in any::<bool>(), count in 1usize..8, keep in 1usize..600,
        ) {
            // A path through space that revisits places; on a coarse grid there are many ties.
            let value = |row: usize, dim: usize| {
                let t = (row as f32 * 0.1 + seed as f32) * (1.0 + (dim % 5) as f32 * 0.37);
                let v = t.sin() + 0.3 * (3.1 * t + dim as f32).cos();
                offset + if coarse { (2.0 * v).round() } else { v }
            };
            let table: Vec<f32> = (0..rows * dims).map(|i| value(i / dims, i % dims)).collect();
            let index = NearestIndex::build(&table, dims).unwrap();
            prop_assert!((0..rows).all(|row| *index.row(row) == table[row * dims..][..dims]));
            let mask = Mask::from_fn(rows, |row| (row * 7 + seed as usize).is_multiple_of(keep));
            for q in 0..6 {
                let query: Vec<f32> = (0..dims).map(|dim| value(q * 211 + 5, dim) + 0.1 * (q % 3) as f32).collect();
                for mask in [None, Some(&mask)] {
                    let found = index.nearest(&query, count, mask).unwrap();
                    prop_assert_eq!(found, by_linear_scan(&index, &query, count, mask));
                }
            }
        }
    }

    #[test]
    fn equal_rows_and_distant_queries_work() {
        let index = NearestIndex::build(&[1.0; 27 * 500], 27).unwrap();
        let found = index.nearest(&[1e6; 27], 3, None).unwrap();
        assert_eq!(found.iter().map(|f| f.row).collect::<Vec<_>>(), [0, 1, 2]);
        assert!(index.nearest(&[1.0; 27], 0, None).unwrap().is_empty());
        let none = Mask::from_fn(500, |_| false);
        assert!(index.nearest(&[1.0; 27], 2, Some(&none)).unwrap().is_empty());
    }

    #[test]
    fn invalid_queries_are_rejected() {
        assert!(NearestIndex::build(&[1.0; 5], 2).is_err());
        assert!(NearestIndex::build(&[1.0; 5], 0).is_err());
        assert!(NearestIndex::build(&[f32::NAN; 4], 2).is_err());
        let index = NearestIndex::build(&[1.0, 2.0, 3.0, 4.0], 2).unwrap();
        assert!(index.nearest(&[1.0], 1, None).is_err());
        assert!(index.nearest(&[1.0, f32::INFINITY], 1, None).is_err());
        assert!(index.nearest(&[1.0, 1.0], 1, Some(&Mask::from_fn(3, |_| true))).is_err());
    }

    #[test]
    fn the_index_is_the_same_for_any_number_of_threads() {
        let table: Vec<f32> = (0..27 * 5000).map(|i| ((i * 7919) % 1013) as f32).collect();
        let with = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| NearestIndex::build(&table, 27).unwrap())
        };
        assert!(with(1) == with(2) && with(1) == with(8));
    }
}
