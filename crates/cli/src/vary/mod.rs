//! `marey vary`.

mod attractor_flags;

use std::path::{Path, PathBuf};

use attractor_flags::AttractorFlags;
use clap::Args;
use marey::check::is_corpus;
use marey::convert::write_options;
use marey::motion::Report;
use marey::vary::text::{TextJob, TextUnit};
use marey::vary::{
    Bridge, CutRule, DanceRecording, TravelMode, VariationStatistics, VaryDetails, VaryJob, VaryRequest,
    read_dance,
};
use marey::{Context, Error, Outcome, inputs};
use serde::Serialize;

use crate::console::Console;
use crate::flags::{CharacterFlags, ConventionFlags, ForceFlag, JsonFlag, choice, motion_context};
use crate::output::stem;
use crate::verdict::Verdict;
use crate::{batch, json, table};

/// Vary a dance or any sequence
///
/// Wraps the sequence around a strange attractor, one cell per moment, and replays it along a different trajectory. The
/// result plays chunks of the original in another order, as in chance choreography, but keeps together what often
/// follows each other. All actors of a take are varied together.
#[derive(Debug, Args)]
#[command(before_help = "Examples:
  marey vary dance.bvh -o new.bvh --count 12 --picture new.svg   twelve variations, with pictures of their trajectories
  marey vary --lines sonnet.txt -o new.txt --words               a text, word by word")]
pub(crate) struct VaryArgs {
    /// Motion files, folders or patterns, in this order; or a corpus, a file ending in .marey. With --keys, they are learned from
    #[arg(value_name = "INPUT", required_unless_present = "lines", conflicts_with = "lines")]
    inputs: Vec<PathBuf>,

    /// Output file, ending in .bvh, .glb, .gltf, .fbx, .vrma, .usda or .npz; any file for text. With --count, a number is added before the ending
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,

    /// Vary the order of keyframes: a table of poses and times as CSV or JSON
    #[arg(long, value_name = "TABLE", conflicts_with_all = ["lines", "tag", "cut", "beats", "bridge"])]
    keys: Option<PathBuf>,

    /// Vary the lines of a text instead of motion
    #[arg(long, value_name = "FILE.txt")]
    lines: Option<PathBuf>,

    /// Vary the words of the text, not its lines
    #[arg(long, requires = "lines")]
    words: bool,

    /// Random seed: the direction in which the start is shifted
    #[arg(long, value_name = "N", default_value_t = VaryRequest::default().seed)]
    seed: u64,

    /// Number of variations, with consecutive seeds
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    count: u64,

    /// Duration of a variation in seconds [default: that of the original]
    #[arg(long, value_name = "SECS", conflicts_with = "lines")]
    secs: Option<f64>,

    /// Use only this take of the corpus, by name or # and number; can be repeated
    #[arg(long, value_name = "TAKE", conflicts_with = "lines")]
    only: Vec<String>,

    /// Use only frames of the corpus with this tag; can be repeated
    #[arg(long, value_name = "TAG", conflicts_with = "lines")]
    tag: Vec<String>,

    /// How dancers travel across cuts
    #[arg(long, value_name = "HOW", default_value = "onward", value_parser = choice(TRAVEL), conflicts_with = "lines")]
    travel: TravelMode,

    /// Where cuts are
    #[arg(long, value_name = "WHERE", default_value = "fit", value_parser = choice(CUTS), conflicts_with = "lines")]
    cut: CutRule,

    /// Keep the count: chunks start on the same part of a beat as the ones before end
    #[arg(long, conflicts_with = "lines")]
    beats: bool,

    /// Beats per minute, counted from the start of each take [default: found in the motion]
    #[arg(long, value_name = "BPM", requires = "beats")]
    tempo: Option<f64>,

    /// How chunks are connected
    #[arg(long, value_name = "HOW", default_value = "join", value_parser = choice(BRIDGES), conflicts_with = "lines")]
    bridge: Bridge,

    /// Also draw both trajectories on the attractor, as SVG
    #[arg(long, value_name = "FILE.svg")]
    picture: Option<PathBuf>,

