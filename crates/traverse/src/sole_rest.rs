//! The rest position of a sole on uneven terrain.

use marey_motion::Vec2;

use crate::Footing;
use crate::terrain_profile::TerrainProfile;

/// Minimum distance of both support points from the middle of the sole, as a fraction of half its length.
const MIN_SUPPORT_FRACTION: f32 = 0.35;
/// How far the sole of a shoe gives way to the ground under its middle, in metres.
const SHOE_GIVE_M: f32 = 0.008;
/// Convergence threshold of the slope (rise over run).
const SLOPE_TOLERANCE: f32 = 1e-6;
/// Maximum number of iterations; a sole that has not settled by then has no footing.
const MAX_ITERATIONS: usize = 12;

impl TerrainProfile {
    /// The footing of a shoe: as [`TerrainProfile::footing`], and where a rigid sole would rock on its middle by at most
    /// [`SHOE_GIVE_M`]. On a hill the ground rises that much under every sole.
    pub(crate) fn shoe_footing(&self, along_m: f32, half_length_m: f32) -> Option<Footing> {
        self.footing(along_m, half_length_m).or_else(|| {
            let end = |x: f32| self.height_at(x).map(|y| Vec2::new(x, y));
            let (mut from_m, mut to_m) = (along_m - half_length_m, along_m + half_length_m);
            let slope_rad = (end(to_m)? - end(from_m)?).to_angle();
            (from_m, to_m) =
                (along_m - half_length_m * slope_rad.cos(), along_m + half_length_m * slope_rad.cos());
            let (from, to) = (end(from_m)?, end(to_m)?);
            let above_m = self.lift_m(from, to);
            let covers =
                self.height_at(along_m).filter(|_| above_m <= SHOE_GIVE_M && !self.has_gap(from_m, to_m));
            Some(Footing { position: Vec2::new(along_m, covers?), slope_rad: (to - from).to_angle() })
        })
    }

    /// The footing of a sole with its middle at a position; `None` if it does not come to rest there.
    pub(crate) fn footing(&self, along_m: f32, half_length_m: f32) -> Option<Footing> {
        if let Some([from, to]) = self.segment_over(along_m - half_length_m, along_m + half_length_m) {
            let segment = *to - *from;
            let height_m = from.y + (along_m - from.x) / segment.x * segment.y;
            let slope_rad = if segment.y == 0.0 { 0.0 } else { segment.to_angle() };
            return Some(Footing { position: Vec2::new(along_m, height_m), slope_rad });
        }
        let mut slope = 0f32;
        for _ in 0..MAX_ITERATIONS {
            let reach_m = half_length_m / (1.0 + slope * slope).sqrt();
            let (height_m, [behind, ahead]) = self.support_points(along_m, reach_m)?;
            let chord = ahead - behind;
            let settled = chord.y / chord.x;
            if (settled - slope).abs() < SLOPE_TOLERANCE {
                let min_support_m = MIN_SUPPORT_FRACTION * reach_m;
                let is_stable = along_m - behind.x >= min_support_m && ahead.x - along_m >= min_support_m;
                let slope_rad = chord.to_angle();
                return is_stable.then_some(Footing { position: Vec2::new(along_m, height_m), slope_rad });
            }
            slope = settled;
        }
        None
    }

    /// The two support points, one on either side of the middle, whose chord is highest at the middle, and that height.
    fn support_points(&self, along_m: f32, reach_m: f32) -> Option<(f32, [Vec2; 2])> {
        let (from_m, to_m) = (along_m - reach_m, along_m + reach_m);
        let end = |x: f32| self.height_at(x).map(|y| Vec2::new(x, y));
        let (first, last) = (end(from_m), end(to_m));
        let corners = self.corners_within(from_m, to_m);
        let behind = corners.iter().copied().filter(|at| at.x < along_m).chain(first);
        let mut highest: Option<(f32, [Vec2; 2])> = None;
        for behind in behind {
            for ahead in corners.iter().copied().filter(|at| at.x > along_m).chain(last) {
                let height_m = behind.y + (along_m - behind.x) / (ahead.x - behind.x) * (ahead.y - behind.y);
                if highest.is_none_or(|highest| height_m > highest.0) {
                    highest = Some((height_m, [behind, ahead]));
                }
            }
        }
        // On a ridge right below the middle the sole would rock.
        let ridge = |over: f32| self.height_at(along_m).is_some_and(|height| height > over + 1e-5);
        highest.filter(|highest| !ridge(highest.0))
    }
}
