//! A way over the floor that one of the two is to go.

use marey_motion::Vec3;
use serde::{Deserialize, Serialize};

use crate::{Error, Result};

/// Where somebody is to be when.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Way {
    /// Who, 0 or 1.
    pub person: usize,
    /// Time, x and z, in seconds and metres; times ascend.
    pub points: Vec<[f64; 3]>,
}

impl Way {
    /// Checks that it is one.
    pub fn validate(&self) -> Result<()> {
        let finite = self.points.iter().flatten().all(|x| x.abs() <= 1e6);
        let ascends = self.points.windows(2).all(|pair| pair[0][0] < pair[1][0]);
        if self.person > 1 || self.points.is_empty() || !finite || !ascends {
            return Err(Error::Way);
        }
        Ok(())
    }

    /// Where to be at a time: along straight lines; before and after it, at its ends.
    pub fn at(&self, secs: f64) -> Vec3 {
        let next = self.points.partition_point(|point| point[0] <= secs);
        let before = self.points[next.saturating_sub(1).min(self.points.len() - 1)];
        let after = self.points[next.min(self.points.len() - 1)];
        let span = after[0] - before[0];
        let share = if span > 0.0 { ((secs - before[0]) / span).clamp(0.0, 1.0) } else { 0.0 };
        let mix = |i: usize| (before[i] + share * (after[i] - before[i])) as f32;
        Vec3::new(mix(1), 0.0, mix(2))
    }
}

#[cfg(test)]
mod tests {
    use marey_motion::Coded;

    use super::*;

    #[test]
    fn a_way_is_gone_along_straight_lines() {
        let way = Way { person: 0, points: vec![[0.0, 0.0, 0.0], [2.0, 4.0, 0.0], [4.0, 4.0, 2.0]] };
        assert!(way.validate().is_ok());
        for (secs, x, z) in
            [(-1.0, 0.0, 0.0), (1.0, 2.0, 0.0), (2.0, 4.0, 0.0), (3.0, 4.0, 1.0), (9.0, 4.0, 2.0)]
        {
            assert!(way.at(secs).distance(Vec3::new(x, 0.0, z)) < 1e-6);
        }
        let back = Way { person: 0, points: vec![[1.0, 0.0, 0.0], [1.0, 1.0, 0.0]] };
        assert_eq!(back.validate().unwrap_err().code().id, "duet/way");
        assert!(Way { person: 2, ..way.clone() }.validate().is_err());
        assert!(Way { points: vec![[0.0, f64::NAN, 0.0]], ..way }.validate().is_err());
    }
}
