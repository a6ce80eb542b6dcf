//! How a sole comes to rest on ground that is not straight.

use marey_motion::Vec2;

use crate::Footing;
use crate::profile::Profile;

/// Each of the two points that a sole rests on is at least so far from its middle, as a share of half its length.
const STEADY: f32 = 0.35;
/// A tilt is found when it changes by less: rise over run.
const SETTLED: f32 = 1e-6;
/// After so many rounds a sole that still rocks has no footing.
const ROUNDS: usize = 12;

impl Profile {
    /// How a plank comes to rest with its middle at a place; `None` where it does not.
    pub(crate) fn footing(&self, along_m: f32, half_m: f32) -> Option<Footing> {
        if let Some([from, to]) = self.part_over(along_m - half_m, along_m + half_m) {
            let part = *to - *from;
            let height_m = from.y + (along_m - from.x) / part.x * part.y;
            let slope_rad = if part.y == 0.0 { 0.0 } else { part.to_angle() };
            return Some(Footing { at: Vec2::new(along_m, height_m), slope_rad });
        }
        let mut slope = 0f32;
        for _ in 0..ROUNDS {
            let reach_m = half_m / (1.0 + slope * slope).sqrt();
            let (height_m, [behind, ahead]) = self.rests_on(along_m, reach_m)?;
            let chord = ahead - behind;
            let settled = chord.y / chord.x;
            if (settled - slope).abs() < SETTLED {
                let steady_m = STEADY * reach_m;
                let is_steady = along_m - behind.x >= steady_m && ahead.x - along_m >= steady_m;
                let slope_rad = chord.to_angle();
                return is_steady.then_some(Footing { at: Vec2::new(along_m, height_m), slope_rad });
            }
            slope = settled;
        }
        None
    }

    /// The two points of the ground below a plank, one on either side, whose chord is highest over its middle, and how high that is.
    fn rests_on(&self, along_m: f32, reach_m: f32) -> Option<(f32, [Vec2; 2])> {
        let (from_m, to_m) = (along_m - reach_m, along_m + reach_m);
        let end = |x: f32| self.height_at(x).map(|y| Vec2::new(x, y));
        let (first, last) = (end(from_m), end(to_m));
        let corners = self.corners_within(from_m, to_m);
        let behind = corners.iter().copied().filter(|at| at.x < along_m).chain(first);
        let mut highest: Option<(f32, [Vec2; 2])> = None;
        for behind in behind {
            for ahead in corners.iter().copied().filter(|at| at.x > along_m).chain(last) {
                let over = behind.y + (along_m - behind.x) / (ahead.x - behind.x) * (ahead.y - behind.y);
                if highest.is_none_or(|highest| over > highest.0) {
                    highest = Some((over, [behind, ahead]));
                }
            }
        }
        // On a ridge right below the middle, it would rock.
        let ridge = |over: f32| self.height_at(along_m).is_some_and(|height| height > over + 1e-5);
        highest.filter(|highest| !ridge(highest.0))
    }
}
