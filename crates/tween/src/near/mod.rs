//! Filling gaps as people of the corpus do.

mod calibration;
mod example_frames;
mod fill;
mod footing;
mod gap_curve;
mod gap_problem;
mod local_ridge;
mod long_gap;
mod model;
mod moment_features;
mod neighbours;
mod projection;
mod residual;
mod settings;
mod walk;

pub use fill::{GapMotion, NearestExample};
pub use model::{GapCalibration, GapExample, GapModel};
pub use settings::{EndPlace, GapSettings, NearSettings};
pub use walk::{WalkPiece, WanderSettings};

/// Rate at which examples are stored and compared, in Hz.
pub(crate) const WORKING_RATE_HZ: f64 = 30.0;
