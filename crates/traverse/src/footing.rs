//! Footings: positions on a terrain where a sole can stand.
//!
//! A sole is modelled as a rigid plank whose middle is under the character. On uneven terrain it rests on two points,
//! one on either side of its middle: of all chords between points of the terrain below the plank, it takes the one
//! that is highest above the middle. A sole therefore lies along a slope, leans over a corner, and bridges a gap that
//! is narrower than itself. Both points are on the terrain, and no part of the sole is in it.
//!
//! Limits: the terrain is sampled every [`FOOTING_SPACING_M`]. A rigid sole that would balance on its middle, as on the ridge
//! of a roof, or that exceeds the maximum tilt, has no footing. A shoe gives way by 8 mm.

use std::ops::Range;
use std::sync::Arc;

use marey_motion::{Terrain, Vec2};

use crate::terrain_profile::TerrainProfile;
use crate::{Result, TraverseError};

/// Distance between two sampled positions, in metres.
pub const FOOTING_SPACING_M: f32 = 0.005;
/// Number of footings per block of precomputed height ranges.
const BLOCK: usize = 8;

/// A position where a sole can stand.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Footing {
    /// The middle of the sole: along the terrain and up, in metres.
    pub position: Vec2,
    /// Tilt of the sole, in radians; positive if it rises ahead.
    pub slope_rad: f32,
}

/// All footings of a terrain, in order.
///
/// ```
/// use marey_motion::{Terrain, Vec2};
/// use marey_traverse::Footings;
/// // A level metre, a step of 0.1 m, and another level metre; a sole of 0.2 m.
/// let points = [(0.0, 0.0), (1.0, 0.0), (1.0, 0.1), (2.0, 0.1)].map(|(x, y)| Vec2::new(x, y));
/// let footings = Footings::new(&Terrain::new(vec![points.into()])?, 0.1, 0.4);
/// let nearest = footings.nearest(Vec2::new(0.5, 0.3), 1.0).unwrap();
/// assert_eq!(footings.all()[nearest.0].position, Vec2::new(0.5, 0.0));
/// assert!((nearest.1 - 0.09).abs() < 1e-5);
/// // Across the edge of the step a sole would be too steep.
/// assert!(footings.all().iter().all(|footing| footing.position.x < 0.95 || footing.position.x > 1.0));
/// # Ok::<(), marey_motion::MotionError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Footings {
    all: Vec<Footing>,
    /// Number of footings before each sampled position.
    counts: Vec<u32>,
    /// The lowest and the highest height of each block.
    block_heights_m: Vec<[f32; 2]>,
    start_m: f32,
    profile: Arc<TerrainProfile>,
    /// Strides that were tried and are impossible.
    refused: Arc<Vec<RefusedStride>>,
}

/// A stride between two footings that the body cannot make.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct RefusedStride {
    pub(crate) primitive: usize,
    /// Both footings, along the terrain.
    pub(crate) ends_m: [f32; 2],
}

/// A stride between footings this near to those of a refused one is refused as well, in metres.
const SAME_STRIDE_M: f32 = 0.03;

impl Footings {
    /// Finds the footings of a rigid sole that is twice `half_length_m` long.
    pub fn new(terrain: &Terrain, half_length_m: f32, max_tilt_rad: f32) -> Self {
        Self::found_by(terrain, max_tilt_rad, |profile, along_m| profile.footing(along_m, half_length_m))
    }

    /// Finds the footings of a shoe that is twice `half_length_m` long. It gives way to the ground by up to 8 mm, so that it also
    /// stands on a hill.
    pub fn of_shoes(terrain: &Terrain, half_length_m: f32, max_tilt_rad: f32) -> Self {
        Self::found_by(terrain, max_tilt_rad, |profile, along_m| profile.shoe_footing(along_m, half_length_m))
    }

    fn found_by(
        terrain: &Terrain,
        max_tilt_rad: f32,
        footing: impl Fn(&TerrainProfile, f32) -> Option<Footing>,
    ) -> Self {
        let profile = TerrainProfile::new(terrain);
        let samples = ((terrain.end_m() - terrain.start_m()) / FOOTING_SPACING_M) as usize;
        let all = (0..=samples)
            .filter_map(|i| footing(&profile, terrain.start_m() + i as f32 * FOOTING_SPACING_M))
            .filter(|footing| footing.slope_rad.abs() <= max_tilt_rad)
            .collect();
        Self::from_sorted(all, terrain.start_m(), Arc::new(profile))
    }

