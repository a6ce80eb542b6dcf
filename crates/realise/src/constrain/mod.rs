//! Hand holds, reach targets and look-at targets.
//!
//! Hsu, Gentry and Popović (*Example-Based Control of Human Motion*, 2004, section 5 and figure 4) propagate
//! handholds from annotated examples to the synthesised motion; [`propagate_holds`] does that, and [`detect_holds`]
//! detects holds in examples without annotations. The meetings and targets of a plan are then enforced frame
//! by frame: meetings with two-bone arms on both actors, each moving half-way, the second making up for what
//! the first cannot reach; targets with [`marey_ops::chain_ik`]. Both fade in before and fade out after, over
//! `ease_secs`.
//!
//! No look-ahead is needed, because the plan states when meetings start and end. The pass therefore also
//! works live, on the frames that all actors produce for the same instant.
//!
//! Limits. Shoulders do not move. Arms that hold ignore joint limits; arms that reach respect them if
//! `slack_rad` is set.

mod hold_detection;
mod hold_propagation;

use std::sync::Arc;

pub use hold_detection::detect_holds;
pub use hold_propagation::propagate_holds;
use marey_motion::{LocalPose, Role, Skeleton, Vec3, WorldPose, smoothstep};
use marey_ops::OutOfRange;
use marey_ops::chain_ik::{self, IkChain, IkGoal};
use marey_ops::limit::JointLimit;
use marey_ops::reach::Reach;
pub use marey_plan::Hold;
use marey_plan::{Meeting, Plan, Target};
use serde::{Deserialize, Serialize};

use crate::Result;

/// Settings of meetings and targets.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ConstrainSettings {
    /// Fade-in and fade-out of a hold or target, in seconds; default 0.25; 0 to 5.
    pub ease_secs: f64,
    /// How far beyond its range in the source clips a joint may turn for a target, in radians; 0 to 7;
    /// default `None`: no limit, because few examples show the whole range of a body.
    pub slack_rad: Option<f32>,
}

impl Default for ConstrainSettings {
    fn default() -> Self {
        Self { ease_secs: 0.25, slack_rad: None }
    }
}

impl ConstrainSettings {
    /// Checks the ranges.
    pub fn validate(&self) -> Result<()> {
        OutOfRange::check("slack_rad", self.slack_rad.unwrap_or(0.0), 0.0..=7.0)?;
        Ok(OutOfRange::check("ease_secs", self.ease_secs, 0.0..=5.0)?)
    }
}

/// Enforces the meetings and targets of a plan.
#[derive(Debug)]
pub struct Constrain {
    meetings: Vec<(Meeting, [Reach; 2])>,
    targets: Vec<(Target, Vec<usize>)>,
    worlds: Vec<WorldPose>,
    /// Joint limits of each actor, for targets.
    limits: Vec<Vec<JointLimit>>,
    ease: usize,
    missed: Option<(usize, usize)>,
}

/// Larger errors of holds and targets are reported, in metres or radians.
const REPORTED_ERROR: f32 = 0.01;

impl Constrain {
    /// Enforces the meetings and targets of a valid plan; `bodies` are the skeletons of its actors, in order.
    /// Returns an error if a body lacks a role, or if no arm ends in it.
    pub fn new(plan: &Plan, bodies: &[Arc<Skeleton>], settings: &ConstrainSettings) -> Result<Self> {
        settings.validate()?;
        let body = |actor: usize| {
            bodies.get(actor).ok_or(marey_motion::MotionError::Empty { what: "an actor's body" })
        };
        let mut meetings = Vec::new();
        for meeting in &plan.meetings {
            // Feet cannot hold.
            let arm = |end: marey_plan::ActorJoint| match end.role {
                role @ (Role::LeftHand | Role::RightHand) => Ok(Reach::of(body(end.actor)?, role)?),
                role => Err(crate::RealiseError::from(marey_motion::MotionError::MissingRole { role })),
            };
            meetings.push((*meeting, [arm(meeting.one)?, arm(meeting.other)?]));
        }
        let mut targets = Vec::new();
        for target in &plan.targets {
            let skeleton = body(target.end.actor)?;
            let end = skeleton.require(target.end.role)?;
            targets.push((*target, chain_to(skeleton, end)));
        }
        let ease = (settings.ease_secs * plan.rate_hz).round() as usize;
        let worlds = bodies.iter().map(WorldPose::scratch).collect();
        let limits = vec![Vec::new(); bodies.len()];
        Ok(Self { meetings, targets, worlds, limits, ease, missed: None })
    }

    /// Limits the joints of an actor that turn for targets.
    pub fn limit(&mut self, actor: usize, limits: Vec<JointLimit>) {
        if let Some(place) = self.limits.get_mut(actor) {
            *place = limits;
        }
    }

