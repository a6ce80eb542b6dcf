//! The ground to be crossed: which file, and what its numbers mean.

use std::path::{Path, PathBuf};

use clap::Args;
use marey::ground::{self, Measures, way_of};
use marey::inputs;
use marey::motion::Terrain;
use marey::traverse::Way;

use crate::failure::Failure;
use crate::flags::finite;

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
    #[arg(long, value_name = "M", default_value_t = Measures::default().scale_m, value_parser = finite)]
    scale: f32,

    /// Metres from black to white in a height map
    #[arg(long, value_name = "M", default_value_t = Measures::default().relief_m, value_parser = finite)]
    relief: f32,
}

impl GroundFlags {
    pub(super) fn file(&self) -> &Path {
        &self.terrain
    }

    /// The ground in profile, and the way it is the profile of.
    pub(super) fn read(&self) -> Result<(Terrain, Way), Failure> {
        let measures = Measures { scale_m: self.scale, relief_m: self.relief };
        measures.validate()?;
        let way = self.path.as_deref().map(way).transpose()?;
        let terrain = ground::read(&self.terrain, way.as_ref(), &measures)?;
        Ok((terrain, way.unwrap_or_else(Way::straight)))
    }
}

/// The drawn way.
fn way(path: &Path) -> Result<Way, Failure> {
    way_of(&inputs::points(path)?).map_err(|failure| failure.in_file(path))
}
