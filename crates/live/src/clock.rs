//! A clock that paces live frames.

use std::thread;
use std::time::{Duration, Instant};

/// A clock that is late by more than this does not try to catch up.
const MAX_DELAY: Duration = Duration::from_millis(250);

/// Waits until the next frame of a live session is due.
///
/// ```
/// use std::time::Instant;
/// use marey_live::FrameClock;
/// let start = Instant::now();
/// let mut clock = FrameClock::start();
/// for _ in 0..3 {
///     clock.wait(100.0);
/// }
/// assert!(start.elapsed().as_secs_f64() > 0.029);
/// ```
#[derive(Debug, Clone)]
pub struct FrameClock {
    due: Instant,
}

impl FrameClock {
    /// A clock whose first frame is due one frame time from now.
    pub fn start() -> Self {
        Self { due: Instant::now() }
    }

    /// Waits until the next frame is due. The rate is limited to 1 to 1000 Hz; one that is not a number counts as 1000 Hz.
    ///
    /// A clock that is a little late catches up by waiting less; after a longer delay, it continues from now.
    pub fn wait(&mut self, rate_hz: f64) {
        let now = Instant::now();
        let rate_hz = if rate_hz.is_nan() { 1000.0 } else { rate_hz.clamp(1.0, 1000.0) };
        self.due += Duration::from_secs_f64(1.0 / rate_hz);
        match self.due.checked_duration_since(now) {
            Some(early) => thread::sleep(early),
            None if now - self.due > MAX_DELAY => self.due = now,
            None => {}
        }
    }
}
