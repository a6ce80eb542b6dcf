//! Takes: clips that were recorded together.

use crate::{Clip, MotionError, Result};

/// One actor of a take.
#[derive(Debug, Clone, PartialEq)]
pub struct Actor {
    /// Name of the actor: `leader`, `60_01`.
    pub name: String,
    /// Its motion.
    pub clip: Clip,
}

/// One or more clips in one world and on one clock. Invariants: at least one actor; same rate and number of
/// frames.
#[derive(Debug, Clone, PartialEq)]
pub struct Take {
    name: String,
    actors: Vec<Actor>,
}

impl Take {
    /// Checks that the actors have the same rate and length.
    pub fn new(name: impl Into<String>, actors: Vec<Actor>) -> Result<Self> {
        let first = actors.first().ok_or(MotionError::Empty { what: "a take" })?;
        for actor in &actors {
            let (a, b) = (&first.clip, &actor.clip);
            if a.rate_hz() != b.rate_hz() || a.frames() != b.frames() {
                return Err(MotionError::Disagree {
                    what: "rate or length",
                    first: format!("{} has {} frames at {} Hz", first.name, a.frames(), a.rate_hz()),
                    second: format!("{} has {} at {} Hz", actor.name, b.frames(), b.rate_hz()),
                });
            }
        }
        Ok(Self { name: name.into(), actors })
    }

    /// A take of one actor, with the name of the take.
    pub fn solo(name: impl Into<String>, clip: Clip) -> Self {
        let name = name.into();
        Self { actors: vec![Actor { name: name.clone(), clip }], name }
    }

    /// Name of the take.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The actors; at least one.
    pub fn actors(&self) -> &[Actor] {
        &self.actors
    }

    /// The clip of the first actor.
    pub fn first(&self) -> &Clip {
        &self.actors[0].clip
    }

    /// Number of frames of every actor.
    pub fn frames(&self) -> usize {
        self.first().frames()
    }

    /// The rate of every actor.
    pub fn rate_hz(&self) -> f64 {
        self.first().rate_hz()
    }

    /// The take with other clips of its actors, in their order.
    pub fn with_clips(self, clips: Vec<Clip>) -> Result<Self> {
        let actors = self.actors.into_iter().zip(clips);
        Self::new(self.name, actors.map(|(actor, clip)| Actor { clip, ..actor }).collect())
    }

    /// The actors.
    pub fn into_actors(self) -> Vec<Actor> {
        self.actors
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::{Joint, LocalPose, Skeleton, Vec3};

    #[test]
    fn actors_must_have_the_same_rate_and_length() {
        let skeleton = Arc::new(Skeleton::new(vec![Joint::new("a", None, Vec3::ZERO)], vec![]).unwrap());
        let clip = Clip::still(skeleton.clone(), 30.0, LocalPose::rest(&skeleton)).unwrap();
        let actor = |name: &str, clip: &Clip| Actor { name: name.into(), clip: clip.clone() };
        assert!(Take::new("t", vec![]).is_err());
        assert!(Take::new("t", vec![actor("a", &clip), actor("b", &clip)]).is_ok());
        let longer = Clip::concat(&[clip.clone(), clip.clone()]).unwrap();
        assert!(Take::new("t", vec![actor("a", &clip), actor("b", &longer)]).is_err());
        let faster = clip.clone().with_rate(60.0).unwrap();
        assert!(Take::new("t", vec![actor("a", &clip), actor("b", &faster)]).is_err());
    }
}
