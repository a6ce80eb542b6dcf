//! Flags of the output format and of changes to the motion.

use clap::Args;
use marey::character::CharacterRequest;
use marey::conventions::Unit;
use marey::convert::MotionEdit;
use marey::formats::bvh::RotationOrder;
use marey::formats::gltf::Shape;
use marey::formats::preset::Tool;
use marey::formats::{ExportOptions, Format, WriteOptions};
use marey::ops::cycle::CycleSettings;
use marey::ops::keyframes::KeyTolerance;
use marey::ops::retarget::TravelScale;
use marey::ops::root::RootMotion;
use marey::ops::smoothing::SmoothingSettings;

use crate::flags::{FrameRange, SkeletonConventionFlags, choice, hertz};

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

    /// Where the travel is: keep it where it is, in-place for none, bone for a root bone on the floor [default: keep, or what the tool needs]
    #[arg(long, value_name = "HOW", value_parser = choice(RootMotion::ALL.map(|root| (root.name(), "", root))))]
    root: Option<RootMotion>,

    /// GLB and glTF: remove keyframes that interpolation restores within an error, such as 1mm or 0.5deg
    #[arg(long, value_name = "ERROR")]
    reduce: Option<KeyTolerance>,
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
            reduce: self.reduce,
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

    /// Remove noise above a frequency; 6 suits most capture. No joint moves by more than 3 cm, and standing feet stay
    #[arg(long, value_name = "HZ", value_parser = hertz)]
    smooth: Option<f64>,

    /// Retarget to the skeleton of another motion file, or of a take of a corpus: joints are matched by role, feet stay on the floor. ACTOR=FILE for
    /// one of several actors, FILE#FIGURE for one of several figures [default: the most human one]; can be repeated
    #[arg(long = "skeleton", id = "skeletons", value_name = "[ACTOR=]FILE[@TAKE][#FIGURE]")]
    skeletons: Vec<CharacterRequest>,

    /// Travel distance of the other body: scaled in proportion to its legs, or kept [default: scaled]
    #[arg(long, value_name = "HOW", value_parser = choice([("scaled", "", TravelScale::Scaled), ("kept", "", TravelScale::Kept)]))]
    travel: Option<TravelScale>,

    /// Cut out the best cycle and close it, so that it repeats without a seam
    #[arg(long = "loop")]
    is_loop: bool,

    /// Play the motion this many times as fast: 0.5 takes twice as long
    #[arg(long, value_name = "FACTOR")]
    speed: Option<f64>,

    /// Frame rate of the output; the motion keeps its speed
    #[arg(long, value_name = "HZ", value_parser = hertz)]
    resample: Option<f64>,

    /// Start over the origin, heading along +Z
    #[arg(long)]
    origin: bool,

    #[command(flatten)]
    skeleton_conventions: SkeletonConventionFlags,
}

impl EditFlags {
    pub(super) fn edit(&self) -> MotionEdit {
        MotionEdit {
            frames: self.frames,
            mirror: self.mirror,
            smooth: self
                .smooth
                .map(|cutoff_hz| SmoothingSettings { cutoff_hz, ..SmoothingSettings::default() }),
            skeletons: self.skeleton_conventions.apply(&self.skeletons),
            travel: self.travel,
            cycle: self.is_loop.then(CycleSettings::default),
            speed: self.speed,
            resample_hz: self.resample,
            to_origin: self.origin,
        }
    }
}
