//! Reads files of any format.

use marey_conventions::{
    self as conventions, ConventionOverrides, DeclaredConventions, FindingSource, RawPoints, Unit, UpAxis,
};
use marey_motion::{Place, Report, Take};

use crate::acclaim::{self, AcclaimFile, AcclaimSettings};
use crate::bvh::{self, BvhSettings, PositionChannels};
use crate::c3d::{self, C3dSettings};
#[cfg(feature = "fbx")]
use crate::fbx::{self, FbxFile, FbxSettings};
use crate::gltf::{self, GltfFile, GltfSettings};
#[cfg(feature = "npz")]
use crate::npz::{self, NpzSettings};
use crate::path::{self, PathSettings};
use crate::trc::{self, TrcSettings};
use crate::{
    Companion, FileContent, FileTake, Format, FormatsError, Limits, MotionFile, Neighbours, NoNeighbours,
};

/// Options of [`read`].
#[derive(Debug, Clone, Default)]
pub struct ReadOptions {
    /// Bounds on the size of the content.
    pub limits: Limits,
    /// Conventions set by the user.
    pub conventions: ConventionOverrides,
    /// The meaning of position channels in a BVH.
    pub positions: Option<PositionChannels>,
    /// The skeleton file of an AMC. If `None`, the one beside it.
    pub skeleton: Option<Companion>,
    /// The take to read: its name, or its number from 1. If `None`, all takes.
    pub take: Option<String>,
}

/// Reads a file of any format that needs no other files.
///
/// `hint` is the file name ending. It decides if the content does not.
pub fn read(bytes: &[u8], hint: Option<&str>, options: &ReadOptions) -> Result<MotionFile, FormatsError> {
    read_with(bytes, hint, options, &NoNeighbours)
}

/// Reads a file of any format. `neighbours` gives access to the files beside it, for formats that need several.
pub fn read_with(
    bytes: &[u8],
    hint: Option<&str>,
    options: &ReadOptions,
    neighbours: &dyn Neighbours,
) -> Result<MotionFile, FormatsError> {
    let format = Format::sniff(bytes).or_else(|| hint.and_then(Format::from_ending));
    let Some(format) = format else {
        let message = "neither the content nor the file name ending is that of a known format";
        return Err(FormatsError::refused(&crate::codes::UNKNOWN_FORMAT, Place::default(), message));
    };
    let RawFile { motion, mut report, declared } = read_as(format, bytes, options, neighbours)?;
    let content = match motion {
        RawMotion::Takes(takes) => {
            let mut file_takes = Vec::new();
            for take in select_takes(takes, options.take.as_deref())? {
                let (take, detected) =
                    conventions::normalise_take(take, &declared, &options.conventions, &mut report)?;
                file_takes.push(FileTake { take, detected });
            }
            FileContent::Figures(file_takes)
        }
        RawMotion::Points(points) => {
            let recording =
                conventions::normalise_points(points, &declared, &options.conventions, &mut report)?;
            FileContent::Points(Box::new(recording))
        }
    };
    Ok(MotionFile { format, content, report })
}

/// The take with a name or number, or all takes.
fn select_takes(takes: Vec<Take>, wanted: Option<&str>) -> Result<Vec<Take>, FormatsError> {
    let Some(wanted) = wanted else { return Ok(takes) };
    let number = wanted.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    let named = takes.iter().position(|take| take.name() == wanted);
    match named.or(number).filter(|index| *index < takes.len()) {
        Some(index) => Ok(takes.into_iter().skip(index).take(1).collect()),
        None => {
            let names: Vec<String> = takes.iter().map(|take| format!("{:?}", take.name())).collect();
            let message = format!("no take {wanted:?} among {}", names.join(", "));
            Err(FormatsError::refused(&crate::codes::NO_SUCH_TAKE, Place::default(), message))
        }
    }
}

/// A file of any format, before conversion to Marey's conventions.
struct RawFile {
    motion: RawMotion,
    report: Report,
    declared: DeclaredConventions,
}

/// Figures or points, in file units and axes.
enum RawMotion {
    /// At least one.
    Takes(Vec<Take>),
    Points(RawPoints),
}

impl From<AcclaimFile> for RawFile {
    fn from(AcclaimFile { take, rate_assumed, report }: AcclaimFile) -> Self {
        let rate_source = if rate_assumed { FindingSource::Assumed } else { FindingSource::File };
        let declared = DeclaredConventions { rate_source, ..DeclaredConventions::default() };
        Self { motion: RawMotion::Takes(vec![take]), report, declared }
    }
}

