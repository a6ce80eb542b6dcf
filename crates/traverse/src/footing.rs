//! Where a sole can stand.
//!
//! A sole is a straight plank with its middle under the figure. On ground that is not straight it comes to rest on two points,
//! one on either side of its middle: of all chords between points of the ground below the plank, the one that is highest
//! over the middle. So a sole lies along a slope, leans over a corner, and bridges a gap that is narrower than itself; both
//! points are on the ground, and nothing of the sole is in it.
//!
//! Limits: ground is looked at every [`SPACING_M`] along the way. A sole that would rest on its very middle, as on the
//! ridge of a roof, or steeper than is allowed, does not stand.

use marey_motion::{Terrain, Vec2};

use crate::profile::Profile;
use crate::{Error, Result};

/// Places are this far apart, in metres.
pub const SPACING_M: f32 = 0.005;
/// Each of the two points that a sole rests on is at least so far from its middle, as a share of half its length.
const STEADY: f32 = 0.35;
/// A tilt is found when it changes by less, in radians.
const SETTLED_RAD: f32 = 1e-6;
/// After so many rounds a sole that still rocks has no footing.
const ROUNDS: usize = 12;

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
    profile: Profile,
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
        Self { all, profile }
    }

    /// All of them, from left to right.
    pub fn all(&self) -> &[Footing] {
        &self.all
    }

    /// The same ground with fewer places to stand.
    pub(crate) fn only(&self, keep: impl Fn(usize) -> bool) -> Self {
        let all =
            self.all.iter().enumerate().filter(|(number, _)| keep(*number)).map(|(_, footing)| *footing);
        Self { all: all.collect(), profile: self.profile.clone() }
    }

    /// The ground itself.
    pub(crate) fn profile(&self) -> &Profile {
        &self.profile
    }

    /// Those from one place along the way to another, as numbers.
    pub(crate) fn within(&self, from_m: f32, to_m: f32) -> std::ops::Range<usize> {
        let first = self.all.partition_point(|footing| footing.at.x < from_m);
        let end = self.all.partition_point(|footing| footing.at.x <= to_m);
        first..end.max(first)
    }

    /// The nearest to a place along the way.
    pub(crate) fn at_along(&self, along_m: f32) -> Result<Footing> {
        let behind = self.all.partition_point(|footing| footing.at.x < along_m);
        let near = self.all[behind.saturating_sub(1)..(behind + 1).min(self.all.len())].iter();
        let nearest = near.min_by(|a, b| (a.at.x - along_m).abs().total_cmp(&(b.at.x - along_m).abs()));
        nearest.copied().ok_or(Error::NoFooting { what: "near", along_m, from_m: along_m, to_m: along_m })
    }

    /// The nearest to a point that is no farther than `most_m`, and how far it is, squared; of several, the first.
    pub fn nearest(&self, point: Vec2, most_m: f32) -> Option<(usize, f32)> {
        self.nearest_in(self.within(point.x - most_m, point.x + most_m), point, most_m)
    }

    /// The same, among some.
    pub(crate) fn nearest_in(
        &self,
        among: std::ops::Range<usize>,
        point: Vec2,
        most_m: f32,
    ) -> Option<(usize, f32)> {
        let squared = |number: usize| (number, self.all[number].at.distance_squared(point));
        let nearest = among.map(squared).reduce(|best, next| if next.1 < best.1 { next } else { best });
        nearest.filter(|nearest| nearest.1 <= most_m * most_m)
    }
}

impl Profile {
    /// How a plank comes to rest with its middle at a place; `None` where it does not.
    pub(crate) fn footing(&self, along_m: f32, half_m: f32) -> Option<Footing> {
        let mut slope_rad = 0f32;
        for _ in 0..ROUNDS {
            let reach_m = half_m * slope_rad.cos();
            let [behind, ahead] = self.rests_on(along_m, reach_m)?;
            let chord = ahead - behind;
            let settled = chord.to_angle();
            if (settled - slope_rad).abs() < SETTLED_RAD {
                let steady_m = STEADY * reach_m;
                let is_steady = along_m - behind.x >= steady_m && ahead.x - along_m >= steady_m;
                let height_m = behind.y + (along_m - behind.x) / chord.x * chord.y;
                return is_steady.then_some(Footing { at: Vec2::new(along_m, height_m), slope_rad });
            }
            slope_rad = settled;
        }
        None
    }

    /// The two points of the ground below a plank, one on either side, whose chord is highest over its middle.
    fn rests_on(&self, along_m: f32, reach_m: f32) -> Option<[Vec2; 2]> {
        let (from_m, to_m) = (along_m - reach_m, along_m + reach_m);
        let end = |x: f32| self.height_at(x).map(|y| Vec2::new(x, y));
        let corners = self.corners_within(from_m, to_m);
        let behind = || corners.iter().copied().filter(|at| at.x < along_m).chain(end(from_m));
        let ahead = || corners.iter().copied().filter(|at| at.x > along_m).chain(end(to_m));
        let pairs = behind().flat_map(|behind| ahead().map(move |ahead| [behind, ahead]));
        let over_middle = |[behind, ahead]: &[Vec2; 2]| {
            behind.y + (along_m - behind.x) / (ahead.x - behind.x) * (ahead.y - behind.y)
        };
        let highest =
            pairs.reduce(|best, next| if over_middle(&next) > over_middle(&best) { next } else { best })?;
        // On a ridge right below the middle, it would rock.
        let ridge = self.height_at(along_m).is_some_and(|height| height > over_middle(&highest) + 1e-5);
        (!ridge).then_some(highest)
    }
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
                let touches = |side: f32| gaps.iter().any(|gap| gap.0 * side > 0.0 && gap.1 < 3e-3);
                prop_assert!(touches(1.0) && touches(-1.0), "{footing:?}");
            }
        }
    }
}
