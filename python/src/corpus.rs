//! The corpus, as the package's own class calls it.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use marey::by_example::Lead;
use marey::codes;
use marey::corpus::{
    Annotation, ClusterMethod, ClusterSettings, Corpus, CutMethod, Maker, Provenance, Said, Segment,
    SegmentId, TakeInfo, Touch,
};
use marey::cuts::{self, By};
use marey::failure::Failure;
use marey::follow::GrowSettings;
use marey::formats::Error;
use marey::inputs;
use marey::intake::{self, PairPattern};
use marey::motion::{Marker, Role, Tag};
use marey::ops::cloud;
use marey::ops::reduction::{Keep, grouping};
use marey::search::Query;
use marey::shards::{self, failed_row};
use marey::watch::Watch;
use pyo3::prelude::*;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::error::{from_json, raised, to_json};
use crate::files::Meaning;
use crate::take::PyTake;
use crate::work::{Ending, run};

/// A motion database that is open, until it is closed.
#[pyclass(name = "Corpus", module = "marey._native", frozen)]
pub(crate) struct PyCorpus {
    path: PathBuf,
    open: Arc<Mutex<Option<Corpus>>>,
}

fn closed() -> Failure {
    Failure::usage(&codes::PYTHON_CLOSED, "it was closed before")
}

impl PyCorpus {
    /// Works on the corpus, on a thread of its own.
    fn with<T: Send + 'static>(
        &self,
        py: Python<'_>,
        progress: Option<Py<PyAny>>,
        work: impl FnOnce(&mut Corpus, Watch<'_>) -> Result<T, Failure> + Send + 'static,
    ) -> PyResult<T> {
        let (open, path) = (self.open.clone(), self.path.clone());
        run(py, progress, Ending::Awaited, move |watch| {
            let mut open = open.lock().unwrap_or_else(PoisonError::into_inner);
            let about = |failure: Failure| failure.in_file(&path);
            let corpus = open.as_mut().ok_or_else(closed).map_err(about)?;
            work(corpus, watch).map_err(about)
        })
    }

    /// The same file, opened once more to be read; refused where this one is closed.
    pub(crate) fn look(&self) -> Result<Corpus, Failure> {
        let about = |failure: Failure| failure.in_file(&self.path);
        if self.open.lock().unwrap_or_else(PoisonError::into_inner).is_none() {
            return Err(about(closed()));
        }
        Corpus::open_read_only(&self.path).map_err(|error| about(error.into()))
    }

    /// Where the file is.
    pub(crate) fn file(&self) -> &Path {
        &self.path
    }

    /// Works on the corpus, in the place of the class's own methods.
    pub(crate) fn change<T: Send + 'static>(
        &self,
        py: Python<'_>,
        progress: Option<Py<PyAny>>,
        work: impl FnOnce(&mut Corpus, Watch<'_>) -> Result<T, Failure> + Send + 'static,
    ) -> PyResult<T> {
        self.with(py, progress, work)
    }
}

/// What is said about a take.
#[derive(Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
enum Saying {
    Tag { name: String, start: Option<usize>, end: Option<usize> },
    Marker { name: String, frame: usize },
    Contact { role: String, start: Option<usize>, end: Option<usize>, actor: usize, on: String },
    Label { key: String, value: String, segment: Option<i64> },
}

impl Saying {
    fn said(self, take: &TakeInfo) -> Result<Said, Failure> {
        let whole =
            |start: Option<usize>, end: Option<usize>| (start.unwrap_or(0), end.unwrap_or(take.frames));
        Ok(match self {
            Saying::Tag { name, start, end } => {
                let (start, end) = whole(start, end);
                Said::Tag(Tag { start, end, name })
            }
            Saying::Marker { name, frame } => Said::Marker(Marker { frame, name }),
            Saying::Contact { role, start, end, actor, on } => {
                let role: Role =
                    role.parse().map_err(|message: String| Failure::usage(&codes::NOT_A_ROLE, message))?;
                let (start, end) = whole(start, end);
                Said::Contact(Touch { start, end, actor, role, on: on.into() })
            }
            Saying::Label { key, value, segment: Some(segment) } => {
                Said::SegmentLabel { segment: SegmentId(segment), key, value }
            }
            Saying::Label { key, value, segment: None } => Said::Label { key, value },
        })
    }
}

