//! The studio's panel for in-betweens: motion between two poses that are picked from clips.

use marey::corpus::{TakeId, TakeInfo};
use marey::motion::Observer;
use marey::tween::{Dependence, PathSearchSettings, PoseSelector, StyleSettings, TweenRequest};
use serde::Deserialize;
use serde_json::json;

use super::realise::parse_message;
use crate::{Floor, MotionId, Panel, PanelRequest, Planned, StudioError, StudioResult, Work, codes, quoted};

/// Maximum duration of the motion that a style is learned from, in seconds.
const MAX_TRAINING_SECS: f64 = 1800.0;

#[derive(Debug)]
pub(crate) struct TweenPanel;

/// What the page sends.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct TweenPanelRequest {
    from: PickedPose,
    to: PickedPose,
    #[serde(default)]
    frames: Option<usize>,
    #[serde(default)]
    network: Dependence,
    /// Maximum number of expanded postures.
    max_expansions: usize,
    /// Identifiers of the takes to learn from; all if empty.
    #[serde(default)]
    examples: Vec<String>,
}

/// A frame of a take.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct PickedPose {
    take: String,
    frame: usize,
}

impl Panel for TweenPanel {
    fn name(&self) -> &'static str {
        "tween"
    }

    fn run(&self, ask: &PanelRequest<'_>, work: &Work) -> Result<Vec<StudioResult>, StudioError> {
        let wire: TweenPanelRequest = parse_message(ask.wish)?;
        let (from, to) = (wire.from.info(ask)?, wire.to.info(ask)?);
        let request = TweenRequest {
            only: wire.training_takes(ask)?,
            style: StyleSettings { dependence: wire.network, ..StyleSettings::default() },
            from: PoseSelector::Text(format!("{}@{}", from.name, wire.from.frame)),
            to: PoseSelector::Text(format!("{}@{}", to.name, wire.to.frame)),
            frames: wire.frames,
            search: PathSearchSettings {
                max_expansions: wire.max_expansions,
                ..PathSearchSettings::default()
            },
            name: format!("{} to {}", from.name, to.name),
            ..TweenRequest::default()
        };
        let observe = |progress| work.observe(progress);
        let outcome = marey::tween::run(&request, &ask.context(Observer::new(&observe))?)?;
        let details = outcome.details;
        let secs = outcome.take.frames() as f64 / outcome.take.rate_hz();
        let optimality = if details.is_optimal { "yes" } else { "unknown" };
        Ok(vec![StudioResult {
            take: outcome.take,
            contacts: outcome.contacts,
            planned: outcome.plan.map(|plan| Planned { plan, trace: outcome.trace }),
            report: outcome.report,
            command: wire.command(ask, &request),
            files: vec![],
            notes: vec![
                ("length".into(), format!("{secs:.2} s, {} steps", details.steps)),
                ("negative log-likelihood".into(), format!("{:.0} nats", details.neg_log_likelihood)),
                ("is the likeliest".into(), optimality.into()),
                ("learned from".into(), format!("{} takes", details.takes.len())),
            ],
            beside: None,
            floor: Floor::Level,
            shows: json!({ "way": { "step_secs": details.step_secs, "joints": details.joints } }),
        }])
    }
}

impl PickedPose {
    fn info(&self, ask: &PanelRequest<'_>) -> Result<TakeInfo, StudioError> {
        let info = take_info(&self.take, ask)?;
        if self.frame >= info.frames {
            let message = format!("{} has {} frames, not {}", info.name, info.frames, self.frame + 1);
            return Err(StudioError::new(&codes::REQUEST, message));
        }
        Ok(info)
    }
}

fn take_info(id: &str, ask: &PanelRequest<'_>) -> Result<TakeInfo, StudioError> {
    let MotionId::Take(number) = id.parse()? else {
        let message = "poses are picked from takes of the corpus; keep the result first";
        return Err(StudioError::new(&codes::NO_MOTION, message));
    };
    Ok(ask.corpus.info(TakeId(number))?)
}

impl TweenPanelRequest {
    /// Names of the takes to learn from; none for all.
    fn training_takes(&self, ask: &PanelRequest<'_>) -> Result<Vec<String>, StudioError> {
        let chosen = match self.examples.as_slice() {
            [] => ask.corpus.takes()?,
            ids => ids.iter().map(|id| take_info(id, ask)).collect::<Result<_, _>>()?,
        };
        let secs: f64 = chosen.iter().map(TakeInfo::duration_secs).sum();
        if secs > MAX_TRAINING_SECS {
            let message =
                format!("{secs:.0} s of motion; the limit is {MAX_TRAINING_SECS} s, so choose some takes");
            return Err(StudioError::new(&codes::TOO_LARGE, message));
        }
        if self.examples.is_empty() {
            return Ok(vec![]);
        }
        Ok(chosen.into_iter().map(|info| info.name).collect())
    }

    fn command(&self, ask: &PanelRequest<'_>, request: &TweenRequest) -> String {
        let pose = |selector: &PoseSelector| match selector {
            PoseSelector::Text(text) => quoted(text),
            PoseSelector::Frame(..) => String::new(),
        };
        let network = match self.network {
            Dependence::Body => " --network body",
            Dependence::Learned => "",
            Dependence::None => " --network none",
        };
        let frames = self.frames.map_or(String::new(), |frames| format!(" --frames {frames}"));
        let only = request.only.iter().fold(String::new(), |words, name| words + " --only " + &quoted(name));
        format!(
            "marey tween {} {} {} -o between.bvh --max-expansions {}{frames}{network}{only}",
            quoted(&ask.path.display().to_string()),
            pose(&request.from),
            pose(&request.to),
            self.max_expansions,
        )
    }
}
