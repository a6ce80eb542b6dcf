//! The studio's panel for control by example: walks along a drawn path, follows a leader.

use marey::corpus::{Corpus, TakeId};
use marey::follow::{self, ControlInput, ControlKind, FollowRequest, SearchMode};
use marey::motion::{Observer, Take};
use serde::Deserialize;
use serde_json::Value;

use super::drawn::table;
use super::realise::parse_message;
use crate::{Floor, MotionId, Panel, PanelRequest, Planned, StudioError, StudioResult, Work, codes, quoted};

/// Paths and partners.
#[derive(Debug)]
pub(super) struct FollowPanel;

/// What the page sends.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct FollowMessage {
    lead: LeadMessage,
    #[serde(default)]
    k: Option<f64>,
    /// The takes to use, by the page's names; all that suit if empty.
    #[serde(default)]
    examples: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
enum LeadMessage {
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

    fn run(&self, ask: &PanelRequest<'_>, work: &Work) -> Result<Vec<StudioResult>, StudioError> {
        let message: FollowMessage = parse_message(ask.wish)?;
        let beside = message.leading_take()?;
        let request = message.request(ask.corpus)?;
        let observe = |progress| work.observe(progress);
        let outcome = follow::run(&request, &ask.context(Observer::new(&observe))?);
        // A cancelled job is reported as cancelled, whatever the verb returned.
        work.at(1.0, "done")?;
        let outcome = outcome?;
        let (interpretation, continuity) = outcome.details.interpretation.parts();
        let (name, output) =
            if beside.is_some() { ("follower", "pair.bvh") } else { ("walk along a path", "walk.bvh") };
        let words = request.command_line(ask.path, "path.csv", output);
        Ok(vec![StudioResult {
            take: Take::new(name, outcome.take.into_actors())?,
            contacts: outcome.contacts,
            planned: outcome.plan.map(|plan| Planned { plan, trace: outcome.trace }),
            report: outcome.report,
            command: shell_line(&words),
            files: message.path_file().into_iter().collect(),
            notes: vec![
                ("pieces".into(), outcome.details.interpretation.pieces.len().to_string()),
                ("examples".into(), outcome.details.examples.to_string()),
                ("interpretation".into(), format!("{interpretation:.3} m²")),
                ("continuity".into(), format!("{continuity:.3} m²")),
            ],
            beside,
            floor: Floor::Level,
            shows: Value::Null,
        }])
    }
}

impl FollowMessage {
    fn request(&self, corpus: &Corpus) -> Result<FollowRequest, StudioError> {
        let names = self.examples.iter().map(|id| Ok(corpus.info(take_id(id)?)?.name));
        let base = FollowRequest {
            examples: names.collect::<Result<_, StudioError>>()?,
            k: self.k.unwrap_or(FollowRequest::default().k),
            mode: SearchMode::Explained,
            ..FollowRequest::default()
        };
        Ok(match &self.lead {
            LeadMessage::Path { points, rate_hz, smooth_m, smooth_secs } => FollowRequest {
                input: ControlInput::Path { points: points.clone(), rate_hz: *rate_hz },
                smooth_m: *smooth_m,
                smooth_secs: *smooth_secs,
                ..base
            },
            LeadMessage::Actor { take, actor } => FollowRequest {
                input: ControlInput::CorpusTake(corpus.info(take_id(take)?)?.name),
                control: ControlKind::Actor(actor.clone()),
                ..base
            },
        })
    }

    /// The take of the leader, which the page shows beside the result.
    fn leading_take(&self) -> Result<Option<i64>, StudioError> {
        match &self.lead {
            LeadMessage::Path { .. } => Ok(None),
            LeadMessage::Actor { take, .. } => Ok(Some(take_id(take)?.0)),
        }
    }

    /// The file that the command reads.
    fn path_file(&self) -> Option<(String, Vec<u8>)> {
        match &self.lead {
            LeadMessage::Path { points, rate_hz, .. } => {
                Some(("path.csv".into(), table(points, *rate_hz).into_bytes()))
            }
            LeadMessage::Actor { .. } => None,
        }
    }
}

/// The words of a command as a shell reads them. Names of options need no quotes.
fn shell_line(words: &[String]) -> String {
    let is_option =
        |word: &str| word.starts_with('-') && word.chars().all(|c| c.is_ascii_lowercase() || c == '-');
    let words = words.iter().map(|word| if is_option(word) { word.clone() } else { quoted(word) });
    words.collect::<Vec<_>>().join(" ")
}

fn take_id(id: &str) -> Result<TakeId, StudioError> {
    match id.parse()? {
        MotionId::Take(number) => Ok(TakeId(number)),
        _ => Err(StudioError::new(&codes::NO_MOTION, "leader and examples are takes of the corpus")),
    }
}