#[cfg(feature = "fbx")]
impl From<FbxFile> for RawFile {
    fn from(FbxFile { takes, unit, up, rate_assumed, report }: FbxFile) -> Self {
        let rate_source = if rate_assumed { FindingSource::Assumed } else { FindingSource::File };
        Self {
            motion: RawMotion::Takes(takes),
            report,
            declared: DeclaredConventions { rate_source, unit, up },
        }
    }
}

impl From<GltfFile> for RawFile {
    fn from(GltfFile { takes, rate_assumed, report, .. }: GltfFile) -> Self {
        let rate_source = if rate_assumed { FindingSource::Assumed } else { FindingSource::File };
        Self {
            motion: RawMotion::Takes(takes),
            report,
            declared: DeclaredConventions { rate_source, unit: Some(Unit::Metre), up: Some(UpAxis::Y) },
        }
    }
}

/// The error for a format whose cargo feature is off.
#[cfg(not(all(feature = "fbx", feature = "npz")))]
fn reader_left_out(format: Format) -> FormatsError {
    let message =
        format!("this build of Marey has no reader for {format}: the cargo feature `{format}` is off");
    FormatsError::refused(&crate::codes::READER_LEFT_OUT, Place::default(), message)
}

fn read_as(
    format: Format,
    bytes: &[u8],
    options: &ReadOptions,
    neighbours: &dyn Neighbours,
) -> Result<RawFile, FormatsError> {
    let (limits, rate_hz) = (options.limits, options.conventions.rate_hz);
    let acclaim = AcclaimSettings { limits, rate_hz };
    match format {
        Format::Bvh => {
            let file = bvh::read(bytes, &BvhSettings { limits, rate_hz, positions: options.positions })?;
            let motion = RawMotion::Takes(vec![file.take]);
            let declared = DeclaredConventions { unit: file.unit, ..DeclaredConventions::default() };
            Ok(RawFile { motion, report: file.report, declared })
        }
        Format::Asf => Ok(acclaim::read_asf(bytes, &acclaim)?.into()),
        Format::Amc => {
            let mut report = Report::default();
            let skeleton = match &options.skeleton {
                Some(skeleton) => skeleton.clone(),
                None => acclaim::find_skeleton(neighbours, &mut report)?,
            };
            let file = acclaim::read_amc(bytes, &skeleton, &acclaim)?;
            report.absorb(file.report);
            Ok(AcclaimFile { report, ..file }.into())
        }
        #[cfg(feature = "fbx")]
        Format::Fbx => Ok(fbx::read(bytes, &FbxSettings { limits, rate_hz })?.into()),
        #[cfg(not(feature = "fbx"))]
        Format::Fbx => Err(reader_left_out(format)),
        #[cfg(not(feature = "npz"))]
        Format::Npz => Err(reader_left_out(format)),
        #[cfg(feature = "npz")]
        Format::Npz => {
            let file = npz::read(bytes, &NpzSettings { limits, rate_hz, up: options.conventions.up })?;
            Ok(RawFile {
                motion: RawMotion::Takes(vec![file.take]),
                report: file.report,
                declared: file.declared,
            })
        }
        Format::Trc => {
            let file = trc::read(bytes, &TrcSettings { limits, rate_hz })?;
            Ok(RawFile {
                motion: RawMotion::Points(file.points),
                report: file.report,
                declared: file.declared,
            })
        }
        Format::Csv | Format::Json => {
            let read = if format == Format::Csv { path::read_csv } else { path::read_json };
            let file = read(bytes, &PathSettings { limits, rate_hz })?;
            Ok(RawFile {
                motion: RawMotion::Points(file.points),
                report: file.report,
                declared: file.declared,
            })
        }
        Format::C3d => {
            let file = c3d::read(bytes, &C3dSettings { limits, rate_hz })?;
            Ok(RawFile {
                motion: RawMotion::Points(file.points),
                report: file.report,
                declared: file.declared,
            })
        }
        Format::Gltf | Format::Glb | Format::Vrma => {
            Ok(gltf::read(bytes, &GltfSettings { limits, rate_hz }, neighbours)?.into())
        }
        Format::Usda => {
            let message = "USD is written, but not read";
            Err(FormatsError::refused(&crate::codes::UNKNOWN_FORMAT, Place::default(), message))
        }
    }
}
