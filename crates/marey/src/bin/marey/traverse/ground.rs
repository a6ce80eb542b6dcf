//! The ground to be crossed, from a file: JSON, a drawing, or a height map.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use marey::codes;
use marey::formats::Error;
use marey::motion::Terrain;

use super::{height_map, svg};
use crate::failure::Failure;
use crate::flags::finite;
use crate::inputs;

/// A file of ground, and what its numbers mean.
#[derive(Debug, Args)]
pub(super) struct GroundFlags {
    /// The ground: a .terrain.json, the polylines and straight paths of an .svg, or the middle row of a .png height map, where
    /// transparent pixels are gaps
    #[arg(value_name = "TERRAIN")]
    terrain: PathBuf,

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

    /// Reads the file, by its ending.
    pub(super) fn terrain(&self) -> Result<Terrain, Failure> {
        let path = &self.terrain;
        for (flag, value) in [("--scale", self.scale), ("--relief", self.relief)] {
            if !(value > 0.0 && value <= 1000.0) {
                let message = format!("{flag} is {value}, but must be above 0 and at most 1000");
                return Err(Failure::usage(&codes::SETTINGS, message));
            }
        }
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_lowercase();
        let pieces = match ending.as_str() {
            "svg" => svg::polylines(&inputs::text(path)?, self.scale),
            "png" => {
                let bytes =
                    fs::read(path).map_err(|error| Failure::from(Error::file(path, error)).in_file(path))?;
                height_map::middle_row(&bytes, self.scale, self.relief)
            }
            _ => return inputs::terrain(path),
        };
        let wrong = |message: String| Failure::new(&codes::NOT_A_TERRAIN, message).in_file(path);
        Terrain::new(pieces.map_err(wrong)?).map_err(|error| Failure::from(error).in_file(path))
    }
}
