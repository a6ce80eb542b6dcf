//! What a verb works with besides its request.

use std::any::Any;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::cache::Cache;
use crate::corpus::Corpus;
use crate::motion::{Observer, Skeleton};
use crate::{ActorBodies, Budget, Error, codes};

/// The corpus, bodies, progress, cancellation, threads and budget of a call. Nothing in it changes the result of a verb except the corpus,
/// the bodies and the budget of examples.
///
/// ```no_run
/// use marey::Context;
/// let context = Context::open("walks.marey")?;
/// println!("{} takes", context.corpus()?.takes()?.len());
/// # Ok::<(), marey::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Context<'a> {
    corpus: Option<Arc<Mutex<Corpus>>>,
    bodies: ActorBodies,
    observer: Observer<'a>,
    cache: Option<(&'a Cache, u64)>,
    threads: Option<NonZeroUsize>,
    budget: Budget,
}

impl<'a> Context<'a> {
    /// A context without a corpus.
    pub fn new() -> Self {
        Self::default()
    }

    /// A context with a corpus that is opened for reading.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        let corpus = Corpus::open_read_only(path).map_err(|error| Error::from(error).in_file(path))?;
        Ok(Self::with_corpus(corpus))
    }

    /// A context with a corpus that is open already.
    pub fn with_corpus(corpus: Corpus) -> Self {
        Self { corpus: Some(Arc::new(Mutex::new(corpus))), ..Self::default() }
    }

    /// The same context, whose results have this body. Examples of other bodies are retargeted onto it.
    pub fn with_body(self, body: Arc<Skeleton>) -> Self {
        self.with_bodies(ActorBodies::for_every(body))
    }

    /// The same context, whose results have these bodies. A caller that shows a result on characters passes
    /// [`Cast::bodies`](crate::character::Cast::bodies), so that the verb works on the body that is seen.
    pub fn with_bodies(self, bodies: ActorBodies) -> Self {
        Self { bodies, ..self }
    }

    /// The body of actors that have none of their own; `None` for the body that most of the usable examples have.
    pub fn body(&self) -> Option<&Arc<Skeleton>> {
        self.bodies.every()
    }

    /// The bodies that results have.
    pub fn bodies(&self) -> &ActorBodies {
        &self.bodies
    }

    /// The same context, whose work reports progress to `observer` and can be cancelled by it.
    pub fn observed_by(self, observer: Observer<'a>) -> Self {
        Self { observer, ..self }
    }

    /// The same context, which keeps what it prepares in `cache`. `revision` identifies the state of the corpus: the
    /// caller changes it whenever the corpus changes.
    pub fn cached_in(self, cache: &'a Cache, revision: u64) -> Self {
        Self { cache: Some((cache, revision)), ..self }
    }

    /// The same context, limited to this many threads. Results do not depend on it.
    pub fn with_threads(self, threads: NonZeroUsize) -> Self {
        Self { threads: Some(threads), ..self }
    }

    /// The same context with other limits on what a request may ask for.
    pub fn with_budget(self, budget: Budget) -> Self {
        Self { budget, ..self }
    }

    /// The limits on what a request may ask for.
    pub fn budget(&self) -> &Budget {
        &self.budget
    }

    /// The corpus, locked. A verb holds the lock while it prepares and releases it before it searches or realises.
    pub fn corpus(&self) -> Result<MutexGuard<'_, Corpus>, Error> {
        let corpus =
            self.corpus.as_ref().ok_or_else(|| Error::usage(&codes::NO_CORPUS, "no corpus was given"))?;
        // Every change of a corpus is one transaction: a panic elsewhere leaves it whole.
        Ok(corpus.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The corpus, if this context and its clones are no longer used otherwise.
    pub fn into_corpus(self) -> Option<Corpus> {
        let corpus = Arc::into_inner(self.corpus?)?;
        Some(corpus.into_inner().unwrap_or_else(PoisonError::into_inner))
    }

    /// Whether there is a corpus.
    pub fn has_corpus(&self) -> bool {
        self.corpus.is_some()
    }

    /// The observer, for engines that report progress themselves.
    pub fn observer(&self) -> Observer<'a> {
        self.observer
    }

    /// Reports that `done` of `total` steps of a stage are done. Fails with `command/cancelled` if the work is to stop.
    pub fn report(&self, stage: &'static str, done: usize, total: usize) -> Result<(), Error> {
        if self.observer.report(stage, done, total).is_continue() {
            return Ok(());
        }
        Err(Error::new(&codes::CANCELLED, format!("cancelled after {done} of {total}: {stage}")))
    }

    /// The value stored under `key` in the cache, or else the one that `build` makes. The key must contain every part of
    /// the request that `build` depends on.
    pub fn cached<T: Any + Send + Sync>(
        &self,
        key: impl std::fmt::Debug,
        build: impl FnOnce() -> Result<T, Error>,
    ) -> Result<Arc<T>, Error> {
        match self.cache {
            Some((cache, revision)) => cache.get(format!("{revision} {key:?}"), build),
            None => Ok(Arc::new(build()?)),
        }
    }

    /// Runs `work` on the threads that the context allows.
    pub fn install<T: Send>(&self, work: impl FnOnce() -> T + Send) -> Result<T, Error> {
        let Some(threads) = self.threads else { return Ok(work()) };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.get()).build();
        let pool = pool.map_err(|error| Error::new(&codes::NO_THREADS, error.to_string()))?;
        Ok(pool.install(work))
    }
}
