//! A terrain with lookup tables for fast queries of heights and clearances.

use marey_motion::{Terrain, Vec2};

/// Maximum number of blocks; longer terrains get longer blocks.
const MAX_BLOCKS: f32 = 65_536.0;
/// Number of distances at which the side of a step is looked for.
const DEPTH_STEPS: usize = 20;
/// A point that is this little below the ground beside a step is beside the step, in metres.
const DEPTH_TOLERANCE_M: f32 = 0.005;
/// Default length of a block, in metres.
const BLOCK_M: f32 = 0.04;

/// The segments and corners of a terrain, sorted, with a sparse table of maximum heights: over runs of 1, 2, 4, … blocks
/// of equal length.
#[derive(Debug, Clone)]
pub(crate) struct TerrainProfile {
    segments: Vec<[Vec2; 2]>,
    corners: Vec<Vec2>,
    start_m: f32,
    blocks_per_m: f32,
    /// Maximum heights of runs of 1, 2, 4, … blocks, one list after the other.
    highest_m: Vec<f32>,
    blocks: usize,
    /// Number of segments and of corners before each block.
    before: Vec<[u32; 2]>,
}

impl TerrainProfile {
    pub(crate) fn new(terrain: &Terrain) -> Self {
        let segments: Vec<[Vec2; 2]> = terrain.segments().collect();
        let (start_m, length_m) = (terrain.start_m(), terrain.end_m() - terrain.start_m());
        let block_m = BLOCK_M.max(length_m / MAX_BLOCKS);
        let blocks = (length_m / block_m) as usize + 1;
        let highest_m = vec![f32::NEG_INFINITY; blocks];
        let corners = terrain.pieces().concat();
        let blocks_per_m = 1.0 / block_m;
        let before = Vec::with_capacity(blocks);
        let mut profile = Self { segments, corners, start_m, blocks_per_m, highest_m, blocks, before };
        for index in 0..profile.segments.len() {
            let [from, to] = profile.segments[index];
            // One more block on either side, to allow for rounding of block boundaries.
            let blocks = profile.block(from.x).saturating_sub(1)..=profile.block(to.x) + 1;
            let slope = (to.y - from.y) / (to.x - from.x);
            for block in blocks {
                let Some(highest_m) = profile.highest_m.get_mut(block) else { break };
                let ends = [block as f32 - 0.5, block as f32 + 1.5].map(|end| start_m + end * block_m);
                let height = |along_m: f32| from.y + slope * (along_m.clamp(from.x, to.x) - from.x);
                *highest_m = highest_m.max(height(ends[0])).max(height(ends[1]));
            }
        }
        let (mut segments, mut corners) = (0, 0);
        for block in 0..blocks {
            // Count up to the previous block, to allow for rounding of block boundaries.
            let from_m = start_m + (block as f32 - 1.0) * block_m;
            segments += profile.segments[segments..].iter().take_while(|[from, _]| from.x < from_m).count();
            corners += profile.corners[corners..].iter().take_while(|corner| corner.x < from_m).count();
            profile.before.push([segments as u32, corners as u32]);
        }
        for level in 1..=blocks.ilog2() as usize {
            let (half, shorter) = (1 << (level - 1), (level - 1) * blocks);
            let run = |block: usize| {
                let other = (block + half).min(blocks - 1);
                profile.highest_m[shorter + block].max(profile.highest_m[shorter + other])
            };
            let runs: Vec<f32> = (0..blocks).map(run).collect();
            profile.highest_m.extend(runs);
        }
        profile
    }

    /// The block of a position; the first or the last one beyond the ends.
    fn block(&self, along_m: f32) -> usize {
        (((along_m - self.start_m) * self.blocks_per_m).max(0.0) as usize).min(self.blocks - 1)
    }

