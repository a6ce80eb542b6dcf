//! Exchanges of captured people. Skipped, with a notice, without captured motion.

mod support;

use std::path::PathBuf;

use marey::corpus::ImportRequest;
use marey::duet::label::{self, DuetLabelRequest};
use marey::duet::train::{self, DuetTrainRequest};
use marey::duet::{self, DuetCommand, DuetLabelSettings, DuetRequest};
use marey::prelude::*;
use marey::realise::{self, RealiseRequest};
use support::Folder;

/// A labelled and trained corpus of two CMU subjects who walk, march, and dance hand in hand.
fn walkers(folder: &Folder) -> Option<Context<'static>> {
    let captured = marey_capture::folder("cmu/two_person")?;
    let inputs: Vec<PathBuf> = ["20_05", "20_09", "21_05", "21_09"]
        .iter()
        .map(|name| captured.join(format!("{name}.bvh")))
        .collect();
    let context = folder.context([], None);
    let request = ImportRequest {
        inputs,
        pairs: ["one=20_{i}.bvh", "other=21_{i}.bvh"].map(|pattern| pattern.parse().unwrap()).into(),
        ..ImportRequest::default()
    };
    context.corpus().unwrap().import(&request, Observer::ignore()).unwrap();
    Some(context)
}

#[test]
fn captured_people_are_cut_into_exchanges_that_run_in_every_mode() {
    let folder = Folder::new("captured-exchanges");
    let Some(context) = walkers(&folder) else { return };
    let settings = DuetLabelSettings { iterations: 50, ..DuetLabelSettings::default() };
    let request = DuetLabelRequest { settings, ..DuetLabelRequest::default() };
    let labels = label::run(&request, &context).unwrap();
    assert!(labels.is_couple);
    for take in &labels.takes {
        assert!(take.in_movements >= 0.9, "{take:?}");
    }
    train::run(&DuetTrainRequest::default(), &context).unwrap();

    let path = vec![[0.0, 0.0, 0.0], [12.0, 0.0, 4.0]];
    let last = DuetCommand { group: Some(0), ..DuetCommand::default() };
    for request in [
        DuetRequest { secs: 12.0, ..DuetRequest::default() },
        DuetRequest { secs: 12.0, path, ..DuetRequest::default() },
        DuetRequest { secs: 12.0, commands: vec![last; 3], ..DuetRequest::default() },
    ] {
        let made = duet::run(&request, &context).unwrap();
        let [one, other] = [0, 1].map(|person| made.take.actors()[person].clip.ground_track().frames);
        let distances = one.iter().zip(&other).map(|(a, b)| a.translation().distance(b.translation()));
        // Recorded: 0.68 to 1.32 m. Between recordings that are unlike each other, the two come closer or fall behind.
        let mut distances: Vec<f32> = distances.collect();
        distances.sort_by(f32::total_cmp);
        let median_m = distances[distances.len() / 2];
        assert!((0.68..1.32).contains(&median_m), "{median_m} m");

        let plan = made.plan.unwrap().to_json().unwrap();
        let again = realise::run(&RealiseRequest { plan, ..RealiseRequest::default() }, &context).unwrap();
        assert_eq!(again.take.actors()[1].clip, made.take.actors()[1].clip);
    }
}
