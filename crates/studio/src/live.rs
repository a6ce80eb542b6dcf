//! Motion that is made while it is watched: one thread makes it, any number of windows see it, and what they say is heard.
//!
//! Frames go through a ring of fixed length that all viewers read from: who reads fast loses none, who reads slowly skips to what is
//! still there, and nobody makes anybody else wait.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::{Duration, Instant};

use axum::body::Bytes;
use marey_motion::Progress;
use serde_json::{Value, json};
use tokio::sync::{broadcast, watch};

use crate::{Motion, MotionId, Result, StudioError, codes, message};

/// How many frames the ring has: two seconds at 60 a second.
const RING: usize = 120;
/// How many words may wait to be heard; more are not.
const MOST_WORDS: usize = 64;
/// How much of it may go on at once.
const MOST_SHOWS: usize = 3;
/// How long it goes on when nobody watches.
const ALONE: Duration = Duration::from_secs(8);
/// How long it may go on at all.
const LONGEST: Duration = Duration::from_secs(3600);
/// Where the maker was late by more than this, it does not try to catch up.
const LATE: Duration = Duration::from_millis(250);

/// How far a show is.
#[derive(Debug, Clone)]
pub(crate) enum State {
    /// It is being prepared: how far, and what is done.
    Preparing(f32, &'static str),
    /// It goes on: what a viewer must know first.
    Open(Bytes),
    /// It is over: what came of it.
    Ended(Result<Vec<MotionId>>),
}

/// What viewers have of a show.
#[derive(Debug)]
pub(crate) struct Show {
    state: watch::Sender<State>,
    frames: broadcast::Sender<Bytes>,
    words: mpsc::SyncSender<Value>,
    is_over: Arc<AtomicBool>,
}

impl Show {
    /// A place to see it from.
    pub(crate) fn join(&self) -> (watch::Receiver<State>, broadcast::Receiver<Bytes>) {
        (self.state.subscribe(), self.frames.subscribe())
    }

    /// Says something to the maker; where too much waits, it is not heard.
    pub(crate) fn say(&self, word: Value) {
        let _ = self.words.try_send(word);
    }

    /// Says that it is over.
    pub(crate) fn end(&self) {
        self.is_over.store(true, Ordering::Relaxed);
    }
}

/// What the maker of a show has: how it tells, shows, keeps time, and hears.
#[derive(Debug)]
pub struct Live {
    state: watch::Sender<State>,
    frames: broadcast::Sender<Bytes>,
    words: Mutex<mpsc::Receiver<Value>>,
    is_over: Arc<AtomicBool>,
    began: Instant,
    due: Instant,
    seen: Instant,
    number: u32,
}

impl Live {
    /// Says how far preparing is, from 0 to 1, and what is done. Refused where nobody wants it any more.
    pub fn at(&self, share: f32, doing: &'static str) -> Result<()> {
        self.state.send_replace(State::Preparing(share, doing));
        if self.is_over.load(Ordering::Relaxed) {
            return Err(StudioError::new(&codes::CANCELLED, "it was cancelled while it was prepared"));
        }
        Ok(())
    }

