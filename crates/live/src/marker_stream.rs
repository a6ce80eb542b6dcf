//! A stream of markers that a thread reads, so that whoever waits for it can be cancelled.

use std::io::{BufReader, Read};
use std::net::{TcpStream, UdpSocket};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender, TryRecvError};
use std::time::{Duration, Instant};

use marey_motion::Observer;

use crate::vmc::{self, VmcAddress};
use crate::{LiveError, MarkerFrame, MarkerLines, MarkerPerformer, MarkerRead, Result, StreamTime};

/// Frames per second of a performer who is sampled.
const RATE_HZ: f64 = 60.0;
/// The number of lines that wait to be performed; then the sender has to wait.
const MAX_WAITING: usize = 256;
/// How long a read waits before it checks whether the performance has ended.
const POLL: Duration = Duration::from_millis(100);
/// How long a lost connection is tried again, and how often.
const RECONNECT: Duration = Duration::from_secs(2);
const RETRY: Duration = Duration::from_millis(50);

/// Lines of a sender, which a thread reads until this value is dropped.
#[derive(Debug)]
pub struct MarkerStream {
    lines: Receiver<Result<MarkerRead>>,
    is_over: Arc<AtomicBool>,
}

impl MarkerStream {
    /// Connects to a sender of lines at `HOST:PORT`. If the connection is lost, it is opened again, for up to two seconds.
    ///
    /// # Errors
    /// If nothing listens there.
    pub fn connect(address: &str) -> Result<Self> {
        let first = open(address)?;
        let address = address.to_owned();
        Ok(Self::spawn(move |sender, is_over| {
            let (mut connection, mut patience) = (Some(first), None);
            while let Some(stream) = connection {
                let last = forward(stream, &format!("tcp:{address}"), sender, is_over, patience);
                // A sender that has ended may still accept connections, but sends nothing.
                patience = Some(RECONNECT);
                if matches!(last, Ok(MarkerRead::Pending)) {
                    let _ = sender.send(Ok(MarkerRead::End));
                    return;
                }
                let started = Instant::now();
                connection = None;
                while connection.is_none()
                    && started.elapsed() < RECONNECT
                    && !is_over.load(Ordering::Relaxed)
                {
                    std::thread::sleep(RETRY);
                    connection = open(&address).ok();
                }
                let message = if connection.is_some() { Ok(MarkerRead::Reconnected) } else { last };
                if sender.send(message).is_err() {
                    return;
                }
            }
        }))
    }

    /// Reads the lines of any reader; errors call it `name`.
    pub fn new(reader: impl Read + Send + 'static, name: &str) -> Self {
        let name = name.to_owned();
        Self::spawn(move |sender, is_over| {
            let last = forward(reader, &name, sender, is_over, None);
            // Nobody waits for the end of a performance that is over.
            let _ = sender.send(last);
        })
    }

    /// Receives a VMC stream: `vmc`, `vmc:PORT`, `vmc:HOST` or `vmc:HOST:PORT`. It ends if nothing arrives for ten seconds.
    ///
    /// # Errors
    /// If the address is not valid, or its port cannot be opened.
    pub fn listen_vmc(address: &str) -> Result<Self> {
        let address: VmcAddress = address.parse()?;
        Ok(Self::receive_vmc(address.listen()?, &address.to_string()))
    }

    /// Receives a VMC stream from a socket; errors call it `name`.
    pub fn receive_vmc(socket: UdpSocket, name: &str) -> Self {
        let name = name.to_owned();
        Self::spawn(move |sender, is_over| {
            let last = vmc::receive(&socket, &name, sender, is_over).map(|()| MarkerRead::End);
            // Nobody waits for the end of a performance that is over.
            let _ = sender.send(last);
        })
    }

    fn spawn(read: impl FnOnce(&SyncSender<Result<MarkerRead>>, &AtomicBool) + Send + 'static) -> Self {
        let (sender, lines) = mpsc::sync_channel(MAX_WAITING);
        let is_over = Arc::new(AtomicBool::new(false));
        let reader_is_over = is_over.clone();
        std::thread::spawn(move || read(&sender, &reader_is_over));
        Self { lines, is_over }
    }

