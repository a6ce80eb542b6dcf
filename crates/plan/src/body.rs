//! Bodies that a plan is made for.

use std::sync::Arc;

use marey_motion::Skeleton;
use serde::{Deserialize, Serialize, Serializer};

use crate::locate::JsonStep;
use crate::plan::LocatedError;
use crate::{Plan, PlanError, SourceRef};

/// The body of one actor of a plan, if sources of the actor have other bodies.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlanBody {
    /// Index of the actor.
    pub actor: usize,
    /// The skeleton that sources of other bodies are retargeted onto.
    #[serde(serialize_with = "write_skeleton", deserialize_with = "read_skeleton")]
    pub skeleton: Arc<Skeleton>,
}

fn write_skeleton<S: Serializer>(skeleton: &Arc<Skeleton>, serializer: S) -> Result<S::Ok, S::Error> {
    skeleton.as_ref().serialize(serializer)
}

fn read_skeleton<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Arc<Skeleton>, D::Error> {
    Skeleton::deserialize(deserializer).map(Arc::new)
}

impl Plan {
    /// The body that an actor was planned for; `None` if all its sources have that body.
    pub fn body(&self, actor: usize) -> Option<&Arc<Skeleton>> {
        self.bodies.iter().find(|body| body.actor == actor).map(|body| &body.skeleton)
    }

    /// The body that a source is retargeted onto: that of the first actor that uses it. A source that no actor uses, such as
    /// another candidate for a placement, gets the only body that is listed.
    pub fn body_of_source(&self, source: &SourceRef) -> Option<&Arc<Skeleton>> {
        let uses =
            |actor: &crate::ActorPlan| actor.placements.iter().any(|placement| placement.source == *source);
        match (self.actors.iter().position(uses), self.bodies.as_slice()) {
            (Some(actor), _) => self.body(actor),
            (None, [only]) => Some(&only.skeleton),
            (None, _) => None,
        }
    }

    /// Checks that every body belongs to an actor, and that no actor has two.
    pub(crate) fn check_bodies(&self) -> Result<(), LocatedError> {
        for (index, body) in self.bodies.iter().enumerate() {
            let is_repeated = self.bodies.iter().take(index).any(|other| other.actor == body.actor);
            if is_repeated || body.actor >= self.actors.len() {
                let error = PlanError::Value { what: "the actor of a body".into(), value: body.actor as f64 };
                return Err(error.at([JsonStep::Key("bodies"), JsonStep::Item(index)]));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use marey_motion::{Coded, Joint, Vec3};

    use super::*;
    use crate::ActorPlan;

    fn plan() -> Plan {
        let text = r#"{"rate_hz": 30, "actors": [{"name": "a", "placements": [
            {"source": {"take": "t"}, "source_start": 0, "source_end": 9, "start": 0, "frames": 9}]}]}"#;
        Plan::from_json(text).unwrap()
    }

    fn body(actor: usize) -> PlanBody {
        let joint = Joint::new("hips", None, Vec3::new(0.1, 0.9, 1.0 / 3.0));
        PlanBody { actor, skeleton: Arc::new(Skeleton::new(vec![joint], vec![]).unwrap()) }
    }

    #[test]
    fn bodies_are_written_one_line_each_and_read_back() {
        let plan = Plan { bodies: vec![body(0)], ..plan() };
        let text = plan.to_json().unwrap();
        assert_eq!(text.lines().filter(|line| line.contains("hips")).count(), 1);
        let again = Plan::from_json(&text).unwrap();
        assert_eq!(again, plan);
        let source = SourceRef { take: "t".into(), actor: 0 };
        assert_eq!(again.body_of_source(&source), Some(&body(0).skeleton));
        assert_eq!(again.body_of_source(&SourceRef { actor: 1, ..source }), Some(&body(0).skeleton));
    }

    #[test]
    fn bodies_without_an_actor_are_rejected() {
        let mut two = plan();
        two.actors.push(ActorPlan { name: "b".into(), ..two.actors[0].clone() });
        assert!(Plan { bodies: vec![body(0), body(1)], ..two.clone() }.validate().is_ok());
        for bodies in [vec![body(2)], vec![body(1), body(1)]] {
            let error = Plan { bodies, ..two.clone() }.validate().unwrap_err();
            assert_eq!(error.code().id, "plan/value");
        }
    }
}
