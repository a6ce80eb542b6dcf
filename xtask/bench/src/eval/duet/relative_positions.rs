//! Where two people are relative to each other.

use marey_motion::{Ground, Take};

use super::runs::quantile;

/// Relative positions in all frames of takes, sorted.
#[derive(Default)]
pub(super) struct RelativePositions {
    pub(super) distances: Vec<f64>,
    pub(super) bearings: Vec<f64>,
}

impl RelativePositions {
    pub(super) fn of<'a>(takes: impl IntoIterator<Item = &'a Take>) -> Self {
        let mut found = Self::default();
        for take in takes {
            let tracks: Vec<Vec<Ground>> =
                take.actors().iter().map(|actor| actor.clip.ground_track().frames).collect();
            for (one, other) in tracks[0].iter().zip(&tracks[1]) {
                let to = one.inverse().point(other.translation());
                found.distances.push(f64::from(to.x.hypot(to.z)));
                found.bearings.push(f64::from(to.x.atan2(to.z)));
            }
        }
        found.distances.sort_by(f64::total_cmp);
        found.bearings.sort_by(f64::total_cmp);
        found
    }

    /// The share of distances, and of bearings, within the 99 % range of `recorded`.
    pub(super) fn shares_within(&self, recorded: &Self) -> [f64; 2] {
        let share = |values: &[f64], own: &[f64]| {
            let range = quantile(own, 0.005)..=quantile(own, 0.995);
            values.iter().filter(|value| range.contains(value)).count() as f64 / values.len().max(1) as f64
        };
        [share(&self.distances, &recorded.distances), share(&self.bearings, &recorded.bearings)]
    }
}
