//! What a plan needs beyond the default passes.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{PlanSources, RealiseError, RealiseSettings, Realised, Sources, realise_observed};
#[cfg(feature = "duet")]
use crate::duet::{SeparationSettings, separate_bodies};
use crate::motion::{Observer, Terrain};
use crate::plan::Plan;
#[cfg(feature = "traverse")]
use crate::traverse::TraverseRealisation;
use crate::{Context, Error, codes};

/// How the engine that made a plan realises it: the content of the plan's `realise` field.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Realisation {
    /// The passes.
    pub passes: RealiseSettings,
    /// How the bodies of a pair are kept from passing through each other; default: they are not.
    #[cfg(feature = "duet")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub keep_apart: Option<SeparationSettings>,
    /// Terrain and settings of a plan of `traverse`, which is adapted to its terrain instead of going through the passes.
    #[cfg(feature = "traverse")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub traverse: Option<TraverseRealisation>,
}

impl Realisation {
    /// Reads what a plan asks for; the default if it asks for nothing.
    pub fn from_plan(plan: &Plan) -> Result<Self, Error> {
        match &plan.realise {
            None => Ok(Self::default()),
            Some(value) => Self::deserialize(value).map_err(not_understood),
        }
    }

    /// Writes this into a plan.
    pub fn write_to(&self, plan: &mut Plan) -> Result<(), Error> {
        let is_default = *self == Self::default();
        plan.realise =
            if is_default { None } else { Some(serde_json::to_value(self).map_err(not_understood)?) };
        Ok(())
    }

    /// The same with changes to its passes, by the names of [`RealiseSettings`].
    pub fn with_passes(self, changes: &Map<String, Value>) -> Result<Self, Error> {
        #[cfg(feature = "traverse")]
        if self.traverse.is_some() && !changes.is_empty() {
            return Err(Error::settings(
                "a plan of traverse is adapted to its terrain and has no passes to change",
            ));
        }
        let mut passes = serde_json::to_value(self.passes).map_err(Error::settings)?;
        merge(&mut passes, &Value::Object(changes.clone()));
        let passes = RealiseSettings::deserialize(passes).map_err(Error::settings)?;
        passes.validate().map_err(Error::settings)?;
        Ok(Self { passes, ..self })
    }

    /// Realises a plan of any engine in a context.
    pub(super) fn run(
        &self,
        plan: &Plan,
        sources: &dyn Sources,
        context: &Context<'_>,
        locate: impl Fn(RealiseError) -> Error + Sync + Send,
    ) -> Result<Realised, Error> {
        #[cfg(feature = "traverse")]
        if let Some(traverse) = &self.traverse {
            return traverse.realise(plan, context);
        }
        context.install(|| self.realise(plan, sources, context.observer(), locate))?
    }

    /// The terrain along +Z that the motion is judged on; `None` for level ground and for a curved path.
    pub(super) fn terrain(&self) -> Option<&Terrain> {
        #[cfg(feature = "traverse")]
        return self.traverse.as_ref().and_then(TraverseRealisation::profile);
        #[cfg(not(feature = "traverse"))]
        None
    }

    /// Realises a plan by the passes, cancelled by `observer`. Clips that the plan does not carry come from `sources`. `locate` adds the position in the plan's
    /// text to an error.
    pub fn realise(
        &self,
        plan: &Plan,
        sources: &dyn Sources,
        observer: Observer<'_>,
        locate: impl Fn(RealiseError) -> Error,
    ) -> Result<Realised, Error> {
        let sources = PlanSources::new(plan, sources);
        let realised = realise_observed(plan, &sources, &self.passes, observer).map_err(locate)?;
        #[cfg(feature = "duet")]
        if let Some(settings) = &self.keep_apart {
            let take = separate_bodies(&realised.take, &realised.contacts, settings, observer)?;
            return Ok(Realised { take, ..realised });
        }
        Ok(realised)
    }
}

fn not_understood(error: serde_json::Error) -> Error {
    Error::new(&codes::PLAN_REALISE, error.to_string())
}

/// Replaces the values of `target` by those of `changes`, object by object.
fn merge(target: &mut Value, changes: &Value) {
    match (target, changes) {
        (Value::Object(target), Value::Object(changes)) => {
            for (name, value) in changes {
                merge(target.entry(name).or_insert(Value::Null), value);
            }
        }
        (target, changes) => *target = changes.clone(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::realise::join;

    fn changed(changes: Value) -> Result<RealiseSettings, Error> {
        let Value::Object(changes) = changes else { panic!("not an object") };
        Ok(Realisation::default().with_passes(&changes)?.passes)
    }

    #[test]
    fn changes_of_passes_leave_the_rest() {
        let default = RealiseSettings::default();
        assert_eq!(changed(json!({})).unwrap(), default);
        assert_eq!(changed(json!({ "plant": null })).unwrap(), RealiseSettings { plant: None, ..default });
        let none = changed(json!({ "join": { "method": "none" } })).unwrap();
        assert_eq!(none.join, join::JoinSettings { method: join::JoinMethod::None, ..default.join });
        assert_eq!(none.plant, default.plant);
    }

    #[test]
    fn unknown_and_impossible_passes_are_refused() {
        for bad in [json!({ "plnt": null }), json!({ "join": { "window_secs": -1.0 } }), json!({ "join": 3 })]
        {
            assert_eq!(changed(bad.clone()).unwrap_err().code.id, "command/settings", "{bad}");
        }
    }
}
