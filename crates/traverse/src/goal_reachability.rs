//! The exact reachability test, with lifted arcs, alternating feet and actual landings.
//!
//! [`crate::reachability`] tests lengths and heights only. If a lookahead search still runs into a dead end, this test
//! settles the question: working backwards from the goal, a footing is open if some primitive leads from it to an open
//! footing. Primitives land on the nearest open footing, as they do in a search restricted to open footings, so that
//! such a search reaches the goal from every open footing.

use marey_motion::{Side, Vec2};

use crate::primitive_index::MIN_AHEAD_M;
use crate::{Footing, Footings, PrimitiveDatabase};

/// Which footings are open, by the foot that lands on them.
#[derive(Debug, Clone)]
pub(crate) struct GoalReachability {
    open: Vec<[bool; 2]>,
}

impl GoalReachability {
    pub(crate) fn new(database: &PrimitiveDatabase, footings: &Footings, goal_m: f32) -> Self {
        let all = footings.all();
        let mut open = vec![[false; 2]; all.len()];
        // The open footings, farthest first.
        let mut ahead: Vec<usize> = Vec::new();
        // A primitive that leads on from one footing is likely to lead on from the next.
        let mut first = [0; 2];
        let count = database.primitives().len();
        for from in (0..all.len()).rev() {
            if all[from].position.x >= goal_m {
                open[from] = [true; 2];
            } else {
                for arrival in [0, 1] {
                    let can_reach_goal = |primitive: &usize| {
                        let foot = database.primitives()[*primitive].foot;
                        let target = || landing(database, all, &ahead, from, *primitive);
                        foot.map(foot_index) != Some(arrival)
                            && target().is_some_and(|to| {
                                open[to][foot.map_or(0, foot_index)]
                                    && database
                                        .lift_cost(footings, [&all[from], &all[to]], *primitive)
                                        .is_finite()
                            })
                    };
                    let found = (first[arrival]..count).chain(0..first[arrival]).find(can_reach_goal);
                    first[arrival] = found.unwrap_or(first[arrival]);
                    open[from][arrival] = found.is_some();
                }
            }
            if open[from] != [false; 2] {
                ahead.push(from);
            }
        }
        Self { open }
    }

    /// Whether a footing is open after landing on it with a foot; `None`: with any foot.
    pub(crate) fn is_open(&self, footing: usize, foot: Option<Side>) -> bool {
        let [left, right] = self.open[footing];
        foot.map_or(left || right, |foot| self.open[footing][foot_index(foot)])
    }

    /// The farthest footing that can be reached from the start, and the first open one beyond it, or else the next one.
    pub(crate) fn barrier(
        &self,
        database: &PrimitiveDatabase,
        footings: &Footings,
        start: usize,
    ) -> [usize; 2] {
        let all = footings.all();
        let ahead: Vec<usize> = (0..all.len()).rev().collect();
        let mut reached = vec![[false; 2]; all.len()];
        reached[start] = [true; 2];
        for from in start..all.len() {
            for (index, primitive) in database.primitives().iter().enumerate() {
                // A hopper can always go on; a walker only with the other foot.
                let can_continue =
                    primitive.foot.map_or(reached[from][0], |foot| reached[from][1 - foot_index(foot)]);
                if can_continue
                    && let Some(to) = landing(database, all, &ahead, from, index)
                    && database.lift_cost(footings, [&all[from], &all[to]], index).is_finite()
                {
                    reached[to][primitive.foot.map_or(0, foot_index)] = true;
                }
            }
        }
        let last = reached.iter().rposition(|feet| *feet != [false; 2]).unwrap_or(start);
        let beyond = (last + 1..all.len()).find(|footing| self.is_open(*footing, None));
        [last, beyond.unwrap_or((last + 1).min(all.len() - 1))]
    }

    /// The entries of the open footings only.
    pub(crate) fn open_footings(&self) -> Self {
        Self { open: self.open.iter().filter(|open| **open != [false; 2]).copied().collect() }
    }
}

fn foot_index(foot: Side) -> usize {
    usize::from(foot == Side::Right)
}

/// The footing that a primitive lands on: the nearest of a list sorted farthest first; of equals, the first.
fn landing(
    database: &PrimitiveDatabase,
    all: &[Footing],
    footings: &[usize],
    from: usize,
    primitive: usize,
) -> Option<usize> {
    let max_shift_m = database.settings().max_shift_m;
    let point: Vec2 = all[from].position + database.primitives()[primitive].displacement();
    let min_m = (point.x - max_shift_m).max(all[from].position.x + MIN_AHEAD_M);
    let near = footings.partition_point(|footing| all[*footing].position.x > point.x + max_shift_m);
    let near = footings[near..].iter().take_while(|footing| all[**footing].position.x >= min_m);
    let squared = near.map(|footing| (all[*footing].position.distance_squared(point), *footing));
    let nearest = squared.reduce(|best, next| if next.0 <= best.0 { next } else { best });
    nearest.filter(|nearest| nearest.0 <= max_shift_m * max_shift_m).map(|nearest| nearest.1)
}

#[cfg(test)]
mod tests {
    use marey_examples::luxo::{self, LuxoSettings};
    use marey_plan::SourceRef;

    use super::*;
    use crate::{TraverseExample, TraverseSettings};

    #[test]
    fn footing_is_open_if_and_only_if_a_hop_leads_to_an_open_one() {
        let crossing =
            luxo::luxo(&LuxoSettings { seed: 3, length_m: 2.0, ..LuxoSettings::default() }).unwrap();
        let example = TraverseExample {
            source: SourceRef { take: "luxo".into(), actor: 0 },
            clip: crossing.example.take.first().clone(),
            contacts: crossing.example.truth.contacts().cloned().unwrap_or_default(),
            tags: vec![],
            unusable: Vec::new(),
        };
        let settings = TraverseSettings { max_shift_m: 0.05, ..TraverseSettings::default() };
        let database = PrimitiveDatabase::new(vec![example], &settings).unwrap();
        let (mut opened, mut closed) = (0, 0);
        for seed in 40..46 {
            let ground = LuxoSettings { seed, length_m: 1.5, roughness: 1.5, ..LuxoSettings::default() };
            let footings = database.footings(&luxo::terrain(&ground).unwrap());
            let goal_m = footings.all()[footings.all().len() - 1].position.x - 0.4;
            let reachability = GoalReachability::new(&database, &footings, goal_m);
            let open = footings.filtered(|footing| reachability.is_open(footing, None));
            for (index, footing) in footings.all().iter().enumerate().filter(|(_, f)| f.position.x < goal_m) {
                // The reference: a full scan on the open footings and the start.
                let usable = footings.filtered(|other| other == index || reachability.is_open(other, None));
                let start = usable.all().iter().position(|other| other == footing).unwrap();
                let query = database.fit_query(&usable, &[], start, None);
                let fits = database.index().scan(&crate::FitQuery { count: usize::MAX, ..query }).fits;
                let can_reach_open = fits.iter().any(|fit| {
                    let ends = [footing, &usable.all()[fit.footing]];
                    open.all().contains(ends[1])
                        && database.lift_cost(&usable, ends, fit.primitive).is_finite()
                });
                assert_eq!(
                    can_reach_open,
                    reachability.is_open(index, None),
                    "seed {seed}, {:.3} m",
                    footing.position.x
                );
                if can_reach_open { opened += 1 } else { closed += 1 }
            }
        }
        assert!(opened > 100 && closed > 10, "{opened} {closed}");
    }
}
