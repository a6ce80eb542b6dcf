//! Directions of limbs and gaps of hands, before and after retargeting.

use marey_body::{BodyCapsule, BodyCapsules};
use marey_motion::{Clip, Role, Side, WorldPose};

/// The bones whose directions are compared, on the left.
const BONES: [(Role, Role); 4] = [
    (Role::LeftUpperArm, Role::LeftLowerArm),
    (Role::LeftLowerArm, Role::LeftHand),
    (Role::LeftUpperLeg, Role::LeftLowerLeg),
    (Role::LeftLowerLeg, Role::LeftFoot),
];
/// A hand that is nearer than this touches, in metres.
pub(super) const TOUCH_M: f32 = 0.01;

/// The figures of several takes.
#[derive(Debug, Clone, Default)]
pub(super) struct BodyFigures {
    angle_sum_deg: f64,
    angles: usize,
    /// How much deeper a hand is in the own body than in the source, at most.
    pub(super) deeper_cm: f64,
    /// How much the gap of a hand that touches the own body changes, at most.
    pub(super) contact_change_cm: f64,
    /// Where it changes most, in words.
    pub(super) contact_place: String,
}

impl BodyFigures {
    /// Adds a take with a name, before and after.
    pub(super) fn add(&mut self, take: &str, before: &Clip, after: &Clip) {
        let capsules = [BodyCapsules::of(before.skeleton()), BodyCapsules::of(after.skeleton())];
        let mut worlds = [WorldPose::scratch(before.skeleton()), WorldPose::scratch(after.skeleton())];
        for (frame, (one, other)) in before.poses().zip(after.poses()).enumerate() {
            worlds[0].set(one);
            worlds[1].set(other);
            for side in Side::BOTH {
                for (from, to) in BONES.map(|(from, to)| (from.on(side), to.on(side))) {
                    let [a, b] = [&worlds[0], &worlds[1]].map(|world| direction(world, from, to));
                    if let (Some(a), Some(b)) = (a, b) {
                        self.angle_sum_deg += f64::from(a.angle_between(b).to_degrees());
                        self.angles += 1;
                    }
                }
                let hand = Role::LeftHand.on(side);
                let gaps = [0, 1].map(|index| hand_gap_m(&capsules[index], &worlds[index], hand));
                if let [Some((was, part)), Some((is, part_after))] = gaps {
                    let deeper = f64::from((-is).max(0.0) - (-was).max(0.0));
                    self.deeper_cm = self.deeper_cm.max(100.0 * deeper);
                    if was < TOUCH_M {
                        let change_cm = 100.0 * f64::from((is - was).abs());
                        if change_cm > self.contact_change_cm {
                            self.contact_change_cm = change_cm;
                            self.contact_place = format!(
                                "{take}, frame {frame}: {hand} {:.1} cm from {part}, then {:.1} cm from {part_after}",
                                100.0 * was,
                                100.0 * is
                            );
                        }
                    }
                }
            }
        }
    }

    /// The mean angle between the directions of limbs.
    pub(super) fn direction_deg(&self) -> f64 {
        self.angle_sum_deg / self.angles.max(1) as f64
    }
}

fn direction(world: &WorldPose, from: Role, to: Role) -> Option<marey_motion::Vec3> {
    let at = |role: Role| world.skeleton().joint_of(role).map(|joint| world.positions[joint]);
    (at(to)? - at(from)?).try_normalize()
}

/// The gap between a hand and the nearest other part of the body, in metres, and that part; negative if the hand is inside.
fn hand_gap_m(body: &BodyCapsules, world: &WorldPose, hand: Role) -> Option<(f32, Role)> {
    let mut placed: Vec<BodyCapsule> = Vec::new();
    body.place(world, &mut placed);
    let own = placed.iter().find(|part| part.role == hand)?;
    let is_other = |part: &&BodyCapsule| part.end != Some(hand) && !is_own_arm(part.role, hand);
    let gap = |part: &BodyCapsule| (own.capsule.gap_m(&part.capsule), part.role);
    placed.iter().filter(is_other).map(gap).min_by(|a, b| a.0.total_cmp(&b.0))
}

fn is_own_arm(role: Role, hand: Role) -> bool {
    let side = hand.side().unwrap_or(Side::Left);
    [Role::LeftShoulder, Role::LeftUpperArm, Role::LeftLowerArm, Role::LeftHand]
        .iter()
        .any(|part| part.on(side) == role)
}
