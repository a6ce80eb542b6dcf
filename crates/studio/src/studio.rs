//! The state of the studio: the corpus, the results and imported files of this session, and the panels.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use marey::character::Cast;
use marey::segment::SegmentRequest;
use marey::{ActorBodies, Cache, Context};
use marey_corpus::{Corpus, CorpusFile};
use marey_motion::{Coded, Observer};
use serde_json::Value;
use tokio::sync::{Notify, Semaphore};

use crate::api::CharacterChoice;
use crate::characters::LoadedCharacters;
use crate::guard::{self, Guard};
use crate::jobs::Jobs;
use crate::live_session::{LiveOutput, LiveSessions};
use crate::session_store::SessionStore;
use crate::travel_speeds::TravelSpeeds;
use crate::work::JobResult;
use crate::{
    Imported, Motion, MotionId, Panel, PanelRequest, Result, StudioError, StudioResult, Work, codes, lock,
};

/// Maximum number of results that are remembered.
const MAX_RESULTS: usize = 96;
/// Maximum number of imported files that are remembered.
const MAX_IMPORTS: usize = 6;
/// Maximum number of pictures and exports that are made at once.
const MAX_LIMITED: usize = 2;
/// Maximum number of small pictures that are remembered.
const MAX_THUMBNAILS: usize = 2000;
/// How long a request for changes of the corpus waits.
const MAX_WAIT: Duration = Duration::from_secs(20);

/// The corpus that the studio opens.
#[derive(Debug, Clone)]
pub struct StudioCorpus {
    /// The file.
    pub path: PathBuf,
    /// Whether it holds example motion and is deleted when the studio ends.
    pub is_example: bool,
}

/// The state that all requests share.
pub struct Studio {
    pub(crate) guard: Guard,
    /// Whether the corpus holds example motion and is deleted when the studio ends.
    pub(crate) is_example: bool,
    file: Mutex<Arc<CorpusFile>>,
    revision: AtomicU64,
    changed: Notify,
    cache: Cache,
    pub(crate) panels: Vec<Box<dyn Panel>>,
    pub(crate) jobs: Jobs,
    pub(crate) results: SessionStore<StudioResult>,
    pub(crate) imports: SessionStore<Imported>,
    pub(crate) companions: SessionStore<(String, Arc<[u8]>)>,
    pub(crate) travel_speeds: TravelSpeeds,
    pub(crate) characters: LoadedCharacters,
    thumbnails: Mutex<BTreeMap<String, Arc<[u8]>>>,
    pub(crate) limited: Semaphore,
    pub(crate) live: LiveSessions,
    pub(crate) viewers: Arc<Semaphore>,
}

impl std::fmt::Debug for Studio {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Studio").field("path", &self.path()).finish_non_exhaustive()
    }
}

impl Studio {
    /// Opens a corpus.
    pub fn new(guard: Guard, opened: StudioCorpus, panels: Vec<Box<dyn Panel>>) -> Result<Self> {
        Ok(Self {
            guard,
            is_example: opened.is_example,
            file: Mutex::new(Arc::new(CorpusFile::open(&opened.path)?)),
            revision: AtomicU64::new(1),
            changed: Notify::new(),
            cache: Cache::default(),
            panels,
            jobs: Jobs::default(),
            results: SessionStore::new(MAX_RESULTS),
            imports: SessionStore::new(MAX_IMPORTS),
            companions: SessionStore::new(MAX_IMPORTS),
            travel_speeds: TravelSpeeds::default(),
            characters: LoadedCharacters::default(),
            thumbnails: Mutex::default(),
            limited: Semaphore::new(MAX_LIMITED),
            live: LiveSessions::default(),
            viewers: Arc::new(Semaphore::new(guard::MAX_VIEWERS)),
        })
    }

    /// The number of changes to the corpus so far, from 1.
    pub fn revision(&self) -> u64 {
        self.revision.load(Ordering::Acquire)
    }

