//! The panel that realises a plan that a person wrote or changed.

use marey::motion::Observer;
use marey::plan::Trace;
use marey::realise::{self, RealiseRequest};
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::{Floor, Panel, PanelRequest, Planned, StudioError, StudioResult, Work, codes, quoted};

/// Realises plans.
#[derive(Debug)]
pub(crate) struct RealisePanel;

/// The request of the page.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RealiseWire {
    /// The plan as text, so that errors can name the line.
    plan: String,
    #[serde(default)]
    settings: Map<String, Value>,
}

impl Panel for RealisePanel {
    fn name(&self) -> &'static str {
        "realise"
    }

    fn run(&self, ask: &PanelRequest<'_>, work: &Work) -> Result<Vec<StudioResult>, StudioError> {
        let RealiseWire { plan, settings } = parse_message(ask.wish)?;
        let request = RealiseRequest { plan, passes: settings, ..RealiseRequest::default() };
        let observe = |progress| work.observe(progress);
        let outcome = realise::run(&request, &ask.context(Observer::new(&observe))?)?;
        let corpus = quoted(&ask.path.display().to_string());
        Ok(vec![StudioResult {
            take: outcome.take,
            contacts: outcome.contacts,
            planned: outcome.plan.map(|plan| Planned { plan, trace: Trace::default() }),
            report: outcome.report,
            command: format!("marey realise {corpus} plan.json -o motion.bvh"),
            files: vec![("plan.json".into(), request.plan.into_bytes())],
            notes: vec![],
            beside: None,
            floor: Floor::Level,
            shows: Value::Null,
        }])
    }
}

/// What the page sent, as what is wanted.
pub(super) fn parse_message<T: serde::de::DeserializeOwned>(wish: &Value) -> Result<T, StudioError> {
    T::deserialize(wish).map_err(|error| StudioError::new(&codes::REQUEST, error.to_string()))
}
