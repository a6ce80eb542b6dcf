//! The expected result of reading a fixture: the file `walk.bvh.report.toml` beside `walk.bvh`.

use std::path::Path;

use marey_conventions::ConventionOverrides;
use marey_conventions::roles::RoleMap;
use marey_formats::bvh::PositionChannels;
use marey_formats::{
    Companion, FileContent, FileTake, Folder, FormatsError, Limits, MotionFile, Neighbours, NoNeighbours,
    ReadOptions, read_with,
};
use marey_motion::Coded;
use serde::{Deserialize, Serialize};

/// A fixture's report.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Expectation {
    /// The purpose of the fixture.
    pub(crate) about: String,
    /// Options of the reader.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) read: ReadSetup,
    /// The error, if the file is refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) refused: Option<Refusal>,
    /// The figures, one entry for each take.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) motion: Vec<Motion>,
    /// Points without a skeleton.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) markers: Option<Markers>,
    /// The warnings, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) warnings: Vec<Warning>,
    /// Positions of some joints or markers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) points: Vec<Point>,
}

/// Options of the reader, in the notation of the flags.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct ReadSetup {
    /// The file name has no ending.
    #[serde(skip_serializing_if = "is_default")]
    no_ending: bool,
    /// The skeleton file, in the same folder.
    #[serde(skip_serializing_if = "Option::is_none")]
    skeleton: Option<String>,
    /// There are no files beside it.
    #[serde(skip_serializing_if = "is_default")]
    alone: bool,
    /// The take to read.
    #[serde(skip_serializing_if = "Option::is_none")]
    take: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unit: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    up: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rate_hz: Option<f64>,
    /// `replace` or `add`.
    #[serde(skip_serializing_if = "Option::is_none")]
    positions: Option<String>,
    #[serde(skip_serializing_if = "is_default")]
    trim_rest: bool,
    /// The text of a roles file.
    #[serde(skip_serializing_if = "Option::is_none")]
    roles: Option<String>,
    #[serde(skip_serializing_if = "is_default")]
    limits: SomeLimits,
}

