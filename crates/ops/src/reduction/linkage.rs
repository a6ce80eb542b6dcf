//! Complete-linkage clustering: no two members of a cluster are farther apart than a threshold.
//!
//! Hsu, Gentry and Popović, *Example-Based Control of Human Motion* (2004), section 4.4: redundant examples
//! are clustered by complete linkage, which bounds the distance of any two members; then a random one of each
//! cluster is kept. Clusters are merged along chains of nearest neighbours (Müllner, *Modern hierarchical,
//! agglomerative clustering algorithms*, 2011, figure 3).
//!
//! Clusters farther apart than the threshold are never merged, so only the pairs within it are stored ([`NearPairs`]), and two
//! clusters can be merged if all pairs of their members are among them. The clusters are those of the whole matrix. If there are more
//! pairs than [`NearPairs`] stores, clusters still keep to the threshold, but there may be more of them.
//!
//! Changed: the threshold is on the root mean square of equation 1, in metres, rather than on its sum of squares; and the
//! medoid, the member nearest to all others, can be kept instead of a random one.

use std::collections::BTreeMap;

use marey_motion::Observer;

use super::keep::{Keep, least, members};
use crate::distances::NearPairs;
use crate::{OpsError, OutOfRange, Result};

/// Settings of the clustering.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LinkageSettings {
    /// Largest distance of two members, in metres; default 0.1; 0 to 100. Hands and feet of two similar steps
    /// differ by a few centimetres.
    pub threshold_m: f32,
    /// The member that is kept; default the medoid.
    pub keep: Keep,
}

impl Default for LinkageSettings {
    fn default() -> Self {
        Self { threshold_m: 0.1, keep: Keep::Medoid }
    }
}

impl LinkageSettings {
    /// Checks the ranges.
    pub fn validate(&self) -> Result<()> {
        Ok(OutOfRange::check("threshold_m", self.threshold_m, 0.0..=100.0)?)
    }
}

/// Items in clusters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clusters {
    /// The cluster of each item. Clusters are numbered by their first members.
    pub of_item: Vec<usize>,
    /// The kept item of each cluster.
    pub kept: Vec<usize>,
}

impl Clusters {
    /// The members of each cluster, ascending.
    pub fn members(&self) -> Vec<Vec<usize>> {
        members(&self.of_item, self.kept.len())
    }
}

/// Clusters items by the distances of pairs that are near each other. `near` holds the pairs up to the threshold of the settings.
///
/// ```
/// use marey_ops::distances::{Distances, NearPairs};
/// use marey_ops::reduction::linkage::{LinkageSettings, complete_linkage};
/// // Four things on a line, at 0, 4, 7 and 20 cm: (0,1) (0,2) (0,3) (1,2) (1,3) (2,3).
/// let distances = Distances::new(4, vec![0.04, 0.07, 0.20, 0.03, 0.16, 0.13])?;
/// let settings = LinkageSettings { threshold_m: 0.1, ..LinkageSettings::default() };
/// let clusters = complete_linkage(&NearPairs::within(&distances, 0.1), &settings)?;
/// // The first three are within 7 cm of each other; the middle one is nearest to both.
/// assert_eq!(clusters.of_item, [0, 0, 0, 1]);
/// assert_eq!(clusters.kept, [1, 3]);
/// # Ok::<(), marey_ops::OpsError>(())
/// ```
pub fn complete_linkage(near: &NearPairs, settings: &LinkageSettings) -> Result<Clusters> {
    complete_linkage_observed(near, settings, Observer::ignore())
}

/// [`complete_linkage`], which can be cancelled by an observer.
pub fn complete_linkage_observed(
    near: &NearPairs,
    settings: &LinkageSettings,
    observer: Observer<'_>,
) -> Result<Clusters> {
    settings.validate()?;
    let of_item = numbered(LinkedClusters::new(near, settings.threshold_m).link(observer)?.into_iter());
    let count = of_item.iter().max().map_or(0, |most| most + 1);
    let kept = settings.keep.choose(&members(&of_item, count), |members| medoid(near, members));
    Ok(Clusters { of_item, kept })
}

