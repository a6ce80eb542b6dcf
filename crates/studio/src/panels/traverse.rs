//! The panel of `traverse`: motion over a drawn terrain.

use marey::motion::{Terrain, Vec2};
use marey::traverse::{self, Landing, PreferredAmount, TraversePreferences, TraverseRequest};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{Floor, Panel, PanelRequest, Result, StudioError, StudioResult, Work, codes};

/// Maximum number of points of a terrain, and its maximum length in metres.
const MAX_POINTS: usize = 2000;
const MAX_LENGTH_M: f32 = 200.0;

/// The panel of `traverse`.
#[derive(Debug)]
pub(super) struct TraversePanel;

/// The message of the page.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct TraverseMessage {
    /// The pieces of the terrain: points along and up, in metres.
    pieces: Vec<Vec<[f32; 2]>>,
    /// Identifier of the take with the examples.
    take: String,
    #[serde(default)]
    length: Option<PreferredAmount>,
    #[serde(default)]
    height: Option<PreferredAmount>,
    #[serde(default)]
    lookahead: Option<usize>,
    #[serde(default)]
    seed: u64,
}

impl Panel for TraversePanel {
    fn name(&self) -> &'static str {
        "traverse"
    }

    fn run(&self, request: &PanelRequest<'_>, work: &Work) -> Result<Vec<StudioResult>> {
        let verb = request.parse::<TraverseMessage>()?.into_request(request)?;
        let outcome = request.run_verb(work, |context| traverse::run(&verb, context))?;
        let (mut result, details) = StudioResult::from_outcome(outcome);
        result.rename(&format!("{} over the ground", verb.takes.join(", ")))?;
        let landing = |landing: &Landing| {
            let at = landing.footing.position;
            json!([landing.frame, at.x, at.y, landing.footing.slope_rad])
        };
        let landings: Vec<Value> = details.landings.iter().map(landing).collect();
        let terrain = serde_json::to_vec_pretty(&verb.terrain).unwrap_or_default();
        Ok(vec![StudioResult {
            command: command(request, &verb),
            files: vec![("ground.terrain.json".into(), terrain)],
            notes: vec![
                ("hops", details.hops().to_string()),
                ("mean length", format!("{:.2} m", details.mean_length_m())),
                ("examples", details.primitives.to_string()),
                ("compared", details.effort.compared.to_string()),
            ],
            overlay: json!({ "ground": { "pieces": verb.terrain.pieces(), "landings": landings } }),
            floor: Floor::Uneven(verb.terrain),
            ..result
        }])
    }

    /// The parts of the terrain on which the character cannot stand or which it cannot reach, and why.
    fn preview(&self, request: &PanelRequest<'_>) -> Result<Value> {
        let verb = request.parse::<TraverseMessage>()?.into_request(request)?;
        let survey = request.run_verb(&Work::default(), |context| traverse::survey(&verb, context))?;
        Ok(json!({
            "no_footing": survey.no_footing,
            "unreachable": survey.unreachable,
            "error": survey.error.map(|error| StudioError::from(error).to_json()),
        }))
    }
}

impl TraverseMessage {
    fn into_request(self, request: &PanelRequest<'_>) -> Result<TraverseRequest> {
        Ok(TraverseRequest {
            takes: vec![request.take_info(&self.take)?.name],
            terrain: terrain(&self.pieces)?,
            preferences: TraversePreferences { length: self.length, height: self.height, style: None },
            lookahead: self.lookahead,
            seed: self.seed,
            ..TraverseRequest::default()
        })
    }
}

fn terrain(pieces: &[Vec<[f32; 2]>]) -> Result<Terrain> {
    let points: usize = pieces.iter().map(Vec::len).sum();
    let piece = |piece: &Vec<[f32; 2]>| piece.iter().map(|point| Vec2::from(*point)).collect();
    let terrain = Terrain::new(pieces.iter().map(piece).collect())?;
    if points > MAX_POINTS || terrain.end_m() - terrain.start_m() > MAX_LENGTH_M {
        let limits = format!("a terrain has at most {MAX_POINTS} points and {MAX_LENGTH_M} m");
        return Err(StudioError::new(&codes::TOO_LARGE, limits));
    }
    Ok(terrain)
}

/// The command that makes the same motion.
fn command(request: &PanelRequest<'_>, verb: &TraverseRequest) -> String {
    let preferences = (verb.preferences != TraversePreferences::default()).then_some(&verb.preferences);
    request
        .command_line("traverse")
        .arg("ground.terrain.json")
        .option("-o", ["traverse.bvh"])
        .option("--take", &verb.takes)
        .option("--lookahead", verb.lookahead)
        .option("--prefer", preferences)
        .option("--seed", (verb.seed != 0).then_some(verb.seed))
        .to_string()
}
