//! A corpus that is open, what was made and read in this session, and the engines.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use marey::{Cache, Context};
use marey_corpus::{Corpus, TakeId};
use marey_motion::Observer;
use serde_json::Value;
use tokio::sync::{Notify, Semaphore};

use crate::guard::{self, Guard};
use crate::jobs::Jobs;
use crate::live::{Live, Shows};
use crate::shelf::Shelf;
use crate::survey::Survey;
use crate::{
    Imported, Motion, MotionId, Panel, PanelRequest, Result, StudioError, StudioResult, Work, codes,
};

/// How many results are kept.
const MOST_MADE: usize = 96;
/// How many files wait to be kept.
const MOST_IMPORTS: usize = 6;
/// How many pictures and exports are made at once.
const AT_ONCE: usize = 2;
/// How many small pictures are kept.
const MOST_THUMBS: usize = 2000;
/// How long a window waits for news.
const PATIENCE: Duration = Duration::from_secs(20);

/// Which corpus the studio opens.
#[derive(Debug, Clone)]
pub struct Opened {
    /// Where it is.
    pub path: PathBuf,
    /// Whether it is one of example motion that goes when the studio ends.
    pub is_example: bool,
}

/// Everything behind the page.
pub struct Studio {
    pub(crate) guard: Guard,
    pub(crate) opened: Opened,
    corpus: Mutex<Corpus>,
    revision: AtomicU64,
    news: Notify,
    cache: Cache,
    pub(crate) panels: Vec<Box<dyn Panel>>,
    pub(crate) jobs: Jobs,
    pub(crate) made: Shelf<StudioResult>,
    pub(crate) imports: Shelf<Imported>,
    pub(crate) companions: Shelf<(String, Arc<[u8]>)>,
    pub(crate) survey: Survey,
    thumbs: Mutex<BTreeMap<String, Arc<[u8]>>>,
    pub(crate) room: Semaphore,
    pub(crate) shows: Arc<Shows>,
    pub(crate) seats: Arc<Semaphore>,
}

impl std::fmt::Debug for Studio {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Studio").field("opened", &self.opened).finish_non_exhaustive()
    }
}

impl Studio {
    /// Opens a corpus for a server that is guarded, with engines.
    pub fn new(guard: Guard, opened: Opened, panels: Vec<Box<dyn Panel>>) -> Result<Self> {
        let corpus = Corpus::open(&opened.path)?;
        Ok(Self {
            guard,
            opened,
            corpus: Mutex::new(corpus),
            revision: AtomicU64::new(1),
            news: Notify::new(),
            cache: Cache::default(),
            panels,
            jobs: Jobs::default(),
            made: Shelf::new(MOST_MADE),
            imports: Shelf::new(MOST_IMPORTS),
            companions: Shelf::new(MOST_IMPORTS),
            survey: Survey::default(),
            thumbs: Mutex::default(),
            room: Semaphore::new(AT_ONCE),
            shows: Arc::default(),
            seats: Arc::new(Semaphore::new(guard::MOST_VIEWERS)),
        })
    }

    /// How often the corpus was changed through the studio.
    pub fn revision(&self) -> u64 {
        self.revision.load(Ordering::Acquire)
    }

    /// Changes the corpus, and tells every window. What this has answered with `Ok` is on the disk.
    pub fn change<T, E: Into<StudioError>>(
        &self,
        work: impl FnOnce(&mut Corpus) -> std::result::Result<T, E>,
    ) -> Result<T> {
        // The corpus itself is whole whatever happened to another thread.
        let done =
            work(&mut self.corpus.lock().unwrap_or_else(PoisonError::into_inner)).map_err(Into::into)?;
        self.tell();
        Ok(done)
    }

    /// Reads the corpus.
    pub(crate) fn look<T, E: Into<StudioError>>(
        &self,
        work: impl FnOnce(&Corpus) -> std::result::Result<T, E>,
    ) -> Result<T> {
        work(&self.corpus.lock().unwrap_or_else(PoisonError::into_inner)).map_err(Into::into)
    }

    /// The corpus once more, for work that takes longer than others should wait.
    fn reader(&self) -> Result<Corpus> {
        Ok(Corpus::open_read_only(&self.opened.path)?)
    }

    fn tell(&self) {
        self.revision.fetch_add(1, Ordering::AcqRel);
        self.news.notify_waiters();
    }

