//! `marey corpus add`.

use std::path::{Path, PathBuf};

use clap::Args;
use marey::codes;
use marey::corpus::{Added, Corpus, Prepared, Provenance};
use marey::formats::door::{Detected, FloorWish};
use marey::formats::file::read_file;
use marey::formats::{Import, ReadOptions};
use marey::motion::{Actor, Place, Report, Take};
use marey::ops::floor;
use rayon::prelude::*;
use serde::Serialize;

use super::pairs::{Job, PairPattern, jobs};
use super::{CorpusFlag, count};
use crate::batch;
use crate::console::Console;
use crate::failure::{Failure, Verdict};
use crate::flags::{ConventionFlags, JsonFlag};
use crate::inputs::{self, Input};
use crate::json::{self, Row};

/// Put motion files into a corpus; what is there already is left as it is
///
/// Files are read in parallel and put in one after the other, each safe on the disk before the next. It may be stopped at
/// any time and run again: the same content is not put in twice, whatever its file is called.
#[derive(Debug, Args)]
#[command(before_help = "Examples:
  marey corpus add all.marey archive/ --trim-rest --licence CC0-1.0        a folder, with all folders in it
  marey corpus add all.marey 'salsa/*' --pair '60_{i}.bvh=61_{i}.bvh'  dancers in files of their own")]
pub(super) struct AddArgs {
    #[command(flatten)]
    corpus: CorpusFlag,

    /// Files, folders (with all folders in them) and patterns ('walks/**/*.bvh')
    #[arg(required = true, value_name = "IN")]
    inputs: Vec<PathBuf>,

    /// Make files that differ in this way one take of several actors, as in '60_{i}.bvh=61_{i}.bvh'
    #[arg(long = "pair", value_name = "A=B")]
    pairs: Vec<PairPattern>,

    /// The same by a table: in each line the files of one take, with commas between, beside the table
    #[arg(long = "pairs", value_name = "FILE.csv")]
    table: Option<PathBuf>,

    /// What may be done with the motion, as in CC-BY-4.0
    #[arg(long, value_name = "TEXT", default_value = "")]
    licence: String,

    /// Whose the motion is, and where it was published
    #[arg(long, value_name = "TEXT", default_value = "")]
    credit: String,

    #[command(flatten)]
    json: JsonFlag,

    #[command(flatten)]
    conventions: ConventionFlags,
}

/// What became of the files of a job, as JSON has it.
#[derive(Debug, Default, Clone, Serialize)]
struct Put {
    takes: Vec<PutTake>,
    warnings: Vec<&'static str>,
    #[serde(skip)]
    report: Report,
}

#[derive(Debug, Clone, Serialize)]
struct PutTake {
    id: i64,
    name: String,
    /// Whether the same content was there before.
    already: bool,
}

/// The takes of a job, ready to be put in.
struct Ready {
    takes: Vec<(Prepared, Provenance)>,
    report: Report,
}

pub(super) fn run(args: &AddArgs, console: &Console) -> Result<Verdict, Failure> {
    let options = args.conventions.options()?;
    let mut corpus = args.corpus.open()?;
    let inputs = inputs::gather(&args.inputs)?;
    let jobs = jobs(inputs.files, &args.pairs, args.table.as_deref())?;
    let results = put_all(args, &mut corpus, &jobs, &options, console)?;
    let files: Vec<Input> = jobs.iter().map(Job::input).collect();
    if args.json.json {
        let row = |(input, result): (&Input, &Result<Put, Failure>)| {
            Row::new(&input.path, result.as_ref().err(), result.as_ref().cloned().unwrap_or_default())
        };
        console.print(&json::array(files.iter().zip(&results).map(row)))?;
    } else {
        tell(console, &files, &results);
    }
    Ok(Verdict::of(&results))
}