/// Limits that differ from the defaults.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct SomeLimits {
    #[serde(skip_serializing_if = "Option::is_none")]
    joints: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    frames: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line_bytes: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    memory_bytes: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    inflated_bytes: Option<usize>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Refusal {
    pub(crate) code: String,
    /// The printed place: `4:7, frame 2`. Empty if there is none.
    pub(crate) place: String,
    /// A part of the message.
    message: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Motion {
    name: String,
    frames: usize,
    rate_hz: f64,
    /// The file's unit, in the notation of the flag.
    unit: String,
    /// The file's up axis.
    up: String,
    actors: Vec<Actor>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Actor {
    name: String,
    joints: Vec<String>,
    tips: usize,
    /// Joints with animated translation, except the root.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    movers: Vec<String>,
    /// Standing height of a person, in centimetre steps.
    #[serde(skip_serializing_if = "Option::is_none")]
    height_m: Option<f64>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Warning {
    pub(crate) code: String,
    count: usize,
    /// The printed place of the first occurrence. Empty if there is none.
    place: String,
    /// A part of the message.
    message: String,
}

/// Points without a skeleton.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Markers {
    labels: Vec<String>,
    frames: usize,
    rate_hz: f64,
    unit: String,
    up: String,
    missing: usize,
    /// Number of known residuals.
    #[serde(default, skip_serializing_if = "is_default")]
    residuals: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    analog: Option<Signals>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Signals {
    labels: Vec<String>,
    rate_hz: f64,
    samples: usize,
}

/// The world position of a joint or marker, in metres, Y up.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Point {
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) take: usize,
    pub(crate) actor: usize,
    /// Index of the joint or marker.
    pub(crate) joint: usize,
    pub(crate) frame: usize,
    pub(crate) at: [f64; 3],
}

impl Point {
    /// Largest deviation of a position, in metres.
    const TOLERANCE_M: f64 = 1e-4;

    /// Describes the deviation, if the position is wrong.
    pub(crate) fn deviation(&self, import: &MotionFile) -> Option<String> {
        let found = match &import.content {
            FileContent::Figures(readings) => {
                let clip = &readings[self.take].take.actors()[self.actor].clip;
                clip.world().positions_at(self.frame)[self.joint]
            }
            FileContent::Points(points) => match points.clip.get(self.frame, self.joint) {
                Some(found) => found,
                None => return Some(format!("{self:?} is missing")),
            },
        };
        let found = found.to_array().map(f64::from);
        let off = found.iter().zip(self.at).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
        (off > Self::TOLERANCE_M).then(|| format!("{self:?} is at {found:?}"))
    }
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

impl ReadSetup {
    /// Reads bytes with these options, as if they were the file at a path.
    pub(crate) fn apply(&self, path: &Path, bytes: &[u8]) -> Result<MotionFile, FormatsError> {
        let told = self.skeleton.as_ref().map(|name| {
            Companion::new(name, std::fs::read(path.with_file_name(name)).expect("the skeleton file"))
        });
        let options = ReadOptions {
            limits: self.limits.over(Limits::default()),
            conventions: ConventionOverrides {
                unit: self.unit.as_ref().map(|text| text.parse().unwrap()),
                up: self.up.as_ref().map(|text| text.parse().unwrap()),
                rate_hz: self.rate_hz,
                roles: self.roles.as_ref().map(|text| RoleMap::from_toml(text)).transpose()?,
                trim_rest_frame: self.trim_rest,
                ..ConventionOverrides::default()
            },
            positions: self.positions.as_ref().map(|word| match word.as_str() {
                "replace" => PositionChannels::Replace,
                "add" => PositionChannels::Add,
                other => panic!("positions = {other:?}"),
            }),
            skeleton: told,
            take: self.take.clone(),
        };
        let folder = Folder::around(path);
        let beside: &dyn Neighbours = if self.alone { &NoNeighbours } else { &folder };
        let ending = path.extension().and_then(|ending| ending.to_str()).filter(|_| !self.no_ending);
        read_with(bytes, ending, &options, beside)
    }
}

impl SomeLimits {
    fn over(self, usual: Limits) -> Limits {
        Limits {
            joints: self.joints.unwrap_or(usual.joints),
            depth: self.depth.unwrap_or(usual.depth),
            frames: self.frames.unwrap_or(usual.frames),
            line_bytes: self.line_bytes.unwrap_or(usual.line_bytes),
            memory_bytes: self.memory_bytes.unwrap_or(usual.memory_bytes),
            inflated_bytes: self.inflated_bytes.unwrap_or(usual.inflated_bytes),
        }
    }
}

impl Expectation {
    /// The report of a reading, without points.
    pub(crate) fn of(about: &str, how: &ReadSetup, reading: &Result<MotionFile, FormatsError>) -> Self {
        let mut found = Self { about: about.to_owned(), read: how.clone(), ..Self::default() };
        match reading {
            Err(error) => found.refused = Some(Refusal::of(error)),
            Ok(import) => {
                found.motion = import.takes().iter().map(Motion::of).collect();
                found.markers = import.points().map(Markers::of);
                found.warnings = import.report.warnings().iter().map(Warning::of).collect();
            }
        }
        found
    }

    /// The same report with the messages of another, if they are parts of the messages here.
    pub(crate) fn with_messages_of(mut self, other: &Self) -> Self {
        if let (Some(refusal), Some(other)) = (&mut self.refused, &other.refused) {
            shorten(&mut refusal.message, &other.message);
        }
        for warning in &mut self.warnings {
            if let Some(other) = other.warnings.iter().find(|other| other.code == warning.code) {
                shorten(&mut warning.message, &other.message);
            }
        }
        self
    }

    /// The report as text, without points.
    pub(crate) fn without_points(&self) -> String {
        toml::to_string(&Self { points: vec![], ..self.clone() }).unwrap()
    }
}

/// Replaces a message by a part of it.
fn shorten(message: &mut String, part: &str) {
    if message.contains(part) {
        part.clone_into(message);
    }
}

impl Refusal {
    fn of(error: &FormatsError) -> Self {
        Self { code: error.code().id.into(), place: error.place().to_string(), message: error.to_string() }
    }
}

impl Warning {
    fn of(warning: &marey_motion::Warning) -> Self {
        Self {
            code: warning.code.id.into(),
            count: warning.count,
            place: warning.place.to_string(),
            message: warning.message.clone(),
        }
    }
}

impl Motion {
    fn of(FileTake { take, detected }: &FileTake) -> Self {
        let first = &detected[0];
        let actors = take.actors().iter().zip(detected).map(|(actor, detected)| {
            let skeleton = actor.clip.skeleton();
            let name = |joint: usize| skeleton.joints()[joint].name.clone();
            Actor {
                name: actor.name.clone(),
                joints: (0..skeleton.len()).map(name).collect(),
                tips: skeleton.tips().len(),
                movers: skeleton.movers().iter().skip(1).map(|joint| name(*joint)).collect(),
                height_m: detected.height_m.map(|height| (f64::from(height) * 100.0).round() / 100.0),
            }
        });
        Self {
            name: take.name().to_owned(),
            frames: take.frames(),
            rate_hz: rounded(take.rate_hz()),
            unit: first.unit.value.to_string(),
            up: first.up_axis.value.to_string(),
            actors: actors.collect(),
        }
    }
}

impl Markers {
    fn of(points: &marey_conventions::PointRecording) -> Self {
        let signals = |analog: &marey_conventions::AnalogSignals| Signals {
            labels: analog.labels.clone(),
            rate_hz: rounded(analog.rate_hz),
            samples: analog.samples.len(),
        };
        Self {
            labels: points.clip.labels().to_vec(),
            frames: points.clip.frames(),
            rate_hz: rounded(points.clip.rate_hz()),
            unit: points.detected.unit.value.to_string(),
            up: points.detected.up_axis.value.to_string(),
            missing: points.clip.missing(),
            residuals: points.residuals_m.iter().filter(|residual| !residual.is_nan()).count(),
            analog: points.analog.as_ref().map(signals),
        }
    }
}

fn rounded(rate_hz: f64) -> f64 {
    (rate_hz * 1e6).round() / 1e6
}
