//! Clusters of limited radius and minimum distance: k-means that finds its own k.
//!
//! Park, Kwon, Shin and Shin, *Analysis and Synthesis of Interactive Two-Character Motions* (2004), section
//! 3.4.2. It starts from the two items farthest apart. After each k-means, if the radius of a group exceeds γ
//! (equations 10 and 11), its member farthest from the centre becomes a new group; if two centres are
//! closer than δ, the two groups are merged, with the centre half-way between.
//!
//! | symbol | name | unit |
//! |---|---|---|
//! | E(M) | a vector | m |
//! | c_j | the centre of a group | m |
//! | D(S_j, c_j) | its radius: the distance of its farthest member | m |
//! | γ | `most_radius_m` | m |
//! | δ | `least_spacing_m` | m |
//!
//! Changed, because the two rules can undo each other forever (three items 1 apart, γ = 0.4, δ = 2): after
//! `most_rounds` the farthest member of the widest group is split off until every radius is at most γ. That
//! condition therefore always holds, and [`Groups::spaced`] states whether the other one does.

use rayon::prelude::*;

use super::keep::{Keep, least, members};
use crate::{OutOfRange, Result};

/// Settings of the grouping.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GroupingSettings {
    /// γ: largest distance of a member from the centre of its group, in metres; default 0.15; 0 to 1000.
    pub most_radius_m: f32,
    /// δ: smallest distance of two centres, in metres; default half of γ, as in the paper: 0.075; 0 to 1000.
    pub least_spacing_m: f32,
    /// Largest number of split and merge rounds; default 1000; 1 to 100000.
    pub most_rounds: u32,
}

impl Default for GroupingSettings {
    fn default() -> Self {
        Self { most_radius_m: 0.15, least_spacing_m: 0.075, most_rounds: 1000 }
    }
}

impl GroupingSettings {
    /// Checks the ranges.
    pub fn validate(&self) -> Result<()> {
        OutOfRange::check("most_radius_m", self.most_radius_m, 0.0..=1000.0)?;
        OutOfRange::check("least_spacing_m", self.least_spacing_m, 0.0..=1000.0)?;
        OutOfRange::check("most_rounds", self.most_rounds, 1..=100_000)?;
        Ok(())
    }
}

/// Items in groups.
#[derive(Debug, Clone, PartialEq)]
pub struct Groups {
    /// The group of each item. Groups are numbered by their first members, and none is empty.
    pub of_item: Vec<usize>,
    /// The centre of each group: the mean of its members.
    pub centres: Vec<Vec<f32>>,
    /// The largest radius, in metres; at most γ.
    pub radius_m: f32,
    /// The smallest distance of two centres, in metres; infinite for a single group.
    pub spacing_m: f32,
    /// Whether that is at least δ.
    pub spaced: bool,
}

impl Groups {
    /// The item of each group that is kept; `vectors` are those that the groups were made of.
    ///
    /// # Panics
    /// If there are fewer vectors.
    pub fn kept(&self, things: &[Vec<f32>], keep: Keep) -> Vec<usize> {
        keep.choose(&members(&self.of_item, self.centres.len()), |members| {
            least(members, |item| squared(&things[item], &self.centres[self.of_item[item]]))
        })
    }
}

/// Largest number of iterations of one k-means; the next round continues.
const MOST_ITERATIONS: usize = 50;
/// Number of terms that are summed before the bound is checked.
const STRETCH: usize = 64;

