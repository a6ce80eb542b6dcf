//! The likeliest way from one posture to another.
//!
//! A* over whole-body postures, as in the paper's section 4.2, in memory and time that are told beforehand. What is still to come is
//! bounded from below by what each joint alone has to pay to the goal, all in the same number of steps; the paper's bound lets each
//! joint take its own number, and is never higher. The cost of the way so far counts (the paper left that for later).
//!
//! Ways of one length have the same number of steps before and behind them in each layer, so postures are looked at layer by layer
//! (R. Zhou and E. Hansen, "Breadth-first heuristic search", 2006), the best few of each layer kept; then again with more of them,
//! until nothing that was left out could be cheaper, or the time is over (W. Zhang, "Complete anytime beam search", 1998). So there is
//! an answer early, it gets better with time, and it says whether it is proven to be the best. Every posture that is kept has a
//! way to the goal, since each joint alone has one and joints that were never seen together are unlikely, not forbidden: no search ends
//! without an answer. The lengths are tried in the order of what they cost at least, and left where that is more than a way that was found.
//!
//! | symbol | name | unit |
//! |---|---|---|
//! | g | cost of the way so far | nats |
//! | h | what all joints alone have to pay for the steps left | nats |
//! | f = g + greed · h | what is kept goes by this; with a greed of 1 no way over a posture costs less | nats |

use crate::blocked::not_connected;
use crate::graph::ToGo;
use crate::layers::{Layers, Run};
use crate::{Posture, Result, SearchSettings, Style};

/// Ways longer than this are not looked for, in steps.
pub(crate) const MOST_STEPS: usize = 1024;

/// How many postures of a layer are kept at first, and how many times as many the next time.
const FIRST_WIDTH: usize = 2;
const WIDER: usize = 4;

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
pub fn way(
    style: &Style,
    from: &[u16],
    to: &[u16],
    steps: Option<usize>,
    settings: &SearchSettings,
) -> Result<Way> {
    settings.validate()?;
    let (to_go, mut lengths) = lengths(style, from, to, steps, settings)?;
    let mut best: Option<Way> = None;
    let mut left = settings.most_postures;
    let mut width = FIRST_WIDTH.min(settings.width);
    loop {
        // What was found comes before what is only hoped for.
        lengths.sort_by(|a, b| a.found.total_cmp(&b.found).then(a.least.total_cmp(&b.least)));
        for length in &mut lengths {
            let bar = best.as_ref().map_or(f64::INFINITY, |best| best.cost);
            if length.least >= bar {
                continue;
            }
            let layers = Layers { style, to_go: &to_go, steps: length.steps, settings, width, bar };
            let Run { postures, cost, least, looked_at } = layers.run(from, best.is_some().then_some(left));
            left = left.saturating_sub(looked_at);
            length.least = length.least.max(least);
            length.found = length.found.min(cost);
            if cost < bar {
                best = Some(Way { postures, cost, proven: false });
            }
            if left == 0 && best.is_some() {
                break;
            }
        }
        let bar = best.as_ref().map_or(f64::INFINITY, |best| best.cost);
        let proven = lengths.iter().all(|length| length.least >= bar);
        if proven || left == 0 || width >= settings.width {
            return match best {
                Some(best) => Ok(Way { proven, ..best }),
                None => Err(not_connected(style, from, to, &to_go, steps)),
            };
        }
        width = width.saturating_mul(WIDER).min(settings.width);
    }
}

/// A number of steps.
struct Length {
    steps: usize,
    /// What a way of so many steps costs at least, as far as is known.
    least: f64,
    /// What the best that was found costs.
    found: f64,
}

/// What each joint has to pay to the goal, and the numbers of steps that are possible.
fn lengths(
    style: &Style,
    from: &[u16],
    goal: &[u16],
    steps: Option<usize>,
    settings: &SearchSettings,
) -> Result<(Vec<ToGo>, Vec<Length>)> {
    let range = match steps {
        Some(steps) => steps..=steps.min(MOST_STEPS),
        None => match fewest_steps(style, from, goal) {
            Some(fewest) => {
                let most = (fewest.max(1) as f64 * settings.discursiveness).ceil() as usize;
                fewest..=most.min(MOST_STEPS)
            }
            None => return Err(not_connected(style, from, goal, &tables(style, goal, MOST_STEPS), None)),
        },
    };
    let to_go = tables(style, goal, *range.end());
    let length = |steps: usize| {
        let least = sum(&to_go, steps, from);
        (least < f64::INFINITY).then_some(Length { steps, least, found: f64::INFINITY })
    };
    let lengths: Vec<Length> = range.filter_map(length).collect();
    if lengths.is_empty() {
        return Err(not_connected(style, from, goal, &to_go, steps));
    }
    Ok((to_go, lengths))
}

/// What each joint has to pay to a goal, in up to so many steps.
fn tables(style: &Style, goal: &[u16], most_steps: usize) -> Vec<ToGo> {
    style.graphs().iter().zip(goal).map(|(graph, goal)| graph.to_go(*goal, most_steps)).collect()
}

/// The fewest steps in which every joint gets to a goal.
pub(crate) fn fewest_steps(style: &Style, from: &[u16], goal: &[u16]) -> Option<usize> {
    // Most ways are short: far ones are looked at only where there is no near one.
    [32, 128, 512, MOST_STEPS].into_iter().find_map(|most| {
        let to_go = tables(style, goal, most);
        (0..=most).find(|steps| sum(&to_go, *steps, from) < f64::INFINITY)
    })
}

/// h: what all joints have to pay for so many steps.
pub(crate) fn sum(to_go: &[ToGo], steps: usize, from: &[u16]) -> f64 {
    let all: f32 = to_go.iter().zip(from).map(|(to_go, from)| to_go.cost(steps, *from)).sum();
    // Sums in single precision may be a little high.
    f64::from(all) * (1.0 - 1e-5)
}
