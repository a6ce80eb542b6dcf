//! The step `duet label`: finds the movements of two people and stores them in the corpus as segments.

use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};

use super::{DuetLabelSettings, DuetRecordings, Labelling, PersonMovements, UnusedReason};
use crate::motion::{Observer, Place, Progress, Report};
use crate::plan::Seed;
use crate::{Context, Error, codes};

/// A request to label recordings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DuetLabelRequest {
    /// Takes to label, by name or `#` and number; default: all takes of two people.
    pub takes: Vec<String>,
    /// Random seed; default 1.
    pub seed: u64,
    /// Number of independent searches with different seeds, of which the best is kept; default 1; 1 to 1000.
    pub islands: u64,
    /// Settings of the search.
    pub settings: DuetLabelSettings,
}

impl Default for DuetLabelRequest {
    fn default() -> Self {
        Self { takes: Vec::new(), seed: 1, islands: 1, settings: DuetLabelSettings::default() }
    }
}

impl DuetLabelRequest {
    /// Checks the ranges.
    pub fn validate(&self) -> Result<(), Error> {
        if !(1..=1000).contains(&self.islands) {
            return Err(Error::settings(format!("islands is {}, and must be 1 to 1000", self.islands)));
        }
        Ok(self.settings.validate()?)
    }
}

/// The movements found for one person.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LabelSummary {
    /// Name of the person.
    pub person: String,
    /// Number of cut points that the search selected from.
    pub cut_points: usize,
    /// Number of movements.
    pub movements: usize,
    /// Number of groups.
    pub groups: usize,
    /// Movements per group.
    pub fitness: f64,
    /// Number of generations searched.
    pub generations: u32,
}

/// How much of a take the movements use.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TakeCoverage {
    /// Name of the take.
    pub take: String,
    /// The fraction of the time of both people that is in movements.
    pub in_movements: f64,
    /// The frames that are in no movement.
    pub unused: Vec<UnusedStretch>,
}

/// Frames of a person that are in no movement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct UnusedStretch {
    /// Name of the person.
    pub person: String,
    /// First frame in the take.
    pub start: usize,
    /// The frame after the last.
    pub end: usize,
    /// Why they are not used.
    pub reason: UnusedReason,
}

/// A take of which less is in movements is reported.
const LEAST_COVERAGE: f64 = 0.5;

/// The result of labelling.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DuetLabelOutcome {
    /// The movements found for each person.
    pub people: Vec<LabelSummary>,
    /// How much of each take the movements use.
    pub takes: Vec<TakeCoverage>,
    /// Whether the two were labelled together, as a couple that moves in unison.
    pub is_couple: bool,
    /// Takes that were left out.
    #[serde(skip)]
    pub report: Report,
}

/// Settings of the search for takes that have no labels when a run needs them: enough for a recording of a few minutes.
pub fn quick_settings() -> DuetLabelSettings {
    DuetLabelSettings { iterations: 400, plateau: Some(120), ..DuetLabelSettings::default() }
}

/// The request that labels `takes` with [`quick_settings`].
pub fn quick_request(takes: &[String]) -> DuetLabelRequest {
    DuetLabelRequest { takes: takes.to_vec(), settings: quick_settings(), ..DuetLabelRequest::default() }
}

/// Labels recordings and stores the movements in the corpus, which must be writable.
pub fn run(request: &DuetLabelRequest, context: &Context<'_>) -> Result<DuetLabelOutcome, Error> {
    request.validate()?;
    let recordings = DuetRecordings::from_context(context, &request.takes)?;
    let labels = search(&recordings, request, context)?;
    store(&recordings, &labels, context)
}

/// Runs one of the independent searches of a request, without storing its result.
pub fn run_island(
    request: &DuetLabelRequest,
    island: u64,
    context: &Context<'_>,
) -> Result<Labelling, Error> {
    request.validate()?;
    let recordings = DuetRecordings::from_context(context, &request.takes)?;
    search_island(&recordings, request, island, context.observer(), context)
}

