//! Files that are dropped on the page: read, shown with their detected conventions, and read again with other settings.

use std::path::Path;
use std::sync::Arc;

use marey_conventions::{DetectedConventions, Finding, FindingSource, FloorHeight, RestPoseSource};
use marey_formats::file::read_named;
use marey_formats::neighbours::codes as neighbour_codes;
use marey_formats::{FileTake, FormatsError, Limits, MotionFile, Neighbours, ReadOptions, ReadRequest};
use marey_motion::{Place, Report, Warning};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{Motion, Result, StudioError, codes};

/// Conventions that replace the detected ones; `None` keeps what is detected.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ImportOverrides {
    /// Unit of length, in the syntax of `--unit`.
    pub unit: Option<String>,
    /// Up axis, in the syntax of `--up`.
    pub up: Option<String>,
    /// The direction that the body faces at rest: degrees to the left of +Z.
    pub facing_deg: Option<f32>,
    /// Frames per second.
    pub rate_hz: Option<f64>,
    /// Whether the floor of the motion becomes height 0.
    pub floor: bool,
    /// Whether a calibration pose in the first frame is left out.
    pub trim_rest_frame: bool,
}

impl ImportOverrides {
    /// The options of a reader. The page cannot name files, so the request is built field by field.
    fn options(&self) -> Result<ReadOptions> {
        let invalid = |message: String| StudioError::new(&codes::REQUEST, message);
        let in_range = |value: f64, max: f64| value.is_finite() && value.abs() <= max;
        if !self.rate_hz.is_none_or(|rate_hz| in_range(rate_hz, 1e4) && rate_hz > 0.0)
            || !self.facing_deg.is_none_or(|deg| in_range(deg.into(), 360.0))
        {
            return Err(invalid(
                "the rate must be above 0 and at most 10000, the facing within 360 degrees".into(),
            ));
        }
        let request = ReadRequest {
            unit: self.unit.as_deref().map(str::parse).transpose().map_err(invalid)?,
            up: self.up.as_deref().map(str::parse).transpose().map_err(invalid)?,
            facing_deg: self.facing_deg,
            rate_hz: self.rate_hz,
            floor: self.floor.then_some(FloorHeight::Detected),
            trim_rest: self.trim_rest_frame,
            limits: Limits { frames: 2_000_000, memory_bytes: 1 << 30, ..Limits::default() },
            ..ReadRequest::default()
        };
        Ok(request.options()?)
    }
}

/// A file that was read.
#[derive(Debug)]
pub struct Imported {
    /// Its name on the user's machine; never opened.
    pub name: String,
    /// Its bytes, to be read again.
    pub bytes: Arc<[u8]>,
    /// The names and bytes of the files that were dropped with it.
    pub companions: Vec<(String, Arc<[u8]>)>,
    /// Its content.
    pub file: MotionFile,
    /// Its first take, for the stage.
    pub motion: Motion,
}

impl Imported {
    /// Reads a file.
    pub fn read(
        name: String,
        bytes: Arc<[u8]>,
        companions: Vec<(String, Arc<[u8]>)>,
        overrides: &ImportOverrides,
    ) -> Result<Self> {
        let dropped = DroppedFiles { name: &name, companions: &companions };
        let file = read_named(Path::new(&name), &bytes, &overrides.options()?, &dropped)?;
        let motion = Motion::from_take(file.take()?.clone())?;
        Ok(Self { name, bytes, companions, file, motion })
    }

    /// Reads the same file with other settings.
    pub fn read_again(&self, overrides: &ImportOverrides) -> Result<Self> {
        Self::read(self.name.clone(), self.bytes.clone(), self.companions.clone(), overrides)
    }

    /// The file as JSON: takes, detected conventions and warnings.
    pub fn about(&self) -> Value {
        json!({
            "name": self.name,
            "format": self.file.format.to_string(),
            "takes": self.file.takes().iter().map(about).collect::<Vec<_>>(),
            "warnings": warnings(&self.file.report),
        })
    }
}

fn about(read: &FileTake) -> Value {
    let take = &read.take;
    let actors: Vec<Value> = take.actors().iter().zip(&read.detected).map(|(actor, found)| {
        json!({ "name": actor.name, "joints": actor.clip.skeleton().len(), "detected": detected(found) })
    }).collect();
    json!({ "name": take.name(), "frames": take.frames(), "rate_hz": take.rate_hz(), "actors": actors })
}

