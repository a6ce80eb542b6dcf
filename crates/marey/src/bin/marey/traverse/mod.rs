//! `marey traverse`.

mod ground;

use std::path::PathBuf;

use clap::Args;
use marey::corpus::Corpus;
use marey::crossings::{Crosser, Traversed, Wish};
use marey::formats::write;
use marey::motion::{Take, Terrain};
use marey::render::{Look, Strobe, View};
use marey::traverse::{Settings, Taste, Way};
use serde::Serialize;

use crate::check;
use crate::console::Console;
use crate::convert::usual_options;
use crate::failure::{Failure, Verdict};
use crate::flags::{ForceFlag, JsonFlag, finite};
use crate::json;
use ground::GroundFlags;

/// Cross uneven ground by example: a lamp hops over gaps, a person walks over steps
///
/// For every hop or stride the corpus is asked for the one that best fits how the figure stands, the ground ahead and what is preferred;
/// it is bent to begin where the last one ended and to land exactly on the ground. Ground that no hop reaches is told before anything
/// is made.
#[derive(Debug, Args)]
#[command(before_help = "Examples:
  marey traverse lamp.marey steps.terrain.json -o out.bvh --picture out.png  over steps, with a picture
  marey traverse walks.marey hills.png -o out.bvh --path way.csv             a walk along a way over a height map")]
pub(crate) struct TraverseArgs {
    /// The corpus, a file ending in .marey: examples of one figure
    #[arg(value_name = "CORPUS")]
    corpus: PathBuf,

    #[command(flatten)]
    ground: GroundFlags,

    /// Where the motion goes: a file ending in .bvh, .glb or .gltf
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,

    /// Only this take of the corpus; may be given several times
    #[arg(long, value_name = "TAKE")]
    take: Vec<String>,

    /// What is preferred: length=short|long|METRES, height=low|high|METRES, style=NAME; several with commas between
    #[arg(long, value_name = "WISHES")]
    prefer: Option<String>,

    /// How many hops are looked ahead; 0 takes the best next one [default: 4]
    #[arg(long, value_name = "N")]
    lookahead: Option<usize>,

    /// Where the figure begins, in metres along the ground
    #[arg(long, value_name = "M", value_parser = finite)]
    from: Option<f32>,

    /// Where it is to come to, in metres along the ground
    #[arg(long, value_name = "M", value_parser = finite)]
    to: Option<f32>,

    /// Where chance starts: among hops that are about as good, another seed takes another
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,

    /// A strobed picture of the motion over the ground in profile, a file ending in .png; a way is drawn as if it was straight
    #[arg(long, value_name = "PICTURE.png")]
    picture: Option<PathBuf>,

    /// Write the plan too: which hop is used when and where
    #[arg(long, value_name = "PLAN.json")]
    plan: Option<PathBuf>,

    /// Write why: for each choice the candidates, and what each costs in state, ground, taste and lift
    #[arg(long, value_name = "WHY.json")]
    explain: Option<PathBuf>,

    /// Settings as TOML, as docs/traverse.md lists them; the flags above go before it
    #[arg(long, value_name = "FILE.toml")]
    settings: Option<PathBuf>,

    #[command(flatten)]
    force: ForceFlag,

    #[command(flatten)]
    json: JsonFlag,
}

/// What was done, as JSON has it.
#[derive(Debug, Serialize)]
struct Row {
    output: String,
    frames: usize,
    rate_hz: f64,
    hops: usize,
    /// Mean length of a hop, in metres.
    mean_hop_m: f32,
    /// What the database holds.
    examples: usize,
    queries: usize,
    cells: usize,
    looked_at: usize,
    cost: f64,
}