    /// Also write the plan, which `marey realise` turns into the same motion
    #[arg(long, value_name = "PLAN.json", conflicts_with = "lines")]
    plan: Option<PathBuf>,

    #[command(flatten)]
    attractor: AttractorFlags,

    #[command(flatten)]
    characters: CharacterFlags,

    #[command(flatten)]
    conventions: ConventionFlags,

    #[command(flatten)]
    force: ForceFlag,

    #[command(flatten)]
    json: JsonFlag,
}

/// How dancers travel across cuts.
const TRAVEL: [(&str, &str, TravelMode); 2] = [
    ("onward", "Each chunk starts where the previous one ended", TravelMode::Onward),
    ("absolute", "Each frame stays where it was recorded; dancers jump", TravelMode::Absolute),
];

/// Where cuts are.
const CUTS: [(&str, &str, CutRule); 2] = [
    ("fit", "Near the place that the attractor says, where two moments of the dance are alike", CutRule::Fit),
    ("free", "Where the attractor says, as in the paper", CutRule::Free),
];

/// How chunks are connected.
const BRIDGES: [(&str, &str, Bridge); 3] = [
    ("join", "Crossfade, and plant feet", Bridge::Join),
    (
        "tween",
        "Insert in-betweens in the style of the dance; for one dancer who travels onward",
        Bridge::Tween,
    ),
    ("none", "Not at all: the motion jumps", Bridge::None),
];

/// A row of `--json`.
#[derive(Debug, Serialize)]
struct VaryRow {
    output: String,
    seed: u64,
    cells: usize,
    chunks: usize,
    #[serde(flatten)]
    statistics: VariationStatistics,
    warnings: Vec<&'static str>,
}

pub(crate) fn run(args: &VaryArgs, console: &Console) -> Result<Verdict, Error> {
    let rows = match &args.lines {
        Some(file) => args.vary_text(file)?,
        None => args.vary_motion(console)?,
    };
    if args.json.json {
        console.print(&json::array(rows.iter()))?;
        return Ok(Verdict::AllDone);
    }
    let percent = |share: f64| format!("{:.0}", 100.0 * share);
    let cells = rows.iter().map(|row| {
        let statistics = &row.statistics;
        let [_, _, eight, _] = statistics.windows.map(percent);
        vec![
            row.output.clone(),
            row.chunks.to_string(),
            format!("{:.1}", statistics.mean_run),
            percent(statistics.moved),
            percent(statistics.used),
            eight,
        ]
    });
    let heading = ["file", "chunks", "mean run, cells", "moved, %", "used, %", "runs of 8 kept, %"];
    console.summary(&table::columns(console.out, heading, cells.collect()))?;
    Ok(Verdict::AllDone)
}

impl VaryArgs {
    /// The path of the n-th output; with --count, a number is added before the extension.
    fn numbered(&self, path: &Path, number: u64) -> PathBuf {
        if self.count == 1 {
            return path.to_owned();
        }
        let width = self.count.to_string().len().max(2);
        let extension = path.extension().map(|extension| format!(".{}", extension.to_string_lossy()));
        path.with_file_name(format!("{}-{:0width$}{}", stem(path), number + 1, extension.unwrap_or_default()))
    }

    /// Fails before any work if an output exists.
    fn check_outputs(&self) -> Result<(), Error> {
        for path in [Some(&self.output), self.picture.as_ref(), self.plan.as_ref()].into_iter().flatten() {
            (0..self.count).try_for_each(|number| self.force.check(&self.numbered(path, number)))?;
        }
        Ok(())
    }

    fn seed(&self, number: u64) -> u64 {
        self.seed.wrapping_add(number)
    }

    fn vary_text(&self, file: &Path) -> Result<Vec<VaryRow>, Error> {
        self.check_outputs()?;
        let unit = if self.words { TextUnit::Words } else { TextUnit::Lines };
        let request = self.attractor.request();
        let job = TextJob::new(&inputs::text(file)?, unit, &request).map_err(|error| error.in_file(file))?;
        let mut rows = Vec::new();
        for number in 0..self.count {
            let (text, details) = job.run(self.seed(number))?;
            self.force.write(&self.numbered(&self.output, number), text.as_bytes())?;
            rows.push(self.row(number, &details, &Report::default())?);
        }
        Ok(rows)
    }

