//! Retargeting frame by frame, for motion that is still being made.

use std::sync::Arc;

use marey_motion::{ClipParts, LocalPose, LocalPoseRef, Skeleton, WorldPose};

use super::live_hands::LiveHands;
use super::same_joints::{Likeness, SameJoints};
use super::solver::Solver;
use super::{RetargetSettings, TravelScale};
use crate::Result;
use crate::t_pose::with_t_pose;

/// Transfers poses to another body one at a time.
///
/// Contacts need the frames around them, so feet are only kept at their height over the floor, at height 0. Hands near the own body, each
/// other or the floor keep their distance; those near other people do not. [`Retarget`](super::Retarget) does both for motion that is
/// complete.
///
/// ```
/// use marey_body::BodyProportions;
/// use marey_motion::{LocalPose, Role, WorldPose};
/// use marey_ops::retarget::{LiveRetarget, TravelScale};
/// let adult = BodyProportions::default().skeleton()?;
/// let child = BodyProportions { height_m: 1.4, ..Default::default() }.skeleton()?;
/// let mut retarget = LiveRetarget::new(&adult, child.clone(), TravelScale::Scaled, 60.0)?;
/// let standing = retarget.apply(LocalPose::rest(&adult).view());
/// // The child stands on the same floor.
/// assert!(WorldPose::of(&child, standing.view()).lowest().abs() < 0.005);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct LiveRetarget {
    target: Arc<Skeleton>,
    transfer: LiveTransfer,
    world: WorldPose,
}

#[derive(Debug)]
enum LiveTransfer {
    Copy(SameJoints),
    Solve(Box<Solver>, Box<LiveHands>),
}

impl LiveRetarget {
    /// Pairs the joints of two skeletons, for poses at a rate. Unless they are the same body, both need hips.
    pub fn new(
        source: &Arc<Skeleton>,
        target: Arc<Skeleton>,
        travel: TravelScale,
        rate_hz: f64,
    ) -> Result<Self> {
        let settings = RetargetSettings { travel, ..RetargetSettings::default() };
        let transfer = match SameJoints::of(source, &target) {
            Some(same) if same.likeness == Likeness::SameBody => LiveTransfer::Copy(same),
            same => {
                let (source, target) = (with_t_pose(source)?, with_t_pose(&target)?);
                let solver = Solver::new(&source, &target, same.as_ref(), &settings)?;
                let hands = LiveHands::new(&source, &target, rate_hz);
                LiveTransfer::Solve(Box::new(solver), Box::new(hands))
            }
        };
        Ok(Self { target, transfer, world: WorldPose::scratch(source) })
    }

    /// The body that poses are transferred to.
    pub fn target(&self) -> &Arc<Skeleton> {
        &self.target
    }

    /// A pose of the source on the target.
    pub fn apply(&mut self, pose: LocalPoseRef<'_>) -> LocalPose {
        let mut parts = ClipParts::default();
        match &mut self.transfer {
            LiveTransfer::Copy(same) => same.copy_pose(self.world.skeleton(), pose, &self.target, &mut parts),
            LiveTransfer::Solve(solver, hands) => {
                self.world.set(pose);
                let mut figure = solver.live_figure(&self.world);
                hands.keep(&self.world, &self.target, &mut figure);
                figure.write(&self.target, &mut parts);
            }
        }
        LocalPose { rotations: parts.rotations, positions: parts.positions }
    }
}
