//! Movements found in a recorded pair, in groups.

use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};

use marey_plan::Seed;
use serde::{Deserialize, Serialize};

use crate::candidates::Candidates;
use crate::idle::without_idle_cuts;
use crate::search::{Cached, Grouper, Judged, Uncached, search};
use crate::who::Who;
use crate::{Error, LabelSettings, Pair, Progress, Result, Structure};

/// A movement of somebody.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Labelled {
    /// In which recording, from 0.
    pub pair: usize,
    /// Its frames in it.
    pub frames: Range<usize>,
    /// Its group, from 0.
    pub group: usize,
    /// What it does with its feet and with the other.
    pub structure: Structure,
}

/// The movements of one person.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Movements {
    /// In order of recording and time. Groups are numbered by their first movements.
    pub all: Vec<Labelled>,
    /// How many groups there are.
    pub groups: usize,
    /// The fitness 𝒢: movements over groups.
    pub fitness: f64,
    /// How many instants there were to choose from.
    pub instants: usize,
    /// How many generations were searched.
    pub iterations: u32,
}

/// The movements of both.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Labelling {
    /// Of the first, and of the second.
    pub people: [Movements; 2],
}

/// Finds the movements of two people in recordings of them, and which of these are alike: section 3 of the paper. `watch` is told how
/// far each search is, from any thread, and may end it. The same seed gives the same labels, on any number of threads.
///
/// ```
/// use std::ops::ControlFlow;
/// use marey_duet::{LabelSettings, Pair, label};
/// use marey_examples::taekwondo::{TaekwondoSettings, taekwondo};
/// use marey_plan::Seed;
/// let bout = TaekwondoSettings { duration_secs: 20.0, rate_hz: 30.0, ..TaekwondoSettings::default() };
/// let pair = Pair::of_take(&taekwondo(&bout)?.take)?;
/// let settings = LabelSettings { iterations: 20, ..LabelSettings::default() };
/// let labels = label(&[pair], &settings, Seed(1), &|_| ControlFlow::Continue(()))?;
/// let red = &labels.people[0];
/// assert!(red.fitness == red.all.len() as f64 / red.groups as f64 && red.fitness > 1.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn label(
    pairs: &[Pair],
    settings: &LabelSettings,
    seed: Seed,
    watch: &(dyn Fn(Progress) -> ControlFlow<()> + Sync),
) -> Result<Labelling> {
    of_both(pairs, settings, |who| {
        let candidates = Candidates::of(pairs, who, settings)?;
        let cached = Cached::new(&candidates);
        Ok(found(who, &candidates, &cached, settings, seed, watch))
    })
}

/// The same as [`label`], every distance computed from the motion each time it is asked for: what the quick search is held to by
/// tests and measured against.
pub fn label_slowly(
    pairs: &[Pair],
    settings: &LabelSettings,
    seed: Seed,
    watch: &(dyn Fn(Progress) -> ControlFlow<()> + Sync),
) -> Result<Labelling> {
    of_both(pairs, settings, |who| {
        let candidates = Candidates::of(pairs, who, settings)?;
        let slow = Uncached { candidates: &candidates, settings, pairs, who };
        Ok(found(who, &candidates, &slow, settings, seed, watch))
    })
}

/// The movements of both: of each by themselves, or once for a couple.
fn of_both(
    pairs: &[Pair],
    settings: &LabelSettings,
    of: impl Fn(Who) -> Result<Movements> + Sync,
) -> Result<Labelling> {
    check(pairs, settings)?;
    if !settings.in_unison.unwrap_or_else(|| Pair::are_a_couple(pairs)) {
        let (first, second) = rayon::join(|| of(Who::One(0)), || of(Who::One(1)));
        return Ok(Labelling { people: [first?, second?] });
    }
    let leader = of(Who::Both)?;
    let beside = |movement: &Labelled| Labelled {
        structure: Structure::of(&pairs[movement.pair], 1, &movement.frames),
        ..movement.clone()
    };
    let follower = Movements { all: leader.all.iter().map(beside).collect(), ..leader.clone() };
    Ok(Labelling { people: [leader, follower] })
}

/// Recordings of one pair, at one rate.
pub(crate) fn check(pairs: &[Pair], settings: &LabelSettings) -> Result<()> {
    settings.validate()?;
    let Some(first) = pairs.first() else { return Err(Error::People { found: 0 }) };
    for pair in pairs {
        let bodies = |pair: &Pair| pair.people.each_ref().map(|person| person.clip.skeleton().clone());
        if pair.rate_hz() != first.rate_hz() || bodies(pair) != bodies(first) {
            return Err(Error::OtherPair { name: pair.name.clone() });
        }
    }
    Ok(())
}

