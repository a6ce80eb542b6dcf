//! Non-empty, unique names.

use std::collections::{HashMap, HashSet};

use marey_motion::{Place, Report};

use super::codes;

/// Makes names unique.
#[derive(Default)]
pub(super) struct Names {
    taken: HashSet<String>,
    /// The last number appended to each name, so that many duplicates do not take quadratic time.
    numbers: HashMap<String, usize>,
}

impl Names {
    /// Returns the name, or a variant if it is empty or in use. `what` replaces an empty name.
    pub(super) fn claim(&mut self, name: &str, what: &str, report: &mut Report) -> String {
        if !name.is_empty() && self.taken.insert(name.to_owned()) {
            return name.to_owned();
        }
        let stem = if name.is_empty() { what } else { name };
        let number = self.numbers.entry(stem.to_owned()).or_insert(usize::from(!name.is_empty()));
        let other = loop {
            *number += 1;
            let other = format!("{stem}_{number}");
            if self.taken.insert(other.clone()) {
                break other;
            }
        };
        let message = format!("{what} {name:?} was renamed {other:?}");
        report.warn(&codes::RENAMED, Place::default().joint(other.clone()), message);
        other
    }
}
