//! Genetic search for the best segmentation (section 3.3 of the paper).
//!
//! Each generation creates as many children as there are genes, and the best of all survive. Genes
//! are scored in parallel. All random numbers are drawn beforehand from one generator, so results
//! do not depend on the number of threads.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::{Arc, PoisonError, RwLock};

use marey_ops::reduction::grouping;
use rand::{Rng, RngExt};
use rayon::prelude::*;

use crate::candidates::{Candidate, Candidates};
use crate::gene::Gene;
use crate::kmeans::{self, Table};
use crate::subject::Subject;
use crate::{DuetLabelSettings, RecordedPair};

/// Partitions the movements of a class into groups.
pub(crate) trait Grouper: Sync {
    /// Returns the group of each of some candidates of one class. Groups are numbered by their
    /// first members.
    fn groups(&self, class: usize, members: &[u32]) -> Arc<[usize]>;

    /// Returns the distance of a candidate from the mean of others of its class, in metres.
    fn distance_m(&self, candidate: usize, members: &[u32]) -> f32;
}

/// Groups by the candidates that they were computed for.
type GroupingCache = HashMap<Box<[u32]>, Arc<[usize]>>;

/// Groups by the table of distances and caches the result. The genes of a generation differ in few
/// movements, so most classes have been grouped before.
pub(crate) struct CachedGrouper<'a> {
    candidates: &'a Candidates,
    cache: RwLock<GroupingCache>,
}

/// The cache is cleared when it holds this many groupings.
const MAX_CACHED: usize = 200_000;

impl<'a> CachedGrouper<'a> {
    pub(crate) fn new(candidates: &'a Candidates) -> Self {
        Self { candidates, cache: RwLock::default() }
    }
}

impl Grouper for CachedGrouper<'_> {
    fn groups(&self, class: usize, members: &[u32]) -> Arc<[usize]> {
        if let Some(groups) = self.cache.read().unwrap_or_else(PoisonError::into_inner).get(members) {
            return groups.clone();
        }
        let class = &self.candidates.classes[class];
        let rows = members.iter().map(|&member| self.candidates.all[member as usize].row);
        let table = Table::new(&class.squared, class.members.len(), rows);
        let Candidates { radius_m, spacing_m, .. } = *self.candidates;
        let groups: Arc<[usize]> = kmeans::groups(&table, radius_m, spacing_m).into();
        let mut cache = self.cache.write().unwrap_or_else(PoisonError::into_inner);
        if cache.len() >= MAX_CACHED {
            cache.clear();
        }
        cache.insert(members.into(), groups.clone());
        groups
    }

    fn distance_m(&self, candidate: usize, members: &[u32]) -> f32 {
        let Candidate { class, row, .. } = self.candidates.all[candidate];
        let class = &self.candidates.classes[class];
        let row_of = |member: u32| self.candidates.all[member as usize].row;
        let squared = |a: usize, b: u32| class.squared[a * class.members.len() + row_of(b)];
        let n = members.len().max(1) as f32;
        let mean = members.iter().map(|&m| squared(row, m)).sum::<f32>() / n;
        let spread = members.iter().map(|&a| members.iter().map(|&b| squared(row_of(a), b)).sum::<f32>());
        (mean - 0.5 * spread.sum::<f32>() / (n * n)).max(0.0).sqrt()
    }
}

/// Groups by the motion itself, without any cache: the reference for [`CachedGrouper`].
pub(crate) struct ReferenceGrouper<'a> {
    pub(crate) candidates: &'a Candidates,
    pub(crate) settings: &'a DuetLabelSettings,
    pub(crate) pairs: &'a [RecordedPair],
    pub(crate) subject: Subject,
}

impl ReferenceGrouper<'_> {
    /// Returns the feature vectors of candidates, warped to the longest of their class.
    fn vectors(&self, class: usize, members: &[u32]) -> Vec<Vec<f32>> {
        let length = |member: &usize| self.candidates.frames(*member).len();
        let all = self.candidates.classes[class].members.iter().copied();
        let longest = all.reduce(|best, next| if length(&next) > length(&best) { next } else { best });
        let compared = longest.into_iter().chain(members.iter().map(|&member| member as usize));
        let compared: Vec<usize> = compared.collect();
        let vectors = self.candidates.vectors(self.pairs, self.subject, &compared, self.settings);
        // The table compared all candidates without an error, so none can occur here.
        vectors.map_or_else(|_| Vec::new(), |mut vectors| vectors.split_off(1))
    }
}

impl Grouper for ReferenceGrouper<'_> {
    fn groups(&self, class: usize, members: &[u32]) -> Arc<[usize]> {
        let settings = grouping::GroupingSettings {
            most_radius_m: self.candidates.radius_m,
            least_spacing_m: self.candidates.spacing_m,
            most_rounds: kmeans::MAX_ROUNDS as u32,
        };
        let groups = grouping::groups(&self.vectors(class, members), &settings);
        groups.map_or_else(|_| vec![0; members.len()], |groups| groups.of_item).into()
    }

    fn distance_m(&self, candidate: usize, members: &[u32]) -> f32 {
        let with_candidate: Vec<u32> =
            std::iter::once(candidate as u32).chain(members.iter().copied()).collect();
        let vectors = self.vectors(self.candidates.all[candidate].class, &with_candidate);
        let Some((own, others)) = vectors.split_first() else { return f32::INFINITY };
        let mean = |i: usize| others.iter().map(|other| other[i]).sum::<f32>() / others.len().max(1) as f32;
        own.iter().enumerate().map(|(i, x)| (x - mean(i)).powi(2)).sum::<f32>().sqrt()
    }
}

