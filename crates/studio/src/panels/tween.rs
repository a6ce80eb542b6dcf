//! The panel of `tween`: motion through a row of poses of takes.

use marey::corpus::TakeInfo;
use marey::motion::Ground;
use marey::tween::{
    self, Dependence, PathSearchSettings, PoseSelector, StyleSettings, TweenDetails, TweenMode, TweenRequest,
};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{Panel, PanelRequest, Result, StudioError, StudioResult, Work, codes};

/// Maximum duration of the motion that a style is learned from, in seconds.
const MAX_STYLE_SECS: f64 = 1800.0;

/// The panel of `tween`.
#[derive(Debug)]
pub(super) struct TweenPanel;

/// The message of the page.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct TweenMessage {
    poses: Vec<PickedPose>,
    #[serde(default)]
    mode: TweenMode,
    /// Time of each pose in seconds, and of the first again if the motion closes; empty for as long as people take.
    #[serde(default)]
    at_secs: Vec<f64>,
    #[serde(default)]
    closes: bool,
    /// Whether the takes before the first and after the last pose are left out.
    #[serde(default)]
    gap_only: bool,
    #[serde(default)]
    network: Dependence,
    /// Maximum number of expanded postures of a style.
    #[serde(default)]
    max_expansions: Option<usize>,
    /// Identifiers of the takes to learn from; all if empty.
    #[serde(default)]
    examples: Vec<String>,
}

/// A frame of a take, and where it is: x, z and degrees, or where the steps lead.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct PickedPose {
    take: String,
    frame: usize,
    #[serde(default)]
    place: Option<[f32; 3]>,
}

impl Panel for TweenPanel {
    fn name(&self) -> &'static str {
        "tween"
    }

    fn run(&self, request: &PanelRequest<'_>, work: &Work) -> Result<Vec<StudioResult>> {
        let message: TweenMessage = request.parse()?;
        let verb = message.to_request(request)?;
        let outcome = request.run_verb(work, |context| tween::run(&verb, context))?;
        let (result, details) = StudioResult::from_outcome(outcome);
        let secs = result.take.frames() as f64 / result.take.rate_hz();
        Ok(vec![StudioResult {
            command: message.command(request, &verb)?,
            notes: [vec![("length", format!("{secs:.2} s"))], notes(&details)].concat(),
            overlay: overlay(&details, result.take.rate_hz()),
            ..result
        }])
    }
}

/// What the page says about the motion.
fn notes(details: &TweenDetails) -> Vec<(&'static str, String)> {
    let mut notes = match details.mode {
        TweenMode::Near => {
            let far = details.gaps.iter().filter_map(|gap| gap.distance).fold(0.0, f32::max);
            let share = details.gaps.iter().filter_map(|gap| gap.corpus_share).fold(1.0, f32::min);
            vec![
                ("distance from the corpus", format!("at most {far:.1} × that of its takes")),
                ("from examples", format!("at least {:.0} %", 100.0 * share)),
            ]
        }
        TweenMode::Style => {
            let cost: f64 = details.paths.iter().map(|path| path.neg_log_likelihood).sum();
            let is_optimal = details.paths.iter().all(|path| path.is_optimal);
            vec![
                ("steps", details.paths.iter().map(|path| path.steps).sum::<usize>().to_string()),
                ("negative log-likelihood", format!("{cost:.0} nats")),
                ("optimal", if is_optimal { "yes" } else { "unknown" }.into()),
            ]
        }
    };
    notes.push(("learned from", format!("{} takes", details.takes.len())));
    notes
}

/// The gaps in seconds, and the path of each through the joint graphs of the style.
fn overlay(details: &TweenDetails, rate_hz: f64) -> Value {
    let secs = |frame: usize| frame as f64 / rate_hz;
    let gaps = details.gaps.iter().enumerate().map(|(number, gap)| {
        let path = details.paths.get(number);
        json!({
            "start_secs": secs(gap.start),
            "end_secs": secs(gap.end),
            "nearest": gap.nearest,
            "path": path.map(|path| json!({ "step_secs": path.step_secs, "joints": path.joints })),
        })
    });
    json!({ "gaps": gaps.collect::<Vec<_>>() })
}

