//! The schedules of both dancers' hands.

use super::score::{BEATS, Score};
use super::{PatternTransition, Stance, Turn};
use crate::couple::{Embrace, Goal, Hands, Span};

/// Duration of a hand's move from one goal to the next, in beats.
const MOVE_BEATS: f64 = 0.9;

/// The hands of both: leader's left and right, follower's left and right.
pub(super) fn hands(score: &Score, embrace: &Embrace) -> [[Hands; 2]; 2] {
    let mut left = grips(score, false);
    let mut right = grips(score, true);
    let embraces = embraces(score);
    let spans = |goal: Goal, times: &[(f64, f64)]| -> Vec<Span> {
        times.iter().map(|&(from, until)| span(score, from, until, goal)).collect()
    };
    // A right hand that has just let go needs time to move to the back.
    for &(from, until) in &embraces {
        let free = right.iter().filter(|grip| grip.until_secs < score.secs_at(until));
        let from = free.map(|grip| score.beat_at(grip.until_secs) + MOVE_BEATS).fold(from, f64::max);
        if until - from > 0.3 {
            right.push(span(score, from, until, embrace.on_follower));
        }
    }
    right.sort_by(|a, b| a.from_secs.total_cmp(&b.from_secs));
    let mut on_leader = spans(embrace.on_leader, &embraces);
    for hand in [&mut left, &mut right, &mut on_leader] {
        *hand = with_rests(score, hand);
    }
    [[Hands::new(left), Hands::new(right)], [Hands::new(on_leader), Hands::always(Goal::Held)]]
}

fn span(score: &Score, from_beat: f64, until_beat: f64, goal: Goal) -> Span {
    Span { from_secs: score.secs_at(from_beat), until_secs: score.secs_at(until_beat), goal }
}

/// The spans in which one of the leader's hands holds. The new hand arrives before the old one leaves.
fn grips(score: &Score, crosshand: bool) -> Vec<Span> {
    let mut spans: Vec<(f64, f64)> = Vec::new();
    let last = score.transitions.len();
    for (i, _) in score.stances().enumerate().filter(|(_, stance)| stance.is_crosshand() == crosshand) {
        let from = if i == 0 { -1e3 } else { (BEATS * i) as f64 - 0.1 };
        let until = if i == last { 1e4 } else { (BEATS * (i + 1)) as f64 + 0.15 };
        match spans.last_mut() {
            Some(open) if open.1 >= from => open.1 = until,
            _ => spans.push((from, until)),
        }
    }
    spans.into_iter().map(|(from, until)| span(score, from, until, Goal::Held)).collect()
}

/// The embraces of the couple, as start and end beats.
fn embraces(score: &Score) -> Vec<(f64, f64)> {
    let mut spans: Vec<(f64, f64)> = Vec::new();
    for (i, _) in score.stances().enumerate().filter(|(_, stance)| *stance == Stance::Closed) {
        let start = (BEATS * i) as f64;
        let from = match i {
            0 => -1e3,
            _ if score.turns_before(i) => start + 1.1,
            _ => start - 0.2,
        };
        let until = match score.transitions.get(i) {
            None => 1e4,
            Some(PatternTransition { turn: Turn::Step, to: Stance::Closed, .. }) => start + 4.0,
            Some(PatternTransition { turn: Turn::Step, .. }) => start + 1.5,
            Some(_) => start + 0.6,
        };
        match spans.last_mut() {
            Some(open) if open.1 + 0.3 >= from => open.1 = until,
            _ if until - from > 0.3 => spans.push((from, until)),
            _ => {}
        }
    }
    spans
}

/// Adds rests between spans if there is time.
fn with_rests(score: &Score, spans: &[Span]) -> Vec<Span> {
    let move_secs = MOVE_BEATS * score.beat_secs;
    let mut all = Vec::new();
    let mut since = f64::NEG_INFINITY;
    let end = Span { from_secs: f64::INFINITY, until_secs: f64::INFINITY, goal: Goal::Free };
    for span in spans.iter().chain([&end]) {
        let rest =
            Span { from_secs: since + move_secs, until_secs: span.from_secs - move_secs, goal: Goal::Free };
        if rest.until_secs - rest.from_secs > 0.2 * score.beat_secs {
            all.push(rest);
        }
        if span.goal != Goal::Free {
            all.push(*span);
        }
        since = span.until_secs;
    }
    all
}