/// Each detected convention: its value, in the syntax of the flag that overrides it, its source and its reason.
fn detected(found: &DetectedConventions) -> Value {
    fn one<T>(finding: &Finding<T>, value: String) -> Value {
        let is_assumed = finding.source == FindingSource::Assumed;
        json!({ "value": value, "source": finding.source.to_string(), "reason": finding.reason, "is_assumed": is_assumed })
    }
    let roles = found.roles.value.iter().flatten().count();
    let rest = match found.rest_pose.value {
        RestPoseSource::TPose => "t-pose".to_owned(),
        RestPoseSource::File => "file".to_owned(),
        RestPoseSource::Frame(frame) => format!("frame {frame}"),
    };
    json!({
        "unit": one(&found.unit, found.unit.value.to_string()),
        "up": one(&found.up_axis, found.up_axis.value.to_string()),
        "facing": one(&found.facing_deg, format!("{:.0}", found.facing_deg.value)),
        "rate": one(&found.rate_hz, format!("{}", found.rate_hz.value)),
        "roles": one(&found.roles, format!("{roles} of {}", found.roles.value.len())),
        "rest": one(&found.rest_pose, rest),
        "rest_frame": one(&found.rest_frame, if found.rest_frame.value { "yes" } else { "no" }.into()),
        "height_m": found.height_m,
    })
}

/// The warnings of a report as JSON.
pub(crate) fn warnings(report: &Report) -> Value {
    let row = |Warning { code, message, place, count }: &Warning| json!({ "code": code.id, "message": message, "hint": code.hint, "place": place, "count": count });
    report.warnings().iter().map(row).collect()
}

/// The files that were dropped together.
pub(crate) struct DroppedFiles<'a> {
    pub(crate) name: &'a str,
    pub(crate) companions: &'a [(String, Arc<[u8]>)],
}

impl Neighbours for DroppedFiles<'_> {
    fn own_name(&self) -> Option<&str> {
        Some(self.name)
    }

    fn names(&self, ending: &str) -> std::result::Result<Vec<String>, FormatsError> {
        let has_ending =
            |name: &str| name.rsplit_once('.').is_some_and(|(_, own)| own.eq_ignore_ascii_case(ending));
        let mut names: Vec<String> =
            self.companions.iter().map(|(name, _)| name.clone()).filter(|name| has_ending(name)).collect();
        names.sort_unstable();
        Ok(names)
    }

    fn open(&self, name: &str) -> std::result::Result<Vec<u8>, FormatsError> {
        let found = self.companions.iter().find(|(own, _)| own == name).map(|(_, bytes)| bytes.to_vec());
        found.ok_or_else(|| FormatsError::Refused {
            code: &neighbour_codes::NOT_FOUND,
            place: Place::default(),
            message: format!("{name}: drop it on the page together with this file"),
        })
    }
}

#[cfg(test)]
mod tests {
    use marey_examples::walk::{WalkSettings, walk};
    use marey_formats::bvh::{self, BvhOptions};

    use super::*;

    fn file() -> Arc<[u8]> {
        let example = walk(&WalkSettings { duration_secs: 6.0, ..WalkSettings::default() }).unwrap();
        bvh::write(&example.take, &BvhOptions::default()).0.into()
    }

    #[test]
    fn a_file_is_read_again_with_other_settings() {
        let import =
            Imported::read("a walk.bvh".into(), file(), vec![], &ImportOverrides::default()).unwrap();
        let about = import.about();
        assert_eq!((&about["format"], &about["takes"][0]["name"]), (&json!("bvh"), &json!("a walk")));
        assert_eq!(about["takes"][0]["actors"][0]["detected"]["rate"]["value"], "60");
        let overrides = ImportOverrides { rate_hz: Some(30.0), ..ImportOverrides::default() };
        let again = import.read_again(&overrides).unwrap().about();
        assert_eq!(again["takes"][0]["actors"][0]["detected"]["rate"]["source"], "user");
        assert_eq!(again["takes"][0]["rate_hz"], 30.0);
    }

    #[test]
    fn unreadable_files_are_errors_with_a_code() {
        let read = |name: &str, bytes: &[u8], overrides: ImportOverrides| {
            Imported::read(name.into(), bytes.into(), vec![], &overrides).unwrap_err().code.id
        };
        assert_eq!(read("x", b"\0\0\0", ImportOverrides::default()), "file/unknown-format");
        assert_eq!(read("p.csv", b"t,x,z\n0,0,0\n1,1,0\n", ImportOverrides::default()), "file/no-figure");
        assert_eq!(
            read(
                "a.bvh",
                &file(),
                ImportOverrides { unit: Some("mile".into()), ..ImportOverrides::default() }
            ),
            "studio/request"
        );
        assert_eq!(
            read("a.bvh", &file(), ImportOverrides { rate_hz: Some(f64::NAN), ..ImportOverrides::default() }),
            "studio/request"
        );
    }
}
