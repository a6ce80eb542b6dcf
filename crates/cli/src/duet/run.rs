//! `marey duet run`.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use marey::duet::{self, DuetCommand, DuetRequest, DuetRunSettings, parse_command};
use marey::motion::Place;
use marey::{Error, inputs};
use serde::Serialize;

use super::ModelFlag;
use crate::console::Console;
use crate::flags::ExampleFlags;
use crate::output::{OutputFlags, PlanFlag};
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
    /// A corpus, a file ending in .marey; or motion files: a folder, a pattern or a file
    #[arg(value_name = "CORPUS")]
    corpus: PathBuf,

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

    #[command(flatten)]
    plan: PlanFlag,

    #[command(flatten)]
    output: OutputFlags,

    #[command(flatten)]
    sources: ExampleFlags,
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

/// What `--json` adds.
#[derive(Debug, Serialize)]
struct DuetRow {
    movements: usize,
    attacks: usize,
}

pub(super) fn run(args: &RunArgs, console: &Console) -> Result<Verdict, Error> {
    args.output.check(&[&args.plan.plan])?;
    let request = args.request()?;
    let context = args.sources.context(std::slice::from_ref(&args.corpus), &args.output.force, console)?;
    let context = args.output.context(context)?;
    let outcome = console
        .observed(|observer| duet::run(&request, &console.context(context, observer)))
        .map_err(|error| error.in_file(&args.corpus))?;
    let row = DuetRow { movements: outcome.details.movements.len(), attacks: outcome.details.attacks() };
    let summary = format!("{} movements, {} attacks", row.movements, row.attacks);
    args.output.save(console, &outcome, Some(&args.plan), None, summary, row)
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
            name: self.output.name(),
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
