//! Segmentation of recorded pairs into movements, and grouping of similar movements: section 3 of
//! the paper.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use marey_motion::Observer;
use marey_plan::Seed;
use serde::{Deserialize, Serialize};

use crate::candidates::Candidates;
use crate::cut_points::coverage_by_steps;
use crate::genetic_search::{CachedGrouper, Grouper, ReferenceGrouper, ScoredGene, search};
use crate::redundant_cuts::without_redundant_cuts;
use crate::subject::Subject;
use crate::{DuetError, DuetLabelSettings, MovementStructure, RecordedPair, Result};

/// A labelled movement of one person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LabelledMovement {
    /// Index of the recording.
    pub pair: usize,
    /// Frames within the recording.
    pub frames: Range<usize>,
    /// Index of its group.
    pub group: usize,
    /// Foot contacts and partner contact.
    pub structure: MovementStructure,
}

/// The labelled movements of one person.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PersonMovements {
    /// In order of recording and time. Groups are numbered by their first movements.
    pub all: Vec<LabelledMovement>,
    /// Number of groups.
    pub groups: usize,
    /// The fitness 𝒢: movements per group.
    pub fitness: f64,
    /// Number of cut points that the search selected from.
    pub cut_points: usize,
    /// Number of generations searched.
    pub iterations: u32,
}

/// The labelled movements of both people.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Labelling {
    /// The first and the second person.
    pub people: [PersonMovements; 2],
}

/// If cuts at steps leave less than this fraction of the actor-time in movements, both people are cut together.
const MIN_COVERAGE: f64 = 0.5;

impl Labelling {
    /// Returns whether both people were cut together: most movements of the first person are at the same time as one of the
    /// second.
    pub fn are_exchanges(&self) -> bool {
        let [first, second] = &self.people;
        let frames =
            |movement: &LabelledMovement| (movement.pair, movement.frames.start, movement.frames.end);
        let others: BTreeSet<_> = second.all.iter().map(frames).collect();
        let shared = first.all.iter().filter(|movement| others.contains(&frames(movement))).count();
        2 * shared > first.all.len()
    }
}

/// Finds the movements of two people in recordings, and groups similar ones (section 3 of the
/// paper). The same seed gives the same labels on any number of threads.
///
/// `observer` receives the generations that both searches have completed, and can cancel the
/// search.
///
/// ```
/// use marey_duet::{DuetLabelSettings, RecordedPair, label};
/// use marey_examples::taekwondo::{TaekwondoSettings, taekwondo};
/// use marey_motion::Observer;
/// use marey_plan::Seed;
/// let bout = TaekwondoSettings { duration_secs: 20.0, rate_hz: 30.0, ..TaekwondoSettings::default() };
/// let pair = RecordedPair::from_take(&taekwondo(&bout)?.take)?;
/// let settings = DuetLabelSettings { iterations: 20, ..DuetLabelSettings::default() };
/// let labels = label(&[pair], &settings, Seed(1), Observer::ignore())?;
/// let red = &labels.people[0];
/// assert!(red.fitness == red.all.len() as f64 / red.groups as f64 && red.fitness > 1.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn label(
    pairs: &[RecordedPair],
    settings: &DuetLabelSettings,
    seed: Seed,
    observer: Observer<'_>,
) -> Result<Labelling> {
    label_with(pairs, settings, observer, |subject, observe| {
        let candidates = Candidates::new(pairs, subject, settings)?;
        let grouper = CachedGrouper::new(&candidates);
        Ok(search_movements(subject, &candidates, &grouper, settings, seed, observe))
    })
}

/// Does the same as [`label`], but computes every distance from the motion each time: the reference
/// for tests and benchmarks.
pub fn label_reference(
    pairs: &[RecordedPair],
    settings: &DuetLabelSettings,
    seed: Seed,
    observer: Observer<'_>,
) -> Result<Labelling> {
    label_with(pairs, settings, observer, |subject, observe| {
        let candidates = Candidates::new(pairs, subject, settings)?;
        let grouper = ReferenceGrouper { candidates: &candidates, settings, pairs, subject };
        Ok(search_movements(subject, &candidates, &grouper, settings, seed, observe))
    })
}

/// Called with the number of completed generations; can stop the search.
type ObserveGeneration<'a> = &'a mut dyn FnMut(u32) -> ControlFlow<()>;