/// A gene with its groups and fitness.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ScoredGene {
    pub(crate) gene: Gene,
    /// 𝒢 of equation 8.
    pub(crate) fitness: f64,
    pub(crate) groups: GeneGroups,
}

/// The movements of a gene, partitioned into groups.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct GeneGroups {
    /// For each class: the candidates, and the group of each.
    pub(crate) classes: Vec<(usize, Vec<u32>, Arc<[usize]>)>,
    movements: usize,
    count: usize,
}

impl GeneGroups {
    pub(crate) fn new(gene: &Gene, candidates: &Candidates, grouper: &dyn Grouper) -> Self {
        let mut members: Vec<Vec<u32>> = vec![Vec::new(); candidates.classes.len()];
        for candidate in gene.movements(candidates) {
            members[candidates.all[candidate].class].push(candidate as u32);
        }
        let mut grouped = Self::default();
        for (class, members) in members.into_iter().enumerate().filter(|(_, members)| !members.is_empty()) {
            let groups = grouper.groups(class, &members);
            grouped.movements += members.len();
            grouped.count += groups.iter().max().map_or(0, |last| last + 1);
            grouped.classes.push((class, members, groups));
        }
        grouped
    }

    /// Equation 8: the mean number of movements in a group.
    pub(crate) fn fitness(&self) -> f64 {
        self.movements as f64 / self.count.max(1) as f64
    }

    /// Returns the members of each group.
    fn each(&self) -> impl Iterator<Item = (usize, Vec<u32>)> + '_ {
        self.classes.iter().flat_map(|(class, members, groups)| {
            let count = groups.iter().max().map_or(0, |last| last + 1);
            let members_of = |group: usize| {
                let own_members = members.iter().zip(groups.iter()).filter(move |(_, own)| **own == group);
                own_members.map(|(member, _)| *member).collect()
            };
            (0..count).map(move |group| (*class, members_of(group)))
        })
    }
}

/// Scores a gene after trying the second heuristic of section 3.3.
pub(crate) fn score(gene: Gene, candidates: &Candidates, grouper: &dyn Grouper) -> ScoredGene {
    let groups = GeneGroups::new(&gene, candidates, grouper);
    let refined = refine(&gene, &groups, candidates, grouper);
    let unrefined = ScoredGene { fitness: groups.fitness(), gene, groups };
    let Some(gene) = refined else { return unrefined };
    let groups = GeneGroups::new(&gene, candidates, grouper);
    let refined = ScoredGene { fitness: groups.fitness(), gene, groups };
    if refined.fitness > unrefined.fitness { refined } else { unrefined }
}

/// The second heuristic: splits a movement that is alone in its group if both halves fit other
/// groups. A half that does not fit is merged with its neighbour if that fits. Returns `None` if
/// nothing changes.
fn refine(gene: &Gene, grouped: &GeneGroups, candidates: &Candidates, grouper: &dyn Grouper) -> Option<Gene> {
    let groups: Vec<(usize, Vec<u32>)> = grouped.each().collect();
    let fits_a_group = |candidate: usize, except: u32| {
        let others = groups
            .iter()
            .filter(|(class, members)| *class == candidates.all[candidate].class && members[..] != [except]);
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
            let fits = [fits_a_group(a, alone), fits_a_group(b, alone)];
            let before = (0..from).rev().find(|&at| bits[at]);
            let after = (to + 1..bits.len()).find(|&at| bits[at]);
            let joined = |from: Option<usize>, to: Option<usize>| {
                candidates.between(from?, to?).filter(|&candidate| fits_a_group(candidate, alone))
            };
            let free = |at: usize| !candidates.cut_points[at].is_fixed;
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

/// Searches for the best gene. Returns it with the number of generations. `observe` is called after
/// each generation and can stop the search.
pub(crate) fn search(
    candidates: &Candidates,
    grouper: &dyn Grouper,
    settings: &DuetLabelSettings,
    rng: &mut impl Rng,
    observe: &mut dyn FnMut(u32) -> ControlFlow<()>,
) -> (ScoredGene, u32) {
    let scored = |genes: Vec<Gene>| -> Vec<ScoredGene> {
        genes.into_par_iter().map(|gene| score(gene, candidates, grouper)).collect()
    };
    let mut initial = vec![Gene::all(candidates)];
    initial.extend((1..settings.population).map(|_| Gene::random(candidates, rng)));
    let mut population = best_of(scored(initial), settings.population);
    let (mut iteration, mut improved_at) = (0, 0);
    while iteration < settings.iterations {
        iteration += 1;
        let mut parent = || {
            let drawn = [(); 2].map(|()| rng.random_range(0..population.len()));
            drawn[0].min(drawn[1])
        };
        let parents: Vec<(usize, usize)> = (0..settings.population).map(|_| (parent(), parent())).collect();
        let children = parents
            .into_iter()
            .map(|(a, b)| Gene::child(&population[a].gene, &population[b].gene, candidates, rng));
        let children = scored(children.collect());
        let before = population[0].fitness;
        population = best_of(population.into_iter().chain(children).collect(), settings.population);
        if population[0].fitness > before {
            improved_at = iteration;
        }
        let is_plateau = settings.plateau.is_some_and(|plateau| iteration - improved_at >= plateau);
        if observe(iteration).is_break() || is_plateau {
            break;
        }
    }
    (population.swap_remove(0), iteration)
}

/// Returns the best distinct genes, best first. Ties are broken by the order of bits.
fn best_of(mut all: Vec<ScoredGene>, count: usize) -> Vec<ScoredGene> {
    all.sort_by(|a, b| b.fitness.total_cmp(&a.fitness).then_with(|| b.gene.cmp(&a.gene)));
    all.dedup_by(|a, b| a.gene == b.gene);
    all.truncate(count);
    all
}
