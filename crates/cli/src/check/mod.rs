//! `marey check`.

pub(crate) mod sheet;

use std::path::{Path, PathBuf};

use clap::Args;
use marey::check::{self, CheckRequest};
use marey::measure::judge::ActorCard;
use marey::{Context, Error, FileOutcome, codes, inputs};
use serde::Serialize;

use crate::console::Console;
use crate::flags::{ConventionFlags, JsonFlag, settings};
use crate::verdict::Verdict;
use crate::{batch, json};

/// Measure the quality of motion: foot skate, sinking, jolts, bone stretch, holds, likeness
///
/// Each measure is printed beside its threshold. The command exits with 1 if a threshold is missed. Feet are judged by
/// those of --examples or of a corpus. Several clips are also compared with each other.
#[derive(Debug, Args)]
#[command(before_help = "Examples:
  marey check walk.bvh                                          the quality card of a clip
  marey check out.bvh --plan plan.json --against walks.marey    with its joins, compared with its examples")]
pub(crate) struct CheckArgs {
    /// Files, folders (including their subfolders) and patterns ('walks/**/*.bvh')
    #[arg(required = true, value_name = "CLIP")]
    clips: Vec<PathBuf>,

    /// Motion that the clips should resemble, of the same rate and length; or a corpus (.marey), used like --examples
    #[arg(long, value_name = "REF")]
    against: Option<PathBuf>,

    /// A path that the clips should follow (.csv, .json, .trc, .c3d)
    #[arg(long, value_name = "FILE")]
    path: Option<PathBuf>,

    /// Motion files or corpora to compare accelerations and joint rotations with
    #[arg(long, value_name = "FILES", num_args = 1..)]
    examples: Vec<PathBuf>,

    /// The plan that the clips were made from: gives joins, holds and the examples used
    #[arg(long, value_name = "FILE.json")]
    plan: Option<PathBuf>,

    /// Hand holds, as `marey examples` writes them beside its motion (.truth.json)
    #[arg(long, value_name = "FILE")]
    truth: Option<PathBuf>,

    /// Uneven ground instead of a level floor (.terrain.json)
    #[arg(long, value_name = "FILE")]
    terrain: Option<PathBuf>,

    /// Thresholds as TOML: skate_cm_per_sec, feet_over_examples, off_floor_pct, let_go_pct, sink_cm, jolt_over_examples, stretch_mm, beyond_deg, hold_cm, path_cm, likeness_cm
    #[arg(long, value_name = "FILE.toml")]
    settings: Option<PathBuf>,

    #[command(flatten)]
    json: JsonFlag,

    #[command(flatten)]
    conventions: ConventionFlags,
}

/// The row that `--json` prints for each file.
#[derive(Debug, Serialize)]
struct CheckRow<'a> {
    passed: Option<bool>,
    cards: &'a [ActorCard],
}

pub(crate) fn run(args: &CheckArgs, console: &Console) -> Result<Verdict, Error> {
    let request = args.request()?;
    let files =
        console.observed(|observer| check::run(&request, &console.context(Context::new(), observer)))?;
    let passed = |cards: &Vec<ActorCard>| cards.iter().all(|card| card.passed);
    if args.json.json {
        let rows = json::files(&files, |cards| CheckRow {
            passed: cards.map(passed),
            cards: cards.map_or(&[], Vec::as_slice),
        });
        console.print(&rows)?;
    } else {
        show(console, &files)?;
    }
    Ok(Verdict::passed(files.iter().all(|each| each.result.as_ref().is_ok_and(passed))))
}

impl CheckArgs {
    fn request(&self) -> Result<CheckRequest, Error> {
        let request = CheckRequest {
            clips: self.clips.clone(),
            read: self.conventions.request(),
            against: self.against.clone(),
            path: self.path.clone(),
            examples: self.examples.clone(),
            plan: self.plan.as_deref().map(inputs::text).transpose()?,
            truth: self.truth.clone(),
            terrain: self.terrain.clone(),
            thresholds: self.settings.as_deref().map(settings).transpose()?.unwrap_or_default(),
            ..CheckRequest::default()
        };
        let plan = self.plan.as_deref().unwrap_or(Path::new("plan"));
        request.validate().map_err(|error| error.in_file(plan))?;
        Ok(request)
    }
}

fn show(console: &Console, files: &[FileOutcome<Vec<ActorCard>>]) -> Result<(), Error> {
    let judged = files.iter().filter_map(|each| Some((each.file.as_path(), each.result.as_deref().ok()?)));
    let judged: Vec<(&Path, &[ActorCard])> = judged.collect();
    if !judged.is_empty() {
        console.print(&sheet::table(console.out, &judged))?;
    }
    let errors: Vec<&Error> = files.iter().filter_map(FileOutcome::error).collect();
    match (files, errors.as_slice()) {
        ([_], [error]) => console.error(error),
        _ => batch::tell_failures(console, errors, files.len()),
    }
    for card in judged.iter().flat_map(|(_, cards)| cards.iter()).filter(|card| !card.passed) {
        let missed = card.card.lines.iter().filter(|line| !line.ok).map(|line| line.name);
        let message = format!("{}: {}", card.actor, missed.collect::<Vec<_>>().join(", "));
        console.error(&Error::new(&codes::CHECK_MISSED, message));
    }
    Ok(())
}
