//! Which exchange can follow which, and at what cost.
//!
//! The recordings show only a few successors of each exchange, and none of the last exchange of a recording. Any exchange that
//! starts near the end of another can follow it too: the cost of a transition is the distance of the two instants, including
//! the velocities and the relative placement of both people. A run that only looked at the next transition would often end
//! where every transition is expensive, so each exchange also has an expected cost of what comes later.

use std::collections::VecDeque;

use marey_motion::{Role, Vec3, WorldPose};

use crate::{LabelledMovement, RecordedPair};

/// A transition of this distance is as unlikely as a deviation of one standard deviation, in metres. Beyond it, costs grow
/// linearly, so that a part of the recordings that is unlike the rest is still reached.
const DEVIATION_M: f64 = 0.08;
/// Weight of velocities: the time over which they would move a limb, in seconds.
const VELOCITY_SECS: f32 = 0.12;
/// Number of nearest exchanges that can follow besides the recorded ones.
const NEAREST: usize = 8;
/// Weight of what comes after the next transition.
const DISCOUNT: f64 = 0.9;
/// Rounds in which the expected costs are computed.
const ROUNDS: usize = 40;
/// Cost of each step on the way to a commanded exchange, so that ways are short.
const STEP_COST: f64 = 0.5;
/// The parts whose positions are compared.
const PARTS: [Role; 6] =
    [Role::Hips, Role::Head, Role::LeftHand, Role::RightHand, Role::LeftFoot, Role::RightFoot];

/// The transitions between groups of exchanges.
#[derive(Debug, Clone)]
pub(crate) struct ExchangeGraph {
    /// Cost of each transition, row by row.
    costs: Vec<f64>,
    /// Expected cost of what follows each group.
    later: Vec<f64>,
    /// The groups that can follow each group.
    successors: Vec<Vec<usize>>,
    groups: usize,
}

/// Positions of the parts of both people in the frame of the pair, followed by their weighted velocities.
type Instant = Vec<Vec3>;

impl ExchangeGraph {
    /// Compares the ends and starts of all exchanges.
    pub(crate) fn new(pairs: &[RecordedPair], movements: &[LabelledMovement], groups: usize) -> Self {
        let starts: Vec<Instant> =
            movements.iter().map(|own| instant(&pairs[own.pair], own.frames.start)).collect();
        let ends: Vec<Instant> =
            movements.iter().map(|own| instant(&pairs[own.pair], own.frames.end)).collect();
        let mut costs = vec![f64::INFINITY; groups * groups];
        for (from, end) in movements.iter().zip(&ends) {
            for (to, start) in movements.iter().zip(&starts) {
                let cost = &mut costs[from.group * groups + to.group];
                *cost = cost.min(cost_of(distance_m(end, start)));
            }
        }
        let mut successors = vec![Vec::new(); groups];
        for two in movements.windows(2) {
            if two[0].pair == two[1].pair && two[0].frames.end == two[1].frames.start {
                successors[two[0].group].push(two[1].group);
            }
        }
        for (group, successors) in successors.iter_mut().enumerate() {
            let row = &costs[group * groups..][..groups];
            let mut nearest: Vec<usize> =
                (0..groups).filter(|other| *other != group || groups == 1).collect();
            nearest.sort_by(|a, b| row[*a].total_cmp(&row[*b]).then(a.cmp(b)));
            successors.extend(nearest.into_iter().take(NEAREST));
            successors.sort_unstable();
            successors.dedup();
        }
        let mut graph = Self { costs, later: vec![0.0; groups], successors, groups };
        for _ in 0..ROUNDS {
            graph.later = (0..groups).map(|group| graph.cheapest(group)).collect();
        }
        graph
    }

    /// Returns the groups that can follow a group.
    pub(crate) fn successors(&self, group: usize) -> &[usize] {
        &self.successors[group]
    }

    /// Returns the cost of a transition.
    pub(crate) fn cost(&self, from: usize, to: usize) -> f64 {
        self.costs[from * self.groups + to]
    }

    /// Returns the cost of a transition with what is expected to follow it.
    pub(crate) fn cost_with_later(&self, from: usize, to: usize) -> f64 {
        self.cost(from, to) + DISCOUNT * self.later[to]
    }

    fn cheapest(&self, group: usize) -> f64 {
        let next = self.successors[group].iter().map(|&next| self.cost_with_later(group, next));
        next.fold(f64::INFINITY, f64::min)
    }