pub(crate) fn run(args: &TraverseArgs, console: &Console) -> Result<Verdict, Failure> {
    let options = usual_options(&args.output)?;
    let beside = [&args.picture, &args.plan, &args.explain];
    for output in [Some(&args.output)].into_iter().chain(beside.map(Option::as_ref)).flatten() {
        args.force.check(output)?;
    }
    let wish = args.wish()?;
    let (terrain, way) = args.ground.read()?;
    let about_corpus = |error: Failure| error.in_file(&args.corpus);
    let corpus = Corpus::open_read_only(&args.corpus).map_err(|error| about_corpus(error.into()))?;
    let crosser = Crosser::of(&corpus, wish).map_err(about_corpus)?;
    let made = crosser.cross(&terrain, &way).map_err(|failure| failure.in_file(args.ground.file()))?;
    let (bytes, _) = write(&made.take, &options)?;
    args.force.write(&args.output, &bytes)?;
    if let Some(path) = &args.plan {
        args.force.write(path, made.plan.to_json()?.as_bytes())?;
    }
    if let Some(path) = &args.explain {
        args.force.write(path, json::object(&made.trace).as_bytes())?;
    }
    if let Some(path) = &args.picture {
        // The ground is drawn in profile, so the motion is too.
        let straight = crosser.cross(&terrain, &Way::straight())?;
        args.force.write(path, &strobed(&straight.take, terrain)?)?;
    }
    tell(args, console, &crosser, &made)
}

impl TraverseArgs {
    /// What the flags say; settings of a file are checked, so that it is named.
    fn wish(&self) -> Result<Wish, Failure> {
        let settings: Option<Settings> = self.settings.as_deref().map(check::settings).transpose()?;
        if let (Some(settings), Some(file)) = (&settings, &self.settings) {
            settings.validate().map_err(|error| Failure::settings(error).in_file(file))?;
        }
        Ok(Wish {
            takes: self.take.clone(),
            taste: self.prefer.as_deref().map(str::parse::<Taste>).transpose()?.unwrap_or_default(),
            lookahead: self.lookahead,
            from_m: self.from,
            to_m: self.to,
            seed: self.seed,
            settings,
        })
    }
}

/// All of a motion over its ground in one picture.
fn strobed(take: &Take, terrain: Terrain) -> marey::render::Result<Vec<u8>> {
    let secs = take.frames() as f64 / take.rate_hz();
    let look = Look { view: View::Side, terrain: Some(terrain), ..Look::default() };
    Strobe { look, poses: (POSES_HZ * secs).clamp(2.0, MOST_POSES) as usize, ..Strobe::default() }.png(take)
}

/// How many poses a strobed picture shows at most.
const MOST_POSES: f64 = 140.0;
/// How many poses it shows of a second.
const POSES_HZ: f64 = 10.0;

fn tell(
    args: &TraverseArgs,
    console: &Console,
    crosser: &Crosser,
    made: &Traversed,
) -> Result<Verdict, Failure> {
    let Traversed { crossed, effort, plan, .. } = made;
    let hops = crossed.landings.len().saturating_sub(1);
    let ends = crossed.landings.first().zip(crossed.landings.last());
    let went_m = ends.map_or(0.0, |(first, last)| last.1.at.x - first.1.at.x);
    let row = Row {
        output: args.output.display().to_string(),
        frames: crossed.clip.frames(),
        rate_hz: crossed.clip.rate_hz(),
        hops,
        mean_hop_m: went_m / hops.max(1) as f32,
        examples: crosser.hops(),
        queries: effort.queries,
        cells: effort.cells,
        looked_at: effort.looked_at,
        cost: plan.cost.total,
    };
    if args.json.json {
        console.print(&json::array([row].into_iter()))?;
        return Ok(Verdict::AllDone);
    }
    console.note(&format!(
        "{}: {} frames at {} Hz, {hops} hops of {:.3} m on average out of {}; {} queries opened {} cells and looked at {} hops\n",
        row.output,
        row.frames,
        row.rate_hz,
        row.mean_hop_m,
        row.examples,
        row.queries,
        row.cells,
        row.looked_at,
    ));
    Ok(Verdict::AllDone)
}
