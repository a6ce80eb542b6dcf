//! Names of prims and joints: letters, digits and underscores, unique among siblings.

use std::collections::{HashMap, HashSet};

/// The names of the children of a prim.
#[derive(Debug, Default)]
pub(super) struct PrimNames {
    taken: HashSet<String>,
    /// The last number appended to each name, so that many duplicates do not take quadratic time.
    numbers: HashMap<String, usize>,
}

impl PrimNames {
    /// A valid name like this one that is not in use. `what` replaces an empty name.
    pub(super) fn claim(&mut self, name: &str, what: &str) -> String {
        let plain: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        let plain = if plain.is_empty() { what.to_owned() } else { plain };
        let plain = if plain.starts_with(|c: char| c.is_ascii_digit()) { format!("_{plain}") } else { plain };
        if self.taken.insert(plain.clone()) {
            return plain;
        }
        let number = self.numbers.entry(plain.clone()).or_insert(1);
        loop {
            *number += 1;
            let unique = format!("{plain}_{number}");
            if self.taken.insert(unique.clone()) {
                return unique;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_valid_and_unique() {
        let mut names = PrimNames::default();
        let found = ["Hips", "mixamorig:Hips", "mixamorig Hips", "07_02", "", "é", "Hips"];
        let found = found.map(|name| names.claim(name, "joint"));
        assert_eq!(found, ["Hips", "mixamorig_Hips", "mixamorig_Hips_2", "_07_02", "joint", "_", "Hips_2"]);
    }
}
