//! Which ground can be come to at all, before anything is tried.
//!
//! Question 6 of Lamouret and van de Panne (1996, section 2). Whether states match is left aside: a footing leads to another if any
//! example leads there within what a landing may be moved. What cannot be reached so cannot be reached at all; what the goal
//! cannot be reached from is a dead end.
//!
//! Limits: footings are thinned to every 2 cm and examples to every centimetre of length and height, with as much to spare.

use std::ops::Range;

use marey_motion::{Terrain, Vec2};

use crate::index::LEAST_AHEAD_M;
use crate::{Error, Footings, Result};

/// Every so many footings one is looked at.
const THIN: usize = 4;
/// Examples that lead to the same place, in metres.
const SAME_M: f32 = 0.01;
/// What thinning may miss, in metres.
const SPARE_M: f32 = 0.02;

/// Which footings can be come to from the start, and from which the goal can be come to.
#[derive(Debug, Clone)]
pub(crate) struct Reach {
    from_start: Vec<bool>,
    to_goal: Vec<bool>,
}

impl Reach {
    /// Looks from a footing to all those beyond a place.
    pub(crate) fn of(
        footings: &Footings,
        leads: impl Iterator<Item = Vec2>,
        shift_m: f32,
        start: usize,
        goal_m: f32,
    ) -> Self {
        let at: Vec<Vec2> = footings.all().iter().step_by(THIN).map(|footing| footing.at).collect();
        let mut cells: Vec<(i32, i32)> =
            leads.map(|lead| ((lead.x / SAME_M).round() as i32, (lead.y / SAME_M).round() as i32)).collect();
        cells.sort_unstable();
        cells.dedup();
        let leads: Vec<Vec2> =
            cells.into_iter().map(|(x, y)| SAME_M * Vec2::new(x as f32, y as f32)).collect();
        let hop = Hop { at: &at, leads: &leads, reach_m: shift_m + SPARE_M };
        // Each is asked whether any that is settled already leads to it, or it to any: most find one at once.
        let mut from_start = vec![false; at.len()];
        for to in start / THIN..at.len() {
            from_start[to] = to == start / THIN || hop.comes_from(to, &from_start);
        }
        let mut to_goal: Vec<bool> = at.iter().map(|p| p.x >= goal_m - SPARE_M).collect();
        for from in (0..at.len()).rev() {
            to_goal[from] = to_goal[from] || hop.goes_to(from, &to_goal);
        }
        Self { from_start, to_goal }
    }

    /// Whether a footing can be come to from the start.
    pub(crate) fn comes_to(&self, footing: usize) -> bool {
        self.from_start[footing / THIN]
    }

    /// Whether a footing is no dead end.
    pub(crate) fn leads_on(&self, footing: usize) -> bool {
        let here = footing / THIN;
        self.to_goal[here] || self.to_goal.get(here + 1).copied().unwrap_or(false)
    }

    /// Refuses ground whose goal cannot be come to, and says where it ends.
    pub(crate) fn check(&self, footings: &Footings, terrain: &Terrain, goal_m: f32) -> Result<()> {
        let all = footings.all();
        let reached = self.from_start.iter().rposition(|reached| *reached).unwrap_or(0) * THIN;
        let last = &all[reached.min(all.len() - 1)];
        if last.at.x >= goal_m - SPARE_M {
            return Ok(());
        }
        let next = all.get(reached + THIN).unwrap_or(last);
        Err(Error::unreachable([last, next], terrain))
    }
}

/// What leads where.
struct Hop<'a> {
    at: &'a [Vec2],
    leads: &'a [Vec2],
    reach_m: f32,
}

impl Hop<'_> {
    /// Whether a hop leads from one place to another.
    fn lands(&self, from: usize, lead: Vec2, to: usize) -> bool {
        let (from, to) = (self.at[from], self.at[to]);
        to.x >= from.x + LEAST_AHEAD_M && to.distance_squared(from + lead) <= self.reach_m * self.reach_m
    }

    /// The places within reach of one along the way.
    fn near(&self, along_m: f32) -> Range<usize> {
        // A little wider, since sums are rounded; `lands` says.
        let reach_m = self.reach_m + 1e-4;
        let first = self.at.partition_point(|p| p.x < along_m - reach_m);
        first..first + self.at[first..].partition_point(|p| p.x <= along_m + reach_m)
    }

    /// Whether a hop leads here from any of some places.
    fn comes_from(&self, to: usize, some: &[bool]) -> bool {
        self.leads.iter().any(|lead| {
            let mut near = self.near(self.at[to].x - lead.x).rev();
            near.any(|from| some[from] && self.lands(from, *lead, to))
        })
    }

    /// Whether a hop leads from here to any of some places.
    fn goes_to(&self, from: usize, some: &[bool]) -> bool {
        self.leads.iter().any(|lead| {
            let mut near = self.near(self.at[from].x + lead.x);
            near.any(|to| some[to] && self.lands(from, *lead, to))
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_can_be_reached_is_what_hops_from_the_start_come_to(
            steps in prop::collection::vec((0.1f32..0.6, -0.25f32..0.25), 2..8),
            leads in prop::collection::vec((0.05f32..0.4, -0.1f32..0.1), 1..5), shift_m in 0f32..0.1,
        ) {
            let mut at = Vec2::ZERO;
            let mut points = Vec::new();
            for (tread, rise) in steps {
                points.extend([at, at + Vec2::X * tread]);
                at += Vec2::new(tread, rise);
            }
            let footings = Footings::of(&Terrain::new(vec![points]).unwrap(), 0.05, 0.4);
            prop_assume!(footings.all().len() > 8);
            let leads: Vec<Vec2> = leads.iter().map(|lead| Vec2::new(lead.0, lead.1)).collect();
            let goal_m = footings.all()[footings.all().len() - 5].at.x;
            let reach = Reach::of(&footings, leads.iter().copied(), shift_m, 0, goal_m);
            // The same from hop to hop until nothing new is come to.
            let at: Vec<Vec2> = footings.all().iter().step_by(THIN).map(|footing| footing.at).collect();
            let rounded = |lead: &Vec2| SAME_M * (*lead / SAME_M).round();
            let lands = |from: Vec2, to: Vec2| to.x >= from.x + LEAST_AHEAD_M
                && leads.iter().any(|lead| to.distance_squared(from + rounded(lead)) <= (shift_m + SPARE_M) * (shift_m + SPARE_M));
            let mut come_to = vec![false; at.len()];
            come_to[0] = true;
            let mut lead_on: Vec<bool> = at.iter().map(|p| p.x >= goal_m - SPARE_M).collect();
            for _ in 0..at.len() {
                for from in 0..at.len() {
                    for to in 0..at.len() {
                        let hop = lands(at[from], at[to]);
                        come_to[to] |= come_to[from] && hop;
                        lead_on[from] |= lead_on[to] && hop;
                    }
                }
                if reach.from_start == come_to && reach.to_goal == lead_on {
                    break;
                }
            }
            prop_assert_eq!(&reach.from_start, &come_to);
            prop_assert_eq!(&reach.to_goal, &lead_on);
        }
    }
}
