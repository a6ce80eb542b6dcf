//! The step `duet label`: finds the movements of two people and stores them in the corpus as segments.

use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};

use super::{DuetLabelSettings, DuetRecordings, Labelling, PersonMovements, RecordedPair};
use crate::motion::{Observer, Progress, Report};
use crate::plan::Seed;
use crate::{Context, Error};

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

/// The result of labelling.
#[derive(Debug, Clone, PartialEq)]
pub struct DuetLabelOutcome {
    /// The movements found for each person.
    pub people: Vec<LabelSummary>,
    /// Whether the two were labelled together, as a couple that moves in unison.
    pub is_couple: bool,
    /// Takes that were left out.
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
    store(request, &recordings, &labels, context)
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
    store(request, &recordings, &best_of(islands)?, context)
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
    request: &DuetLabelRequest,
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
    let is_couple = request.settings.in_unison.unwrap_or_else(|| RecordedPair::is_couple(&recordings.pairs));
    Ok(DuetLabelOutcome { people: people.collect(), is_couple, report: recordings.report.clone() })
}
