//! The example motions of a world's features.

use std::collections::BTreeMap;

use marey_motion::Clip;

use crate::character_body::CharacterBody;
use crate::example::Example;
use crate::world::World;
use crate::{PerformError, Result};

/// The examples of a world's features. Features with the same motion share an example.
#[derive(Debug, Clone)]
pub(super) struct FeatureExamples {
    pub(super) examples: Vec<Example>,
    /// The index of each feature's example.
    pub(super) of_feature: Vec<Option<usize>>,
}

impl FeatureExamples {
    /// Prepares the example motions that the features of a world name.
    pub(super) fn of(world: &World, motions: &BTreeMap<String, Clip>, body: &CharacterBody) -> Result<Self> {
        let mut names: Vec<&str> = Vec::new();
        let mut found = Self { examples: Vec::new(), of_feature: Vec::with_capacity(world.features.len()) };
        for feature in &world.features {
            let Some(name) = feature.motion.as_deref() else {
                found.of_feature.push(None);
                continue;
            };
            if !names.contains(&name) {
                let missing = || PerformError::MissingMotion {
                    line: feature.line,
                    feature: feature.name.clone(),
                    motion: name.to_owned(),
                };
                found.examples.push(Example::new(motions.get(name).ok_or_else(missing)?, body)?);
                names.push(name);
            }
            found.of_feature.push(names.iter().position(|other| *other == name));
        }
        Ok(found)
    }
}
