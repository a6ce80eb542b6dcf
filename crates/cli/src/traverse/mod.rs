//! `marey traverse`.

mod ground;

use std::path::{Path, PathBuf};

use clap::Args;
use marey::Error;
use marey::motion::{Take, Terrain};
use marey::render::{SceneOptions, Strobe, View};
use marey::traverse::{
    self, GroundPath, TraversePreferences, TraverseRequest, TraverseSettings, TraverseSettingsChanges,
};
use serde::Serialize;

use crate::console::Console;
use crate::flags::{ExampleFlags, finite, settings};
use crate::output::{OutputFlags, PlanFlag};
use crate::verdict::Verdict;
use ground::GroundFlags;

/// Cross uneven terrain by example: a lamp hops over gaps, a person walks over stairs
///
/// For every hop or stride, the engine picks the example of the corpus that best fits the character's state, the terrain
/// ahead and the preferences. It adapts the example to start where the last one ended and to land exactly on the terrain.
/// If no sequence of examples reaches the goal, the command says where the terrain becomes unreachable.
#[derive(Debug, Args)]
#[command(before_help = "Examples:
  marey traverse lamp.marey steps.terrain.json -o out.bvh --picture out.png  over steps, with a picture
  marey traverse walks.marey hills.png -o out.bvh --path path.csv            a walk along a path over a height map")]
pub(crate) struct TraverseArgs {
    /// A corpus, a file ending in .marey, with examples of one character; or motion files: a folder, a pattern or a file
    #[arg(value_name = "CORPUS")]
    corpus: PathBuf,

    #[command(flatten)]
    ground: GroundFlags,

    /// Use only this take of the corpus; can be repeated
    #[arg(long, value_name = "TAKE")]
    take: Vec<String>,

    /// Preferred hops or strides, separated by commas: length=short|long|METRES, height=low|high|METRES, style=NAME
    #[arg(long, value_name = "PREFERENCES")]
    prefer: Option<String>,

    /// Number of hops to look ahead; 0 takes the best next hop [default: 4]
    #[arg(long, value_name = "N")]
    lookahead: Option<usize>,

    /// Start, in metres along the terrain
    #[arg(long, value_name = "M", value_parser = finite)]
    from: Option<f32>,

    /// Goal, in metres along the terrain
    #[arg(long, value_name = "M", value_parser = finite)]
    to: Option<f32>,

    /// Random seed, which picks among hops of about equal cost
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,

    /// Also write a picture of the motion over the terrain in profile, a .png file; a path is drawn as if it were straight
    #[arg(long, value_name = "PICTURE.png")]
    picture: Option<PathBuf>,

    /// Also write the candidates of each choice with their costs of state, ground, preference and lift
    #[arg(long, value_name = "WHY.json")]
    explain: Option<PathBuf>,

    /// Settings in TOML, see docs/engines/traverse.md; the flags above take precedence
    #[arg(long, value_name = "FILE.toml")]
    settings: Option<PathBuf>,

    #[command(flatten)]
    plan: PlanFlag,

    #[command(flatten)]
    output: OutputFlags,

    #[command(flatten)]
    sources: ExampleFlags,
}

/// What `--json` adds.
#[derive(Debug, Serialize)]
struct TraverseRow {
    hops: usize,
    /// Mean length of a hop, in metres.
    mean_hop_m: f32,
    /// Number of hops or strides in the database.
    examples: usize,
    queries: usize,
    cells: usize,
    compared: usize,
    cost: f64,
}

pub(crate) fn run(args: &TraverseArgs, console: &Console) -> Result<Verdict, Error> {
    args.output.check(&[&args.picture, &args.plan.plan, &args.explain])?;
    let request = args.request()?;
    let inputs = std::slice::from_ref(&args.corpus);
    let context = args.output.context(args.sources.context(inputs, &args.output.force, console)?)?;
    let outcome = console
        .observed(|observer| traverse::run(&request, &console.context(context.clone(), observer)))
        .map_err(|error| args.with_file(error))?;
    args.output.write_json(&args.explain, &outcome.trace)?;
    if let Some(path) = &args.picture {
        // The picture shows the terrain in profile, so the motion must be straight.
        let straight = TraverseRequest { path: GroundPath::straight(), ..request };
        let take = traverse::run(&straight, &context)?.take;
        args.output.force.write(path, &strobed(&take, straight.terrain)?)?;
    }
    let (details, effort) = (&outcome.details, &outcome.details.effort);
    let row = TraverseRow {
        hops: details.hops(),
        mean_hop_m: details.mean_length_m(),
        examples: details.primitives,
        queries: effort.queries,
        cells: effort.cells,
        compared: effort.compared,
        cost: outcome.plan.as_ref().map_or(0.0, |plan| plan.cost.total),
    };
    let summary = format!(
        "{} hops with a mean length of {:.3} m, from {} examples; {} queries opened {} cells and compared {} examples",
        row.hops, row.mean_hop_m, row.examples, row.queries, row.cells, row.compared,
    );
    args.output.save(console, &outcome, Some(&args.plan), None, summary, row)
}

impl TraverseArgs {
    fn request(&self) -> Result<TraverseRequest, Error> {
        let settings = self.settings.as_deref().map(checked_settings).transpose()?.unwrap_or_default();
        let preferences = self.prefer.as_deref().map(str::parse::<TraversePreferences>).transpose()?;
        let (terrain, path) = self.ground.read()?;
        Ok(TraverseRequest {
            takes: self.take.clone(),
            terrain,
            path,
            preferences: preferences.unwrap_or_default(),
            lookahead: self.lookahead,
            start_m: self.from,
            goal_m: self.to,
            seed: self.seed,
            settings,
        })
    }

    /// Adds the file that an error concerns: the corpus if its examples are unusable, otherwise the terrain.
    fn with_file(&self, error: Error) -> Error {
        let of_examples = ["traverse/empty", "traverse/mismatch", "traverse/no-sole"];
        let is_corpus = error.code.id.starts_with("corpus/") || of_examples.contains(&error.code.id);
        if error.is_usage {
            return error;
        }
        error.in_file(if is_corpus { &self.corpus } else { self.ground.file() })
    }
}

/// The settings that a file changes.
fn checked_settings(file: &Path) -> Result<TraverseSettingsChanges, Error> {
    let changes: TraverseSettingsChanges = settings(file)?;
    let all = changes.over(&TraverseSettings::default()).map_err(|error| error.in_file(file))?;
    all.validate().map_err(|error| Error::settings(error).in_file(file))?;
    Ok(changes)
}

/// A strobed picture of a motion over its terrain.
fn strobed(take: &Take, terrain: Terrain) -> Result<Vec<u8>, marey::render::RenderError> {
    let secs = take.frames() as f64 / take.rate_hz();
    let scene = SceneOptions { view: View::Side, terrain: Some(terrain), ..SceneOptions::default() };
    Strobe { scene, poses: (POSES_HZ * secs).clamp(2.0, MAX_POSES) as usize, ..Strobe::default() }.png(take)
}

/// Maximum number of poses in a strobed picture.
const MAX_POSES: f64 = 140.0;
/// Number of poses per second.
const POSES_HZ: f64 = 10.0;
