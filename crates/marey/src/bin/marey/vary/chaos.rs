//! How something is varied: the flags of the attractor.

use clap::Args;
use marey::variations::Wish;
use marey::vary::{Settings, System};

/// What a sequence is wrapped around, and how another way around it is played.
#[derive(Debug, Args)]
#[command(next_help_heading = "How it is varied; a cell is what is never cut")]
pub(super) struct ChaosFlags {
    /// What it is wrapped around: lorenz, rossler, chua, or the speeds of x, y and z as three expressions: "y; -x; 0.1*z"
    #[arg(long, value_name = "SYSTEM", default_value = "lorenz", value_parser = system)]
    system: System,

    /// How far from the original's start the variation starts, as a share of the attractor's size; the less, the longer
    /// it keeps to the original at first
    #[arg(long, value_name = "SHARE", default_value_t = Settings::default().shift)]
    shift: f64,

    /// How many frames, lines or words a cell holds [default: the frames of a thirtieth of a second; one line or word]
    #[arg(long, value_name = "N")]
    per_cell: Option<usize>,

    /// How many cells a turn around the attractor has; about so long do chunks get [default: 45; text: 12]
    #[arg(long, value_name = "CELLS")]
    turn: Option<f64>,

    /// By how many cells a chunk may be early or late before it is cut [default: 2; text: 0]
    #[arg(long, value_name = "CELLS")]
    drift: Option<usize>,

    /// How many cells are played at least before a cut [default: 30; text: 1]
    #[arg(long, value_name = "CELLS")]
    least_chunk: Option<usize>,

    /// Start as the original does
    #[arg(long)]
    keep_first: bool,

    /// End as the original does
    #[arg(long)]
    keep_last: bool,
}

fn system(text: &str) -> Result<System, String> {
    text.parse().map_err(|error: marey::vary::Error| error.to_string())
}

impl ChaosFlags {
    /// For text.
    pub(super) fn for_text(&self) -> Settings {
        self.wish().over(Settings::for_symbols())
    }

    /// What was told.
    pub(super) fn wish(&self) -> Wish {
        Wish {
            system: self.system.clone(),
            shift: self.shift,
            per_cell: self.per_cell,
            turn: self.turn,
            drift: self.drift,
            least_chunk: self.least_chunk,
            keep_first: self.keep_first,
            keep_last: self.keep_last,
            ..Wish::default()
        }
    }
}
