//! Reads worlds from TOML: values override those of the template, and errors name their line.

use std::collections::BTreeSet;

use glam::Vec3;
use serde::Deserialize;
use toml::{Spanned, Table};

use crate::dynamics::Dynamics;
use crate::engage::Engage;
use crate::geometry::Geometry;
use crate::template::FeatureTemplate;
use crate::world::{Feature, Finish, World};
use crate::{PerformError, Result};

/// Reads a world and checks its features, but not the numbers of the world itself.
pub(crate) fn read(text: &str) -> Result<World> {
    let file: WorldToml = toml::from_str(text).map_err(|error| {
        let (line, column) = error.span().map_or((1, 1), |span| line_and_column(text, span.start));
        PerformError::Toml { line, column, problem: error.message().to_owned() }
    })?;
    let mut names = BTreeSet::new();
    let mut features = Vec::with_capacity(file.feature.len());
    for feature in file.feature {
        let feature = read_feature(text, feature)?;
        if !names.insert(feature.name.clone()) {
            return Err(PerformError::Duplicate { line: feature.line, feature: feature.name });
        }
        features.push(feature);
    }
    Ok(World {
        name: file.name,
        start: file.start.at,
        start_yaw_rad: file.start.yaw_deg.to_radians(),
        finish: file.finish,
        gravity_mps2: file.gravity_mps2,
        character_height_m: file.character_height_m,
        features,
    })
}

/// A world file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WorldToml {
    #[serde(default)]
    name: String,
    #[serde(default)]
    start: StartToml,
    finish: Option<Finish>,
    #[serde(default = "default_gravity_mps2")]
    gravity_mps2: f32,
    #[serde(default = "default_height_m")]
    character_height_m: f32,
    #[serde(default)]
    feature: Vec<Spanned<FeatureToml>>,
}

fn default_gravity_mps2() -> f32 {
    9.81
}

fn default_height_m() -> f32 {
    1.72
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct StartToml {
    at: Vec3,
    yaw_deg: f32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FeatureToml {
    name: String,
    like: FeatureTemplate,
    geometry: Spanned<Geometry>,
    engage: Option<Spanned<Table>>,
    motion: Option<String>,
    dynamics: Option<Spanned<Table>>,
}

fn read_feature(text: &str, feature: Spanned<FeatureToml>) -> Result<Feature> {
    let line_of = |at: usize| line_and_column(text, at).0;
    let line = line_of(feature.span().start);
    let FeatureToml { name, like, geometry, engage, motion, dynamics } = feature.into_inner();
    if let Some(problem) = geometry.get_ref().problem() {
        return Err(PerformError::Geometry { line: line_of(geometry.span().start), feature: name, problem });
    }
    let engage_line = engage.as_ref().map_or(line, |table| line_of(table.span().start));
    let dynamics_line = dynamics.as_ref().map_or(line, |table| line_of(table.span().start));
    let engage: Engage = overridden(like.engage(), engage.map(Spanned::into_inner), engage_line)?;
    let dynamics: Dynamics = overridden(like.dynamics(), dynamics.map(Spanned::into_inner), dynamics_line)?;
    let out_of_range = |line| {
        let feature = name.clone();
        move |problem| PerformError::Number { line, feature, problem }
    };
    engage.validate().map_err(out_of_range(engage_line))?;
    dynamics.validate().map_err(out_of_range(dynamics_line))?;
    let geometry = geometry.into_inner();
    Ok(Feature { name, template: like, geometry, engage, motion, dynamics, line })
}

/// The values of a template, overridden by those of the file.
fn overridden<T>(template: T, values: Option<Table>, line: usize) -> Result<T>
where
    T: serde::Serialize + serde::de::DeserializeOwned,
{
    let Some(values) = values else { return Ok(template) };
    let invalid = |problem: String| PerformError::Toml { line, column: 1, problem };
    let mut table = Table::try_from(template).map_err(|error| invalid(error.to_string()))?;
    table.extend(values);
    table.try_into().map_err(|error: toml::de::Error| invalid(error.message().to_owned()))
}

/// The line and column of a byte, both from 1.
fn line_and_column(text: &str, at: usize) -> (usize, usize) {
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
    fn invalid_worlds_are_refused_with_their_line() {
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
    fn values_of_the_file_override_the_template() {
        let world = World::from_toml(&format!(
            "{GROUND}dynamics = {{ stiffness = 300.0, spin = 1.0 }}\nengage = {{ within_m = 0.1 }}\n"
        ))
        .unwrap();
        let floor = &world.features[0];
        assert_eq!(
            floor.dynamics,
            Dynamics { stiffness: 300.0, spin: 1.0, ..FeatureTemplate::Floor.dynamics() }
        );
        assert_eq!(floor.engage, Engage { within_m: 0.1, ..FeatureTemplate::Floor.engage() });
        assert_eq!((world.gravity_mps2, world.character_height_m), (9.81, 1.72));
    }

    #[test]
    fn templates_are_within_the_valid_ranges() {
        for template in FeatureTemplate::ALL {
            template.dynamics().validate().unwrap();
            template.engage().validate().unwrap();
        }
    }
}
