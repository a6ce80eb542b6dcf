//! One way in: bytes of any format to what they hold, in Marey's conventions.

use marey_motion::{Place, Report, Take};

use crate::acclaim::{self, AcclaimFile, AcclaimSettings};
use crate::bvh::{self, BvhSettings, PositionChannels};
use crate::c3d::{self, C3dSettings};
use crate::door::{self, By, Conventions, RawPoints, Stated, UpAxis};
use crate::fbx::{self, FbxFile, FbxSettings};
use crate::gltf::{self, GltfFile, GltfSettings};
use crate::npz::{self, NpzSettings};
use crate::path::{self, PathSettings};
use crate::trc::{self, TrcSettings};
use crate::{Companion, Content, Error, Format, Import, Limits, Neighbours, NoNeighbours, Reading, Unit};

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
    /// Which take of a file with several: its name, or its number from 1. Without it, all.
    pub take: Option<String>,
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
    let Raw { motion, mut report, stated } = read_as(format, bytes, options, neighbours)?;
    let content = match motion {
        RawMotion::Takes(takes) => {
            let mut readings = Vec::new();
            for take in chosen(takes, options.take.as_deref())? {
                let (take, detected) = door::settle(take, &stated, &options.conventions, &mut report)?;
                readings.push(Reading { take, detected });
            }
            Content::Figures(readings)
        }
        RawMotion::Points(points) => {
            let settled = door::settle_points(points, &stated, &options.conventions, &mut report)?;
            Content::Points(Box::new(settled))
        }
    };
    Ok(Import { format, content, report })
}

/// The take that is asked for, by name or else by number; all where none is.
fn chosen(takes: Vec<Take>, wanted: Option<&str>) -> Result<Vec<Take>, Error> {
    let Some(wanted) = wanted else { return Ok(takes) };
    let number = wanted.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    let named = takes.iter().position(|take| take.name() == wanted);
    match named.or(number).filter(|index| *index < takes.len()) {
        Some(index) => Ok(takes.into_iter().skip(index).take(1).collect()),
        None => {
            let names: Vec<String> = takes.iter().map(|take| format!("{:?}", take.name())).collect();
            let message = format!("no take {wanted:?} among {}", names.join(", "));
            Err(Error::refused(&crate::codes::NO_SUCH_TAKE, Place::default(), message))
        }
    }
}

/// A file of any format before conventions are settled.
struct Raw {
    motion: RawMotion,
    report: Report,
    stated: Stated,
}

/// Figures or points, in file units and axes.
enum RawMotion {
    /// At least one.
    Takes(Vec<Take>),
    Points(RawPoints),
}

impl From<AcclaimFile> for Raw {
    fn from(AcclaimFile { take, rate_assumed, report }: AcclaimFile) -> Self {
        let rate_by = if rate_assumed { By::Assumed } else { By::File };
        let stated = Stated { rate_by, ..Stated::default() };
        Self { motion: RawMotion::Takes(vec![take]), report, stated }
    }
}

impl From<FbxFile> for Raw {
    fn from(FbxFile { takes, unit, up, rate_assumed, report }: FbxFile) -> Self {
        let rate_by = if rate_assumed { By::Assumed } else { By::File };
        Self { motion: RawMotion::Takes(takes), report, stated: Stated { rate_by, unit, up } }
    }
}

impl From<GltfFile> for Raw {
    fn from(GltfFile { takes, rate_assumed, report }: GltfFile) -> Self {
        let rate_by = if rate_assumed { By::Assumed } else { By::File };
        Self {
            motion: RawMotion::Takes(takes),
            report,
            stated: Stated { rate_by, unit: Some(Unit::Metre), up: Some(UpAxis::Y) },
        }
    }
}

fn read_as(
    format: Format,
    bytes: &[u8],
    options: &ReadOptions,
    neighbours: &dyn Neighbours,
) -> Result<Raw, Error> {
    let (limits, rate_hz) = (options.limits, options.conventions.rate_hz);
    let acclaim = AcclaimSettings { limits, rate_hz };
    match format {
        Format::Bvh => {
            let file = bvh::read(bytes, &BvhSettings { limits, rate_hz, positions: options.positions })?;
            let motion = RawMotion::Takes(vec![file.take]);
            Ok(Raw { motion, report: file.report, stated: Stated::default() })
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
        Format::Fbx => Ok(fbx::read(bytes, &FbxSettings { limits, rate_hz })?.into()),
        Format::Npz => {
            let file = npz::read(bytes, &NpzSettings { limits, rate_hz, up: options.conventions.up })?;
            Ok(Raw { motion: RawMotion::Takes(vec![file.take]), report: file.report, stated: file.stated })
        }
        Format::Trc => {
            let file = trc::read(bytes, &TrcSettings { limits, rate_hz })?;
            Ok(Raw { motion: RawMotion::Points(file.points), report: file.report, stated: file.stated })
        }
        Format::Csv | Format::Json => {
            let read = if format == Format::Csv { path::read_csv } else { path::read_json };
            let file = read(bytes, &PathSettings { limits, rate_hz })?;
            Ok(Raw { motion: RawMotion::Points(file.points), report: file.report, stated: file.stated })
        }
        Format::C3d => {
            let file = c3d::read(bytes, &C3dSettings { limits, rate_hz })?;
            Ok(Raw { motion: RawMotion::Points(file.points), report: file.report, stated: file.stated })
        }
        Format::Gltf | Format::Glb => {
            Ok(gltf::read(bytes, &GltfSettings { limits, rate_hz }, neighbours)?.into())
        }
    }
}
