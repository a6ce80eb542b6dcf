//! Distances of all pairs of motion segments, each after the best alignment.
//!
//! The distance is that of Hsu, Gentry and Popović, *Example-Based Control of Human Motion* (2004), equation 1, as a root mean
//! square in metres: the result of [`Cloud::aligned`] for each pair. For n segments there are n (n − 1) / 2 pairs, and computing them
//! one by one is slow. But the sum expands. On the floor let points be complex numbers, p = x + i z, about their weighted means, and let
//! each coordinate be multiplied by the square root of its weight. Then
//!
//! ```text
//! D(a, b) = min over θ of  Σ |p_a − e^{−iθ} p_b|² + Σ (y_a − y_b)²
//!         = N_a + N_b − 2 |C_ab| − 2 H_ab
//! N_a  = Σ |p_a|² + y_a²                          one number per segment
//! C_ab = Σ conj(p_a) p_b = Σ (x_a x_b + z_a z_b) + i Σ (x_a z_b − z_a x_b)
//! H_ab = Σ y_a y_b
//! ```
//!
//! because the best rotation brings the sum of products onto the real axis. Both parts of C and H are inner products of the rows
//! (x, z), (z, −x) and (y) of the two segments: for all pairs, three matrix products, computed in blocks. Heights are relative to the
//! mean height of each point over all segments, which changes no difference and keeps numbers small.
//!
//! | symbol | name |
//! |---|---|
//! | N | `norms` |
//! | (x, z), (z, −x), (y) | `across`, `turned`, `heights` |
//!
//! If a pair is so close that single precision would lose D in the difference of large numbers (below a
//! hundredth of the size of the segments), it is measured again directly.
//!
//! A distance depends only on the two segments and the [`Level`], to the bit: the matrix can be computed in
//! [`block`]s of any size, on any number of threads or machines. With and without fused multiplication the
//! last digits differ.

mod near_pairs;
mod table;

use marey_motion::MotionError::Length;
use rayon::prelude::*;

use self::table::{ROWS, Table};
use crate::cloud::Cloud;
use crate::{OutOfRange, Result};

pub use near_pairs::NearPairs;

/// Distances of all pairs, in metres: the upper triangle of a matrix, row by row.
#[derive(Debug, Clone, PartialEq)]
pub struct Distances {
    items: usize,
    metres: Vec<f32>,
}

impl Distances {
    /// The distances of all pairs of clouds with the same weights and number of frames.
    ///
    /// ```
    /// use marey_motion::Vec3;
    /// use marey_ops::{cloud::Cloud, distances::Distances};
    /// // Sticks of 2, 2 and 4 m, along X, along Z, and along X; each is two points.
    /// let stick = |a: Vec3, b: Vec3| Cloud::new(vec![a, b], vec![1.0]);
    /// let sticks =
    ///     [stick(Vec3::ZERO, Vec3::X * 2.0)?, stick(Vec3::Z, Vec3::Z * 3.0)?, stick(Vec3::ZERO, Vec3::X * 4.0)?];
    /// let distances = Distances::of(&sticks)?;
    /// // Middle on middle, the ends of the longer stick stand out by 1 m.
    /// assert!(distances.get(0, 1) < 1e-6);
    /// assert!((distances.get(0, 2) - 1.0).abs() < 1e-6 && (distances.get(2, 1) - 1.0).abs() < 1e-6);
    /// # Ok::<(), marey_ops::OpsError>(())
    /// ```
    pub fn of(clouds: &[Cloud]) -> Result<Self> {
        let table = Table::of(clouds, clouds, &Level::of(clouds))?;
        let mut metres = vec![0.0; clouds.len() * clouds.len().saturating_sub(1) / 2];
        let mut blocks = Vec::new();
        let mut rest = metres.as_mut_slice();
        for first in (0..clouds.len()).step_by(ROWS) {
            let rows = first..(first + ROWS).min(clouds.len());
            let (block, after) = rest.split_at_mut(rows.clone().map(|i| clouds.len() - 1 - i).sum());
            blocks.push((rows, block));
            rest = after;
        }
        blocks.into_par_iter().for_each(|(rows, block)| {
            let above = start_of_row(rows.start, clouds.len());
            table.fill(
                rows,
                |row| row + 1,
                |row, from, some| {
                    let start = start_of_row(row, clouds.len()) - above + from - row - 1;
                    block[start..][..some.len()].copy_from_slice(some);
                },
            );
        });
        Ok(Self { items: clouds.len(), metres })
    }

    /// Known distances of `items` items: the upper triangle row by row, finite and not negative.
    pub fn new(items: usize, metres: Vec<f32>) -> Result<Self> {
        let wanted = items * items.saturating_sub(1) / 2;
        if metres.len() != wanted {
            return Err(Length { what: "distances", found: metres.len(), wanted }.into());
        }
        for &value in &metres {
            OutOfRange::check("distances", value, 0.0..=f32::MAX)?;
        }
        Ok(Self { items, metres })
    }

