//! The hands of all actors in one frame.
//!
//! First, every hand goes to the weighted mean of the positions that are as near to what it touches as in the source. Then it
//! moves along the directions out of what it touches until the distances are right: positions alone cannot give them, because
//! bodies differ in shape. A hand that is not near anything in the source only stays outside of what it would go into.

use glam::Vec3;
use marey_motion::Side;

use super::figure::Figure;
use super::hand_goals::{Anchor, AnchorGoal, HandAt, HandGoals, Touch, Touched, middle};
use super::hands::{HandShifts, TouchingActor};
use super::touch_body::{Gap, PosedBody};

/// Rounds in which hands that depend on each other approach their positions.
const POSITION_ROUNDS: usize = 12;
/// Rounds in which they approach their distances.
const DISTANCE_ROUNDS: usize = 24;
/// Smaller corrections, in metres, end the rounds.
const CLOSE_M: f32 = 1e-4;

pub(super) struct Moment {
    hands: Vec<HandAt>,
    /// For each hand.
    goals: Vec<HandGoals>,
    targets: Vec<PosedBody>,
}

impl Moment {
    /// A frame of actors: their sources, and the targets before any correction.
    pub(super) fn new(actors: &[TouchingActor<'_>], sources: &[PosedBody], figures: &[&Figure]) -> Self {
        let mut hands = Vec::new();
        let mut targets = Vec::new();
        for (number, actor) in actors.iter().enumerate() {
            let figure = figures[number];
            let positions = figure.positions(actor.target);
            let target = PosedBody::new(&actor.hands.target.capsules, &positions, &figure.rotations);
            for side in 0..2 {
                let both = (sources[number].hand(Side::BOTH[side]), target.hand(Side::BOTH[side]));
                let (Some(source), Some(hand)) = both else { continue };
                let arm = actor.hands.arms[side].as_ref().filter(|_| actor.can_move);
                hands.push(HandAt {
                    actor: number,
                    side,
                    source,
                    target: hand,
                    reach: arm.map(|arm| (positions[arm.joints.upper], arm.reach_m)),
                    wrist: hand.from,
                });
            }
            targets.push(target);
        }
        let goals =
            (0..hands.len()).map(|hand| HandGoals::of(hand, &hands, actors, sources, &targets)).collect();
        Self { hands, goals, targets }
    }

    /// The shifts that give hands their positions and distances.
    pub(super) fn solve(&self) -> HandShifts {
        let mut shifts = vec![Vec3::ZERO; self.hands.len()];
        for _ in 0..POSITION_ROUNDS {
            for (number, hand) in self.hands.iter().enumerate() {
                let wanted = self.wanted(number, &shifts);
                shifts[number] = hand.reachable(wanted - middle(&hand.target));
            }
        }
        self.keep_distances(&mut shifts, &self.targets, |_| true);
        self.of_actors(&shifts, |_| Vec3::ZERO)
    }

    /// The shifts that the hands of one side lack after arms were bent. Those of the other side stay.
    pub(super) fn refine(&self, actors: &[TouchingActor<'_>], frame: usize, side: usize) -> HandShifts {
        let bodies: Vec<PosedBody> = actors
            .iter()
            .map(|actor| {
                let figure = &actor.figures[frame];
                let positions = figure.positions(actor.target);
                PosedBody::new(&actor.hands.target.capsules, &positions, &figure.rotations)
            })
            .collect();
        let moved = |hand: &HandAt| {
            let now = bodies[hand.actor].hand(Side::BOTH[hand.side]);
            now.map_or(Vec3::ZERO, |now| now.from - hand.target.from)
        };
        let mut shifts: Vec<Vec3> = self.hands.iter().map(moved).collect();
        self.keep_distances(&mut shifts, &bodies, |hand| hand.side == side);
        self.of_actors(&shifts, moved)
    }

    /// Shifts by actor and side, beyond those that were made.
    fn of_actors(&self, shifts: &[Vec3], made: impl Fn(&HandAt) -> Vec3) -> HandShifts {
        let mut all = vec![[Vec3::ZERO; 2]; self.targets.len()];
        for (hand, &shift) in self.hands.iter().zip(shifts) {
            all[hand.actor][hand.side] = shift - made(hand);
        }
        all
    }

    /// The mean of the positions for a hand, or between it and the uncorrected position if nothing is quite near.
    fn wanted(&self, number: usize, shifts: &[Vec3]) -> Vec3 {
        let without = middle(&self.hands[number].target);
        let (mut sum, mut total, mut most) = (Vec3::ZERO, 0.0, 0.0f32);
        for Anchor { weight, goal } in &self.goals[number].anchors {
            let place = match *goal {
                AnchorGoal::At(place) => place,
                AnchorGoal::Height(height_m) => without.with_y(height_m),
                AnchorGoal::From { hand, offset } => middle(&self.hands[hand].target) + shifts[hand] + offset,
            };
            // Squared, so that what is touched counts more than what is only near.
            sum += place * weight * weight;
            total += weight * weight;
            most = most.max(*weight);
        }
        if total > 0.0 { without.lerp(sum / total, most) } else { without }
    }

    /// Moves hands until their distances from bodies and other hands are right.
    fn keep_distances(
        &self,
        shifts: &mut [Vec3],
        bodies: &[PosedBody],
        moves: impl Fn(&HandAt) -> bool + Copy,
    ) {
        for _ in 0..DISTANCE_ROUNDS {
            let mut largest_m = 0.0f32;
            for (number, hand) in self.hands.iter().enumerate() {
                if hand.reach.is_none() || !moves(hand) {
                    continue;
                }
                let step = self.distance_step(number, shifts, bodies, moves);
                let shift = hand.reachable(shifts[number] + step);
                largest_m = largest_m.max(shift.distance(shifts[number]));
                shifts[number] = shift;
            }
            if largest_m < CLOSE_M {
                break;
            }
        }
    }

    /// The weighted mean of what the distances of a hand lack.
    fn distance_step(
        &self,
        number: usize,
        shifts: &[Vec3],
        bodies: &[PosedBody],
        moves: impl Fn(&HandAt) -> bool,
    ) -> Vec3 {
        let moved = |hand: usize| self.hands[hand].target.moved(shifts[hand]);
        let own = moved(number);
        let (mut sum, mut total) = (Vec3::ZERO, 0.0f32);
        for touch in &self.goals[number].touches {
            let (gap, share) = match touch.from {
                Touched::Part { actor, part } => (bodies[actor].gap(part, &own), 1.0),
                Touched::Hand(other) => {
                    let both_move = self.hands[other].reach.is_some() && moves(&self.hands[other]);
                    (Some(Gap::between(&own, &moved(other))), if both_move { 0.5 } else { 1.0 })
                }
            };
            let Some(gap) = gap else { continue };
            let (lack_m, weight) = touch.lack(gap.gap_m);
            sum += gap.out * (share * lack_m * weight * weight);
            total += weight * weight;
        }
        if total > 0.0 { sum / total } else { Vec3::ZERO }
    }
}

impl Touch {
    /// What a distance lacks, in metres, and its weight.
    fn lack(&self, gap_m: f32) -> (f32, f32) {
        let deepest_m = self.wanted_m.min(0.0);
        let goal_m = self.without_m + self.weight * (self.wanted_m - self.without_m);
        if gap_m < deepest_m && goal_m <= deepest_m {
            // Overlaps are never deeper than in the source.
            return (deepest_m - gap_m, 1.0);
        }
        (goal_m.max(deepest_m) - gap_m, self.weight)
    }
}

impl HandAt {
    /// The nearest shift that the arm can make.
    fn reachable(&self, shift: Vec3) -> Vec3 {
        let Some((shoulder, reach_m)) = self.reach else { return Vec3::ZERO };
        shoulder + (self.wrist + shift - shoulder).clamp_length_max(reach_m) - self.wrist
    }
}

#[cfg(test)]
mod tests {
    use marey_body::Capsule;

    use super::*;

    fn touch(weight: f32, wanted_m: f32, without_m: f32) -> Touch {
        Touch { from: Touched::Hand(0), weight, wanted_m, without_m }
    }

    #[test]
    fn overlaps_end_and_contacts_are_kept() {
        // Far in the source, inside in the target: out of it.
        assert_eq!(touch(0.0, 0.4, -0.03).lack(-0.03), (0.03, 1.0));
        // Far in both: nothing.
        assert_eq!(touch(0.0, 0.4, 0.2).lack(0.2).1, 0.0);
        // A contact is kept exactly, from both sides.
        assert_eq!(touch(1.0, 0.0, 0.05).lack(0.05), (-0.05, 1.0));
        assert_eq!(touch(1.0, 0.0, -0.05).lack(-0.05), (0.05, 1.0));
    }

    #[test]
    fn arms_do_not_reach_farther_than_they_are_long() {
        let hand = Capsule { from: Vec3::X * 0.5, to: Vec3::X * 0.6, radius_m: 0.03 };
        let reach = Some((Vec3::ZERO, 0.7));
        let at = HandAt { actor: 0, side: 0, source: hand, target: hand, reach, wrist: hand.from };
        assert!((at.reachable(Vec3::X) - Vec3::X * 0.2).length() < 1e-6);
        assert_eq!(HandAt { reach: None, ..at }.reachable(Vec3::X), Vec3::ZERO);
    }
}
