//! The schedule of a dancer's hand.

use marey_motion::{Vec3, smootherstep};

/// The target of a hand.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Goal {
    /// It moves freely.
    Free,
    /// It holds a hand of the partner.
    Held,
    /// It rests on the partner, at a place in the frame of the upper chest.
    On(Vec3),
}

/// A time span in which a hand is at its goal. Between two spans the hand moves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Span {
    pub(crate) from_secs: f64,
    pub(crate) until_secs: f64,
    pub(crate) goal: Goal,
}

/// The schedule of a hand through a dance: spans sorted by time.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Hands {
    spans: Vec<Span>,
}

impl Hands {
    /// A hand with these spans.
    pub(crate) fn new(mut spans: Vec<Span>) -> Self {
        // Consecutive spans with the same goal are merged.
        spans.dedup_by(|next, last| {
            let same = next.goal == last.goal && next.from_secs <= last.until_secs;
            if same {
                last.until_secs = next.until_secs;
            }
            same
        });
        Self { spans }
    }

    /// A hand with one goal all the time.
    pub(crate) fn always(goal: Goal) -> Self {
        Self { spans: vec![Span { from_secs: f64::NEG_INFINITY, until_secs: f64::INFINITY, goal }] }
    }

    /// The spans in which the hand is not free.
    pub(crate) fn busy(&self) -> impl Iterator<Item = &Span> {
        self.spans.iter().filter(|span| span.goal != Goal::Free)
    }

    /// The previous goal, the next goal, and the fraction of the move between them.
    pub(crate) fn at(&self, secs: f64) -> (Goal, Goal, f64) {
        let next = self.spans.partition_point(|span| span.from_secs <= secs);
        let goal = |i: usize| self.spans.get(i).map_or(Goal::Free, |span| span.goal);
        let Some(last) = next.checked_sub(1) else {
            return (goal(0), goal(0), 0.0);
        };
        let (departure_secs, arrival_secs) =
            (self.spans[last].until_secs, self.spans.get(next).map_or(f64::INFINITY, |span| span.from_secs));
        if secs <= departure_secs || !arrival_secs.is_finite() {
            return (goal(last), goal(last), 0.0);
        }
        (goal(last), goal(next), smootherstep((secs - departure_secs) / (arrival_secs - departure_secs)))
    }

    /// The degree to which the hand holds the partner's hand, from 0 to 1.
    pub(crate) fn held(&self, secs: f64) -> f64 {
        let (from, to, share) = self.at(secs);
        let is_held = |goal: Goal| f64::from(u8::from(goal == Goal::Held));
        is_held(from) * (1.0 - share) + is_held(to) * share
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hand_moves_from_one_goal_to_the_next() {
        let span = |from_secs, until_secs, goal| Span { from_secs, until_secs, goal };
        let hand = Hands::new(vec![
            span(0.0, 1.0, Goal::Free),
            span(2.0, 3.0, Goal::Held),
            span(3.0, 4.0, Goal::Held),
            span(6.0, 7.0, Goal::Free),
        ]);
        assert_eq!(hand.at(0.5), (Goal::Free, Goal::Free, 0.0));
        assert_eq!(hand.at(1.5), (Goal::Free, Goal::Held, 0.5));
        assert_eq!((hand.held(1.5), hand.held(3.0), hand.held(5.0), hand.held(9.0)), (0.5, 1.0, 0.5, 0.0));
        assert_eq!(hand.busy().count(), 1);
    }
}
