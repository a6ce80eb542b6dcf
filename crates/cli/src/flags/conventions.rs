//! What the user says about the files that are read.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use marey::conventions::{FloorHeight, RestPoseSource, Unit, UpAxis};
use marey::formats::bvh::PositionChannels;
use marey::formats::{Limits, ReadOptions, ReadRequest};

use super::{Limit, finite, hertz};
use marey::Error;

/// Each overrides what would be found in the file.
#[derive(Debug, Args)]
#[command(next_help_heading = "What the input means, instead of what is found in it")]
pub(crate) struct ConventionFlags {
    /// Unit of length: m, dm, cm, mm, in, ft, cmu (1/0.45 inches), or a number of metres
    #[arg(long, value_name = "UNIT")]
    unit: Option<Unit>,

    /// Axis that points up: x, y, z, -x, -y or -z
    #[arg(long, value_name = "AXIS", allow_hyphen_values = true)]
    up: Option<UpAxis>,

    /// Which way the body faces at rest, once Y is up: degrees to its left of +Z
    #[arg(long, value_name = "DEG", allow_negative_numbers = true, value_parser = finite)]
    facing: Option<f32>,

    /// Frames a second
    #[arg(long, value_name = "HZ", value_parser = hertz)]
    rate: Option<f64>,

    /// Whether position channels replace a BVH joint's OFFSET or add to it
    #[arg(long, value_name = "HOW", value_parser = positions())]
    positions: Option<PositionChannels>,

    /// Roles of joints, as `marey inspect --save-roles` writes them
    #[arg(long, value_name = "FILE.toml")]
    roles: Option<PathBuf>,

    /// The skeleton file (.asf) of motion files that need one (.amc), instead of the one beside each
    #[arg(long, value_name = "FILE.asf")]
    asf: Option<PathBuf>,

    /// Which take of a file with several: its name, or its number from 1
    #[arg(long, value_name = "NAME")]
    take: Option<String>,

    /// Rest pose: `file` for joints without rotation, or the number of a frame
    #[arg(long, value_name = "POSE", value_parser = rest_pose)]
    rest: Option<RestPoseSource>,

    /// Put a height at y = 0: `found` for the floor that the motion rests on, or metres; else heights stay
    #[arg(long, value_name = "HEIGHT", allow_negative_numbers = true, value_parser = floor)]
    floor: Option<FloorHeight>,

    /// Leave out a calibration pose in frame 0
    #[arg(long)]
    pub(crate) trim_rest: bool,

    /// Change a limit of the reader: joints, depth, frames, line-bytes, memory-bytes or inflated-bytes
    #[arg(long = "limit", value_name = "NAME=N")]
    limits: Vec<Limit>,
}

fn positions() -> impl TypedValueParser<Value = PositionChannels> {
    PossibleValuesParser::new(["replace", "add"]).map(|word| match word.as_str() {
        "add" => PositionChannels::Add,
        _ => PositionChannels::Replace,
    })
}

fn rest_pose(text: &str) -> Result<RestPoseSource, String> {
    match text {
        "file" => Ok(RestPoseSource::File),
        _ => text
            .parse()
            .map(RestPoseSource::Frame)
            .map_err(|_| "neither `file` nor the number of a frame".into()),
    }
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
        self.limits.iter().for_each(|limit| limit.set(&mut limits));
        ReadRequest {
            unit: self.unit,
            up: self.up,
            facing_deg: self.facing,
            rate_hz: self.rate,
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
