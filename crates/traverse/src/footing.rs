//! Where a sole can stand.
//!
//! A sole is a straight plank with its middle under the figure. On ground that is not straight it comes to rest on two points,
//! one on either side of its middle: of all chords between points of the ground below the plank, the one that is highest
//! over the middle. So a sole lies along a slope, leans over a corner, and bridges a gap that is narrower than itself; both
//! points are on the ground, and nothing of the sole is in it.
//!
//! Limits: ground is looked at every [`SPACING_M`] along the way. A sole that would rest on its very middle, as on the
//! ridge of a roof, or steeper than is allowed, does not stand.

use std::ops::Range;
use std::sync::Arc;

use marey_motion::{Terrain, Vec2};

use crate::profile::Profile;
use crate::{Error, Result};

/// Places are this far apart, in metres.
pub const SPACING_M: f32 = 0.005;
/// Heights are known at once of so many footings.
const TOGETHER: usize = 8;

/// A place to stand.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Footing {
    /// Where the middle of the sole is: along the way, and up, in metres.
    pub at: Vec2,
    /// How the sole is tilted, in radians, positive where it rises.
    pub slope_rad: f32,
}

/// All places to stand on a terrain, from left to right.
///
/// ```
/// use marey_motion::{Terrain, Vec2};
/// use marey_traverse::Footings;
/// // Level ground of 1 m, a step of 0.1 m, and level ground again; a sole of 0.2 m.
/// let points = [(0.0, 0.0), (1.0, 0.0), (1.0, 0.1), (2.0, 0.1)].map(|(x, y)| Vec2::new(x, y));
/// let footings = Footings::of(&Terrain::new(vec![points.into()])?, 0.1, 0.4);
/// let nearest = footings.nearest(Vec2::new(0.5, 0.3), 1.0).unwrap();
/// assert_eq!(footings.all()[nearest.0].at, Vec2::new(0.5, 0.0));
/// assert!((nearest.1 - 0.09).abs() < 1e-5);
/// // Nobody stands across the edge of the step: it is too steep.
/// assert!(footings.all().iter().all(|footing| footing.at.x < 0.95 || footing.at.x > 1.0));
/// # Ok::<(), marey_motion::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Footings {
    all: Vec<Footing>,
    /// How many are before each place, of those that are [`SPACING_M`] apart from the start of the ground.
    before: Vec<u32>,
    /// The lowest and the highest of every [`TOGETHER`].
    heights_m: Vec<[f32; 2]>,
    start_m: f32,
    profile: Arc<Profile>,
}

impl Footings {
    /// The footings of a sole whose ends are `half_m` from its middle.
    pub fn of(terrain: &Terrain, half_m: f32, most_tilt_rad: f32) -> Self {
        let profile = Profile::of(terrain);
        let places = ((terrain.end_m() - terrain.start_m()) / SPACING_M) as usize;
        let all = (0..=places)
            .filter_map(|i| profile.footing(terrain.start_m() + i as f32 * SPACING_M, half_m))
            .filter(|footing| footing.slope_rad.abs() <= most_tilt_rad)
            .collect();
        Self::sorted(all, terrain.start_m(), Arc::new(profile))
    }

    /// Footings from left to right, made ready to be found.
    fn sorted(all: Vec<Footing>, start_m: f32, profile: Arc<Profile>) -> Self {
        let mut before = Vec::with_capacity(all.len() + 1);
        for (number, footing) in all.iter().enumerate() {
            let place = place(start_m, footing.at.x);
            while before.len() <= place {
                before.push(number as u32);
            }
        }
        let heights_m = all.chunks(TOGETHER).map(|some| span(some, [f32::INFINITY, f32::NEG_INFINITY]));
        Self { before, heights_m: heights_m.collect(), all, start_m, profile }
    }

    /// All of them, from left to right.
    pub fn all(&self) -> &[Footing] {
        &self.all
    }

    /// The same ground with fewer places to stand.
    pub(crate) fn only(&self, keep: impl Fn(usize) -> bool) -> Self {
        let all =
            self.all.iter().enumerate().filter(|(number, _)| keep(*number)).map(|(_, footing)| *footing);
        Self::sorted(all.collect(), self.start_m, self.profile.clone())
    }

    /// The ground itself.
    pub(crate) fn profile(&self) -> &Profile {
        &self.profile
    }

