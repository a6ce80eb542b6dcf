//! Non-empty, unique names.

use std::collections::{HashMap, HashSet};

use marey_motion::{Place, Report};

use super::codes;

/// Gives out names, each once.
#[derive(Default)]
pub(super) struct Names {
    taken: HashSet<String>,
    /// The last number that was put behind a name, so that many of a name take no longer than few.
    numbers: HashMap<String, usize>,
}

impl Names {
    /// The name itself, or a variant if it is empty or taken. `what` replaces an empty name.
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
        let message = format!("{what} {name:?} is called {other:?}");
        report.warn(&codes::RENAMED, Place::default().joint(other.clone()), message);
        other
    }
}
