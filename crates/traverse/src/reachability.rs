//! A fast reachability test, by lengths and heights only.
//!
//! Question 6 of Lamouret and van de Panne (1996, section 2). States are ignored: a footing leads to another if any
//! primitive lands there within the maximum shift. A footing that cannot be reached under this relaxation cannot be
//! reached at all, and one from which the goal cannot be reached is a dead end.
//!
//! Limits: footings are sampled every 2 cm, and displacements are rounded to 1 cm. The tolerance covers both.

use std::ops::Range;

use marey_motion::{Terrain, Vec2};

use crate::primitive_index::MIN_AHEAD_M;
use crate::{Footings, PrimitiveDatabase, Result, TraverseError};

/// One in this many footings is tested.
const STEP: usize = 4;
/// Displacements are rounded to this, in metres.
const ROUND_M: f32 = 0.01;
/// Tolerance for both approximations, in metres.
const TOLERANCE_M: f32 = 0.02;

/// Which footings can be reached from the start, and from which of them the goal can be reached.
#[derive(Debug, Clone)]
pub(crate) struct Reachability {
    from_start: Vec<bool>,
    to_goal: Vec<bool>,
}

impl Reachability {
    /// Tests all footings between a start and a goal.
    pub(crate) fn new(
        footings: &Footings,
        displacements: impl Iterator<Item = Vec2>,
        max_shift_m: f32,
        start: usize,
        goal_m: f32,
    ) -> Self {
        let positions: Vec<Vec2> =
            footings.all().iter().step_by(STEP).map(|footing| footing.position).collect();
        let mut cells: Vec<(i32, i32)> = displacements
            .map(|displacement| {
                ((displacement.x / ROUND_M).round() as i32, (displacement.y / ROUND_M).round() as i32)
            })
            .collect();
        cells.sort_unstable();
        cells.dedup();
        let displacements: Vec<Vec2> =
            cells.into_iter().map(|(x, y)| ROUND_M * Vec2::new(x as f32, y as f32)).collect();
        let graph = HopGraph {
            positions: &positions,
            displacements: &displacements,
            reach_m: max_shift_m + TOLERANCE_M,
        };
        // Footings are tested in order, so that the predecessors of each are settled. Most find one at once.
        let mut from_start = vec![false; positions.len()];
        for to in start / STEP..positions.len() {
            from_start[to] = to == start / STEP || graph.comes_from(to, &from_start);
        }
        let mut to_goal: Vec<bool> = positions.iter().map(|p| p.x >= goal_m - TOLERANCE_M).collect();
        for from in (0..positions.len()).rev() {
            to_goal[from] = to_goal[from] || graph.goes_to(from, &to_goal);
        }
        Self { from_start, to_goal }
    }

    /// Whether a footing can be reached from the start.
    pub(crate) fn is_reachable(&self, footing: usize) -> bool {
        self.from_start[footing / STEP]
    }

    /// Whether the goal can be reached from a footing.
    pub(crate) fn can_reach_goal(&self, footing: usize) -> bool {
        let sample = footing / STEP;
        self.to_goal[sample] || self.to_goal.get(sample + 1).copied().unwrap_or(false)
    }

    /// Fails if the goal cannot be reached, with the position of the barrier.
    pub(crate) fn check(
        &self,
        database: &PrimitiveDatabase,
        footings: &Footings,
        terrain: &Terrain,
        goal_m: f32,
    ) -> Result<()> {
        let all = footings.all();
        let reached = self.from_start.iter().rposition(|reached| *reached).unwrap_or(0) * STEP;
        let last = &all[reached.min(all.len() - 1)];
        if last.position.x >= goal_m - TOLERANCE_M {
            return Ok(());
        }
        let next = all.get(reached + STEP).unwrap_or(last);
        Err(TraverseError::unreachable(database, footings, [last, next], terrain))
    }
}

