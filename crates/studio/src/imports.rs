//! Files that are dropped on the page: read, shown with what was found about them, read again as told, and kept.

use std::sync::Arc;

use marey_conventions::{
    ConventionOverrides, DetectedConventions, Finding, FindingSource, FloorHeight, RestPoseSource,
};
use marey_formats::neighbours::codes as beside;
use marey_formats::{FileTake, Limits, Neighbours, ReadOptions, read_with};
use marey_motion::{Place, Report, Warning};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{Motion, Result, StudioError, codes};

/// What the person says about a file instead of what is found; each may be left out.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Wishes {
    /// Unit of length, as `--unit` takes it.
    pub unit: Option<String>,
    /// Up axis, as `--up` takes it.
    pub up: Option<String>,
    /// Degrees to the left of +Z that the body faces at rest.
    pub facing_deg: Option<f32>,
    /// Frames a second.
    pub rate_hz: Option<f64>,
    /// Whether the floor that the motion rests on is put at height 0.
    pub floor: bool,
    /// Whether a calibration pose in the first frame is left out.
    pub trim_rest_frame: bool,
}

impl Wishes {
    fn options(&self) -> Result<ReadOptions> {
        let refused = |what: String| StudioError::new(&codes::REQUEST, what);
        let unit = self.unit.as_deref().map(str::parse).transpose().map_err(refused)?;
        let up = self.up.as_deref().map(str::parse).transpose().map_err(refused)?;
        let in_range = |value: f64, most: f64| value.is_finite() && value.abs() <= most;
        if !self.rate_hz.is_none_or(|rate_hz| in_range(rate_hz, 1e4) && rate_hz > 0.0)
            || !self.facing_deg.is_none_or(|deg| in_range(deg.into(), 360.0))
        {
            return Err(refused("a rate is above 0 and up to 10000, a facing within a turn".into()));
        }
        let conventions = ConventionOverrides {
            unit,
            up,
            facing_deg: self.facing_deg,
            rate_hz: self.rate_hz,
            floor: self.floor.then_some(FloorHeight::Detected),
            trim_rest_frame: self.trim_rest_frame,
            ..ConventionOverrides::default()
        };
        let limits = Limits { frames: 2_000_000, memory_bytes: 1 << 30, ..Limits::default() };
        Ok(ReadOptions { limits, conventions, ..ReadOptions::default() })
    }
}

/// A file that was read.
#[derive(Debug)]
pub struct Imported {
    /// Its name, as the page gave it: shown, never opened.
    pub name: String,
    /// Its content, to be read again as told.
    pub bytes: Arc<[u8]>,
    /// The files that were dropped with it.
    pub beside: Vec<(String, Arc<[u8]>)>,
    /// What it holds.
    pub found: Found,
}

/// What a file holds.
#[derive(Debug)]
pub struct Found {
    /// The takes, each with what was found about its actors.
    pub readings: Vec<FileTake>,
    /// The format.
    pub format: String,
    /// What the reader had to live with.
    pub report: Report,
    /// The first take, ready for the stage.
    pub motion: Motion,
}

impl Imported {
    /// Reads a file.
    pub fn read(
        name: String,
        bytes: Arc<[u8]>,
        beside: Vec<(String, Arc<[u8]>)>,
        wishes: &Wishes,
    ) -> Result<Self> {
        let found = Found::read(&name, &bytes, &beside, wishes)?;
        Ok(Self { name, bytes, beside, found })
    }

    /// The same file read as told.
    pub fn again(&self, wishes: &Wishes) -> Result<Self> {
        Self::read(self.name.clone(), self.bytes.clone(), self.beside.clone(), wishes)
    }

    /// As the page is told.
    pub fn about(&self) -> Value {
        let takes: Vec<Value> = self.found.readings.iter().map(about).collect();
        json!({
            "name": self.name,
            "format": self.found.format,
            "takes": takes,
            "warnings": warnings(&self.found.report),
        })
    }
}

impl Found {
    fn read(name: &str, bytes: &[u8], beside: &[(String, Arc<[u8]>)], wishes: &Wishes) -> Result<Self> {
        let ending = name.rsplit_once('.').map(|(_, ending)| ending);
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        let import = read_with(bytes, ending, &wishes.options()?, &Dropped { name, beside })?;
        let (format, report) = (import.format.to_string(), import.report.clone());
        let mut readings = import.into_takes()?;
        let several = readings.len() > 1;
        for reading in &mut readings {
            // Formats with one take have no name for it but the file's.
            let own = if several { format!("{stem} {}", reading.take.name()) } else { stem.to_owned() };
            reading.take = marey_motion::Take::new(plain(&own), reading.take.clone().into_actors())?;
        }
        let first = readings.first().ok_or(marey_motion::MotionError::Empty { what: "a file" })?;
        let motion = Motion::from_take(first.take.clone())?;
        Ok(Self { format, report, motion, readings })
    }
}

