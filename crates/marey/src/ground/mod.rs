//! The ground to be crossed, from a file: JSON, a drawing, or a height map.

mod height_map;
mod svg;

use std::fs;
use std::path::Path;

use height_map::HeightMap;

use crate::codes;
use crate::failure::Failure;
use crate::formats::Error;
use crate::inputs;
use crate::motion::{PointClip, Terrain, Vec2};
use crate::traverse::Way;

/// What the numbers of drawings and height maps mean.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measures {
    /// Metres that a unit of a drawing or a pixel of a height map is long; default 0.01; above 0, up to 1000.
    pub scale_m: f32,
    /// Metres from black to white in a height map; default 0.5; above 0, up to 1000.
    pub relief_m: f32,
}

impl Default for Measures {
    fn default() -> Self {
        Self { scale_m: 0.01, relief_m: 0.5 }
    }
}

impl Measures {
    /// Checks the ranges.
    pub fn validate(&self) -> Result<(), Failure> {
        for (name, value) in [("scale", self.scale_m), ("relief", self.relief_m)] {
            if !(value > 0.0 && value <= 1000.0) {
                let message = format!("{name} is {value}, but must be above 0 and at most 1000");
                return Err(Failure::settings(message));
            }
        }
        Ok(())
    }
}

/// Ground in profile: a `.terrain.json`, the polylines and straight paths of an `.svg`, or a `.png` height map, where transparent pixels
/// are gaps: its middle row, or along a way.
pub fn read(path: &Path, way: Option<&Way>, measures: &Measures) -> Result<Terrain, Failure> {
    measures.validate()?;
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_lowercase();
    let pieces = match ending.as_str() {
        "svg" => svg::polylines(&inputs::text(path)?, measures.scale_m),
        "png" => {
            let unread = |error| Failure::from(Error::file(path, error)).in_file(path);
            let bytes = fs::read(path).map_err(unread)?;
            let map = HeightMap::read(&bytes, measures.scale_m, measures.relief_m);
            map.and_then(|map| way.map_or_else(|| map.middle_row(), |way| map.along(way)))
        }
        _ => return inputs::terrain(path),
    };
    let wrong = |message: String| Failure::new(&codes::NOT_A_TERRAIN, message).in_file(path);
    Terrain::new(pieces.map_err(wrong)?).map_err(|error| Failure::from(error).in_file(path))
}

/// A drawn path as a way, points that are in one place once.
pub fn way_of(points: &PointClip) -> Result<Way, Failure> {
    let mut places: Vec<Vec2> = points.flat().iter().map(|at| Vec2::new(at.x, at.z)).collect();
    places.dedup();
    Ok(Way::new(places)?)
}
