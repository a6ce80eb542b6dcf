//! What is said about takes, and how they are cut and put together, as the package's keyword arguments tell it.

use std::path::PathBuf;

use marey::Error;
use marey::codes;
use marey::corpus::{ClusterMethod, ClusterSettings, CutMethod, Maker, AnnotationContent, SegmentId, TakeInfo, ContactInterval};
use marey::cuts::By;
use marey::follow::{ControlKind, GrowSettings};
use marey::inputs;
use marey::motion::{Marker, Role, Tag};
use marey::ops::cloud;
use marey::ops::reduction::{Keep, grouping};
use serde::Deserialize;

/// What is said about a take.
#[derive(Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub(super) enum Saying {
    Tag { name: String, start: Option<usize>, end: Option<usize> },
    Marker { name: String, frame: usize },
    Contact { role: String, start: Option<usize>, end: Option<usize>, actor: usize, on: String },
    Label { key: String, value: String, segment: Option<i64> },
}

impl Saying {
    /// The same for the corpus.
    pub(super) fn said(self, take: &TakeInfo) -> Result<AnnotationContent, Error> {
        let whole =
            |start: Option<usize>, end: Option<usize>| (start.unwrap_or(0), end.unwrap_or(take.frames));
        Ok(match self {
            Saying::Tag { name, start, end } => {
                let (start, end) = whole(start, end);
                AnnotationContent::Tag(Tag { start, end, name })
            }
            Saying::Marker { name, frame } => AnnotationContent::Marker(Marker { frame, name }),
            Saying::Contact { role, start, end, actor, on } => {
                let role: Role =
                    role.parse().map_err(|message: String| Error::usage(&codes::NOT_A_ROLE, message))?;
                let (start, end) = whole(start, end);
                AnnotationContent::Contact(ContactInterval { start, end, actor, role, on: on.into() })
            }
            Saying::Label { key, value, segment: Some(segment) } => {
                AnnotationContent::SegmentLabel { segment: SegmentId(segment), key, value }
            }
            Saying::Label { key, value, segment: None } => AnnotationContent::Label { key, value },
        })
    }
}

/// How takes are cut.
#[derive(Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Cutting {
    pub(super) takes: Vec<String>,
    by: String,
    every: usize,
    tag: Option<String>,
    csv: Option<PathBuf>,
    control: Option<ControlKind>,
    within_m: f64,
    pub(super) drop_redundant_m: Option<f32>,
}

impl Default for Cutting {
    fn default() -> Self {
        let within_m = GrowSettings::default().max_rms_m;
        let takes = Vec::new();
        let by = "steps".into();
        Self { takes, by, every: 1, tag: None, csv: None, control: None, within_m, drop_redundant_m: None }
    }
}

impl Cutting {
    /// The same for the corpus.
    pub(super) fn by(&self) -> Result<By, Error> {
        Ok(match self.by.as_str() {
            "steps" => By::Method(CutMethod::Steps),
            "instants" => By::Method(CutMethod::Instants),
            "beats" => By::Method(CutMethod::Beats { every: self.every.max(1) }),
            "tags" => By::Tags(self.tag.clone()),
            "csv" => {
                let table = self.csv.as_deref().ok_or_else(|| Error::settings("csv names the table"))?;
                By::Table(inputs::text(table)?)
            }
            "examples" => {
                let control = self.control.clone().unwrap_or(ControlKind::Points);
                By::Examples { control, max_rms_m: self.within_m }
            }
            other => return Err(Error::settings(format!("by: there is no way {other:?} to cut"))),
        })
    }
}

/// How segments are put together.
#[derive(Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Clustering {
    method: String,
    threshold_m: f32,
    radius_m: f32,
    spacing_m: Option<f32>,
    warp: f32,
    made_by: Option<Maker>,
    random: Option<u64>,
}

impl Default for Clustering {
    fn default() -> Self {
        let (method, spacing_m) = ("linkage".into(), None);
        Self { method, threshold_m: 0.1, radius_m: 0.15, spacing_m, warp: 0.25, made_by: None, random: None }
    }
}

impl Clustering {
    /// The same for the corpus.
    pub(super) fn settings(self) -> Result<ClusterSettings, Error> {
        let by = match self.method.as_str() {
            "linkage" => ClusterMethod::Linkage {
                threshold_m: self.threshold_m,
                cloud: cloud::CloudSettings::default(),
            },
            "kmeans" => {
                let groups = grouping::GroupingSettings {
                    most_radius_m: self.radius_m,
                    least_spacing_m: self.spacing_m.unwrap_or(0.5 * self.radius_m),
                    ..grouping::GroupingSettings::default()
                };
                ClusterMethod::Means { groups, warp: self.warp.into() }
            }
            other => return Err(Error::settings(format!("method: {other:?} is not linkage or kmeans"))),
        };
        let keep = self.random.map_or(Keep::Medoid, |seed| Keep::Random { seed });
        Ok(ClusterSettings { by, keep, maker: self.made_by })
    }
}
