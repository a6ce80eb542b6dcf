//! Markers from a socket in real time: each frame is the newest that has arrived.

use std::io::BufReader;
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::time::Duration;

use marey_motion::Observer;
use marey_perform::Recording;

use crate::{LiveError, MarkerFrame, MarkerLines, MarkerPerformer, MarkerRead, Result};

/// Frames per second that the performer is sampled at.
const RATE_HZ: f64 = 60.0;
/// Maximum number of frames that wait to be read; more are dropped.
const MAX_WAITING: usize = 256;
/// How long a read waits before it checks whether the performance has ended.
const READ_TIMEOUT: Duration = Duration::from_millis(500);

/// The newest markers of a sender. A thread reads them until this value is dropped.
#[derive(Debug)]
pub struct LatestMarkers {
    frames: Receiver<MarkerFrame>,
    name: String,
    is_over: Arc<AtomicBool>,
}

impl LatestMarkers {
    /// Connects to a sender of [`MarkerFrame`] lines at `HOST:PORT`.
    ///
    /// # Errors
    /// If nothing listens there.
    pub fn connect(address: &str) -> Result<Self> {
        let name = format!("tcp:{address}");
        let lines = MarkerLines::connect(address)?;
        if let Err(error) = lines.stream().set_read_timeout(Some(READ_TIMEOUT)) {
            return Err(LiveError::Stream { name, error });
        }
        let (sender, frames) = mpsc::sync_channel(MAX_WAITING);
        let is_over = Arc::new(AtomicBool::new(false));
        let reader_is_over = is_over.clone();
        std::thread::spawn(move || read(lines, &sender, &reader_is_over));
        Ok(Self { frames, name, is_over })
    }

    /// Waits until the performer has stood long enough to be measured, and reports progress meanwhile.
    ///
    /// # Errors
    /// If the observer cancels, the stream ends, or the frames do not show the performer's size.
    pub fn into_performer(self, observer: Observer<'_>) -> Result<MarkerPerformer<'static>> {
        let mut standing: Vec<MarkerFrame> = Vec::new();
        while standing.len() < Recording::STANDING {
            let stage = "waiting for a performer to stand in view";
            if observer.report(stage, standing.len(), Recording::STANDING).is_break() {
                return Err(LiveError::Cancelled);
            }
            match self.frames.recv_timeout(READ_TIMEOUT) {
                Ok(frame) => standing.push(sampled(frame)),
                Err(mpsc::RecvTimeoutError::Timeout) => {}
                Err(mpsc::RecvTimeoutError::Disconnected) => {
                    return Err(LiveError::Ended { name: self.name.clone(), frames: standing.len() });
                }
            }
        }
        let mut last = standing.last().cloned();
        let newest = move || {
            loop {
                match self.frames.try_recv() {
                    Ok(frame) => last = Some(sampled(frame)),
                    Err(mpsc::TryRecvError::Empty) => return Ok(last.clone()),
                    Err(mpsc::TryRecvError::Disconnected) => return Ok(None),
                }
            }
        };
        MarkerPerformer::measured(standing, newest, Some(RATE_HZ))
    }
}

impl Drop for LatestMarkers {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
    }
}

/// The frame at the sampling rate, whatever the sender's rate is.
fn sampled(frame: MarkerFrame) -> MarkerFrame {
    MarkerFrame { secs: (1.0 / RATE_HZ) as f32, ..frame }
}

/// Reads frames until the stream ends, a line is not a frame, or the performance is over.
fn read(
    mut lines: MarkerLines<BufReader<TcpStream>>,
    sender: &SyncSender<MarkerFrame>,
    is_over: &AtomicBool,
) {
    while !is_over.load(Ordering::Relaxed) {
        match lines.read() {
            Ok(MarkerRead::Frame(frame)) => {
                // A sender that is faster than the sampling rate fills the queue; then its frames are dropped.
                let _ = sender.try_send(frame);
            }
            Ok(MarkerRead::Pending) => {}
            Ok(MarkerRead::End) | Err(_) => return,
        }
    }
}