/// Groups vectors of one length.
///
/// ```
/// use marey_ops::reduction::grouping::{GroupingSettings, groups};
/// // Items at 0, 1, 10, 11 and 30, in groups with a radius of at most 1, at least 2 apart.
/// let things: Vec<Vec<f32>> = [0.0, 1.0, 10.0, 11.0, 30.0].map(|x| vec![x]).to_vec();
/// let settings = GroupingSettings { most_radius_m: 1.0, least_spacing_m: 2.0, ..GroupingSettings::default() };
/// let groups = groups(&things, &settings)?;
/// assert_eq!(groups.of_item, [0, 0, 1, 1, 2]);
/// assert_eq!(groups.centres, [[0.5], [10.5], [30.0]]);
/// assert_eq!((groups.radius_m, groups.spacing_m, groups.spaced), (0.5, 10.0, true));
/// # Ok::<(), marey_ops::OpsError>(())
/// ```
pub fn groups(things: &[Vec<f32>], settings: &GroupingSettings) -> Result<Groups> {
    settings.validate()?;
    check(things)?;
    let (gamma, delta) = (settings.most_radius_m, settings.least_spacing_m);
    let mut means = Means { things, centres: furthest_pair(things), of_item: vec![0; things.len()] };
    for _ in 0..settings.most_rounds {
        means.settle();
        let split = means.widest().filter(|widest| widest.radius_m > gamma);
        let join = means.nearest_centres().filter(|nearest| nearest.2 < delta);
        if split.is_none() && join.is_none() {
            break;
        }
        if let Some((a, b, _)) = join {
            means.join(a, b);
        }
        if let Some(widest) = split {
            means.centres.push(things[widest.member].clone());
        }
    }
    means.settle();
    means.split_until(gamma);
    Ok(means.into_groups(delta))
}

/// All of one length, and finite.
fn check(things: &[Vec<f32>]) -> Result<()> {
    let wanted = things.first().map_or(0, Vec::len);
    for (frame, thing) in things.iter().enumerate() {
        if thing.len() != wanted {
            return Err(
                marey_motion::MotionError::Length { what: "a vector", found: thing.len(), wanted }.into()
            );
        }
        if let Some(joint) = thing.iter().position(|v| !v.is_finite()) {
            return Err(marey_motion::MotionError::NotFinite { what: "a vector", frame, joint }.into());
        }
    }
    Ok(())
}

fn distance(a: &[f32], b: &[f32]) -> f32 {
    squared(a, b).sqrt() as f32
}

fn squared(a: &[f32], b: &[f32]) -> f64 {
    squared_below(a, b, f64::INFINITY)
}

/// A squared distance, or a partial sum that exceeds the bound; eight sums in parallel.
fn squared_below(a: &[f32], b: &[f32], bound: f64) -> f64 {
    let mut sum = 0.0;
    for (a, b) in a.chunks(STRETCH).zip(b.chunks(STRETCH)) {
        let (a, b) = (a.as_chunks::<8>(), b.as_chunks::<8>());
        let mut sums = [0.0f64; 8];
        for (a, b) in a.0.iter().zip(b.0) {
            for (sum, (a, b)) in sums.iter_mut().zip(a.iter().zip(b)) {
                *sum += f64::from(a - b) * f64::from(a - b);
            }
        }
        let rest = a.1.iter().zip(b.1).map(|(a, b)| f64::from(a - b).powi(2));
        sum += sums.iter().sum::<f64>() + rest.sum::<f64>();
        if sum > bound {
            break;
        }
    }
    sum
}

/// The two items farthest apart, as centres; the first of several.
fn furthest_pair(things: &[Vec<f32>]) -> Vec<Vec<f32>> {
    let furthest = |i: usize| {
        let others = things.iter().enumerate().skip(i + 1).map(|(j, b)| (i, j, squared(&things[i], b)));
        others.reduce(further)
    };
    let each: Vec<_> = (0..things.len()).into_par_iter().map(furthest).collect();
    let best = each.into_iter().flatten().reduce(further).unwrap_or((0, 0, 0.0));
    let chosen = if best.2 > 0.0 { vec![best.0, best.1] } else { vec![0] };
    chosen.into_iter().filter_map(|i| things.get(i).cloned()).collect()
}

/// The pair that is farther apart; the first if they are equal.
fn further(best: (usize, usize, f64), next: (usize, usize, f64)) -> (usize, usize, f64) {
    if next.2 > best.2 { next } else { best }
}

/// The farthest member of a group.
struct Widest {
    member: usize,
    radius_m: f32,
}

/// The state of the k-means.
struct Means<'a> {
    things: &'a [Vec<f32>],
    centres: Vec<Vec<f32>>,
    of_item: Vec<usize>,
}

