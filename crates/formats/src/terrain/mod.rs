//! Terrains in profile: JSON, the straight lines of an SVG drawing, or a PNG height map.
//!
//! The JSON form is that of [`Terrain`]. See [`svg`] and [`HeightMap`] for the others.

pub mod codes;
mod height_map;
mod json;
pub mod svg;
mod taut_line;

use marey_motion::{Place, Terrain};

pub use height_map::{HeightMap, MapPath};
pub use json::read_json;

use crate::{FormatsError, Limits};

/// How the numbers of drawings and height maps are converted to metres.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TerrainSettings {
    /// Length of a unit of a drawing or a pixel of a height map, in metres; default 0.01; above 0, up to 1000.
    pub scale_m: f32,
    /// Height difference between black and white in a height map, in metres; default 0.5; above 0, up to 1000.
    pub relief_m: f32,
    /// Bounds on the size of the file.
    pub limits: Limits,
}

impl Default for TerrainSettings {
    fn default() -> Self {
        Self { scale_m: 0.01, relief_m: 0.5, limits: Limits::default() }
    }
}

impl TerrainSettings {
    /// Checks the ranges.
    pub fn validate(&self) -> Result<(), FormatsError> {
        for (name, value) in [("scale", self.scale_m), ("relief", self.relief_m)] {
            if !(value > 0.0 && value <= 1000.0) {
                let message = format!("{name} is {value}, but must be above 0 and at most 1000");
                return Err(FormatsError::refused(&codes::SETTINGS, Place::default(), message));
            }
        }
        Ok(())
    }
}

/// Reads a terrain. `ending` is the file's ending: `svg`, `png`, or anything else for JSON.
///
/// The profile of a height map runs along `path`, or along the middle row of pixels without one.
pub fn read_terrain(
    bytes: &[u8],
    ending: &str,
    path: Option<MapPath<'_>>,
    settings: &TerrainSettings,
) -> Result<Terrain, FormatsError> {
    settings.validate()?;
    if ending.eq_ignore_ascii_case("svg") {
        svg::read_svg(bytes, settings)
    } else if ending.eq_ignore_ascii_case("png") {
        let map = HeightMap::read(bytes, settings)?;
        path.map_or_else(|| map.middle_row(), |path| map.profile_along(path))
    } else {
        read_json(bytes, &settings.limits)
    }
}
