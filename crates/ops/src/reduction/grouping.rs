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
//! `most_rounds` the farthest member of each group is split off until its radius is at most γ. That
//! condition therefore always holds, and [`Groups::spaced`] states whether the other one does.
//!
//! Changed for more than [`MANY`] items, where one split a round takes too long: every group that is too wide is split, and all centres
//! that are too close are merged, in each round; a round is a few iterations; and the first two centres are the item farthest from the
//! mean, and the item farthest from that. There are about as many rounds as the number of groups doubles: grouping ends when their
//! number grows no more, although single groups may still be split and merged in turn. An iteration compares each item with each
//! centre, by sixteen numbers, and is linear in the number of items for a given number of groups.

use marey_motion::Observer;
use rayon::prelude::*;

use super::keep::{Keep, least, members};
use super::projection::{NUMBERS, Projected, Projection, mean};
use crate::error::check_cancelled;
use crate::{OutOfRange, Result};

/// Number of items from which all groups are split and merged in one round.
pub const MANY: usize = 2048;
/// Iterations of a round with many items.
const FEW_ITERATIONS: usize = 4;
/// Largest number of rounds with many items: the number of groups can double in each.
const FEW_ROUNDS: u32 = 40;
/// Growth of the number of groups in a round below which many items count as grouped.
const STILL: f64 = 1.03;
/// Number of such rounds, one after the other, after which the grouping of many items ends.
const STILL_ROUNDS: u32 = 3;

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
/// Number of items that are assigned between two looks at the observer.
const LOOK: usize = 64;
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
    groups_observed(things, settings, Observer::ignore())
}

/// [`groups`], which can be cancelled by an observer.
pub fn groups_observed(
    things: &[Vec<f32>],
    settings: &GroupingSettings,
    observer: Observer<'_>,
) -> Result<Groups> {
    settings.validate()?;
    check(things)?;
    let (gamma, delta) = (settings.most_radius_m, settings.least_spacing_m);
    let is_large = things.len() > MANY;
    let (iterations, changes) = if is_large { (FEW_ITERATIONS, usize::MAX) } else { (MOST_ITERATIONS, 1) };
    let centres = if is_large { distant_pair(things) } else { furthest_pair(things) };
    let projection = Projection::of(things);
    let projected = projection.project(things);
    let mut means = Means { things, projection, projected, centres, of_item: vec![0; things.len()] };
    let rounds = if is_large { settings.most_rounds.min(FEW_ROUNDS) } else { settings.most_rounds };
    let mut still = 0;
    for _ in 0..rounds {
        means.settle(iterations, observer)?;
        let wide = means.wide_groups(gamma);
        let close = means.close_centres(delta);
        if wide.is_empty() && close.is_empty() {
            break;
        }
        let before = means.centres.len();
        means.join(close.into_iter().take(changes));
        means
            .centres
            .extend(wide.into_iter().take(changes).filter_map(|widest| things.get(widest.member).cloned()));
        // With many items the rules undo each other in some places for ever, while most groups have settled.
        still = if means.centres.len() as f64 <= STILL * before as f64 { still + 1 } else { 0 };
        if is_large && still == STILL_ROUNDS {
            break;
        }
    }
    means.settle(iterations, observer)?;
    means.split_until(gamma, observer)?;
    Ok(means.into_groups(delta))
}

/// Fails if the observer cancels.
fn look(observer: Observer<'_>, done: usize, items: usize) -> Result<()> {
    check_cancelled(observer, "clusters", done, items)
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

/// The item farthest from the mean and the item farthest from that, as centres.
fn distant_pair(things: &[Vec<f32>]) -> Vec<Vec<f32>> {
    let farthest_from = |place: &[f32]| {
        let apart: Vec<f64> = things.par_iter().map(|thing| squared(thing, place)).collect();
        let numbered = things.iter().zip(apart);
        numbered.reduce(|best, next| if next.1 > best.1 { next } else { best }).map(|(thing, _)| thing)
    };
    let one = farthest_from(&mean(things.iter(), things.first().map_or(0, Vec::len)));
    let other = one.and_then(|one| farthest_from(one));
    let mut pair: Vec<Vec<f32>> = one.into_iter().chain(other).cloned().collect();
    pair.dedup();
    pair
}

/// The pair that is farther apart; the first if they are equal.
fn further(best: (usize, usize, f64), next: (usize, usize, f64)) -> (usize, usize, f64) {
    if next.2 > best.2 { next } else { best }
}

/// The farthest member of a group.
#[derive(Debug, Clone, Copy)]
struct Widest {
    member: usize,
    radius_m: f32,
}

/// The state of the k-means.
struct Means<'a> {
    things: &'a [Vec<f32>],
    projection: Projection,
    /// The coordinates of the items.
    projected: Projected,
    centres: Vec<Vec<f32>>,
    of_item: Vec<usize>,
}

