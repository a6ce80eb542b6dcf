//! The format that is written, and how.

use std::path::Path;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use marey::codes;
use marey::conventions::Unit;
use marey::formats::bvh::{BvhOptions, RotationOrder};
use marey::formats::gltf::{GltfOptions, RootMotion, Shape};
use marey::formats::preset::Tool;
use marey::formats::{Format, WriteOptions};
use marey::motion::Take;

use marey::Error;

/// The formats that are written.
const WRITTEN: [Format; 3] = [Format::Bvh, Format::Glb, Format::Gltf];

/// How each format is written.
#[derive(Debug, Args)]
#[command(next_help_heading = "What is written")]
pub(super) struct OutputFlags {
    /// Format of the files in a folder that is written to; a single file has that of its ending
    #[arg(long, value_name = "FORMAT", value_parser = written())]
    to: Option<Format>,

    /// Make ready for a tool: its bone names, its root bone, its unit; and say what to choose where it is opened
    #[arg(long = "for", value_name = "TOOL", value_parser = tools())]
    tool: Option<Tool>,

    /// BVH: order of the rotation channels
    #[arg(long, value_name = "ORDER", default_value_t)]
    order: RotationOrder,

    /// BVH: digits behind the point, 1 to 9
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u8).range(1..=9))]
    decimals: u8,

    /// BVH: unit of length: m, dm, cm, mm, in, ft, cmu, or a number of metres [default: cm, or the tool's]
    #[arg(long, value_name = "UNIT")]
    out_unit: Option<Unit>,

    /// GLB and glTF: the body that shows the motion
    #[arg(long, value_name = "BODY", default_value = "mannequin", value_parser = shape())]
    mesh: Shape,

    /// GLB and glTF: keep the way that figures go, or let them move in place
    #[arg(long, value_name = "HOW", default_value = "keep", value_parser = root())]
    root: RootMotion,
}

fn written() -> impl TypedValueParser<Value = Format> {
    PossibleValuesParser::new(WRITTEN.map(Format::ending))
        .map(|word| Format::from_ending(&word).unwrap_or(Format::Bvh))
}

fn tools() -> impl TypedValueParser<Value = Tool> {
    PossibleValuesParser::new(Tool::ALL.map(Tool::name)).try_map(|name| name.parse::<Tool>())
}

fn shape() -> impl TypedValueParser<Value = Shape> {
    PossibleValuesParser::new(["mannequin", "none"]).map(|word| match word.as_str() {
        "none" => Shape::None,
        _ => Shape::Mannequin,
    })
}

fn root() -> impl TypedValueParser<Value = RootMotion> {
    PossibleValuesParser::new(["keep", "in-place"]).map(|word| word.parse().unwrap_or_default())
}

impl OutputFlags {
    /// The format of files in a folder: as told, else one that the tool opens.
    pub(super) fn folder_format(&self) -> Format {
        let usual = if self.tool.is_some() { Format::Glb } else { Format::Bvh };
        self.to.unwrap_or(usual)
    }

    /// Refuses a file whose ending names no format that is written, or another than `--to`.
    pub(super) fn check_file(&self, output: &Path) -> Result<(), Error> {
        usual_options(output)?;
        match self.to {
            Some(told) if !is_ending_of(output, told) => {
                let message = format!("--to {told}, but the file is {}", output.display());
                Err(Error::usage(&codes::OUTPUT_ENDING, message))
            }
            _ => Ok(()),
        }
    }

    /// The take with the names and the root of the tool it is for.
    pub(super) fn dressed(&self, take: Take) -> Result<Take, Error> {
        match self.tool {
            Some(tool) => Ok(tool.apply(take)?),
            None => Ok(take),
        }
    }

    /// What to choose where the files are opened, for the tool they are for.
    pub(super) fn advice(&self, format: Format) -> Option<&'static str> {
        let tool = self.tool?;
        Some(if format == Format::Bvh { tool.bvh_advice() } else { tool.glb_advice() })
    }

    /// Refuses a format that the tool does not open.
    pub(super) fn check_tool(&self, format: Format) -> Result<(), Error> {
        match self.tool {
            Some(tool) if format == Format::Bvh && !tool.opens_bvh() => {
                let message = format!("{tool} does not open BVH");
                Err(Error::usage(&codes::NOT_FOR_TOOL, message))
            }
            _ => Ok(()),
        }
    }

    /// How a file is written, by its ending.
    pub(super) fn options(&self, output: &Path) -> Result<WriteOptions, Error> {
        let unit = self.tool.map_or(Unit::Centimetre, Tool::bvh_unit);
        Ok(match usual_options(output)? {
            WriteOptions::Gltf(usual) => {
                WriteOptions::Gltf(GltfOptions { shape: self.mesh, root: self.root, ..usual })
            }
            WriteOptions::Bvh(_) => WriteOptions::Bvh(BvhOptions {
                order: self.order,
                decimals: usize::from(self.decimals),
                unit: self.out_unit.unwrap_or(unit),
            }),
            other => other,
        })
    }
}

/// The usual options of the format that an ending names; refused where that is none that is written.
pub(crate) fn usual_options(output: &Path) -> Result<WriteOptions, Error> {
    let format = output.extension().and_then(|ending| Format::from_ending(ending.to_str()?));
    format.filter(|format| is_ending_of(output, *format)).and_then(WriteOptions::for_format).ok_or_else(
        || {
            let endings = WRITTEN.map(|format| format!(".{format}")).join(" or ");
            let message = format!("{} does not end in {endings}", output.display());
            Error::usage(&codes::OUTPUT_ENDING, message)
        },
    )
}

/// Some formats are read by more endings than are written.
fn is_ending_of(output: &Path, format: Format) -> bool {
    output.extension().is_some_and(|ending| ending.eq_ignore_ascii_case(format.ending()))
}