    /// How many are before a place along the way.
    pub(crate) fn before(&self, along_m: f32) -> usize {
        let guess = self.before.get(place(self.start_m, along_m)).map_or(self.all.len(), |n| *n as usize);
        let behind = self.all[..guess].iter().rev().take_while(|footing| footing.at.x >= along_m).count();
        let ahead = self.all[guess..].iter().take_while(|footing| footing.at.x < along_m).count();
        guess - behind + ahead
    }

    /// Those from one place along the way to another, as numbers.
    pub(crate) fn within(&self, from_m: f32, to_m: f32) -> Range<usize> {
        let first = self.before(from_m);
        first..self.before(to_m.next_up()).max(first)
    }

    /// The lowest and the highest of some, in metres; ∞ and −∞ of none.
    pub(crate) fn heights_m(&self, some: Range<usize>) -> [f32; 2] {
        let none = [f32::INFINITY, f32::NEG_INFINITY];
        let (first, end) = (some.start.div_ceil(TOGETHER), some.end / TOGETHER);
        if first >= end {
            return span(&self.all[some], none);
        }
        let whole = self.heights_m[first..end].iter().fold(none, |a, b| [a[0].min(b[0]), a[1].max(b[1])]);
        let ends = span(&self.all[some.start..first * TOGETHER], whole);
        span(&self.all[end * TOGETHER..some.end], ends)
    }

    /// The nearest to a place along the way.
    pub(crate) fn at_along(&self, along_m: f32) -> Result<Footing> {
        let behind = self.before(along_m);
        let near = self.all[behind.saturating_sub(1)..(behind + 1).min(self.all.len())].iter();
        let nearest = near.min_by(|a, b| (a.at.x - along_m).abs().total_cmp(&(b.at.x - along_m).abs()));
        nearest.copied().ok_or(Error::NoFooting { what: "near", along_m, from_m: along_m, to_m: along_m })
    }

    /// The nearest to a point that is no farther than `most_m`, and how far it is, squared; of several, the first.
    pub fn nearest(&self, point: Vec2, most_m: f32) -> Option<(usize, f32)> {
        self.nearest_from(0, point, most_m)
    }

    /// The same, from a footing on: looked for outwards from the point until none can be nearer.
    pub(crate) fn nearest_from(&self, first: usize, point: Vec2, most_m: f32) -> Option<(usize, f32)> {
        let middle = self.before(point.x).max(first);
        let mut nearest: Option<(usize, f32)> = None;
        let mut most_m2 = most_m * most_m;
        for (number, footing) in self.all.iter().enumerate().skip(middle) {
            if (footing.at.x - point.x).powi(2) > most_m2 {
                break;
            }
            let squared_m2 = footing.at.distance_squared(point);
            if squared_m2 < most_m2 || (nearest.is_none() && squared_m2 == most_m2) {
                (nearest, most_m2) = (Some((number, squared_m2)), squared_m2);
            }
        }
        for number in (first..middle).rev() {
            let footing = &self.all[number];
            if (footing.at.x - point.x).powi(2) > most_m2 {
                break;
            }
            let squared_m2 = footing.at.distance_squared(point);
            if squared_m2 <= most_m2 {
                (nearest, most_m2) = (Some((number, squared_m2)), squared_m2);
            }
        }
        nearest
    }
}

/// Which of the places that are [`SPACING_M`] apart is at or before one along the way.
fn place(start_m: f32, along_m: f32) -> usize {
    ((along_m - start_m) / SPACING_M).max(0.0) as usize
}

