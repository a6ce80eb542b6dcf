//! Which ground can be come to at all, before anything is tried.
//!
//! Question 6 of Lamouret and van de Panne (1996, section 2). Whether states match is left aside: a footing leads to another if any
//! example leads there within what a landing may be moved. What cannot be reached so cannot be reached at all; what the goal
//! cannot be reached from is a dead end.
//!
//! Limits: footings are thinned to every 2 cm and examples to every centimetre of length and height, with as much to spare.

use std::ops::Range;

use marey_motion::Vec2;

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
        let reach_m = shift_m + SPARE_M;
        let near = |from: Vec2, lead: &Vec2| -> Range<usize> {
            let landing = from + *lead;
            let first = at.partition_point(|p| p.x < (landing.x - reach_m).max(from.x + LEAST_AHEAD_M));
            let end = at.partition_point(|p| p.x <= landing.x + reach_m);
            first..end.max(first)
        };
        let lands = |from: Vec2, lead: &Vec2, to: usize| at[to].distance(from + *lead) <= reach_m;
        let mut from_start = vec![false; at.len()];
        if let Some(first) = from_start.get_mut(start / THIN) {
            *first = true;
        }
        for from in start / THIN..at.len() {
            if !from_start[from] {
                continue;
            }
            for lead in &leads {
                for to in near(at[from], lead) {
                    from_start[to] = from_start[to] || lands(at[from], lead, to);
                }
            }
        }
        let mut to_goal: Vec<bool> = at.iter().map(|p| p.x >= goal_m - SPARE_M).collect();
        for from in (0..at.len()).rev() {
            let on = |lead: &Vec2| near(at[from], lead).any(|to| to_goal[to] && lands(at[from], lead, to));
            to_goal[from] = to_goal[from] || leads.iter().any(on);
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
    pub(crate) fn check(
        &self,
        footings: &Footings,
        gaps: impl Iterator<Item = Range<f32>>,
        goal_m: f32,
    ) -> Result<()> {
        let all = footings.all();
        let reached = self.from_start.iter().rposition(|reached| *reached).unwrap_or(0) * THIN;
        let last = &all[reached.min(all.len() - 1)];
        if last.at.x >= goal_m - SPARE_M {
            return Ok(());
        }
        let next = all.get(reached + THIN).unwrap_or(last);
        let mut gaps = gaps.filter(|gap| gap.start >= last.at.x && gap.end <= next.at.x);
        let ahead = next.at - last.at;
        Err(Error::Unreachable {
            until_m: last.at.x,
            footing_m: next.at.x,
            ahead_m: ahead.x,
            up_m: ahead.y,
            gap: gaps.next().map(|gap| [gap.start, gap.end]),
        })
    }
}
