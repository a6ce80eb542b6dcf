//! What a person wishes of an interpretation.
//!
//! Section 4.4 of the paper: constraints are encoded by making cells illegal; a segment is forced at a time by forbidding all others
//! that cover it.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::{Error, Mapping, Result};

/// What a person wishes of an interpretation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Wish {
    /// This instance at this time.
    Use {
        /// Which, by number in the mapping.
        instance: usize,
        /// When, in seconds from the start of the control.
        at_secs: f64,
    },
    /// Not this instance, for a while.
    Avoid {
        /// Which, by number in the mapping.
        instance: usize,
        /// From when, in seconds from the start of the control.
        from_secs: f64,
        /// Until when, in seconds.
        until_secs: f64,
    },
}

impl Wish {
    /// Whether an instance may be used from one time to another, in seconds.
    pub(crate) fn allows(&self, instance: usize, secs: Range<f64>) -> bool {
        match *self {
            Wish::Use { instance: wanted, at_secs } => instance == wanted || !secs.contains(&at_secs),
            Wish::Avoid { instance: not, from_secs, until_secs } => {
                instance != not || secs.end <= from_secs || until_secs <= secs.start
            }
        }
    }

    /// Refuses what can mean nothing.
    pub(crate) fn check(&self, number: usize, mapping: &Mapping, secs: f64) -> Result<()> {
        let refuse = |problem: String| Err(Error::BadWish { wish: number, problem });
        let (instance, from, until) = match *self {
            Wish::Use { instance, at_secs } => (instance, at_secs, at_secs),
            Wish::Avoid { instance, from_secs, until_secs } => (instance, from_secs, until_secs),
        };
        if instance >= mapping.instances().len() {
            return refuse(format!("there are {} instances, and no {instance}", mapping.instances().len()));
        }
        // Written so that it is false for what is not a number.
        let is_time = from >= 0.0 && from <= until && until <= secs;
        if !is_time {
            return refuse(format!("{from} to {until} s is not within {secs:.3} s"));
        }
        Ok(())
    }
}
