//! Flags of the attractor and of chunks.

use clap::Args;
use marey::vary::{ChaoticSystem, VaryError, VaryRequest};

#[derive(Debug, Args)]
#[command(next_help_heading = "Attractor and chunks; a cell is never cut")]
pub(super) struct AttractorFlags {
    /// System of equations: lorenz, rossler, chua, or the derivatives of x, y and z as three expressions: "y; -x; 0.1*z"
    #[arg(long, value_name = "SYSTEM", default_value = "lorenz", value_parser = system)]
    system: ChaoticSystem,

    /// Distance between the starts of variation and original, relative to the attractor's size; with a smaller value, the
    /// variation follows the original for longer [default: the smallest that changes half of the first turn]
    #[arg(long, value_name = "RATIO")]
    shift: Option<f64>,

    /// Frames, keyframes, lines or words per cell [default: the frames of 1/30 second; one keyframe, line or word]
    #[arg(long, value_name = "N")]
    per_cell: Option<usize>,

    /// Cells per revolution around the attractor; chunks are about this long [default: an eighth of the motion, 10 to 45; keyframes and text: a quarter, 4 to 12]
    #[arg(long, value_name = "CELLS")]
    turn: Option<f64>,

    /// Cells by which a chunk may be early or late before it is cut [default: 2; keyframes and text: 0]
    #[arg(long, value_name = "CELLS")]
    drift: Option<usize>,

    /// Minimum length of a chunk [default: two thirds of a turn; keyframes and text: 1]
    #[arg(long, value_name = "CELLS")]
    min_chunk: Option<usize>,

    /// Start like the original
    #[arg(long)]
    keep_first: bool,

    /// End like the original
    #[arg(long)]
    keep_last: bool,
}

fn system(text: &str) -> Result<ChaoticSystem, String> {
    text.parse().map_err(|error: VaryError| error.to_string())
}

impl AttractorFlags {
    /// A request with these flags and defaults for the rest.
    pub(super) fn request(&self) -> VaryRequest {
        VaryRequest {
            system: self.system.clone(),
            shift: self.shift,
            per_cell: self.per_cell,
            turn: self.turn,
            drift: self.drift,
            min_chunk: self.min_chunk,
            keep_first: self.keep_first,
            keep_last: self.keep_last,
            ..VaryRequest::default()
        }
    }
}
