//! Why some motion between two plants of the examples is no stride.

use std::fmt;

/// The reason why a primitive cannot be made from two consecutive plants of a walker.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum UnusedStride {
    /// The same foot comes down twice, or both at once: a hop, a shuffle, or a jump with both feet.
    SameFoot,
    /// It takes longer than 1.3 s: the person stops.
    Slow,
    /// Neither foot is down for more than 0.6 s.
    LongFlight,
    /// The foot lifts only after the other one has come down.
    BothFeet,
    /// It leads sideways or backwards.
    NotAhead,
    /// It turns by more than 17°.
    Turns,
    /// It is no longer than 15 cm: a step on the spot.
    Short,
}

impl fmt::Display for UnusedStride {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            UnusedStride::SameFoot => "use the same foot twice or both at once",
            UnusedStride::Slow => "take longer than 1.3 s",
            UnusedStride::LongFlight => "fly for more than 0.6 s",
            UnusedStride::BothFeet => "lift no foot",
            UnusedStride::NotAhead => "lead sideways or backwards",
            UnusedStride::Turns => "turn by more than 17°",
            UnusedStride::Short => "are shorter than 15 cm",
        })
    }
}
