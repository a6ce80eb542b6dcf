//! The points of a body that are compared.

use marey_motion::{Clip, PointClip, Role, Vec3};
use marey_ops::OutOfRange;
use serde::{Deserialize, Serialize};

use crate::Result;

/// The points of a body that serve as control or target, and their weights.
///
/// ```
/// # use std::sync::Arc;
/// # use marey_motion::{Clip, Joint, LocalPose, Role, Skeleton, Vec3};
/// use marey_follow::PointSelection;
/// // Hips 1 m above the floor, leg joints 0.1 m to each side along X.
/// # let joints = vec![
/// #     Joint::new("hips", None, Vec3::ZERO).with_role(Role::Hips),
/// #     Joint::new("left", Some(0), Vec3::X * 0.1).with_role(Role::LeftUpperLeg),
/// #     Joint::new("right", Some(0), Vec3::X * -0.1).with_role(Role::RightUpperLeg),
/// # ];
/// # let skeleton = Arc::new(Skeleton::new(joints, vec![])?);
/// # let mut pose = LocalPose::rest(&skeleton);
/// # pose.positions[0] = Vec3::new(5.0, 1.0, 0.0);
/// # let clip = Clip::still(skeleton, 30.0, pose)?;
/// // Projected to the floor, 0.5 m apart.
/// let points = PointSelection::Hips { gap_m: 0.5 }.points(&clip)?;
/// assert_eq!(points.flat(), [Vec3::new(5.25, 0.0, 0.0), Vec3::new(4.75, 0.0, 0.0)]);
/// # Ok::<(), marey_follow::FollowError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PointSelection {
    /// World positions of joints, with weights from 0 to 1000.
    Roles(Vec<(Role, f32)>),
    /// The hip joints projected to the floor at a fixed distance, which a drawn path can provide too. The larger the
    /// distance, the more heading counts.
    Hips {
        /// Distance between the two points, in metres; 0.01 to 10.
        gap_m: f32,
    },
}

impl PointSelection {
    /// Hands and feet with weight 1: the paper's choice for bodies (section 6).
    pub fn ends() -> Self {
        let ends = [Role::LeftHand, Role::RightHand, Role::LeftFoot, Role::RightFoot];
        Self::Roles(ends.map(|role| (role, 1.0)).to_vec())
    }

    /// Hands, feet and shoulders with weight 1, hips with weight 2: for partners, who lead with the chest and face each
    /// other.
    pub fn body() -> Self {
        let roles = [
            (Role::LeftHand, 1.0),
            (Role::RightHand, 1.0),
            (Role::LeftFoot, 1.0),
            (Role::RightFoot, 1.0),
            (Role::LeftUpperArm, 1.0),
            (Role::RightUpperArm, 1.0),
            (Role::Hips, 2.0),
        ];
        Self::Roles(roles.to_vec())
    }

    /// Hips at a distance of 0.4 m.
    pub fn hips() -> Self {
        Self::Hips { gap_m: 0.4 }
    }

    /// Checks the ranges.
    pub fn validate(&self) -> Result<()> {
        match self {
            PointSelection::Roles(weights) if weights.is_empty() => {
                Err(marey_motion::MotionError::Empty { what: "a list of roles" }.into())
            }
            PointSelection::Roles(weights) => {
                for &(_, weight) in weights {
                    OutOfRange::check("weights", weight, 0.0..=1000.0)?;
                }
                Ok(())
            }
            PointSelection::Hips { gap_m } => Ok(OutOfRange::check("gap_m", *gap_m, 0.01..=10.0)?),
        }
    }

    /// The weight of each point.
    pub fn weights(&self) -> Vec<f32> {
        match self {
            PointSelection::Roles(weights) => weights.iter().map(|&(_, weight)| weight).collect(),
            PointSelection::Hips { .. } => vec![1.0; 2],
        }
    }

    /// The label of each point: the name of its role.
    pub fn labels(&self) -> Vec<String> {
        let roles: Vec<Role> = match self {
            PointSelection::Roles(weights) => weights.iter().map(|&(role, _)| role).collect(),
            PointSelection::Hips { .. } => vec![Role::LeftUpperLeg, Role::RightUpperLeg],
        };
        roles.iter().map(|role| role.name().to_owned()).collect()
    }

    /// The selected points of a clip.
    pub fn points(&self, clip: &Clip) -> Result<PointClip> {
        self.validate()?;
        match self {
            PointSelection::Roles(weights) => {
                let roles: Vec<Role> = weights.iter().map(|&(role, _)| role).collect();
                Ok(clip.points(&roles)?)
            }
            PointSelection::Hips { gap_m } => {
                let hips = clip.points(&[Role::LeftUpperLeg, Role::RightUpperLeg])?;
                let mut left_dir = Vec3::X;
                let mut points = Vec::with_capacity(hips.flat().len());
                for pair in hips.flat().chunks_exact(2) {
                    let on_floor = |p: Vec3| Vec3::new(p.x, 0.0, p.z);
                    let (left, right) = (on_floor(pair[0]), on_floor(pair[1]));
                    // If one hip is exactly above the other, keep the previous direction.
                    left_dir = (left - right).try_normalize().unwrap_or(left_dir);
                    points.extend(hip_points(0.5 * (left + right), left_dir, *gap_m));
                }
                Ok(PointClip::complete(hips.labels().to_vec(), clip.rate_hz(), points)?)
            }
        }
    }
}

/// The two hip points around a position: left, right.
pub(crate) fn hip_points(middle: Vec3, left_dir: Vec3, gap_m: f32) -> [Vec3; 2] {
    [middle + 0.5 * gap_m * left_dir, middle - 0.5 * gap_m * left_dir]
}
