//! The likeliest path from one posture to another.
//!
//! A* over whole-body postures, as in section 4.2 of the paper, in bounded memory and time. The heuristic is
//! the sum of the costs that each joint alone has to pay to the goal, all in the same number of steps. The
//! paper's heuristic lets each joint take its own number of steps, and is never higher. The cost of the path
//! so far counts; the paper left that for later.
//!
//! All paths of one length have the same number of steps before and after each layer, so postures are
//! expanded layer by layer (R. Zhou and E. Hansen, "Breadth-first heuristic search", 2006), keeping the best
//! of each layer. The search repeats with a wider beam until no pruned path can be cheaper, or the expansions
//! run out (W. Zhang, "Complete anytime beam search", 1998). So there is an early result that improves with
//! time, and the search knows whether the result is optimal. Every posture that is kept has a path to the
//! goal: each joint alone has one, and unseen pairs of joint orientations are unlikely, not impossible.
//! Lengths are tried in the order of their lower bounds, and skipped if the bound is higher than the cost of
//! a path already found.
//!
//! | symbol | name | unit |
//! |---|---|---|
//! | g | cost of the path so far | nats |
//! | h | cost that all joints alone pay for the remaining steps | nats |
//! | f = g + w · h | order of postures in a layer; w is the heuristic weight | nats |

use marey_motion::Observer;

use crate::beam_search::{BeamResult, BeamSearch};
use crate::not_connected::not_connected;
use crate::transition_graph::CostToGo;
use crate::{MotionStyle, PathSearchSettings, Posture, Result};

/// Maximum number of steps of a path.
pub(crate) const MAX_STEPS: usize = 1024;

const INITIAL_WIDTH: usize = 2;
const WIDTH_FACTOR: usize = 4;

/// A path from one posture to another.
#[derive(Debug, Clone, PartialEq)]
pub struct PosePath {
    /// Postures from the first to the last.
    pub postures: Vec<Posture>,
    /// Negative log-likelihood, in nats.
    pub cost: f64,
    /// Whether no path can be likelier.
    pub is_optimal: bool,
}

/// Returns the likeliest path in a style, or the likeliest with a given number of steps.
///
/// # Errors
///
/// `tween/not-connected` if there is no path; `tween/setting` if a setting is out of range.
pub fn find_path(
    style: &MotionStyle,
    from: &[u16],
    to: &[u16],
    steps: Option<usize>,
    settings: &PathSearchSettings,
) -> Result<PosePath> {
    find_path_observed(style, from, to, steps, settings, Observer::ignore())
}

/// [`find_path`], which can be cancelled by an observer.
pub fn find_path_observed(
    style: &MotionStyle,
    from: &[u16],
    to: &[u16],
    steps: Option<usize>,
    settings: &PathSearchSettings,
    observer: Observer<'_>,
) -> Result<PosePath> {
    settings.validate()?;
    let (cost_to_go, mut lengths) = candidate_lengths(style, from, to, steps, settings)?;
    let mut best: Option<PosePath> = None;
    let mut expansions_left = settings.max_expansions;
    let mut width = INITIAL_WIDTH.min(settings.beam_width);
    loop {
        // Lengths with a known path come before those with a bound only.
        lengths.sort_by(|a, b| {
            a.best_cost.total_cmp(&b.best_cost).then(a.lower_bound.total_cmp(&b.lower_bound))
        });
        for length in &mut lengths {
            let upper_bound = best.as_ref().map_or(f64::INFINITY, |best| best.cost);
            if length.lower_bound >= upper_bound {
                continue;
            }
            let search = BeamSearch {
                style,
                cost_to_go: &cost_to_go,
                steps: length.steps,
                settings,
                width,
                upper_bound,
            };
            let BeamResult { postures, cost, lower_bound, expanded } =
                search.run(from, best.is_some().then_some(expansions_left), observer)?;
            expansions_left = expansions_left.saturating_sub(expanded);
            length.lower_bound = length.lower_bound.max(lower_bound);
            length.best_cost = length.best_cost.min(cost);
            if cost < upper_bound {
                best = Some(PosePath { postures, cost, is_optimal: false });
            }
            if expansions_left == 0 && best.is_some() {
                break;
            }
        }
        let upper_bound = best.as_ref().map_or(f64::INFINITY, |best| best.cost);
        let is_optimal = lengths.iter().all(|length| length.lower_bound >= upper_bound);
        if is_optimal || expansions_left == 0 || width >= settings.beam_width {
            return match best {
                Some(best) => Ok(PosePath { is_optimal, ..best }),
                None => Err(not_connected(style, from, to, &cost_to_go, steps)),
            };
        }
        width = width.saturating_mul(WIDTH_FACTOR).min(settings.beam_width);
    }
}

/// A candidate number of steps.
struct Length {
    steps: usize,
    /// Lower bound for the cost of a path with this number of steps.
    lower_bound: f64,
    /// Cost of the best path found.
    best_cost: f64,
}

/// Returns the cost-to-go table of each joint, and the possible numbers of steps.
fn candidate_lengths(
    style: &MotionStyle,
    from: &[u16],
    goal: &[u16],
    steps: Option<usize>,
    settings: &PathSearchSettings,
) -> Result<(Vec<CostToGo>, Vec<Length>)> {
    let range = match steps {
        Some(steps) => steps..=steps.min(MAX_STEPS),
        None => match min_steps(style, from, goal) {
            Some(min) => {
                let max = (min.max(1) as f64 * settings.max_length_ratio).ceil() as usize;
                min..=max.min(MAX_STEPS)
            }
            None => return Err(not_connected(style, from, goal, &tables(style, goal, MAX_STEPS), None)),
        },
    };
    let cost_to_go = tables(style, goal, *range.end());
    let length = |steps: usize| {
        let lower_bound = lower_bound(&cost_to_go, steps, from);
        (lower_bound < f64::INFINITY).then_some(Length { steps, lower_bound, best_cost: f64::INFINITY })
    };
    let lengths: Vec<Length> = range.filter_map(length).collect();
    if lengths.is_empty() {
        return Err(not_connected(style, from, goal, &cost_to_go, steps));
    }
    Ok((cost_to_go, lengths))
}

/// Returns the cost-to-go table of each joint, for up to `max_steps` steps.
fn tables(style: &MotionStyle, goal: &[u16], max_steps: usize) -> Vec<CostToGo> {
    style.graphs().iter().zip(goal).map(|(graph, goal)| graph.cost_to_go(*goal, max_steps)).collect()
}

/// Returns the smallest number of steps in which every joint reaches the goal.
pub(crate) fn min_steps(style: &MotionStyle, from: &[u16], goal: &[u16]) -> Option<usize> {
    // Most paths are short, so large tables are only computed if small ones do not suffice.
    [32, 128, 512, MAX_STEPS].into_iter().find_map(|max_steps| {
        let tables = tables(style, goal, max_steps);
        (0..=max_steps).find(|steps| lower_bound(&tables, *steps, from) < f64::INFINITY)
    })
}

/// h: the cost that all joints alone pay for a number of steps.
pub(crate) fn lower_bound(cost_to_go: &[CostToGo], steps: usize, from: &[u16]) -> f64 {
    let sum: f32 = cost_to_go.iter().zip(from).map(|(table, from)| table.cost(steps, *from)).sum();
    // Sums in single precision may be slightly too high.
    f64::from(sum) * (1.0 - 1e-5)
}
