//! A path over the floor that one of two people follows.

use marey_motion::Vec3;
use serde::{Deserialize, Serialize};

use crate::{DuetError, Result};

/// Positions over time for one person.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DuetPath {
    /// Index of the person who follows the path, 0 or 1.
    pub person: usize,
    /// Time in seconds, x and z in metres; times ascend.
    pub points: Vec<[f64; 3]>,
}

impl DuetPath {
    /// Checks that there are points, that all numbers are finite, and that times ascend.
    pub fn validate(&self) -> Result<()> {
        let is_finite = self.points.iter().flatten().all(|x| x.abs() <= 1e6);
        let ascends = self.points.windows(2).all(|pair| pair[0][0] < pair[1][0]);
        if self.person > 1 || self.points.is_empty() || !is_finite || !ascends {
            return Err(DuetError::InvalidPath);
        }
        Ok(())
    }

    /// Returns the position at a time, interpolated linearly and clamped to the ends.
    pub fn at(&self, secs: f64) -> Vec3 {
        let next = self.points.partition_point(|point| point[0] <= secs);
        let before = self.points[next.saturating_sub(1).min(self.points.len() - 1)];
        let after = self.points[next.min(self.points.len() - 1)];
        let span = after[0] - before[0];
        let fraction = if span > 0.0 { ((secs - before[0]) / span).clamp(0.0, 1.0) } else { 0.0 };
        let mix = |i: usize| (before[i] + fraction * (after[i] - before[i])) as f32;
        Vec3::new(mix(1), 0.0, mix(2))
    }
}

#[cfg(test)]
mod tests {
    use marey_motion::Coded;

    use super::*;

    #[test]
    fn positions_are_interpolated_linearly() {
        let path = DuetPath { person: 0, points: vec![[0.0, 0.0, 0.0], [2.0, 4.0, 0.0], [4.0, 4.0, 2.0]] };
        assert!(path.validate().is_ok());
        for (secs, x, z) in
            [(-1.0, 0.0, 0.0), (1.0, 2.0, 0.0), (2.0, 4.0, 0.0), (3.0, 4.0, 1.0), (9.0, 4.0, 2.0)]
        {
            assert!(path.at(secs).distance(Vec3::new(x, 0.0, z)) < 1e-6);
        }
    }

    #[test]
    fn invalid_paths_are_refused() {
        let path = DuetPath { person: 0, points: vec![[0.0, 0.0, 0.0]] };
        let same_time = DuetPath { person: 0, points: vec![[1.0, 0.0, 0.0], [1.0, 1.0, 0.0]] };
        assert_eq!(same_time.validate().unwrap_err().code().id, "duet/path");
        assert!(DuetPath { person: 2, ..path.clone() }.validate().is_err());
        assert!(DuetPath { points: vec![[0.0, f64::NAN, 0.0]], ..path }.validate().is_err());
    }
}
