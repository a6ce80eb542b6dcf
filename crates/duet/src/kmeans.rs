//! K-means with automatic K on a table of distances instead of vectors.
//!
//! The rules are those of [`marey_ops::reduction::grouping`] (section 3.4.2 of the paper), which
//! works on vectors and is the reference in tests. Here a centre is a mixture of items with weights
//! w that add up to 1. By the identity
//!
//! ‖x − Σ w_m m‖² = Σ w_m ‖x − m‖² − ½ Σ Σ w_m w_n ‖m − n‖²
//!
//! all distances follow from the squared distances between items, and the search needs no vectors.

/// Maximum number of K-means iterations until convergence.
const MAX_ITERATIONS: usize = 100;
/// Maximum number of split and merge rounds.
pub(crate) const MAX_ROUNDS: usize = 60;

/// Squared distances between items, row by row.
pub(crate) struct Table {
    n: usize,
    squared: Vec<f32>,
}

impl Table {
    /// Selects rows and columns of a larger table.
    pub(crate) fn new(all: &[f32], width: usize, rows: impl Iterator<Item = usize> + Clone) -> Self {
        let mut squared = Vec::new();
        let mut n = 0;
        for row in rows.clone() {
            squared.extend(rows.clone().map(|column| all[row * width + column]));
            n += 1;
        }
        Self { n, squared }
    }

    fn row(&self, i: usize) -> &[f32] {
        &self.squared[i * self.n..][..self.n]
    }
}

/// A weighted mixture of items.
#[derive(Debug, Clone)]
struct Centre {
    parts: Vec<(usize, f32)>,
    /// Squared distance of each item to the centre.
    squared_to: Vec<f32>,
}

impl Centre {
    fn new(parts: Vec<(usize, f32)>, table: &Table) -> Self {
        let mut to = vec![0.0; table.n];
        for &(part, weight) in &parts {
            to.iter_mut().zip(table.row(part)).for_each(|(to, squared)| *to += weight * squared);
        }
        let spread = 0.5 * parts.iter().map(|&(part, weight)| weight * to[part]).sum::<f32>();
        to.iter_mut().for_each(|to| *to = (*to - spread).max(0.0));
        Self { parts, squared_to: to }
    }

    fn mean(members: &[usize], table: &Table) -> Self {
        let weight = 1.0 / members.len().max(1) as f32;
        Self::new(members.iter().map(|&member| (member, weight)).collect(), table)
    }

    /// Returns the squared distance between two centres: Σ w ‖x − c‖² over the parts x of the
    /// other, minus their spread.
    fn squared_distance(&self, other: &Centre) -> f32 {
        let mean =
            |centre: &Centre| other.parts.iter().map(|&(part, w)| w * centre.squared_to[part]).sum::<f32>();
        (mean(self) - mean(other)).max(0.0)
    }
}

/// Returns the group of each item, numbered by first members. No item is farther than `gamma` from
/// the mean of its group; means are at least `delta` apart if that is possible as well.
pub(crate) fn groups(table: &Table, gamma: f32, delta: f32) -> Vec<usize> {
    let mut means = Means { table, centres: furthest_pair(table), group_of: vec![0; table.n] };
    let (gamma, delta) = (gamma * gamma, delta * delta);
    for _ in 0..MAX_ROUNDS {
        means.converge();
        let split = means.widest().filter(|widest| widest.1 > gamma);
        let merge = means.nearest_centres().filter(|nearest| nearest.2 < delta);
        if split.is_none() && merge.is_none() {
            break;
        }
        if let Some((a, b, _)) = merge {
            means.merge(a, b);
        }
        if let Some((member, _)) = split {
            means.centres.push(Centre::new(vec![(member, 1.0)], table));
        }
    }
    means.converge();
    while let Some((member, _)) = means.widest().filter(|widest| widest.1 > gamma) {
        means.group_of[member] = means.centres.len();
        means.centres.push(Centre::new(vec![(member, 1.0)], table));
        means.number_and_centre();
    }
    means.group_of
}

