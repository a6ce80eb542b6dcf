//! Retargeting: motion on a body with other proportions, rest pose or joints.
//!
//! A body with the same joints and bones gets the motion unchanged, and one with the same joints and other
//! proportions the same rotations (`same_joints.rs`). Otherwise joints are paired by their roles. Each joint transfers its world rotation from rest, which does not depend
//! on the joint axes of a skeleton. If the two bodies rest with arms or legs in different directions (T-pose
//! and A-pose), the rotation between the two is applied first, so that an arm that points at something points
//! there again. Trunks with different numbers of joints are matched along their length. Then the legs are
//! solved again, so that feet stand where they stood. Preserving foot plants while retargeting is Gleicher's
//! idea (*Retargetting Motion to New Characters*, 1998); here it is done frame by frame, in closed form, with
//! smooth corrections, rather than by one large optimisation.
//!
//! 1. Every joint gets its rotation (`joint_rotations.rs`, `trunk.rs`).
//! 2. The hips travel like those of the source, scaled by the ratio of the leg lengths (`TravelScale`).
//! 3. Heel and ball of each foot get the positions of the source, at their scaled height over the floor; the
//!    foot is pitched to match both (`feet.rs`).
//! 4. Hips move down smoothly where a leg would not reach; legs are bent to place the ankles (`legs.rs`).
//!
//! | symbol | name | unit |
//! |---|---|---|
//! | s | `scale`: leg length of the target over that of the source | |
//! | D | world rotation of a joint from its rest pose | |
//! | A | rotation from the rest direction of a bone of the target to that of the source | |
//!
//! Limits. Hands follow the arms: holds and contacts are not preserved. Roles that only one body has are
//! ignored; such joints of the target keep their rest rotation relative to their parent. The floor is level.

mod feet;
mod figure;
mod joint_rotations;
mod legs;
mod same_joints;
mod solver;
mod trunk;

use std::sync::Arc;

use marey_motion::{Clip, Skeleton};
use same_joints::{Likeness, SameJoints};
use serde::{Deserialize, Serialize};
use solver::Solver;

use crate::{OutOfRange, Result};

/// Travel distance of a body of another size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum TravelScale {
    /// In proportion to its legs: steps keep their relative length.
    #[default]
    Scaled,
    /// The same as the source: feet stand on the same spots, for partners and props.
    Kept,
}

/// Settings of retargeting.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RetargetSettings {
    /// Travel distance.
    pub travel: TravelScale,
    /// Whether the legs are solved so that feet stand like those of the source; default true. Otherwise only
    /// rotations are transferred.
    pub keep_feet: bool,
    /// Smallest fold of a knee, in radians; default 0.06; 0 to 0.5. A knee that locks snaps when it unlocks.
    pub min_knee_rad: f32,
    /// Time over which hips move down for a leg that would not reach, in seconds; default 0.15; 0.01 to 1.
    pub easing_secs: f64,
}

impl Default for RetargetSettings {
    fn default() -> Self {
        Self { travel: TravelScale::Scaled, keep_feet: true, min_knee_rad: 0.06, easing_secs: 0.15 }
    }
}

impl RetargetSettings {
    /// Checks the ranges.
    pub fn validate(&self) -> Result<()> {
        OutOfRange::check("min_knee_rad", self.min_knee_rad, 0.0..=0.5)?;
        OutOfRange::check("easing_secs", self.easing_secs, 0.01..=1.0)?;
        Ok(())
    }
}

/// A pair of bodies, ready to transfer motion.
///
/// ```
/// use std::sync::Arc;
/// use marey_motion::{Clip, ClipParts, Joint, Quat, Role, Skeleton, Vec3};
/// use marey_ops::retarget::{Retarget, RetargetSettings};
/// // An arm that rests stretched to the left, and one that rests hanging down. The first is raised by a quarter turn.
/// let arm = |ahead: Vec3| {
///     Skeleton::new(
///         vec![
///             Joint::new("hips", None, Vec3::ZERO).with_role(Role::Hips),
///             Joint::new("arm", Some(0), Vec3::Y).with_role(Role::LeftUpperArm),
///             Joint::new("elbow", Some(1), ahead).with_role(Role::LeftLowerArm),
///         ],
///         vec![],
///     )
/// };
/// let (out, down) = (Arc::new(arm(Vec3::X)?), Arc::new(arm(Vec3::NEG_Y)?));
/// let raised = Quat::from_rotation_z(std::f32::consts::FRAC_PI_2);
/// let rotations = vec![Quat::IDENTITY, raised, Quat::IDENTITY];
/// let clip = Clip::new(out.clone(), 30.0, ClipParts { rotations, positions: vec![Vec3::ZERO] })?;
/// let moved = Retarget::new(&out, down, &RetargetSettings::default())?.apply(&clip)?;
/// // The elbow is above the shoulder here as well: half a turn from where it hangs.
/// assert!(moved.world().positions[2].distance(Vec3::Y * 2.0) < 1e-6);
/// # Ok::<(), marey_ops::OpsError>(())
/// ```
#[derive(Debug)]
pub struct Retarget {
    target: Arc<Skeleton>,
    transfer: Transfer,
}

/// How motion reaches the target.
#[derive(Debug)]
enum Transfer {
    Copy(SameJoints),
    Solve(Box<Solver>),
}

impl Retarget {
    /// Pairs the joints of two skeletons. Unless they are the same body, both need hips and must face +Z at rest.
    pub fn new(source: &Skeleton, target: Arc<Skeleton>, settings: &RetargetSettings) -> Result<Self> {
        settings.validate()?;
        let transfer = match SameJoints::of(source, &target) {
            Some(same) if same.likeness == Likeness::SameBody => Transfer::Copy(same),
            same => Transfer::Solve(Box::new(Solver::new(source, &target, same.as_ref(), settings)?)),
        };
        Ok(Self { target, transfer })
    }

    /// Leg length of the target over that of the source: s.
    pub fn scale(&self) -> f32 {
        match &self.transfer {
            Transfer::Copy(_) => 1.0,
            Transfer::Solve(solver) => solver.scale,
        }
    }

    /// Transfers a motion of the source. The same body gets it unchanged.
    pub fn apply(&self, clip: &Clip) -> Result<Clip> {
        match &self.transfer {
            Transfer::Copy(same) => same.copy(clip, &self.target),
            Transfer::Solve(solver) => solver.apply(clip, &self.target),
        }
    }
}