/// Reads some jobs while those before are written: many at once in, one after the other out, always in the same order.
fn put_all(
    args: &AddArgs,
    corpus: &mut Corpus,
    jobs: &[Job],
    options: &ReadOptions,
    console: &Console,
) -> Result<Vec<Result<Put, Failure>>, Failure> {
    let bar = console.progress(jobs.len());
    let window = 4 * rayon::current_num_threads();
    let read = |jobs: &[Job]| -> Vec<Result<Ready, Failure>> {
        jobs.par_iter().with_max_len(1).map(|job| job.read(args, options)).collect()
    };
    let mut windows = jobs.chunks(window);
    let mut ready = windows.next().map(read).unwrap_or_default();
    let mut results = Vec::with_capacity(jobs.len());
    while !ready.is_empty() {
        let next = windows.next().unwrap_or_default();
        let mut stopped = None;
        let (following, ()) = rayon::join(
            || read(next),
            || {
                for result in ready.drain(..) {
                    match result.map(|ready| put(corpus, ready)) {
                        Ok(Ok(put)) => results.push(Ok(put)),
                        // A corpus that cannot be written takes no other file either.
                        Ok(Err(failure)) => {
                            stopped = Some(args.corpus.about(failure));
                            break;
                        }
                        Err(failure) => results.push(Err(failure)),
                    }
                    bar.inc(1);
                }
            },
        );
        if let Some(failure) = stopped {
            bar.finish_and_clear();
            return Err(failure);
        }
        ready = following;
    }
    bar.finish_and_clear();
    Ok(results)
}

/// Puts the takes of a job in.
fn put(corpus: &mut Corpus, ready: Ready) -> Result<Put, Failure> {
    let mut put = Put { report: ready.report, ..Put::default() };
    for (prepared, provenance) in ready.takes {
        let added = corpus.add_prepared(&prepared, &provenance)?;
        let info = corpus.info(added.id())?;
        let already = matches!(added, Added::Already(_));
        if !already && info.name != prepared.name() {
            let message = format!("{} is called {} here", prepared.name(), info.name);
            put.report.warn(&marey::corpus::codes::RENAMED, Place::default(), message);
        }
        put.takes.push(PutTake { id: info.id.0, name: info.name, already });
    }
    put.warnings = put.report.codes();
    Ok(put)
}

impl Job {
    /// The job's first file, for tables.
    fn input(&self) -> Input {
        let path = self.files.first().cloned().unwrap_or_default();
        Input { relative: path.clone(), path, refused: self.refused.clone() }
    }

    fn read(&self, args: &AddArgs, options: &ReadOptions) -> Result<Ready, Failure> {
        if let Some(failure) = &self.refused {
            return Err(failure.clone());
        }
        let (takes, report) = match self.files.as_slice() {
            [file] => self.read_alone(file, options)?,
            files => self.read_together(files, options)?,
        };
        let prepare = |(take, history): (Take, String)| {
            let source: Vec<String> = self.files.iter().map(|file| file.display().to_string()).collect();
            let provenance = Provenance {
                source: source.join(" + "),
                licence: args.licence.clone(),
                credit: args.credit.clone(),
                history,
            };
            Ok((Prepared::of(&take)?, provenance))
        };
        let takes = takes.into_iter().map(prepare).collect::<Result<_, Failure>>();
        Ok(Ready { takes: takes.map_err(|failure| failure.in_file(&self.input().path))?, report })
    }

    /// One file, perhaps with several takes.
    fn read_alone(
        &self,
        file: &Path,
        options: &ReadOptions,
    ) -> Result<(Vec<(Take, String)>, Report), Failure> {
        let import = read(file, options)?;
        let (format, report) = (import.format.to_string(), import.report.clone());
        let readings = import.into_readings().map_err(|error| Failure::from(error).in_file(file))?;
        let takes = readings.into_iter().map(|reading| (reading.take, history(&format, &reading.detected)));
        Ok((takes.collect(), report))
    }

