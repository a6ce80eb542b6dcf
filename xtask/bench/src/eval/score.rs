//! Precision and recall of detected events.

/// The number of true events, of detected events, and of matches.
#[derive(Debug, Default)]
pub(super) struct Score {
    real: usize,
    found: usize,
    matched: usize,
}

impl Score {
    /// Adds the events of a clip. A detected event matches at most one true event, at most `slack` frames away.
    pub(super) fn add(&mut self, real: &[usize], found: &[usize], slack: usize) {
        self.real += real.len();
        self.found += found.len();
        let mut free = found.to_vec();
        for &event in real {
            let near = (0..free.len()).filter(|&i| free[i].abs_diff(event) <= slack);
            if let Some(i) = near.min_by_key(|&i| free[i].abs_diff(event)) {
                free.remove(i);
                self.matched += 1;
            }
        }
    }

    pub(super) fn precision(&self) -> f64 {
        self.matched as f64 / self.found.max(1) as f64
    }

    pub(super) fn recall(&self) -> f64 {
        self.matched as f64 / self.real.max(1) as f64
    }
}
