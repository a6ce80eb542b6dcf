//! Live sessions: one thread makes motion, any number of windows watch it and send messages to it.
//!
//! Frames go through a ring of fixed length that all viewers read. Slow viewers skip frames; no viewer delays another.

use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::{Duration, Instant};

use axum::body::Bytes;
use marey::character::Cast;
use marey::live::FrameClock;
use marey_motion::{Clip, LocalPoseRef};
use marey_ops::retarget::{LiveRetarget, TravelScale};
use serde_json::Value;
use tokio::sync::{broadcast, watch};

use crate::session_store::SessionStore;
use crate::work::{JobResult, WorkState};
use crate::{Motion, Result, StudioError, Work, codes, message};

/// Number of frames in the ring: two seconds at 60 Hz.
const RING_FRAMES: usize = 120;
/// Maximum number of messages that wait to be read; more are dropped.
const MAX_MESSAGES: usize = 64;
/// Maximum number of sessions at once.
const MAX_ACTIVE: usize = 3;
/// Number of sessions that are remembered, including those that have ended.
const MAX_REMEMBERED: usize = 6;
/// A session without viewers ends after this time.
const MAX_UNWATCHED: Duration = Duration::from_secs(8);
/// A session ends after this time.
const MAX_DURATION: Duration = Duration::from_secs(3600);

/// A live session, as viewers see it.
#[derive(Debug)]
pub(crate) struct LiveSession {
    work: Arc<Work>,
    frames: broadcast::Sender<Bytes>,
    messages: mpsc::SyncSender<Value>,
}

impl LiveSession {
    /// Receivers of the session's state and of its frames.
    pub(crate) fn subscribe(&self) -> (watch::Receiver<WorkState>, broadcast::Receiver<Bytes>) {
        (self.work.subscribe(), self.frames.subscribe())
    }

    /// Sends a message to the session. It is dropped if too many are waiting.
    pub(crate) fn send(&self, message: Value) {
        let _ = self.messages.try_send(message);
    }

    /// Ends the session.
    pub(crate) fn end(&self) {
        self.work.cancel();
    }
}

/// The output of a live session: a panel sends frames to it and reads messages from it.
#[derive(Debug)]
pub struct LiveOutput {
    work: Arc<Work>,
    frames: broadcast::Sender<Bytes>,
    messages: Mutex<mpsc::Receiver<Value>>,
    start: Instant,
    last_watched: Instant,
    clock: FrameClock,
    frame: u32,
    /// The characters that show the session.
    cast: Cast,
    /// For each figure, once the session is open on characters.
    retargets: Vec<LiveRetarget>,
}

impl LiveOutput {
    /// Shows the session on characters.
    pub(crate) fn show_on(&mut self, cast: Cast) {
        self.cast = cast;
    }

    /// The progress of preparing the session.
    pub fn work(&self) -> &Work {
        &self.work
    }

    /// Starts the session. `figures` holds the first frame; `about` is sent to every viewer first.
    ///
    /// # Errors
    /// If the figures cannot be shown on the chosen characters.
    pub fn open(&mut self, figures: &Motion, about: &Value) -> Result<()> {
        let cast = self.cast.among(&figures.take);
        let on_cast = if cast.is_empty() { None } else { Some(self.on_cast(figures, &cast)?) };
        let mut bytes = Vec::new();
        put_text(&mut bytes, &about.to_string());
        bytes.extend(message::encode(on_cast.as_ref().unwrap_or(figures)));
        self.work.open(bytes.into());
        self.start = Instant::now();
        self.last_watched = self.start;
        self.clock = FrameClock::start();
        Ok(())
    }

    /// The figures on characters, on which later frames are shown too.
    fn on_cast(&mut self, figures: &Motion, cast: &Cast) -> Result<Motion> {
        let actors = figures.take.actors();
        // The frames of partners are transferred one by one, so partners keep their places.
        let travel = if actors.len() > 1 { TravelScale::Kept } else { TravelScale::Scaled };
        // Fails if a character cannot be moved.
        let fitted = cast.fit(figures.take.clone(), None)?;
        let mut clips = Vec::new();
        for (actor, fitted) in actors.iter().zip(fitted.actors()) {
            let body = fitted.clip.skeleton();
            let rate_hz = actor.clip.rate_hz();
            let mut retarget = LiveRetarget::new(actor.clip.skeleton(), body.clone(), travel, rate_hz)?;
            let pose = retarget.apply(actor.clip.pose(0));
            clips.push(Clip::still(body.clone(), rate_hz, pose)?);
            self.retargets.push(retarget);
        }
        Ok(Motion { take: figures.take.clone().with_clips(clips)?, ..figures.clone() })
    }