/// How takes are cut.
#[derive(Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Cutting {
    takes: Vec<String>,
    by: String,
    every: usize,
    tag: Option<String>,
    csv: Option<PathBuf>,
    control: Option<Lead>,
    within_m: f64,
    drop_redundant_m: Option<f32>,
}

impl Default for Cutting {
    fn default() -> Self {
        let within_m = GrowSettings::default().most_rms_m;
        let takes = Vec::new();
        let by = "steps".into();
        Self { takes, by, every: 1, tag: None, csv: None, control: None, within_m, drop_redundant_m: None }
    }
}

impl Cutting {
    fn by(&self) -> Result<By, Failure> {
        Ok(match self.by.as_str() {
            "steps" => By::Method(CutMethod::Steps),
            "instants" => By::Method(CutMethod::Instants),
            "beats" => By::Method(CutMethod::Beats { every: self.every.max(1) }),
            "tags" => By::Tags(self.tag.clone()),
            "csv" => {
                let table = self.csv.as_deref().ok_or_else(|| Failure::settings("csv names the table"))?;
                By::Table(inputs::text(table)?)
            }
            "examples" => {
                let lead = self.control.clone().unwrap_or(Lead::Points);
                By::Examples { lead, most_rms_m: self.within_m }
            }
            other => return Err(Failure::settings(format!("by: there is no way {other:?} to cut"))),
        })
    }
}

/// How segments are put together.
#[derive(Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Clustering {
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
    fn settings(self) -> Result<ClusterSettings, Failure> {
        let by = match self.method.as_str() {
            "linkage" => {
                ClusterMethod::Linkage { threshold_m: self.threshold_m, cloud: cloud::Settings::default() }
            }
            "kmeans" => {
                let groups = grouping::Settings {
                    most_radius_m: self.radius_m,
                    least_spacing_m: self.spacing_m.unwrap_or(0.5 * self.radius_m),
                    ..grouping::Settings::default()
                };
                ClusterMethod::Means { groups, warp: self.warp.into() }
            }
            other => return Err(Failure::settings(format!("method: {other:?} is not linkage or kmeans"))),
        };
        let keep = self.random.map_or(Keep::Medoid, |seed| Keep::Random { seed });
        Ok(ClusterSettings { by, keep, maker: self.made_by })
    }
}

fn take_value(info: &TakeInfo) -> Value {
    let actors = info.actors.iter().map(|actor| json!({ "name": actor.name, "joints": actor.joints }));
    json!({
        "id": info.id.0,
        "name": info.name,
        "frames": info.frames,
        "rate_hz": info.rate_hz,
        "duration_secs": info.duration_secs(),
        "actors": actors.collect::<Vec<_>>(),
        "source": info.provenance.source,
        "licence": info.provenance.licence,
        "credit": info.provenance.credit,
        "content": info.content,
    })
}

fn segment_value(segment: &Segment) -> Value {
    json!({
        "id": segment.id.0,
        "take": segment.take.0,
        "actor": segment.actor,
        "name": segment.name,
        "start": segment.frames.start,
        "end": segment.frames.end,
        "made_by": segment.maker.to_string(),
    })
}