    /// The count of changes, as soon as it is another than the one that is known, or after a while.
    pub(crate) async fn news(&self, known: u64) -> u64 {
        let news = self.news.notified();
        if self.revision() == known {
            // Whichever comes first: the count is told anyhow.
            let _ = tokio::time::timeout(PATIENCE, news).await;
        }
        self.revision()
    }

    /// Looks at takes for what the library shows of them, until all are known; then tells every window.
    pub fn look_around(&self) -> Result<()> {
        let corpus = self.reader()?;
        let takes = corpus.takes()?;
        let mut looked = false;
        while self.survey.look_at_one(&corpus, &takes)? {
            looked = true;
        }
        if looked {
            self.tell();
        }
        Ok(())
    }

    /// A motion, wherever it is.
    pub(crate) fn motion(&self, id: MotionId) -> Result<Motion> {
        match id {
            MotionId::Take(number) => Motion::of_corpus(&self.reader()?, TakeId(number)),
            MotionId::Made(number) => {
                let made = self.find_made(number)?;
                Ok(Motion { take: made.take.clone(), contacts: made.contacts.clone(), floor_m: 0.0 })
            }
            MotionId::Import(number) => {
                let import = self.imports.get(number).ok_or_else(|| no_motion(id))?;
                Ok(import.motion.clone())
            }
        }
    }

    pub(crate) fn find_made(&self, number: u64) -> Result<Arc<StudioResult>> {
        self.made.get(number).ok_or_else(|| no_motion(MotionId::Made(number)))
    }

    pub(crate) fn find_panel(&self, name: &str) -> Result<&dyn Panel> {
        let found = self.panels.iter().find(|panel| panel.name() == name);
        found
            .map(|panel| &**panel)
            .ok_or_else(|| StudioError::new(&codes::NO_PANEL, format!("no panel {name:?}")))
    }

    /// Lets a panel do its work; what came of it is on the shelf.
    pub(crate) fn run_panel(&self, name: &str, wish: &Value, work: &Work) -> Result<Vec<MotionId>> {
        let corpus = self.reader()?;
        let made = self.find_panel(name)?.run(&self.ask(wish, &corpus), work)?;
        Ok(made.into_iter().map(|made| MotionId::Made(self.made.put(made))).collect())
    }

    /// Lets a panel play; what came of it is on the shelf.
    pub(crate) fn play_panel(&self, name: &str, wish: &Value, live: &mut Live) -> Result<Vec<MotionId>> {
        let corpus = self.reader()?;
        let made = self.find_panel(name)?.play(&self.ask(wish, &corpus), live)?;
        Ok(made.map(|made| MotionId::Made(self.made.put(made))).into_iter().collect())
    }

    /// What a panel answers to a question.
    pub(crate) fn ask_panel(&self, name: &str, wish: &Value) -> Result<Value> {
        self.find_panel(name)?.look(&self.ask(wish, &self.reader()?))
    }

    /// The context in which a verb runs.
    pub(crate) fn context<'a>(&'a self, observer: Observer<'a>) -> Result<Context<'a>> {
        let context = Context::with_corpus(self.reader()?);
        Ok(context.cached_in(&self.cache, self.revision()).observed_by(observer))
    }

    fn ask<'a>(&'a self, wish: &'a Value, corpus: &'a Corpus) -> PanelRequest<'a> {
        PanelRequest { wish, corpus, path: self.path(), revision: self.revision(), cache: &self.cache }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.opened.path
    }

    /// A small picture, made once and kept.
    pub(crate) fn thumb(&self, key: &str, draw: impl FnOnce() -> Result<Vec<u8>>) -> Result<Arc<[u8]>> {
        let kept = |key: &str| self.thumbs.lock().unwrap_or_else(PoisonError::into_inner).get(key).cloned();
        if let Some(drawn) = kept(key) {
            return Ok(drawn);
        }
        let drawn: Arc<[u8]> = draw()?.into();
        let mut thumbs = self.thumbs.lock().unwrap_or_else(PoisonError::into_inner);
        if thumbs.len() >= MOST_THUMBS {
            thumbs.clear();
        }
        thumbs.insert(key.to_owned(), drawn.clone());
        Ok(drawn)
    }
}

fn no_motion(id: MotionId) -> StudioError {
    StudioError::new(&codes::NO_MOTION, format!("no motion {id}"))
}
