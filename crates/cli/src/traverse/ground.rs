//! The flags for the terrain.

use std::path::{Path, PathBuf};

use clap::Args;
use marey::formats::terrain::TerrainSettings;
use marey::ground::{self, way_of};
use marey::inputs;
use marey::motion::Terrain;
use marey::traverse::GroundPath;

use crate::flags::finite;
use marey::Error;

/// A terrain file, and its units.
#[derive(Debug, Args)]
pub(super) struct GroundFlags {
    /// The terrain: a .terrain.json file, the polylines and straight paths of an .svg drawing, or a .png height map with
    /// transparent pixels as gaps, which is sampled along its middle row or along --path
    #[arg(value_name = "TERRAIN")]
    terrain: PathBuf,

    /// The path over the floor of which the terrain is the profile: a drawn path (.csv, .json). On a height map it is in
    /// metres from the lower left corner, x to the right and z up
    #[arg(long, value_name = "PATH")]
    path: Option<PathBuf>,

    /// Metres per unit of a drawing or pixel of a height map
    #[arg(long, value_name = "M", default_value_t = TerrainSettings::default().scale_m, value_parser = finite)]
    scale: f32,

    /// Metres between black and white in a height map
    #[arg(long, value_name = "M", default_value_t = TerrainSettings::default().relief_m, value_parser = finite)]
    relief: f32,
}

impl GroundFlags {
    pub(super) fn file(&self) -> &Path {
        &self.terrain
    }

    /// Reads the terrain and the path.
    pub(super) fn read(&self) -> Result<(Terrain, GroundPath), Error> {
        let settings =
            TerrainSettings { scale_m: self.scale, relief_m: self.relief, ..TerrainSettings::default() };
        let path = self.path.as_deref().map(read_path).transpose()?;
        let terrain = ground::read(&self.terrain, path.as_ref(), &settings)?;
        Ok((terrain, path.unwrap_or_default()))
    }
}

fn read_path(path: &Path) -> Result<GroundPath, Error> {
    way_of(&inputs::points(path)?).map_err(|failure| failure.in_file(path))
}
