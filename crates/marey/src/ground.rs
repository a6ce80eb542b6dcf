//! The ground to cross, from a file.

use std::path::Path;

use crate::Error;
use crate::formats::file::read_terrain_file;
use crate::formats::terrain::{MapPath, TerrainSettings};
use crate::motion::{PointClip, Terrain, Vec2};
use crate::traverse::GroundPath;

/// Reads ground in profile from a `.terrain.json`, the straight lines of an `.svg`, or a `.png` height map.
///
/// The profile of a height map runs along `way`, or along the middle row of pixels without one.
pub fn read(path: &Path, way: Option<&GroundPath>, settings: &TerrainSettings) -> Result<Terrain, Error> {
    settings.validate().map_err(|error| Error::settings(error.to_string()))?;
    let position = |along_m: f32| way.map_or(Vec2::ZERO, |way| way.point_at(along_m));
    let map_path = way.map(|way| MapPath { length_m: way.length_m(), position: &position });
    read_terrain_file(path, map_path, settings).map_err(|error| Error::from(error).in_file(path))
}

/// A drawn path as a path over the ground. Repeated points are merged.
pub fn way_of(points: &PointClip) -> Result<GroundPath, Error> {
    let mut places: Vec<Vec2> = points.flat().iter().map(|at| Vec2::new(at.x, at.z)).collect();
    places.dedup();
    Ok(GroundPath::new(places)?)
}
