//! The paths that every folder goes along.

use marey_motion::{MotionError, PointClip};

use crate::eval::feet::paths;

/// Seconds between the points of a path that is written by hand.
const SPARSE_SECS: f64 = 2.0;

/// A path on the floor.
pub(super) struct EvalPath {
    pub(super) name: &'static str,
    /// x and z in metres, at [`paths::RATE_HZ`].
    points: Vec<[f32; 2]>,
    /// Every how many of the points are written.
    every: usize,
}

/// Twelve paths for a subject of this speed: straight, slow and fast, curves and circles, an eight, turns of 90° and 180°, one with
/// a stop, and one that is written as a few points.
pub(super) fn all(speed_mps: f64) -> Vec<EvalPath> {
    let shapes = paths::all(speed_mps).into_iter();
    let shapes = shapes.filter(|(name, _)| !["tight-right", "left-corner"].contains(name));
    let mut all: Vec<EvalPath> = shapes.map(|(name, points)| EvalPath { name, points, every: 1 }).collect();
    let straight = all.iter().find(|path| path.name == "straight").map(|path| path.points.clone());
    let straight = straight.unwrap_or_default();
    let pause = straight.len() / 3;
    // A third of the way, two seconds of standing, and on.
    let mut stop = straight[..pause].to_vec();
    stop.extend(vec![straight[pause]; (2.0 * paths::RATE_HZ) as usize]);
    stop.extend_from_slice(&straight[pause..2 * pause]);
    all.push(EvalPath { name: "stop", points: stop, every: 1 });
    let eight = all.iter().find(|path| path.name == "eight").map(|path| path.points.clone());
    let every = (SPARSE_SECS * paths::RATE_HZ) as usize;
    all.push(EvalPath { name: "sparse", points: eight.unwrap_or_default(), every });
    all
}

impl EvalPath {
    pub(super) fn clip(&self) -> Result<PointClip, MotionError> {
        paths::clip(&self.points)
    }

    /// The table that the command reads.
    pub(super) fn to_csv(&self) -> String {
        let mut text = "t,x,z\n".to_owned();
        for (number, [x, z]) in self.points.iter().enumerate().step_by(self.every) {
            text += &format!("{},{x},{z}\n", number as f64 / paths::RATE_HZ);
        }
        text
    }
}
