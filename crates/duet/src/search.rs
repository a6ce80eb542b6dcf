//! The search for the best genes.
//!
//! Each generation, as many children are made as there are genes; of all together the best stay. Genes are judged in parallel; what is
//! drawn is drawn before, by one generator, so that results do not depend on the number of threads.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::{Arc, PoisonError, RwLock};

use marey_ops::reduction::grouping;
use rand::{Rng, RngExt};
use rayon::prelude::*;

use crate::candidates::{Candidate, Candidates};
use crate::gene::Gene;
use crate::means::{self, Table};
use crate::who::Who;
use crate::{LabelSettings, Pair};

/// Says which movements of a class belong together.
pub(crate) trait Grouper: Sync {
    /// The group of each of some candidates of one class, numbered by first members.
    fn groups(&self, class: usize, members: &[u32]) -> Arc<[usize]>;

    /// How far a candidate is from the middle of some others of its class, in metres.
    fn distance_m(&self, candidate: usize, members: &[u32]) -> f32;
}

/// The groups of some candidates, by these.
type Seen = HashMap<Box<[u32]>, Arc<[usize]>>;

/// Groups by the table of distances, and remembers: genes of a generation differ in few movements, so most of their classes have
/// been seen before.
pub(crate) struct Cached<'a> {
    candidates: &'a Candidates,
    seen: RwLock<Seen>,
}

/// So many groupings are remembered before they are all forgotten.
const MOST_SEEN: usize = 200_000;

impl<'a> Cached<'a> {
    pub(crate) fn new(candidates: &'a Candidates) -> Self {
        Self { candidates, seen: RwLock::default() }
    }
}

impl Grouper for Cached<'_> {
    fn groups(&self, class: usize, members: &[u32]) -> Arc<[usize]> {
        if let Some(groups) = self.seen.read().unwrap_or_else(PoisonError::into_inner).get(members) {
            return groups.clone();
        }
        let of = &self.candidates.classes[class];
        let rows = members.iter().map(|&member| self.candidates.all[member as usize].row);
        let table = Table::of(&of.squared, of.members.len(), rows);
        let Candidates { radius_m, spacing_m, .. } = *self.candidates;
        let groups: Arc<[usize]> = means::groups(&table, radius_m, spacing_m).into();
        let mut seen = self.seen.write().unwrap_or_else(PoisonError::into_inner);
        if seen.len() >= MOST_SEEN {
            seen.clear();
        }
        seen.insert(members.into(), groups.clone());
        groups
    }

    fn distance_m(&self, candidate: usize, members: &[u32]) -> f32 {
        let Candidate { class, row, .. } = self.candidates.all[candidate];
        let of = &self.candidates.classes[class];
        let row_of = |member: u32| self.candidates.all[member as usize].row;
        let squared = |a: usize, b: u32| of.squared[a * of.members.len() + row_of(b)];
        let n = members.len().max(1) as f32;
        let to = members.iter().map(|&m| squared(row, m)).sum::<f32>() / n;
        let spread = members.iter().map(|&a| members.iter().map(|&b| squared(row_of(a), b)).sum::<f32>());
        (to - 0.5 * spread.sum::<f32>() / (n * n)).max(0.0).sqrt()
    }
}

/// Groups by the motion itself, each time anew: what [`Cached`] is held to, and measured against.
pub(crate) struct Uncached<'a> {
    pub(crate) candidates: &'a Candidates,
    pub(crate) settings: &'a LabelSettings,
    pub(crate) pairs: &'a [Pair],
    pub(crate) who: Who,
}

impl Uncached<'_> {
    /// The vectors of candidates of a class, warped to the longest of it.
    fn vectors(&self, class: usize, members: &[u32]) -> Vec<Vec<f32>> {
        let length = |member: &usize| self.candidates.frames(*member).len();
        let all = self.candidates.classes[class].members.iter().copied();
        let longest = all.reduce(|best, next| if length(&next) > length(&best) { next } else { best });
        let wanted = longest.into_iter().chain(members.iter().map(|&member| member as usize));
        let wanted: Vec<usize> = wanted.collect();
        let vectors = self.candidates.vectors(self.pairs, self.who, &wanted, self.settings);
        // Every candidate was compared when the table was made, so none is refused here.
        vectors.map_or_else(|_| Vec::new(), |mut vectors| vectors.split_off(1))
    }
}

