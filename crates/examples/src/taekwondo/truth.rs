//! What is true of a bout beside what is true of all motion.

use marey_motion::{Marker, Tag};
use serde::{Deserialize, Serialize};

use super::{Chain, Kind, Movement};
use crate::{ExamplesError, Hand, Result};

/// One movement of one fighter, from the landing that ended the movement before to the landing that ends this one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Moved {
    /// The actor's number in the take.
    pub actor: usize,
    /// The first frame.
    pub start: usize,
    /// One past the last frame.
    pub end: usize,
    /// What.
    pub movement: Movement,
    /// What for.
    pub kind: Kind,
}

/// The instant at which an attack arrives: a fist or a foot touches the other's body or arm.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Strike {
    /// The nearest frame.
    pub frame: usize,
    /// What strikes: a hand's knuckles, a foot's instep or heel, or the ball of a foot (toes).
    pub striker: Hand,
    /// What is struck: a forearm where the attack is blocked, else trunk or head.
    pub struck: Hand,
    /// Where in the world, in metres.
    pub place: [f32; 3],
}

/// The truth about a bout.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BoutTruth {
    /// The model that the bout was drawn from.
    pub chain: Chain,
    /// What each fighter does when: sorted by actor and start; those of one actor cover every frame once.
    pub movements: Vec<Moved>,
    /// When attacks arrive, sorted. An attack that is dodged has none.
    pub touches: Vec<Strike>,
}

impl BoutTruth {
    /// Checks it against a take of so many actors and frames.
    pub(crate) fn check(&self, actors: usize, frames: usize) -> Result<()> {
        for moved in &self.movements {
            Tag::new("", moved.start..moved.end, frames)?;
            ExamplesError::check_actor(moved.actor, actors)?;
        }
        for touch in &self.touches {
            Marker::new("", touch.frame, frames)?;
            ExamplesError::check_actor(touch.striker.actor, actors)?;
            ExamplesError::check_actor(touch.struck.actor, actors)?;
        }
        Ok(())
    }
}
