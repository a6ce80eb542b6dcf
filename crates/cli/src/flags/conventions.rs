//! Flags that override the detected conventions of input files.

use std::path::PathBuf;

use clap::Args;
use marey::conventions::{FloorHeight, RestPoseSource, Unit, UpAxis};
use marey::formats::bvh::PositionChannels;
use marey::formats::{Limits, ReadOptions, ReadRequest};

use super::{choice, finite, hertz};
use marey::Error;

/// Overrides of detected conventions.
#[derive(Debug, Args)]
#[command(next_help_heading = "Conventions of the input, instead of the detected ones")]
pub(crate) struct ConventionFlags {
    /// Unit of length: m, dm, cm, mm, in, ft, cmu (1/0.45 inches), or a number of metres
    #[arg(long, value_name = "UNIT")]
    unit: Option<Unit>,

    /// Axis that points up: x, y, z, -x, -y or -z
    #[arg(long, value_name = "AXIS", allow_hyphen_values = true)]
    up: Option<UpAxis>,

    /// Direction that the body faces at rest, once Y is up, in degrees to the left of +Z
    #[arg(long, value_name = "DEG", allow_negative_numbers = true, value_parser = finite)]
    facing: Option<f32>,

    /// Frames per second
    #[arg(long, value_name = "HZ", value_parser = hertz)]
    rate: Option<f64>,

    /// Correct a frame rate that the motion contradicts: bodies fall too fast, or feet push too hard
    #[arg(long, conflicts_with = "rate")]
    pub(crate) fix_rate: bool,

    /// Whether position channels replace a BVH joint's OFFSET or add to it
    #[arg(long, value_name = "HOW", value_parser = choice([("replace", "", PositionChannels::Replace), ("add", "", PositionChannels::Add)]))]
    positions: Option<PositionChannels>,

    /// Joint roles, as written by `marey inspect --save-roles`
    #[arg(long, value_name = "FILE.toml")]
    roles: Option<PathBuf>,

    /// The skeleton file (.asf) for .amc files, instead of the one beside each
    #[arg(long, value_name = "FILE.asf")]
    asf: Option<PathBuf>,

    /// Read only this take of a file with several, by name or number from 1
    #[arg(long, value_name = "NAME")]
    take: Option<String>,

    /// Rest pose: `t-pose`, `file` for the file's own, or a frame number [default: t-pose for a person]
    #[arg(long, value_name = "POSE", value_parser = rest_pose)]
    rest: Option<RestPoseSource>,

    /// Height that becomes y = 0: `found` for the detected floor, or metres [default: heights are kept]
    #[arg(long, value_name = "HEIGHT", allow_negative_numbers = true, value_parser = floor)]
    floor: Option<FloorHeight>,

    /// Leave out a calibration pose in frame 0
    #[arg(long)]
    pub(crate) trim_rest: bool,

    /// Change a limit of the reader: joints, depth, frames, line-bytes, memory-bytes or inflated-bytes
    #[arg(long = "limit", value_name = "NAME=N", value_parser = limit)]
    limits: Vec<(String, usize)>,
}

pub(super) fn rest_pose(text: &str) -> Result<RestPoseSource, String> {
    match text {
        "t-pose" => Ok(RestPoseSource::TPose),
        "file" => Ok(RestPoseSource::File),
        _ => text
            .parse()
            .map(RestPoseSource::Frame)
            .map_err(|_| "not `t-pose`, `file` or a frame number".into()),
    }
}

/// `NAME=N`.
fn limit(text: &str) -> Result<(String, usize), String> {
    let (name, number) = text.split_once('=').ok_or("not NAME=N")?;
    let value = number.parse().map_err(|_| format!("{number:?} is not a whole number"))?;
    if !Limits::default().set(name, value) {
        return Err(format!("limits are {}", Limits::NAMES.join(", ")));
    }
    Ok((name.to_owned(), value))
}

fn floor(text: &str) -> Result<FloorHeight, String> {
    match text {
        "found" => Ok(FloorHeight::Detected),
        _ => {
            finite(text).map(FloorHeight::Metres).map_err(|_| "neither `found` nor a number of metres".into())
        }
    }
}

impl ConventionFlags {
    /// The flags as a request.
    pub(crate) fn request(&self) -> ReadRequest {
        let mut limits = Limits::default();
        for (name, value) in &self.limits {
            limits.set(name, *value);
        }
        ReadRequest {
            unit: self.unit,
            up: self.up,
            facing_deg: self.facing,
            rate_hz: self.rate,
            fix_rate: self.fix_rate,
            positions: self.positions,
            roles: self.roles.clone(),
            asf: self.asf.clone(),
            take: self.take.clone(),
            rest: self.rest,
            floor: self.floor,
            trim_rest: self.trim_rest,
            limits,
        }
    }

    /// The options of a reader; reads the files of roles and skeleton.
    pub(crate) fn options(&self) -> Result<ReadOptions, Error> {
        Ok(self.request().options()?)
    }
}
