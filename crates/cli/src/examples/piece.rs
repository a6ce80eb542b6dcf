//! One motion of an example, and what stands beside it.

use marey::examples::Example;
use marey::formats::trc;
use marey::motion::{PointClip, Terrain};

use crate::json;

/// Motion that was made, and what stands beside it.
#[derive(Debug)]
pub(crate) struct Piece {
    pub(crate) example: Example,
    /// The ground, where it is uneven.
    pub(crate) terrain: Option<Terrain>,
    /// Markers, where they were captured.
    pub(super) markers: Option<PointClip>,
    /// The way as one would draw it, where it is a walk's: a table.
    pub(super) way: Option<String>,
}

impl From<Example> for Piece {
    fn from(example: Example) -> Self {
        Self { example, terrain: None, markers: None, way: None }
    }
}

impl Piece {
    /// Ending and contents of each file beside the motion.
    pub(crate) fn beside(&self) -> Vec<(&'static str, Vec<u8>)> {
        let truth = json::object(&self.example.truth).into_bytes();
        let terrain = self.terrain.as_ref().map(|terrain| json::object(terrain).into_bytes());
        let markers = self.markers.as_ref().map(trc::write);
        let way = self.way.as_ref().map(|way| way.clone().into_bytes());
        let more = [("terrain.json", terrain), ("trc", markers), ("path.csv", way)];
        let more = more.into_iter().filter_map(|(ending, bytes)| Some((ending, bytes?)));
        [("truth.json", truth)].into_iter().chain(more).collect()
    }
}