impl Means<'_> {
    /// Assigns each item to its nearest centre and moves each centre to the mean of its items, until nothing
    /// changes, or this many times. Empty groups are removed.
    fn settle(&mut self, iterations: usize, observer: Observer<'_>) -> Result<()> {
        for _ in 0..iterations {
            let before = std::mem::take(&mut self.of_item);
            let centres = self.projection.project(&self.centres);
            let items = self.things.par_iter().zip(self.projected.rows()).zip(&before).enumerate();
            self.of_item = items
                .map(|(item, ((thing, place), &guess))| {
                    if item % LOOK == 0 {
                        look(observer, item, self.things.len())?;
                    }
                    Ok(self.nearest_centre(thing, place, &centres, guess))
                })
                .collect::<Result<_>>()?;
            let changed = self.number_and_centre();
            if !changed && self.of_item == before {
                break;
            }
        }
        Ok(())
    }

    /// The nearest centre; the first of several. A good guess saves most of the work.
    fn nearest_centre(
        &self,
        thing: &[f32],
        place: &[f32; NUMBERS],
        centres: &Projected,
        guess: usize,
    ) -> usize {
        let guess = guess.min(self.centres.len().saturating_sub(1));
        let Some(centre) = self.centres.get(guess) else { return 0 };
        let mut best = (guess, squared(thing, centre));
        let mut reach = self.projection.reach(best.1);
        for (group, (centre, centre_place)) in self.centres.iter().zip(centres.rows()).enumerate() {
            if !Projected::is_near(place, centre_place, reach) {
                continue;
            }
            let apart = squared_below(thing, centre, best.1);
            if apart < best.1 || (apart == best.1 && group < best.0) {
                best = (group, apart);
                reach = self.projection.reach(apart);
            }
        }
        best.0
    }

    /// Splits off the farthest member of each group until no radius exceeds γ.
    fn split_until(&mut self, gamma: f32, observer: Observer<'_>) -> Result<()> {
        let groups = members(&self.of_item, self.centres.len());
        let dims = self.things.first().map_or(0, Vec::len);
        let split_off = |mut group: Vec<usize>| {
            let mut alone = Vec::new();
            loop {
                look(observer, 0, self.things.len())?;
                let centre = mean(group.iter().map(|&item| &self.things[item]), dims);
                let radii = group.iter().map(|&item| distance(&self.things[item], &centre)).enumerate();
                let widest = radii.reduce(|best, next| if next.1 > best.1 { next } else { best });
                match widest {
                    Some((place, radius_m)) if radius_m > gamma => alone.push(group.remove(place)),
                    _ => return Ok(alone),
                }
            }
        };
        let alone: Vec<Vec<usize>> = groups.into_par_iter().map(split_off).collect::<Result<_>>()?;
        for member in alone.into_iter().flatten() {
            self.of_item[member] = self.centres.len();
            self.centres.push(self.things[member].clone());
        }
        self.number_and_centre();
        Ok(())
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

    /// The farthest member of each group whose radius exceeds γ, widest first.
    fn wide_groups(&self, gamma: f32) -> Vec<Widest> {
        let radius = |(thing, &group): (&Vec<f32>, &usize)| distance(thing, &self.centres[group]);
        let radii: Vec<f32> = self.things.par_iter().zip(&self.of_item).map(radius).collect();
        let mut widest: Vec<Option<Widest>> = vec![None; self.centres.len()];
        for (member, (radius_m, &group)) in radii.into_iter().zip(&self.of_item).enumerate() {
            let is_wider = widest[group].is_none_or(|widest| radius_m > widest.radius_m);
            if radius_m > gamma && is_wider {
                widest[group] = Some(Widest { member, radius_m });
            }
        }
        let mut wide: Vec<Widest> = widest.into_iter().flatten().collect();
        wide.sort_by(|a, b| b.radius_m.total_cmp(&a.radius_m).then(a.member.cmp(&b.member)));
        wide
    }

    /// Pairs of centres that are closer than δ, nearest first, each centre in one pair only.
    fn close_centres(&self, delta: f32) -> Vec<(usize, usize, f32)> {
        let projected = self.projection.project(&self.centres);
        let reach = self.projection.reach(f64::from(delta).powi(2));
        let centres: Vec<_> = self.centres.iter().zip(projected.rows()).enumerate().collect();
        let of_row = |&(i, (centre, place)): &(usize, (&Vec<f32>, &[f32; NUMBERS]))| {
            let others = centres.iter().skip(i + 1);
            let near = others.filter(|(_, (_, other))| Projected::is_near(place, other, reach));
            let pairs = near.map(|(j, (other, _))| (i, *j, distance(centre, other)));
            pairs.filter(|pair| pair.2 < delta).collect::<Vec<_>>()
        };
        let rows: Vec<Vec<_>> = centres.par_iter().map(of_row).collect();
        let mut pairs = rows.concat();
        pairs.sort_by(|a, b| a.2.total_cmp(&b.2));
        let mut is_taken = vec![false; self.centres.len()];
        pairs.retain(|&(i, j, _)| {
            let is_free = !is_taken[i] && !is_taken[j];
            (is_taken[i], is_taken[j]) = (is_taken[i] || is_free, is_taken[j] || is_free);
            is_free
        });
        pairs
    }

    /// The smallest distance of two centres; infinite for a single group.
    fn spacing_m(&self) -> f32 {
        let projected = self.projection.project(&self.centres);
        let centres: Vec<_> = self.centres.iter().zip(projected.rows()).collect();
        let of_row = |(i, (centre, place)): (usize, &(&Vec<f32>, &[f32; NUMBERS]))| {
            let mut best = f64::INFINITY;
            for (other, other_place) in centres.iter().skip(i + 1) {
                if Projected::is_near(place, other_place, self.projection.reach(best)) {
                    best = best.min(squared_below(centre, other, best));
                }
            }
            best
        };
        let rows: Vec<f64> = centres.par_iter().enumerate().map(of_row).collect();
        rows.into_iter().fold(f64::INFINITY, f64::min).sqrt() as f32
    }

    /// Merges pairs of groups, half-way between their centres.
    fn join(&mut self, pairs: impl Iterator<Item = (usize, usize, f32)>) {
        let mut gone = Vec::new();
        for (a, b, _) in pairs {
            let other = std::mem::take(&mut self.centres[b]);
            self.centres[a].iter_mut().zip(other).for_each(|(a, b)| *a = 0.5 * (*a + b));
            gone.push(b);
        }
        gone.sort_unstable();
        for b in gone.into_iter().rev() {
            self.centres.remove(b);
        }
    }

    fn into_groups(self, delta: f32) -> Groups {
        let radius_m = self.wide_groups(-1.0).first().map_or(0.0, |widest| widest.radius_m);
        let spacing_m = self.spacing_m();
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
    fn many_items_keep_to_the_radius_and_give_the_same_groups_on_any_number_of_threads() {
        // 60 blobs of 50 items, 1 m apart in 100 dimensions.
        let item = |i: usize| {
            let (blob, number) = (i % 60, i / 60);
            let value = |dim: usize| {
                let away = 0.02 * ((number * 31 + dim * 17 + blob) as f32).sin() / 10.0;
                away + if dim == blob { 1.0 } else { 0.0 }
            };
            (0..100).map(value).collect::<Vec<f32>>()
        };
        let things: Vec<Vec<f32>> = (0..60 * 50).map(item).collect();
        assert!(things.len() > MANY);
        let settings = GroupingSettings { most_radius_m: 0.2, least_spacing_m: 0.1, most_rounds: 100 };
        let with = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| groups(&things, &settings).unwrap())
        };
        let found = with(2);
        assert!(found.radius_m <= 0.2 && found.spaced);
        assert_eq!(found.centres.len(), 60);
        assert!(found.of_item.iter().enumerate().all(|(i, group)| *group == i % 60));
        assert_eq!(with(1), found);
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
