//! Hands that hold, hands that reach, heads that look.
//!
//! Hsu, Gentry and Popović (*Example-Based Control of Human Motion*, 2004, section 5 and figure 4) propagate handholds from
//! annotated examples to the motion that is made of them; [`propagated`] does that, and [`held`] finds holds where nobody has
//! annotated any. What a plan's meetings and targets
//! say is then enforced frame by frame: meetings with two-bone arms on both actors, each going half-way, the second
//! making up for what the first does not reach; targets with [`marey_ops::chain_ik`]. Both are faded in before and out
//! after, over `ease_secs`.
//!
//! It needs no look-ahead: when meetings are is known from the plan. So it works on the frames that the machines of all
//! actors give at the same instant, live as well.
//!
//! Limits. Shoulders do not come along. Arms that hold do not ask for joint limits; those that reach do, where told to.

mod held;
mod propagate;

use std::sync::Arc;

pub use held::held;
use marey_motion::{LocalPose, Role, Skeleton, Vec3, WorldPose};
use marey_ops::OutOfRange;
use marey_ops::chain_ik::{self, Chain, Goal};
use marey_ops::limit::Limit;
use marey_ops::reach::Reach;
use marey_plan::{Meeting, Plan, Target};
pub use propagate::{Hold, propagated};
use serde::{Deserialize, Serialize};

use crate::Result;

/// How meetings and targets are kept.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// How long a hold or a target takes to come and to go, in seconds; default 0.25; 0 to 5.
    pub ease_secs: f64,
    /// How much farther than in the examples that its plan uses a joint may turn for a target, in radians; 0 to 7; default
    /// `None`: as far as it likes, since few examples show all that a body can do.
    pub slack_rad: Option<f32>,
}

impl Default for Settings {
    fn default() -> Self {
        Self { ease_secs: 0.25, slack_rad: None }
    }
}

impl Settings {
    /// Checks the ranges.
    pub fn validate(&self) -> Result<()> {
        OutOfRange::check("slack_rad", self.slack_rad.unwrap_or(0.0), 0.0..=7.0)?;
        Ok(OutOfRange::check("ease_secs", self.ease_secs, 0.0..=5.0)?)
    }
}

/// Keeps the meetings and targets of a plan.
#[derive(Debug)]
pub struct Constrain {
    meetings: Vec<(Meeting, [Reach; 2])>,
    targets: Vec<(Target, Vec<usize>)>,
    worlds: Vec<WorldPose>,
    /// How far joints of each actor may turn for targets.
    limits: Vec<Vec<Limit>>,
    ease: usize,
    missed: Option<(usize, usize)>,
}

/// A hold that is missed by more, or a target, is told of, in metres or radians.
const MISSED: f32 = 0.01;

impl Constrain {
    /// For the meetings and targets of a plan that is valid, and the bodies of its actors, in order. A role that a body does
    /// not have, or that no arm ends in, is refused.
    pub fn new(plan: &Plan, bodies: &[Arc<Skeleton>], settings: &Settings) -> Result<Self> {
        settings.validate()?;
        let body =
            |actor: usize| bodies.get(actor).ok_or(marey_motion::Error::Empty { what: "an actor's body" });
        let mut meetings = Vec::new();
        for meeting in &plan.meetings {
            // A foot holds nothing.
            let arm = |end: marey_plan::End| match end.role {
                role @ (Role::LeftHand | Role::RightHand) => Ok(Reach::of(body(end.actor)?, role)?),
                role => Err(crate::Error::from(marey_motion::Error::MissingRole { role })),
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

    /// Keeps the joints of an actor within limits when they turn for targets.
    pub fn limit(&mut self, actor: usize, limits: Vec<Limit>) {
        if let Some(place) = self.limits.get_mut(actor) {
            *place = limits;
        }
    }

    /// Changes the poses of all actors at a frame.
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
                let settings = chain_ik::Settings { steps: 100, ..Default::default() };
                let skeleton = world.skeleton().clone();
                let chains = [Chain { end, joints, goal }];
                let own = |limit: &&Limit| chains[0].joints.contains(&limit.joint);
                let limits: Vec<Limit> = self.limits[actor].iter().filter(own).copied().collect();
                left = left.max(chain_ik::solve(&skeleton, pose, &chains, &limits, &settings)?);
            }
        }
        for (meeting, arms) in &self.meetings {
            let weight = self.weight(frame, meeting.start, meeting.end);
            if weight > 0.0 {
                left = left.max(hold(meeting, arms, weight, poses, &mut self.worlds));
            }
        }
        if left > MISSED {
            let (count, first) = self.missed.unwrap_or((0, frame));
            self.missed = Some((count + 1, first));
        }
        Ok(())
    }

    /// In how many frames something was out of reach, and the first of them.
    pub fn missed(&self) -> Option<(usize, usize)> {
        self.missed
    }

    /// 1 inside, fading to 0 outside.
    fn weight(&self, frame: usize, start: usize, end: usize) -> f32 {
        let away = start.saturating_sub(frame).max((frame + 1).saturating_sub(end));
        let t = 1.0 - away as f32 / (self.ease + 1) as f32;
        if t > 0.0 { t * t * (3.0 - 2.0 * t) } else { 0.0 }
    }
}

/// The joints that turn for an end: up to the chest or spine for hands and heads, but never the root.
fn chain_to(skeleton: &Skeleton, end: usize) -> Vec<usize> {
    let stop = [Role::UpperChest, Role::Chest, Role::Spine, Role::Hips];
    let stop = stop.iter().find_map(|role| skeleton.joint_of(*role)).unwrap_or(0);
    let up = std::iter::successors(Some(end), |&joint| skeleton.joints().get(joint)?.parent);
    up.take_while(|&joint| joint != stop && joint != 0).collect()
}

/// A goal at its weight: part of the way from what the pose has.
fn part_of(target: &Target, world: &WorldPose, end: usize, weight: f32) -> Goal {
    let here = world.positions[end];
    match target.goal {
        marey_plan::Goal::Reach(at) => Goal::Reach(here.lerp(Vec3::from(at), weight)),
        marey_plan::Goal::LookAt(at) => {
            let rest = world.skeleton().rest_world_rotations()[end];
            let along = rest.inverse() * Vec3::Z;
            let now = world.rotations[end] * along;
            let to = (Vec3::from(at) - here).normalize_or(now);
            let turn = glam::Quat::IDENTITY
                .slerp(glam::Quat::from_rotation_arc(now.normalize_or(Vec3::Z), to), weight);
            Goal::Look { at: here + turn * now, along }
        }
    }
}

/// Brings two hands to their distance, each half-way; the second, and then the first again, make up for what the other does
/// not reach. What is left, in metres.
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
    let way = apart.normalize_or(Vec3::Y);
    // What they should be apart in this frame: all of the gap inside, as they are where the hold has faded.
    let gap = way * (apart.length() + weight * (meeting.gap_m - apart.length()));
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
