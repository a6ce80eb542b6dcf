//! The studio's panel for plans: a plan that a person wrote or changed, realised.

use marey::corpus::Corpus;
use marey::motion::Take;
use marey::plan::{Plan, Trace};
use marey::realise::{Realised, Settings, realise};
use marey::sources::CorpusSources;
use marey::studio::{Again, Ask, Fault, Floor, Made, Panel, Planned, Work, codes, quoted};
use serde::Deserialize;
use serde_json::Value;

/// Plans, realised.
#[derive(Debug)]
pub(super) struct RealisePanel;

/// What the page sends.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Wish {
    /// The plan, as text, so that what is wrong with it is told with its line.
    plan: String,
    #[serde(default)]
    settings: Settings,
}

impl Panel for RealisePanel {
    fn name(&self) -> &'static str {
        "realise"
    }

    fn run(&self, ask: &Ask<'_>, work: &Work) -> Result<Vec<Made>, Fault> {
        let wish: Wish = understood(ask.wish)?;
        wish.settings.validate()?;
        let plan = Plan::from_json(&wish.plan)?;
        work.at(0.1, "reading examples")?;
        let sources = CorpusSources::new(Corpus::open_read_only(ask.path)?);
        let refused = |error: marey::realise::Error| {
            let place = Box::new(error.place_in(&wish.plan));
            Fault { place, ..error.into() }
        };
        let Realised { take, contacts, report } =
            realise(&plan, &sources, &wish.settings).map_err(refused)?;
        let files = vec![("plan.json".into(), plan.to_json()?.into_bytes())];
        let again = Again { sources: std::sync::Arc::new(sources), settings: wish.settings };
        Ok(vec![Made {
            take: Take::new("plan", take.into_actors())?,
            contacts,
            planned: Some(Planned { plan, trace: Trace::default(), again: Some(again) }),
            report,
            command: format!(
                "marey realise {} plan.json -o motion.bvh",
                quoted(&ask.path.display().to_string())
            ),
            files,
            notes: vec![],
            beside: None,
            floor: Floor::Level,
            shows: Value::Null,
        }])
    }
}

/// What the page sent, as what is wanted.
pub(super) fn understood<T: serde::de::DeserializeOwned>(wish: &Value) -> Result<T, Fault> {
    T::deserialize(wish).map_err(|error| Fault::new(&codes::REQUEST, error.to_string()))
}
