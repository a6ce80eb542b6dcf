//! The pairs of segments that are close to each other, without storing the distances of all pairs.

use marey_motion::Observer;
use rayon::prelude::*;

use super::table::{ROWS, Table};
use super::{Distances, Level};
use crate::cloud::Cloud;
use crate::{OpsError, Result};

/// Largest number of pairs that are stored: 16 bytes each.
const MOST_PAIRS: usize = 20_000_000;

/// The distances of all pairs of items that are at most a threshold apart.
///
/// Memory is bounded: of each item at most [`NearPairs::most_neighbours`] pairs with later items are stored, the nearest.
/// [`NearPairs::is_complete`] states whether any were left out.
#[derive(Debug, Clone, PartialEq)]
pub struct NearPairs {
    /// The neighbours of each item and their distances in metres, by ascending item.
    neighbours: Vec<Vec<(u32, f32)>>,
    is_complete: bool,
}

/// Items near to one, with their distances in metres.
type Neighbours = Vec<(u32, f32)>;

impl NearPairs {
    /// The pairs of clouds that are at most `threshold_m` apart and pass a filter. Their distances are those of
    /// [`Distances::of`], to the bit.
    ///
    /// ```
    /// use marey_motion::Vec3;
    /// use marey_ops::{cloud::Cloud, distances::NearPairs};
    /// // Sticks of 2, 2 and 4 m.
    /// let stick = |long: f32| Cloud::new(vec![Vec3::ZERO, Vec3::X * long], vec![1.0]);
    /// let sticks = [stick(2.0)?, stick(2.0)?, stick(4.0)?];
    /// let near = NearPairs::of(&sticks, 0.5, |_, _| true)?;
    /// assert!(near.get(0, 1).is_some() && near.get(0, 2).is_none());
    /// # Ok::<(), marey_ops::OpsError>(())
    /// ```
    pub fn of(
        clouds: &[Cloud],
        threshold_m: f32,
        passes: impl Fn(usize, usize) -> bool + Sync,
    ) -> Result<Self> {
        Self::of_observed(clouds, threshold_m, passes, Observer::ignore())
    }

    /// [`NearPairs::of`], which can be cancelled by an observer.
    pub fn of_observed(
        clouds: &[Cloud],
        threshold_m: f32,
        passes: impl Fn(usize, usize) -> bool + Sync,
        observer: Observer<'_>,
    ) -> Result<Self> {
        let table = Table::of(clouds, clouds, &Level::of(clouds))?;
        let blocks: Vec<usize> = (0..clouds.len()).step_by(ROWS).collect();
        let most = Self::most_neighbours(clouds.len());
        let later: Vec<(Vec<Neighbours>, bool)> = blocks
            .into_par_iter()
            .map(|first| {
                if observer.report("distances", first, clouds.len()).is_break() {
                    return Err(OpsError::Cancelled);
                }
                let rows = first..(first + ROWS).min(clouds.len());
                let mut near = vec![Vec::new(); rows.len()];
                table.fill(
                    rows.clone(),
                    |row| row + 1,
                    |row, from, some| {
                        let columns = some.iter().enumerate().filter(|(_, metres)| **metres <= threshold_m);
                        let columns = columns.map(|(i, metres)| (from + i, *metres));
                        let columns = columns.filter(|(column, _)| passes(row, *column));
                        if let Some(near) = near.get_mut(row - first) {
                            near.extend(columns.map(|(column, metres)| (column as u32, metres)));
                        }
                    },
                );
                let mut is_complete = true;
                for near in &mut near {
                    is_complete &= keep_nearest(near, most);
                }
                Ok((near, is_complete))
            })
            .collect::<Result<_>>()?;
        let is_complete = later.iter().all(|(_, is_complete)| *is_complete);
        drop(table);
        Ok(Self::from_later(later.into_iter().flat_map(|(near, _)| near).collect(), is_complete))
    }