impl Grouper for Uncached<'_> {
    fn groups(&self, class: usize, members: &[u32]) -> Arc<[usize]> {
        let settings = grouping::Settings {
            most_radius_m: self.candidates.radius_m,
            least_spacing_m: self.candidates.spacing_m,
            most_rounds: means::MOST_ROUNDS as u32,
        };
        let groups = grouping::groups(&self.vectors(class, members), &settings);
        groups.map_or_else(|_| vec![0; members.len()], |groups| groups.of_item).into()
    }

    fn distance_m(&self, candidate: usize, members: &[u32]) -> f32 {
        let with: Vec<u32> = std::iter::once(candidate as u32).chain(members.iter().copied()).collect();
        let vectors = self.vectors(self.candidates.all[candidate].class, &with);
        let Some((own, others)) = vectors.split_first() else { return f32::INFINITY };
        let mean = |i: usize| others.iter().map(|other| other[i]).sum::<f32>() / others.len().max(1) as f32;
        own.iter().enumerate().map(|(i, x)| (x - mean(i)).powi(2)).sum::<f32>().sqrt()
    }
}

/// What a gene comes to.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Judged {
    pub(crate) gene: Gene,
    /// 𝒢 of equation 8.
    pub(crate) fitness: f64,
    pub(crate) groups: Grouped,
}

/// The movements of a gene in groups.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Grouped {
    /// By class: the candidates, and the group of each.
    pub(crate) classes: Vec<(usize, Vec<u32>, Arc<[usize]>)>,
    movements: usize,
    count: usize,
}

impl Grouped {
    pub(crate) fn of(gene: &Gene, candidates: &Candidates, grouper: &dyn Grouper) -> Self {
        let mut members: Vec<Vec<u32>> = vec![Vec::new(); candidates.classes.len()];
        for candidate in gene.movements(candidates) {
            members[candidates.all[candidate].class].push(candidate as u32);
        }
        let mut grouped = Self::default();
        for (class, members) in members.into_iter().enumerate().filter(|(_, members)| !members.is_empty()) {
            let groups = grouper.groups(class, &members);
            grouped.movements += members.len();
            grouped.count += groups.iter().max().map_or(0, |most| most + 1);
            grouped.classes.push((class, members, groups));
        }
        grouped
    }

    /// Equation 8: how many movements a group has on average.
    pub(crate) fn fitness(&self) -> f64 {
        self.movements as f64 / self.count.max(1) as f64
    }

    /// The members of each group.
    fn each(&self) -> impl Iterator<Item = (usize, Vec<u32>)> + '_ {
        self.classes.iter().flat_map(|(class, members, groups)| {
            let count = groups.iter().max().map_or(0, |most| most + 1);
            let of = |group: usize| {
                let own = members.iter().zip(groups.iter()).filter(move |(_, of)| **of == group);
                own.map(|(member, _)| *member).collect()
            };
            (0..count).map(move |group| (*class, of(group)))
        })
    }
}

/// Judges a gene, after the second heuristic of section 3.3 has had its try.
pub(crate) fn judge(gene: Gene, candidates: &Candidates, grouper: &dyn Grouper) -> Judged {
    let groups = Grouped::of(&gene, candidates, grouper);
    let refined = refine(&gene, &groups, candidates, grouper);
    let judged = Judged { fitness: groups.fitness(), gene, groups };
    let Some(gene) = refined else { return judged };
    let groups = Grouped::of(&gene, candidates, grouper);
    let refined = Judged { fitness: groups.fitness(), gene, groups };
    if refined.fitness > judged.fitness { refined } else { judged }
}