    /// One file for each actor: in the world of the first, and as long as the shortest.
    fn read_together(
        &self,
        files: &[PathBuf],
        options: &ReadOptions,
    ) -> Result<(Vec<(Take, String)>, Report), Failure> {
        let mut options = options.clone();
        // What moves or cuts one of them must do the same to all, so it is done when all are read.
        let trim = std::mem::take(&mut options.conventions.trim_rest_frame);
        let floor = options.conventions.floor.take();
        let mut report = Report::default();
        let mut actors: Vec<Actor> = Vec::new();
        let mut detected: Vec<Detected> = Vec::new();
        let mut format = String::new();
        for file in files {
            let import = read(file, &options)?;
            format = import.format.to_string();
            report.absorb(import.report.clone());
            let first = import.into_first().map_err(|error| Failure::from(error).in_file(file))?;
            if let Some(found) = first.detected.first().filter(|_| detected.is_empty()) {
                options.conventions.unit = Some(found.unit.value);
                options.conventions.up = Some(found.up_axis.value);
            }
            actors.extend(first.take.into_actors());
            detected.extend(first.detected);
        }
        if trim && detected.iter().any(|found| found.rest_frame.value) {
            for actor in &mut actors {
                actor.clip = actor.clip.slice(1..actor.clip.frames())?;
            }
        }
        trim_to_shortest(&mut actors, &mut report)?;
        put_on_floor(&mut actors, floor)?;
        let stem = |file: &PathBuf| file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let name = files.iter().map(stem).collect::<Vec<_>>().join("+");
        Ok((vec![(Take::new(name, actors)?, history(&format, &detected))], report))
    }
}

fn read(file: &Path, options: &ReadOptions) -> Result<Import, Failure> {
    read_file(file, options).map_err(|error| Failure::from(error).in_file(file))
}

fn trim_to_shortest(actors: &mut [Actor], report: &mut Report) -> Result<(), Failure> {
    let shortest = actors.iter().map(|actor| actor.clip.frames()).min().unwrap_or(0);
    for actor in actors {
        let frames = actor.clip.frames();
        if frames > shortest {
            let message = format!("{} has {frames} frames, another {shortest}", actor.name);
            report.warn(&codes::TRIMMED, Place::default().frame(shortest), message);
            actor.clip = actor.clip.slice(0..shortest)?;
        }
    }
    Ok(())
}

/// Lowers all alike, so that they stay in one world: by the lowest floor that any of them rests on, as for one file.
fn put_on_floor(actors: &mut [Actor], wish: Option<FloorWish>) -> Result<(), Failure> {
    let height_m = match wish {
        None => return Ok(()),
        Some(FloorWish::AtMetres(height_m)) => height_m,
        Some(FloorWish::Found) => {
            let floors = actors.iter().map(|actor| floor::estimate(&actor.clip));
            let rested_on = floors.filter(|floor| floor.support > 0.0).map(|floor| floor.height_m);
            rested_on.reduce(f32::min).unwrap_or(0.0)
        }
    };
    for actor in actors {
        actor.clip = actor.clip.lifted(-height_m)?;
    }
    Ok(())
}

/// What was settled when a take was read, in a line.
fn history(format: &str, detected: &[Detected]) -> String {
    let about = |found: &Detected| {
        format!(
            "unit {} ({}), up {} ({}), {} Hz ({})",
            found.unit.value,
            found.unit.by,
            found.up_axis.value,
            found.up_axis.by,
            found.rate_hz.value,
            found.rate_hz.by
        )
    };
    let mut each: Vec<String> = detected.iter().map(about).collect();
    each.dedup();
    format!("{format}: {}", each.join("; "))
}

/// Says what was met on the way, what failed and what was put in.
fn tell(console: &Console, files: &[Input], results: &[Result<Put, Failure>]) {
    let report = |result| Result::map(Result::as_ref(result), |put: &Put| &put.report);
    batch::tell(console, files, &results.iter().map(report).collect::<Vec<_>>());
    let takes: Vec<&PutTake> = results.iter().flatten().flat_map(|put| &put.takes).collect();
    let already = takes.iter().filter(|take| take.already).count();
    let mut text = format!("put in {}", count(takes.len() - already, "take"));
    match takes.as_slice() {
        [only] if only.already => {
            text = format!("the same content is there already, as #{} {}", only.id, only.name)
        }
        [only] => text += &format!(": #{} {}", only.id, only.name),
        _ if already > 0 => text += &format!("; there already: {already}"),
        _ => {}
    }
    console.note(&(text + "\n"));
}
