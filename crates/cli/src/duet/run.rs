//! `marey duet run`.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use marey::duet::{self, DuetCommand, DuetRequest, DuetRunSettings, parse_command};
use marey::formats::write;
use marey::motion::{Observer, Place, Progress};
use marey::{Context, Error, inputs};
use serde::Serialize;

use super::ModelFlag;
use crate::console::Console;
use crate::convert::usual_options;
use crate::corpus::CorpusFlag;
use crate::flags::{ForceFlag, JsonFlag};
use crate::follow::warn;
use crate::json;
use crate::verdict::Verdict;

/// Generate motion of a trained pair
///
/// The model draws one movement after another. Attacks are met by defences, and hands and feet reach what they strike. Both people
/// are written to one file.
#[derive(Debug, Args)]
#[command(before_help = "Examples:
  marey duet run bouts.marey -o bout.glb --secs 60                              a minute, freely
  marey duet run bouts.marey -o chase.bvh --mode path --path circle.csv --who red  one person on a path")]
pub(super) struct RunArgs {
    #[command(flatten)]
    corpus: CorpusFlag,

    /// The file to write: .bvh, .glb or .gltf
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,

    /// How the two are controlled
    #[arg(long, value_enum, value_name = "MODE", default_value_t)]
    mode: Mode,

    /// Duration, in seconds
    #[arg(long, value_name = "SECS", default_value_t = DuetRequest::default().secs)]
    secs: f64,

    /// Random seed
    #[arg(long, value_name = "N", default_value_t = DuetRequest::default().seed)]
    seed: u64,

    /// Randomness of the choice of movements; 0 always takes the most likely
    #[arg(long, value_name = "T", default_value_t = DuetRunSettings::default().temperature)]
    temperature: f64,

    /// Person who follows the path or the commands, by name [default: the first]
    #[arg(long, value_name = "NAME")]
    who: Option<String>,

    /// Path for --mode path: .csv or .json with t, x, z
    #[arg(long, value_name = "PATH", required_if_eq("mode", "path"))]
    path: Option<PathBuf>,

    /// Commands for --mode commands, one per line: the number of a group, or normal, offensive or defensive, optionally followed by a
    /// position as x and z
    #[arg(long, value_name = "FILE.txt", required_if_eq("mode", "commands"))]
    commands: Option<PathBuf>,

    #[command(flatten)]
    model: ModelFlag,

    /// Train on this take instead of using a stored model, by name or # and number; can be repeated
    #[arg(long, value_name = "TAKE", conflicts_with = "model")]
    train_on: Vec<String>,

    /// Also write the plan, which `marey realise` turns into the same motion
    #[arg(long, value_name = "PLAN.json")]
    plan: Option<PathBuf>,

    #[command(flatten)]
    force: ForceFlag,

    #[command(flatten)]
    json: JsonFlag,
}

/// How the two are controlled.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum Mode {
    /// The model decides
    #[default]
    Automatic,
    /// The model decides, and one person follows a path
    Path,
    /// One person executes a list of commands; then the model decides
    Commands,
}

/// The result as JSON.
#[derive(Debug, Serialize)]
struct RunSummary {
    output: String,
    frames: usize,
    rate_hz: f64,
    movements: usize,
    attacks: usize,
    warnings: Vec<&'static str>,
}

pub(super) fn run(args: &RunArgs, console: &Console) -> Result<Verdict, Error> {
    let options = usual_options(&args.output)?;
    for output in [Some(&args.output), args.plan.as_ref()].into_iter().flatten() {
        args.force.check(output)?;
    }
    let request = args.request()?;
    let bar = console.steps(0, "frames");
    let show = |progress: Progress| {
        bar.set_length(progress.total as u64);
        bar.set_position(progress.done as u64);
        ControlFlow::Continue(())
    };
    let context = Context::with_corpus(args.corpus.look()?).observed_by(Observer::new(&show));
    let outcome = duet::run(&request, &context).map_err(|error| args.corpus.about(error))?;
    bar.finish_and_clear();
    let mut report = outcome.report;
    let (bytes, notes) = write(&outcome.take, &options)?;
    report.absorb(notes);
    args.force.write(&args.output, &bytes)?;
    if let Some((path, plan)) = args.plan.as_ref().zip(outcome.plan.as_ref()) {
        args.force.write(path, plan.to_json()?.as_bytes())?;
    }
    let summary = RunSummary {
        output: args.output.display().to_string(),
        frames: outcome.take.frames(),
        rate_hz: outcome.take.rate_hz(),
        movements: outcome.details.movements.len(),
        attacks: outcome.details.attacks(),
        warnings: report.codes(),
    };
    if args.json.json {
        console.print(&json::array([summary].into_iter()))?;
        return Ok(Verdict::AllDone);
    }
    warn(console, &report, &args.output);
    let RunSummary { output, frames, rate_hz, movements, attacks, .. } = summary;
    console.note(&format!(
        "{output}: {frames} frames at {rate_hz} Hz, {movements} movements, {attacks} attacks\n"
    ));
    Ok(Verdict::AllDone)
}

impl RunArgs {
    fn request(&self) -> Result<DuetRequest, Error> {
        let path = self.path.as_deref().filter(|_| self.mode == Mode::Path);
        let commands = self.commands.as_deref().filter(|_| self.mode == Mode::Commands);
        Ok(DuetRequest {
            model: self.model.model.clone(),
            train_on: self.train_on.clone(),
            secs: self.secs,
            seed: self.seed,
            person: self.who.clone(),
            path: path
                .map(inputs::points)
                .transpose()?
                .as_ref()
                .map(DuetRequest::path_from)
                .unwrap_or_default(),
            commands: commands.map(read_commands).transpose()?.unwrap_or_default(),
            settings: DuetRunSettings { temperature: self.temperature, ..DuetRunSettings::default() },
            name: self.output.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
        })
    }
}

/// Reads a list of commands. Skips empty lines and lines that start with #.
fn read_commands(file: &Path) -> Result<Vec<DuetCommand>, Error> {
    let text = inputs::text(file)?;
    let lines = text.lines().enumerate();
    let commands = lines.filter(|(_, line)| !line.trim().is_empty() && !line.trim_start().starts_with('#'));
    commands
        .map(|(number, line)| {
            let at_line =
                |error: Error| Error { is_usage: false, ..error.in_file(file).at(Place::at(number + 1, 1)) };
            parse_command(line).map_err(at_line)
        })
        .collect()
}
