//! `marey vary`.

mod chaos;
mod text;

use std::path::{Path, PathBuf};

use chaos::ChaosFlags;
use clap::{Args, ValueEnum};
use marey::corpus::Corpus;
use marey::formats::write;
use marey::inputs;
use marey::motion::Report;
use marey::phrases::Phrases;
use marey::plan::Seed;
use marey::variations::{Bridge, Variations, Varied, Wish, dance_of, statistics};
use marey::vary::{Chunk, Statistics, Travel, Variation, Wrapped, picture};
use serde::Serialize;
use text::Text;

use crate::console::Console;
use crate::convert::usual_options;
use crate::failure::{Failure, Verdict};
use crate::flags::{ConventionFlags, ForceFlag, JsonFlag};
use crate::follow::warn;
use crate::{json, table};

/// Vary a dance, or any sequence: new, and yet itself
///
/// The sequence is wrapped around a strange attractor, a cell for each moment, and played along another way around it. Chunks of
/// the original come in another order, as in chance choreography, and the attractor keeps what often follows each other
/// together. Actors of a take are varied together.
#[derive(Debug, Args)]
#[command(before_help = "Examples:
  marey vary dance.bvh -o new.bvh --count 12 --picture new.svg   twelve variations, and pictures of how they came about
  marey vary --lines sonnet.txt -o new.txt --words               a text, word by word")]
pub(crate) struct VaryArgs {
    /// What is varied: motion files, folders or patterns, one piece after another; or a corpus, a file ending in .marey
    #[arg(value_name = "INPUT", required_unless_present = "lines", conflicts_with = "lines")]
    inputs: Vec<PathBuf>,

    /// Where it goes: .bvh, .glb or .gltf; any file for text. With --count, a number is put before the ending
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,

    /// A text instead of motion: its lines are varied
    #[arg(long, value_name = "FILE.txt")]
    lines: Option<PathBuf>,

    /// Vary the words of the text, not its lines
    #[arg(long, requires = "lines")]
    words: bool,

    /// Where chance starts: in which direction the start is moved; another number is another variation
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// How many variations; each has the next seed
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    count: u64,

    /// How long a variation is, in seconds [default: as long as the original]
    #[arg(long, value_name = "SECS", conflicts_with = "lines")]
    secs: Option<f64>,

    /// A corpus: only this take, by name or # and number; may be given again
    #[arg(long, value_name = "TAKE", conflicts_with = "lines")]
    only: Vec<String>,

    /// A corpus: only frames with this tag; may be given again
    #[arg(long, value_name = "TAG", conflicts_with = "lines")]
    tag: Vec<String>,

    /// How dancers travel: on from where they are, or to where each frame was recorded
    #[arg(long, value_enum, value_name = "HOW", default_value_t, conflicts_with = "lines")]
    travel: TravelFlag,

    /// What is done where chunks meet
    #[arg(long, value_enum, value_name = "HOW", default_value_t, conflicts_with = "lines")]
    bridge: BridgeFlag,

    /// Write a picture of the attractor with both ways around it, as SVG
    #[arg(long, value_name = "FILE.svg")]
    picture: Option<PathBuf>,

    /// Write the plan too: which frames are danced when, and where
    #[arg(long, value_name = "PLAN.json", conflicts_with = "lines")]
    plan: Option<PathBuf>,

    #[command(flatten)]
    chaos: ChaosFlags,

    #[command(flatten)]
    conventions: ConventionFlags,

    #[command(flatten)]
    force: ForceFlag,

    #[command(flatten)]
    json: JsonFlag,
}

/// How dancers travel.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum TravelFlag {
    /// On from where they are
    #[default]
    Onward,
    /// To where each frame was recorded: they jump
    Absolute,
}

/// What is done where chunks meet.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum BridgeFlag {
    /// They are joined, and feet that stand are kept standing
    #[default]
    Join,
    /// Ways in the style of what is varied are put between them; for one dancer who travels onward
    Tween,
    /// Nothing: they jump
    None,
}

/// What was made, as JSON has it.
#[derive(Debug, Serialize)]
struct Made {
    output: String,
    seed: u64,
    cells: usize,
    chunks: usize,
    #[serde(flatten)]
    statistics: Statistics,
    warnings: Vec<&'static str>,
}

pub(crate) fn run(args: &VaryArgs, console: &Console) -> Result<Verdict, Failure> {
    let made = match &args.lines {
        Some(file) => args.vary_text(file)?,
        None => args.vary_motion(console)?,
    };
    if args.json.json {
        console.print(&json::array(made.iter()))?;
        return Ok(Verdict::AllDone);
    }
    let percent = |share: f64| format!("{:.0}", 100.0 * share);
    let rows = made.iter().map(|made| {
        let s = &made.statistics;
        let [_, _, eight, _] = s.windows.map(percent);
        let run = format!("{:.1}", s.mean_run);
        vec![made.output.clone(), made.chunks.to_string(), run, percent(s.moved), percent(s.used), eight]
    });
    let heading = ["file", "chunks", "mean run, cells", "moved, %", "used, %", "runs of 8 kept, %"];
    console.print(&table::columns(console.out, heading, rows.collect()))?;
    Ok(Verdict::AllDone)
}