    /// The pairs of a matrix that are at most `threshold_m` apart.
    pub fn within(distances: &Distances, threshold_m: f32) -> Self {
        let items = distances.items();
        let most = Self::most_neighbours(items);
        let mut is_complete = true;
        let row = |a: usize| {
            let near = (a + 1..items).map(|b| (b as u32, distances.get(a, b)));
            let mut near: Neighbours = near.filter(|(_, metres)| *metres <= threshold_m).collect();
            is_complete &= keep_nearest(&mut near, most);
            near
        };
        let later = (0..items).map(row).collect();
        Self::from_later(later, is_complete)
    }

    /// Completes the pairs of each item with later items by those with earlier ones.
    fn from_later(later: Vec<Neighbours>, is_complete: bool) -> Self {
        // Space for exactly these pairs, which are most of the memory.
        let mut earlier = vec![0; later.len()];
        for (other, _) in later.iter().flatten() {
            earlier.get_mut(*other as usize).into_iter().for_each(|count| *count += 1);
        }
        let own = later.iter().zip(earlier);
        let mut neighbours: Vec<Neighbours> =
            own.map(|(near, earlier)| Vec::with_capacity(near.len() + earlier)).collect();
        for (item, near) in later.into_iter().enumerate() {
            for &(other, metres) in &near {
                if let Some(others) = neighbours.get_mut(other as usize) {
                    others.push((item as u32, metres));
                }
            }
            // The earlier items have all been added by now.
            if let Some(own) = neighbours.get_mut(item) {
                own.extend(near);
            }
        }
        Self { neighbours, is_complete }
    }

    /// The number of pairs with later items that are stored for each of so many items.
    pub fn most_neighbours(items: usize) -> usize {
        MOST_PAIRS / items.max(1)
    }

    /// Whether all pairs within the threshold are stored.
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// Number of items.
    pub fn items(&self) -> usize {
        self.neighbours.len()
    }

    /// The neighbours of each item and their distances in metres, by ascending item.
    pub fn neighbours(&self) -> &[Vec<(u32, f32)>] {
        &self.neighbours
    }

    /// The distance of two items in metres; `None` if it is above the threshold.
    pub fn get(&self, a: usize, b: usize) -> Option<f32> {
        let near = self.neighbours.get(a)?;
        let place = near.binary_search_by_key(&b, |(other, _)| *other as usize).ok()?;
        near.get(place).map(|(_, metres)| *metres)
    }
}

/// Keeps the nearest, by ascending item. Returns whether all were kept.
fn keep_nearest(near: &mut Vec<(u32, f32)>, most: usize) -> bool {
    if near.len() <= most {
        near.shrink_to_fit();
        return true;
    }
    near.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
    near.truncate(most);
    near.sort_by_key(|(item, _)| *item);
    near.shrink_to_fit();
    false
}

#[cfg(test)]
mod tests {
    use marey_motion::Vec3;

    use super::*;

    #[test]
    fn pairs_are_those_of_the_whole_matrix_below_the_threshold() {
        let stick = |i: usize| {
            let long = 1.0 + 0.01 * (i * 37 % 100) as f32;
            Cloud::new(vec![Vec3::ZERO, Vec3::X * long, Vec3::Y], vec![1.0]).unwrap()
        };
        let sticks: Vec<Cloud> = (0..150).map(stick).collect();
        let all = Distances::of(&sticks).unwrap();
        let near = NearPairs::of(&sticks, 0.1, |_, _| true).unwrap();
        assert!(near.is_complete());
        for a in 0..150 {
            for b in (0..150).filter(|b| *b != a) {
                let expected = Some(all.get(a, b)).filter(|metres| *metres <= 0.1);
                assert_eq!(near.get(a, b), expected);
            }
        }
        assert_eq!(NearPairs::within(&all, 0.1), near);
        let even = NearPairs::of(&sticks, 0.1, |a, b| (a + b) % 2 == 0).unwrap();
        assert!(even.get(0, 1).is_none() && (2..150).any(|b| even.get(0, b).is_some()));
    }

    #[test]
    fn only_the_nearest_are_kept_and_that_is_reported() {
        let mut near = vec![(1, 0.3), (2, 0.1), (5, 0.2)];
        assert!(!keep_nearest(&mut near, 2));
        assert_eq!(near, [(2, 0.1), (5, 0.2)]);
        assert!(keep_nearest(&mut near, 2));
    }
}
