//! The ground truth that is specific to bouts.

use marey_motion::{Marker, Tag};
use serde::{Deserialize, Serialize};

use super::{Chain, Movement, MovementKind};
use crate::{ExamplesError, Result, TakeJoint};

/// One movement of one fighter, from the landing that ended the previous movement to the landing that ends this one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MovementSpan {
    /// The actor's number in the take.
    pub actor: usize,
    /// The first frame.
    pub start: usize,
    /// One past the last frame.
    pub end: usize,
    /// The movement.
    pub movement: Movement,
    /// The type of the movement.
    pub kind: MovementKind,
}

/// The instant at which a fist or a foot touches the opponent's body or arm.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Strike {
    /// The nearest frame.
    pub frame: usize,
    /// The striking joint: a hand (its knuckles), a foot (instep or heel), or toes (the ball of the foot).
    pub striker: TakeJoint,
    /// The joint that is hit: a forearm if the attack is blocked, else trunk or head.
    pub struck: TakeJoint,
    /// World position, in metres.
    pub place: [f32; 3],
}

/// The ground truth of a bout.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BoutTruth {
    /// The random model of the bout.
    pub chain: Chain,
    /// The movements, sorted by actor and start. Those of one actor cover every frame once.
    pub movements: Vec<MovementSpan>,
    /// The contacts of attacks, sorted. A dodged attack has none.
    pub touches: Vec<Strike>,
}

impl BoutTruth {
    /// Checks the truth against the number of actors and frames of its take.
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
