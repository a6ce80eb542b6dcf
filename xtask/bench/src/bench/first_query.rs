//! The time to the first search result of a corpus, measured in a new process.

use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::Instant;

use marey_corpus::{Corpus, Moment, Moments, TakeId};

use crate::row::{Aim, Row};

/// The first argument of the child process: search by the index, or compare every moment.
pub(crate) const VERBS: [&str; 2] = ["first-query", "first-query-by-all"];

/// Opens a corpus, finds the moment most similar to one in its middle, and prints it.
pub(crate) fn child(verb: &str, file: &str) -> ExitCode {
    match first_match(verb, Path::new(file)) {
        Ok(Some(moment)) => {
            println!("{} {}", moment.take, moment.frame);
            ExitCode::SUCCESS
        }
        _ => ExitCode::FAILURE,
    }
}

fn first_match(verb: &str, file: &Path) -> Result<Option<Moment>, marey_corpus::CorpusError> {
    let corpus = Corpus::open_read_only(file)?;
    let takes = corpus.takes()?;
    let Some(middle) = takes.get(takes.len() / 2) else { return Ok(None) };
    let here = Moment { take: middle.id, actor: 0, frame: middle.frames / 2 };
    let apart = |_: TakeId| 15;
    let moments = corpus.moments()?;
    if verb == VERBS[0] {
        let found = moments.nearest(moments.features(here)?, 1, None, apart, &[here])?;
        return Ok(found.first().map(|found| found.moment));
    }
    let all =
        takes.iter().flat_map(|take| (0..take.frames).map(|frame| Moment { take: take.id, actor: 0, frame }));
    by_all(&moments, all, here, apart(here.take))
}

/// The baseline: reads every moment and computes its distance.
fn by_all(
    moments: &Moments,
    all: impl Iterator<Item = Moment>,
    here: Moment,
    apart: usize,
) -> Result<Option<Moment>, marey_corpus::CorpusError> {
    let query = moments.features(here)?;
    let mut best: Option<(f32, Moment)> = None;
    for moment in all.filter(|m| m.take != here.take || m.frame.abs_diff(here.frame) >= apart) {
        let row = moments.features(moment)?;
        let squared = row.iter().zip(query).fold(0.0, |sum, (a, b)| sum + (a - b) * (a - b));
        if best.is_none_or(|best| squared < best.0) {
            best = Some((squared, moment));
        }
    }
    Ok(best.map(|best| best.1))
}

/// The time from the start of a process to its end, best of several rounds.
pub(crate) fn rows(path: &Path, subject: &str, rounds: usize) -> Result<Vec<Row>, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut best = [f64::INFINITY; 2];
    let mut results = [String::new(), String::new()];
    for _ in 0..rounds {
        for ((verb, best), result) in VERBS.iter().zip(&mut best).zip(&mut results) {
            let start = Instant::now();
            let output = Command::new(&program).arg(verb).arg(path).output().map_err(|e| e.to_string())?;
            *best = best.min(1e3 * start.elapsed().as_secs_f64());
            *result = String::from_utf8_lossy(&output.stdout).into_owned();
        }
    }
    let [search, all] = best;
    let same = f64::from(u8::from(results[0] == results[1] && !results[0].is_empty()));
    Ok(vec![
        Row::new("new process: open, find the nearest moment of all", subject, search, "ms")
            .against("comparing every moment", all)
            .aim(Aim::AtMost(50.0)),
        Row::new("new process: same result as comparing every moment", subject, same, "result")
            .aim(Aim::AtLeast(1.0)),
    ])
}
