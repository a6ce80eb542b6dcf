//! Motion files put into a corpus: what `marey corpus add` does.
//!
//! Reading is work for many, on threads or machines; putting in is done by one, in the order of the files, so that the corpus is the
//! same however many read.

mod pairing;

use std::path::{Path, PathBuf};

use crate::conventions::{DetectedConventions, FloorHeight};
pub use pairing::{Job, PairPattern, jobs};
use rayon::prelude::*;
use serde::Serialize;

use crate::Error;
use crate::codes;
use crate::context::report;
use crate::corpus::{self, Added, Corpus, Prepared, Provenance};
use crate::formats::file::read_file;
use crate::formats::{MotionFile, ReadOptions};
use crate::inputs::Input;
use crate::motion::Observer;
use crate::motion::{Actor, Place, Report, Take};
use crate::ops::floor;

/// How files are read, and what is noted of all of them.
#[derive(Debug, Clone, Default)]
pub struct Wish {
    /// What the files mean.
    pub options: ReadOptions,
    /// What may be done with the motion, as in CC-BY-4.0.
    pub licence: String,
    /// Whose the motion is, and where it was published.
    pub credit: String,
}

/// The takes of a job, ready to be put in.
#[derive(Debug, Clone)]
pub struct Ready {
    /// The takes, and where each comes from.
    pub takes: Vec<(Prepared, Provenance)>,
    /// What was met in reading.
    pub report: Report,
}

/// What became of the files of a job.
#[derive(Debug, Default, Clone, Serialize)]
pub struct Put {
    /// The takes that were put in, or were there.
    pub takes: Vec<PutTake>,
    /// The codes of what was met in reading.
    pub warnings: Vec<&'static str>,
    /// What was met in reading.
    #[serde(skip)]
    pub report: Report,
}

/// A take that was put in.
#[derive(Debug, Clone, Serialize)]
pub struct PutTake {
    /// Its number.
    pub id: i64,
    /// Its name.
    pub name: String,
    /// Whether the same content was there before.
    pub already: bool,
}

/// Reads some jobs while those before are put in: many at once in, one after the other out, always in the same order.
pub fn add(
    corpus: &mut Corpus,
    jobs: &[Job],
    wish: &Wish,
    observer: Observer<'_>,
) -> Result<Vec<Result<Put, Error>>, Error> {
    let window = 4 * rayon::current_num_threads();
    let read = |jobs: &[Job]| -> Vec<Result<Ready, Error>> {
        jobs.par_iter().with_max_len(1).map(|job| job.read(wish)).collect()
    };
    let mut windows = jobs.chunks(window);
    let mut ready = windows.next().map(read).unwrap_or_default();
    let mut results = Vec::with_capacity(jobs.len());
    while !ready.is_empty() {
        let next = windows.next().unwrap_or_default();
        let mut put_all = |ready: Vec<Result<Ready, Error>>| {
            for result in ready {
                // A corpus that cannot be written takes no other file either.
                results.push(match result {
                    Ok(ready) => Ok(put(corpus, ready)?),
                    Err(failure) => Err(failure),
                });
                report(observer, "files", results.len(), jobs.len())?;
            }
            Ok(())
        };
        let (following, done) = rayon::join(|| read(next), || put_all(ready));
        done.map_err(|failure: Error| failure.in_file(corpus.path()))?;
        ready = following;
    }
    Ok(results)
}

/// Puts the takes of a job in.
pub fn put(corpus: &mut Corpus, ready: Ready) -> Result<Put, Error> {
    let mut put = Put { report: ready.report, ..Put::default() };
    for (prepared, provenance) in ready.takes {
        let added = corpus.add_prepared(&prepared, &provenance)?;
        let info = corpus.info(added.id())?;
        let already = matches!(added, Added::Already(_));
        if !already && info.name != prepared.name() {
            let message = format!("{} is called {} here", prepared.name(), info.name);
            put.report.warn(&corpus::codes::RENAMED, Place::default(), message);
        }
        put.takes.push(PutTake { id: info.id.0, name: info.name, already });
    }
    put.warnings = put.report.codes();
    Ok(put)
}

