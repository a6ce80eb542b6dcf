//! Legs of a skeleton: joints, bone lengths and soles at rest.

use marey_motion::{Role, Side, Skeleton, Vec3};

use crate::ik;
use crate::sole::{SolePart, SolePoint};

/// A point of the sole, fixed to the foot.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SoleOffset {
    /// The point.
    pub point: SolePoint,
    /// Its rest position in the frame of the foot joint, in metres.
    pub offset: Vec3,
}

/// A leg of a skeleton at rest, from hip to foot.
///
/// ```
/// use marey_motion::{Joint, Role, Side, Skeleton, Vec3};
/// use marey_ops::leg::LegGeometry;
/// let joints = vec![
///     Joint::new("hip", None, Vec3::Y).with_role(Role::LeftUpperLeg),
///     Joint::new("knee", Some(0), Vec3::NEG_Y * 0.5).with_role(Role::LeftLowerLeg),
///     Joint::new("ankle", Some(1), Vec3::NEG_Y * 0.4).with_role(Role::LeftFoot),
///     Joint::new("ball", Some(2), Vec3::new(0.0, -0.1, 0.15)).with_role(Role::LeftToes),
/// ];
/// let skeleton = Skeleton::new(joints, vec![])?;
/// let leg = LegGeometry::of(&skeleton, Side::Left).unwrap();
/// assert_eq!((leg.upper, leg.lower, leg.foot), (0, 1, 2));
/// // The heel is below and behind the ankle, the ball before it.
/// let [heel, ball] = leg.heel_and_ball().unwrap();
/// assert!(heel.offset.z < 0.0 && ball.offset.z > 0.0);
/// assert!((leg.reach_m(0.0) - 0.9).abs() < 1e-6);
/// assert!(LegGeometry::of(&skeleton, Side::Right).is_none());
/// # Ok::<(), marey_motion::MotionError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LegGeometry {
    /// Left or right.
    pub side: Side,
    /// Joint of the hip.
    pub upper: usize,
    /// Joint of the knee.
    pub lower: usize,
    /// Joint of the ankle.
    pub foot: usize,
    /// Heel and ball; `None` if the skeleton does not define them.
    pub sole: [Option<SoleOffset>; 2],
    /// Forward direction in the frame of the upper joint.
    pub front: Vec3,
    /// Length of the thigh, in metres.
    pub thigh_m: f32,
    /// Length of the shank, in metres.
    pub shank_m: f32,
}

impl LegGeometry {
    /// The leg of a side; `None` if a joint is missing or is not below the previous one.
    pub fn of(skeleton: &Skeleton, side: Side) -> Option<Self> {
        let joint = |role: Role| skeleton.joint_of(role.on(side));
        let (upper, lower, foot) =
            (joint(Role::LeftUpperLeg)?, joint(Role::LeftLowerLeg)?, joint(Role::LeftFoot)?);
        let is_below = |joint, other| joint != other && skeleton.is_under(joint, other);
        if !is_below(foot, lower) || !is_below(lower, upper) {
            return None;
        }
        let (positions, rotations) = (skeleton.rest_positions(), skeleton.rest_world_rotations());
        let points = SolePoint::all(skeleton);
        let sole = SolePart::ALL.map(|part| {
            let point = *points.iter().find(|point| point.side == side && point.part == part)?;
            let from_ankle = point.at(&positions, &rotations) - positions[foot];
            Some(SoleOffset { point, offset: rotations[foot].inverse() * from_ankle })
        });
        Some(Self {
            side,
            upper,
            lower,
            foot,
            sole,
            front: rotations[upper].inverse() * Vec3::Z,
            thigh_m: positions[upper].distance(positions[lower]),
            shank_m: positions[lower].distance(positions[foot]),
        })
    }

    /// Heel and ball, if the skeleton defines both.
    pub fn heel_and_ball(&self) -> Option<[SoleOffset; 2]> {
        Some([self.sole[0]?, self.sole[1]?])
    }

    /// The distance from hip to ankle at a fold of the knee, in metres.
    pub fn reach_m(&self, fold_rad: f32) -> f32 {
        ik::reach_m(self.thigh_m, self.shank_m, fold_rad)
    }
}
