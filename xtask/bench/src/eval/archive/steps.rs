//! Steps that `marey corpus segment` finds in captured motion, compared with a count by eye.

use std::path::Path;

use marey_corpus::{AnnotationContent, Corpus};

use crate::row::{Aim, Row};
use crate::{BoxError, data, marey_command};

/// Files below the captured motion and their numbers of steps, counted by eye.
const COUNTS: &str = include_str!("../../../annotations/captured_steps.csv");

pub(super) fn rows(captured: &Path) -> Result<Vec<Row>, BoxError> {
    let counts: Vec<(&str, usize)> = COUNTS
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_once(','))
        .filter_map(|(file, steps)| Some((file, steps.parse().ok()?)))
        .collect();
    let scratch = data::scratch_folder()?.join("archive-steps");
    let path = scratch.join("walks.marey");
    let _ = std::fs::remove_file(&path);
    let corpus = path.display().to_string();
    let files = counts.iter().map(|(file, _)| captured.join(file).display().to_string());
    marey_command::run(["corpus", "new", &corpus], &scratch)?;
    let add = ["corpus".to_owned(), "add".into(), corpus.clone()].into_iter().chain(files);
    marey_command::run(add, &scratch)?;
    marey_command::run(["corpus", "segment", &corpus, "--by", "steps"], &scratch)?;
    let corpus = Corpus::open_read_only(&path)?;
    let (mut near, mut exact) = (0, 0);
    for (file, steps) in &counts {
        let name = Path::new(file).file_stem().unwrap_or_default().to_string_lossy();
        let take = corpus.find(&name)?;
        let is_step = |what: &AnnotationContent| matches!(what, AnnotationContent::Marker(marker) if marker.name.starts_with("step "));
        let found = corpus.annotations(take)?.iter().filter(|annotation| is_step(&annotation.what)).count();
        near += usize::from(found.abs_diff(*steps) <= 1);
        exact += usize::from(found == *steps);
        if found.abs_diff(*steps) > 1 {
            eprintln!("{file}: {found} steps, {steps} counted");
        }
    }
    let all = counts.len();
    let share = |count: usize| 100.0 * count as f64 / all as f64;
    let subject = format!("{all} takes of CMU and Bandai, counted by eye");
    Ok(vec![
        Row::new("archive: takes within one step of the count", &subject, share(near), "%")
            .aim(Aim::AtLeast(95.0)),
        Row::new("archive: takes with the steps of the count", subject, share(exact), "%"),
    ])
}