/// The second heuristic: a movement that is alone in its group is cut where both halves belong to other groups; a half that does not
/// is tried together with its neighbour. `None` where nothing is alone, or nothing helps.
fn refine(gene: &Gene, grouped: &Grouped, candidates: &Candidates, grouper: &dyn Grouper) -> Option<Gene> {
    let groups: Vec<(usize, Vec<u32>)> = grouped.each().collect();
    let belongs = |candidate: usize, but: u32| {
        let others = groups
            .iter()
            .filter(|(class, members)| *class == candidates.all[candidate].class && members[..] != [but]);
        others.into_iter().any(|(_, members)| grouper.distance_m(candidate, members) <= candidates.radius_m)
    };
    let mut bits = gene.bits.clone();
    let mut changed = false;
    for (_, members) in &groups {
        let &[alone] = &members[..] else { continue };
        let Candidate { from, to, .. } = candidates.all[alone as usize];
        let is_whole = bits[from] && bits[to] && !bits[from + 1..to].iter().any(|bit| *bit);
        if !is_whole {
            continue;
        }
        for at in from + 1..to {
            let (Some(a), Some(b)) = (candidates.between(from, at), candidates.between(at, to)) else {
                continue;
            };
            let fits = [belongs(a, alone), belongs(b, alone)];
            let before = (0..from).rev().find(|&at| bits[at]);
            let after = (to + 1..bits.len()).find(|&at| bits[at]);
            let joined = |from: Option<usize>, to: Option<usize>| {
                candidates.between(from?, to?).filter(|&candidate| belongs(candidate, alone))
            };
            let free = |at: usize| !candidates.instants[at].is_fixed;
            match fits {
                [true, true] => {}
                [false, true] if free(from) && joined(before, Some(at)).is_some() => bits[from] = false,
                [true, false] if free(to) && joined(Some(at), after).is_some() => bits[to] = false,
                _ => continue,
            }
            bits[at] = true;
            changed = true;
            break;
        }
    }
    changed.then(|| Gene { bits }.repaired(candidates))
}

/// How far a search is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress {
    /// Whose movements are searched for, 0 or 1.
    pub person: usize,
    /// Generations done.
    pub iteration: u32,
    /// The fitness 𝒢 of the best so far.
    pub fitness: f64,
}

/// Searches; the best gene and how many generations there were. `watch` is told of each generation and may end the search.
pub(crate) fn search(
    candidates: &Candidates,
    grouper: &dyn Grouper,
    settings: &LabelSettings,
    rng: &mut impl Rng,
    watch: &mut dyn FnMut(u32, f64) -> ControlFlow<()>,
) -> (Judged, u32) {
    let judged = |genes: Vec<Gene>| -> Vec<Judged> {
        genes.into_par_iter().map(|gene| judge(gene, candidates, grouper)).collect()
    };
    let mut first = vec![Gene::all(candidates)];
    first.extend((1..settings.population).map(|_| Gene::random(candidates, rng)));
    let mut living = best_of(judged(first), settings.population);
    let (mut iteration, mut better_at) = (0, 0);
    while iteration < settings.iterations {
        iteration += 1;
        let mut parent = || {
            let drawn = [(); 2].map(|()| rng.random_range(0..living.len()));
            drawn[0].min(drawn[1])
        };
        let parents: Vec<(usize, usize)> = (0..settings.population).map(|_| (parent(), parent())).collect();
        let children =
            parents.into_iter().map(|(a, b)| Gene::child(&living[a].gene, &living[b].gene, candidates, rng));
        let children = judged(children.collect());
        let before = living[0].fitness;
        living = best_of(living.into_iter().chain(children).collect(), settings.population);
        if living[0].fitness > before {
            better_at = iteration;
        }
        let is_flat = settings.plateau.is_some_and(|plateau| iteration - better_at >= plateau);
        if watch(iteration, living[0].fitness).is_break() || is_flat {
            break;
        }
    }
    (living.swap_remove(0), iteration)
}

/// The best, the best first, none twice. Of genes that are as fit, the first in the order of bits.
fn best_of(mut all: Vec<Judged>, count: usize) -> Vec<Judged> {
    all.sort_by(|a, b| b.fitness.total_cmp(&a.fitness).then_with(|| b.gene.cmp(&a.gene)));
    all.dedup_by(|a, b| a.gene == b.gene);
    all.truncate(count);
    all
}