    /// Precomputes the lookup tables of sorted footings.
    fn from_sorted(all: Vec<Footing>, start_m: f32, profile: Arc<TerrainProfile>) -> Self {
        let mut counts = Vec::with_capacity(all.len() + 1);
        for (index, footing) in all.iter().enumerate() {
            let sample = sample_index(start_m, footing.position.x);
            while counts.len() <= sample {
                counts.push(index as u32);
            }
        }
        let heights_m =
            all.chunks(BLOCK).map(|block| extend_range(block, [f32::INFINITY, f32::NEG_INFINITY]));
        let refused = Arc::default();
        Self { counts, block_heights_m: heights_m.collect(), all, start_m, profile, refused }
    }

    /// The same footings without some strides between them.
    pub(crate) fn refusing(&self, strides: &[RefusedStride]) -> Self {
        Self { refused: Arc::new(strides.to_vec()), ..self.clone() }
    }

    /// Whether a stride was refused.
    pub(crate) fn is_refused(&self, ends: [&Footing; 2], primitive: usize) -> bool {
        self.refused.iter().any(|stride| {
            let mut both = stride.ends_m.iter().zip(ends);
            stride.primitive == primitive
                && both.all(|(end_m, end)| (end.position.x - end_m).abs() <= SAME_STRIDE_M)
        })
    }

    /// All footings, in order.
    pub fn all(&self) -> &[Footing] {
        &self.all
    }

    /// The footings that satisfy a predicate on their index, on the same terrain.
    pub(crate) fn filtered(&self, keep: impl Fn(usize) -> bool) -> Self {
        let all = self.all.iter().enumerate().filter(|(index, _)| keep(*index)).map(|(_, footing)| *footing);
        let refused = self.refused.clone();
        Self { refused, ..Self::from_sorted(all.collect(), self.start_m, self.profile.clone()) }
    }

    /// The terrain.
    pub(crate) fn profile(&self) -> &TerrainProfile {
        &self.profile
    }

    /// Number of footings before a position along the terrain.
    pub(crate) fn count_before(&self, along_m: f32) -> usize {
        let guess =
            self.counts.get(sample_index(self.start_m, along_m)).map_or(self.all.len(), |n| *n as usize);
        let too_many =
            self.all[..guess].iter().rev().take_while(|footing| footing.position.x >= along_m).count();
        let missing = self.all[guess..].iter().take_while(|footing| footing.position.x < along_m).count();
        guess - too_many + missing
    }

    /// Indices of the footings between two positions along the terrain, both included.
    pub(crate) fn range_within(&self, from_m: f32, to_m: f32) -> Range<usize> {
        let first = self.count_before(from_m);
        first..self.count_before(to_m.next_up()).max(first)
    }

    /// The lowest and the highest height of a range of footings, in metres; ∞ and −∞ if it is empty.
    pub(crate) fn height_range_m(&self, range: Range<usize>) -> [f32; 2] {
        let empty = [f32::INFINITY, f32::NEG_INFINITY];
        let (first, end) = (range.start.div_ceil(BLOCK), range.end / BLOCK);
        if first >= end {
            return extend_range(&self.all[range], empty);
        }
        let blocks =
            self.block_heights_m[first..end].iter().fold(empty, |a, b| [a[0].min(b[0]), a[1].max(b[1])]);
        let ends = extend_range(&self.all[range.start..first * BLOCK], blocks);
        extend_range(&self.all[end * BLOCK..range.end], ends)
    }

    /// The footing nearest to a position along the terrain.
    pub(crate) fn nearest_along(&self, along_m: f32) -> Result<Footing> {
        let behind = self.count_before(along_m);
        let near = self.all[behind.saturating_sub(1)..(behind + 1).min(self.all.len())].iter();
        let nearest =
            near.min_by(|a, b| (a.position.x - along_m).abs().total_cmp(&(b.position.x - along_m).abs()));
        nearest.copied().ok_or(TraverseError::NoFooting {
            relation: "near",
            along_m,
            from_m: along_m,
            to_m: along_m,
        })
    }