    /// An upper bound of the height between two positions; −∞ if there is no terrain.
    pub(crate) fn ceiling_m(&self, from_m: f32, to_m: f32) -> f32 {
        let (first, last) = (self.block(from_m), self.block(to_m));
        // Two overlapping runs cover the range.
        let level = (last + 1 - first.min(last)).ilog2() as usize;
        let runs = &self.highest_m[level * self.blocks..];
        runs[first].max(runs[(last + 1).saturating_sub(1 << level)])
    }

    /// Number of segments that start at or before a position.
    fn segments_until(&self, along_m: f32) -> usize {
        let known = self.before[self.block(along_m)][0] as usize;
        known + self.segments[known..].iter().take_while(|[from, _]| from.x <= along_m).count()
    }

    /// The segment that covers a range, if one does.
    pub(crate) fn segment_over(&self, from_m: f32, to_m: f32) -> Option<&[Vec2; 2]> {
        let behind = self.segments_until(from_m);
        self.segments[..behind].last().filter(|[_, to]| to_m <= to.x)
    }

    /// The height of the terrain, at a step that of its upper edge. `None` over gaps and beyond the ends.
    pub(crate) fn height_at(&self, along_m: f32) -> Option<f32> {
        let behind = self.segments_until(along_m);
        // At a corner, two segments cover the position.
        let near = self.segments[behind.saturating_sub(2)..behind].iter().filter(|[_, to]| along_m <= to.x);
        let height = |[from, to]: &[Vec2; 2]| {
            let fraction = (along_m - from.x) / (to.x - from.x);
            if fraction >= 1.0 { to.y } else { from.y + fraction * (to.y - from.y) }
        };
        near.map(height).reduce(f32::max)
    }

    /// Whether there is a gap between two positions.
    pub(crate) fn has_gap(&self, from_m: f32, to_m: f32) -> bool {
        let (first, last) = (self.segments_until(from_m), self.segments_until(to_m));
        let within = self.segments.get(first.saturating_sub(1)..last).unwrap_or_default();
        within.windows(2).any(|two| two[0][1].x < two[1][0].x)
    }

    /// The corners strictly between two positions.
    pub(crate) fn corners_within(&self, from_m: f32, to_m: f32) -> &[Vec2] {
        let known = self.before[self.block(from_m)][1] as usize;
        let first = known + self.corners[known..].iter().take_while(|corner| corner.x <= from_m).count();
        let count = self.corners[first..].iter().take_while(|corner| corner.x < to_m).count();
        &self.corners[first..first + count]
    }

    /// The depth of a point in the ground: its distance from the surface above it or from the nearest step beside it; 0 outside.
    pub(crate) fn depth_m(&self, point: Vec2) -> f32 {
        let below_m = self.height_at(point.x).map_or(0.0, |height_m| height_m - point.y);
        if below_m <= 0.0 {
            return 0.0;
        }
        // Beside a step or a gap, the ground is lower within the depth.
        let is_out = |side: &f32| {
            self.height_at(point.x + side).is_none_or(|height_m| height_m < point.y + DEPTH_TOLERANCE_M)
        };
        let sides = (1..=DEPTH_STEPS).map(|step| below_m * step as f32 / DEPTH_STEPS as f32);
        sides.flat_map(|side_m| [side_m, -side_m]).find(is_out).map_or(below_m, f32::abs)
    }

    /// The maximum of [`TerrainProfile::lift_m`] and `min_m`. Skips terrain that is too low to matter.
    pub(crate) fn lift_beyond(&self, min_m: f32, from: Vec2, to: Vec2) -> f32 {
        let ceiling_m = self.ceiling_m(from.x.min(to.x), from.x.max(to.x));
        if ceiling_m - from.y.min(to.y) <= min_m { min_m } else { self.lift_m(from, to).max(min_m) }
    }

