//! Complete-linkage clustering: no two members of a cluster are farther apart than a threshold.
//!
//! Hsu, Gentry and Popović, *Example-Based Control of Human Motion* (2004), section 4.4: redundant examples
//! are clustered by complete linkage, which bounds the distance of any two members; then a random one of each
//! cluster is kept. The dendrogram is made by the crate kodama (Müllner, *Modern hierarchical, agglomerative
//! clustering algorithms*, 2011).
//!
//! Changed: the threshold is on the root mean square of equation 1, in metres, rather than on its sum of squares; and the
//! medoid, the member nearest to all others, can be kept instead of a random one.

use kodama::{Method, linkage};

use super::keep::{Keep, least, members};
use crate::distances::Distances;
use crate::{OutOfRange, Result};

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

/// Clusters items by their distances.
///
/// ```
/// use marey_ops::{distances::Distances, reduction::linkage::{LinkageSettings, complete_linkage}};
/// // Four things on a line, at 0, 4, 7 and 20 cm: (0,1) (0,2) (0,3) (1,2) (1,3) (2,3).
/// let distances = Distances::new(4, vec![0.04, 0.07, 0.20, 0.03, 0.16, 0.13])?;
/// let clusters = complete_linkage(&distances, &LinkageSettings { threshold_m: 0.1, ..LinkageSettings::default() })?;
/// // The first three are within 7 cm of each other; the middle one is nearest to both.
/// assert_eq!(clusters.of_item, [0, 0, 0, 1]);
/// assert_eq!(clusters.kept, [1, 3]);
/// # Ok::<(), marey_ops::OpsError>(())
/// ```
pub fn complete_linkage(distances: &Distances, settings: &LinkageSettings) -> Result<Clusters> {
    settings.validate()?;
    let items = distances.items();
    let mut condensed = distances.condensed().to_vec();
    let dendrogram = linkage(&mut condensed, items, Method::Complete);
    // Each step merges two clusters under a new number; heights do not decrease, so all below the threshold
    // come first.
    let mut cluster_of: Vec<usize> = (0..items + dendrogram.len()).collect();
    for (step, join) in dendrogram.steps().iter().enumerate() {
        if join.dissimilarity <= settings.threshold_m {
            cluster_of[join.cluster1] = items + step;
            cluster_of[join.cluster2] = items + step;
        }
    }
    let top = |item: usize| {
        let mut at = item;
        while cluster_of[at] != at {
            at = cluster_of[at];
        }
        at
    };
    let of_item = numbered((0..items).map(top));
    let count = of_item.iter().max().map_or(0, |most| most + 1);
    let kept = settings.keep.choose(&members(&of_item, count), |members| medoid(distances, members));
    Ok(Clusters { of_item, kept })
}

/// Numbers from 0, by first appearance.
fn numbered(names: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut seen: Vec<usize> = Vec::new();
    names
        .map(|name| {
            seen.iter().position(|&other| other == name).unwrap_or_else(|| {
                seen.push(name);
                seen.len() - 1
            })
        })
        .collect()
}

/// The medoid: the member with the smallest sum of distances.
fn medoid(distances: &Distances, members: &[usize]) -> usize {
    least(members, |item| members.iter().map(|&other| f64::from(distances.get(item, other))).sum())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

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
                let clusters = complete_linkage(&distances, &LinkageSettings { threshold_m, keep }).unwrap();
                prop_assert_eq!(clusters.members(), slowly(&distances, threshold_m));
                for (members, kept) in clusters.members().iter().zip(&clusters.kept) {
                    prop_assert!(members.contains(kept));
                    for &a in members {
                        prop_assert!(members.iter().all(|&b| distances.get(a, b) <= threshold_m));
                    }
                }
                prop_assert_eq!(&clusters, &complete_linkage(&distances, &LinkageSettings { threshold_m, keep }).unwrap());
            }
        }
    }

    #[test]
    fn seeds_choose_differently_and_thresholds_below_zero_are_refused() {
        let near = points(&[(0.0, 0.0); 50]);
        let kept = |seed| {
            let settings = LinkageSettings { keep: Keep::Random { seed }, ..LinkageSettings::default() };
            complete_linkage(&near, &settings).unwrap().kept
        };
        assert!((1..9).any(|seed| kept(seed) != kept(0)));
        assert!(complete_linkage(&near, &LinkageSettings { threshold_m: -1.0, keep: Keep::Medoid }).is_err());
    }
}