    /// Number of items.
    pub fn items(&self) -> usize {
        self.items
    }

    /// The upper triangle, row by row, in metres: (0, 1), (0, 2), … (1, 2) …
    pub fn condensed(&self) -> &[f32] {
        &self.metres
    }

    /// The distance of two items, in metres; 0 for the same item.
    ///
    /// # Panics
    /// If there is no such item.
    pub fn get(&self, a: usize, b: usize) -> f32 {
        let (a, b) = (a.min(b), a.max(b));
        assert!(b < self.items, "item {b} does not exist; there are {}", self.items);
        if a == b { 0.0 } else { self.metres[start_of_row(a, self.items) + b - a - 1] }
    }
}

/// The offset of a row in the upper triangle.
fn start_of_row(row: usize, items: usize) -> usize {
    row * (2 * items - row - 1) / 2
}

/// The reference heights: the mean height of each point over all segments of a list. Distances depend on it
/// only by rounding, so blocks of one matrix share that of the whole list.
#[derive(Debug, Clone, PartialEq)]
pub struct Level(Vec<f64>);

impl Level {
    /// The level of a list of clouds.
    pub fn of(clouds: &[Cloud]) -> Self {
        let mut level = vec![0.0; clouds.first().map_or(0, |cloud| cloud.points().len())];
        for cloud in clouds {
            for (level, point) in level.iter_mut().zip(cloud.points()) {
                *level += f64::from(point.y) / clouds.len() as f64;
            }
        }
        Self(level)
    }

    /// Known reference heights in metres, all finite.
    pub fn new(heights_m: Vec<f64>) -> Result<Self> {
        for &height_m in &heights_m {
            OutOfRange::check("heights", height_m, f64::MIN..=f64::MAX)?;
        }
        Ok(Self(heights_m))
    }

    /// The height of each point, in metres.
    pub fn heights_m(&self) -> &[f64] {
        &self.0
    }
}

/// The distances of some clouds from others, in metres, row by row. If `rows` precede `columns` in a list
/// with this level, these are the values of [`Distances::of`] the list, to the bit.
///
/// ```
/// use marey_motion::Vec3;
/// use marey_ops::{cloud::Cloud, distances::{Distances, Level, block}};
/// let stick = |long: f32| Cloud::new(vec![Vec3::ZERO, Vec3::X * long], vec![1.0]);
/// let sticks = [stick(1.0)?, stick(2.0)?, stick(4.0)?];
/// let all = Distances::of(&sticks)?;
/// assert_eq!(block(&sticks[..1], &sticks[1..], &Level::of(&sticks))?, [all.get(0, 1), all.get(0, 2)]);
/// # Ok::<(), marey_ops::OpsError>(())
/// ```
pub fn block(rows: &[Cloud], columns: &[Cloud], level: &Level) -> Result<Vec<f32>> {
    let table = Table::of(rows, columns, level)?;
    let mut metres = vec![0.0; rows.len() * columns.len()];
    let bands = metres.par_chunks_mut((ROWS * columns.len()).max(1)).enumerate();
    bands.for_each(|(number, band)| {
        let first = number * ROWS;
        table.fill(
            first..(first + ROWS).min(rows.len()),
            |_| 0,
            |row, from, some| {
                band[(row - first) * columns.len() + from..][..some.len()].copy_from_slice(some);
            },
        );
    });
    Ok(metres)
}

#[cfg(test)]
mod tests {
    use marey_motion::{Ground, Vec3};
    use proptest::prelude::*;

    use super::table::COLUMNS;
    use super::*;

    /// Generated motion: every joint circles at its own speed.
    fn cloud(frames: usize, joints: usize, seed: u32, size: f32) -> Cloud {
        let point = |i: usize| {
            let (frame, joint) = ((i / joints) as f32, (i % joints) as f32);
            let pace = 1.0 + (seed as f32 * 0.7 + joint).sin();
            let angle = 0.2 * frame * pace + seed as f32;
            size * Vec3::new(angle.cos() + joint, 1.0 + (angle * 0.7).sin(), (1.3 * angle).sin())
        };
        let weights = (0..joints).map(|joint| 0.5 + joint as f32).collect();
        Cloud::new((0..frames * joints).map(point).collect(), weights).unwrap()
    }

    fn agree(clouds: &[Cloud], slack: f32) -> std::result::Result<(), TestCaseError> {
        let fast = Distances::of(clouds).unwrap();
        for a in 0..clouds.len() {
            for b in 0..clouds.len() {
                let slow = clouds[a].aligned(&clouds[b]).unwrap().rms_m();
                let quick = fast.get(a, b);
                prop_assert!((quick - slow).abs() <= slack * (0.1 + slow), "{a} {b}: {quick} {slow}");
            }
        }
        Ok(())
    }

