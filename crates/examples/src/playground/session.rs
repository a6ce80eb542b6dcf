//! The schedule of a performer: all activities in random order, with rests in between.

use std::ops::Range;

use rand::seq::SliceRandom;
use rand::{Rng, RngExt};

use super::hand_path::HandPath;
use marey_motion::smootherstep;

/// An activity of a performer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Activity {
    Stand,
    Swing,
    Climb,
    Walk,
    Swim,
    Jump,
    TuckJump,
    Kick,
    Wave,
}

impl Activity {
    /// All activities except standing.
    const ALL: [Activity; 8] = [
        Activity::Swing,
        Activity::Climb,
        Activity::Walk,
        Activity::Swim,
        Activity::Jump,
        Activity::TuckJump,
        Activity::Kick,
        Activity::Wave,
    ];

    /// The name in ground truths.
    pub(super) fn name(self) -> &'static str {
        match self {
            Activity::Stand => "stand",
            Activity::Swing => "swing",
            Activity::Climb => "climb",
            Activity::Walk => "walk",
            Activity::Swim => "breast-stroke",
            Activity::Jump => "jump",
            Activity::TuckJump => "tuck jump",
            Activity::Kick => "hang and kick",
            Activity::Wave => "wave",
        }
    }

    /// The movement of the hands. In jumps they follow the body.
    pub(super) fn hand_path(self) -> HandPath {
        match self {
            Activity::Swing => HandPath::Bar,
            Activity::Climb => HandPath::Rope,
            Activity::Walk => HandPath::Stride,
            Activity::Swim => HandPath::Stroke,
            Activity::Kick => HandPath::Up,
            Activity::Wave => HandPath::Wave,
            Activity::Stand | Activity::Jump | Activity::TuckJump => HandPath::Hang,
        }
    }

    /// The duration of a cycle, in seconds.
    fn period_secs(self) -> f64 {
        match self {
            Activity::Swing | Activity::Swim => 1.9,
            Activity::Climb => 1.8,
            Activity::Walk => 1.1,
            // A jump takes 1.9 s, which fits at the fastest pace.
            Activity::Jump | Activity::TuckJump => 2.25,
            Activity::Kick => 1.7,
            Activity::Wave => 0.8,
            Activity::Stand => 4.0,
        }
    }
}

/// Time in which the arms come up before an activity and down after it, in seconds.
const READY_SECS: f64 = 0.8;

/// An activity and its time span.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Span {
    pub(super) activity: Activity,
    pub(super) secs: Range<f64>,
    pub(super) period_secs: f64,
}

impl Span {
    /// The number of cycles at a time; negative before the start.
    pub(super) fn cycles(&self, secs: f64) -> f64 {
        (secs - self.secs.start) / self.period_secs
    }

    /// The weight of the activity at a time: 1 within the span, 0 long before and after.
    pub(super) fn presence(&self, secs: f64) -> f64 {
        let outside = (self.secs.start - secs).max(secs - self.secs.end).max(0.0);
        1.0 - smootherstep(outside / READY_SECS)
    }
}

/// A whole session: consecutive spans, with standing between activities.
pub(super) fn plan(rng: &mut impl Rng) -> Vec<Span> {
    let mut order = Activity::ALL;
    order.shuffle(rng);
    let mut spans = Vec::new();
    let mut secs = 0.0;
    let mut add = |activity: Activity, period_secs: f64, cycles: f64| {
        let end = secs + cycles * period_secs;
        spans.push(Span { activity, secs: secs..end, period_secs });
        secs = end;
    };
    for activity in order {
        let rest = Activity::Stand;
        add(rest, rest.period_secs(), rng.random_range(0.55..0.9));
        let period_secs = activity.period_secs() * rng.random_range(0.88..1.12);
        let cycles = (6.0 / period_secs).round().max(2.0);
        add(activity, period_secs, cycles);
    }
    add(Activity::Stand, Activity::Stand.period_secs(), 0.5);
    spans
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::rng_stream;

    #[test]
    fn a_session_has_every_activity_once_with_rests_between() {
        for seed in 0..10 {
            let spans = plan(&mut rng_stream(seed, 0));
            assert_eq!(spans.len(), 2 * Activity::ALL.len() + 1);
            for two in spans.windows(2) {
                assert_eq!(two[0].secs.end, two[1].secs.start);
                assert!((two[0].activity == Activity::Stand) != (two[1].activity == Activity::Stand));
            }
            for activity in Activity::ALL {
                assert_eq!(spans.iter().filter(|span| span.activity == activity).count(), 1);
            }
            // The arms are down before they come up for the next activity.
            let rests = spans.iter().filter(|span| span.activity == Activity::Stand);
            assert!(rests.into_iter().all(|rest| rest.secs.end - rest.secs.start >= 2.0 * READY_SECS));
        }
    }
}