    /// Adjusts the poses of all actors at a frame.
    pub fn apply(&mut self, frame: usize, poses: &mut [LocalPose]) -> Result<()> {
        let mut left = 0f32;
        for (target, chain) in &self.targets {
            let weight = self.weight(frame, target.from_frame, target.until_frame);
            let actor = target.end.actor;
            let (Some(pose), Some(world)) = (poses.get_mut(actor), self.worlds.get_mut(actor)) else {
                continue;
            };
            if weight > 0.0 {
                let end = world.skeleton().require(target.end.role)?;
                world.set(pose.view());
                let goal = part_of(target, world, end, weight);
                let joints = chain.clone();
                let settings = chain_ik::ChainIkSettings { steps: 100, ..Default::default() };
                let skeleton = world.skeleton().clone();
                let chains = [IkChain { end, joints, goal }];
                let own = |limit: &&JointLimit| chains[0].joints.contains(&limit.joint);
                let limits: Vec<JointLimit> = self.limits[actor].iter().filter(own).copied().collect();
                left = left.max(chain_ik::solve(&skeleton, pose, &chains, &limits, &settings)?);
            }
        }
        for (meeting, arms) in &self.meetings {
            let weight = self.weight(frame, meeting.start, meeting.end);
            if weight > 0.0 {
                left = left.max(hold(meeting, arms, weight, poses, &mut self.worlds));
            }
        }
        if left > REPORTED_ERROR {
            let (count, first) = self.missed.unwrap_or((0, frame));
            self.missed = Some((count + 1, first));
        }
        Ok(())
    }

    /// The number of frames in which a hold or target was out of reach, and the first of them.
    pub fn missed(&self) -> Option<(usize, usize)> {
        self.missed
    }

    /// 1 inside the range, fading to 0 outside.
    fn weight(&self, frame: usize, start: usize, end: usize) -> f32 {
        let away = start.saturating_sub(frame).max((frame + 1).saturating_sub(end));
        let t = 1.0 - away as f32 / (self.ease + 1) as f32;
        smoothstep(t)
    }
}

/// The joints that turn for an end effector: up to the chest or spine, never the root.
fn chain_to(skeleton: &Skeleton, end: usize) -> Vec<usize> {
    let stop = [Role::UpperChest, Role::Chest, Role::Spine, Role::Hips];
    let stop = stop.iter().find_map(|role| skeleton.joint_of(*role)).unwrap_or(0);
    let up = std::iter::successors(Some(end), |&joint| skeleton.joints().get(joint)?.parent);
    up.take_while(|&joint| joint != stop && joint != 0).collect()
}

/// A goal scaled by its weight: a part of the way from the current pose.
fn part_of(target: &Target, world: &WorldPose, end: usize, weight: f32) -> IkGoal {
    let here = world.positions[end];
    match target.goal {
        marey_plan::TargetGoal::Reach(at) => IkGoal::Reach(here.lerp(Vec3::from(at), weight)),
        marey_plan::TargetGoal::LookAt(at) => {
            let rest = world.skeleton().rest_world_rotations()[end];
            let along = rest.inverse() * Vec3::Z;
            let now = world.rotations[end] * along;
            let to = (Vec3::from(at) - here).normalize_or(now);
            let turn = glam::Quat::IDENTITY
                .slerp(glam::Quat::from_rotation_arc(now.normalize_or(Vec3::Z), to), weight);
            IkGoal::Look { at: here + turn * now, along }
        }
    }
}

/// Moves two hands to their distance, each half-way; then each makes up for what the other cannot reach.
/// Returns the remaining error in metres.
fn hold(
    meeting: &Meeting,
    arms: &[Reach; 2],
    weight: f32,
    poses: &mut [LocalPose],
    worlds: &mut [WorldPose],
) -> f32 {
    let actors = [meeting.one.actor, meeting.other.actor];
    let mut at = [Vec3::ZERO; 2];
    for i in 0..2 {
        let (Some(pose), Some(world)) = (poses.get(actors[i]), worlds.get_mut(actors[i])) else { return 0.0 };
        world.set(pose.view());
        at[i] = world.positions[arms[i].end()];
    }
    let apart = at[1] - at[0];
    let direction = apart.normalize_or(Vec3::Y);
    // The distance in this frame: the gap while the hold is active, blending to the current distance while it
    // fades.
    let gap = direction * (apart.length() + weight * (meeting.gap_m - apart.length()));
    let middle = 0.5 * (at[0] + at[1]);
    let mut goals = [middle - 0.5 * gap, middle + 0.5 * gap];
    for i in [0, 1, 0] {
        let (Some(pose), Some(world)) = (poses.get_mut(actors[i]), worlds.get_mut(actors[i])) else {
            return 0.0;
        };
        world.set(pose.view());
        at[i] = arms[i].put(pose, world, goals[i]);
        goals[1 - i] = if i == 0 { at[0] + gap } else { at[1] - gap };
    }
    (at[1] - at[0]).distance(gap)
}
