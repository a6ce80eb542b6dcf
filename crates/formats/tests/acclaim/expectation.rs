//! What a fixture must be read as: the file `NAME.amc.report.toml` beside `NAME.amc`.

use std::path::Path;

use marey_formats::door::Conventions;
use marey_formats::{
    Companion, Error, Folder, Import, Limits, Neighbours, NoNeighbours, ReadOptions, read_with,
};
use marey_motion::Coded;
use serde::{Deserialize, Serialize};

/// A fixture's report.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Expectation {
    /// What the file is there to show.
    pub(crate) about: String,
    /// How it is read, where not as any file is.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) read: How,
    /// Why it is refused, where it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) refused: Option<Refusal>,
    /// What it holds, where it is read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) motion: Option<Motion>,
    /// What the reader had to live with, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) warnings: Vec<Warning>,
}

/// Options of the reader, as flags have them.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct How {
    /// The skeleton file is told: one in the same folder.
    #[serde(skip_serializing_if = "Option::is_none")]
    skeleton: Option<String>,
    /// There are no files beside it.
    #[serde(skip_serializing_if = "is_default")]
    alone: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    rate_hz: Option<f64>,
    #[serde(skip_serializing_if = "is_default")]
    limits: SomeLimits,
}

/// Limits other than the usual.
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
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Refusal {
    pub(crate) code: String,
    /// As a place is printed: `4:7, frame 2`; empty where there is none.
    place: String,
    message: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Motion {
    frames: usize,
    rate_hz: f64,
    /// The file's unit, as a flag has it.
    unit: String,
    name: String,
    joints: Vec<String>,
    tips: usize,
    /// Joints with a translation of their own, the root left aside.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    movers: Vec<String>,
    /// Standing height to the centimetre, of a person.
    #[serde(skip_serializing_if = "Option::is_none")]
    height_m: Option<f64>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Warning {
    pub(crate) code: String,
    count: usize,
    /// Where it was first seen, as a place is printed; empty where there is none.
    place: String,
    message: String,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

impl How {
    /// Reads bytes as if they were the file at a path.
    pub(crate) fn apply(&self, path: &Path, bytes: &[u8]) -> Result<Import, Error> {
        let told = self.skeleton.as_ref().map(|name| {
            Companion::new(name, std::fs::read(path.with_file_name(name)).expect("the told skeleton"))
        });
        let options = ReadOptions {
            limits: self.limits.over(Limits::default()),
            conventions: Conventions { rate_hz: self.rate_hz, ..Conventions::default() },
            skeleton: told,
            ..ReadOptions::default()
        };
        let folder = Folder::around(path);
        let beside: &dyn Neighbours = if self.alone { &NoNeighbours } else { &folder };
        read_with(bytes, path.extension().and_then(|ending| ending.to_str()), &options, beside)
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
        }
    }
}

impl Expectation {
    /// What was read, in the words of a report.
    pub(crate) fn of(about: &str, how: &How, reading: &Result<Import, Error>) -> Self {
        let mut found = Self { about: about.to_owned(), read: how.clone(), ..Self::default() };
        match reading {
            Err(error) => {
                let (code, place) = (error.code().id.into(), error.place().to_string());
                found.refused = Some(Refusal { code, place, message: error.to_string() });
            }
            Ok(import) => {
                found.motion = Some(Motion::of(import));
                found.warnings = import.report.warnings().iter().map(Warning::of).collect();
            }
        }
        found
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
    fn of(import: &Import) -> Self {
        let (take, detected) = (&import.take, &import.detected[0]);
        let skeleton = take.first().skeleton();
        let name = |joint: usize| skeleton.joints()[joint].name.clone();
        Self {
            frames: take.frames(),
            rate_hz: take.rate_hz(),
            unit: detected.unit.value.to_string(),
            name: take.name().to_owned(),
            joints: (0..skeleton.len()).map(name).collect(),
            tips: skeleton.tips().len(),
            movers: skeleton.movers().iter().skip(1).map(|joint| name(*joint)).collect(),
            height_m: detected.height_m.map(|height| (f64::from(height) * 100.0).round() / 100.0),
        }
    }
}
