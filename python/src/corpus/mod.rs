//! The corpus, as the package's own class calls it.

mod rows;
mod words;

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use marey::Error;
use marey::codes;
use marey::corpus::{Annotation, Corpus, Maker, Provenance, TakeId};
use marey::cuts;
use marey::inputs;
use marey::intake::{self, PairPattern};
use marey::motion::Observer;
use marey::ops::cloud;
use marey::ops::distances::Distances;
use marey::search::Query;
use marey::shards;
use pyo3::prelude::*;
use serde_json::Value;

use self::rows::{cut_value, place_value, put_value, said_value, segment_value, take_value};
use self::words::{Clustering, Cutting, Saying};
use crate::arrays::owned;
use crate::error::{raised, settings, to_json};
use crate::files::ReadArguments;
use crate::take::PyTake;
use crate::work::{Ending, quick, run};

/// A motion database that is open, until it is closed.
#[pyclass(name = "Corpus", module = "marey._native", frozen)]
pub(crate) struct PyCorpus {
    path: PathBuf,
    open: Arc<Mutex<Option<Corpus>>>,
}

fn closed() -> Error {
    Error::usage(&codes::PYTHON_CLOSED, "it was closed before")
}

impl PyCorpus {
    /// Works on the corpus, on a thread of its own.
    pub(crate) fn with<T: Send + 'static>(
        &self,
        py: Python<'_>,
        progress: Option<Py<PyAny>>,
        work: impl FnOnce(&mut Corpus, Observer<'_>) -> Result<T, Error> + Send + 'static,
    ) -> PyResult<T> {
        let (open, path) = (self.open.clone(), self.path.clone());
        run(py, progress, Ending::Awaited, move |observer| {
            let mut open = open.lock().unwrap_or_else(PoisonError::into_inner);
            let about = |failure: Error| failure.in_file(&path);
            let corpus = open.as_mut().ok_or_else(closed).map_err(about)?;
            work(corpus, observer).map_err(about)
        })
    }

    /// Runs work that needs to own the corpus for a while, on a thread of its own. The work gives the corpus back.
    pub(crate) fn with_owned<T: Send + 'static>(
        &self,
        py: Python<'_>,
        progress: Option<Py<PyAny>>,
        work: impl FnOnce(Corpus, Observer<'_>) -> (Option<Corpus>, Result<T, Error>) + Send + 'static,
    ) -> PyResult<T> {
        let (open, path) = (self.open.clone(), self.path.clone());
        run(py, progress, Ending::Awaited, move |observer| {
            let mut open = open.lock().unwrap_or_else(PoisonError::into_inner);
            let in_file = |error: Error| error.in_file(&path);
            let corpus = open.take().ok_or_else(closed).map_err(in_file)?;
            let (corpus, result) = work(corpus, observer);
            *open = corpus;
            result.map_err(in_file)
        })
    }

    /// The same file, opened once more to be read; refused where this one is closed.
    pub(crate) fn look(&self) -> Result<Corpus, Error> {
        let about = |failure: Error| failure.in_file(&self.path);
        if self.open.lock().unwrap_or_else(PoisonError::into_inner).is_none() {
            return Err(about(closed()));
        }
        Corpus::open_read_only(&self.path).map_err(|error| about(error.into()))
    }

    /// Where the file is.
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
        let meaning: ReadArguments = settings(py, meaning)?;
        self.with(py, progress, move |corpus, observer| {
            let wish = intake::Wish { options: meaning.options()?, licence, credit };
            let pairs = pairs.iter().map(|text| text.parse().map_err(Error::settings));
            let pairs = pairs.collect::<Result<Vec<PairPattern>, Error>>()?;
            let jobs = intake::jobs(inputs::gather(&paths)?.files, &pairs, table.as_deref())?;
            let results = intake::add(corpus, &jobs, &wish, observer)?;
            let rows = jobs.iter().zip(results).map(|(job, result)| put_value(job, &result));
            Ok(Value::from_iter(rows).to_string())
        })
    }

    fn annotate(&self, py: Python<'_>, take: String, saying: &str) -> PyResult<usize> {
        let saying: Saying = settings(py, saying)?;
        self.with(py, None, move |corpus, _| {
            let take = corpus.info(corpus.find(&take)?)?;
            let what = saying.said(&take)?;
            Ok(corpus.annotate(&[Annotation { take: take.id, what, maker: Maker::Person }])?.changed)
        })
    }

    fn retract(&self, py: Python<'_>, take: String, saying: &str) -> PyResult<usize> {
        let saying: Saying = settings(py, saying)?;
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
        let how: Cutting = settings(py, how)?;
        self.with(py, progress, move |corpus, observer| {
            let results = cuts::segment(corpus, &how.takes, &how.by()?, how.drop_redundant_m, observer)?;
            Ok(Value::from_iter(results.into_iter().map(cut_value)).to_string())
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
        let how: Clustering = settings(py, how)?;
        self.with(py, None, move |corpus, _| {
            let (clustered, _) = corpus.cluster(&how.settings()?)?;
            Ok(Value::from_iter(clustered.iter().map(place_value)).to_string())
        })
    }

    fn query(&self, py: Python<'_>, query: &str) -> PyResult<String> {
        let query: Query = settings(py, query)?;
        self.with(py, None, move |corpus, _| to_json(&query.answer(corpus)?))
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

    fn put_takes(&self, py: Python<'_>, shard: PathBuf) -> PyResult<(String, Vec<Option<i64>>)> {
        self.with(py, None, move |corpus, _| {
            let bytes = std::fs::read(&shard).map_err(|error| unread(&shard, error))?;
            let put = shards::put_takes(corpus, &bytes).map_err(|failure| failure.in_file(&shard))?;
            let new = put.1.into_iter().map(|id| id.map(|id| id.0)).collect();
            Ok((Value::from(put.0).to_string(), new))
        })
    }

    fn put_cuts(&self, py: Python<'_>, shard: PathBuf, new: Vec<Option<i64>>) -> PyResult<String> {
        self.with(py, None, move |corpus, _| {
            let new: Vec<Option<TakeId>> = new.into_iter().map(|id| id.map(TakeId)).collect();
            let file = File::open(&shard).map_err(|error| unread(&shard, error))?;
            let rows = shards::put_cuts(corpus, BufReader::new(file), &new);
            Ok(Value::from(rows.map_err(|failure| failure.in_file(&shard))?).to_string())
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
    fn of(
        py: Python<'_>,
        path: PathBuf,
        open: fn(&Path) -> Result<Corpus, marey::corpus::CorpusError>,
    ) -> PyResult<Self> {
        let corpus = quick(py, || open(&path).map_err(|error| Error::from(error).in_file(&path)))?;
        Ok(Self { path, open: Arc::new(Mutex::new(Some(corpus))) })
    }
}

/// Who cut something, by name.
pub(crate) fn maker(py: Python<'_>, name: Option<String>) -> PyResult<Option<Maker>> {
    let parsed = name.map(|name| name.parse::<Maker>().map_err(Error::settings)).transpose();
    parsed.map_err(|failure| raised(py, failure))
}

fn unread(path: &Path, error: std::io::Error) -> Error {
    Error::from(marey::formats::FormatsError::file(path, error)).in_file(path)
}