    /// A performer who performs every frame of the stream. Waits until the performer is measured. If the observer cancels, the stream
    /// ends.
    ///
    /// # Errors
    /// If the observer cancels or the stream ends before the performer is measured.
    pub fn into_performer(self, observer: Observer<'_>) -> Result<MarkerPerformer<'_>> {
        MarkerPerformer::new(move || {
            // A stream that never shows a performer has to end, too.
            if observer.report("waiting for the stream", 0, 0).is_break() {
                return Ok(MarkerRead::End);
            }
            match self.lines.recv_timeout(POLL) {
                Ok(read) => read,
                Err(RecvTimeoutError::Disconnected) => Ok(MarkerRead::End),
                Err(RecvTimeoutError::Timeout) => Ok(MarkerRead::Pending),
            }
        })
    }

    /// A performer who performs the newest frame of the stream 60 times a second, or the last one again if none has arrived. Waits until
    /// the performer is measured, and reports progress meanwhile.
    ///
    /// # Errors
    /// If the observer cancels or the stream ends before the performer is measured.
    pub fn into_sampled_performer(self, observer: Observer<'_>) -> Result<MarkerPerformer<'static>> {
        let mut seen = 0;
        let stream = Rc::new(self);
        let opening = stream.clone();
        let waiting = move || {
            let stage = "waiting for a performer in view";
            if observer.report(stage, seen.min(MarkerPerformer::OPENING), MarkerPerformer::OPENING).is_break()
            {
                return Err(LiveError::Cancelled);
            }
            match opening.lines.recv_timeout(POLL) {
                Ok(read) => {
                    seen += 1;
                    Ok(sampled(read?))
                }
                Err(RecvTimeoutError::Timeout) => Ok(MarkerRead::Pending),
                Err(RecvTimeoutError::Disconnected) => Ok(MarkerRead::End),
            }
        };
        let performer = MarkerPerformer::new(waiting)?;
        // Until the next frame arrives, the performer keeps the pose.
        let mut last = performer.last_opening().cloned().map_or(MarkerRead::End, MarkerRead::Frame);
        let newest = move || {
            loop {
                match stream.lines.try_recv() {
                    Ok(Ok(read @ MarkerRead::Frame(_))) => last = sampled(read),
                    Ok(read) => return read.map(sampled),
                    Err(TryRecvError::Disconnected) => return Ok(MarkerRead::End),
                    Err(TryRecvError::Empty) => return Ok(last.clone()),
                }
            }
        };
        Ok(performer.continued_by(newest, Some(RATE_HZ)))
    }
}

impl Drop for MarkerStream {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
    }
}

/// The frame at the sampling rate, whatever the sender's rate is.
fn sampled(read: MarkerRead) -> MarkerRead {
    match read {
        MarkerRead::Frame(frame) => MarkerRead::Frame(MarkerFrame { secs: Some(1.0 / RATE_HZ), ..frame }),
        MarkerRead::Header(mut header) => {
            header.time = Some(StreamTime::Intervals);
            MarkerRead::Header(header)
        }
        other => other,
    }
}

fn open(address: &str) -> Result<TcpStream> {
    let stream = TcpStream::connect(address).and_then(|stream| {
        stream.set_read_timeout(Some(POLL))?;
        Ok(stream)
    });
    stream.map_err(|error| LiveError::Stream { name: format!("tcp:{address}"), error })
}

/// Sends the lines of a reader until it ends, and returns how it ended: pending if no line arrived within `patience`.
fn forward(
    reader: impl Read,
    name: &str,
    sender: &SyncSender<Result<MarkerRead>>,
    is_over: &AtomicBool,
    patience: Option<Duration>,
) -> Result<MarkerRead> {
    let (started, mut is_silent) = (Instant::now(), true);
    let mut lines = MarkerLines::new(BufReader::new(reader), name);
    while !is_over.load(Ordering::Relaxed) {
        match lines.read() {
            Ok(MarkerRead::Pending)
                if is_silent && patience.is_some_and(|patience| started.elapsed() > patience) =>
            {
                return Ok(MarkerRead::Pending);
            }
            Ok(MarkerRead::Pending) => {}
            Ok(MarkerRead::End) => break,
            Ok(read) => {
                is_silent = false;
                if sender.send(Ok(read)).is_err() {
                    break;
                }
            }
            Err(error) => return Err(error),
        }
    }
    let is_over = is_silent && patience.is_some();
    Ok(if is_over { MarkerRead::Pending } else { MarkerRead::End })
}