    /// Returns the next group on the cheapest way to any of the groups that `is_goal` accepts; `None` if there is none.
    pub(crate) fn next_towards(&self, from: usize, is_goal: impl Fn(usize) -> bool) -> Option<usize> {
        let mut left: Vec<f64> =
            (0..self.groups).map(|group| if is_goal(group) { 0.0 } else { f64::INFINITY }).collect();
        let mut queue: VecDeque<usize> = (0..self.groups).filter(|group| is_goal(*group)).collect();
        let mut is_queued: Vec<bool> = left.iter().map(|left| *left == 0.0).collect();
        while let Some(to) = queue.pop_front() {
            is_queued[to] = false;
            for before in (0..self.groups).filter(|before| self.successors[*before].contains(&to)) {
                let through = left[to] + self.cost(before, to) + STEP_COST;
                if through < left[before] {
                    left[before] = through;
                    if !std::mem::replace(&mut is_queued[before], true) {
                        queue.push_back(before);
                    }
                }
            }
        }
        // The goal itself may be far from what usually follows.
        let total = |next: usize| self.cost(from, next) + STEP_COST + left[next];
        let direct = (0..self.groups).filter(|group| is_goal(*group));
        let next = self.successors[from].iter().copied().chain(direct);
        let best = next.reduce(|best, next| if total(next) < total(best) { next } else { best })?;
        total(best).is_finite().then_some(best)
    }
}

/// Returns the cost of a transition over a distance.
fn cost_of(distance_m: f32) -> f64 {
    let deviations = f64::from(distance_m) / DEVIATION_M;
    if deviations < 1.0 { 0.5 * deviations * deviations } else { deviations - 0.5 }
}

/// Returns the root mean square distance of two instants, in metres.
fn distance_m(one: &Instant, other: &Instant) -> f32 {
    let sum: f32 = one.iter().zip(other).map(|(a, b)| a.distance_squared(*b)).sum();
    (sum / (2 * PARTS.len()) as f32).sqrt()
}

/// Describes a frame of a recording.
fn instant(pair: &RecordedPair, frame: usize) -> Instant {
    let last = pair.frames() - 1;
    let frame = frame.min(last);
    let step = ((0.03 * pair.rate_hz()).round() as usize).max(1);
    let (before, after) = (frame.saturating_sub(step), (frame + step).min(last));
    let at = |frame: usize| -> Vec<Vec3> {
        let positions = pair.people.iter().flat_map(|person| {
            let world = WorldPose::of(person.clip.skeleton(), person.clip.pose(frame));
            PARTS.map(|role| {
                world.skeleton().joint_of(role).map_or(Vec3::ZERO, |joint| world.positions[joint])
            })
        });
        positions.collect()
    };
    let grounds = [0, 1].map(|person| {
        let person = &pair.people[person].clip;
        person.slice(frame..frame + 1).map(|clip| clip.ground_track().frames[0]).unwrap_or_default()
    });
    let from_world = super::exchange_placement::pair_ground(grounds).inverse();
    let positions = at(frame).into_iter().map(|position| from_world.point(position));
    let secs = (after - before).max(1) as f32 / pair.rate_hz() as f32;
    let velocities = at(after)
        .into_iter()
        .zip(at(before))
        .map(|(after, before)| from_world.direction(after - before) * (VELOCITY_SECS / secs));
    positions.chain(velocities).collect()
}

#[cfg(test)]
mod tests {
    use marey_motion::Observer;
    use marey_plan::Seed;

    use super::*;
    use crate::test_bout::bout;
    use crate::{DuetLabelSettings, label};

    #[test]
    fn recorded_successors_are_free_and_every_exchange_can_be_reached() {
        let pairs = bout();
        let settings =
            DuetLabelSettings { in_unison: Some(true), iterations: 5, ..DuetLabelSettings::default() };
        let labels = label(&pairs, &settings, Seed(1), Observer::ignore()).unwrap();
        let [first, _] = &labels.people;
        let graph = ExchangeGraph::new(&pairs, &first.all, first.groups);
        for two in first.all.windows(2) {
            let [from, to] = [two[0].group, two[1].group];
            assert!(graph.cost(from, to) < 1e-9 && graph.successors(from).contains(&to), "{from} {to}");
        }
        // The last exchange of the recording has no recorded successor.
        let last = first.all[first.all.len() - 1].group;
        assert!(!graph.successors(last).is_empty());
        for goal in 0..first.groups {
            let mut at = last;
            let mut steps = 0;
            while steps == 0 || at != goal {
                at = graph.next_towards(at, |group| group == goal).unwrap();
                steps += 1;
                assert!(steps <= first.groups, "no way to {goal}");
            }
        }
        assert_eq!(graph.next_towards(last, |_| false), None);
    }
}