impl VaryArgs {
    /// The name of the n-th of a kind of output: as told, or with a number before the ending.
    fn numbered(&self, path: &Path, number: u64) -> PathBuf {
        if self.count == 1 {
            return path.to_owned();
        }
        let width = self.count.to_string().len().max(2);
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let ending = path.extension().map(|ending| format!(".{}", ending.to_string_lossy()));
        path.with_file_name(format!("{stem}-{:0width$}{}", number + 1, ending.unwrap_or_default()))
    }

    /// Refuses outputs that exist, before any work.
    fn check_outputs(&self) -> Result<(), Failure> {
        for path in [Some(&self.output), self.picture.as_ref(), self.plan.as_ref()].into_iter().flatten() {
            (0..self.count).try_for_each(|number| self.force.check(&self.numbered(path, number)))?;
        }
        Ok(())
    }

    /// The seed of the n-th variation.
    fn seed(&self, number: u64) -> Seed {
        Seed(self.seed.wrapping_add(number))
    }

    fn vary_text(&self, file: &Path) -> Result<Vec<Made>, Failure> {
        self.check_outputs()?;
        let text = Text::read(file, self.words)?;
        let settings = self.chaos.for_text();
        let wrapped = text.wrapped(&settings).map_err(|failure| failure.in_file(file))?;
        let mut made = Vec::new();
        for number in 0..self.count {
            let (text, variation, chunks) = text.vary(&wrapped, &settings, self.seed(number))?;
            self.force.write(&self.numbered(&self.output, number), text.as_bytes())?;
            made.push(self.tell(number, &wrapped, &variation, &chunks, &Report::default())?);
        }
        Ok(made)
    }

    fn vary_motion(&self, console: &Console) -> Result<Vec<Made>, Failure> {
        let options = usual_options(&self.output)?;
        self.check_outputs()?;
        let variations = Variations::of(self.phrases(console)?, self.wish())?;
        let mut made = Vec::new();
        for number in 0..self.count {
            let output = self.numbered(&self.output, number);
            let name = output.file_stem().unwrap_or_default().to_string_lossy();
            let Varied { take, plan, variation, chunks, mut report } =
                variations.vary(self.seed(number), &name)?;
            let (bytes, notes) = write(&take, &options)?;
            report.absorb(notes);
            self.force.write(&output, &bytes)?;
            if let Some(path) = &self.plan {
                self.force.write(&self.numbered(path, number), plan.to_json()?.as_bytes())?;
            }
            warn(console, &report, &output);
            made.push(self.tell(number, variations.wrapped(), &variation, &chunks, &report)?);
        }
        Ok(made)
    }

    fn wish(&self) -> Wish {
        let travel = match self.travel {
            TravelFlag::Onward => Travel::Onward,
            TravelFlag::Absolute => Travel::Absolute,
        };
        let bridge = match self.bridge {
            BridgeFlag::Join => Bridge::Join,
            BridgeFlag::Tween => Bridge::Tween,
            BridgeFlag::None => Bridge::None,
        };
        Wish { secs: self.secs, travel, bridge, ..self.chaos.wish() }
    }

    /// What is to be varied.
    fn phrases(&self, console: &Console) -> Result<Phrases, Failure> {
        let is_corpus = |path: &PathBuf| path.extension().is_some_and(|e| e.eq_ignore_ascii_case("marey"));
        if let [corpus] = self.inputs.as_slice()
            && is_corpus(corpus)
        {
            let about = |failure: Failure| failure.in_file(corpus);
            let open = Corpus::open_read_only(corpus).map_err(|error| about(error.into()))?;
            return Phrases::of_corpus(open, &self.only, &self.tag).map_err(|error| about(error.into()));
        }
        let options = self.conventions.options()?;
        let mut takes = Vec::new();
        for input in inputs::gather(&self.inputs)?.files {
            if let Some(refused) = input.refused {
                return Err(refused);
            }
            let (take, report) = dance_of(&input.path, options.clone())?;
            warn(console, &report, &input.path);
            takes.push(take);
        }
        Ok(Phrases::of_takes(&takes)?)
    }

    /// Draws where asked, and tells what was made.
    fn tell(
        &self,
        number: u64,
        wrapped: &Wrapped,
        variation: &Variation,
        chunks: &[Chunk],
        report: &Report,
    ) -> Result<Made, Failure> {
        if let Some(path) = &self.picture {
            let svg = picture(wrapped, variation, chunks);
            self.force.write(&self.numbered(path, number), svg.as_bytes())?;
        }
        Ok(Made {
            output: self.numbered(&self.output, number).display().to_string(),
            seed: self.seed(number).0,
            cells: chunks.iter().map(|chunk| chunk.cells).sum(),
            chunks: chunks.len(),
            statistics: statistics(wrapped.points().len(), chunks),
            warnings: report.codes(),
        })
    }
}