/// Returns the two items that are farthest apart, as centres. The first pair wins a tie.
fn furthest_pair(table: &Table) -> Vec<Centre> {
    let mut best = (0, 0, 0.0);
    for i in 0..table.n {
        for (j, &squared) in table.row(i).iter().enumerate().skip(i + 1) {
            if squared > best.2 {
                best = (i, j, squared);
            }
        }
    }
    let chosen = if best.2 > 0.0 { vec![best.0, best.1] } else { vec![0] };
    chosen.into_iter().filter(|i| *i < table.n).map(|i| Centre::new(vec![(i, 1.0)], table)).collect()
}

/// The state of K-means.
struct Means<'a> {
    table: &'a Table,
    centres: Vec<Centre>,
    group_of: Vec<usize>,
}

impl Means<'_> {
    /// Assigns each item to its nearest centre and moves each centre to the mean of its items,
    /// until nothing changes.
    fn converge(&mut self) {
        for _ in 0..MAX_ITERATIONS {
            let nearest = |item: usize| {
                let mut best = (0, f32::INFINITY);
                for (group, centre) in self.centres.iter().enumerate() {
                    if centre.squared_to[item] < best.1 {
                        best = (group, centre.squared_to[item]);
                    }
                }
                best.0
            };
            let current: Vec<usize> = (0..self.table.n).map(nearest).collect();
            let before = std::mem::replace(&mut self.group_of, current);
            let changed = self.number_and_centre();
            if !changed && self.group_of == before {
                break;
            }
        }
    }

    /// Numbers groups by their first members and moves centres to their means. Returns whether any
    /// number changed.
    fn number_and_centre(&mut self) -> bool {
        let mut numbers: Vec<Option<usize>> = vec![None; self.centres.len()];
        let mut members: Vec<Vec<usize>> = Vec::new();
        for (item, group) in self.group_of.iter_mut().enumerate() {
            let number = *numbers[*group].get_or_insert_with(|| {
                members.push(Vec::new());
                members.len() - 1
            });
            members[number].push(item);
            *group = number;
        }
        self.centres = members.iter().map(|members| Centre::mean(members, self.table)).collect();
        numbers.iter().enumerate().any(|(old, new)| *new != Some(old))
    }

    /// Returns the item farthest from its centre, and the squared distance.
    fn widest(&self) -> Option<(usize, f32)> {
        let radii = self.group_of.iter().enumerate();
        let radii = radii.map(|(item, &group)| (item, self.centres[group].squared_to[item]));
        radii.reduce(|best, next| if next.1 > best.1 { next } else { best })
    }

    /// Returns the two closest centres, and their squared distance.
    fn nearest_centres(&self) -> Option<(usize, usize, f32)> {
        let pairs = self.centres.iter().enumerate().flat_map(|(i, a)| {
            let others = self.centres.iter().enumerate().skip(i + 1);
            others.map(move |(j, b)| (i, j, a.squared_distance(b)))
        });
        pairs.reduce(|best, next| if next.2 < best.2 { next } else { best })
    }

    /// Merges two groups into one, half way between their centres.
    fn merge(&mut self, a: usize, b: usize) {
        let other = self.centres.remove(b);
        let parts = self.centres[a].parts.iter().chain(&other.parts).map(|&(part, w)| (part, 0.5 * w));
        self.centres[a] = Centre::new(parts.collect(), self.table);
    }
}

#[cfg(test)]
mod tests {
    use marey_ops::reduction::grouping;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn groups_from_the_table_equal_groups_from_vectors(
            items in proptest::collection::vec(proptest::collection::vec(0f32..1.0, 3), 1..40),
            gamma in 0.1f32..0.6, ratio in 0f32..0.8,
        ) {
            let n = items.len();
            let delta = ratio * gamma;
            let all: Vec<f32> = items.iter().flat_map(|a| {
                items.iter().map(|b| a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum())
            }).collect();
            let found = groups(&Table::new(&all, n, 0..n), gamma, delta);
            let settings = grouping::GroupingSettings {
                most_radius_m: gamma, least_spacing_m: delta, most_rounds: MAX_ROUNDS as u32,
            };
            prop_assert_eq!(found, grouping::groups(&items, &settings).unwrap().of_item);
        }
    }

    #[test]
    fn one_item_is_one_group() {
        assert_eq!(groups(&Table::new(&[0.0], 1, 0..1), 0.1, 0.05), [0]);
        assert!(groups(&Table::new(&[], 0, 0..0), 0.1, 0.05).is_empty());
    }
}
