//! The panel of `vary`: several variations of a take, and their trajectories.

use marey::vary::{ChaoticSystem, CutRule, VaryDetails, VaryJob, VaryRequest};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{Panel, PanelRequest, Result, StudioError, StudioResult, Work, codes};

/// Maximum number of variations per request.
const MAX_COUNT: u64 = 24;
/// Maximum duration of a take in seconds.
const MAX_SECS: f64 = 600.0;
/// Maximum number of trajectory points sent to the page.
const MAX_POINTS: usize = 3000;

/// The panel of `vary`.
#[derive(Debug)]
pub(super) struct VaryPanel;

/// The message of the page.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct VaryMessage {
    /// Identifier of the take.
    take: String,
    /// Number of variations, with consecutive seeds.
    count: u64,
    seed: u64,
    system: ChaoticSystem,
    /// `None` for what suits the take, as in the two fields below.
    shift: Option<f64>,
    turn: Option<f64>,
    min_chunk: Option<usize>,
    cut: CutRule,
    beats: bool,
    keep_first: bool,
    keep_last: bool,
}

impl Panel for VaryPanel {
    fn name(&self) -> &'static str {
        "vary"
    }

    fn run(&self, request: &PanelRequest<'_>, work: &Work) -> Result<Vec<StudioResult>> {
        let message: VaryMessage = request.parse()?;
        if !(1..=MAX_COUNT).contains(&message.count) {
            let problem = format!("count is {}; it must be from 1 to {MAX_COUNT}", message.count);
            return Err(StudioError::new(&codes::REQUEST, problem));
        }
        let info = request.take_info(&message.take)?;
        if info.duration_secs() > MAX_SECS {
            let problem = format!("the take is longer than {MAX_SECS} s; `marey vary` has no such limit");
            return Err(StudioError::new(&codes::TOO_LARGE, problem));
        }
        let verb = message.to_request(&info.name);
        request.run_verb(work, |context| {
            let job = VaryJob::new(&verb, context)?;
            let mut results = Vec::new();
            for index in 0..message.count {
                context.report("varying", index as usize, message.count as usize)?;
                let seed = message.seed.wrapping_add(index);
                let outcome = job.run(seed, &format!("{} varied {seed}", info.name))?;
                let (result, details) = StudioResult::from_outcome(outcome);
                results.push(StudioResult {
                    command: message.command(request, &info.name, seed),
                    notes: notes(&details),
                    shown_beside: Some(info.id.0),
                    overlay: json!({ "attractor": attractor(&details) }),
                    ..result
                });
            }
            Ok(results)
        })
    }
}

impl VaryMessage {
    fn to_request(&self, take: &str) -> VaryRequest {
        VaryRequest {
            only: vec![take.to_owned()],
            system: self.system.clone(),
            shift: self.shift,
            turn: self.turn,
            min_chunk: self.min_chunk,
            cut: self.cut,
            beats: self.beats,
            keep_first: self.keep_first,
            keep_last: self.keep_last,
            seed: self.seed,
            ..VaryRequest::default()
        }
    }

    /// The command that makes the same variation.
    fn command(&self, request: &PanelRequest<'_>, take: &str, seed: u64) -> String {
        request
            .command_line("vary")
            .option("--only", [take])
            .option("-o", ["varied.bvh"])
            .option("--seed", [seed])
            .option("--system", [&self.system])
            .option("--shift", self.shift)
            .option("--turn", self.turn)
            .option("--min-chunk", self.min_chunk)
            .option("--cut", (self.cut == CutRule::Free).then_some("free"))
            .flag("--beats", self.beats)
            .flag("--keep-first", self.keep_first)
            .flag("--keep-last", self.keep_last)
            .to_string()
    }
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

fn notes(details: &VaryDetails) -> Vec<(&'static str, String)> {
    let VaryDetails { chunks, statistics, cell_secs, .. } = details;
    vec![
        ("chunks", chunks.len().to_string()),
        ("mean run", format!("{:.1} s", statistics.mean_run * cell_secs)),
        ("moved", format!("{:.0} %", 100.0 * statistics.moved)),
        ("of the original", format!("{:.0} %", 100.0 * statistics.used)),
    ]
}