impl PickedPose {
    /// The pose in the form in which it can be requested.
    fn selector(&self, request: &PanelRequest<'_>) -> Result<String> {
        let info = request.take_info(&self.take)?;
        if self.frame >= info.frames {
            let message = format!("{} has {} frames, not {}", info.name, info.frames, self.frame + 1);
            return Err(StudioError::new(&codes::REQUEST, message));
        }
        Ok(format!("{}@{}", info.name, self.frame))
    }

    fn ground(&self) -> Option<Ground> {
        self.place.map(|[x, z, degrees]| Ground::new(x, z, degrees.to_radians()))
    }

    /// The place in the form of the command.
    fn place(&self) -> String {
        self.place.map_or("free".into(), |[x, z, degrees]| format!("{x:.3},{z:.3},{degrees:.1}"))
    }
}

impl TweenMessage {
    fn to_request(&self, request: &PanelRequest<'_>) -> Result<TweenRequest> {
        let default = TweenRequest::default();
        let take_name = |pose: &PickedPose| Ok::<_, StudioError>(request.take_info(&pose.take)?.name);
        let name = match self.poses.as_slice() {
            [first, .., last] => format!("{} to {}", take_name(first)?, take_name(last)?),
            _ => return Err(StudioError::new(&codes::REQUEST, "two poses are needed")),
        };
        let mut places = self.poses.iter().map(PickedPose::ground);
        Ok(TweenRequest {
            only: self.training_takes(request)?,
            mode: self.mode,
            poses: self.selectors(request)?.into_iter().map(PoseSelector::Text).collect(),
            at_secs: self.at_secs.clone(),
            start: places.next().flatten(),
            places: places.collect(),
            closes: self.closes,
            gap_only: self.gap_only,
            style: StyleSettings { dependence: self.network, ..default.style },
            search: PathSearchSettings {
                max_expansions: self.max_expansions.unwrap_or(default.search.max_expansions),
                ..default.search
            },
            name,
            ..default
        })
    }

    fn selectors(&self, request: &PanelRequest<'_>) -> Result<Vec<String>> {
        self.poses.iter().map(|pose| pose.selector(request)).collect()
    }

    /// The names of the takes to learn from; empty for all.
    fn training_takes(&self, request: &PanelRequest<'_>) -> Result<Vec<String>> {
        let chosen = match self.examples.as_slice() {
            [] => request.corpus.takes()?,
            ids => ids.iter().map(|id| request.take_info(id)).collect::<Result<_>>()?,
        };
        let secs: f64 = chosen.iter().map(TakeInfo::duration_secs).sum();
        if self.mode == TweenMode::Style && secs > MAX_STYLE_SECS {
            let message = format!(
                "{secs:.0} s of motion; the limit of a style is {MAX_STYLE_SECS} s, so choose some takes"
            );
            return Err(StudioError::new(&codes::TOO_LARGE, message));
        }
        request.take_names(&self.examples)
    }

    /// The command that makes the same motion.
    fn command(&self, request: &PanelRequest<'_>, verb: &TweenRequest) -> Result<String> {
        let is_style = self.mode == TweenMode::Style;
        let network = match self.network {
            Dependence::Body => Some("body"),
            Dependence::Learned => None,
            Dependence::None => Some("none"),
        };
        let at = self.at_secs.iter().map(f64::to_string).collect::<Vec<_>>().join(",");
        let (start, others) = self.poses.split_at(self.poses.len().min(1));
        let last_placed = others.iter().rposition(|pose| pose.place.is_some()).map_or(0, |last| last + 1);
        let command = self
            .selectors(request)?
            .into_iter()
            .fold(request.command_line("tween"), |line, pose| line.arg(pose));
        let command = command
            .option("-o", ["between.bvh"])
            .option("--mode", is_style.then_some("style"))
            .option("--at", Some(at).filter(|at| !at.is_empty()))
            .option("--start", start.iter().filter(|pose| pose.place.is_some()).map(PickedPose::place))
            .option("--place", others.iter().take(last_placed).map(PickedPose::place))
            .flag("--loop", self.closes)
            .flag("--gap-only", self.gap_only)
            .option("--max-expansions", self.max_expansions.filter(|_| is_style))
            .option("--network", network.filter(|_| is_style))
            .option("--only", &verb.only);
        Ok(command.to_string())
    }
}
