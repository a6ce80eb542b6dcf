//! What hands touch: the capsules of a body, grouped by part.

use glam::{Quat, Vec3};
use marey_body::{BodyCapsule, BodyCapsules, Capsule};
use marey_motion::{Role, Side, Skeleton, WorldPose};

/// The parts of a body that hands touch. The hips stand for the whole trunk.
pub(super) const PARTS: [Role; 12] = [
    Role::Hips,
    Role::Head,
    Role::LeftUpperArm,
    Role::RightUpperArm,
    Role::LeftLowerArm,
    Role::RightLowerArm,
    Role::LeftUpperLeg,
    Role::RightUpperLeg,
    Role::LeftLowerLeg,
    Role::RightLowerLeg,
    Role::LeftFoot,
    Role::RightFoot,
];

/// Axes that are nearer to each other than this, in metres, nearly cross.
const CROSSING_M: f32 = 0.01;

/// Whether a part belongs to the arm of a side: a hand is always near it.
pub(super) fn is_own_arm(part: Role, side: Side) -> bool {
    [Role::LeftUpperArm, Role::LeftLowerArm].iter().any(|role| role.on(side) == part)
}

/// A body in a frame.
#[derive(Debug, Default)]
pub(super) struct PosedBody {
    capsules: Vec<BodyCapsule>,
}

/// The distance of a hand from a part.
#[derive(Debug, Clone, Copy)]
pub(super) struct Gap {
    /// Between the surfaces, in metres; negative if they overlap.
    pub(super) gap_m: f32,
    /// The direction out of the part: of length 1, and shorter if axes nearly cross, where it turns around.
    pub(super) out: Vec3,
    /// The sum of both radii, in metres: the largest overlap.
    pub(super) radii_m: f32,
}

impl PosedBody {
    /// A body whose joints have these world positions and rotations.
    pub(super) fn new(body: &BodyCapsules, positions: &[Vec3], rotations: &[Quat]) -> Self {
        let mut posed = Self::default();
        body.place_at(positions, rotations, &mut posed.capsules);
        posed
    }

    /// The capsule of a hand.
    pub(super) fn hand(&self, side: Side) -> Option<Capsule> {
        let role = Role::LeftHand.on(side);
        self.capsules.iter().find(|capsule| capsule.role == role).map(|capsule| capsule.capsule)
    }

    fn part(&self, part: Role) -> impl Iterator<Item = &Capsule> {
        let is_in = move |role: Role| match part {
            Role::Hips => {
                matches!(role, Role::Hips | Role::Spine | Role::Chest | Role::UpperChest | Role::Neck)
            }
            _ => role == part,
        };
        self.capsules.iter().filter(move |capsule| is_in(capsule.role)).map(|capsule| &capsule.capsule)
    }

    /// The distance of a hand from a part; `None` if the body does not have the part.
    pub(super) fn gap(&self, part: Role, hand: &Capsule) -> Option<Gap> {
        self.part(part).map(|capsule| Gap::between(hand, capsule)).min_by(|a, b| a.gap_m.total_cmp(&b.gap_m))
    }

    /// Where a part is nearest to a point: the fraction of its length, and the point on its axis.
    pub(super) fn nearest(&self, part: Role, point: Vec3) -> Option<(f32, Vec3)> {
        let length_m: f32 = self.part(part).map(length).sum();
        let mut before_m = 0.0;
        let mut best: Option<(f32, f32, Vec3)> = None;
        for capsule in self.part(part) {
            let on_axis = capsule.nearest_on_axis(point);
            let along = (before_m + on_axis.distance(capsule.from)) / length_m.max(1e-6);
            let away = on_axis.distance(point);
            if best.is_none_or(|(nearest, ..)| away < nearest) {
                best = Some((away, along, on_axis));
            }
            before_m += length(capsule);
        }
        best.map(|(_, along, on_axis)| (along, on_axis))
    }

    /// The point at a fraction of the length of a part, and the radius there.
    pub(super) fn at(&self, part: Role, along: f32) -> Option<(Vec3, f32)> {
        let mut left_m = along * self.part(part).map(length).sum::<f32>();
        let mut last = None;
        for capsule in self.part(part) {
            let share = (left_m / length(capsule).max(1e-6)).min(1.0);
            last = Some((capsule.from.lerp(capsule.to, share), capsule.radius_m));
            left_m -= length(capsule);
            if left_m <= 0.0 {
                break;
            }
        }
        last
    }
}

impl Gap {
    /// The distance of a hand from a capsule.
    pub(super) fn between(hand: &Capsule, other: &Capsule) -> Self {
        let (a, b) = hand.nearest_points(other);
        let (away_m, radii_m) = (a.distance(b), hand.radius_m + other.radius_m);
        Self { gap_m: away_m - radii_m, out: (a - b) / away_m.max(CROSSING_M), radii_m }
    }
}

fn length(capsule: &Capsule) -> f32 {
    capsule.from.distance(capsule.to)
}

/// One body, source or target.
#[derive(Debug)]
pub(super) struct TouchBody {
    pub(super) capsules: BodyCapsules,
    pub(super) height_m: f32,
}

impl TouchBody {
    /// A body that rests in its T-pose, of a height.
    pub(super) fn of(skeleton: &Skeleton, height_m: f32) -> Self {
        Self { capsules: BodyCapsules::of(skeleton), height_m }
    }

    /// The body in a pose.
    pub(super) fn posed(&self, world: &WorldPose) -> PosedBody {
        PosedBody::new(&self.capsules, &world.positions, &world.rotations)
    }
}
