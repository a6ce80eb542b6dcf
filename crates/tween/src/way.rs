//! The likeliest way from one posture to another.
//!
//! Memory-bounded A* over whole-body postures ([`marey_plan::search::a_star`]), as in the paper's section 4.2. What is still to
//! come is bounded from below by what each joint alone has to pay to the goal, all in the same number of steps; the paper's bound
//! lets each joint take its own number, and is never higher. The cost of the way so far counts (the paper left that for later).

use marey_plan::search::{Space, a_star};

use crate::graph::ToGo;
use crate::successors::successors;
use crate::{Error, Posture, Result, SearchSettings, Style};

/// Ways longer than this are not looked for, in steps.
const MOST_STEPS: usize = 1024;

/// A way from one posture to another.
#[derive(Debug, Clone, PartialEq)]
pub struct Way {
    /// From the first to the last.
    pub postures: Vec<Posture>,
    /// How unlikely it is, in nats.
    pub cost: f64,
    /// Whether none can be likelier.
    pub proven: bool,
}

/// Searches a way in a style: the likeliest there is, or the likeliest in just so many steps.
///
/// Where the number of steps is open, each is tried, in the order of what it costs at least, until no other can be cheaper than
/// the best way found (or, with greed, than that part of it).
pub fn way(
    style: &Style,
    from: &[u16],
    to: &[u16],
    steps: Option<usize>,
    settings: &SearchSettings,
) -> Result<Way> {
    settings.validate()?;
    let (to_go, mut lengths) = lengths(style, from, to, steps, settings)?;
    lengths.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let mut best: Option<Way> = None;
    for (least_cost, steps) in lengths {
        if best.as_ref().is_some_and(|best| settings.greed * least_cost >= best.cost) {
            break;
        }
        let road = Road { style, goal: to, to_go: &to_go, steps, settings: *settings };
        let Some(found) = a_star(&road, (0, from.to_vec()), settings.most_states)? else { continue };
        if best.as_ref().is_none_or(|best| found.cost < best.cost) {
            best = Some(Way {
                postures: found.states.into_iter().map(|(_, posture)| posture).collect(),
                cost: found.cost,
                proven: found.proven && settings.greed == 1.0,
            });
        }
    }
    best.ok_or(Error::TooFar { most_states: settings.most_states })
}

/// A number of steps, behind what a way of so many costs at least.
type Length = (f64, usize);

/// What each joint has to pay to the goal, and the numbers of steps that are possible, each with what it costs at least.
fn lengths(
    style: &Style,
    from: &[u16],
    goal: &[u16],
    steps: Option<usize>,
    settings: &SearchSettings,
) -> Result<(Vec<ToGo>, Vec<Length>)> {
    let to_go = |most_steps: usize| -> Vec<ToGo> {
        let of_joint = |(joint, (graph, &goal)): (usize, (&crate::Graph, &u16))| {
            graph.to_go(goal, most_steps, |state| style.network().least_cost(joint, state))
        };
        style.graphs().iter().zip(goal).enumerate().map(of_joint).collect()
    };
    let cost = |to_go: &[ToGo], steps: usize| f64::from(sum(to_go, steps, from));
    if let Some(steps) = steps {
        let to_go = to_go(steps.min(MOST_STEPS));
        return match cost(&to_go, steps) {
            least if least < f64::INFINITY => Ok((to_go, vec![(least, steps)])),
            _ => Err(not_connected(style, from, goal, &to_go, Some(steps))),
        };
    }
    // Most ways are short: far ones are looked at only where there is no near one.
    let mut tried = 32;
    loop {
        let to_go = to_go(tried);
        if let Some(fewest) = (0..=tried).find(|steps| cost(&to_go, *steps) < f64::INFINITY) {
            let most = ((fewest.max(1) as f64 * settings.discursiveness).ceil() as usize).min(tried);
            let lengths = (fewest..=most).map(|steps| (cost(&to_go, steps), steps));
            let lengths = lengths.filter(|(least, _)| *least < f64::INFINITY).collect();
            return Ok((to_go, lengths));
        }
        if tried >= MOST_STEPS {
            return Err(not_connected(style, from, goal, &to_go, None));
        }
        tried *= 4;
    }
}