    /// Changes the corpus and notifies every window. After `Ok`, the change is on disk. Fails if the file was moved or
    /// replaced since it was opened.
    pub fn change<T, E: Into<StudioError>>(
        &self,
        work: impl FnOnce(&mut Corpus) -> Result<T, E>,
    ) -> Result<T> {
        let done = self.file().change(|mut corpus| work(&mut corpus).map_err(Into::into))?;
        self.notify_windows();
        Ok(done)
    }

    /// Segments takes and notifies every window. Other requests do not wait while cuts are detected.
    pub(crate) fn segment(&self, request: &SegmentRequest) -> Result<()> {
        self.file().change(|corpus| {
            for item in marey::segment::run(request, &Context::with_corpus(corpus))? {
                item.result?;
            }
            Ok::<_, StudioError>(())
        })?;
        self.notify_windows();
        Ok(())
    }

    /// Reads the corpus.
    pub(crate) fn read<T, E: Into<StudioError>>(
        &self,
        work: impl FnOnce(&Corpus) -> Result<T, E>,
    ) -> Result<T> {
        work(&self.reader()?).map_err(Into::into)
    }

    /// The corpus, opened for reading.
    fn reader(&self) -> Result<Corpus> {
        Ok(self.file().read()?)
    }

    fn file(&self) -> Arc<CorpusFile> {
        lock(&self.file).clone()
    }

    /// Copies the corpus with all changes to a new file beside the old one, which the studio uses from then on. Returns its
    /// path.
    pub(crate) fn save_as(&self) -> Result<PathBuf> {
        let file = self.file();
        let stem = file.path().file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let mut number = 1;
        let path = loop {
            let path = file.path().with_file_name(format!("{stem}-saved-{number}.marey"));
            match file.save_as(&path) {
                Ok(()) => break path,
                Err(error) if error.code() == &marey_formats::codes::EXISTS => number += 1,
                Err(error) => return Err(error.into()),
            }
        };
        self.use_file(&path)?;
        Ok(path)
    }

    /// Opens the file that is at the path of the corpus now.
    pub(crate) fn reopen(&self) -> Result<()> {
        self.use_file(&self.path())
    }

    fn use_file(&self, path: &Path) -> Result<()> {
        *lock(&self.file) = Arc::new(CorpusFile::open(path)?);
        self.notify_windows();
        Ok(())
    }

    fn notify_windows(&self) {
        self.revision.fetch_add(1, Ordering::AcqRel);
        self.changed.notify_waiters();
    }

    /// Waits until the revision differs from `known`, at most 20 s, and returns it.
    pub(crate) async fn wait_for_change(&self, known: u64) -> u64 {
        let changed = self.changed.notified();
        if self.revision() == known {
            // After a timeout, the known revision is returned.
            let _ = tokio::time::timeout(MAX_WAIT, changed).await;
        }
        self.revision()
    }

    /// Measures how fast the actors of new takes travel, and notifies every window.
    pub fn measure_travel_speeds(&self) -> Result<()> {
        if self.travel_speeds.measure(&self.reader()?)? {
            self.notify_windows();
        }
        Ok(())
    }

    /// The motion with an identifier.
    pub(crate) fn motion(&self, id: MotionId) -> Result<Motion> {
        match id {
            MotionId::Take(_) => Motion::from_corpus(&self.reader()?, id.take_id()?),
            MotionId::Result(number) => {
                let result = self.result(number)?;
                Ok(Motion { take: result.take.clone(), contacts: result.contacts.clone(), floor_m: 0.0 })
            }
            MotionId::Import(number) => {
                let import = self.imports.get(number).ok_or_else(|| no_motion(id))?;
                Ok(import.motion.clone())
            }
        }
    }

    /// The characters of the corpus that are chosen.
    pub(crate) fn cast(&self, choice: &CharacterChoice) -> Result<Cast> {
        let every = match choice.every {
            Some(id) => Cast::clone(&*self.characters.get(id, self)?),
            None => Cast::default(),
        };
        choice.named.iter().try_fold(every, |cast, (actor, id)| {
            Ok(cast.with_actor(actor, &*self.characters.get(*id, self)?))
        })
    }

