//! How soon a corpus answers its first search, in a process of its own that has not opened it before.

use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::Instant;

use marey_corpus::{Corpus, Moment, Moments, TakeId};

use crate::row::{Aim, Row};

/// How the child process is called: to search, or to look at every moment.
pub(crate) const VERBS: [&str; 2] = ["first-query", "first-query-by-all"];

/// Opens a corpus, takes a moment from its middle, finds the one most like it elsewhere, and prints where that is.
pub(crate) fn child(verb: &str, file: &str) -> ExitCode {
    match answer(verb, Path::new(file)) {
        Ok(Some(moment)) => {
            println!("{} {}", moment.take, moment.frame);
            ExitCode::SUCCESS
        }
        _ => ExitCode::FAILURE,
    }
}

fn answer(verb: &str, file: &Path) -> Result<Option<Moment>, marey_corpus::Error> {
    let mut corpus = Corpus::open_read_only(file)?;
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

/// The baseline: every moment is read and measured.
fn by_all(
    moments: &Moments,
    all: impl Iterator<Item = Moment>,
    here: Moment,
    apart: usize,
) -> Result<Option<Moment>, marey_corpus::Error> {
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

/// From the start of a process to its answer and end, best of several.
pub(crate) fn rows(path: &Path, subject: &str, rounds: usize) -> Result<Vec<Row>, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut best = [f64::INFINITY; 2];
    let mut said = [String::new(), String::new()];
    for _ in 0..rounds {
        for ((verb, best), said) in VERBS.iter().zip(&mut best).zip(&mut said) {
            let start = Instant::now();
            let output = Command::new(&program).arg(verb).arg(path).output().map_err(|e| e.to_string())?;
            *best = best.min(1e3 * start.elapsed().as_secs_f64());
            *said = String::from_utf8_lossy(&output.stdout).into_owned();
        }
    }
    let [search, all] = best;
    let same = f64::from(u8::from(said[0] == said[1] && !said[0].is_empty()));
    Ok(vec![
        Row::new("new process: open, find the nearest moment of all", subject, search, "ms")
            .against("reading and measuring every moment", all)
            .aim(Aim::AtMost(50.0)),
        Row::new("new process: same as measuring every moment", subject, same, "answer")
            .aim(Aim::AtLeast(1.0)),
    ])
}