impl Job {
    /// The job's first file, for tables.
    pub fn input(&self) -> Input {
        let path = self.files.first().cloned().unwrap_or_default();
        Input { relative: path.clone(), path, refused: self.refused.clone() }
    }

    /// Reads the files, and makes their takes ready.
    pub fn read(&self, wish: &Wish) -> Result<Ready, Error> {
        if let Some(failure) = &self.refused {
            return Err(failure.clone());
        }
        let (takes, report) = match self.files.as_slice() {
            [file] => self.read_alone(file, &wish.options)?,
            files => self.read_together(files, &wish.options)?,
        };
        let prepare = |(take, history): (Take, String)| {
            let source: Vec<String> = self.files.iter().map(|file| file.display().to_string()).collect();
            let provenance = Provenance {
                source: source.join(" + "),
                licence: wish.licence.clone(),
                credit: wish.credit.clone(),
                history,
            };
            Ok((Prepared::of(&take)?, provenance))
        };
        let takes = takes.into_iter().map(prepare).collect::<Result<_, Error>>();
        Ok(Ready { takes: takes.map_err(|failure| failure.in_file(&self.input().path))?, report })
    }

    /// One file, perhaps with several takes.
    fn read_alone(&self, file: &Path, options: &ReadOptions) -> Result<(Vec<(Take, String)>, Report), Error> {
        let import = read(file, options)?;
        let (format, report) = (import.format.to_string(), import.report.clone());
        let readings = import.into_takes().map_err(|error| Error::from(error).in_file(file))?;
        let takes = readings.into_iter().map(|reading| (reading.take, history(&format, &reading.detected)));
        Ok((takes.collect(), report))
    }

    /// One file for each actor: in the world of the first, and as long as the shortest.
    fn read_together(
        &self,
        files: &[PathBuf],
        options: &ReadOptions,
    ) -> Result<(Vec<(Take, String)>, Report), Error> {
        let mut options = options.clone();
        // What moves or cuts one of them must do the same to all, so it is done when all are read.
        let trim = std::mem::take(&mut options.conventions.trim_rest_frame);
        let floor = options.conventions.floor.take();
        let mut report = Report::default();
        let mut actors: Vec<Actor> = Vec::new();
        let mut detected: Vec<DetectedConventions> = Vec::new();
        let mut format = String::new();
        for file in files {
            let import = read(file, &options)?;
            format = import.format.to_string();
            report.absorb(import.report.clone());
            let first = import.into_first().map_err(|error| Error::from(error).in_file(file))?;
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

fn read(file: &Path, options: &ReadOptions) -> Result<MotionFile, Error> {
    read_file(file, options).map_err(|error| Error::from(error).in_file(file))
}

fn trim_to_shortest(actors: &mut [Actor], report: &mut Report) -> Result<(), Error> {
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
fn put_on_floor(actors: &mut [Actor], wish: Option<FloorHeight>) -> Result<(), Error> {
    let height_m = match wish {
        None => return Ok(()),
        Some(FloorHeight::Metres(height_m)) => height_m,
        Some(FloorHeight::Detected) => {
            let floors = actors.iter().map(|actor| floor::estimate(&actor.clip));
            floor::shared_height_m(floors).unwrap_or(0.0)
        }
    };
    for actor in actors {
        actor.clip = actor.clip.lifted(-height_m)?;
    }
    Ok(())
}

/// What was settled when a take was read, in a line.
fn history(format: &str, detected: &[DetectedConventions]) -> String {
    let about = |found: &DetectedConventions| {
        format!(
            "unit {} ({}), up {} ({}), {} Hz ({})",
            found.unit.value,
            found.unit.source,
            found.up_axis.value,
            found.up_axis.source,
            found.rate_hz.value,
            found.rate_hz.source
        )
    };
    let mut each: Vec<String> = detected.iter().map(about).collect();
    each.dedup();
    format!("{format}: {}", each.join("; "))
}
