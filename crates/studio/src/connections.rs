//! The open connections.
//!
//! A connection is a guest until one of its requests passes the guard. Guests have few places, and a new one takes that of the
//! oldest, so that connections without access never keep others out. Connections with access have places of their own.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};

use crate::guard::MAX_GUESTS;
use crate::lock;

/// All open connections.
pub(crate) struct Connections {
    /// Those without access, the oldest first.
    guests: Mutex<VecDeque<Arc<Notify>>>,
    /// Places for those with access.
    admitted: Arc<Semaphore>,
}

/// One open connection. Its place is free when it is dropped.
pub(crate) struct Connection {
    all: Arc<Connections>,
    /// Notified if a newer guest takes its place.
    evicted: Arc<Notify>,
    /// The place of a connection with access.
    permit: Mutex<Option<OwnedSemaphorePermit>>,
}

impl Connections {
    /// No connections yet, and places for so many with access.
    pub(crate) fn new(places: usize) -> Arc<Self> {
        let admitted = Arc::new(Semaphore::new(places));
        Arc::new(Self { guests: Mutex::default(), admitted })
    }

    /// A new connection, as a guest.
    pub(crate) fn accept(self: &Arc<Self>) -> Arc<Connection> {
        let evicted = Arc::new(Notify::new());
        let mut guests = lock(&self.guests);
        guests.push_back(evicted.clone());
        if guests.len() > MAX_GUESTS
            && let Some(oldest) = guests.pop_front()
        {
            oldest.notify_one();
        }
        Arc::new(Connection { all: self.clone(), evicted, permit: Mutex::default() })
    }

    fn remove_guest(&self, guest: &Arc<Notify>) {
        lock(&self.guests).retain(|other| !Arc::ptr_eq(other, guest));
    }
}

impl Connection {
    /// Gives the connection a place of its own. Returns false if all are taken.
    pub(crate) fn admit(&self) -> bool {
        let mut permit = lock(&self.permit);
        if permit.is_none() {
            *permit = self.all.admitted.clone().try_acquire_owned().ok();
            if permit.is_some() {
                self.all.remove_guest(&self.evicted);
            }
        }
        permit.is_some()
    }

    /// Waits until a newer guest takes the place of this one.
    pub(crate) async fn evicted(&self) {
        self.evicted.notified().await;
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.all.remove_guest(&self.evicted);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::guard::MAX_CONNECTIONS;

    #[test]
    fn guests_give_way_to_newer_ones_and_never_to_those_with_access() {
        let connections = Connections::new(MAX_CONNECTIONS);
        let admitted: Vec<_> = (0..MAX_CONNECTIONS).map(|_| connections.accept()).collect();
        assert!(admitted.iter().all(|connection| connection.admit() && connection.admit()));
        let guests: Vec<_> = (0..MAX_GUESTS + 3).map(|_| connections.accept()).collect();
        assert_eq!(lock(&connections.guests).len(), MAX_GUESTS);
        assert!(guests.iter().all(|guest| !guest.admit()), "all places are taken");
        drop(admitted);
        assert!(guests.last().unwrap().admit());
        drop(guests);
        assert!(lock(&connections.guests).is_empty());
        assert_eq!(connections.admitted.available_permits(), MAX_CONNECTIONS);
    }
}
