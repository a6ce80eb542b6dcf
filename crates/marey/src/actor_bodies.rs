//! The bodies that the actors of a result have.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::motion::Skeleton;

/// The bodies that a caller asks for: one for every actor, and others for actors by name.
///
/// ```
/// use std::sync::Arc;
/// use marey::ActorBodies;
/// use marey::motion::{Joint, Skeleton, Vec3};
/// let body = |name: &str| Skeleton::new(vec![Joint::new(name, None, Vec3::ZERO)], vec![]).map(Arc::new);
/// let bodies = ActorBodies::for_every(body("robot")?).with_actor("leader", body("queen")?);
/// assert_eq!(bodies.of("leader"), Some(&body("queen")?));
/// assert_eq!(bodies.of("follower"), Some(&body("robot")?));
/// assert_eq!(ActorBodies::default().of("leader"), None);
/// # Ok::<(), marey::motion::MotionError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ActorBodies {
    every: Option<Arc<Skeleton>>,
    named: BTreeMap<String, Arc<Skeleton>>,
}

impl ActorBodies {
    /// One body for every actor.
    pub fn for_every(body: Arc<Skeleton>) -> Self {
        Self { every: Some(body), ..Self::default() }
    }

    /// The same bodies, but another one for the actor of this name.
    pub fn with_actor(mut self, actor: impl Into<String>, body: Arc<Skeleton>) -> Self {
        self.named.insert(actor.into(), body);
        self
    }

    /// The body of actors that have none of their own.
    pub fn every(&self) -> Option<&Arc<Skeleton>> {
        self.every.as_ref()
    }

    /// The body of an actor; `None` if none is asked for.
    pub fn of(&self, actor: &str) -> Option<&Arc<Skeleton>> {
        self.named.get(actor).or(self.every.as_ref())
    }
}
