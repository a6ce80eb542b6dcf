//! One frame of a live performer, and the header of a stream, as lines of JSON.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

/// One frame of a live performer: `{"secs": 0.0167, "points": {"Hips": [x, y, z], …}, "rotations": {"Head": [x, y, z, w], …}}`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MarkerFrame {
    /// The time of the frame, in seconds: since the previous frame, or since any start, as [`StreamHeader::time`] says.
    pub secs: Option<f64>,
    /// Positions by the role of the joint, in the unit and axes of the stream.
    pub points: BTreeMap<String, [f32; 3]>,
    /// Rotations from the T-pose by the role of the joint, as x y z w.
    pub rotations: BTreeMap<String, [f32; 4]>,
    /// Positions of joints relative to their parent joints, in the frame of the parent, as VMC states them.
    pub offsets: BTreeMap<String, [f32; 3]>,
    /// Where the performer is on the floor, if the hips have a rotation and no position: the lowest point of the body is at this height.
    pub root: Option<[f32; 3]>,
    /// Whether the left and the right hand are closed; `None` if the stream does not show it.
    pub closed: [Option<bool>; 2],
    /// Keys that have no meaning.
    pub unknown: Vec<String>,
}

/// What the numbers of a stream mean: `{"header": {"unit": "cm", "up": "z", "time": "timestamps"}}`. What it leaves out is detected.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct StreamHeader {
    /// The unit of positions: `m`, `cm`, `mm`, `in`, `ft`, or a number of metres.
    pub unit: Option<String>,
    /// The axis that points up: `x`, `y`, `z`, `-x`, `-y` or `-z`.
    pub up: Option<String>,
    /// Whether the axes are left-handed, as in Unity and Unreal; default right.
    pub handed: Handedness,
    /// What `secs` means; default detected.
    pub time: Option<StreamTime>,
    /// The frame of rotations; default the world.
    pub rotations: RotationFrame,
}

/// The handedness of axes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Handedness {
    /// Right-handed, as in Marey, Blender and Maya.
    #[default]
    Right,
    /// Left-handed, as in Unity and Unreal.
    Left,
}

/// The meaning of the times of frames.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StreamTime {
    /// Seconds since the previous frame.
    Intervals,
    /// Seconds since any start.
    Timestamps,
}

/// The frame in which rotations from the T-pose are given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RotationFrame {
    /// The world.
    #[default]
    World,
    /// The parent joint, as in VMC.
    Parent,
}

/// A line of a stream.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum StreamLine {
    Frame(MarkerFrame),
    Header(StreamHeader),
}

#[derive(Deserialize)]
struct LineJson {
    header: Option<StreamHeader>,
    secs: Option<f64>,
    #[serde(default)]
    points: BTreeMap<String, Option<[Option<f32>; 3]>>,
    #[serde(default)]
    rotations: BTreeMap<String, Option<[Option<f32>; 4]>>,
    #[serde(default)]
    closed: [Option<bool>; 2],
    #[serde(flatten)]
    unknown: BTreeMap<String, Value>,
}

impl StreamLine {
    /// Reads a line; fails with the problem.
    pub(crate) fn parse(text: &[u8]) -> Result<Self, String> {
        let line: LineJson = serde_json::from_slice(text).map_err(|error| error.to_string())?;
        if let Some(header) = line.header {
            return Ok(Self::Header(header));
        }
        if line.points.is_empty() && line.rotations.is_empty() {
            return Err("the frame has neither points nor rotations".into());
        }
        Ok(Self::Frame(MarkerFrame {
            secs: line.secs,
            points: present(line.points),
            rotations: present(line.rotations),
            closed: line.closed,
            unknown: line.unknown.into_keys().collect(),
            ..MarkerFrame::default()
        }))
    }
}

/// The vectors that are given as a whole. A joint that is not visible is null, or has a coordinate that is null.
fn present<const N: usize>(
    vectors: BTreeMap<String, Option<[Option<f32>; N]>>,
) -> BTreeMap<String, [f32; N]> {
    let whole = |vector: Option<[Option<f32>; N]>| {
        let vector = vector?;
        vector.iter().all(Option::is_some).then(|| vector.map(Option::unwrap_or_default))
    };
    vectors.into_iter().filter_map(|(name, vector)| Some((name, whole(vector)?))).collect()
}