/// Footings, and the displacements that connect them.
struct HopGraph<'a> {
    positions: &'a [Vec2],
    displacements: &'a [Vec2],
    reach_m: f32,
}

impl HopGraph<'_> {
    /// Whether a displacement connects two footings.
    fn connects(&self, from: usize, displacement: Vec2, to: usize) -> bool {
        let (from, to) = (self.positions[from], self.positions[to]);
        to.x >= from.x + MIN_AHEAD_M
            && to.distance_squared(from + displacement) <= self.reach_m * self.reach_m
    }

    /// Indices of the footings within reach of a position.
    fn near(&self, along_m: f32) -> Range<usize> {
        // Slightly wider, to allow for rounding; `connects` makes the exact test.
        let reach_m = self.reach_m + 1e-4;
        let first = self.positions.partition_point(|p| p.x < along_m - reach_m);
        first..first + self.positions[first..].partition_point(|p| p.x <= along_m + reach_m)
    }

    /// Whether a hop leads here from any footing of a set.
    fn comes_from(&self, to: usize, set: &[bool]) -> bool {
        self.displacements.iter().any(|displacement| {
            let mut near = self.near(self.positions[to].x - displacement.x).rev();
            near.any(|from| set[from] && self.connects(from, *displacement, to))
        })
    }

    /// Whether a hop leads from here to any footing of a set.
    fn goes_to(&self, from: usize, set: &[bool]) -> bool {
        self.displacements.iter().any(|displacement| {
            let mut near = self.near(self.positions[from].x + displacement.x);
            near.any(|to| set[to] && self.connects(from, *displacement, to))
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn result_equals_fixed_point_iteration(
            steps in prop::collection::vec((0.1f32..0.6, -0.25f32..0.25), 2..8),
            displacements in prop::collection::vec((0.05f32..0.4, -0.1f32..0.1), 1..5), max_shift_m in 0f32..0.1,
        ) {
            let mut at = Vec2::ZERO;
            let mut points = Vec::new();
            for (tread, rise) in steps {
                points.extend([at, at + Vec2::X * tread]);
                at += Vec2::new(tread, rise);
            }
            let footings = Footings::new(&Terrain::new(vec![points]).unwrap(), 0.05, 0.4);
            prop_assume!(footings.all().len() > 8);
            let displacements: Vec<Vec2> = displacements.iter().map(|displacement| Vec2::new(displacement.0, displacement.1)).collect();
            let goal_m = footings.all()[footings.all().len() - 5].position.x;
            let reach = Reachability::new(&footings, displacements.iter().copied(), max_shift_m, 0, goal_m);
            // The reference: repeat until no footing is added.
            let positions: Vec<Vec2> = footings.all().iter().step_by(STEP).map(|footing| footing.position).collect();
            let rounded = |displacement: &Vec2| ROUND_M * (*displacement / ROUND_M).round();
            let connects = |from: Vec2, to: Vec2| to.x >= from.x + MIN_AHEAD_M
                && displacements.iter().any(|displacement| to.distance_squared(from + rounded(displacement)) <= (max_shift_m + TOLERANCE_M) * (max_shift_m + TOLERANCE_M));
            let mut from_start = vec![false; positions.len()];
            from_start[0] = true;
            let mut to_goal: Vec<bool> = positions.iter().map(|p| p.x >= goal_m - TOLERANCE_M).collect();
            for _ in 0..positions.len() {
                for from in 0..positions.len() {
                    for to in 0..positions.len() {
                        let hop = connects(positions[from], positions[to]);
                        from_start[to] |= from_start[from] && hop;
                        to_goal[from] |= to_goal[to] && hop;
                    }
                }
                if reach.from_start == from_start && reach.to_goal == to_goal {
                    break;
                }
            }
            prop_assert_eq!(&reach.from_start, &from_start);
            prop_assert_eq!(&reach.to_goal, &to_goal);
        }
    }
}