    /// The height by which a bone between two points must be raised to clear the terrain; negative if there is room below
    /// it, −∞ if there is no terrain.
    pub(crate) fn lift_m(&self, from: Vec2, to: Vec2) -> f32 {
        let (from, to) = if from.x <= to.x { (from, to) } else { (to, from) };
        let over = |at: Vec2| self.height_at(at.x).map_or(f32::NEG_INFINITY, |height| height - at.y);
        let ends = over(from).max(over(to));
        let over_bone = |corner: &Vec2| {
            let fraction = (corner.x - from.x) / (to.x - from.x);
            corner.y - (from.y + fraction * (to.y - from.y))
        };
        self.corners_within(from.x, to.x).iter().map(over_bone).fold(ends, f32::max)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn steps() -> Terrain {
        let points = |list: &[(f32, f32)]| list.iter().map(|&(x, y)| Vec2::new(x, y)).collect();
        Terrain::new(vec![
            points(&[(0.0, 0.0), (1.0, 0.0), (1.0, 0.5), (2.0, 0.5)]),
            points(&[(2.2, 0.5), (3.0, 0.1)]),
        ])
        .unwrap()
    }

    #[test]
    fn lift_clears_corners_and_ignores_gaps() {
        let profile = TerrainProfile::new(&steps());
        let lift = |a: (f32, f32), b: (f32, f32)| profile.lift_m(Vec2::new(a.0, a.1), Vec2::new(b.0, b.1));
        // From 0.5 m before the step at its foot to 0.5 m behind it at its top, the edge is 0.25 m above the middle.
        assert!((lift((0.5, 0.0), (1.5, 0.5)) - 0.25).abs() < 1e-6);
        assert_eq!(lift((1.5, 0.5), (0.5, 0.0)), lift((0.5, 0.0), (1.5, 0.5)));
        assert_eq!(lift((2.1, -3.0), (2.15, -3.0)), f32::NEG_INFINITY);
        assert!((lift((0.2, 0.3), (0.4, 0.1)) + 0.1).abs() < 1e-6);
    }

    #[test]
    fn depth_is_the_distance_to_the_surface_or_to_the_face_of_a_step() {
        let profile = TerrainProfile::new(&steps());
        let depth = |x: f32, y: f32| profile.depth_m(Vec2::new(x, y));
        assert_eq!((depth(0.5, 0.1), depth(2.1, -1.0)), (0.0, 0.0));
        assert!((depth(0.5, -0.02) - 0.02).abs() < 1e-6 && (depth(1.5, 0.48) - 0.02).abs() < 1e-6);
        // Toes on the ground reach a little into the face of the step of half a metre.
        assert!(depth(1.01, 0.1) < 0.03 && depth(1.01, -0.001) < 0.03, "{}", depth(1.01, -0.001));
        assert!(depth(1.4, 0.1) > 0.35);
    }

    proptest! {
        #[test]
        fn heights_and_lifts_equal_dense_sampling(
            x in -0.5f32..3.5, y in -1f32..1.0, dx in -0.5f32..0.5, dy in -0.5f32..0.5,
        ) {
            let terrain = steps();
            let profile = TerrainProfile::new(&terrain);
            prop_assert_eq!(profile.height_at(x), terrain.height_at(x));
            let (from, to) = (Vec2::new(x, y), Vec2::new(x + dx, y + dy));
            let exact = profile.lift_m(from, to);
            let points_between = (0..=2000).map(|i| from.lerp(to, i as f32 / 2000.0));
            let sampled = points_between.filter_map(|at| Some(terrain.height_at(at.x)? - at.y)).fold(f32::NEG_INFINITY, f32::max);
            prop_assert!(exact >= sampled - 1e-4 && (exact == sampled || exact - sampled < 2e-3), "{exact} {sampled}");
            for min_m in [-1.0, 0.0, 0.1] {
                prop_assert!((profile.lift_beyond(min_m, from, to) - exact.max(min_m)).abs() < 1e-6);
            }
            let (first_m, last_m) = (from.x.min(to.x), from.x.max(to.x));
            if let Some(segment) = profile.segment_over(first_m, last_m) {
                prop_assert!(profile.corners_within(first_m, last_m).is_empty());
                prop_assert!(segment[0].x <= first_m && last_m <= segment[1].x);
            }
        }
    }
}
