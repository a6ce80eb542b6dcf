//! Flags of the output format and of changes to the motion.

use std::path::PathBuf;

use clap::Args;
use marey::conventions::Unit;
use marey::convert::MotionEdit;
use marey::formats::bvh::RotationOrder;
use marey::formats::gltf::{RootMotion, Shape};
use marey::formats::preset::Tool;
use marey::formats::{ExportOptions, Format, WriteOptions};
use marey::ops::retarget::TravelScale;

use crate::flags::{FrameRange, choice, hertz};

/// How each format is written.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output format")]
pub(super) struct ExportFlags {
    /// Format of files in an output folder; a single file has the format of its ending
    #[arg(long, value_name = "FORMAT", value_parser = choice(WriteOptions::FORMATS.iter().map(|format| (format.ending(), "", *format))))]
    to: Option<Format>,

    /// Prepare for a tool: its bone names, root bone and unit; prints how to import the files
    #[arg(long = "for", value_name = "TOOL", value_parser = choice(Tool::ALL.map(|tool| (tool.name(), "", tool))))]
    tool: Option<Tool>,

    /// BVH: order of the rotation channels
    #[arg(long, value_name = "ORDER", default_value_t)]
    order: RotationOrder,

    /// BVH: number of decimals, 1 to 9
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u8).range(1..=9))]
    decimals: u8,

    /// BVH: unit of length: m, dm, cm, mm, in, ft, cmu, or a number of metres [default: cm, or the tool's]
    #[arg(long, value_name = "UNIT")]
    out_unit: Option<Unit>,

    /// GLB, glTF, FBX and USD: the body that shows the motion
    #[arg(long, value_name = "BODY", default_value = "mannequin", value_parser = choice([("mannequin", "", Shape::Mannequin), ("none", "", Shape::None)]))]
    mesh: Shape,

    /// All formats but BVH: keep root motion, or move in place
    #[arg(long, value_name = "HOW", default_value = "keep", value_parser = choice([("keep", "", RootMotion::Keep), ("in-place", "", RootMotion::InPlace)]))]
    root: RootMotion,
}

impl ExportFlags {
    pub(super) fn format(&self) -> Option<Format> {
        self.to
    }

    pub(super) fn options(&self) -> ExportOptions {
        ExportOptions {
            tool: self.tool,
            order: self.order,
            decimals: usize::from(self.decimals),
            unit: self.out_unit,
            shape: self.mesh,
            root: self.root,
        }
    }
}

/// Changes to the motion.
#[derive(Debug, Args)]
#[command(next_help_heading = "Changes to the motion, in this order")]
pub(super) struct EditFlags {
    /// Keep only these frames: the first, and one past the last; either may be left out
    #[arg(long, value_name = "A..B")]
    frames: Option<FrameRange>,

    /// Exchange left and right
    #[arg(long)]
    mirror: bool,

    /// Retarget to the skeleton of another motion file (its first figure): joints are matched by role, feet stay on the floor
    #[arg(long, value_name = "FILE")]
    skeleton: Option<PathBuf>,

    /// Travel distance of the other body: scaled in proportion to its legs, or kept [default: scaled, for several figures kept]
    #[arg(long, value_name = "HOW", value_parser = choice([("scaled", "", TravelScale::Scaled), ("kept", "", TravelScale::Kept)]), requires = "skeleton")]
    travel: Option<TravelScale>,

    /// Frame rate of the output; the motion keeps its speed
    #[arg(long, value_name = "HZ", value_parser = hertz)]
    resample: Option<f64>,
}

impl EditFlags {
    pub(super) fn edit(&self) -> MotionEdit {
        MotionEdit {
            frames: self.frames,
            mirror: self.mirror,
            skeleton: self.skeleton.clone(),
            travel: self.travel,
            resample_hz: self.resample,
        }
    }
}
