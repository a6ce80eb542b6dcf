//! From where the goal can be come to, hop by hop: arcs are lifted, feet take turns, landings are where they would be.
//!
//! [`crate::reach`] says quickly what lengths and heights let a figure come to. Where that is not enough, and a search that looks some
//! hops ahead has run into a dead end, the same is found out for good: from the goal backwards, a footing is open if some primitive leads from it
//! to an open one. Landings are on the nearest footing that is open, as a search will have them that knows no others, so from every open footing
//! such a search comes to the goal.

use marey_motion::{Side, Vec2};

use crate::index::LEAST_AHEAD_M;
use crate::{Database, Footing, Footings};

/// Which footings are open, by the foot that came to them.
#[derive(Debug, Clone)]
pub(crate) struct Passage {
    open: Vec<[bool; 2]>,
}

impl Passage {
    pub(crate) fn of(database: &Database, footings: &Footings, goal_m: f32) -> Self {
        let all = footings.all();
        let mut open = vec![[false; 2]; all.len()];
        // Those that are open, the farthest first.
        let mut ahead: Vec<usize> = Vec::new();
        // What led on from the last is likely to lead on from the next.
        let mut first = [0; 2];
        let count = database.primitives().len();
        for from in (0..all.len()).rev() {
            if all[from].at.x >= goal_m {
                open[from] = [true; 2];
            } else {
                for came in [0, 1] {
                    let leads_on = |primitive: &usize| {
                        let foot = database.primitives()[*primitive].foot;
                        let goes_to = || landing(database, all, &ahead, from, *primitive);
                        foot.map(side) != Some(came)
                            && goes_to().is_some_and(|to| {
                                open[to][foot.map_or(0, side)]
                                    && database.lift(footings, [&all[from], &all[to]], *primitive).is_finite()
                            })
                    };
                    let found = (first[came]..count).chain(0..first[came]).find(leads_on);
                    first[came] = found.unwrap_or(first[came]);
                    open[from][came] = found.is_some();
                }
            }
            if open[from] != [false; 2] {
                ahead.push(from);
            }
        }
        Self { open }
    }

    /// Whether a footing is open that was come to with a foot; to those of one foot, and at the start, with any.
    pub(crate) fn is_open(&self, footing: usize, foot: Option<Side>) -> bool {
        let [left, right] = self.open[footing];
        foot.map_or(left || right, |foot| self.open[footing][side(foot)])
    }

    /// The farthest footing that can be come to from one, and the first open one beyond it, or else the next.
    pub(crate) fn barrier(&self, database: &Database, footings: &Footings, start: usize) -> [usize; 2] {
        let all = footings.all();
        let ahead: Vec<usize> = (0..all.len()).rev().collect();
        let mut came = vec![[false; 2]; all.len()];
        came[start] = [true; 2];
        for from in start..all.len() {
            for (number, primitive) in database.primitives().iter().enumerate() {
                // Any foot may follow where there is but one, or where the other one came.
                let may_go = primitive.foot.map_or(came[from][0], |foot| came[from][1 - side(foot)]);
                if may_go
                    && let Some(to) = landing(database, all, &ahead, from, number)
                    && database.lift(footings, [&all[from], &all[to]], number).is_finite()
                {
                    came[to][primitive.foot.map_or(0, side)] = true;
                }
            }
        }
        let last = came.iter().rposition(|came| *came != [false; 2]).unwrap_or(start);
        let beyond = (last + 1..all.len()).find(|footing| self.is_open(*footing, None));
        [last, beyond.unwrap_or((last + 1).min(all.len() - 1))]
    }

    /// Of the open footings only.
    pub(crate) fn only_open(&self) -> Self {
        Self { open: self.open.iter().filter(|open| **open != [false; 2]).copied().collect() }
    }
}

fn side(foot: Side) -> usize {
    usize::from(foot == Side::Right)
}

/// Where a primitive lands: on the nearest of some footings, which are sorted from the farthest; of several, on the first.
fn landing(
    database: &Database,
    all: &[Footing],
    some: &[usize],
    from: usize,
    primitive: usize,
) -> Option<usize> {
    let shift_m = database.settings().most_shift_m;
    let point: Vec2 = all[from].at + database.primitives()[primitive].lead();
    let least_m = (point.x - shift_m).max(all[from].at.x + LEAST_AHEAD_M);
    let near = some.partition_point(|footing| all[*footing].at.x > point.x + shift_m);
    let near = some[near..].iter().take_while(|footing| all[**footing].at.x >= least_m);
    let squared = near.map(|footing| (all[*footing].at.distance_squared(point), *footing));
    let nearest = squared.reduce(|best, next| if next.0 <= best.0 { next } else { best });
    nearest.filter(|nearest| nearest.0 <= shift_m * shift_m).map(|nearest| nearest.1)
}

#[cfg(test)]
mod tests {
    use marey_examples::luxo::{self, LuxoSettings};
    use marey_plan::SourceRef;

    use super::*;
    use crate::{Example, Settings};

    #[test]
    fn from_open_footings_a_hop_leads_to_open_ones_and_from_others_none_does() {
        let hopped = luxo::luxo(&LuxoSettings { seed: 3, length_m: 2.0, ..LuxoSettings::default() }).unwrap();
        let example = Example {
            source: SourceRef { take: "luxo".into(), actor: 0 },
            clip: hopped.example.take.first().clone(),
            contacts: hopped.example.truth.contacts().cloned().unwrap_or_default(),
            tags: vec![],
        };
        let settings = Settings { most_shift_m: 0.05, ..Settings::default() };
        let database = Database::new(vec![example], &settings).unwrap();
        let (mut opened, mut closed) = (0, 0);
        for seed in 40..46 {
            let ground = LuxoSettings { seed, length_m: 1.5, roughness: 1.5, ..LuxoSettings::default() };
            let footings = database.footings(&luxo::terrain(&ground).unwrap());
            let goal_m = footings.all()[footings.all().len() - 1].at.x - 0.4;
            let passage = Passage::of(&database, &footings, goal_m);
            let open = footings.only(|footing| passage.is_open(footing, None));
            for (number, footing) in footings.all().iter().enumerate().filter(|(_, f)| f.at.x < goal_m) {
                // Found anew on the open footings and the one it begins at.
                let here = footings.only(|other| other == number || passage.is_open(other, None));
                let begin = here.all().iter().position(|other| other == footing).unwrap();
                let ask = database.ask_from(&here, &[], begin, None);
                let fits = database.index().scan(&crate::Ask { count: usize::MAX, ..ask }).fits;
                let leads = fits.iter().any(|fit| {
                    let ends = [footing, &here.all()[fit.footing]];
                    open.all().contains(ends[1]) && database.lift(&here, ends, fit.primitive).is_finite()
                });
                assert_eq!(leads, passage.is_open(number, None), "seed {seed}, {:.3} m", footing.at.x);
                if leads { opened += 1 } else { closed += 1 }
            }
        }
        assert!(opened > 100 && closed > 10, "{opened} {closed}");
    }
}