    /// Shows the progress of preparing on the page; cancels it if nobody waits any more.
    pub fn observe(&self, progress: Progress) -> ControlFlow<()> {
        let share = progress.done as f32 / progress.total.max(1) as f32;
        match self.at(share, progress.stage) {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    }

    /// Begins: the figures, as the first frame of a motion has them, and what else the page must know.
    pub fn open(&mut self, figures: &Motion, about: &Value) {
        let about = about.to_string();
        let mut bytes = Vec::new();
        put_text(&mut bytes, &about);
        bytes.extend(message::encode(figures));
        self.state.send_replace(State::Open(bytes.into()));
        self.began = Instant::now();
        (self.due, self.seen) = (self.began, self.began);
    }

    /// Waits until the next frame is due, at so many a second; what was said meanwhile, or `None` where it is over.
    pub fn next(&mut self, rate_hz: f64) -> Option<Vec<Value>> {
        let now = Instant::now();
        if self.frames.receiver_count() > 0 {
            self.seen = now;
        }
        let is_over = self.is_over.load(Ordering::Relaxed);
        if is_over || now - self.seen > ALONE || now - self.began > LONGEST {
            return None;
        }
        self.due += Duration::from_secs_f64(1.0 / rate_hz.clamp(1.0, 1000.0));
        match self.due.checked_duration_since(now) {
            Some(early) => std::thread::sleep(early),
            None if now - self.due > LATE => self.due = now,
            None => {}
        }
        Some(self.words.get_mut().unwrap_or_else(PoisonError::into_inner).try_iter().collect())
    }

    /// Shows a frame: what is said with it, and the poses of all figures as numbers, in the order of [`message`]: places, then turns.
    pub fn show<'a>(&mut self, said: &Value, poses: impl Iterator<Item = marey_motion::LocalPoseRef<'a>>) {
        let mut bytes = self.number.to_le_bytes().to_vec();
        put_text(&mut bytes, &if said.is_null() { String::new() } else { said.to_string() });
        for pose in poses {
            let places = pose.positions.iter().flat_map(|at| at.to_array());
            let turns = pose.rotations.iter().flat_map(|turn| turn.to_array());
            bytes.extend(places.chain(turns).flat_map(f32::to_le_bytes));
        }
        self.number = self.number.wrapping_add(1);
        // Where nobody watches, nobody is told.
        let _ = self.frames.send(bytes.into());
    }
}

/// The length of a text, and the text, with blanks up to a multiple of four bytes.
fn put_text(bytes: &mut Vec<u8>, text: &str) {
    let length = text.len().next_multiple_of(4);
    bytes.extend((length as u32).to_le_bytes());
    bytes.extend(text.bytes());
    bytes.extend(std::iter::repeat_n(b' ', length - text.len()));
}

/// All shows, by number.
#[derive(Debug, Default)]
pub(crate) struct Shows {
    shows: Mutex<(u64, BTreeMap<u64, Arc<Show>>)>,
}

impl Shows {
    /// Has a thread of its own make a show; its number. Refused where too many go on.
    pub(crate) fn start(
        self: &Arc<Self>,
        make: impl FnOnce(&mut Live) -> Result<Vec<MotionId>> + Send + 'static,
    ) -> Result<u64> {
        let (state, _) = watch::channel(State::Preparing(0.0, "starting"));
        let (frames, _) = broadcast::channel(RING);
        let (words, heard) = mpsc::sync_channel(MOST_WORDS);
        let is_over = Arc::new(AtomicBool::new(false));
        let show =
            Arc::new(Show { state: state.clone(), frames: frames.clone(), words, is_over: is_over.clone() });
        let number = {
            let mut shows = self.shows.lock().unwrap_or_else(PoisonError::into_inner);
            shows.1.retain(|_, show| !matches!(*show.state.borrow(), State::Ended(_)));
            if shows.1.len() >= MOST_SHOWS {
                return Err(StudioError::new(&codes::BUSY, format!("{MOST_SHOWS} plays go on already")));
            }
            shows.0 += 1;
            let number = shows.0;
            shows.1.insert(number, show);
            number
        };
        let now = Instant::now();
        let words = Mutex::new(heard);
        let mut live = Live { state, frames, words, is_over, began: now, due: now, seen: now, number: 0 };
        tokio::spawn(async move {
            let state = live.state.clone();
            let made = tokio::task::spawn_blocking(move || make(&mut live)).await;
            let ended = made.unwrap_or_else(|panic| Err(StudioError::new(&codes::BUG, panic.to_string())));
            state.send_replace(State::Ended(ended));
        });
        Ok(number)
    }

    /// The show of a number, while it goes on or somebody may yet ask how it ended.
    pub(crate) fn find(&self, number: u64) -> Result<Arc<Show>> {
        let shows = self.shows.lock().unwrap_or_else(PoisonError::into_inner);
        shows
            .1
            .get(&number)
            .cloned()
            .ok_or_else(|| StudioError::new(&codes::NO_JOB, format!("no play {number}")))
    }
}

impl State {
    /// As the page is told, unless it is what must be known first.
    pub(crate) fn told(&self) -> Option<Value> {
        match self {
            State::Preparing(share, doing) => {
                Some(json!({ "state": "preparing", "share": share, "doing": doing }))
            }
            State::Open(_) => None,
            State::Ended(Ok(motions)) => {
                let names: Vec<String> = motions.iter().map(MotionId::to_string).collect();
                Some(json!({ "state": "done", "motions": names }))
            }
            State::Ended(Err(fault)) => Some(json!({ "state": "failed", "fault": fault.to_json() })),
        }
    }
}
