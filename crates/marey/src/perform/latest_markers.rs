//! Markers from a socket in real time: each frame is the newest that has arrived.

use std::io::BufReader;
use std::net::{TcpStream, ToSocketAddrs};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::time::Duration;

use super::{MarkerFrame, MarkerLines, MarkerPerformer, MarkerRead, Recording};
use crate::{Error, codes};

/// Frames per second that the performer is sampled at.
const RATE_HZ: f64 = 60.0;
/// The most frames that may wait; more are dropped.
const MOST_WAITING: usize = 256;
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
    /// Connects to a sender of [`MarkerFrame`] lines.
    pub fn connect(address: impl ToSocketAddrs, name: impl Into<String>) -> Result<Self, Error> {
        let name = name.into();
        let refused = |error: std::io::Error| Error::new(&codes::NOT_A_FRAME, format!("{name}: {error}"));
        let stream = TcpStream::connect(address).map_err(refused)?;
        stream.set_read_timeout(Some(READ_TIMEOUT)).map_err(refused)?;
        let (sender, frames) = mpsc::sync_channel(MOST_WAITING);
        let is_over = Arc::new(AtomicBool::new(false));
        let (lines, flag) = (MarkerLines::new(BufReader::new(stream), &*name), is_over.clone());
        std::thread::spawn(move || read(lines, &sender, &flag));
        Ok(Self { frames, name, is_over })
    }

    /// Waits until the performer has stood long enough to be measured. `waiting` is called while nothing arrives; its error ends
    /// the wait.
    pub fn into_performer(
        self,
        mut waiting: impl FnMut() -> Result<(), Error>,
    ) -> Result<MarkerPerformer<'static>, Error> {
        let mut standing: Vec<MarkerFrame> = Vec::new();
        while standing.len() < Recording::STANDING {
            waiting()?;
            match self.frames.recv_timeout(READ_TIMEOUT) {
                Ok(frame) => standing.push(sampled(frame)),
                Err(mpsc::RecvTimeoutError::Timeout) => {}
                Err(mpsc::RecvTimeoutError::Disconnected) => {
                    let message = format!("{}: the stream ended after {} frames", self.name, standing.len());
                    return Err(Error::new(&codes::NOT_A_FRAME, message));
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
