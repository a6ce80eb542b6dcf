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
use toml::{Spanned, Table};

use crate::dynamics::Dynamics;
use crate::engage::Engage;
use crate::geometry::Geometry;
use crate::template::Template;
use crate::{Error, Result};

/// A world with every kind of feature, in a course from start to finish.
///
/// ```
/// use marey_perform::{ADVENTURE, Template, World};
/// let world = World::from_toml(ADVENTURE)?;
/// for template in [Template::Bar, Template::Rope, Template::Trampoline, Template::Rock, Template::Water, Template::Web] {
///     assert!(world.features.iter().any(|feature| feature.template == template));
/// }
/// # Ok::<(), marey_perform::Error>(())
/// ```
pub const ADVENTURE: &str = include_str!("../worlds/adventure.toml");

/// A world that a character lives in.
#[derive(Debug, Clone, PartialEq)]
pub struct World {
    /// What it is called.
    pub name: String,
    /// Where the character begins: on the ground below its centre of mass, in metres.
    pub start: Vec3,
    /// Which way it faces then: the turn about +Y from +Z, in radians.
    pub start_yaw_rad: f32,
    /// Where the course ends, where it has an end.
    pub finish: Option<Finish>,
    /// Metres a second squared downwards; 0 to 30.
    pub gravity_mps2: f32,
    /// How tall the character is, whatever the performer's height, in metres; 0.5 to 3.
    pub character_height_m: f32,
    /// What is in it.
    pub features: Vec<Feature>,
}

/// Where a course ends.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Finish {
    /// Where, in metres.
    pub at: Vec3,
    /// How near counts, in metres.
    pub radius_m: f32,
}

/// Something in a world that a character can interact with.
#[derive(Debug, Clone, PartialEq)]
pub struct Feature {
    /// Its name, unique in its world.
    pub name: String,
    /// What it was made from.
    pub template: Template,
    /// G.
    pub geometry: Geometry,
    /// C.
    pub engage: Engage,
    /// Q: the name of the example motion.
    pub motion: Option<String>,
    /// D.
    pub dynamics: Dynamics,
    /// The line of the file that it begins on, from 1.
    pub line: usize,
}

impl World {
    /// Reads a world.
    ///
    /// ```
    /// use marey_perform::{Template, World};
    /// let world = World::from_toml(r#"
    ///     [[feature]]
    ///     name = "ground"
    ///     like = "floor"
    ///     geometry = { plane = { at = [0.0, 0.0, 0.0] } }
    ///     motion = "walk"
    /// "#)?;
    /// assert_eq!(world.features[0].template, Template::Floor);
    /// assert_eq!(world.motions(), ["walk"]);
    /// // A misspelt key is refused, and its line is known.
    /// let refused = World::from_toml("name = \"x\"\ngravitation = 3").unwrap_err();
    /// assert_eq!(marey_motion::Coded::place(&refused).line, Some(2));
    /// # Ok::<(), marey_perform::Error>(())
    /// ```
    pub fn from_toml(text: &str) -> Result<Self> {
        let written: Written = toml::from_str(text).map_err(|error| {
            let (line, column) = error.span().map_or((1, 1), |span| place_of(text, span.start));
            Error::Toml { line, column, problem: error.message().to_owned() }
        })?;
        let mut names = BTreeSet::new();
        let mut features = Vec::with_capacity(written.feature.len());
        for feature in written.feature {
            let feature = read_feature(text, feature)?;
            if !names.insert(feature.name.clone()) {
                return Err(Error::Duplicate { line: feature.line, feature: feature.name });
            }
            features.push(feature);
        }
        let world = Self {
            name: written.name,
            start: written.start.at,
            start_yaw_rad: written.start.yaw_deg.to_radians(),
            finish: written.finish,
            gravity_mps2: written.gravity_mps2,
            character_height_m: written.character_height_m,
            features,
        };
        world.validate()?;
        Ok(world)
    }

    fn validate(&self) -> Result<()> {
        OutOfRange::check("gravity_mps2", self.gravity_mps2, 0.0..=30.0)?;
        OutOfRange::check("character_height_m", self.character_height_m, 0.5..=3.0)?;
        for number in
            self.start.to_array().into_iter().chain(self.finish.iter().flat_map(|f| f.at.to_array()))
        {
            OutOfRange::check("a place", number, -10_000.0..=10_000.0)?;
        }
        OutOfRange::check("yaw_deg", self.start_yaw_rad, -7.0..=7.0)?;
        if let Some(finish) = self.finish {
            OutOfRange::check("radius_m", finish.radius_m, 0.01..=100.0)?;
        }
        Ok(())
    }

    /// The names of the example motions that features show, sorted, each once.
    pub fn motions(&self) -> Vec<&str> {
        let names: BTreeSet<&str> = self.features.iter().filter_map(|f| f.motion.as_deref()).collect();
        names.into_iter().collect()
    }

    /// The number of the feature with a name.
    pub fn feature_named(&self, name: &str) -> Option<usize> {
        self.features.iter().position(|feature| feature.name == name)
    }
}

/// A world as its file has it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    #[serde(default)]
    name: String,
    #[serde(default)]
    start: WrittenStart,
    finish: Option<Finish>,
    #[serde(default = "earth")]
    gravity_mps2: f32,
    #[serde(default = "usual_height_m")]
    character_height_m: f32,
    #[serde(default)]
    feature: Vec<Spanned<WrittenFeature>>,
}

