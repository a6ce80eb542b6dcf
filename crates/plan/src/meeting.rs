//! Constraints between actors and with positions in the world.

use marey_motion::Role;
use serde::{Deserialize, Serialize};

use crate::locate::JsonStep;
use crate::plan::LocatedError;
use crate::{Plan, PlanError};

/// A joint of an actor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ActorJoint {
    /// Index of the actor in the plan.
    pub actor: usize,
    /// Role of the joint.
    pub role: Role,
}

/// Two joints that keep a distance for a while: hands that hold each other.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Meeting {
    /// One joint.
    pub one: ActorJoint,
    /// The other joint.
    pub other: ActorJoint,
    /// First frame of the plan.
    pub start: usize,
    /// One past the last.
    pub end: usize,
    /// The distance that they keep, in metres.
    #[serde(default)]
    pub gap_m: f32,
}

/// A joint that reaches a position or looks at it for a while.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Target {
    /// The joint.
    pub end: ActorJoint,
    /// Its goal.
    pub goal: TargetGoal,
    /// First frame of the plan.
    pub from_frame: usize,
    /// One past the last.
    pub until_frame: usize,
}

/// Goal of a joint with a position in the world: x, y, z, in metres.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TargetGoal {
    /// Reach the position.
    Reach([f32; 3]),
    /// Look at the position.
    LookAt([f32; 3]),
}

impl Plan {
    /// Checks meetings and targets.
    pub(crate) fn check_meetings(&self) -> Result<(), LocatedError> {
        let invalid = |what: &str, list: &'static str, index: usize| {
            let error = PlanError::Meeting { what: format!("{what} {index}") };
            Err(error.at([JsonStep::Key(list), JsonStep::Item(index)]))
        };
        let is_span = |start: usize, end: usize| start < end && end <= self.frames();
        for (index, meeting) in self.meetings.iter().enumerate() {
            let has_valid_gap = meeting.gap_m >= 0.0 && meeting.gap_m <= 10.0;
            let has_actors = [meeting.one, meeting.other].iter().all(|end| end.actor < self.actors.len());
            let has_two_joints = meeting.one != meeting.other;
            if !has_valid_gap || !has_actors || !has_two_joints || !is_span(meeting.start, meeting.end) {
                return invalid("meeting", "meetings", index);
            }
        }
        for (index, target) in self.targets.iter().enumerate() {
            let (TargetGoal::Reach(at) | TargetGoal::LookAt(at)) = target.goal;
            let has_valid_goal = at.iter().all(|x| x.abs() <= 1e6);
            if !has_valid_goal
                || target.end.actor >= self.actors.len()
                || !is_span(target.from_frame, target.until_frame)
            {
                return invalid("target", "targets", index);
            }
        }
        Ok(())
    }
}
