//! How a control motion is interpreted.

use marey_ops::OutOfRange;
use serde::{Deserialize, Serialize};

use crate::{Result, Transform};

/// How a control motion is interpreted. The defaults are those of Hsu, Gentry and Popović (2004, section 6.1), as far as they
/// say.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// The rate at which motions are compared, in frames a second; default 10; 1 to 240. Never above the control's
    /// own. The search takes time in proportion to it; what it finds is brought to the control's rate by a second pass.
    pub rate_hz: f64,
    /// How much continuity of the target weighs against interpretation of the control; default 1; 0 to 10⁶. A sum of squared
    /// distances of one instant is weighed against that of every frame of the working rate. Too little, and the target
    /// jumps; too much, and it goes its own way.
    pub k: f64,
    /// How much longer or shorter an instance may become, in seconds; default 0.2; 0 to 5. The distance does not tell slow
    /// from fast, so what is slow must not become fast.
    pub stretch_secs: f64,
    /// How an example may be moved to lie on the control; default over the floor.
    pub transform: Transform,
    /// How many frames of the working rate are compared where instances follow each other; default 1; 1 to 10. With two,
    /// velocities are compared as well: the last frames of the one with those that led to the other in its own example.
    pub join_frames: u8,
    /// Whether the first instance may begin in its middle, since the control does; default false.
    pub free_start: bool,
    /// Whether the last instance may end in its middle; default false.
    pub free_end: bool,
    /// Ways that cost so much more than the best one to the same instant are not gone on from, in square metres; 0 to 10⁹;
    /// default `None`: none is left out, and the best of all is found.
    pub beam: Option<f64>,
    /// Whether a second pass sets durations at the control's own rate; default true. Otherwise they are in frames of the
    /// working rate.
    pub refine: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            rate_hz: 10.0,
            k: 1.0,
            stretch_secs: 0.2,
            transform: Transform::Ground,
            join_frames: 1,
            free_start: false,
            free_end: false,
            beam: None,
            refine: true,
        }
    }
}

impl Settings {
    /// Checks the ranges.
    pub fn validate(&self) -> Result<()> {
        OutOfRange::check("rate_hz", self.rate_hz, 1.0..=240.0)?;
        OutOfRange::check("k", self.k, 0.0..=1e6)?;
        OutOfRange::check("stretch_secs", self.stretch_secs, 0.0..=5.0)?;
        OutOfRange::check("join_frames", self.join_frames, 1..=10)?;
        OutOfRange::check("beam", self.beam.unwrap_or(0.0), 0.0..=1e9)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_out_of_range_or_not_a_number_is_refused() {
        let good = Settings::default();
        assert!(good.validate().is_ok());
        for bad in [
            Settings { rate_hz: 0.5, ..good },
            Settings { k: f64::NAN, ..good },
            Settings { stretch_secs: -0.1, ..good },
            Settings { join_frames: 0, ..good },
            Settings { beam: Some(-1.0), ..good },
        ] {
            assert!(bad.validate().is_err(), "{bad:?}");
        }
    }
}
