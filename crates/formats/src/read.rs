//! One way in: bytes of any format to a take in Marey's conventions.

use std::fmt;

use marey_motion::{Place, Report, Take};

use crate::bvh::{self, BvhSettings, PositionChannels};
use crate::door::{self, Conventions, Detected};
use crate::{Error, Limits};

/// A file format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// Biovision hierarchy.
    Bvh,
}

impl Format {
    /// The format of a file by its ending.
    pub fn of_ending(ending: &str) -> Option<Self> {
        ending.eq_ignore_ascii_case("bvh").then_some(Format::Bvh)
    }

    /// The format of bytes by their content.
    pub fn sniff(bytes: &[u8]) -> Option<Self> {
        bvh::sniff(bytes).then_some(Format::Bvh)
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Format::Bvh => "bvh",
        })
    }
}

/// How a file is read.
#[derive(Debug, Clone, Default)]
pub struct ReadOptions {
    /// How much is taken in.
    pub limits: Limits,
    /// What the user says about conventions.
    pub conventions: Conventions,
    /// What position channels mean in a BVH.
    pub positions: Option<PositionChannels>,
}

/// What was read.
#[derive(Debug, Clone)]
pub struct Import {
    /// The motion.
    pub take: Take,
    /// The format it was in.
    pub format: Format,
    /// What was found about each actor.
    pub detected: Vec<Detected>,
    /// What the reader had to live with.
    pub report: Report,
}

/// Reads a file of any format. `hint` is its ending, which decides where the content does not.
pub fn read(bytes: &[u8], hint: Option<&str>, options: &ReadOptions) -> Result<Import, Error> {
    let format = Format::sniff(bytes).or_else(|| hint.and_then(Format::of_ending));
    let Some(format) = format else {
        let message = "neither the content nor the name tells a format that Marey reads";
        return Err(Error::refused(&crate::codes::UNKNOWN_FORMAT, Place::default(), message));
    };
    let (take, mut report) = match format {
        Format::Bvh => {
            let settings = BvhSettings {
                limits: options.limits,
                rate_hz: options.conventions.rate_hz,
                positions: options.positions,
            };
            let file = bvh::read(bytes, &settings)?;
            (file.take, file.report)
        }
    };
    let (take, detected) = door::settle(take, &options.conventions, &mut report)?;
    Ok(Import { take, format, detected, report })
}
