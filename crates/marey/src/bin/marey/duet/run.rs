//! `marey duet run`.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use marey::bouts::{Wish, command};
use marey::duet::{Command, RunSettings};
use marey::formats::write;
use marey::watch::Watch;
use marey::{codes, inputs};
use serde::Serialize;

use super::ModelFlag;
use crate::console::Console;
use crate::convert::usual_options;
use crate::corpus::CorpusFlag;
use crate::failure::{Failure, Verdict};
use crate::flags::{ForceFlag, JsonFlag};
use crate::follow::warn;
use crate::json;

/// Let a trained pair go on
///
/// What comes next is drawn from the model; attacks are answered, and hands and feet meet what they strike. Both are written into one
/// file.
#[derive(Debug, Args)]
#[command(before_help = "Examples:
  marey duet run bouts.marey -o bout.glb --secs 60                              a minute, by themselves
  marey duet run bouts.marey -o chase.bvh --mode path --path circle.csv --who red  one goes along a path")]
pub(super) struct RunArgs {
    #[command(flatten)]
    corpus: CorpusFlag,

    /// Where it goes: .bvh, .glb or .gltf
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,

    /// Who decides
    #[arg(long, value_enum, value_name = "MODE", default_value_t)]
    mode: Mode,

    /// How long, in seconds
    #[arg(long, value_name = "SECS", default_value_t = 30.0)]
    secs: f64,

    /// Where chance starts; another number is another run
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// How freely movements are drawn; 0: always the likeliest
    #[arg(long, value_name = "T", default_value_t = RunSettings::default().temperature)]
    temperature: f64,

    /// Of path and commands: who, by name [default: the first]
    #[arg(long, value_name = "NAME")]
    who: Option<String>,

    /// Of path: where to be when: .csv or .json with t, x, z
    #[arg(long, value_name = "PATH", required_if_eq("mode", "path"))]
    path: Option<PathBuf>,

    /// Of commands: one a line: a group's number, or normal, offensive or defensive; and if wanted where to go, as x and z
    #[arg(long, value_name = "FILE.txt", required_if_eq("mode", "commands"))]
    commands: Option<PathBuf>,

    #[command(flatten)]
    model: ModelFlag,

    /// Write the plan too: which movement is shown when and where
    #[arg(long, value_name = "PLAN.json")]
    plan: Option<PathBuf>,

    #[command(flatten)]
    force: ForceFlag,

    #[command(flatten)]
    json: JsonFlag,
}

/// Who decides what comes next.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum Mode {
    /// The model
    #[default]
    Automatic,
    /// The model, and one of them goes along a path
    Path,
    /// A list of commands for one of them, and then the model
    Commands,
}

/// What was made, as JSON has it.
#[derive(Debug, Serialize)]
struct Ran {
    output: String,
    frames: usize,
    rate_hz: f64,
    movements: usize,
    attacks: usize,
    warnings: Vec<&'static str>,
}

pub(super) fn run(args: &RunArgs, console: &Console) -> Result<Verdict, Failure> {
    let options = usual_options(&args.output)?;
    for output in [Some(&args.output), args.plan.as_ref()].into_iter().flatten() {
        args.force.check(output)?;
    }
    let corpus = args.corpus.look()?;
    let wish = args.wish()?;
    let name = args.output.file_stem().unwrap_or_default().to_string_lossy();
    let bout = wish.run(&corpus, &name, Watch::nobody()).map_err(|failure| args.corpus.about(failure))?;
    let (run, attacks, mut report) = (&bout.run, bout.attacks(), bout.report.clone());
    let (bytes, notes) = write(&bout.take, &options)?;
    report.absorb(notes);
    args.force.write(&args.output, &bytes)?;
    if let Some(path) = &args.plan {
        args.force.write(path, run.plan.to_json()?.as_bytes())?;
    }
    if args.json.json {
        let row = Ran {
            output: args.output.display().to_string(),
            frames: run.plan.frames(),
            rate_hz: run.plan.rate_hz,
            movements: run.played.len(),
            attacks,
            warnings: report.codes(),
        };
        console.print(&json::array([row].into_iter()))?;
        return Ok(Verdict::AllDone);
    }
    warn(console, &report, &args.output);
    console.note(&format!(
        "{}: {} frames at {} Hz of {} movements, {attacks} of them attacks\n",
        args.output.display(),
        run.plan.frames(),
        run.plan.rate_hz,
        run.played.len(),
    ));
    Ok(Verdict::AllDone)
}

impl RunArgs {
    fn wish(&self) -> Result<Wish, Failure> {
        let path = self.path.as_deref().filter(|_| self.mode == Mode::Path);
        let list = self.commands.as_deref().filter(|_| self.mode == Mode::Commands);
        Ok(Wish {
            model: self.model.model.clone(),
            secs: self.secs,
            seed: self.seed,
            who: self.who.clone(),
            path: path.map(inputs::points).transpose()?,
            commands: list.map(commands).transpose()?.unwrap_or_default(),
            settings: RunSettings { temperature: self.temperature, ..RunSettings::default() },
        })
    }
}

/// The commands of a list; empty lines and those that start with # are passed over.
fn commands(file: &Path) -> Result<Vec<Command>, Failure> {
    let mut commands = Vec::new();
    for (number, line) in inputs::text(file)?.lines().enumerate() {
        if line.trim().is_empty() || line.trim_start().starts_with('#') {
            continue;
        }
        commands.push(command(line).ok_or_else(|| {
            let mut failure = Failure::new(&codes::COMMANDS, format!("{line:?}")).in_file(file);
            *failure.place = marey::motion::Place::at(number + 1, 1);
            failure
        })?);
    }
    Ok(commands)
}
