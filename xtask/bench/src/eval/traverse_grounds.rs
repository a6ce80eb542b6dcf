//! The grounds that captured people are sent over.

use marey_motion::{Terrain, Vec2};

use crate::BoxError;

/// Level ground before and behind what is in the way, in metres.
const RUN_UP_M: f32 = 2.0;
const RUN_OUT_M: f32 = 3.0;

/// A ground, and whether feet can be measured on it as on a level floor.
pub(super) struct CapturedGround {
    pub(super) name: &'static str,
    pub(super) terrain: Terrain,
    pub(super) is_level: bool,
}

/// Level ground, slopes, stairs, gaps, hurdles, stepping stones and hills, from easy to impossible.
pub(super) fn all() -> Result<Vec<CapturedGround>, BoxError> {
    let grounds = [
        ("level", level(6.0)),
        ("slope of 5° up and down", slope(0.0875)),
        ("slope of 10° up and down", slope(0.176)),
        ("kerb of 12 cm", kerb(0.12)),
        ("stairs of 10 cm", stairs(0.1, 0.4)),
        ("stairs of 15 cm", stairs(0.15, 0.4)),
        ("stairs of 20 cm", stairs(0.2, 0.32)),
        ("gap of 0.3 m", gap(0.3)),
        ("gap of 1.2 m", gap(1.2)),
        ("hurdle of 10 cm", hurdle(0.1)),
        ("hurdle of 25 cm", hurdle(0.25)),
        ("hurdle of 50 cm", hurdle(0.5)),
        ("stepping stones", stones()),
        ("hills of 15 cm", hills()),
    ];
    let ground = |(name, pieces)| {
        let terrain = Terrain::new(pieces)?;
        Ok(CapturedGround { name, terrain, is_level: name == "level" })
    };
    grounds.into_iter().map(ground).collect()
}

type Pieces = Vec<Vec<Vec2>>;

/// The points of a line, each relative to the one before it.
fn line(from: Vec2, steps: impl IntoIterator<Item = (f32, f32)>) -> Vec<Vec2> {
    let mut points = vec![from];
    let mut at = from;
    for (along_m, up_m) in steps {
        at += Vec2::new(along_m, up_m);
        points.push(at);
    }
    points
}

fn start() -> Vec2 {
    Vec2::new(-1.0, 0.0)
}

fn level(length_m: f32) -> Pieces {
    vec![line(start(), [(length_m + 1.0, 0.0)])]
}

fn slope(rise: f32) -> Pieces {
    let steps = [(1.0 + RUN_UP_M, 0.0), (2.0, 2.0 * rise), (1.0, 0.0), (2.0, -2.0 * rise), (RUN_OUT_M, 0.0)];
    vec![line(start(), steps)]
}

fn kerb(up_m: f32) -> Pieces {
    let steps = [(1.0 + RUN_UP_M, 0.0), (0.0, up_m), (1.5, 0.0), (0.0, -up_m), (RUN_OUT_M, 0.0)];
    vec![line(start(), steps)]
}

fn stairs(up_m: f32, tread_m: f32) -> Pieces {
    let mut steps = vec![(1.0 + RUN_UP_M, 0.0)];
    for number in 0..8 {
        let sign = if number < 4 { 1.0 } else { -1.0 };
        let tread_m = if number == 3 { 1.2 } else { tread_m };
        steps.extend([(0.0, sign * up_m), (tread_m, 0.0)]);
    }
    steps.push((RUN_OUT_M, 0.0));
    vec![line(start(), steps)]
}

fn gap(width_m: f32) -> Pieces {
    let behind = Vec2::new(RUN_UP_M + width_m, 0.0);
    vec![line(start(), [(1.0 + RUN_UP_M, 0.0)]), line(behind, [(RUN_OUT_M, 0.0)])]
}

/// A board on edge, 6 cm thick.
fn hurdle(up_m: f32) -> Pieces {
    let steps = [(1.0 + RUN_UP_M, 0.0), (0.0, up_m), (0.06, 0.0), (0.0, -up_m), (RUN_OUT_M, 0.0)];
    vec![line(start(), steps)]
}

/// Six stones of 40 cm at different heights, 20 to 30 cm apart.
fn stones() -> Pieces {
    let mut pieces = vec![line(start(), [(1.0 + RUN_UP_M, 0.0)])];
    let mut along_m = RUN_UP_M;
    for (gap_m, up_m) in [(0.25, 0.03), (0.2, -0.02), (0.3, 0.05), (0.25, 0.0), (0.3, 0.06), (0.2, 0.02)] {
        along_m += gap_m;
        pieces.push(line(Vec2::new(along_m, up_m), [(0.4, 0.0)]));
        along_m += 0.4;
    }
    pieces.push(line(Vec2::new(along_m + 0.25, 0.0), [(RUN_OUT_M, 0.0)]));
    pieces
}

fn hills() -> Pieces {
    let height = |along_m: f32| 0.075 * (1.0 - (along_m * std::f32::consts::TAU / 2.5).cos());
    let samples = (0..=100).map(|i| 0.075 * i as f32).map(|at| Vec2::new(RUN_UP_M + at, height(at)));
    let end = Vec2::new(RUN_UP_M + 7.5 + RUN_OUT_M, 0.0);
    vec![std::iter::once(start()).chain(samples).chain([end]).collect()]
}
