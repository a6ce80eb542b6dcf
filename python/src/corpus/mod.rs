//! The corpus, for the class of the Python package.

mod rows;

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use marey::archive::{self, ArchiveRequest};
use marey::codes;
use marey::corpus::{
    AnnotateRequest, ClusterRequest, Corpus, CorpusError, ImportRequest, Maker, Provenance, QueryRequest,
    TakeId, shard,
};
use marey::motion::Observer;
use marey::ops::cloud;
use marey::ops::distances::Distances;
use marey::segment::{self, SegmentRequest};
use marey::{Context, Error};
use pyo3::prelude::*;
use serde_json::Value;

use self::rows::annotation_value;
use crate::arrays::owned;
use crate::error::{raised, settings, to_json, warn};
use crate::take::PyTake;
use crate::work::{OnCancel, quick, run};

/// An open motion database.
#[pyclass(name = "Corpus", module = "marey._native", frozen)]
pub(crate) struct PyCorpus {
    path: PathBuf,
    open: Arc<Mutex<Option<Corpus>>>,
}

fn closed() -> Error {
    Error::usage(&codes::PYTHON_CLOSED, "the corpus was closed")
}

impl PyCorpus {
    /// Runs work on the corpus, on its own thread.
    pub(crate) fn with<T: Send + 'static>(
        &self,
        py: Python<'_>,
        progress: Option<Py<PyAny>>,
        work: impl FnOnce(&mut Corpus, Observer<'_>) -> Result<T, Error> + Send + 'static,
    ) -> PyResult<T> {
        let (open, path) = (self.open.clone(), self.path.clone());
        run(py, progress, OnCancel::Wait, move |observer| {
            let mut open = open.lock().unwrap_or_else(PoisonError::into_inner);
            let in_file = |error: Error| error.in_file(&path);
            let corpus = open.as_mut().ok_or_else(closed).map_err(in_file)?;
            work(corpus, observer).map_err(in_file)
        })
    }

    /// Runs work that needs to own the corpus for a while, on its own thread. The work returns the corpus.
    pub(crate) fn with_owned<T: Send + 'static>(
        &self,
        py: Python<'_>,
        progress: Option<Py<PyAny>>,
        work: impl FnOnce(Corpus, Observer<'_>) -> (Option<Corpus>, Result<T, Error>) + Send + 'static,
    ) -> PyResult<T> {
        let (open, path) = (self.open.clone(), self.path.clone());
        run(py, progress, OnCancel::Wait, move |observer| {
            let mut open = open.lock().unwrap_or_else(PoisonError::into_inner);
            let in_file = |error: Error| error.in_file(&path);
            let corpus = open.take().ok_or_else(closed).map_err(in_file)?;
            let (corpus, result) = work(corpus, observer);
            *open = corpus;
            result.map_err(in_file)
        })
    }

    /// Opens the file again, for reading. Fails if this corpus is closed.
    pub(crate) fn open_to_read(&self) -> Result<Corpus, Error> {
        let in_file = |error: Error| error.in_file(&self.path);
        if self.open.lock().unwrap_or_else(PoisonError::into_inner).is_none() {
            return Err(in_file(closed()));
        }
        Corpus::open_read_only(&self.path).map_err(|error| in_file(error.into()))
    }

    /// The path of the file.
    pub(crate) fn file(&self) -> &Path {
        &self.path
    }
}

#[pymethods]
impl PyCorpus {
    #[staticmethod]
    fn create(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        Self::of(py, path, Corpus::create)
    }

    #[staticmethod]
    fn open(py: Python<'_>, path: PathBuf, read_only: bool) -> PyResult<Self> {
        Self::of(py, path, if read_only { Corpus::open_read_only } else { Corpus::open })
    }

    /// The corpus that some inputs are: a corpus, or one that is made of motion files in the cache folder. Issues what was found
    /// in the files as warnings.
    #[staticmethod]
    fn of_inputs(py: Python<'_>, request: &str, progress: Option<Py<PyAny>>) -> PyResult<Self> {
        let request: ArchiveRequest = settings(py, request)?;
        let (path, archive) =
            run(py, progress, OnCancel::Wait, move |observer| archive::locate(&request, observer))?;
        archive.map_or(Ok(()), |archive| warn(py, &archive.report()))?;
        Self::of(py, path, Corpus::open_read_only)
    }