    /// The upper triangle, computed in blocks of some rows and columns.
    fn in_blocks(clouds: &[Cloud], side: usize) -> Distances {
        let (level, mut metres) = (Level::of(clouds), Vec::new());
        for row in 0..clouds.len() {
            for first in (row + 1..clouds.len()).step_by(side) {
                // A row of a block that starts before it.
                let rows = row.saturating_sub(side - 1)..row + 1;
                let columns = first..(first + side).min(clouds.len());
                let (skip, wide) = ((rows.len() - 1) * columns.len(), columns.len());
                metres.extend(&block(&clouds[rows], &clouds[columns], &level).unwrap()[skip..][..wide]);
            }
        }
        Distances::new(clouds.len(), metres).unwrap()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn blocks_of_any_size_give_the_same_bits(
            frames in 1usize..9, joints in 1usize..5, count in 0u32..40, side in 1usize..30,
        ) {
            let clouds: Vec<Cloud> = (0..count).map(|seed| cloud(frames, joints, seed % 31, 1.0)).collect();
            let (whole, parts) = (Distances::of(&clouds).unwrap(), in_blocks(&clouds, side));
            let bits = |all: &Distances| all.condensed().iter().map(|m| m.to_bits()).collect::<Vec<u32>>();
            prop_assert_eq!(bits(&parts), bits(&whole));
        }

        #[test]
        fn all_pairs_equal_pair_by_pair(
            frames in 1usize..12, joints in 1usize..5, seeds in proptest::collection::vec(0u32..40, 0..90),
            size in 0.1f32..3.0,
        ) {
            let clouds: Vec<Cloud> = seeds.iter().map(|&seed| cloud(frames, joints, seed, size)).collect();
            agree(&clouds, 1e-3)?;
        }

        #[test]
        fn moved_copies_have_distance_zero(
            x in -40f32..40.0, z in -40f32..40.0, yaw in -3.1f32..3.1, up_mm in 0f32..20.0,
        ) {
            let here = cloud(20, 4, 3, 1.0);
            let moved = here.points().iter().map(|p| Ground::new(x, z, yaw).point(*p) + Vec3::Y * up_mm / 1000.0);
            let there = Cloud::new(moved.collect(), here.weights().to_vec()).unwrap();
            let found = Distances::of(&[here, there]).unwrap().get(0, 1);
            prop_assert!((found - up_mm / 1000.0).abs() < 5e-5, "{found} {up_mm}");
        }
    }

    #[test]
    fn more_than_one_block_of_rows_and_columns_agree_for_any_number_of_threads() {
        let clouds: Vec<Cloud> = (0..COLUMNS as u32 + ROWS as u32 + 7).map(|s| cloud(6, 3, s, 1.0)).collect();
        agree(&clouds, 1e-3).unwrap();
        let with = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| Distances::of(&clouds).unwrap())
        };
        assert!(with(1) == with(2) && with(1) == with(8));
        let (first, rest) = clouds.split_at(ROWS + 3);
        let part = block(first, rest, &Level::of(&clouds)).unwrap();
        let all = with(2);
        let same =
            |(i, metres): (usize, &f32)| *metres == all.get(i / rest.len(), first.len() + i % rest.len());
        assert!(part.iter().enumerate().all(same));
    }

    #[test]
    fn mismatched_lists_are_rejected() {
        assert!(Distances::of(&[cloud(3, 2, 0, 1.0), cloud(4, 2, 0, 1.0)]).is_err());
        assert!(Distances::of(&[cloud(3, 2, 0, 1.0), cloud(3, 3, 0, 1.0)]).is_err());
        assert_eq!(Distances::of(&[]).unwrap().items(), 0);
        assert_eq!(Distances::of(&[cloud(3, 2, 0, 1.0)]).unwrap().get(0, 0), 0.0);
        let level = Level::new(vec![1.0; 6]).unwrap();
        assert!(block(&[cloud(3, 2, 0, 1.0)], &[cloud(4, 2, 0, 1.0)], &level).is_err());
        assert!(block(&[cloud(4, 2, 0, 1.0)], &[cloud(4, 2, 0, 1.0)], &level).is_err());
        assert_eq!(block(&[], &[cloud(3, 2, 0, 1.0)], &level).unwrap(), [0.0; 0]);
        assert!(Level::new(vec![f64::NAN]).is_err());
        assert!(Distances::new(3, vec![1.0; 2]).is_err() && Distances::new(2, vec![f32::NAN]).is_err());
        assert_eq!(Distances::new(3, vec![1.0, 2.0, 3.0]).unwrap().get(2, 1), 3.0);
        let weightless = |x: f32| Cloud::new(vec![Vec3::X * x, Vec3::Z], vec![0.0]).unwrap();
        assert_eq!(Distances::of(&[weightless(1.0), weightless(2.0)]).unwrap().get(0, 1), 0.0);
    }
}
