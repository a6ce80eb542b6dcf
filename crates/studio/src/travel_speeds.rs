//! How fast the actors of takes travel, measured in the background for the library.

use std::collections::BTreeMap;
use std::sync::Mutex;

use marey_corpus::{Corpus, TakeInfo};
use marey_measure::travel::mean_speed_mps;

use crate::{Result, lock};

/// How much of a take is measured, in seconds.
const MEASURED_SECS: f64 = 20.0;

/// Mean speeds over the floor, by the content of the take.
#[derive(Debug, Default)]
pub(crate) struct TravelSpeeds {
    speeds_mps: Mutex<BTreeMap<String, f32>>,
}

impl TravelSpeeds {
    /// The mean speed of a take's first actor, in metres per second, if it is measured already.
    pub(crate) fn get(&self, take: &TakeInfo) -> Option<f32> {
        lock(&self.speeds_mps).get(&take.content).copied()
    }

    /// Measures the takes that were not measured yet. Returns whether there were any.
    pub(crate) fn measure(&self, corpus: &Corpus) -> Result<bool> {
        let mut is_changed = false;
        for info in corpus.takes()? {
            if self.get(&info).is_none() {
                let frames = ((MEASURED_SECS * info.rate_hz) as usize).clamp(1, info.frames);
                let take = corpus.take_range(info.id, 0..frames)?;
                lock(&self.speeds_mps).insert(info.content, mean_speed_mps(take.first()));
                is_changed = true;
            }
        }
        Ok(is_changed)
    }
}
