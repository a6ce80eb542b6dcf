//! Errors of chaotic variation.

use marey_ops::OutOfRange;

/// Why a variation failed.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, thiserror::Error, marey_motion::Coded)]
pub enum VaryError {
    /// A setting is out of range.
    #[code(codes::SETTING)]
    #[error(transparent)]
    Setting(#[from] OutOfRange),
    /// The sequence is too short.
    #[code(codes::TOO_SHORT)]
    #[error("the sequence has {elements} elements; at least {min} are needed")]
    TooShort {
        /// Number of elements.
        elements: usize,
        /// Minimum number of elements.
        min: usize,
    },
    /// An expression cannot be parsed.
    #[code(codes::EXPRESSION, line = 1, column = column)]
    #[error("{text:?}: {problem}")]
    Expression {
        /// The expression.
        text: String,
        /// Column of the problem, from 1.
        column: usize,
        /// Description of the problem.
        problem: String,
    },
    /// The text is neither the name of a system nor three expressions.
    #[code(codes::UNKNOWN_SYSTEM)]
    #[error("unknown system {text:?}")]
    UnknownSystem {
        /// The text.
        text: String,
    },
    /// A trajectory diverges.
    #[code(codes::DIVERGES)]
    #[error("the trajectory exceeds {bound:e} or cannot continue after {time:.3} units of time")]
    Diverges {
        /// System time of the failure.
        time: f64,
        /// The limit for each coordinate.
        bound: f64,
    },
    /// A trajectory comes to rest or hardly oscillates, so that a sequence cannot be wrapped around it.
    #[code(codes::NO_OSCILLATION)]
    #[error("the system makes only {turns} revolutions in {time} units of time")]
    NoOscillation {
        /// Number of revolutions.
        turns: usize,
        /// System time over which they were counted.
        time: f64,
    },
    /// No start moves enough of the sequence.
    #[code(codes::UNCHANGED)]
    #[error(
        "the variation would be the original: {cells} cells are too few for chunks of {shortest} or more"
    )]
    Unchanged {
        /// Number of cells of the sequence.
        cells: usize,
        /// Least number of cells of a chunk.
        shortest: usize,
    },
    /// A phrase has no frames in its take, or takes do not fit together.
    #[code(codes::PHRASE)]
    #[error("{problem}")]
    Phrase {
        /// Description of the problem.
        problem: String,
    },
}

/// Codes of the errors of this crate.
pub mod codes {
    marey_motion::codes! {
        SETTING = "vary/setting":
            "A setting of a variation is out of range." => "Use a value in the range that the message gives.";
        TOO_SHORT = "vary/short":
            "The sequence is too short to vary."
            => "Use a longer clip, wider tags, or fewer frames per cell.";
        EXPRESSION = "vary/expression":
            "An expression of a system cannot be parsed."
            => "Use numbers, x, y, z, pi, + - * / ^, parentheses, and sin, cos, tan, exp, ln, sqrt, abs, sign, tanh.";
        UNKNOWN_SYSTEM = "vary/system":
            "The system is unknown."
            => "Use lorenz, rossler, chua, or three expressions: \"10*(y-x); x*(28-z)-y; x*y-8/3*z\".";
        DIVERGES = "vary/diverges" alias "vary/escapes":
            "A trajectory of the system diverges."
            => "Use a smaller shift or another system.";
        NO_OSCILLATION = "vary/no-oscillation" alias "vary/still":
            "The system comes to rest or does not oscillate, so that a sequence cannot be wrapped around it."
            => "Use constants for which the system is chaotic.";
        UNCHANGED = "vary/unchanged":
            "A variation would be the same as the original, or nearly."
            => "Use a longer clip, shorter chunks (`--min-chunk`, `--turn`) or a larger `--shift`.";
        PHRASE = "vary/phrase":
            "A phrase has no frames in its take, or takes do not fit together."
            => "Use frames inside the take, and takes with the same frame rate and number of actors.";
    }
}