/// Clusters that are being merged. A cluster has the number of its first item.
struct LinkedClusters {
    /// For each cluster, the clusters that it can be merged with, and the largest distance of two members, by ascending number.
    near: Vec<Vec<(u32, f32)>>,
    /// The cluster that a cluster was merged into; itself if it was not.
    merged_into: Vec<usize>,
}

impl LinkedClusters {
    fn new(near: &NearPairs, threshold_m: f32) -> Self {
        let within = |pairs: &Vec<(u32, f32)>| {
            pairs.iter().copied().filter(|(_, metres)| *metres <= threshold_m).collect()
        };
        let near: Vec<Vec<(u32, f32)>> = near.neighbours().iter().map(within).collect();
        Self { merged_into: (0..near.len()).collect(), near }
    }

    /// Merges clusters until none can be merged. Returns the cluster of each item.
    ///
    /// Follows chains of nearest neighbours. Two clusters that are each other's nearest are merged in the dendrogram too, whatever the
    /// order, because merging others never brings a cluster closer.
    fn link(mut self, observer: Observer<'_>) -> Result<Vec<usize>> {
        let mut chain: Vec<usize> = Vec::new();
        for first in 0..self.near.len() {
            if self.merged_into[first] != first {
                continue;
            }
            chain.push(first);
            while let Some(&last) = chain.last() {
                if observer.report("clusters", first, self.near.len()).is_break() {
                    return Err(OpsError::Cancelled);
                }
                let before = chain.len().checked_sub(2).map(|place| chain[place]);
                match self.nearest(last, before) {
                    None => chain.clear(),
                    Some(other) if Some(other) == before => {
                        chain.truncate(chain.len() - 2);
                        self.merge(last.min(other), last.max(other));
                        if chain.is_empty() {
                            // The merged cluster may have further neighbours.
                            chain.push(last.min(other));
                        }
                    }
                    Some(other) => chain.push(other),
                }
            }
        }
        let top = |item: usize| {
            let mut at = item;
            while self.merged_into[at] != at {
                at = self.merged_into[at];
            }
            at
        };
        Ok((0..self.merged_into.len()).map(top).collect())
    }

    /// The nearest cluster; of several `preferred`, else the first.
    fn nearest(&self, cluster: usize, preferred: Option<usize>) -> Option<usize> {
        let nearest = self.near[cluster].iter().copied().reduce(|best, next| {
            let is_better = next.1 < best.1 || (next.1 == best.1 && Some(next.0 as usize) == preferred);
            if is_better { next } else { best }
        });
        nearest.map(|(other, _)| other as usize)
    }

    /// Merges `from` into `into`. Only clusters that both could be merged with remain neighbours.
    fn merge(&mut self, into: usize, from: usize) {
        let (ours, theirs) = (std::mem::take(&mut self.near[into]), std::mem::take(&mut self.near[from]));
        self.merged_into[from] = into;
        let mut theirs_left = theirs.iter().copied().peekable();
        let mut both = Vec::with_capacity(ours.len().min(theirs.len()));
        for &(other, metres) in &ours {
            while theirs_left.next_if(|(their, _)| *their < other).is_some() {}
            if let Some((_, their_metres)) = theirs_left.next_if(|(their, _)| *their == other) {
                both.push((other, metres.max(their_metres)));
            }
        }
        for (other, _) in ours {
            self.set(other as usize, into, None);
        }
        for (other, _) in theirs {
            self.set(other as usize, from, None);
        }
        for &(other, metres) in &both {
            self.set(other as usize, into, Some(metres));
        }
        self.near[into] = both;
    }