fn said_value(annotation: &Annotation) -> Value {
    let made_by = annotation.maker.to_string();
    match &annotation.what {
        Said::Tag(tag) => {
            json!({ "kind": "tag", "name": tag.name, "start": tag.start, "end": tag.end, "made_by": made_by })
        }
        Said::Marker(marker) => {
            json!({ "kind": "marker", "name": marker.name, "frame": marker.frame, "made_by": made_by })
        }
        Said::Contact(touch) => json!({
            "kind": "contact", "role": touch.role.name(), "start": touch.start, "end": touch.end,
            "actor": touch.actor, "on": touch.on.to_string(), "made_by": made_by,
        }),
        Said::Label { key, value } => {
            json!({ "kind": "label", "key": key, "value": value, "segment": null, "made_by": made_by })
        }
        Said::SegmentLabel { segment, key, value } => {
            json!({ "kind": "label", "key": key, "value": value, "segment": segment.0, "made_by": made_by })
        }
    }
}

#[pymethods]
impl PyCorpus {
    #[staticmethod]
    fn create(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let made = py.detach(|| Corpus::create(&path));
        Self::of(py, path, made.map_err(Failure::from))
    }

    #[staticmethod]
    fn open(py: Python<'_>, path: PathBuf, read_only: bool) -> PyResult<Self> {
        let open = if read_only { Corpus::open_read_only } else { Corpus::open };
        let opened = py.detach(|| open(&path));
        Self::of(py, path, opened.map_err(Failure::from))
    }

    fn close(&self, py: Python<'_>) {
        py.detach(|| drop(self.open.lock().unwrap_or_else(PoisonError::into_inner).take()));
    }

    #[getter]
    fn path(&self) -> PathBuf {
        self.path.clone()
    }

    #[getter]
    fn closed(&self, py: Python<'_>) -> bool {
        py.detach(|| self.open.lock().unwrap_or_else(PoisonError::into_inner).is_none())
    }

    fn takes(&self, py: Python<'_>) -> PyResult<String> {
        self.with(py, None, |corpus, _| {
            Ok(Value::from_iter(corpus.takes()?.iter().map(take_value)).to_string())
        })
    }

    fn take(&self, py: Python<'_>, name: String) -> PyResult<PyTake> {
        self.with(py, None, move |corpus, _| Ok(PyTake(corpus.take(corpus.find(&name)?)?)))
    }

    fn put(
        &self,
        py: Python<'_>,
        take: PyTake,
        source: String,
        licence: String,
        credit: String,
    ) -> PyResult<i64> {
        self.with(py, None, move |corpus, _| {
            let provenance = Provenance { source, licence, credit, history: String::new() };
            Ok(corpus.add(&take.0, &provenance)?.id().0)
        })
    }

