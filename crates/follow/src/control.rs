//! What of a figure's motion is the control, or the target.

use marey_motion::{Clip, PointClip, Role, Vec3};
use marey_ops::OutOfRange;
use serde::{Deserialize, Serialize};

use crate::Result;

/// What of a figure's motion its points are, and how much each counts.
///
/// ```
/// # use std::sync::Arc;
/// # use marey_motion::{Clip, Joint, LocalPose, Role, Skeleton, Vec3};
/// use marey_follow::Control;
/// // Hips 1 m above the floor; the joints of the legs 0.1 m to each side of it, along X.
/// # let joints = vec![
/// #     Joint::new("hips", None, Vec3::ZERO).with_role(Role::Hips),
/// #     Joint::new("left", Some(0), Vec3::X * 0.1).with_role(Role::LeftUpperLeg),
/// #     Joint::new("right", Some(0), Vec3::X * -0.1).with_role(Role::RightUpperLeg),
/// # ];
/// # let skeleton = Arc::new(Skeleton::new(joints, vec![])?);
/// # let mut pose = LocalPose::rest(&skeleton);
/// # pose.positions[0] = Vec3::new(5.0, 1.0, 0.0);
/// # let clip = Clip::still(skeleton, 30.0, pose)?;
/// // On the floor, and apart by what was told instead.
/// let points = Control::Hips { gap_m: 0.5 }.points(&clip)?;
/// assert_eq!(points.flat(), [Vec3::new(5.25, 0.0, 0.0), Vec3::new(4.75, 0.0, 0.0)]);
/// # Ok::<(), marey_follow::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Control {
    /// Chosen joints where they are in the world; weights 0 to 1000.
    Roles(Vec<(Role, f32)>),
    /// The hip joints put on the floor, at a distance that is the same for all: what a drawn path can give as well. The wider,
    /// the more a turn counts; 0.01 to 10 m.
    Hips {
        /// How far the two points are apart, in metres.
        gap_m: f32,
    },
}

impl Control {
    /// Hands and feet, 1 each: the paper's choice for bodies (section 6).
    pub fn ends() -> Self {
        let ends = [Role::LeftHand, Role::RightHand, Role::LeftFoot, Role::RightFoot];
        Self::Roles(ends.map(|role| (role, 1.0)).to_vec())
    }

    /// Hands, feet, shoulders and hips, the hips twice: for partners, whose chests lead and whose hips face each other.
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
            Control::Roles(weights) if weights.is_empty() => {
                Err(marey_motion::Error::Empty { what: "a list of roles" }.into())
            }
            Control::Roles(weights) => {
                for &(_, weight) in weights {
                    OutOfRange::check("weights", weight, 0.0..=1000.0)?;
                }
                Ok(())
            }
            Control::Hips { gap_m } => Ok(OutOfRange::check("gap_m", *gap_m, 0.01..=10.0)?),
        }
    }

    /// How much each point counts.
    pub fn weights(&self) -> Vec<f32> {
        match self {
            Control::Roles(weights) => weights.iter().map(|&(_, weight)| weight).collect(),
            Control::Hips { .. } => vec![1.0; 2],
        }
    }

    /// The points of a clip.
    pub fn points(&self, clip: &Clip) -> Result<PointClip> {
        self.validate()?;
        match self {
            Control::Roles(weights) => {
                let roles: Vec<Role> = weights.iter().map(|&(role, _)| role).collect();
                Ok(clip.points(&roles)?)
            }
            Control::Hips { gap_m } => {
                let hips = clip.points(&[Role::LeftUpperLeg, Role::RightUpperLeg])?;
                let mut aside = Vec3::X;
                let mut points = Vec::with_capacity(hips.flat().len());
                for pair in hips.flat().chunks_exact(2) {
                    let on_floor = |p: Vec3| Vec3::new(p.x, 0.0, p.z);
                    let (left, right) = (on_floor(pair[0]), on_floor(pair[1]));
                    // Where one hip is above the other, the side is what it was before.
                    aside = (left - right).try_normalize().unwrap_or(aside);
                    points.extend(beside(0.5 * (left + right), aside, *gap_m).map(Some));
                }
                Ok(PointClip::new(hips.labels().to_vec(), clip.rate_hz(), points)?)
            }
        }
    }
}

/// The two points of hips over a place: left, right.
pub(crate) fn beside(middle: Vec3, aside: Vec3, gap_m: f32) -> [Vec3; 2] {
    [middle + 0.5 * gap_m * aside, middle - 0.5 * gap_m * aside]
}
