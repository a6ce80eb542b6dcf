//! Limits on what a request may ask for.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::motion::Terrain;
use crate::{Error, codes};

/// How much a verb makes at most. Every verb checks it before it allocates, so that a short request, such as a plan with
/// 10⁸ frames, fails at once instead of filling the memory.
///
/// ```
/// use marey::Budget;
/// let budget = Budget::default().with("frames=5000000".parse()?);
/// assert!(budget.check_frames(4e6).is_ok());
/// assert_eq!(budget.check_frames(1e8).unwrap_err().code.id, "command/limit");
/// # Ok::<(), marey::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Budget {
    /// Frames of motion, summed over all actors of a result; default 2,000,000: four and a half hours of one actor at 120 Hz,
    /// about 1 GB.
    pub frames: f64,
    /// Length of ground, in metres; default 10,000.
    pub metres: f64,
    /// Frames of examples that a verb holds in memory, summed over all actors; default 400,000: 56 minutes of one actor at 120 Hz,
    /// about 250 MB. Of a larger corpus, evenly chosen takes are used and the others reported. `follow` has no such limit: it
    /// keeps a few points of each frame.
    pub examples: f64,
}

impl Default for Budget {
    fn default() -> Self {
        Self { frames: 2e6, metres: 1e4, examples: 4e5 }
    }
}

/// One limit of a [`Budget`], as text `NAME=NUMBER`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum BudgetLimit {
    /// [`Budget::frames`].
    Frames(f64),
    /// [`Budget::metres`].
    Metres(f64),
    /// [`Budget::examples`].
    Examples(f64),
}

impl FromStr for BudgetLimit {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let wrong = || Error::settings(format!("budget {text:?}: write frames=N, metres=N or examples=N"));
        let (name, number) = text.split_once('=').ok_or_else(wrong)?;
        let number = number.parse::<f64>().ok().filter(|number| *number >= 0.0).ok_or_else(wrong)?;
        match name {
            "frames" => Ok(Self::Frames(number)),
            "metres" => Ok(Self::Metres(number)),
            "examples" => Ok(Self::Examples(number)),
            _ => Err(wrong()),
        }
    }
}

impl Budget {
    /// The same budget with another limit.
    pub fn with(self, limit: BudgetLimit) -> Self {
        match limit {
            BudgetLimit::Frames(frames) => Self { frames, ..self },
            BudgetLimit::Metres(metres) => Self { metres, ..self },
            BudgetLimit::Examples(examples) => Self { examples, ..self },
        }
    }

    /// Fails if a result would have more frames, summed over its actors.
    pub fn check_frames(&self, frames: f64) -> Result<(), Error> {
        check("frames", frames, self.frames)
    }

    /// Fails if ground is longer.
    pub fn check_terrain(&self, terrain: &Terrain) -> Result<(), Error> {
        check("metres", f64::from(terrain.end_m()) - f64::from(terrain.start_m()), self.metres)
    }
}

/// Fails unless a number is within a limit. NaN is not.
fn check(name: &str, found: f64, limit: f64) -> Result<(), Error> {
    if found <= limit {
        return Ok(());
    }
    let message = format!("{found} {name} are more than the budget of {limit}");
    Err(Error::usage(&codes::LIMIT, message))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_read_and_kept() {
        let budget = Budget::default().with("metres=20".parse().unwrap());
        assert_eq!(budget.check_terrain(&Terrain::default()).map_err(|error| error.code.id), Ok(()));
        let short = budget.with(BudgetLimit::Metres(4.9));
        assert_eq!(short.check_terrain(&Terrain::default()).unwrap_err().code.id, "command/limit");
        assert!(budget.check_frames(f64::NAN).is_err());
        for wrong in ["frames", "frames=", "frames=-1", "frames=x", "people=3", ""] {
            assert!(wrong.parse::<BudgetLimit>().unwrap_err().is_usage, "{wrong}");
        }
    }
}