/// A name that a corpus takes: one line, without what means something in names of takes.
fn plain(name: &str) -> String {
    let name: String = name.chars().filter(|c| !c.is_control() && *c != ':').take(120).collect();
    let name = name.trim().trim_start_matches('#').to_owned();
    if name.is_empty() { "unnamed".into() } else { name }
}

fn about(reading: &FileTake) -> Value {
    let take = &reading.take;
    let actors: Vec<Value> = take.actors().iter().zip(&reading.detected).map(|(actor, found)| {
        json!({ "name": actor.name, "joints": actor.clip.skeleton().len(), "detected": detected(found) })
    }).collect();
    json!({ "name": take.name(), "frames": take.frames(), "rate_hz": take.rate_hz(), "actors": actors })
}

/// Every finding: its value in the words of the flag that overrides it, how it was come by, and why.
fn detected(found: &DetectedConventions) -> Value {
    fn one<T>(finding: &Finding<T>, value: String) -> Value {
        let doubtful = finding.source == FindingSource::Assumed;
        json!({ "value": value, "by": finding.source.to_string(), "why": finding.reason, "doubtful": doubtful })
    }
    let roles = found.roles.value.iter().flatten().count();
    let rest = match found.rest_pose.value {
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

/// One warning, as the page is told.
#[derive(Debug, Serialize)]
struct Told<'a> {
    code: &'a str,
    message: &'a str,
    hint: &'a str,
    place: &'a Place,
    count: usize,
}

/// The warnings of a report, as the page is told.
pub(crate) fn warnings(report: &Report) -> Value {
    let told = |Warning { code, message, place, count }: &Warning| {
        serde_json::to_value(Told { code: code.id, message, hint: code.hint, place, count: *count })
            .unwrap_or_default()
    };
    Value::Array(report.warnings().iter().map(told).collect())
}

/// The files that were dropped together.
struct Dropped<'a> {
    name: &'a str,
    beside: &'a [(String, Arc<[u8]>)],
}

impl Neighbours for Dropped<'_> {
    fn own_name(&self) -> Option<&str> {
        Some(self.name)
    }

    fn names(&self, ending: &str) -> std::result::Result<Vec<String>, marey_formats::FormatsError> {
        let has =
            |name: &str| name.rsplit_once('.').is_some_and(|(_, found)| found.eq_ignore_ascii_case(ending));
        let mut names: Vec<String> =
            self.beside.iter().map(|(name, _)| name.clone()).filter(|name| has(name)).collect();
        names.sort_unstable();
        Ok(names)
    }

    fn open(&self, name: &str) -> std::result::Result<Vec<u8>, marey_formats::FormatsError> {
        let found = self.beside.iter().find(|(own, _)| own == name).map(|(_, bytes)| bytes.to_vec());
        found.ok_or_else(|| marey_formats::FormatsError::Refused {
            code: &beside::NOT_FOUND,
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
    fn a_file_is_read_and_read_again_as_told() {
        let import = Imported::read("a walk.bvh".into(), file(), vec![], &Wishes::default()).unwrap();
        let about = import.about();
        assert_eq!((&about["format"], &about["takes"][0]["name"]), (&json!("bvh"), &json!("a walk")));
        assert_eq!(about["takes"][0]["actors"][0]["detected"]["rate"]["value"], "60");
        let wishes = Wishes { rate_hz: Some(30.0), ..Wishes::default() };
        let again = import.again(&wishes).unwrap().about();
        assert_eq!(again["takes"][0]["actors"][0]["detected"]["rate"]["by"], "user");
        assert_eq!(again["takes"][0]["rate_hz"], 30.0);
    }

    #[test]
    fn what_cannot_be_read_is_refused_with_its_code() {
        let read = |name: &str, bytes: &[u8], wishes: Wishes| {
            Imported::read(name.into(), bytes.into(), vec![], &wishes).unwrap_err().code.id
        };
        assert_eq!(read("x", b"\0\0\0", Wishes::default()), "file/unknown-format");
        assert_eq!(read("p.csv", b"t,x,z\n0,0,0\n1,1,0\n", Wishes::default()), "file/no-figure");
        assert_eq!(
            read("a.bvh", &file(), Wishes { unit: Some("mile".into()), ..Wishes::default() }),
            "studio/request"
        );
        assert_eq!(
            read("a.bvh", &file(), Wishes { rate_hz: Some(f64::NAN), ..Wishes::default() }),
            "studio/request"
        );
    }

    #[test]
    fn names_are_made_plain() {
        for (name, is) in [("a:b\n", "ab"), ("##x", "x"), ("", "unnamed"), (" : ", "unnamed")] {
            assert_eq!(plain(name), is);
        }
    }
}