    #[pyo3(signature = (paths, pairs, table, licence, credit, meaning, progress))]
    #[expect(clippy::too_many_arguments, reason = "each is a keyword of the package's own method")]
    fn add(
        &self,
        py: Python<'_>,
        paths: Vec<PathBuf>,
        pairs: Vec<String>,
        table: Option<PathBuf>,
        licence: String,
        credit: String,
        meaning: &str,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<String> {
        let meaning: Meaning = from_json(meaning).map_err(|failure| raised(py, failure))?;
        self.with(py, progress, move |corpus, watch| {
            let wish = intake::Wish { options: meaning.options()?, licence, credit };
            let pairs = pairs.iter().map(|text| text.parse().map_err(Failure::settings));
            let pairs = pairs.collect::<Result<Vec<PairPattern>, Failure>>()?;
            let jobs = intake::jobs(inputs::gather(&paths)?.files, &pairs, table.as_deref())?;
            let results = intake::add(corpus, &jobs, &wish, watch)?;
            let rows = jobs.iter().zip(results).map(|(job, result)| put_value(job, &result));
            Ok(Value::from_iter(rows).to_string())
        })
    }

    fn annotate(&self, py: Python<'_>, take: String, saying: &str) -> PyResult<usize> {
        let saying: Saying = from_json(saying).map_err(|failure| raised(py, failure))?;
        self.with(py, None, move |corpus, _| {
            let take = corpus.info(corpus.find(&take)?)?;
            let what = saying.said(&take)?;
            Ok(corpus.annotate(&[Annotation { take: take.id, what, maker: Maker::Person }])?.changed)
        })
    }

    fn retract(&self, py: Python<'_>, take: String, saying: &str) -> PyResult<usize> {
        let saying: Saying = from_json(saying).map_err(|failure| raised(py, failure))?;
        self.with(py, None, move |corpus, _| {
            let take = corpus.info(corpus.find(&take)?)?;
            Ok(corpus.retract(&[(take.id, saying.said(&take)?)])?)
        })
    }

    fn annotations(&self, py: Python<'_>, take: String) -> PyResult<String> {
        self.with(py, None, move |corpus, _| {
            let said = corpus.annotations(corpus.find(&take)?)?;
            Ok(Value::from_iter(said.iter().map(said_value)).to_string())
        })
    }

    fn segment(&self, py: Python<'_>, how: &str, progress: Option<Py<PyAny>>) -> PyResult<String> {
        let how: Cutting = from_json(how).map_err(|failure| raised(py, failure))?;
        self.with(py, progress, move |corpus, watch| {
            let results = cuts::segment(corpus, &how.takes, &how.by()?, how.drop_redundant_m, watch)?;
            let row = |(info, result): (TakeInfo, Result<cuts::Cuts, Failure>)| match result {
                Ok(cuts) => {
                    json!({ "take": info.name, "ok": true, "cuts": cuts.cuts, "segments": cuts.segments,
                    "new": cuts.new, "removed": cuts.removed, "redundant": cuts.redundant })
                }
                Err(failure) => failed_row("take", &info.name, &failure),
            };
            Ok(Value::from_iter(results.into_iter().map(row)).to_string())
        })
    }

    fn segments(&self, py: Python<'_>, take: Option<String>) -> PyResult<String> {
        self.with(py, None, move |corpus, _| {
            let segments = match take {
                Some(take) => corpus.segments_of(corpus.find(&take)?)?,
                None => corpus.segments()?,
            };
            Ok(Value::from_iter(segments.iter().map(segment_value)).to_string())
        })
    }

    fn cluster(&self, py: Python<'_>, how: &str) -> PyResult<String> {
        let how: Clustering = from_json(how).map_err(|failure| raised(py, failure))?;
        self.with(py, None, move |corpus, _| {
            let (clustered, _) = corpus.cluster(&how.settings()?)?;
            let rows = clustered.iter().map(|one| {
                json!({ "segment": one.segment.0, "cluster": one.cluster, "representative": one.representative })
            });
            Ok(Value::from_iter(rows).to_string())
        })
    }

    fn query(&self, py: Python<'_>, query: &str) -> PyResult<String> {
        let query: Query = from_json(query).map_err(|failure| raised(py, failure))?;
        self.with(py, None, move |corpus, _| to_json(&query.answer(corpus)?))
    }

    fn merge(&self, py: Python<'_>, shards: Vec<PathBuf>, progress: Option<Py<PyAny>>) -> PyResult<String> {
        self.with(py, progress, move |corpus, watch| {
            let shard = |number: usize| {
                let path = &shards[number];
                std::fs::read(path).map_err(|error| Failure::from(Error::file(path, error)).in_file(path))
            };
            Ok(Value::from_iter(shards::merge(corpus, shards.len(), shard, watch)?).to_string())
        })
    }

    fn check(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.with(py, None, |corpus, _| Ok(corpus.check()?.faults))
    }
}

impl PyCorpus {
    fn of(py: Python<'_>, path: PathBuf, opened: Result<Corpus, Failure>) -> PyResult<Self> {
        match opened {
            Ok(corpus) => Ok(Self { path, open: Arc::new(Mutex::new(Some(corpus))) }),
            Err(failure) => Err(raised(py, failure.in_file(&path))),
        }
    }
}

/// A row about the files of a job.
pub(crate) fn put_value(job: &intake::Job, result: &Result<intake::Put, Failure>) -> Value {
    let file = job.input().path.display().to_string();
    match result {
        Ok(put) => json!({ "file": file, "ok": true, "takes": put.takes, "warnings": put.warnings }),
        Err(failure) => failed_row("file", &file, failure),
    }
}