fn found(
    who: Who,
    candidates: &Candidates,
    grouper: &dyn Grouper,
    settings: &LabelSettings,
    seed: Seed,
    watch: &(dyn Fn(Progress) -> ControlFlow<()> + Sync),
) -> Movements {
    let mut rng = seed.rng(who.leader() as u64);
    let people = match who {
        Who::One(person) => person..=person,
        Who::Both => 0..=1,
    };
    let mut told = |iteration, fitness| {
        people.clone().try_for_each(|person| watch(Progress { person, iteration, fitness }))
    };
    let (best, iterations) = search(candidates, grouper, settings, &mut rng, &mut told);
    let best = without_idle_cuts(best, candidates, grouper);
    let all = labelled(&best, candidates);
    let groups = all.iter().map(|movement| movement.group + 1).max().unwrap_or(0);
    Movements { all, groups, fitness: best.fitness, instants: candidates.instants.len(), iterations }
}

/// The movements of a gene in time, their groups numbered by their first.
fn labelled(best: &Judged, candidates: &Candidates) -> Vec<Labelled> {
    let mut group_of = BTreeMap::new();
    for (class, members, groups) in &best.groups.classes {
        for (&member, &group) in members.iter().zip(groups.iter()) {
            group_of.insert(member as usize, (*class, group));
        }
    }
    let mut numbers = BTreeMap::new();
    let label = |(candidate, key): (usize, (usize, usize))| {
        let next = numbers.len();
        Labelled {
            pair: candidates.instants[candidates.all[candidate].from].pair,
            frames: candidates.frames(candidate),
            group: *numbers.entry(key).or_insert(next),
            structure: candidates.classes[key.0].structure,
        }
    };
    // Candidates are numbered in time.
    group_of.into_iter().map(label).collect()
}

#[cfg(test)]
mod tests {
    use marey_examples::taekwondo::{TaekwondoSettings, taekwondo};

    use super::*;

    fn bout(duration_secs: f64) -> Vec<Pair> {
        let settings =
            TaekwondoSettings { seed: 5, duration_secs, rate_hz: 30.0, ..TaekwondoSettings::default() };
        vec![Pair::of_take(&taekwondo(&settings).unwrap().take).unwrap()]
    }

    fn on(_: Progress) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    #[test]
    fn the_quick_search_finds_what_the_slow_one_finds() {
        let pairs = bout(14.0);
        let settings = LabelSettings { iterations: 6, population: 8, ..LabelSettings::default() };
        for seed in 0..3 {
            let quick = label(&pairs, &settings, Seed(seed), &on).unwrap();
            assert_eq!(quick, label_slowly(&pairs, &settings, Seed(seed), &on).unwrap());
        }
    }

    #[test]
    fn labels_do_not_depend_on_threads() {
        let pairs = bout(20.0);
        let settings = LabelSettings { iterations: 15, ..LabelSettings::default() };
        let with = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| label(&pairs, &settings, Seed(4), &on).unwrap())
        };
        let one = with(1);
        assert_eq!(one, with(2));
        assert_eq!(one, with(8));
    }

    #[test]
    fn movements_follow_each_other_and_fitness_grows() {
        let pairs = bout(30.0);
        let best = std::sync::Mutex::new([0.0; 2]);
        let watch = |progress: Progress| {
            let mut best = best.lock().unwrap();
            assert!(progress.fitness >= best[progress.person]);
            best[progress.person] = progress.fitness;
            ControlFlow::Continue(())
        };
        let settings = LabelSettings { iterations: 40, ..LabelSettings::default() };
        let labels = label(&pairs, &settings, Seed(2), &watch).unwrap();
        for movements in &labels.people {
            assert!(movements.all.windows(2).all(|pair| pair[0].frames.end == pair[1].frames.start));
            // Movements of a group have one structure.
            for movement in &movements.all {
                let first = movements.all.iter().find(|other| other.group == movement.group).unwrap();
                assert_eq!(first.structure, movement.structure);
            }
        }
        let stopped = label(&pairs, &LabelSettings { plateau: Some(1), ..settings }, Seed(2), &on).unwrap();
        assert!(stopped.people[0].iterations < 40);
    }

    #[test]
    fn one_person_is_no_pair_and_other_bodies_are_refused() {
        use marey_motion::{Coded, Take};
        let example = taekwondo(&TaekwondoSettings { duration_secs: 10.0, ..Default::default() }).unwrap();
        let alone = Take::solo("alone", example.take.first().clone());
        assert_eq!(Pair::of_take(&alone).unwrap_err().code().id, "duet/people");
        let mut pairs = bout(12.0);
        pairs.push(Pair::of_take(&example.take).unwrap());
        let refused = label(&pairs, &LabelSettings::default(), Seed(0), &on).unwrap_err();
        assert_eq!(refused.code().id, "duet/other-pair");
        let none = LabelSettings { most_radius_m: Some(f32::NAN), ..LabelSettings::default() };
        assert_eq!(label(&pairs, &none, Seed(0), &on).unwrap_err().code().id, "duet/setting");
    }
}