    fn vary_motion(&self, console: &Console) -> Result<Vec<VaryRow>, Error> {
        write_options(&self.output)?;
        self.check_outputs()?;
        self.characters.load()?;
        let (request, context) = self.request(console)?;
        let context = self.characters.context(context)?;
        let corpus = self.corpus();
        let in_corpus = |error: Error| match corpus {
            Some(path) => error.in_file(path),
            None => error,
        };
        console.observed(|observer| {
            let context = console.context(context, observer);
            let job = VaryJob::new(&request, &context).map_err(in_corpus)?;
            self.vary_all(&job, console)
        })
    }

    /// Makes and writes all variations.
    fn vary_all(&self, job: &VaryJob<'_>, console: &Console) -> Result<Vec<VaryRow>, Error> {
        let mut rows = Vec::new();
        for number in 0..self.count {
            let output = self.numbered(&self.output, number);
            let Outcome { take, plan, mut report, details, .. } =
                job.run(self.seed(number), &stem(&output))?;
            report.absorb(self.characters.write(&output, &take, &self.force)?);
            if let Some((path, plan)) = self.plan.as_ref().zip(plan) {
                self.force.write(&self.numbered(path, number), plan.to_json()?.as_bytes())?;
            }
            console.warnings(&report, &output);
            rows.push(self.row(number, &details, &report)?);
        }
        Ok(rows)
    }

    /// The corpus, if the only input is one.
    fn corpus(&self) -> Option<&Path> {
        match self.inputs.as_slice() {
            [path] if is_corpus(path) => Some(path),
            _ => None,
        }
    }

    fn request(&self, console: &Console) -> Result<(VaryRequest, Context<'static>), Error> {
        let request = VaryRequest {
            keyframes: self.keys.clone(),
            only: self.only.clone(),
            tags: self.tag.clone(),
            secs: self.secs,
            travel: self.travel,
            bridge: self.bridge,
            cut: self.cut,
            beats: self.beats,
            tempo_bpm: self.tempo,
            ..self.attractor.request()
        };
        if self.keys.is_some() {
            let context = motion_context(&self.inputs, self.conventions.request(), &self.force, console)?;
            return Ok((request, context));
        }
        match self.corpus() {
            Some(path) => Ok((request, Context::open(path)?)),
            None => Ok((VaryRequest { motion: self.read_files(console)?, ..request }, Context::new())),
        }
    }

    fn read_files(&self, console: &Console) -> Result<Vec<DanceRecording>, Error> {
        let options = self.conventions.options()?;
        let (mut takes, mut failures) = (Vec::new(), Vec::new());
        let files = inputs::gather(&self.inputs)?.files;
        let count = files.len();
        for input in files {
            match input.refused.map_or_else(|| read_dance(&input.path, &options), Err) {
                Ok((take, report)) => {
                    console.warnings(&report, &input.path);
                    takes.push(take);
                }
                Err(error) => failures.push(error),
            }
        }
        match failures.first() {
            Some(first) if takes.is_empty() => return Err(first.clone()),
            _ => batch::tell_failures(console, failures.iter().collect(), count),
        }
        Ok(takes)
    }

    /// Draws the picture if requested, and returns the row of a variation.
    fn row(&self, number: u64, details: &VaryDetails, report: &Report) -> Result<VaryRow, Error> {
        if let Some(path) = &self.picture {
            self.force.write(&self.numbered(path, number), details.to_svg().as_bytes())?;
        }
        Ok(VaryRow {
            output: self.numbered(&self.output, number).display().to_string(),
            seed: details.seed,
            cells: details.chunks.iter().map(|chunk| chunk.cells).sum(),
            chunks: details.chunks.len(),
            statistics: details.statistics.clone(),
            warnings: report.codes(),
        })
    }
}