/// Stores the best of the results of [`run_island`], in the order of their numbers.
pub fn store_best(
    request: &DuetLabelRequest,
    islands: &[Labelling],
    context: &Context<'_>,
) -> Result<DuetLabelOutcome, Error> {
    let recordings = DuetRecordings::from_context(context, &request.takes)?;
    store(&recordings, &best_of(islands)?, context)
}

/// Searches on all islands, and returns the best labels of each person.
pub(super) fn search(
    recordings: &DuetRecordings,
    request: &DuetLabelRequest,
    context: &Context<'_>,
) -> Result<Labelling, Error> {
    let mut found = Vec::new();
    for island in 0..request.islands {
        let report = |progress: Progress| -> ControlFlow<()> {
            let (done, total) = (progress.done, progress.total);
            let before = island as usize * total;
            context.observer().report(progress.stage, before + done, request.islands as usize * total)
        };
        found.push(search_island(recordings, request, island, Observer::new(&report), context)?);
    }
    best_of(&found)
}

fn search_island(
    recordings: &DuetRecordings,
    request: &DuetLabelRequest,
    island: u64,
    observer: Observer<'_>,
    context: &Context<'_>,
) -> Result<Labelling, Error> {
    let seed = Seed(request.seed.wrapping_add(island));
    Ok(context.install(|| marey_duet::label(&recordings.pairs, &request.settings, seed, observer))??)
}

/// Returns the fittest movements of each person. The first island wins a tie.
fn best_of(islands: &[Labelling]) -> Result<Labelling, Error> {
    type OfPerson = fn(&Labelling) -> &PersonMovements;
    let best = |of_person: OfPerson| -> Result<PersonMovements, Error> {
        let movements = islands.iter().map(of_person);
        let best = movements.reduce(|best, next| if next.fitness > best.fitness { next } else { best });
        best.cloned().ok_or_else(|| Error::settings("no island was searched"))
    };
    Ok(Labelling { people: [best(|labels| &labels.people[0])?, best(|labels| &labels.people[1])?] })
}

fn store(
    recordings: &DuetRecordings,
    labels: &Labelling,
    context: &Context<'_>,
) -> Result<DuetLabelOutcome, Error> {
    let mut corpus = context.corpus()?;
    recordings.store_labels(&mut corpus, labels)?;
    let people = labels.people.iter().zip(recordings.people()).map(|(movements, person)| LabelSummary {
        person: person.name.clone(),
        cut_points: movements.cut_points,
        movements: movements.all.len(),
        groups: movements.groups,
        fitness: movements.fitness,
        generations: movements.iterations,
    });
    let takes = coverage(recordings, labels);
    let mut report = recordings.report.clone();
    for take in takes.iter().filter(|take| take.in_movements < LEAST_COVERAGE) {
        let percent = 100.0 * take.in_movements;
        let message = format!("{:?}: {percent:.0} % of the time is in movements", take.take);
        report.warn(&codes::LITTLE_LABELLED, Place::default(), message);
    }
    Ok(DuetLabelOutcome { people: people.collect(), takes, is_couple: labels.are_exchanges(), report })
}

/// Returns how much of each take is in movements.
fn coverage(recordings: &DuetRecordings, labels: &Labelling) -> Vec<TakeCoverage> {
    let names: Vec<String> = recordings.people().map(|person| person.name.clone()).collect();
    let unused = labels.unused_frames(&recordings.pairs);
    let of_take = |take: String| {
        let (mut frames, mut stretches) = (0, Vec::new());
        for (pair, stretch) in recordings.stretches.iter().enumerate().filter(|(_, own)| own.take == take) {
            frames += 2 * stretch.frames.len();
            stretches.extend(unused.iter().filter(|unused| unused.pair == pair).map(|unused| {
                UnusedStretch {
                    person: names.get(unused.person).cloned().unwrap_or_default(),
                    start: stretch.frames.start + unused.frames.start,
                    end: stretch.frames.start + unused.frames.end,
                    reason: unused.reason,
                }
            }));
        }
        let missing: usize = stretches.iter().map(|unused| unused.end - unused.start).sum();
        let in_movements = 1.0 - missing as f64 / frames.max(1) as f64;
        TakeCoverage { take, in_movements, unused: stretches }
    };
    recordings.takes().into_iter().map(of_take).collect()
}
