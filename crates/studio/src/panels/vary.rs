//! The studio's panel for chaotic variation: several variations of a take, and their trajectories.

use marey::corpus::TakeId;
use marey::motion::Observer;
use marey::vary::{ChaoticSystem, VaryDetails, VaryJob, VaryRequest};
use serde::Deserialize;
use serde_json::{Value, json};

use super::realise::parse_message;
use crate::{Floor, MotionId, Panel, PanelRequest, Planned, StudioError, StudioResult, Work, codes, quoted};

/// Maximum number of variations per request.
const MAX_COUNT: u64 = 24;
/// Maximum duration of a take in seconds.
const MAX_SECS: f64 = 600.0;
/// Maximum number of trajectory points sent to the page.
const MAX_POINTS: usize = 3000;

#[derive(Debug)]
pub(crate) struct VaryPanel;

/// What the page sends.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct VaryPanelRequest {
    /// Identifier of the take.
    take: String,
    /// Number of variations, with consecutive seeds.
    count: u64,
    seed: u64,
    system: ChaoticSystem,
    shift: f64,
    turn: f64,
    min_chunk: usize,
    keep_first: bool,
    keep_last: bool,
}

impl Panel for VaryPanel {
    fn name(&self) -> &'static str {
        "vary"
    }

    fn run(&self, ask: &PanelRequest<'_>, work: &Work) -> Result<Vec<StudioResult>, StudioError> {
        let wire: VaryPanelRequest = parse_message(ask.wish)?;
        if !(1..=MAX_COUNT).contains(&wire.count) {
            let message = format!("count is {}; it must be from 1 to {MAX_COUNT}", wire.count);
            return Err(StudioError::new(&codes::REQUEST, message));
        }
        let MotionId::Take(number) = wire.take.parse()? else {
            return Err(StudioError::new(&codes::NO_MOTION, "only takes of the corpus can be varied"));
        };
        let info = ask.corpus.info(TakeId(number))?;
        if info.duration_secs() > MAX_SECS {
            let message = format!("the take is longer than {MAX_SECS} s; `marey vary` has no such limit");
            return Err(StudioError::new(&codes::TOO_LARGE, message));
        }
        let observe = |progress| work.observe(progress);
        let context = ask.context(Observer::new(&observe))?;
        let request = wire.request(&info.name);
        let job = VaryJob::new(&request, &context)?;
        let mut results = Vec::new();
        for number in 0..wire.count {
            work.at(0.1 + 0.9 * number as f32 / wire.count as f32, "varying")?;
            let seed = wire.seed.wrapping_add(number);
            let outcome = job.run(seed, &format!("{} varied {seed}", info.name))?;
            let (shows, notes) =
                (json!({ "attractor": attractor(&outcome.details) }), notes(&outcome.details));
            results.push(StudioResult {
                take: outcome.take,
                contacts: outcome.contacts,
                planned: outcome.plan.map(|plan| Planned { plan, trace: outcome.trace }),
                report: outcome.report,
                command: command(ask, &request, &info.name, seed),
                files: vec![],
                notes,
                beside: Some(info.id.0),
                floor: Floor::Level,
                shows,
            });
        }
        Ok(results)
    }
}

impl VaryPanelRequest {
    fn request(&self, take: &str) -> VaryRequest {
        VaryRequest {
            only: vec![take.to_owned()],
            system: self.system.clone(),
            shift: self.shift,
            turn: Some(self.turn),
            min_chunk: Some(self.min_chunk),
            keep_first: self.keep_first,
            keep_last: self.keep_last,
            seed: self.seed,
            ..VaryRequest::default()
        }
    }
}

fn command(ask: &PanelRequest<'_>, request: &VaryRequest, take: &str, seed: u64) -> String {
    let VaryRequest { system, shift, turn, min_chunk, keep_first, keep_last, .. } = request;
    let mut command = format!(
        "marey vary {} --only {} -o varied.bvh --seed {seed} --system {} --shift {shift}",
        quoted(&ask.path.display().to_string()),
        quoted(take),
        quoted(&system.to_string()),
    );
    if let Some(turn) = turn {
        command += &format!(" --turn {turn}");
    }
    if let Some(min_chunk) = min_chunk {
        command += &format!(" --min-chunk {min_chunk}");
    }
    command += if *keep_first { " --keep-first" } else { "" };
    command += if *keep_last { " --keep-last" } else { "" };
    command
}

/// Both trajectories in the units of the system, and the cell that the variation plays at each time.
fn attractor(details: &VaryDetails) -> Value {
    let VaryDetails { reference, itinerary, chunks, cell_secs, .. } = details;
    // Chunks may be early or late on the itinerary.
    let played: Vec<usize> = chunks.iter().flat_map(|chunk| chunk.range()).take(MAX_POINTS).collect();
    json!({
        "cell_secs": cell_secs,
        "original": reference.get(..MAX_POINTS).unwrap_or(reference),
        "variation": itinerary.points.get(..MAX_POINTS).unwrap_or(&itinerary.points),
        "played": played,
    })
}

fn notes(details: &VaryDetails) -> Vec<(String, String)> {
    let VaryDetails { chunks, statistics, cell_secs, .. } = details;
    vec![
        ("chunks".into(), chunks.len().to_string()),
        ("mean run".into(), format!("{:.1} s", statistics.mean_run * cell_secs)),
        ("moved".into(), format!("{:.0} %", 100.0 * statistics.moved)),
        ("of the original".into(), format!("{:.0} %", 100.0 * statistics.used)),
    ]
}
