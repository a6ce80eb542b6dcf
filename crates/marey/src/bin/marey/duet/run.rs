//! `marey duet run`.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use marey::codes;
use marey::duet::{Command, Duet, Kind, Performance, RunSettings, Session, Way};
use marey::formats::file::read_file;
use marey::formats::{ReadOptions, write};
use marey::motion::Take;
use marey::pairs::realised;
use marey::plan::Seed;
use serde::Serialize;

use super::ModelFlag;
use crate::console::Console;
use crate::convert::usual_options;
use crate::corpus::{CorpusFlag, read_text};
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
    let (duet, pairs) = args.model.duet(&corpus, &args.corpus)?;
    let labels = pairs.read(&corpus).map_err(|error| args.corpus.about(error))?;
    let run = args.perform(&duet)?;
    let made = realised(&run)?;
    let mut report = made.report;
    let same = |now: &marey::duet::Labelling| {
        [0, 1].iter().all(|&person| now.people[person].all == duet.model().labels.people[person].all)
    };
    if !labels.as_ref().is_some_and(same) {
        report.warn(&codes::LABELS_CHANGED, Default::default(), "the model is as it was");
    }
    let name = args.output.file_stem().unwrap_or_default().to_string_lossy();
    let take = Take::new(name, made.take.into_actors())?;
    let (bytes, notes) = write(&take, &options)?;
    report.absorb(notes);
    args.force.write(&args.output, &bytes)?;
    if let Some(path) = &args.plan {
        args.force.write(path, run.plan.to_json()?.as_bytes())?;
    }
    let attacks = run.played.iter().filter(|played| played.kind == Kind::Offensive).count();
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
    fn perform(&self, duet: &Duet) -> Result<Performance, Failure> {
        let settings = RunSettings { temperature: self.temperature, ..RunSettings::default() };
        let rate_hz = duet.rate_hz();
        marey::ops::OutOfRange::check("secs", self.secs, 0.1..=36_000.0).map_err(marey::duet::Error::from)?;
        let frames = (self.secs * rate_hz).round() as usize;
        let seed = Seed(self.seed);
        let way = match (&self.path, self.mode) {
            (Some(path), Mode::Path) => Some(self.way(duet, path)?),
            _ => None,
        };
        let Some(list) = self.commands.as_ref().filter(|_| self.mode == Mode::Commands) else {
            return Ok(duet.perform(frames, way, &settings, seed)?);
        };
        let person = self.person(duet)?;
        let mut session = Session::new(duet, &settings, seed)?;
        for command in commands(list)? {
            session.command(person, command).map_err(|error| Failure::from(error).in_file(list))?;
        }
        let mut played = Vec::new();
        while session.planned() < frames {
            played.extend(session.advance()?);
        }
        Ok(duet.performance(played, frames, seed)?)
    }

    fn person(&self, duet: &Duet) -> Result<usize, Failure> {
        let Some(who) = &self.who else { return Ok(0) };
        let names = duet.model().people.each_ref().map(|person| person.name.as_str());
        names.iter().position(|name| name == who).ok_or_else(|| {
            Failure::new(&codes::NO_PERSON, format!("no {who:?}: they are {:?} and {:?}", names[0], names[1]))
        })
    }

    fn way(&self, duet: &Duet, path: &Path) -> Result<Way, Failure> {
        let import =
            read_file(path, &ReadOptions::default()).map_err(|error| Failure::from(error).in_file(path))?;
        let Some(points) = import.points() else {
            return Err(Failure::new(&codes::NOT_A_PATH, "it holds figures").in_file(path));
        };
        let clip = &points.clip;
        let place = |frame: usize| {
            let at = clip.get(frame, 0)?;
            Some([frame as f64 / clip.rate_hz(), f64::from(at.x), f64::from(at.z)])
        };
        Ok(Way { person: self.person(duet)?, points: (0..clip.frames()).filter_map(place).collect() })
    }
}

/// The commands of a list; empty lines and those that start with # are passed over.
fn commands(file: &Path) -> Result<Vec<Command>, Failure> {
    let text = read_text(file)?;
    let mut commands = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let Some((&what, place)) = words.split_first().filter(|(word, _)| !word.starts_with('#')) else {
            continue;
        };
        let unclear = || {
            let mut failure = Failure::new(&codes::COMMANDS, format!("{line:?}")).in_file(file);
            *failure.place = marey::motion::Place::at(number + 1, 1);
            failure
        };
        let kind = match what {
            "normal" => Some(Kind::Normal),
            "offensive" => Some(Kind::Offensive),
            "defensive" => Some(Kind::Defensive),
            _ => None,
        };
        let group = match kind {
            Some(_) => None,
            None => Some(what.parse::<usize>().ok().and_then(|n| n.checked_sub(1)).ok_or_else(unclear)?),
        };
        let place = match place {
            [] => None,
            [x, z] => Some([x.parse().map_err(|_| unclear())?, z.parse().map_err(|_| unclear())?]),
            _ => return Err(unclear()),
        };
        commands.push(Command { group, kind, place });
    }
    Ok(commands)
}
