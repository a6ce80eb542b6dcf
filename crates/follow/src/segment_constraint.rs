//! Constraints on which instances are used when.
//!
//! Section 4.4 of the paper: constraints make cells illegal. An instance is forced at a time by forbidding all others that
//! cover it.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::{FollowError, Mapping, Result};

/// A constraint on the use of one instance.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum SegmentConstraint {
    /// Use this instance at this time.
    Use {
        /// Number of the instance in the mapping.
        instance: usize,
        /// Time in seconds from the start of the control.
        at_secs: f64,
    },
    /// Do not use this instance during an interval.
    Avoid {
        /// Number of the instance in the mapping.
        instance: usize,
        /// Start of the interval, in seconds from the start of the control.
        from_secs: f64,
        /// End of the interval, in seconds.
        until_secs: f64,
    },
}

impl SegmentConstraint {
    /// Whether an instance may be used during an interval, in seconds.
    pub(crate) fn allows(&self, instance: usize, secs: Range<f64>) -> bool {
        match *self {
            SegmentConstraint::Use { instance: wanted, at_secs } => {
                instance == wanted || !secs.contains(&at_secs)
            }
            SegmentConstraint::Avoid { instance: not, from_secs, until_secs } => {
                instance != not || secs.end <= from_secs || until_secs <= secs.start
            }
        }
    }

    /// Rejects unknown instances and times outside the control.
    pub(crate) fn check(&self, number: usize, mapping: &Mapping, secs: f64) -> Result<()> {
        let refuse = |problem: String| Err(FollowError::BadConstraint { constraint: number, problem });
        let (instance, from, until) = match *self {
            SegmentConstraint::Use { instance, at_secs } => (instance, at_secs, at_secs),
            SegmentConstraint::Avoid { instance, from_secs, until_secs } => (instance, from_secs, until_secs),
        };
        if instance >= mapping.instances().len() {
            return refuse(format!(
                "there is no instance {instance}; the mapping has {}",
                mapping.instances().len()
            ));
        }
        // Written so that it is false for NaN.
        let is_time = from >= 0.0 && from <= until && until <= secs;
        if !is_time {
            return refuse(format!("{from} to {until} s is not within {secs:.3} s"));
        }
        Ok(())
    }
}
