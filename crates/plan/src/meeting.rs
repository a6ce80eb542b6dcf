//! Constraints between actors and with positions in the world.

use marey_motion::Role;
use serde::{Deserialize, Serialize};

use crate::locate::Into;
use crate::plan::Fault;
use crate::{Plan, PlanError};

/// A joint of an actor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct End {
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
    pub one: End,
    /// The other joint.
    pub other: End,
    /// First frame of the plan.
    pub start: usize,
    /// One past the last.
    pub end: usize,
    /// The distance they keep, in metres.
    #[serde(default)]
    pub gap_m: f32,
}

/// A joint that reaches a position or looks at it for a while.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Target {
    /// The joint.
    pub end: End,
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
    pub(crate) fn check_meetings(&self) -> Result<(), Fault> {
        let refuse = |what: &str, list: &'static str, number: usize| {
            let error = PlanError::Meeting { what: format!("{what} {number}") };
            Err(error.at([Into::Key(list), Into::Item(number)]))
        };
        let is_span = |start: usize, end: usize| start < end && end <= self.frames();
        for (number, meeting) in self.meetings.iter().enumerate() {
            let is_gap = meeting.gap_m >= 0.0 && meeting.gap_m <= 10.0;
            let there = [meeting.one, meeting.other].iter().all(|end| end.actor < self.actors.len());
            if !is_gap || !there || meeting.one == meeting.other || !is_span(meeting.start, meeting.end) {
                return refuse("meeting", "meetings", number);
            }
        }
        for (number, target) in self.targets.iter().enumerate() {
            let (TargetGoal::Reach(at) | TargetGoal::LookAt(at)) = target.goal;
            let is_place = at.iter().all(|x| x.abs() <= 1e6);
            if !is_place
                || target.end.actor >= self.actors.len()
                || !is_span(target.from_frame, target.until_frame)
            {
                return refuse("target", "targets", number);
            }
        }
        Ok(())
    }
}
