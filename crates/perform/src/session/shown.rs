//! The example motions that a world's features show.

use std::collections::BTreeMap;

use marey_motion::Clip;

use crate::body::Body;
use crate::example::Example;
use crate::world::World;
use crate::{Error, Result};

/// The examples that a world's features show.
#[derive(Debug, Clone)]
pub(super) struct Shown {
    pub(super) examples: Vec<Example>,
    /// Which of them each feature shows.
    pub(super) of_feature: Vec<Option<usize>>,
}

impl Shown {
    pub(super) fn of(world: &World, motions: &BTreeMap<String, Clip>, body: &Body) -> Result<Self> {
        let mut names: Vec<&str> = Vec::new();
        let mut shown = Self { examples: Vec::new(), of_feature: Vec::with_capacity(world.features.len()) };
        for feature in &world.features {
            let Some(name) = feature.motion.as_deref() else {
                shown.of_feature.push(None);
                continue;
            };
            if !names.contains(&name) {
                let missing = || Error::MissingMotion {
                    line: feature.line,
                    feature: feature.name.clone(),
                    motion: name.to_owned(),
                };
                shown.examples.push(Example::new(motions.get(name).ok_or_else(missing)?, body)?);
                names.push(name);
            }
            shown.of_feature.push(names.iter().position(|other| *other == name));
        }
        Ok(shown)
    }
}
