//! The panel of `tween`: motion between two poses of takes.

use marey::corpus::TakeInfo;
use marey::tween::{self, Dependence, PathSearchSettings, StyleSettings, TweenMode, TweenRequest};
use serde::Deserialize;
use serde_json::json;

use crate::{Panel, PanelRequest, Result, StudioError, StudioResult, Work, codes};

/// Maximum duration of the motion that a style is learned from, in seconds.
const MAX_TRAINING_SECS: f64 = 1800.0;

/// The panel of `tween`.
#[derive(Debug)]
pub(super) struct TweenPanel;

/// The message of the page.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct TweenMessage {
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

    fn run(&self, request: &PanelRequest<'_>, work: &Work) -> Result<Vec<StudioResult>> {
        let message: TweenMessage = request.parse()?;
        let (from, to) = (message.from.take(request)?, message.to.take(request)?);
        let (from_pose, to_pose) = (message.from.selector(&from), message.to.selector(&to));
        let default = TweenRequest::default();
        let verb = TweenRequest {
            only: message.training_takes(request)?,
            style: StyleSettings { dependence: message.network, ..default.style },
            mode: TweenMode::Style,
            gap_only: true,
            poses: vec![from_pose.as_str().into(), to_pose.as_str().into()],
            frames: message.frames,
            search: PathSearchSettings { max_expansions: message.max_expansions, ..default.search },
            name: format!("{} to {}", from.name, to.name),
            ..default
        };
        let outcome = request.run_verb(work, |context| tween::run(&verb, context))?;
        let (result, details) = StudioResult::from_outcome(outcome);
        let path =
            details.paths.first().ok_or_else(|| StudioError::new(&codes::REQUEST, "no path was found"))?;
        let secs = result.take.frames() as f64 / result.take.rate_hz();
        let network = match message.network {
            Dependence::Body => Some("body"),
            Dependence::Learned => None,
            Dependence::None => Some("none"),
        };
        let command = request
            .command_line("tween")
            .arg(from_pose)
            .arg(to_pose)
            .option("-o", ["between.bvh"])
            .option("--mode", ["style"])
            .flag("--gap-only", true)
            .option("--max-expansions", [message.max_expansions])
            .option("--frames", message.frames)
            .option("--network", network)
            .option("--only", &verb.only);
        Ok(vec![StudioResult {
            command: command.to_string(),
            notes: vec![
                ("length", format!("{secs:.2} s, {} steps", path.steps)),
                ("negative log-likelihood", format!("{:.0} nats", path.neg_log_likelihood)),
                ("optimal", if path.is_optimal { "yes" } else { "unknown" }.into()),
                ("learned from", format!("{} takes", details.takes.len())),
            ],
            overlay: json!({ "path": { "step_secs": path.step_secs, "joints": path.joints } }),
            ..result
        }])
    }
}

impl PickedPose {
    fn take(&self, request: &PanelRequest<'_>) -> Result<TakeInfo> {
        let info = request.take_info(&self.take)?;
        if self.frame >= info.frames {
            let message = format!("{} has {} frames, not {}", info.name, info.frames, self.frame + 1);
            return Err(StudioError::new(&codes::REQUEST, message));
        }
        Ok(info)
    }

    fn selector(&self, take: &TakeInfo) -> String {
        format!("{}@{}", take.name, self.frame)
    }
}

impl TweenMessage {
    /// The names of the takes to learn from; empty for all.
    fn training_takes(&self, request: &PanelRequest<'_>) -> Result<Vec<String>> {
        let chosen = match self.examples.as_slice() {
            [] => request.corpus.takes()?,
            ids => ids.iter().map(|id| request.take_info(id)).collect::<Result<_>>()?,
        };
        let secs: f64 = chosen.iter().map(TakeInfo::duration_secs).sum();
        if secs > MAX_TRAINING_SECS {
            let message =
                format!("{secs:.0} s of motion; the limit is {MAX_TRAINING_SECS} s, so choose some takes");
            return Err(StudioError::new(&codes::TOO_LARGE, message));
        }
        request.take_names(&self.examples)
    }
}