    #[staticmethod]
    fn draft(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        Self::of(py, path, Corpus::create_draft)
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
        self.with(py, None, |corpus, _| to_json(&corpus.takes()?))
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

    fn add(&self, py: Python<'_>, request: &str, progress: Option<Py<PyAny>>) -> PyResult<String> {
        let request: ImportRequest = settings(py, request)?;
        self.with(py, progress, move |corpus, observer| {
            let items = corpus.import(&request, observer)?;
            Ok(Value::from_iter(items.iter().map(|item| item.to_json("file"))).to_string())
        })
    }

    /// Adds or removes annotations. Returns the number of annotations that changed or were removed.
    fn annotate(&self, py: Python<'_>, request: &str) -> PyResult<usize> {
        let request: AnnotateRequest = settings(py, request)?;
        self.with(py, None, move |corpus, _| {
            let done = corpus.apply_annotations(&request)?;
            Ok(done.changed + done.removed)
        })
    }

    fn annotations(&self, py: Python<'_>, take: String) -> PyResult<String> {
        self.with(py, None, move |corpus, _| {
            let annotations = corpus.annotations(corpus.find(&take)?)?;
            Ok(Value::from_iter(annotations.iter().map(annotation_value)).to_string())
        })
    }

    fn segment(&self, py: Python<'_>, request: &str, progress: Option<Py<PyAny>>) -> PyResult<String> {
        let request: SegmentRequest = settings(py, request)?;
        self.with_owned(py, progress, move |corpus, observer| {
            let context = Context::with_corpus(corpus).observed_by(observer);
            let items = segment::run(&request, &context);
            let rows = items
                .map(|items| Value::from_iter(items.iter().map(|item| item.to_json("take"))).to_string());
            (context.into_corpus(), rows)
        })
    }

    fn segments(&self, py: Python<'_>, take: Option<String>) -> PyResult<String> {
        self.with(py, None, move |corpus, _| match take {
            Some(take) => to_json(&corpus.segments_of(corpus.find(&take)?)?),
            None => to_json(&corpus.segments()?),
        })
    }

    fn cluster(&self, py: Python<'_>, request: &str) -> PyResult<String> {
        let request: ClusterRequest = settings(py, request)?;
        self.with(py, None, move |corpus, observer| {
            to_json(&corpus.cluster(&request.settings()?, observer)?.0)
        })
    }

    fn query(&self, py: Python<'_>, request: &str) -> PyResult<String> {
        let request: QueryRequest = settings(py, request)?;
        self.with(py, None, move |corpus, _| to_json(&corpus.query(&request)?))
    }

    #[pyo3(signature = (made_by))]
    fn distances<'py>(&self, py: Python<'py>, made_by: Option<String>) -> PyResult<Bound<'py, PyAny>> {
        let made_by = maker(py, made_by)?;
        let metres = self.with(py, None, move |corpus, _| {
            let segments = corpus.segments_by(made_by.as_ref())?;
            let all = Distances::of(&corpus.clouds(&segments, &cloud::CloudSettings::default())?)?;
            Ok(all.condensed().to_vec())
        })?;
        let pairs = metres.len();
        owned(py, metres, &[pairs])
    }

    fn store_takes(&self, py: Python<'_>, path: PathBuf) -> PyResult<(String, Vec<Option<i64>>)> {
        self.with(py, None, move |corpus, _| {
            let bytes = std::fs::read(&path).map_err(|error| read_error(&path, error))?;
            let (rows, new) = in_file(&path, shard::store_takes(corpus, &bytes))?;
            Ok((Value::from(rows).to_string(), new.into_iter().map(|id| id.map(|id| id.0)).collect()))
        })
    }

    fn store_cuts(&self, py: Python<'_>, path: PathBuf, new: Vec<Option<i64>>) -> PyResult<String> {
        self.with(py, None, move |corpus, _| {
            let new: Vec<Option<TakeId>> = new.into_iter().map(|id| id.map(TakeId)).collect();
            let file = File::open(&path).map_err(|error| read_error(&path, error))?;
            let rows = in_file(&path, shard::store_cuts(corpus, BufReader::new(file), &new))?;
            Ok(Value::from(rows).to_string())
        })
    }

    fn settle(&self, py: Python<'_>) -> PyResult<()> {
        self.with(py, None, |corpus, _| Ok(corpus.settle()?))
    }

    fn check(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.with(py, None, |corpus, _| Ok(corpus.check()?.faults))
    }
}

impl PyCorpus {
    fn of(py: Python<'_>, path: PathBuf, open: fn(&Path) -> Result<Corpus, CorpusError>) -> PyResult<Self> {
        let corpus = quick(py, || open(&path).map_err(|error| Error::from(error).in_file(&path)))?;
        Ok(Self { path, open: Arc::new(Mutex::new(Some(corpus))) })
    }
}

/// A maker, by name.
pub(crate) fn maker(py: Python<'_>, name: Option<String>) -> PyResult<Option<Maker>> {
    let parsed = name.map(|name| name.parse::<Maker>().map_err(Error::settings)).transpose();
    parsed.map_err(|error| raised(py, error))
}

fn read_error(path: &Path, error: std::io::Error) -> Error {
    marey::formats::FormatsError::file(path, error).into()
}

fn in_file<T>(path: &Path, result: Result<T, CorpusError>) -> Result<T, Error> {
    result.map_err(|error| Error::from(error).in_file(path))
}
