//! Where the frames of a performer come from: keys, a recording, or a socket of this machine.

use std::io::{BufRead, BufReader, ErrorKind, Take as Limited};
use std::net::{Ipv4Addr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::time::Duration;

use marey::corpus::TakeId;
use marey::examples::{Body, playground};
use marey::motion::LocalPose;
use marey::perform::{Calibration, Markers, Puppet, Recording};
use marey::studio::{Ask, Fault, Live, MotionId, codes};
use serde::Deserialize;
use serde_json::Value;

use super::puppeteer::{Puppeteer, Word};
use crate::perform::live::Line;

/// Frames a second of who is puppeted or comes over a socket.
const RATE_HZ: f64 = 60.0;
/// How many lines may wait.
const MOST_LINES: usize = 256;
/// A line is no longer, in bytes.
const LONGEST_LINE: u64 = 64 << 10;
/// How often a socket that says nothing is asked whether anybody listens.
const PATIENCE: Duration = Duration::from_millis(500);

/// One who performs.
pub(super) enum Performer {
    /// Keys puppet one.
    Puppet(Box<Puppeteer>),
    /// One was recorded; which frame is next.
    Recording(Box<Recording>, usize),
    /// One is seen live.
    Socket(Box<Seen>),
}

/// One who is seen live, over a socket.
pub(super) struct Seen {
    lines: Receiver<Line>,
    puppet: Puppet,
    calibration: Calibration,
    last: (LocalPose, [bool; 2]),
    is_over: Arc<AtomicBool>,
}

impl Performer {
    /// A take of the corpus.
    pub(super) fn recorded(ask: &Ask<'_>, take: &str) -> Result<Self, Fault> {
        let MotionId::Take(number) = take.parse()? else {
            return Err(Fault::new(&codes::NO_MOTION, "a recording is a take of the corpus"));
        };
        let take = ask.corpus.take(TakeId(number))?;
        Ok(Performer::Recording(Box::new(Recording::of_clip(take.first())?), 0))
    }

    /// Who sends lines at a port of this machine, as `marey perform --input tcp:` reads them. Waits until they have stood for as long as
    /// it takes to measure them.
    pub(super) fn at_port(port: u16, live: &Live) -> Result<Self, Fault> {
        let refused =
            |error: std::io::Error| Fault::new(&marey::codes::NOT_A_FRAME, format!("port {port}: {error}"));
        let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).map_err(refused)?;
        stream.set_read_timeout(Some(PATIENCE)).map_err(refused)?;
        let (sender, lines) = mpsc::sync_channel(MOST_LINES);
        let is_over = Arc::new(AtomicBool::new(false));
        let ends = is_over.clone();
        std::thread::spawn(move || read(stream, &sender, &ends));
        let mut standing: Vec<Markers> = Vec::new();
        while standing.len() < Recording::STANDING {
            live.at(0.5, "waiting for somebody to stand before the cameras")
                .inspect_err(|_| is_over.store(true, Ordering::Relaxed))?;
            match lines.recv_timeout(PATIENCE) {
                Ok(line) => standing.push(line.markers()),
                Err(mpsc::RecvTimeoutError::Timeout) => {}
                Err(mpsc::RecvTimeoutError::Disconnected) => {
                    let few = format!("port {port}: it ended after {} frames", standing.len());
                    return Err(Fault::new(&marey::codes::NOT_A_FRAME, few));
                }
            }
        }
        let skeleton = Body::default().skeleton()?;
        let mut puppet = Puppet::calibrate(&skeleton, &standing)?;
        let poses: Vec<LocalPose> = standing.iter().map(|markers| puppet.pose(markers).clone()).collect();
        let calibration = Calibration::of(puppet.skeleton().clone(), &poses)?;
        let last =
            (poses.into_iter().next_back().unwrap_or_else(|| LocalPose::rest(puppet.skeleton())), [false; 2]);
        Ok(Performer::Socket(Box::new(Seen { lines, puppet, calibration, last, is_over })))
    }

    pub(super) fn calibration(&self) -> &Calibration {
        match self {
            Performer::Puppet(puppeteer) => puppeteer.calibration(),
            Performer::Recording(recorded, _) => &recorded.calibration,
            Performer::Socket(seen) => &seen.calibration,
        }
    }

    pub(super) fn rate_hz(&self) -> f64 {
        match self {
            Performer::Recording(recorded, _) => recorded.rate_hz,
            Performer::Puppet(_) | Performer::Socket(_) => RATE_HZ,
        }
    }

    /// The next frame, by what is said and seen: a pose, and whether each hand is closed; `None` where there are no more.
    pub(super) fn next(
        &mut self,
        words: &[Value],
        seen: &playground::Seen,
    ) -> Option<(LocalPose, [bool; 2])> {
        match self {
            Performer::Puppet(puppeteer) => {
                // What is not understood is not acted.
                words
                    .iter()
                    .filter_map(|word| Word::deserialize(word).ok())
                    .for_each(|word| puppeteer.hear(word));
                Some(puppeteer.next(seen))
            }
            Performer::Recording(recorded, at) => {
                let frame = recorded.poses.get(*at).cloned().zip(recorded.closed.get(*at).copied());
                *at += 1;
                frame
            }
            Performer::Socket(seen) => seen.next(),
        }
    }

    /// What is acted, where that is known.
    pub(super) fn acts(&self) -> &str {
        match self {
            Performer::Puppet(puppeteer) => puppeteer.acts(),
            Performer::Recording(..) | Performer::Socket(_) => "",
        }
    }

    /// The parts of the adventure that can be played by keys.
    pub(super) fn parts(&self) -> Vec<&'static str> {
        match self {
            Performer::Puppet(_) => playground::Adventurer::parts().collect(),
            Performer::Recording(..) | Performer::Socket(_) => vec![],
        }
    }

    /// What can be acted by keys.
    pub(super) fn activities(&self) -> Vec<&str> {
        match self {
            Performer::Puppet(puppeteer) => puppeteer.activities(),
            Performer::Recording(..) | Performer::Socket(_) => vec![],
        }
    }
}

impl Seen {
    /// The newest that came; where nothing did, all is as it was. `None` where the stream has ended.
    fn next(&mut self) -> Option<(LocalPose, [bool; 2])> {
        loop {
            match self.lines.try_recv() {
                Ok(line) => self.last = (self.puppet.pose(&line.markers()).clone(), line.closed()),
                Err(mpsc::TryRecvError::Empty) => return Some(self.last.clone()),
                Err(mpsc::TryRecvError::Disconnected) => return None,
            }
        }
    }
}

impl Drop for Seen {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
    }
}

/// Reads lines until there are no more, one is no frame, or nobody listens.
fn read(stream: TcpStream, sender: &SyncSender<Line>, is_over: &AtomicBool) {
    let mut lines: Limited<BufReader<TcpStream>> = std::io::Read::take(BufReader::new(stream), LONGEST_LINE);
    let mut text = Vec::new();
    while !is_over.load(Ordering::Relaxed) {
        match lines.read_until(b'\n', &mut text) {
            Ok(_) if text.ends_with(b"\n") => {
                let Ok(line) = serde_json::from_slice(&text) else { return };
                // Who performs faster than is shown is shown as they are now.
                let _ = sender.try_send(line);
                text.clear();
                lines.set_limit(LONGEST_LINE);
            }
            // The end, or a line without one.
            Ok(_) => return,
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
            Err(_) => return,
        }
    }
}