    /// The footing nearest to a point within `max_m`, and its squared distance; of equals, the first.
    pub fn nearest(&self, point: Vec2, max_m: f32) -> Option<(usize, f32)> {
        self.nearest_from(0, point, max_m)
    }

    /// [`Footings::nearest`] from an index on. Searches outwards from the point until none can be nearer.
    pub(crate) fn nearest_from(&self, first: usize, point: Vec2, max_m: f32) -> Option<(usize, f32)> {
        let middle = self.count_before(point.x).max(first);
        let mut nearest: Option<(usize, f32)> = None;
        let mut max_m2 = max_m * max_m;
        for (index, footing) in self.all.iter().enumerate().skip(middle) {
            if (footing.position.x - point.x).powi(2) > max_m2 {
                break;
            }
            let squared_m2 = footing.position.distance_squared(point);
            if squared_m2 < max_m2 || (nearest.is_none() && squared_m2 == max_m2) {
                (nearest, max_m2) = (Some((index, squared_m2)), squared_m2);
            }
        }
        for index in (first..middle).rev() {
            let footing = &self.all[index];
            if (footing.position.x - point.x).powi(2) > max_m2 {
                break;
            }
            let squared_m2 = footing.position.distance_squared(point);
            if squared_m2 <= max_m2 {
                (nearest, max_m2) = (Some((index, squared_m2)), squared_m2);
            }
        }
        nearest
    }
}

/// Index of the last sampled position at or before a position along the terrain.
fn sample_index(start_m: f32, along_m: f32) -> usize {
    ((along_m - start_m) / FOOTING_SPACING_M).max(0.0) as usize
}

