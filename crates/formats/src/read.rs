//! One way in: bytes of any format to a take in Marey's conventions.

use std::fmt;

use marey_motion::{Place, Report, Take};

use crate::acclaim::{self, AcclaimFile, AcclaimSettings};
use crate::bvh::{self, BvhSettings, PositionChannels};
use crate::door::{self, By, Conventions, Detected};
use crate::{Companion, Error, Limits, Neighbours, NoNeighbours};

/// A file format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// Biovision hierarchy.
    Bvh,
    /// Acclaim skeleton file.
    Asf,
    /// Acclaim motion file, which needs its skeleton file.
    Amc,
}

impl Format {
    /// Every format.
    pub const ALL: [Format; 3] = [Format::Bvh, Format::Asf, Format::Amc];

    /// The usual ending of files in this format, as in `bvh`.
    pub fn ending(self) -> &'static str {
        match self {
            Format::Bvh => "bvh",
            Format::Asf => "asf",
            Format::Amc => "amc",
        }
    }

    /// Whether files in this format hold motion, not a skeleton alone.
    pub fn has_motion(self) -> bool {
        self != Format::Asf
    }

    /// The format of a file by its ending.
    pub fn of_ending(ending: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| ending.eq_ignore_ascii_case(format.ending()))
    }

    /// The format of bytes by their content.
    pub fn sniff(bytes: &[u8]) -> Option<Self> {
        if bvh::sniff(bytes) { Some(Format::Bvh) } else { acclaim::sniff(bytes) }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.ending())
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
    /// The skeleton file of an AMC, instead of the one beside it.
    pub skeleton: Option<Companion>,
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

/// Reads a file of any format that is whole in itself. `hint` is its ending, which decides where the content does not.
pub fn read(bytes: &[u8], hint: Option<&str>, options: &ReadOptions) -> Result<Import, Error> {
    read_with(bytes, hint, options, &NoNeighbours)
}

/// Reads a file of any format, with the files beside it at hand for formats that need more than one.
pub fn read_with(
    bytes: &[u8],
    hint: Option<&str>,
    options: &ReadOptions,
    neighbours: &dyn Neighbours,
) -> Result<Import, Error> {
    let format = Format::sniff(bytes).or_else(|| hint.and_then(Format::of_ending));
    let Some(format) = format else {
        let message = "neither the content nor the name tells a format that Marey reads";
        return Err(Error::refused(&crate::codes::UNKNOWN_FORMAT, Place::default(), message));
    };
    let File { take, mut report, rate_by } = read_as(format, bytes, options, neighbours)?;
    let (take, detected) = door::settle(take, rate_by, &options.conventions, &mut report)?;
    Ok(Import { take, format, detected, report })
}

/// A file of any format before conventions are settled.
struct File {
    take: Take,
    report: Report,
    /// Whether the file says its rate, or it was assumed.
    rate_by: By,
}

impl From<AcclaimFile> for File {
    fn from(AcclaimFile { take, rate_assumed, report }: AcclaimFile) -> Self {
        Self { take, report, rate_by: if rate_assumed { By::Assumed } else { By::File } }
    }
}

fn read_as(
    format: Format,
    bytes: &[u8],
    options: &ReadOptions,
    neighbours: &dyn Neighbours,
) -> Result<File, Error> {
    let (limits, rate_hz) = (options.limits, options.conventions.rate_hz);
    let acclaim = AcclaimSettings { limits, rate_hz };
    match format {
        Format::Bvh => {
            let file = bvh::read(bytes, &BvhSettings { limits, rate_hz, positions: options.positions })?;
            Ok(File { take: file.take, report: file.report, rate_by: By::File })
        }
        Format::Asf => Ok(acclaim::read_asf(bytes, &acclaim)?.into()),
        Format::Amc => {
            let mut report = Report::default();
            let skeleton = match &options.skeleton {
                Some(told) => told.clone(),
                None => acclaim::find_skeleton(neighbours, &mut report)?,
            };
            let file = acclaim::read_amc(bytes, &skeleton, &acclaim)?;
            report.absorb(file.report);
            Ok(AcclaimFile { report, ..file }.into())
        }
    }
}
