//! Captured pairs: labels, trains and generates a minute as a user would, and measures its quality.

use std::collections::BTreeMap;
use std::path::Path;

use marey::duet::{
    self, DuetLabelSettings, DuetRequest, RecordedPair, label::DuetLabelRequest, train::DuetTrainRequest,
};
use marey_capture::Half;
use marey_formats::ReadOptions;
use marey_measure::card::{BaselineStatistics, CardLine, Evidence, QualityCard, Thresholds};
use marey_motion::{Actor, Clip, Contacts, Take};
use marey_ops::contacts;

use super::Measured;
use super::runs::deepest_cm;
use crate::BoxError;
use crate::args::Args;
use crate::data;
use crate::row::{Aim, Row};
use crate::scratch_corpus::ScratchCorpus;

/// CMU subjects who were captured together: folder of their takes, and the true frame rate.
const COUPLES: [(&str, &str, &str, f64); 4] = [
    ("two_person", "18", "19", 120.0),
    ("two_person", "20", "21", 120.0),
    ("two_person", "22", "23", 120.0),
    ("salsa_60_61", "60", "61", 60.0),
];
const RATE_HZ: f64 = 30.0;
const RUN_SECS: f64 = 60.0;

pub(super) fn rows(args: &Args) -> Measured {
    let Some(folder) = data::captured(args, "cmu") else { return Ok(Vec::new()) };
    let mut rows = Vec::new();
    for couple in COUPLES {
        rows.extend(couple_rows(args, &folder, couple)?);
    }
    Ok(rows.into_iter().map(|row| row.of_half(Half::Report)).collect())
}

fn couple_rows(
    args: &Args,
    folder: &Path,
    (takes, one, other, rate_hz): (&str, &str, &str, f64),
) -> Measured {
    let takes = takes_of(&folder.join(takes), [one, other], rate_hz)?;
    let pairs: Vec<RecordedPair> = takes.iter().map(RecordedPair::from_take).collect::<Result<_, _>>()?;
    let iterations = if args.quick { 100 } else { 1000 };
    let settings = DuetLabelSettings { iterations, ..DuetLabelSettings::default() };
    let corpus = ScratchCorpus::create()?;
    for take in &takes {
        corpus.add(take, &Contacts::default(), [])?;
    }
    let request = DuetLabelRequest { seed: args.seed, settings, ..DuetLabelRequest::default() };
    let labels = duet::label::run(&request, corpus.context())?;
    duet::train::run(&DuetTrainRequest::default(), corpus.context())?;
    let request = DuetRequest { secs: RUN_SECS, seed: args.seed, ..DuetRequest::default() };
    let made = duet::run(&request, corpus.context())?;
    let subject = format!("CMU {one} and {other}, {} takes, {RUN_SECS} s", takes.len());
    let movements: usize = labels.people.iter().map(|person| person.movements).sum();
    let groups: usize = labels.people.iter().map(|person| person.groups).sum();
    let mut rows = vec![
        Row::new("duet: captured, movements found", &subject, movements as f64, "movements")
            .against("groups", groups as f64),
        Row::new("duet: captured, deepest overlap of the bodies", &subject, deepest_cm(&made.take), "cm")
            .against("the examples", takes.iter().map(deepest_cm).fold(0.0, f64::max)),
    ];
    let mut card = WorstCards::default();
    for (person, actor) in made.take.actors().iter().enumerate() {
        let recorded = || pairs.iter().map(|pair| &pair.people[person]);
        let statistics =
            BaselineStatistics::learn(&recorded().map(|person| person.clip.clone()).collect::<Vec<Clip>>());
        let plan = made.plan.as_ref().and_then(|plan| plan.actors.get(person));
        let placements = plan.map_or(&[][..], |actor| &actor.placements[..]);
        let joins: Vec<usize> = placements.iter().skip(1).map(|placement| placement.start).collect();
        let evidence = Evidence { examples: Some(&statistics), joins: &joins, ..Evidence::on_floor(0.0) };
        card.made.add(QualityCard::of(&actor.clip, &evidence, &Thresholds::default())?);
        for person in recorded() {
            let evidence = Evidence::on_floor(0.0);
            card.examples.add(QualityCard::of(&person.clip, &evidence, &Thresholds::default())?);
        }
    }
    rows.extend(card.rows(&subject));
    Ok(rows)
}

/// The worst value of each measure of several quality cards.
#[derive(Default)]
struct WorstLines(BTreeMap<&'static str, CardLine>);

impl WorstLines {
    fn add(&mut self, card: QualityCard) {
        for line in card.lines {
            match self.0.get(line.name) {
                Some(before) if before.value >= line.value => {}
                _ => drop(self.0.insert(line.name, line)),
            }
        }
    }
}

/// The worse card of both people, and the worst of their recordings.
#[derive(Default)]
struct WorstCards {
    made: WorstLines,
    examples: WorstLines,
}

impl WorstCards {
    fn rows(self, subject: &str) -> impl Iterator<Item = Row> {
        self.made.0.into_iter().map(move |(name, line)| {
            let row = Row::new(&format!("duet: captured, {name}"), subject, line.value, line.unit);
            let row = match self.examples.0.get(name) {
                Some(own) => row.against("the examples", own.value),
                None => row,
            };
            match line.at_most {
                Some(most) => row.aim(Aim::AtMost(most)),
                None => row,
            }
        })
    }
}

/// Reads takes of two people, moved onto a common floor.
fn takes_of(folder: &Path, names: [&str; 2], rate_hz: f64) -> Result<Vec<Take>, BoxError> {
    let mut takes: BTreeMap<String, Vec<Clip>> = BTreeMap::new();
    for file in data::bvh_files_to_report(folder) {
        let named = file.name.split_once('_').filter(|(subject, _)| names.contains(subject));
        let Some((_, trial)) = named else { continue };
        let import = marey_formats::read(&file.bytes, Some("bvh"), &ReadOptions::default())?;
        let clip = import.take()?.first().clone().with_rate(rate_hz)?;
        // The first frame is a calibration pose.
        takes.entry(trial.to_owned()).or_default().push(clip.slice(1..clip.frames())?.resampled(RATE_HZ)?);
    }
    let mut found = Vec::new();
    for (trial, clips) in takes.into_iter().filter(|(_, clips)| clips.len() == 2) {
        let floors = clips.iter().map(|clip| contacts::detect(clip, &contacts::ContactSettings::default()));
        let floors = floors.collect::<Result<Vec<_>, _>>()?;
        let floor_m = floors.iter().map(|found| found.floor.height_m).fold(f32::INFINITY, f32::min);
        let actors = names.into_iter().zip(clips).map(|(name, clip)| {
            Ok::<_, marey_motion::MotionError>(Actor { name: name.into(), clip: clip.lifted(-floor_m)? })
        });
        found.push(Take::new(trial, actors.collect::<Result<_, _>>()?)?);
    }
    Ok(found)
}