/// Labels each person separately, or a couple once. `search` finds the movements of one subject.
fn label_with(
    pairs: &[RecordedPair],
    settings: &DuetLabelSettings,
    observer: Observer<'_>,
    search: impl Fn(Subject, ObserveGeneration<'_>) -> Result<PersonMovements> + Sync,
) -> Result<Labelling> {
    check(pairs, settings)?;
    let is_couple = match settings.in_unison {
        Some(in_unison) => in_unison,
        None => RecordedPair::is_couple(pairs) || coverage_by_steps(pairs, settings)? < MIN_COVERAGE,
    };
    // The searches of two people run at the same time, and the slower one is reported.
    let generations = Mutex::new(if is_couple { [0, u32::MAX] } else { [0; 2] });
    let is_cancelled = AtomicBool::new(false);
    let run = |subject: Subject| {
        search(subject, &mut |generation| {
            let mut both = generations.lock().unwrap_or_else(PoisonError::into_inner);
            both[subject.leader()] = generation;
            let slower = both[0].min(both[1]) as usize;
            if observer.report("generations", slower, settings.iterations as usize).is_break() {
                is_cancelled.store(true, Ordering::Relaxed);
            }
            if is_cancelled.load(Ordering::Relaxed) {
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        })
    };
    let people = if is_couple {
        let leader = run(Subject::Couple)?;
        let follower = follower_movements(pairs, &leader);
        [leader, follower]
    } else {
        let (first, second) = rayon::join(|| run(Subject::One(0)), || run(Subject::One(1)));
        [first?, second?]
    };
    // The result of an interrupted search depends on timing.
    if is_cancelled.into_inner() {
        return Err(DuetError::Cancelled);
    }
    Ok(Labelling { people })
}

/// Returns the follower's part in the movements of a couple's leader.
fn follower_movements(pairs: &[RecordedPair], leader: &PersonMovements) -> PersonMovements {
    let follow = |movement: &LabelledMovement| LabelledMovement {
        structure: MovementStructure::new(&pairs[movement.pair], 1, &movement.frames),
        ..movement.clone()
    };
    PersonMovements { all: leader.all.iter().map(follow).collect(), ..leader.clone() }
}

/// Checks that all recordings show the same bodies at the same rate.
pub(crate) fn check(pairs: &[RecordedPair], settings: &DuetLabelSettings) -> Result<()> {
    settings.validate()?;
    let Some(first) = pairs.first() else { return Err(DuetError::People { found: 0 }) };
    for pair in pairs {
        let bodies =
            |pair: &RecordedPair| pair.people.each_ref().map(|person| person.clip.skeleton().clone());
        if pair.rate_hz() != first.rate_hz() || bodies(pair) != bodies(first) {
            return Err(DuetError::MixedPairs { name: pair.name.clone() });
        }
    }
    Ok(())
}

fn search_movements(
    subject: Subject,
    candidates: &Candidates,
    grouper: &dyn Grouper,
    settings: &DuetLabelSettings,
    seed: Seed,
    observe: ObserveGeneration<'_>,
) -> PersonMovements {
    let mut rng = seed.rng(subject.leader() as u64);
    let (best, iterations) = search(candidates, grouper, settings, &mut rng, observe);
    let best = without_redundant_cuts(best, candidates, grouper);
    let all = labelled_movements(&best, candidates);
    let groups = all.iter().map(|movement| movement.group + 1).max().unwrap_or(0);
    PersonMovements {
        all,
        groups,
        fitness: best.fitness,
        cut_points: candidates.cut_points.len(),
        iterations,
    }
}

/// Returns the movements of a gene in order of time, with groups numbered by their first movements.
fn labelled_movements(best: &ScoredGene, candidates: &Candidates) -> Vec<LabelledMovement> {
    let mut group_of = BTreeMap::new();
    for (class, members, groups) in &best.groups.classes {
        for (&member, &group) in members.iter().zip(groups.iter()) {
            group_of.insert(member as usize, (*class, group));
        }
    }
    let mut numbers = BTreeMap::new();
    let label = |(candidate, key): (usize, (usize, usize))| {
        let next = numbers.len();
        LabelledMovement {
            pair: candidates.cut_points[candidates.all[candidate].from].pair,
            frames: candidates.frames(candidate),
            group: *numbers.entry(key).or_insert(next),
            structure: candidates.classes[key.0].structure,
        }
    };
    // Candidates are numbered in order of time.
    group_of.into_iter().map(label).collect()
}

#[cfg(test)]
mod tests {
    use marey_examples::taekwondo::{TaekwondoSettings, taekwondo};
    use marey_motion::{Coded, Progress};

    use super::*;

    fn bout(duration_secs: f64) -> Vec<RecordedPair> {
        let settings =
            TaekwondoSettings { seed: 5, duration_secs, rate_hz: 30.0, ..TaekwondoSettings::default() };
        vec![RecordedPair::from_take(&taekwondo(&settings).unwrap().take).unwrap()]
    }

    #[test]
    fn the_search_equals_the_reference() {
        let pairs = bout(14.0);
        let settings = DuetLabelSettings { iterations: 6, population: 8, ..DuetLabelSettings::default() };
        for seed in 0..3 {
            let found = label(&pairs, &settings, Seed(seed), Observer::ignore()).unwrap();
            assert_eq!(found, label_reference(&pairs, &settings, Seed(seed), Observer::ignore()).unwrap());
        }
    }

    #[test]
    fn labels_do_not_depend_on_threads() {
        let pairs = bout(20.0);
        let settings = DuetLabelSettings { iterations: 15, ..DuetLabelSettings::default() };
        let with = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| label(&pairs, &settings, Seed(4), Observer::ignore()).unwrap())
        };
        let one = with(1);
        assert_eq!(one, with(2));
        assert_eq!(one, with(8));
    }

    #[test]
    fn movements_are_contiguous_and_a_plateau_ends_the_search() {
        let pairs = bout(30.0);
        let settings = DuetLabelSettings { iterations: 40, ..DuetLabelSettings::default() };
        let labels = label(&pairs, &settings, Seed(2), Observer::ignore()).unwrap();
        for movements in &labels.people {
            assert!(movements.all.windows(2).all(|pair| pair[0].frames.end == pair[1].frames.start));
            // All movements of a group share a structure.
            for movement in &movements.all {
                let first = movements.all.iter().find(|other| other.group == movement.group).unwrap();
                assert_eq!(first.structure, movement.structure);
            }
        }
        let stopped =
            label(&pairs, &DuetLabelSettings { plateau: Some(1), ..settings }, Seed(2), Observer::ignore())
                .unwrap();
        assert!(stopped.people[0].iterations < 40);
    }

    #[test]
    fn longer_searches_are_fitter() {
        let pairs = bout(20.0);
        let fitness = |iterations: u32| {
            let settings = DuetLabelSettings { iterations, ..DuetLabelSettings::default() };
            let labels = label(&pairs, &settings, Seed(2), Observer::ignore()).unwrap();
            labels.people.map(|movements| movements.fitness)
        };
        let (short, long) = (fitness(1), fitness(40));
        assert!(long[0] + long[1] > short[0] + short[1], "{short:?} {long:?}");
    }

    #[test]
    fn progress_is_reported_and_a_cancelled_search_is_an_error() {
        let pairs = bout(14.0);
        let settings = DuetLabelSettings { iterations: 10, population: 8, ..DuetLabelSettings::default() };
        let last = Mutex::new(0);
        let count = |progress: Progress| {
            *last.lock().unwrap() = progress.done;
            ControlFlow::Continue(())
        };
        label(&pairs, &settings, Seed(1), Observer::new(&count)).unwrap();
        assert_eq!(*last.lock().unwrap(), 10);
        let stop = |progress: Progress| {
            if progress.done < 3 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        let cancelled = label(&pairs, &settings, Seed(1), Observer::new(&stop)).unwrap_err();
        assert_eq!(cancelled.code().id, "duet/cancelled");
    }

    #[test]
    fn invalid_recordings_are_refused() {
        use marey_motion::Take;
        let example = taekwondo(&TaekwondoSettings { duration_secs: 10.0, ..Default::default() }).unwrap();
        let alone = Take::solo("alone", example.take.first().clone());
        assert_eq!(RecordedPair::from_take(&alone).unwrap_err().code().id, "duet/people");
        let mut pairs = bout(12.0);
        pairs.push(RecordedPair::from_take(&example.take).unwrap());
        let refused = label(&pairs, &DuetLabelSettings::default(), Seed(0), Observer::ignore()).unwrap_err();
        assert_eq!(refused.code().id, "duet/other-pair");
        let invalid = DuetLabelSettings { max_radius_m: Some(f32::NAN), ..DuetLabelSettings::default() };
        assert_eq!(
            label(&pairs, &invalid, Seed(0), Observer::ignore()).unwrap_err().code().id,
            "duet/setting"
        );
    }
}