/// The postures that a way of some steps may go over: a number of steps taken, and a posture. From every one of them each joint
/// alone can reach the goal in the steps that are left, so that no way ends before it.
struct Road<'a> {
    style: &'a Style,
    goal: &'a [u16],
    /// Of each joint.
    to_go: &'a [ToGo],
    steps: usize,
    settings: SearchSettings,
}

/// What all joints have to pay for so many steps.
fn sum(to_go: &[ToGo], steps: usize, from: &[u16]) -> f32 {
    to_go.iter().zip(from).map(|(to_go, from)| to_go.cost(steps, *from)).sum()
}

impl Space for Road<'_> {
    type State = (usize, Posture);

    fn steps(&self, (taken, from): &Self::State, to: &mut Vec<(Self::State, f64)>) {
        let Some(left) = self.steps.checked_sub(taken + 1) else { return };
        let to_go = |joint: usize, state: u16| {
            self.to_go.get(joint).map_or(f32::INFINITY, |to_go| to_go.cost(left, state))
        };
        let next = successors(self.style, from, to_go, self.settings.successors);
        to.extend(next.into_iter().map(|(posture, cost)| ((taken + 1, posture), cost)));
    }

    fn is_goal(&self, (taken, posture): &Self::State) -> bool {
        posture == self.goal && self.steps == *taken
    }

    fn bound(&self, (taken, posture): &Self::State) -> f64 {
        let least = f64::from(sum(self.to_go, self.steps.saturating_sub(*taken), posture));
        // Sums in single precision may be a little high.
        least * self.settings.greed * (1.0 - 1e-5)
    }
}

/// Says which joint blocks, and which posture of the corpus near the goal can be reached.
fn not_connected(style: &Style, from: &[u16], goal: &[u16], to_go: &[ToGo], steps: Option<usize>) -> Error {
    let most = steps.unwrap_or(MOST_STEPS);
    let first = |to_go: &ToGo, from: u16| (0..=most).find(|steps| to_go.cost(*steps, from) < f32::INFINITY);
    // The joint that takes longest, where all get there in some number of steps; one that never does takes longest of all.
    let joints = to_go.iter().zip(from).map(|(to_go, from)| match steps {
        Some(steps) if to_go.cost(steps, *from) < f32::INFINITY => 0,
        _ => first(to_go, *from).unwrap_or(usize::MAX),
    });
    let blocking =
        joints.enumerate().max_by_key(|(joint, steps)| (*steps, usize::MAX - joint)).map(|(joint, _)| joint);
    let joint = blocking.and_then(|joint| style.skeleton().joints().get(joint));
    Error::NotConnected {
        joint: joint.map_or_else(String::new, |joint| joint.name.clone()),
        steps: steps.map_or_else(String::new, |steps| format!(" in {steps} steps")),
        nearest: nearest_reachable(style, from, goal),
    }
}

/// The frame of the corpus nearest to a posture of which every joint can be reached.
fn nearest_reachable(style: &Style, from: &[u16], goal: &[u16]) -> Option<(usize, usize)> {
    let reached: Vec<Vec<bool>> = style
        .graphs()
        .iter()
        .zip(from)
        .map(|(graph, &from)| {
            let mut reached = vec![false; graph.len()];
            let mut todo = vec![from];
            while let Some(state) = todo.pop() {
                if let Some(mark @ false) = reached.get_mut(usize::from(state)) {
                    *mark = true;
                    todo.extend(graph.edges(state).iter().map(|edge| edge.to));
                }
            }
            reached
        })
        .collect();
    let is_reached = |(reached, state): (&Vec<bool>, &u16)| reached.get(usize::from(*state)) == Some(&true);
    let mut best: Option<(f32, (usize, usize))> = None;
    for (clip, whole) in style.clips().iter().enumerate() {
        for frame in 0..whole.frames() {
            let Some(posture) = style.posture_of(clip, frame) else { continue };
            if !reached.iter().zip(posture).all(is_reached) {
                continue;
            }
            let turns = style.alphabets().iter().zip(posture.iter().zip(goal));
            let off: f32 = turns.map(|(a, (x, y))| a.orientation(*x).angle_between(a.orientation(*y))).sum();
            if best.is_none_or(|(least, _)| off < least) {
                best = Some((off, (clip, frame)));
            }
        }
    }
    best.map(|(_, at)| at)
}
