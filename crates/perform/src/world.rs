//! A world: features with geometry G, engage conditions C, an example motion Q and dynamics D, read from TOML.
//!
//! ```toml
//! name = "two bars"
//! start = { at = [0.0, 0.0, 0.0] }
//!
//! [[feature]]
//! name = "ground"
//! like = "floor"
//! geometry = { plane = { at = [0.0, 0.0, 0.0] } }
//! motion = "walk"
//!
//! [[feature]]
//! name = "bar"
//! like = "bar"
//! geometry = { cylinder = { from = [-1.0, 2.1, 1.0], to = [1.0, 2.1, 1.0] } }
//! motion = "swing"
//! dynamics = { pitch_damping = 2.0 }
//! ```

use std::collections::BTreeSet;

use glam::Vec3;
use marey_ops::OutOfRange;
use serde::Deserialize;

use crate::Result;
use crate::dynamics::Dynamics;
use crate::engage::Engage;
use crate::geometry::Geometry;
use crate::template::FeatureTemplate;
use crate::world_toml;

/// A world with every kind of feature, in a course from start to finish.
///
/// ```
/// use marey_perform::{ADVENTURE, FeatureTemplate, World};
/// let world = World::from_toml(ADVENTURE)?;
/// for template in [FeatureTemplate::Bar, FeatureTemplate::Rope, FeatureTemplate::Trampoline, FeatureTemplate::Rock, FeatureTemplate::Water, FeatureTemplate::Web] {
///     assert!(world.features.iter().any(|feature| feature.template == template));
/// }
/// # Ok::<(), marey_perform::PerformError>(())
/// ```
pub const ADVENTURE: &str = include_str!("../worlds/adventure.toml");

/// A physical world for a character.
#[derive(Debug, Clone, PartialEq)]
pub struct World {
    /// The name.
    pub name: String,
    /// Where the character starts: the point on the ground below its centre of mass, in metres.
    pub start: Vec3,
    /// The heading at the start: rotation about +Y from +Z, in radians.
    pub start_yaw_rad: f32,
    /// The end of the course, if it has one.
    pub finish: Option<Finish>,
    /// Gravity, in m/s² downwards; 0 to 30.
    pub gravity_mps2: f32,
    /// The character's height in metres, independent of the performer's; 0.5 to 3.
    pub character_height_m: f32,
    /// The features.
    pub features: Vec<Feature>,
}

/// The end of a course.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Finish {
    /// The centre, in metres.
    pub at: Vec3,
    /// The distance from the centre within which the character has arrived, in metres.
    pub radius_m: f32,
}

/// A part of a world that a character can interact with.
#[derive(Debug, Clone, PartialEq)]
pub struct Feature {
    /// Its name, unique in the world.
    pub name: String,
    /// The template of its defaults.
    pub template: FeatureTemplate,
    /// G: the shape.
    pub geometry: Geometry,
    /// C: the condition of engagement.
    pub engage: Engage,
    /// Q: the name of the example motion.
    pub motion: Option<String>,
    /// D: the dynamics.
    pub dynamics: Dynamics,
    /// The line of the file on which it begins, from 1.
    pub line: usize,
}

impl World {
    /// Reads a world from TOML.
    ///
    /// ```
    /// use marey_perform::{FeatureTemplate, World};
    /// let world = World::from_toml(r#"
    ///     [[feature]]
    ///     name = "ground"
    ///     like = "floor"
    ///     geometry = { plane = { at = [0.0, 0.0, 0.0] } }
    ///     motion = "walk"
    /// "#)?;
    /// assert_eq!(world.features[0].template, FeatureTemplate::Floor);
    /// assert_eq!(world.motions(), ["walk"]);
    /// // An unknown key is an error with its line.
    /// let refused = World::from_toml("name = \"x\"\ngravitation = 3").unwrap_err();
    /// assert_eq!(marey_motion::Coded::place(&refused).line, Some(2));
    /// # Ok::<(), marey_perform::PerformError>(())
    /// ```
    pub fn from_toml(text: &str) -> Result<Self> {
        let world = world_toml::read(text)?;
        world.validate()?;
        Ok(world)
    }

    fn validate(&self) -> Result<()> {
        OutOfRange::check("gravity_mps2", self.gravity_mps2, 0.0..=30.0)?;
        OutOfRange::check("character_height_m", self.character_height_m, 0.5..=3.0)?;
        for coordinate in
            self.start.to_array().into_iter().chain(self.finish.iter().flat_map(|f| f.at.to_array()))
        {
            OutOfRange::check("a coordinate", coordinate, -10_000.0..=10_000.0)?;
        }
        OutOfRange::check("yaw_deg", self.start_yaw_rad.to_degrees(), -400.0..=400.0)?;
        if let Some(finish) = self.finish {
            OutOfRange::check("radius_m", finish.radius_m, 0.01..=100.0)?;
        }
        Ok(())
    }

    /// The names of the example motions that features use, sorted and unique.
    pub fn motions(&self) -> Vec<&str> {
        let names: BTreeSet<&str> = self.features.iter().filter_map(|f| f.motion.as_deref()).collect();
        names.into_iter().collect()
    }

    /// The index of the feature with this name.
    pub fn feature_index(&self, name: &str) -> Option<usize> {
        self.features.iter().position(|feature| feature.name == name)
    }
}
