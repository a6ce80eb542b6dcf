//! How to read a file, as plain values.

use std::fmt::Display;
use std::fs;
use std::path::PathBuf;
use std::str::FromStr;

use marey_conventions::roles::RoleMap;
use marey_conventions::{ConventionOverrides, FloorHeight, RestPoseSource, Unit, UpAxis};
use marey_motion::MotionError;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::bvh::PositionChannels;
use crate::{Companion, FormatsError, Limits, ReadOptions};

/// How to read a motion file. Each value replaces what is detected in the file.
///
/// ```
/// use marey_formats::ReadRequest;
/// let request: ReadRequest = serde_json::from_str(r#"{"unit": "cm", "rest": 3, "floor": "found"}"#)?;
/// let options = request.options()?;
/// assert_eq!(options.conventions.unit, Some(marey_conventions::Unit::Centimetre));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ReadRequest {
    /// Unit of length, as in `"cm"`.
    #[serde(with = "as_text")]
    pub unit: Option<Unit>,
    /// The axis that points up, as in `"z"`.
    #[serde(with = "as_text")]
    pub up: Option<UpAxis>,
    /// The direction that the body faces at rest: degrees to the left of +Z.
    pub facing_deg: Option<f32>,
    /// Frames per second.
    pub rate_hz: Option<f64>,
    /// Whether to correct a frame rate that physics contradicts.
    pub fix_rate: bool,
    /// Whether position channels of a BVH replace a joint's offset or add to it: `"replace"` or `"add"`.
    pub positions: Option<PositionChannels>,
    /// A TOML file with the roles of joints.
    pub roles: Option<PathBuf>,
    /// The skeleton file of an AMC, instead of the one beside it.
    pub asf: Option<PathBuf>,
    /// The take to read: its name, or its number from 1.
    pub take: Option<String>,
    /// The rest pose: `"t-pose"`, `"file"` for the file's own, or the number of a frame.
    #[serde(serialize_with = "write_rest", deserialize_with = "read_rest")]
    pub rest: Option<RestPoseSource>,
    /// The height that becomes y = 0: `"found"` for the floor of the motion, or metres.
    #[serde(serialize_with = "write_floor", deserialize_with = "read_floor")]
    pub floor: Option<FloorHeight>,
    /// Whether to leave out a calibration pose in frame 0.
    pub trim_rest: bool,
    /// Bounds on the content of a file.
    pub limits: Limits,
}

impl ReadRequest {
    /// Checks the ranges.
    pub fn validate(&self) -> Result<(), FormatsError> {
        match self.rate_hz {
            Some(rate_hz) if !(rate_hz.is_finite() && rate_hz > 0.0) => {
                Err(MotionError::Rate { rate_hz }.into())
            }
            _ => Ok(()),
        }
    }

    /// The options of a reader; reads the files of roles and skeleton.
    pub fn options(&self) -> Result<ReadOptions, FormatsError> {
        let roles = self.roles.as_ref().map(|path| {
            let text = fs::read_to_string(path).map_err(|error| FormatsError::file(path, error))?;
            RoleMap::from_toml(&text).map_err(|error| FormatsError::from(error).in_file(path))
        });
        let skeleton = self.asf.as_ref().map(|path| {
            let bytes = fs::read(path).map_err(|error| FormatsError::file(path, error))?;
            Ok::<_, FormatsError>(Companion::new(path.display().to_string(), bytes))
        });
        Ok(ReadOptions {
            limits: self.limits,
            conventions: ConventionOverrides {
                unit: self.unit,
                up: self.up,
                facing_deg: self.facing_deg,
                rate_hz: self.rate_hz,
                fix_rate: self.fix_rate,
                roles: roles.transpose()?,
                rest_pose: self.rest,
                floor: self.floor,
                trim_rest_frame: self.trim_rest,
            },
            positions: self.positions,
            skeleton: skeleton.transpose()?,
            take: self.take.clone(),
        })
    }
}

/// Values that are written as their text.
mod as_text {
    use super::*;

    pub(super) fn serialize<T: Display, S: Serializer>(
        value: &Option<T>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        value.as_ref().map(T::to_string).serialize(serializer)
    }

    pub(super) fn deserialize<'de, T: FromStr<Err: Display>, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<T>, D::Error> {
        let text = Option::<String>::deserialize(deserializer)?;
        text.map(|text| text.parse().map_err(serde::de::Error::custom)).transpose()
    }
}

/// A number, or a word that stands for a rule.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum NumberOrWord<N> {
    Number(N),
    Word(String),
}

impl<N> NumberOrWord<N> {
    /// The number, or `None` if the word is `word`.
    fn number<E: serde::de::Error>(self, word: &str) -> Result<Option<N>, E> {
        match self {
            Self::Number(number) => Ok(Some(number)),
            Self::Word(given) if given == word => Ok(None),
            Self::Word(given) => Err(E::custom(format!("{given:?} is neither {word:?} nor a number"))),
        }
    }
}

fn read_rest<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<RestPoseSource>, D::Error> {
    let given = Option::<NumberOrWord<usize>>::deserialize(deserializer)?;
    let rest = |given: NumberOrWord<usize>| match given {
        NumberOrWord::Word(word) if word == "t-pose" => Ok(RestPoseSource::TPose),
        given => Ok(given.number("file")?.map_or(RestPoseSource::File, RestPoseSource::Frame)),
    };
    given.map(rest).transpose()
}

fn write_rest<S: Serializer>(rest: &Option<RestPoseSource>, serializer: S) -> Result<S::Ok, S::Error> {
    let rest = rest.map(|rest| match rest {
        RestPoseSource::TPose => NumberOrWord::Word("t-pose".into()),
        RestPoseSource::File => NumberOrWord::Word("file".into()),
        RestPoseSource::Frame(frame) => NumberOrWord::Number(frame),
    });
    rest.serialize(serializer)
}

fn read_floor<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<FloorHeight>, D::Error> {
    let given = Option::<NumberOrWord<f32>>::deserialize(deserializer)?;
    let floor = |given: NumberOrWord<f32>| {
        Ok(given.number("found")?.map_or(FloorHeight::Detected, FloorHeight::Metres))
    };
    given.map(floor).transpose()
}

fn write_floor<S: Serializer>(floor: &Option<FloorHeight>, serializer: S) -> Result<S::Ok, S::Error> {
    let floor = floor.map(|floor| match floor {
        FloorHeight::Detected => NumberOrWord::Word("found".into()),
        FloorHeight::Metres(height_m) => NumberOrWord::Number(height_m),
    });
    floor.serialize(serializer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_survives_json() {
        let text =
            r#"{"unit": "cm", "up": "z", "rate_hz": 30.0, "positions": "add", "rest": 3, "floor": 0.25}"#;
        let request: ReadRequest = serde_json::from_str(text).unwrap();
        assert_eq!(
            (request.rest, request.floor),
            (Some(RestPoseSource::Frame(3)), Some(FloorHeight::Metres(0.25)))
        );
        let again = serde_json::from_str(&serde_json::to_string(&request).unwrap()).unwrap();
        assert_eq!(request, again);
    }

    #[test]
    fn unknown_words_are_errors() {
        for text in [
            r#"{"unit": "mile"}"#,
            r#"{"rest": "first"}"#,
            r#"{"floor": "low"}"#,
            r#"{"positions": "x"}"#,
            r#"{"toes": 5}"#,
        ] {
            assert!(serde_json::from_str::<ReadRequest>(text).is_err(), "{text}");
        }
    }
}