fn earth() -> f32 {
    9.81
}

fn usual_height_m() -> f32 {
    1.72
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct WrittenStart {
    at: Vec3,
    yaw_deg: f32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenFeature {
    name: String,
    like: Template,
    geometry: Spanned<Geometry>,
    engage: Option<Spanned<Table>>,
    motion: Option<String>,
    dynamics: Option<Spanned<Table>>,
}

fn read_feature(text: &str, written: Spanned<WrittenFeature>) -> Result<Feature> {
    let line_of = |at: usize| place_of(text, at).0;
    let line = line_of(written.span().start);
    let WrittenFeature { name, like, geometry, engage, motion, dynamics } = written.into_inner();
    if let Some(problem) = geometry.get_ref().problem() {
        return Err(Error::Geometry { line: line_of(geometry.span().start), feature: name, problem });
    }
    let engage_line = engage.as_ref().map_or(line, |table| line_of(table.span().start));
    let dynamics_line = dynamics.as_ref().map_or(line, |table| line_of(table.span().start));
    let engage: Engage = overlaid(like.engage(), engage.map(Spanned::into_inner), engage_line)?;
    let dynamics: Dynamics = overlaid(like.dynamics(), dynamics.map(Spanned::into_inner), dynamics_line)?;
    let number = |line| {
        let feature = name.clone();
        move |problem| Error::Number { line, feature, problem }
    };
    engage.validate().map_err(number(engage_line))?;
    dynamics.validate().map_err(number(dynamics_line))?;
    let geometry = geometry.into_inner();
    Ok(Feature { name, template: like, geometry, engage, motion, dynamics, line })
}

/// What a template says, with what the file says over it.
fn overlaid<T>(usual: T, said: Option<Table>, line: usize) -> Result<T>
where
    T: serde::Serialize + serde::de::DeserializeOwned,
{
    let Some(said) = said else { return Ok(usual) };
    let wrong = |problem: String| Error::Toml { line, column: 1, problem };
    let mut table = Table::try_from(usual).map_err(|error| wrong(error.to_string()))?;
    table.extend(said);
    table.try_into().map_err(|error: toml::de::Error| wrong(error.message().to_owned()))
}

/// Line and column of a byte, both from 1.
fn place_of(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    (before.matches('\n').count() + 1, at.saturating_sub(line_start) + 1)
}

#[cfg(test)]
mod tests {
    use marey_motion::Coded;

    use super::*;

    const GROUND: &str =
        "[[feature]]\nname = \"ground\"\nlike = \"floor\"\ngeometry = { plane = { at = [0, 0, 0] } }\n";

    fn refused(text: &str) -> (&'static str, Option<usize>) {
        let error = World::from_toml(text).unwrap_err();
        assert!(!error.to_string().is_empty());
        (error.code().id, error.place().line)
    }

    #[test]
    fn every_wrong_world_is_refused_with_its_line() {
        for (text, code, line) in [
            ("name = ".to_owned(), "perform/toml", 1),
            (format!("{GROUND}colour = \"red\"\n"), "perform/toml", 5),
            (GROUND.replace("plane", "plain"), "perform/toml", 4),
            (GROUND.replace("[0, 0, 0]", "[0, 0]"), "perform/toml", 4),
            (GROUND.replace("floor", "flour"), "perform/toml", 3),
            (format!("{GROUND}dynamics = {{ stifness = 3 }}\n"), "perform/toml", 5),
            (format!("{GROUND}dynamics = {{ stiffness = -3.0 }}\n"), "perform/number", 5),
            (format!("{GROUND}dynamics = {{ surface = {{ mass_kg = nan }} }}\n"), "perform/number", 5),
            (format!("{GROUND}engage = {{ within_m = 9.0 }}\n"), "perform/number", 5),
            (format!("{GROUND}\n{GROUND}"), "perform/duplicate", 6),
            (GROUND.replace("[0, 0, 0]", "[0, nan, 0]"), "perform/geometry", 4),
            (
                GROUND
                    .replace("plane = { at = [0, 0, 0] }", "cylinder = { from = [1, 2, 3], to = [1, 2, 3] }"),
                "perform/geometry",
                4,
            ),
        ] {
            assert_eq!(refused(&text), (code, Some(line)), "{text}");
        }
        assert_eq!(refused("gravity_mps2 = -1.0").0, "ops/setting");
        assert_eq!(refused("character_height_m = inf").0, "ops/setting");
        assert_eq!(refused("finish = { at = [0, 0, 0], radius_m = 0.0 }").0, "ops/setting");
    }

    #[test]
    fn what_is_said_goes_over_the_template() {
        let world = World::from_toml(&format!(
            "{GROUND}dynamics = {{ stiffness = 300.0, spin = 1.0 }}\nengage = {{ within_m = 0.1 }}\n"
        ))
        .unwrap();
        let floor = &world.features[0];
        assert_eq!(floor.dynamics, Dynamics { stiffness: 300.0, spin: 1.0, ..Template::Floor.dynamics() });
        assert_eq!(floor.engage, Engage { within_m: 0.1, ..Template::Floor.engage() });
        assert_eq!((world.gravity_mps2, world.character_height_m), (9.81, 1.72));
    }

    #[test]
    fn templates_are_within_their_own_ranges() {
        for template in Template::ALL {
            template.dynamics().validate().unwrap();
            template.engage().validate().unwrap();
        }
    }
}