/// The lowest and the highest of some footings and of what is known already.
fn span(some: &[Footing], known: [f32; 2]) -> [f32; 2] {
    some.iter().fold(known, |[low, high], footing| [low.min(footing.at.y), high.max(footing.at.y)])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn terrain(points: &[(f32, f32)]) -> Terrain {
        Terrain::new(vec![points.iter().map(|&(x, y)| Vec2::new(x, y)).collect()]).unwrap()
    }

    #[test]
    fn a_sole_lies_along_a_slope_and_across_a_valley() {
        let slope = Footings::of(&terrain(&[(0.0, 0.0), (2.0, 0.5)]), 0.1, 0.4);
        let footing = slope.all()[slope.nearest(Vec2::new(1.0, 0.2), 0.5).unwrap().0];
        assert!((footing.slope_rad - 0.25f32.atan()).abs() < 1e-5);
        assert!((footing.at.y - 0.25 * footing.at.x).abs() < 1e-6);
        // In the middle of a valley it hangs between both sides.
        let valley = Profile::of(&terrain(&[(0.0, 0.2), (1.0, 0.0), (2.0, 0.2)]));
        let footing = valley.footing(1.0, 0.1).unwrap();
        assert!(footing.slope_rad.abs() < 1e-6 && (footing.at.y - 0.02).abs() < 1e-6);
        // On the ridge of a roof, nobody stands.
        assert_eq!(Profile::of(&terrain(&[(0.0, 0.0), (1.0, 0.2), (2.0, 0.0)])).footing(1.0, 0.1), None);
    }

    #[test]
    fn narrow_gaps_are_bridged_and_wide_ones_are_not() {
        let gap = |width: f32| {
            let piece = |from: f32, to: f32| vec![Vec2::new(from, 0.0), Vec2::new(to, 0.0)];
            let ground = Terrain::new(vec![piece(0.0, 1.0), piece(1.0 + width, 2.0)]).unwrap();
            Footings::of(&ground, 0.1, 0.4).nearest(Vec2::new(1.0 + 0.5 * width, 0.0), 0.02).is_some()
        };
        assert!(gap(0.1) && !gap(0.21));
    }

    proptest! {
        #[test]
        fn footings_are_found_as_if_all_were_looked_at(
            steps in prop::collection::vec((0.05f32..0.6, -0.1f32..0.1), 2..10), x in -0.5f32..4.0, y in -0.3f32..0.3,
            most_m in 0f32..0.5, wide in 0f32..1.0, first in 0usize..100,
        ) {
            let mut at = Vec2::ZERO;
            let mut points = Vec::new();
            for (tread, rise) in steps {
                points.extend([at, at + Vec2::X * tread]);
                at += Vec2::new(tread, rise);
            }
            let all = Footings::of(&Terrain::new(vec![points]).unwrap(), 0.05, 0.4);
            let footings = all.only(|number| number % 7 > 1);
            for footings in [&all, &footings] {
                let along = footings.all().iter().map(|footing| footing.at.x);
                prop_assert_eq!(footings.before(x), along.filter(|at| *at < x).count());
                let some = footings.before(x)..footings.before(x + wide);
                let span = span(&footings.all()[some.clone()], [f32::INFINITY, f32::NEG_INFINITY]);
                prop_assert_eq!(footings.heights_m(some), span);
                let first = first.min(footings.all().len());
                let point = Vec2::new(x, y);
                let squared = |number: usize| (number, footings.all()[number].at.distance_squared(point));
                let slow = (first..footings.all().len()).map(squared).filter(|near| near.1 <= most_m * most_m);
                let slow = slow.reduce(|best, next| if next.1 < best.1 { next } else { best });
                prop_assert_eq!(footings.nearest_from(first, point, most_m), slow);
            }
        }

        #[test]
        fn soles_touch_the_ground_on_both_sides_and_are_never_in_it(
            bumps in prop::collection::vec((0.03f32..0.5, -0.1f32..0.1), 2..14), half_m in 0.05f32..0.15,
        ) {
            let mut at = Vec2::ZERO;
            let points: Vec<Vec2> = bumps.iter().map(|&(x, y)| { at += Vec2::new(x, y); at }).collect();
            let ground = Terrain::new(vec![points]).unwrap();
            let footings = Footings::of(&ground, half_m, 0.5);
            for footing in footings.all() {
                let half = half_m * Vec2::from_angle(footing.slope_rad);
                let gaps: Vec<(f32, f32)> = (-100..=100).filter_map(|i| {
                    let point = footing.at + half * (i as f32 / 100.0);
                    Some((i as f32, point.y - ground.height_at(point.x)?))
                }).collect();
                prop_assert!(gaps.iter().all(|gap| gap.1 > -1e-4));
                // Where it rests on the end of a bump, the point beside it that is looked at is as much higher as the bump is steep.
                let near_m = 3e-3 + half_m / 100.0 * 0.1 / 0.03;
                let touches = |side: f32| gaps.iter().any(|gap| gap.0 * side > 0.0 && gap.1 < near_m);
                prop_assert!(touches(1.0) && touches(-1.0), "{footing:?}");
            }
        }
    }
}