    /// Sets or removes the distance of a neighbour.
    fn set(&mut self, cluster: usize, neighbour: usize, metres: Option<f32>) {
        let near = &mut self.near[cluster];
        match (near.binary_search_by_key(&neighbour, |(other, _)| *other as usize), metres) {
            (Ok(place), None) => drop(near.remove(place)),
            (Ok(place), Some(metres)) => near[place].1 = metres,
            (Err(place), Some(metres)) => near.insert(place, (neighbour as u32, metres)),
            (Err(_), None) => {}
        }
    }
}

/// Numbers from 0, by first appearance.
fn numbered(names: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut numbers: BTreeMap<usize, usize> = BTreeMap::new();
    names
        .map(|name| {
            let next = numbers.len();
            *numbers.entry(name).or_insert(next)
        })
        .collect()
}

/// The medoid: the member with the smallest sum of distances. All members are near each other.
fn medoid(near: &NearPairs, members: &[usize]) -> usize {
    least(members, |item| members.iter().map(|&other| near.get(item, other).map_or(0.0, f64::from)).sum())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::distances::Distances;

    fn points(places: &[(f32, f32)]) -> Distances {
        let pairs = places.iter().enumerate();
        let metres = pairs.flat_map(|(i, a)| places[i + 1..].iter().map(|b| (a.0 - b.0).hypot(a.1 - b.1)));
        Distances::new(places.len(), metres.collect()).unwrap()
    }

    /// Merges the two closest clusters, by checking every pair, until none are close enough.
    fn slowly(distances: &Distances, threshold_m: f32) -> Vec<Vec<usize>> {
        let mut clusters: Vec<Vec<usize>> = (0..distances.items()).map(|item| vec![item]).collect();
        let apart = |a: &[usize], b: &[usize]| {
            a.iter().flat_map(|&i| b.iter().map(move |&j| distances.get(i, j))).fold(0.0, f32::max)
        };
        loop {
            let mut best: Option<(f32, usize, usize)> = None;
            for a in 0..clusters.len() {
                for b in a + 1..clusters.len() {
                    let metres = apart(&clusters[a], &clusters[b]);
                    if metres <= threshold_m && best.is_none_or(|best| metres < best.0) {
                        best = Some((metres, a, b));
                    }
                }
            }
            let Some((_, a, b)) = best else { break };
            let joined = clusters.remove(b);
            clusters[a].extend(joined);
        }
        clusters.iter_mut().for_each(|cluster| cluster.sort_unstable());
        clusters.sort();
        clusters
    }

    proptest! {
        #[test]
        fn clusters_equal_slow_ones_and_keep_to_the_threshold(
            places in proptest::collection::vec((0f32..1.0, 0f32..1.0), 0..40), threshold_m in 0f32..0.8, seed in 0u64..9,
        ) {
            let distances = points(&places);
            for keep in [Keep::Medoid, Keep::Random { seed }] {
                let near = NearPairs::within(&distances, threshold_m);
                let clusters = complete_linkage(&near, &LinkageSettings { threshold_m, keep }).unwrap();
                prop_assert_eq!(clusters.members(), slowly(&distances, threshold_m));
                for (members, kept) in clusters.members().iter().zip(&clusters.kept) {
                    prop_assert!(members.contains(kept));
                    for &a in members {
                        prop_assert!(members.iter().all(|&b| distances.get(a, b) <= threshold_m));
                    }
                }
                prop_assert_eq!(&clusters, &complete_linkage(&near, &LinkageSettings { threshold_m, keep }).unwrap());
            }
        }
    }

    #[test]
    fn seeds_choose_differently_and_thresholds_below_zero_are_refused() {
        let near = NearPairs::within(&points(&[(0.0, 0.0); 50]), 0.1);
        let kept = |seed| {
            let settings = LinkageSettings { keep: Keep::Random { seed }, ..LinkageSettings::default() };
            complete_linkage(&near, &settings).unwrap().kept
        };
        assert!((1..9).any(|seed| kept(seed) != kept(0)));
        assert!(complete_linkage(&near, &LinkageSettings { threshold_m: -1.0, keep: Keep::Medoid }).is_err());
    }
}
