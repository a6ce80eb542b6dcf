//! Filling gaps as people of the corpus do.
//!
//! The tasks and measures are those of F. Harvey, M. Yurick, D. Nowrouzezahrai and C. Pal, *Robust Motion In-betweening* (2020). Instead
//! of a network, it uses locally weighted regression (W. Cleveland and S. Devlin, 1988) on the user's own corpus, so nothing is trained
//! for long and every prediction is a sum of examples.
//!
//! | step | module |
//! |---|---|
//! | frames of the corpus and their mirror images, at 30 Hz | `example_frames` |
//! | features of both ends, reduced by principal components | `moment_features`, `projection` |
//! | base: interpolation with inertia; the residual is what is predicted | `gap_curve`, `residual` |
//! | similar gaps of the corpus | `neighbours` |
//! | weights of their residuals | `local_ridge` |
//! | penalty, and retreat to the base far from the corpus | `calibration` |
//! | motion, feet | `fill`, `footing` |
//! | walks through the examples; gaps too long to predict | `walk`, `long_gap` |
//!
//! Known limits: the prediction is a mean, so it is between alternatives if there are several. Gaps of other lengths are not stretched
//! to serve as examples.

mod calibration;
mod example_frames;
mod fill;
mod floor_lift;
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