/// Extends a height range by some footings.
fn extend_range(footings: &[Footing], range: [f32; 2]) -> [f32; 2] {
    footings
        .iter()
        .fold(range, |[low, high], footing| [low.min(footing.position.y), high.max(footing.position.y)])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn terrain(points: &[(f32, f32)]) -> Terrain {
        Terrain::new(vec![points.iter().map(|&(x, y)| Vec2::new(x, y)).collect()]).unwrap()
    }

    #[test]
    fn sole_follows_slopes_and_bridges_valleys() {
        let slope = Footings::new(&terrain(&[(0.0, 0.0), (2.0, 0.5)]), 0.1, 0.4);
        let footing = slope.all()[slope.nearest(Vec2::new(1.0, 0.2), 0.5).unwrap().0];
        assert!((footing.slope_rad - 0.25f32.atan()).abs() < 1e-5);
        assert!((footing.position.y - 0.25 * footing.position.x).abs() < 1e-6);
        // In the middle of a valley it rests on both sides.
        let valley = TerrainProfile::new(&terrain(&[(0.0, 0.2), (1.0, 0.0), (2.0, 0.2)]));
        let footing = valley.footing(1.0, 0.1).unwrap();
        assert!(footing.slope_rad.abs() < 1e-6 && (footing.position.y - 0.02).abs() < 1e-6);
        // There is no footing on the ridge of a roof.
        assert_eq!(
            TerrainProfile::new(&terrain(&[(0.0, 0.0), (1.0, 0.2), (2.0, 0.0)])).footing(1.0, 0.1),
            None
        );
    }

    #[test]
    fn shoes_stand_on_a_hill_and_not_on_the_ridge_of_a_roof() {
        let hill: Vec<(f32, f32)> =
            (0..=80).map(|i| 0.05 * i as f32).map(|x| (x, 0.2 * (-(x - 2.0) * (x - 2.0)).exp())).collect();
        let hill = terrain(&hill);
        let top = |footings: &Footings| footings.nearest(Vec2::new(2.0, 0.2), 0.05).is_some();
        assert!(!top(&Footings::new(&hill, 0.12, 0.4)) && top(&Footings::of_shoes(&hill, 0.12, 0.4)));
        let profile = TerrainProfile::new(&hill);
        for footing in Footings::of_shoes(&hill, 0.12, 0.4).all() {
            let half = 0.12 * Vec2::from_angle(footing.slope_rad);
            let depth_m = profile.lift_m(footing.position - half, footing.position + half);
            assert!(depth_m < 0.009, "{footing:?}: {depth_m}");
        }
        let roof = terrain(&[(0.0, 0.0), (1.0, 0.2), (2.0, 0.0)]);
        assert!(Footings::of_shoes(&roof, 0.12, 0.4).nearest(Vec2::new(1.0, 0.2), 0.02).is_none());
    }

    #[test]
    fn sole_bridges_narrow_gaps_only() {
        let gap = |width: f32| {
            let piece = |from: f32, to: f32| vec![Vec2::new(from, 0.0), Vec2::new(to, 0.0)];
            let ground = Terrain::new(vec![piece(0.0, 1.0), piece(1.0 + width, 2.0)]).unwrap();
            Footings::new(&ground, 0.1, 0.4).nearest(Vec2::new(1.0 + 0.5 * width, 0.0), 0.02).is_some()
        };
        assert!(gap(0.1) && !gap(0.21));
    }

    proptest! {
        #[test]
        fn lookups_equal_linear_search(
            steps in prop::collection::vec((0.05f32..0.6, -0.1f32..0.1), 2..10), x in -0.5f32..4.0, y in -0.3f32..0.3,
            max_m in 0f32..0.5, width in 0f32..1.0, first in 0usize..100,
        ) {
            let mut at = Vec2::ZERO;
            let mut points = Vec::new();
            for (tread, rise) in steps {
                points.extend([at, at + Vec2::X * tread]);
                at += Vec2::new(tread, rise);
            }
            let all = Footings::new(&Terrain::new(vec![points]).unwrap(), 0.05, 0.4);
            let footings = all.filtered(|index| index % 7 > 1);
            for footings in [&all, &footings] {
                let along = footings.all().iter().map(|footing| footing.position.x);
                prop_assert_eq!(footings.count_before(x), along.filter(|at| *at < x).count());
                let range = footings.count_before(x)..footings.count_before(x + width);
                let slow = extend_range(&footings.all()[range.clone()], [f32::INFINITY, f32::NEG_INFINITY]);
                prop_assert_eq!(footings.height_range_m(range), slow);
                let first = first.min(footings.all().len());
                let point = Vec2::new(x, y);
                let squared = |index: usize| (index, footings.all()[index].position.distance_squared(point));
                let slow = (first..footings.all().len()).map(squared).filter(|near| near.1 <= max_m * max_m);
                let slow = slow.reduce(|best, next| if next.1 < best.1 { next } else { best });
                prop_assert_eq!(footings.nearest_from(first, point, max_m), slow);
            }
        }

        #[test]
        fn soles_touch_the_terrain_on_both_sides_and_never_penetrate_it(
            bumps in prop::collection::vec((0.03f32..0.5, -0.1f32..0.1), 2..14), half_length_m in 0.05f32..0.15,
        ) {
            let mut at = Vec2::ZERO;
            let points: Vec<Vec2> = bumps.iter().map(|&(x, y)| { at += Vec2::new(x, y); at }).collect();
            let ground = Terrain::new(vec![points]).unwrap();
            let footings = Footings::new(&ground, half_length_m, 0.5);
            for footing in footings.all() {
                let half = half_length_m * Vec2::from_angle(footing.slope_rad);
                let gaps: Vec<(f32, f32)> = (-100..=100).filter_map(|i| {
                    let point = footing.position + half * (i as f32 / 100.0);
                    Some((i as f32, point.y - ground.height_at(point.x)?))
                }).collect();
                prop_assert!(gaps.iter().all(|gap| gap.1 > -1e-4));
                // If the sole rests on the end of a bump, the sampled point beside it can be higher by the slope of the bump.
                let near_m = 3e-3 + half_length_m / 100.0 * 0.1 / 0.03;
                let touches = |side: f32| gaps.iter().any(|gap| gap.0 * side > 0.0 && gap.1 < near_m);
                prop_assert!(touches(1.0) && touches(-1.0), "{footing:?}");
            }
        }
    }
}
