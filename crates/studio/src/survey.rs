//! What the library shows of takes beside their names, worked out in the background: how fast somebody goes.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use marey_corpus::{Corpus, TakeInfo};
use marey_motion::Vec3;

use crate::Result;

/// How much of a take is looked at, in seconds.
const LOOKED_AT_SECS: f64 = 20.0;

/// Mean speeds over the floor, by content.
#[derive(Debug, Default)]
pub(crate) struct Survey {
    speeds_mps: Mutex<BTreeMap<String, f32>>,
}

impl Survey {
    /// The mean speed of a take's first actor, in metres a second, where it is known by now.
    pub(crate) fn speed_mps(&self, content: &str) -> Option<f32> {
        self.speeds_mps.lock().unwrap_or_else(PoisonError::into_inner).get(content).copied()
    }

    /// Looks at the first take of a list that was not looked at; whether there was one.
    pub(crate) fn look_at_one(&self, corpus: &Corpus, takes: &[TakeInfo]) -> Result<bool> {
        let Some(info) = takes.iter().find(|info| self.speed_mps(&info.content).is_none()) else {
            return Ok(false);
        };
        let frames = ((LOOKED_AT_SECS * info.rate_hz) as usize).clamp(1, info.frames);
        let take = corpus.take_range(info.id, 0..frames)?;
        let places: Vec<Vec3> = take.first().root_positions().map(|at| at.with_y(0.0)).collect();
        // Once every fifth of a second, so that swaying is no travelling.
        let every = (0.2 * info.rate_hz).round().max(1.0) as usize;
        let places: Vec<Vec3> = places.into_iter().step_by(every).collect();
        let way: f32 = places
            .windows(2)
            .map(|pair| pair.first().zip(pair.last()).map_or(0.0, |(a, b)| a.distance(*b)))
            .sum();
        let secs = (places.len().saturating_sub(1) * every) as f64 / info.rate_hz;
        let speed_mps = if secs > 0.0 { way / secs as f32 } else { 0.0 };
        self.speeds_mps
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(info.content.clone(), speed_mps);
        Ok(true)
    }
}
