//! What a hand is near to, and how near it should be.

use glam::Vec3;
use marey_body::Capsule;
use marey_motion::{Role, Side, smoothstep};

use super::hands::TouchingActor;
use super::touch_body::{Gap, PARTS, PosedBody, is_own_arm};

/// Length of a hand, as a fraction of the height: hands within this distance of something keep their distance.
const HAND: f32 = 0.108;

/// A hand in a frame.
#[derive(Debug, Clone, Copy)]
pub(super) struct HandAt {
    pub(super) actor: usize,
    pub(super) side: usize,
    /// In the source, and in the target before any correction.
    pub(super) source: Capsule,
    pub(super) target: Capsule,
    /// Shoulder, and length of the arm; `None` if it does not move.
    pub(super) reach: Option<(Vec3, f32)>,
    /// The wrist of the target.
    pub(super) wrist: Vec3,
}

/// A position that a hand should take.
#[derive(Debug, Clone, Copy)]
pub(super) struct Anchor {
    pub(super) weight: f32,
    pub(super) goal: AnchorGoal,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum AnchorGoal {
    At(Vec3),
    Height(f32),
    /// At an offset from another hand.
    From {
        hand: usize,
        offset: Vec3,
    },
}

/// A distance that a hand should keep.
#[derive(Debug, Clone, Copy)]
pub(super) struct Touch {
    pub(super) from: Touched,
    /// 1 in contact and near, 0 from the length of a hand on.
    pub(super) weight: f32,
    /// The distance that the source has, in the size of the target, in metres.
    pub(super) wanted_m: f32,
    /// The distance that the target has without correction, in metres.
    pub(super) without_m: f32,
}

/// What a hand touches.
#[derive(Debug, Clone, Copy)]
pub(super) enum Touched {
    Part { actor: usize, part: Role },
    Hand(usize),
}

/// The goals of one hand.
#[derive(Debug, Default)]
pub(super) struct HandGoals {
    pub(super) anchors: Vec<Anchor>,
    pub(super) touches: Vec<Touch>,
}

impl HandGoals {
    /// What a hand is near to in the source.
    pub(super) fn of(
        number: usize,
        hands: &[HandAt],
        actors: &[TouchingActor<'_>],
        sources: &[PosedBody],
        targets: &[PosedBody],
    ) -> Self {
        let mut goals = Self::default();
        let hand = &hands[number];
        if hand.reach.is_none() {
            return goals;
        }
        let own = &actors[hand.actor];
        let scale = own.hands.target.height_m / own.hands.source.height_m;
        let hand_m = HAND * own.hands.source.height_m;
        // What is between partners is scaled like the distance between them.
        let scale_to = |actor: usize| if actor == hand.actor { scale } else { own.travel };
        let palm = middle(&hand.source);
        let height_m = palm.y - own.floor_m;
        goals.anchor(
            Range::OTHERS.weight(height_m / hand_m),
            AnchorGoal::Height(own.floor_m + scale * height_m),
        );
        for (actor, (source, target)) in sources.iter().zip(targets).enumerate() {
            for part in PARTS {
                let is_own = actor == hand.actor && is_own_arm(part, Side::BOTH[hand.side]);
                let gaps = (source.gap(part, &hand.source), target.gap(part, &hand.target));
                let (Some(gap), Some(without)) = gaps else { continue };
                if is_own {
                    continue;
                }
                let distance = gap.gap_m / hand_m;
                let scale = scale_to(actor);
                let [weight, place_weight] = match actor == hand.actor {
                    true => [Range::OWN, Range::OWN_PLACE],
                    false => [Range::OTHERS; 2],
                }
                .map(|range| range.weight(distance));
                goals.touch(weight, gap, without, scale, Touched::Part { actor, part });
                if let Some(goal) = beside(part, &hand.source, hand.target.radius_m, source, target, scale) {
                    goals.anchor(place_weight, AnchorGoal::At(goal));
                }
            }
        }
        for (other, with) in hands.iter().enumerate().filter(|(other, _)| *other != number) {
            let offset = palm - middle(&with.source);
            let scale = scale_to(with.actor);
            let gap = Gap::between(&hand.source, &with.source);
            let range = if with.actor == hand.actor { Range::OTHERS } else { Range::PARTNERS_HANDS };
            // Both hands want the same distance: if it differed with the size of their bodies, one would flee the other.
            let height_m = 0.5 * (own.hands.source.height_m + actors[with.actor].hands.source.height_m);
            let weight = range.weight(gap.gap_m / (HAND * height_m));
            goals.anchor(weight, AnchorGoal::From { hand: other, offset: scale * offset });
            let without = Gap::between(&hand.target, &with.target);
            goals.touch(weight, gap, without, scale, Touched::Hand(other));
        }
        goals
    }

    fn anchor(&mut self, weight: f32, goal: AnchorGoal) {
        if weight > 0.0 {
            self.anchors.push(Anchor { weight, goal });
        }
    }

    fn touch(&mut self, weight: f32, source: Gap, without: Gap, scale: f32, from: Touched) {
        // Overlaps are the same share of what is possible.
        let overlap = source.gap_m.min(0.0) / source.radii_m.max(1e-6);
        let wanted_m = overlap * without.radii_m + scale * source.gap_m.max(0.0);
        self.touches.push(Touch { from, weight, wanted_m, without_m: without.gap_m });
    }
}

/// The position beside a part of the target that is that of a hand beside the part of the source.
fn beside(
    part: Role,
    hand: &Capsule,
    radius_m: f32,
    source: &PosedBody,
    target: &PosedBody,
    scale: f32,
) -> Option<Vec3> {
    let (along, on_axis) = source.nearest(part, middle(hand))?;
    let (_, source_radius_m) = source.at(part, along)?;
    let (at, target_radius_m) = target.at(part, along)?;
    let away = middle(hand) - on_axis;
    let gap_m = away.length() - source_radius_m - hand.radius_m;
    Some(at + away.normalize_or(Vec3::Z) * (target_radius_m + radius_m + scale * gap_m).max(0.0))
}

/// The middle of a hand.
pub(super) fn middle(hand: &Capsule) -> Vec3 {
    0.5 * (hand.from + hand.to)
}

/// Distances of a hand, in lengths of a hand, between which something loses its influence.
#[derive(Debug, Clone, Copy)]
struct Range {
    near: f32,
    far: f32,
}

impl Range {
    /// The other own hand, other people and the floor.
    const OTHERS: Self = Self { near: 0.5, far: 1.0 };
    /// Hands of other people. Captured hands that hold each other are often some centimetres apart.
    const PARTNERS_HANDS: Self = Self { near: 1.0, far: 2.0 };
    /// The distance from the own body.
    const OWN: Self = Self { near: 0.05, far: 0.6 };
    /// The place along the own body. Arms that swing past it keep their directions instead.
    const OWN_PLACE: Self = Self { near: 0.0, far: 0.2 };

    fn weight(self, distance: f32) -> f32 {
        1.0 - smoothstep((distance - self.near) / (self.far - self.near))
    }
}
