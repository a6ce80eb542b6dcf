//! Walks along the hip paths of walks that are not in the corpus.

use marey::Outcome;
use marey::follow::{self, ControlInput, FollowDetails, FollowRequest};
use marey_capture::Half;
use marey_examples::walk::{WalkSettings, walk};
use marey_formats::ReadOptions;
use marey_measure::path::path_error;
use marey_motion::{Clip, Contacts, Role, Take};
use marey_ops::{contacts, gait};

use crate::BoxError;
use crate::args::Args;
use crate::data;
use crate::eval::foot_rows::FootTable;
use crate::row::Row;
use crate::scratch_corpus::ScratchCorpus;

/// Measures of walks.
#[derive(Default)]
struct Table {
    walks: f64,
    path_cm: f64,
    /// Relative error of the number of steps.
    step_error: f64,
    feet: FootTable,
    /// The feet of the walks along whose paths these go.
    unseen_feet: FootTable,
    /// Mean jump of the body at joins, before blending.
    jump_cm: f64,
}

pub(super) fn rows(args: &Args) -> Result<Vec<Row>, BoxError> {
    let mut rows = generated(args)?;
    if let Some(folder) = data::captured(args, "") {
        rows.extend(captured(&folder)?.into_iter().map(|row| row.of_half(Half::Report)));
    }
    Ok(rows)
}

/// Generated walks along the hip paths of unseen walks.
fn generated(args: &Args) -> Result<Vec<Row>, BoxError> {
    let make = |seed: u64, duration_secs: f64| {
        walk(&WalkSettings { seed, duration_secs, rate_hz: 60.0, ..WalkSettings::default() })
    };
    let corpus = ScratchCorpus::create()?;
    let example = make(args.seed * 100, 180.0)?;
    let contacts = example.truth.contacts().cloned().unwrap_or_default();
    let cuts = example.truth.cuts().windows(2).map(|two| (two[0].frame..two[1].frame, two[0].name.clone()));
    corpus.add(&example.take, &contacts, cuts)?;
    let unseen = if args.quick { 1 } else { 6 };
    let mut rows = Vec::new();
    let mut without: Option<Table> = None;
    for k in [0.0, 0.2, 2.0, 20.0] {
        let mut table = Table::default();
        for seed in 1..=unseen {
            let other = make(args.seed * 100 + seed, 40.0)?;
            table.judge(&corpus, other.take.first(), k)?;
        }
        let subject = format!("generated, {unseen} unseen walks of 40 s, k = {k}");
        rows.extend(table.rows(&subject, without.as_ref()));
        without.get_or_insert(table);
    }
    Ok(rows)
}

/// Captured walks, each along the hip path of a walk that was left out.
fn captured(folder: &std::path::Path) -> Result<Vec<Row>, BoxError> {
    let mut walks: Vec<(String, Clip)> = Vec::new();
    for file in data::bvh_files(&folder.join("cmu/walk_path")) {
        if !file.name.starts_with("16_") && !file.name.starts_with("69_") {
            continue;
        }
        let import = marey_formats::read(&file.bytes, Some("bvh"), &ReadOptions::default())?;
        // The first frame of these files is a calibration pose.
        let clip = import.take()?.first().clone();
        let clip = clip.slice(1..clip.frames())?;
        let found = contacts::detect(&clip, &contacts::ContactSettings::default())?;
        walks.push((file.name, clip.lifted(-found.floor.height_m)?.resampled(60.0)?));
    }
    let mut tables = [Table::default(), Table::default()];
    let report = data::bvh_files_to_report(&folder.join("cmu/walk_path"));
    for (left_out, (name, clip)) in walks.iter().enumerate() {
        if !report.iter().any(|file| file.name == *name) {
            continue;
        }
        let corpus = ScratchCorpus::create()?;
        for (number, (other, example)) in walks.iter().enumerate() {
            if number == left_out || other[..3] != name[..3] {
                continue;
            }
            let found = contacts::detect(example, &contacts::ContactSettings::default())?;
            let steps = gait::steps(&found.contacts, example.rate_hz(), &gait::GaitSettings::default())?;
            let frames: Vec<usize> = steps.iter().map(|step| step.frame).collect();
            let cuts = frames.windows(2).map(|two| (two[0]..two[1], "step".to_owned()));
            corpus.add(&Take::solo(other, example.clone()), &Contacts::default(), cuts)?;
        }
        for (table, k) in tables.iter_mut().zip([0.0, 2.0]) {
            table.judge(&corpus, clip, k)?;
        }
    }
    let [without, with] = tables;
    let subject = |k: f64| format!("CMU 16 and 69, {} walks left out in turn, k = {k}", with.walks);
    let mut rows = without.rows(&subject(0.0), None);
    rows.extend(with.rows(&subject(2.0), Some(&without)));
    Ok(rows)
}

impl Table {
    fn judge(&mut self, corpus: &ScratchCorpus, walk: &Clip, k: f64) -> Result<(), BoxError> {
        let input = ControlInput::Take(Take::solo("unseen", walk.clone()));
        let request = FollowRequest { input, k, ..FollowRequest::default() };
        let Outcome { take, details, .. } = follow::run(&request, corpus.context())?;
        let FollowDetails { interpretation: found, .. } = details;
        let clip = take.first();
        let hips = walk.points(&[Role::Hips])?;
        self.walks += 1.0;
        self.path_cm += path_error(clip, &hips).ok_or("no path")?.mean_cm;
        // Steps are detected in both by the same method.
        let steps = |clip: &Clip| -> Result<f64, BoxError> {
            let found = contacts::detect(clip, &contacts::ContactSettings::default())?;
            Ok(gait::steps(&found.contacts, clip.rate_hz(), &gait::GaitSettings::default())?.len() as f64)
        };
        let (taken, wanted) = (steps(clip)?, steps(walk)?);
        self.step_error += (taken / wanted.max(1.0) - 1.0).abs();
        self.feet.add(clip);
        self.unseen_feet.add(walk);
        let jumps: f64 = found.pieces.iter().map(|piece| piece.jump_m).sum();
        self.jump_cm += 100.0 * jumps / found.pieces.len().saturating_sub(1).max(1) as f64;
        Ok(())
    }

    fn rows(&self, subject: &str, without: Option<&Table>) -> Vec<Row> {
        let row = |name: &str, value: fn(&Table) -> f64, unit| {
            let row = Row::new(name, subject, value(self) / self.walks, unit);
            match without {
                Some(other) => row.against("without continuity (k = 0)", value(other) / other.walks),
                None => row,
            }
        };
        let mut rows = vec![
            row("walk: distance of the hips from the path", |table| table.path_cm, "cm").lower_is_better(),
            row("walk: error of the number of steps", |table| 100.0 * table.step_error, "%")
                .lower_is_better(),
            row("walk: jump of the body at joins, before blending", |table| table.jump_cm, "cm")
                .lower_is_better(),
        ];
        rows.extend(self.feet.rows("walk", subject, "the unseen walks", &self.unseen_feet));
        rows
    }
}
