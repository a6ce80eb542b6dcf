//! The ground to be crossed, from a file: JSON, a drawing, or a height map.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use marey::codes;
use marey::formats::file::read_file;
use marey::formats::{Error, ReadOptions};
use marey::motion::{Terrain, Vec2};
use marey::traverse::Way;

use super::height_map::HeightMap;
use super::svg;
use crate::failure::Failure;
use crate::flags::finite;
use crate::inputs;

/// A file of ground, and what its numbers mean.
#[derive(Debug, Args)]
pub(super) struct GroundFlags {
    /// The ground: a .terrain.json, the polylines and straight paths of an .svg, or a .png height map, where
    /// transparent pixels are gaps: its middle row, or along --path
    #[arg(value_name = "TERRAIN")]
    terrain: PathBuf,

    /// The way over the floor of which the ground is the profile: a drawn path (.csv, .json). Over a height map it is in metres from the
    /// lower left corner, x to the right and z up the picture
    #[arg(long, value_name = "PATH")]
    path: Option<PathBuf>,

    /// Metres that a unit of a drawing or a pixel of a height map is long
    #[arg(long, value_name = "M", default_value_t = 0.01, value_parser = finite)]
    scale: f32,

    /// Metres from black to white in a height map
    #[arg(long, value_name = "M", default_value_t = 0.5, value_parser = finite)]
    relief: f32,
}

impl GroundFlags {
    pub(super) fn file(&self) -> &Path {
        &self.terrain
    }

    /// The ground in profile, and the way it is the profile of.
    pub(super) fn read(&self) -> Result<(Terrain, Way), Failure> {
        let path = &self.terrain;
        for (flag, value) in [("--scale", self.scale), ("--relief", self.relief)] {
            if !(value > 0.0 && value <= 1000.0) {
                let message = format!("{flag} is {value}, but must be above 0 and at most 1000");
                return Err(Failure::usage(&codes::SETTINGS, message));
            }
        }
        let way = self.way()?;
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_lowercase();
        let pieces = match ending.as_str() {
            "svg" => svg::polylines(&inputs::text(path)?, self.scale),
            "png" => {
                let unread = |error| Failure::from(Error::file(path, error)).in_file(path);
                let map = HeightMap::read(&fs::read(path).map_err(unread)?, self.scale, self.relief);
                map.and_then(|map| way.as_ref().map_or_else(|| map.middle_row(), |way| map.along(way)))
            }
            _ => return Ok((inputs::terrain(path)?, way.unwrap_or_else(Way::straight))),
        };
        let wrong = |message: String| Failure::new(&codes::NOT_A_TERRAIN, message).in_file(path);
        let terrain = Terrain::new(pieces.map_err(wrong)?);
        let terrain = terrain.map_err(|error| Failure::from(error).in_file(path))?;
        Ok((terrain, way.unwrap_or_else(Way::straight)))
    }

    /// The drawn way, points that are in one place once.
    fn way(&self) -> Result<Option<Way>, Failure> {
        let Some(path) = &self.path else { return Ok(None) };
        let about = |failure: Failure| failure.in_file(path);
        let import = read_file(path, &ReadOptions::default()).map_err(|error| about(error.into()))?;
        let Some(points) = import.points() else {
            return Err(about(Failure::new(&codes::NOT_A_PATH, "it holds figures")));
        };
        let mut places: Vec<Vec2> = points.clip.flat().iter().map(|at| Vec2::new(at.x, at.z)).collect();
        places.dedup();
        Way::new(places).map(Some).map_err(|error| about(error.into()))
    }
}