impl Means<'_> {
    /// Assigns each item to its nearest centre and moves each centre to the mean of its items, until nothing
    /// changes. Empty groups are removed.
    fn settle(&mut self) {
        for _ in 0..MOST_ITERATIONS {
            let before = std::mem::take(&mut self.of_item);
            let near = |(thing, group): (&Vec<f32>, usize)| self.nearest_centre(thing, group);
            let last = before.iter().copied().chain(std::iter::repeat(0));
            let all: Vec<(&Vec<f32>, usize)> = self.things.iter().zip(last).collect();
            self.of_item = all.into_par_iter().map(near).collect();
            let changed = self.number_and_centre();
            if !changed && self.of_item == before {
                break;
            }
        }
    }

    /// The nearest centre; the first of several. A good guess saves most of the work.
    fn nearest_centre(&self, thing: &[f32], guess: usize) -> usize {
        let guess = guess.min(self.centres.len().saturating_sub(1));
        let Some(centre) = self.centres.get(guess) else { return 0 };
        let mut best = (guess, squared(thing, centre));
        for (group, centre) in self.centres.iter().enumerate() {
            let apart = squared_below(thing, centre, best.1);
            if apart < best.1 || (apart == best.1 && group < best.0) {
                best = (group, apart);
            }
        }
        best.0
    }

    /// Splits off the farthest member of the widest group until no radius exceeds γ.
    fn split_until(&mut self, gamma: f32) {
        while let Some(widest) = self.widest().filter(|widest| widest.radius_m > gamma) {
            self.of_item[widest.member] = self.centres.len();
            self.centres.push(self.things[widest.member].clone());
            self.number_and_centre();
        }
    }

    /// Numbers groups by their first members and moves centres to their means. Returns whether numbers
    /// changed.
    fn number_and_centre(&mut self) -> bool {
        let mut numbers: Vec<Option<usize>> = vec![None; self.centres.len()];
        let mut count = 0;
        for &group in &self.of_item {
            if numbers[group].is_none() {
                numbers[group] = Some(count);
                count += 1;
            }
        }
        let changed = numbers.iter().enumerate().any(|(old, new)| *new != Some(old));
        for group in &mut self.of_item {
            *group = numbers[*group].unwrap_or(0);
        }
        let dims = self.things.first().map_or(0, Vec::len);
        let mut sums = vec![(vec![0.0f64; dims], 0.0f64); count];
        for (thing, &group) in self.things.iter().zip(&self.of_item) {
            let (sum, members) = &mut sums[group];
            sum.iter_mut().zip(thing).for_each(|(sum, &v)| *sum += f64::from(v));
            *members += 1.0;
        }
        let mean = |(sum, members): (Vec<f64>, f64)| sum.iter().map(|v| (v / members) as f32).collect();
        self.centres = sums.into_iter().map(mean).collect();
        changed
    }

    /// The item farthest from its centre, in a group with other members.
    fn widest(&self) -> Option<Widest> {
        let radii = self.things.iter().zip(&self.of_item).enumerate();
        let radii = radii.map(|(member, (thing, &group))| Widest {
            member,
            radius_m: distance(thing, &self.centres[group]),
        });
        radii.reduce(|best, next| if next.radius_m > best.radius_m { next } else { best })
    }

    /// The two closest centres.
    fn nearest_centres(&self) -> Option<(usize, usize, f32)> {
        let pairs = self.centres.iter().enumerate().flat_map(|(i, a)| {
            let others = self.centres.iter().enumerate().skip(i + 1);
            others.map(move |(j, b)| (i, j, distance(a, b)))
        });
        pairs.reduce(|best, next| if next.2 < best.2 { next } else { best })
    }

    /// Merges two groups, half-way between their centres.
    fn join(&mut self, a: usize, b: usize) {
        let other = self.centres.remove(b);
        self.centres[a].iter_mut().zip(other).for_each(|(a, b)| *a = 0.5 * (*a + b));
    }

    fn into_groups(self, delta: f32) -> Groups {
        let radius_m = self.widest().map_or(0.0, |widest| widest.radius_m);
        let spacing_m = self.nearest_centres().map_or(f32::INFINITY, |nearest| nearest.2);
        Groups {
            of_item: self.of_item,
            centres: self.centres,
            radius_m,
            spacing_m,
            spaced: spacing_m >= delta,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn groups_satisfy_the_radius_and_report_their_spacing(
            things in proptest::collection::vec(proptest::collection::vec(0f32..1.0, 2), 0..40),
            gamma in 0f32..0.6, delta in 0f32..0.6, copies in any::<bool>(),
        ) {
            let things = if copies { [things.clone(), things].concat() } else { things };
            let settings = GroupingSettings { most_radius_m: gamma, least_spacing_m: delta, most_rounds: 60 };
            let found = groups(&things, &settings).unwrap();
            prop_assert_eq!(found.of_item.len(), things.len());
            for (thing, &group) in things.iter().zip(&found.of_item) {
                prop_assert!(distance(thing, &found.centres[group]) <= gamma + 1e-6);
            }
            let centres = &found.centres;
            let apart = (0..centres.len()).flat_map(|i| (0..i).map(move |j| distance(&centres[i], &centres[j])));
            let least = apart.fold(f32::INFINITY, f32::min);
            prop_assert_eq!(least, found.spacing_m);
            prop_assert_eq!(found.spaced, least >= delta);
            // Every group has a member, and its centre is their mean.
            for (group, centre) in centres.iter().enumerate() {
                let members: Vec<&Vec<f32>> =
                    things.iter().zip(&found.of_item).filter(|(_, g)| **g == group).map(|(t, _)| t).collect();
                prop_assert!(!members.is_empty());
                for dim in 0..2 {
                    let mean = members.iter().map(|t| t[dim]).sum::<f32>() / members.len() as f32;
                    prop_assert!((mean - centre[dim]).abs() < 1e-4);
                }
            }
        }
    }

    #[test]
    fn clear_groups_are_found_and_conflicting_rules_are_reported() {
        let blob = |x: f32, y: f32| {
            (0..12).map(move |i| vec![x + 0.05 * (i as f32).sin(), y + 0.05 * (i as f32).cos()])
        };
        let things: Vec<Vec<f32>> = blob(0.0, 0.0).chain(blob(3.0, 0.0)).chain(blob(0.0, 3.0)).collect();
        let found =
            groups(&things, &GroupingSettings { most_radius_m: 0.2, least_spacing_m: 1.0, most_rounds: 100 })
                .unwrap();
        assert!(found.spaced && found.centres.len() == 3);
        assert!(found.of_item.chunks(12).all(|blob| blob.iter().all(|g| *g == blob[0])));
        let line: Vec<Vec<f32>> = [0.0, 1.0, 2.0].map(|x| vec![x]).to_vec();
        let torn =
            groups(&line, &GroupingSettings { most_radius_m: 0.4, least_spacing_m: 2.0, most_rounds: 20 })
                .unwrap();
        assert!(!torn.spaced && torn.radius_m <= 0.4);
    }

    #[test]
    fn the_central_or_a_random_member_is_kept() {
        let line: Vec<Vec<f32>> = [0.0, 0.4, 1.0, 9.0].map(|x| vec![x]).to_vec();
        let settings = GroupingSettings { most_radius_m: 1.0, least_spacing_m: 0.5, most_rounds: 20 };
        let found = groups(&line, &settings).unwrap();
        assert_eq!(found.kept(&line, Keep::Medoid), [1, 3]);
        let by_chance = |seed| found.kept(&line, Keep::Random { seed });
        assert!((0..20).all(|seed| by_chance(seed)[0] < 3 && by_chance(seed)[1] == 3));
        assert!((1..20).any(|seed| by_chance(seed) != by_chance(0)));
    }

    #[test]
    fn mismatched_vectors_are_rejected() {
        let settings = GroupingSettings::default();
        assert!(groups(&[vec![0.0], vec![]], &settings).is_err());
        assert!(groups(&[vec![f32::NAN]], &settings).is_err());
        assert!(groups(&[], &GroupingSettings { most_rounds: 0, ..settings }).is_err());
        assert_eq!(groups(&[], &settings).unwrap().centres.len(), 0);
        assert_eq!(groups(&vec![vec![1.0]; 4], &settings).unwrap().centres.len(), 1);
    }
}
