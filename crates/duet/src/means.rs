//! K-means that finds its own K, over a table of distances instead of vectors.
//!
//! The rules are those of [`marey_ops::reduction::grouping`] (the paper's section 3.4.2), which works on vectors and is the twin that
//! tests hold this to. Here a centre is a mixture of members with weights w that add up to 1, and by the identity
//!
//! ‖x − Σ w_m m‖² = Σ w_m ‖x − m‖² − ½ Σ Σ w_m w_n ‖m − n‖²
//!
//! everything follows from the squared distances of members: no vector is touched in the search.

/// How often K-means goes on until nothing changes, at the most.
const MOST_ITERATIONS: usize = 100;
/// How often groups are split and joined at the most.
pub(crate) const MOST_ROUNDS: usize = 60;

/// Squared distances of some things, row by row.
pub(crate) struct Table {
    n: usize,
    squared: Vec<f32>,
}

impl Table {
    /// The rows and columns of some members of a larger table.
    pub(crate) fn of(all: &[f32], width: usize, rows: impl Iterator<Item = usize> + Clone) -> Self {
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

/// A mixture of things.
#[derive(Debug, Clone)]
struct Centre {
    parts: Vec<(usize, f32)>,
    /// The squared distance of each thing to it.
    to: Vec<f32>,
}

impl Centre {
    fn of(parts: Vec<(usize, f32)>, table: &Table) -> Self {
        let mut to = vec![0.0; table.n];
        for &(part, weight) in &parts {
            to.iter_mut().zip(table.row(part)).for_each(|(to, squared)| *to += weight * squared);
        }
        let spread = 0.5 * parts.iter().map(|&(part, weight)| weight * to[part]).sum::<f32>();
        to.iter_mut().for_each(|to| *to = (*to - spread).max(0.0));
        Self { parts, to }
    }

    fn mean(members: &[usize], table: &Table) -> Self {
        let share = 1.0 / members.len().max(1) as f32;
        Self::of(members.iter().map(|&member| (member, share)).collect(), table)
    }

    /// The squared distance of two centres: Σ w ‖x − c‖² over the parts x of the other, less how far these spread.
    fn apart(&self, other: &Centre) -> f32 {
        let mean = |centre: &Centre| other.parts.iter().map(|&(part, w)| w * centre.to[part]).sum::<f32>();
        (mean(self) - mean(other)).max(0.0)
    }
}

/// The group of each thing, numbered by first members: no thing further than `gamma` from the mean of its group, and means no nearer
/// than `delta` where that can be had as well.
pub(crate) fn groups(table: &Table, gamma: f32, delta: f32) -> Vec<usize> {
    let mut means = Means { table, centres: furthest_pair(table), of_item: vec![0; table.n] };
    let (gamma, delta) = (gamma * gamma, delta * delta);
    for _ in 0..MOST_ROUNDS {
        means.settle();
        let split = means.widest().filter(|widest| widest.1 > gamma);
        let join = means.nearest_centres().filter(|nearest| nearest.2 < delta);
        if split.is_none() && join.is_none() {
            break;
        }
        if let Some((a, b, _)) = join {
            means.join(a, b);
        }
        if let Some((member, _)) = split {
            means.centres.push(Centre::of(vec![(member, 1.0)], table));
        }
    }
    means.settle();
    while let Some((member, _)) = means.widest().filter(|widest| widest.1 > gamma) {
        means.of_item[member] = means.centres.len();
        means.centres.push(Centre::of(vec![(member, 1.0)], table));
        means.number_and_centre();
    }
    means.of_item
}

/// The two things furthest apart, as centres; the first, of several.
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
    chosen.into_iter().filter(|i| *i < table.n).map(|i| Centre::of(vec![(i, 1.0)], table)).collect()
}

/// K-means on its way.
struct Means<'a> {
    table: &'a Table,
    centres: Vec<Centre>,
    of_item: Vec<usize>,
}

impl Means<'_> {
    /// Each thing to its nearest centre, each centre to the mean of its things, until nothing changes.
    fn settle(&mut self) {
        for _ in 0..MOST_ITERATIONS {
            let near = |thing: usize| {
                let mut best = (0, f32::INFINITY);
                for (group, centre) in self.centres.iter().enumerate() {
                    if centre.to[thing] < best.1 {
                        best = (group, centre.to[thing]);
                    }
                }
                best.0
            };
            let now: Vec<usize> = (0..self.table.n).map(near).collect();
            let before = std::mem::replace(&mut self.of_item, now);
            let changed = self.number_and_centre();
            if !changed && self.of_item == before {
                break;
            }
        }
    }

    /// Numbers groups by their first members and puts centres at their means; whether numbers changed.
    fn number_and_centre(&mut self) -> bool {
        let mut numbers: Vec<Option<usize>> = vec![None; self.centres.len()];
        let mut members: Vec<Vec<usize>> = Vec::new();
        for (thing, group) in self.of_item.iter_mut().enumerate() {
            let number = *numbers[*group].get_or_insert_with(|| {
                members.push(Vec::new());
                members.len() - 1
            });
            members[number].push(thing);
            *group = number;
        }
        self.centres = members.iter().map(|members| Centre::mean(members, self.table)).collect();
        numbers.iter().enumerate().any(|(old, new)| *new != Some(old))
    }

    /// The thing furthest from its centre, and its squared distance.
    fn widest(&self) -> Option<(usize, f32)> {
        let radii = self.of_item.iter().enumerate();
        let radii = radii.map(|(thing, &group)| (thing, self.centres[group].to[thing]));
        radii.reduce(|best, next| if next.1 > best.1 { next } else { best })
    }

    /// The two centres nearest to each other, and their squared distance.
    fn nearest_centres(&self) -> Option<(usize, usize, f32)> {
        let pairs = self.centres.iter().enumerate().flat_map(|(i, a)| {
            let others = self.centres.iter().enumerate().skip(i + 1);
            others.map(move |(j, b)| (i, j, a.apart(b)))
        });
        pairs.reduce(|best, next| if next.2 < best.2 { next } else { best })
    }

    /// Two groups become one, half way between their centres.
    fn join(&mut self, a: usize, b: usize) {
        let other = self.centres.remove(b);
        let parts = self.centres[a].parts.iter().chain(&other.parts).map(|&(part, w)| (part, 0.5 * w));
        self.centres[a] = Centre::of(parts.collect(), self.table);
    }
}

#[cfg(test)]
mod tests {
    use marey_ops::reduction::grouping;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_table_gives_the_groups_of_the_vectors(
            things in proptest::collection::vec(proptest::collection::vec(0f32..1.0, 3), 1..40),
            gamma in 0.1f32..0.6, share in 0f32..0.8,
        ) {
            let n = things.len();
            let delta = share * gamma;
            let all: Vec<f32> = things.iter().flat_map(|a| {
                things.iter().map(|b| a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum())
            }).collect();
            let found = groups(&Table::of(&all, n, 0..n), gamma, delta);
            let settings = grouping::Settings {
                most_radius_m: gamma, least_spacing_m: delta, most_rounds: MOST_ROUNDS as u32,
            };
            prop_assert_eq!(found, grouping::groups(&things, &settings).unwrap().of_item);
        }
    }

    #[test]
    fn one_thing_is_one_group_and_none_are_none() {
        assert_eq!(groups(&Table::of(&[0.0], 1, 0..1), 0.1, 0.05), [0]);
        assert!(groups(&Table::of(&[], 0, 0..0), 0.1, 0.05).is_empty());
    }
}
