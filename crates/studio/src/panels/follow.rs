//! The panel of `follow`: walks along a drawn path, or follows a leader.

use marey::follow::{self, ControlInput, ControlKind, FollowRequest, SearchMode};
use serde::Deserialize;

use super::path_file::path_file;
use crate::{Panel, PanelRequest, Result, StudioResult, Work};

/// The panel of `follow`.
#[derive(Debug)]
pub(super) struct FollowPanel;

/// The message of the page.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct FollowMessage {
    control: ControlMessage,
    #[serde(default)]
    k: Option<f64>,
    /// Identifiers of the takes to use; all suitable takes if empty.
    #[serde(default)]
    examples: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
enum ControlMessage {
    /// A drawn path: points on the floor, x and z, at a rate.
    Path {
        points: Vec<[f32; 2]>,
        rate_hz: f64,
        #[serde(default)]
        smooth_m: f64,
        #[serde(default)]
        smooth_secs: f64,
    },
    /// An actor of a take.
    Actor { take: String, actor: String },
}

impl Panel for FollowPanel {
    fn name(&self) -> &'static str {
        "follow"
    }

    fn run(&self, request: &PanelRequest<'_>, work: &Work) -> Result<Vec<StudioResult>> {
        let message: FollowMessage = request.parse()?;
        let verb = message.to_request(request)?;
        let outcome = request.run_verb(work, |context| follow::run(&verb, context))?;
        let (mut result, details) = StudioResult::from_outcome(outcome);
        let (interpretation, continuity, _) = details.interpretation.parts();
        result.notes = vec![
            ("pieces", details.interpretation.pieces.len().to_string()),
            ("examples", details.examples.to_string()),
            ("interpretation", format!("{interpretation:.3} m²")),
            ("continuity", format!("{continuity:.3} m²")),
        ];
        match &message.control {
            ControlMessage::Path { points, rate_hz, .. } => {
                result.rename("walk along a path")?;
                result.files = vec![path_file(points, *rate_hz)];
                result.command = command(request, &verb, "path.csv", "walk.bvh");
            }
            ControlMessage::Actor { take, .. } => {
                let leader = request.take_info(take)?;
                result.rename("follower")?;
                result.shown_beside = Some(leader.id.0);
                result.command = command(request, &verb, &format!("take:{}", leader.name), "pair.bvh");
            }
        }
        Ok(vec![result])
    }
}

impl FollowMessage {
    fn to_request(&self, request: &PanelRequest<'_>) -> Result<FollowRequest> {
        let default = FollowRequest::default();
        let base = FollowRequest {
            examples: request.take_names(&self.examples)?,
            k: self.k.unwrap_or(default.k),
            mode: SearchMode::Explained,
            ..default
        };
        Ok(match &self.control {
            ControlMessage::Path { points, rate_hz, smooth_m, smooth_secs } => FollowRequest {
                input: ControlInput::Path { points: points.clone(), rate_hz: Some(*rate_hz) },
                smooth_m: *smooth_m,
                smooth_secs: *smooth_secs,
                ..base
            },
            ControlMessage::Actor { take, actor } => FollowRequest {
                input: ControlInput::CorpusTake(request.take_info(take)?.name),
                control: ControlKind::Actor(actor.clone()),
                ..base
            },
        })
    }
}

/// The command that makes the same motion.
fn command(request: &PanelRequest<'_>, verb: &FollowRequest, control: &str, output: &str) -> String {
    let default = FollowRequest::default();
    let unless_default = |value: f64, default: f64| (value != default).then_some(value);
    request
        .command_line("follow")
        .arg(control)
        .option("-o", [output])
        .option("--control", [&verb.control])
        .option("--example", &verb.examples)
        .option("--k", unless_default(verb.k, default.k))
        .option("--smooth-space", unless_default(verb.smooth_m, default.smooth_m))
        .option("--smooth-time", unless_default(verb.smooth_secs, default.smooth_secs))
        .to_string()
}