    /// Waits until the next frame is due. Returns the messages that have arrived, or `None` if the session is over.
    pub fn next(&mut self, rate_hz: f64) -> Option<Vec<Value>> {
        let now = Instant::now();
        if self.frames.receiver_count() > 0 {
            self.last_watched = now;
        }
        let is_unwatched = now - self.last_watched > MAX_UNWATCHED;
        if self.work.is_cancelled() || is_unwatched || now - self.start > MAX_DURATION {
            return None;
        }
        self.clock.wait(rate_hz);
        Some(self.messages.get_mut().unwrap_or_else(PoisonError::into_inner).try_iter().collect())
    }

    /// Sends a frame: a description for the page, then the poses of all figures in the layout of [`message`], positions before
    /// rotations.
    pub fn send<'a>(&mut self, about: &Value, poses: impl Iterator<Item = LocalPoseRef<'a>>) {
        let mut bytes = self.frame.to_le_bytes().to_vec();
        put_text(&mut bytes, &if about.is_null() { String::new() } else { about.to_string() });
        for (figure, pose) in poses.enumerate() {
            match self.retargets.get_mut(figure) {
                Some(retarget) => put_pose(&mut bytes, retarget.apply(pose).view()),
                None => put_pose(&mut bytes, pose),
            }
        }
        self.frame = self.frame.wrapping_add(1);
        // Sending fails only if there are no viewers.
        let _ = self.frames.send(bytes.into());
    }
}

/// Positions, then rotations.
fn put_pose(bytes: &mut Vec<u8>, pose: LocalPoseRef<'_>) {
    let positions = pose.positions.iter().flat_map(|position| position.to_array());
    let rotations = pose.rotations.iter().flat_map(|rotation| rotation.to_array());
    bytes.extend(positions.chain(rotations).flat_map(f32::to_le_bytes));
}

/// The length of a text, and the text, padded with spaces to a multiple of four bytes.
fn put_text(bytes: &mut Vec<u8>, text: &str) {
    let length = text.len().next_multiple_of(4);
    bytes.extend((length as u32).to_le_bytes());
    bytes.extend(text.bytes());
    bytes.extend(std::iter::repeat_n(b' ', length - text.len()));
}

/// All live sessions.
#[derive(Debug)]
pub(crate) struct LiveSessions {
    sessions: SessionStore<LiveSession>,
}

impl Default for LiveSessions {
    fn default() -> Self {
        Self { sessions: SessionStore::new(MAX_REMEMBERED) }
    }
}

impl LiveSessions {
    /// Starts a session on its own thread, and returns its number. Fails if too many are running.
    pub(crate) fn start(
        &self,
        play: impl FnOnce(&mut LiveOutput) -> JobResult + Send + 'static,
    ) -> Result<u64> {
        let work = Arc::new(Work::default());
        let (frames, _) = broadcast::channel(RING_FRAMES);
        let (sender, receiver) = mpsc::sync_channel(MAX_MESSAGES);
        let session = LiveSession { work: work.clone(), frames: frames.clone(), messages: sender };
        let is_active = |session: &LiveSession| session.work.is_active();
        let number = self.sessions.insert_active(Arc::new(session), MAX_ACTIVE, is_active);
        let busy = || StudioError::new(&codes::BUSY, format!("{MAX_ACTIVE} live sessions are running"));
        let number = number.ok_or_else(busy)?;
        let start = Instant::now();
        let mut output = LiveOutput {
            work: work.clone(),
            frames,
            messages: Mutex::new(receiver),
            start,
            last_watched: start,
            clock: FrameClock::start(),
            frame: 0,
            cast: Cast::default(),
            retargets: Vec::new(),
        };
        tokio::spawn(async move { work.run(move || play(&mut output)).await });
        Ok(number)
    }

    /// The session with a number.
    pub(crate) fn find(&self, number: u64) -> Result<Arc<LiveSession>> {
        let missing = || StudioError::new(&codes::NO_JOB, format!("there is no live session {number}"));
        self.sessions.get(number).ok_or_else(missing)
    }
}