    /// The motion of an identifier on the characters that are chosen for its actors.
    pub(crate) fn motion_on(&self, id: MotionId, choice: &CharacterChoice) -> Result<Motion> {
        let motion = self.motion(id)?;
        let cast = self.cast(choice)?.among(&motion.take);
        Ok(Motion { take: cast.fit(motion.take, None)?, ..motion })
    }

    /// The result with a number.
    pub(crate) fn result(&self, number: u64) -> Result<Arc<StudioResult>> {
        self.results.get(number).ok_or_else(|| no_motion(MotionId::Result(number)))
    }

    /// The panel with a name.
    pub(crate) fn panel(&self, name: &str) -> Result<&dyn Panel> {
        let found = self.panels.iter().find(|panel| panel.name() == name);
        let missing = || StudioError::new(&codes::NO_PANEL, format!("there is no panel {name:?}"));
        found.map(|panel| &**panel).ok_or_else(missing)
    }

    /// Runs a panel, for the bodies of the characters that are chosen, and stores its results.
    pub(crate) fn run_panel(
        &self,
        name: &str,
        message: &Value,
        choice: &CharacterChoice,
        work: &Work,
    ) -> JobResult {
        let (corpus, path) = (self.reader()?, self.path());
        let bodies = self.cast(choice)?.bodies();
        let request = PanelRequest { bodies, ..self.request(message, &corpus, &path) };
        let results = self.panel(name)?.run(&request, work)?;
        Ok(results.into_iter().map(|result| MotionId::Result(self.results.insert(result))).collect())
    }

    /// Runs a panel live, on the characters that are chosen, and stores its result.
    pub(crate) fn play_panel(
        &self,
        name: &str,
        message: &Value,
        choice: &CharacterChoice,
        live: &mut LiveOutput,
    ) -> JobResult {
        let (corpus, path) = (self.reader()?, self.path());
        live.show_on(self.cast(choice)?);
        let result = self.panel(name)?.play(&self.request(message, &corpus, &path), live)?;
        Ok(result.map(|result| MotionId::Result(self.results.insert(result))).into_iter().collect())
    }

    /// The preview of a panel.
    pub(crate) fn preview_panel(&self, name: &str, message: &Value) -> Result<Value> {
        self.panel(name)?.preview(&self.request(message, &self.reader()?, &self.path()))
    }

    /// The context in which a verb runs.
    pub(crate) fn context<'a>(&'a self, observer: Observer<'a>) -> Result<Context<'a>> {
        let context = Context::with_corpus(self.reader()?);
        Ok(context.cached_in(&self.cache, self.revision()).observed_by(observer))
    }

    fn request<'a>(&'a self, message: &'a Value, corpus: &'a Corpus, path: &'a Path) -> PanelRequest<'a> {
        let bodies = ActorBodies::default();
        PanelRequest { message, corpus, path, revision: self.revision(), cache: &self.cache, bodies }
    }

    /// The file of the corpus.
    pub(crate) fn path(&self) -> PathBuf {
        self.file().path().to_owned()
    }

    /// A small picture, which is drawn once.
    pub(crate) fn thumbnail(&self, key: &str, draw: impl FnOnce() -> Result<Vec<u8>>) -> Result<Arc<[u8]>> {
        if let Some(drawn) = lock(&self.thumbnails).get(key).cloned() {
            return Ok(drawn);
        }
        let drawn: Arc<[u8]> = draw()?.into();
        let mut thumbnails = lock(&self.thumbnails);
        if thumbnails.len() >= MAX_THUMBNAILS {
            thumbnails.clear();
        }
        thumbnails.insert(key.to_owned(), drawn.clone());
        Ok(drawn)
    }
}

fn no_motion(id: MotionId) -> StudioError {
    StudioError::new(&codes::NO_MOTION, format!("there is no motion {id}"))
}
