//! Receives a VMC stream from a socket.

use std::io::ErrorKind;
use std::net::UdpSocket;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{SyncSender, TrySendError};
use std::time::{Duration, Instant};

use super::VmcFrameBuilder;
use crate::{LiveError, MarkerRead, Result};

/// No datagram is longer, so that none is cut off.
const MAX_DATAGRAM_BYTES: usize = 1 << 16;
/// How long a read waits before it checks whether the performance has ended.
const POLL: Duration = Duration::from_millis(100);
/// A stream has ended if nothing arrives for this long, and if the sender said before that it shows no performer.
const SILENCE: Duration = Duration::from_secs(10);
const SILENCE_AFTER_END: Duration = Duration::from_secs(2);

/// Receives packets and sends what they hold, until nobody listens or nothing arrives for a while. Waits for the first packet without end.
///
/// A performance that is slower than the sender loses frames, which are counted: datagrams cannot wait.
pub(crate) fn receive(
    socket: &UdpSocket,
    name: &str,
    sender: &SyncSender<Result<MarkerRead>>,
    is_over: &AtomicBool,
) -> Result<()> {
    let failed = |error| LiveError::Stream { name: name.to_owned(), error };
    socket.set_read_timeout(Some(POLL)).map_err(failed)?;
    let mut builder = VmcFrameBuilder::new()?;
    let mut packet = vec![0; MAX_DATAGRAM_BYTES];
    if sender.send(Ok(MarkerRead::Header(VmcFrameBuilder::header()))).is_err() {
        return Ok(());
    }
    let started = Instant::now();
    let (mut last, mut lost) = (None, 0);
    while !is_over.load(Ordering::Relaxed) {
        let length = match socket.recv_from(&mut packet) {
            Ok((length, _)) => length,
            Err(error) if is_temporary(error.kind()) => {
                let patience = if builder.is_available() { SILENCE } else { SILENCE_AFTER_END };
                if last.is_some_and(|last: Instant| last.elapsed() > patience) {
                    return Ok(());
                }
                continue;
            }
            Err(error) => return Err(failed(error)),
        };
        let now = Instant::now();
        last = Some(now);
        let mut is_alone = false;
        let arrival_secs = now.duration_since(started).as_secs_f64();
        builder.receive(packet.get(..length).unwrap_or_default(), arrival_secs, |read| {
            match forward(read, &mut lost, sender) {
                Ok(()) => {}
                Err(Disconnected) => is_alone = true,
            }
        });
        if is_alone {
            break;
        }
    }
    Ok(())
}

/// The performance has ended.
struct Disconnected;

/// Sends a read, and what was lost before. If too many wait, it is lost.
fn forward(
    read: MarkerRead,
    lost: &mut usize,
    sender: &SyncSender<Result<MarkerRead>>,
) -> std::result::Result<(), Disconnected> {
    if *lost > 0 {
        let problem = "the performance is slower than the stream".to_owned();
        match sender.try_send(Ok(MarkerRead::Dropped { count: *lost, problem })) {
            Ok(()) => *lost = 0,
            Err(TrySendError::Full(_)) => {}
            Err(TrySendError::Disconnected(_)) => return Err(Disconnected),
        }
    }
    let size = if let MarkerRead::Dropped { count, .. } = &read { *count } else { 1 };
    match sender.try_send(Ok(read)) {
        Ok(()) => Ok(()),
        Err(TrySendError::Full(_)) => {
            *lost += size;
            Ok(())
        }
        Err(TrySendError::Disconnected(_)) => Err(Disconnected),
    }
}

/// Whether a read can be tried again. Some systems report that an earlier packet was refused.
fn is_temporary(kind: ErrorKind) -> bool {
    matches!(
        kind,
        ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted | ErrorKind::ConnectionReset
    )
}
