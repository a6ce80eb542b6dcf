//! The studio's panel of `traverse`: translates between the page and the verb.

use std::fmt::Write as _;

use crate::{Floor, MotionId, Panel, PanelRequest, Planned, StudioError, StudioResult, Work, codes, quoted};
use marey::corpus::TakeId;
use marey::motion::{Observer, Take, Terrain, Vec2};
use marey::traverse::{self, PreferredAmount, TraversePreferences, TraverseRequest};
use serde::Deserialize;
use serde_json::{Value, json};

use super::realise::parse_message;

/// Maximum number of points of a terrain, and its maximum length in metres.
const MAX_POINTS: usize = 2000;
const MAX_LENGTH_M: f32 = 200.0;

/// The panel of `traverse`.
#[derive(Debug)]
pub(crate) struct TraversePanel;

/// A request as the page sends it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct TraversePanelRequest {
    /// The pieces of the terrain: points along and up, in metres.
    pieces: Vec<Vec<[f32; 2]>>,
    /// The take with the examples, by the page's name of it.
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

    fn run(&self, ask: &PanelRequest<'_>, work: &Work) -> Result<Vec<StudioResult>, StudioError> {
        let request = parse_message::<TraversePanelRequest>(ask.wish)?.request(ask)?;
        let observe = |progress| work.observe(progress);
        let outcome = traverse::run(&request, &ask.context(Observer::new(&observe))?)?;
        let name = format!("{} over the ground", request.takes.join(", "));
        let details = &outcome.details;
        let landing = |landing: &traverse::Landing| {
            let at = landing.footing.position;
            json!([landing.frame, at.x, at.y, landing.footing.slope_rad])
        };
        let landings: Vec<Value> = details.landings.iter().map(landing).collect();
        let terrain = serde_json::to_vec_pretty(&request.terrain).unwrap_or_default();
        let notes = vec![
            ("hops".into(), details.hops().to_string()),
            ("mean length".into(), format!("{:.2} m", details.mean_length_m())),
            ("to choose from".into(), details.primitives.to_string()),
            ("compared".into(), details.effort.compared.to_string()),
        ];
        Ok(vec![StudioResult {
            take: Take::new(name, outcome.take.into_actors())?,
            contacts: outcome.contacts,
            planned: outcome.plan.map(|plan| Planned { plan, trace: outcome.trace }),
            report: outcome.report,
            command: command(&request, &ask.path.display().to_string()),
            files: vec![("ground.terrain.json".into(), terrain)],
            notes,
            beside: None,
            shows: json!({ "ground": { "pieces": request.terrain.pieces(), "landings": landings } }),
            floor: Floor::Uneven(request.terrain),
        }])
    }

    /// Reports where the character cannot stand, which ground it cannot reach, and why.
    fn look(&self, ask: &PanelRequest<'_>) -> Result<Value, StudioError> {
        let request = parse_message::<TraversePanelRequest>(ask.wish)?.request(ask)?;
        let survey = traverse::survey(&request, &ask.context(Observer::ignore())?)?;
        Ok(json!({
            "unsteady": survey.no_footing,
            "unreached": survey.unreachable,
            "fault": survey.error.map(|error| StudioError::from(error).to_json()),
            "longest_m": survey.max_length_m,
        }))
    }
}

impl TraversePanelRequest {
    fn request(self, ask: &PanelRequest<'_>) -> Result<TraverseRequest, StudioError> {
        let MotionId::Take(number) = self.take.parse()? else {
            return Err(StudioError::new(&codes::NO_MOTION, "the examples must be a take of the corpus"));
        };
        Ok(TraverseRequest {
            takes: vec![ask.corpus.info(TakeId(number))?.name],
            terrain: terrain(&self.pieces)?,
            preferences: TraversePreferences { length: self.length, height: self.height, style: None },
            lookahead: self.lookahead,
            seed: self.seed,
            ..TraverseRequest::default()
        })
    }
}

fn terrain(pieces: &[Vec<[f32; 2]>]) -> Result<Terrain, StudioError> {
    let points: usize = pieces.iter().map(Vec::len).sum();
    let piece = |piece: &Vec<[f32; 2]>| piece.iter().map(|point| Vec2::from(*point)).collect();
    let terrain = Terrain::new(pieces.iter().map(piece).collect())?;
    if points > MAX_POINTS || terrain.end_m() - terrain.start_m() > MAX_LENGTH_M {
        let limits = format!("a terrain has at most {MAX_POINTS} points and {MAX_LENGTH_M} m");
        return Err(StudioError::new(&codes::TOO_LARGE, limits));
    }
    Ok(terrain)
}

/// The command that answers the same request.
fn command(request: &TraverseRequest, corpus: &str) -> String {
    let mut words = format!("marey traverse {} ground.terrain.json -o traverse.bvh", quoted(corpus));
    for take in &request.takes {
        // Writing to a string cannot fail.
        let _ = write!(words, " --take {}", quoted(take));
    }
    if let Some(lookahead) = request.lookahead {
        let _ = write!(words, " --lookahead {lookahead}");
    }
    if request.preferences != TraversePreferences::default() {
        let _ = write!(words, " --prefer {}", quoted(&request.preferences.to_string()));
    }
    if request.seed != 0 {
        let _ = write!(words, " --seed {}", request.seed);
    }
    words
}
