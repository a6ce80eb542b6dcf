//! The panel of `realise`: turns a plan that the user wrote or changed into motion.

use marey::realise::{self, RealiseRequest};
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::{Panel, PanelRequest, Result, StudioResult, Work};

/// The panel of `realise`.
#[derive(Debug)]
pub(super) struct RealisePanel;

/// The message of the page.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RealiseMessage {
    /// The plan as text, so that errors can name the line.
    plan: String,
    #[serde(default)]
    settings: Map<String, Value>,
}

impl Panel for RealisePanel {
    fn name(&self) -> &'static str {
        "realise"
    }

    fn run(&self, request: &PanelRequest<'_>, work: &Work) -> Result<Vec<StudioResult>> {
        let RealiseMessage { plan, settings } = request.parse()?;
        let verb = RealiseRequest { plan, passes: settings, ..RealiseRequest::default() };
        let outcome = request.run_verb(work, |context| realise::run(&verb, context))?;
        let command = request.command_line("realise").arg("plan.json").option("-o", ["motion.bvh"]);
        Ok(vec![StudioResult {
            command: command.to_string(),
            files: vec![("plan.json".into(), verb.plan.into_bytes())],
            ..StudioResult::from_outcome(outcome).0
        }])
    }
}
