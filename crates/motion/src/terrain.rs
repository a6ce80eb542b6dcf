//! Uneven ground in profile.

use std::ops::Range;

use glam::Vec2;
use serde::{Deserialize, Serialize};

use crate::{MotionError, Result};

/// Ground along a line, seen from the side: polylines from left to right, with gaps between them.
///
/// A point is the distance along the line and the height, in metres; the line is +Z for a character that
/// walks in its rest direction. A step is two points at one position. Invariants: at least one piece, each of
/// at least two points and a positive length; positions never decrease, so there are no overhangs; pieces do
/// not overlap; every number is finite.
///
/// It is written as JSON, and checked when read:
///
/// ```
/// use marey_motion::Terrain;
/// // Level, a step up of 0.1 m, level; a gap of 0.2 m; a slope down.
/// let json = r#"{"pieces": [
///     [[0.0, 0.0], [1.0, 0.0], [1.0, 0.1], [2.0, 0.1]],
///     [[2.2, 0.1], [3.2, 0.0]]]}"#;
/// let terrain: Terrain = serde_json::from_str(json)?;
/// assert_eq!((terrain.start_m(), terrain.end_m()), (0.0, 3.2));
/// assert_eq!(terrain.height_at(0.5), Some(0.0));
/// assert_eq!(terrain.height_at(1.0), Some(0.1), "the upper edge of a step");
/// assert_eq!(terrain.height_at(2.1), None, "no ground in a gap");
/// assert!((terrain.slope_rad_at(2.5).unwrap() + 0.1f32.atan()).abs() < 1e-6);
/// // A line that runs backwards is an error.
/// assert!(serde_json::from_str::<Terrain>(&json.replace("3.2", "2.1")).is_err());
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "TerrainJson")]
pub struct Terrain {
    pieces: Vec<Vec<Vec2>>,
}

impl Default for Terrain {
    /// 5 m of level ground.
    fn default() -> Self {
        Self { pieces: vec![vec![Vec2::ZERO, Vec2::new(5.0, 0.0)]] }
    }
}

/// The JSON form of a terrain.
#[derive(Deserialize)]
#[serde(rename = "Terrain", deny_unknown_fields)]
struct TerrainJson {
    pieces: Vec<Vec<Vec2>>,
}

impl TryFrom<TerrainJson> for Terrain {
    type Error = MotionError;

    fn try_from(json: TerrainJson) -> Result<Self> {
        Self::new(json.pieces)
    }
}

impl Terrain {
    /// Checks pieces of ground.
    pub fn new(pieces: Vec<Vec<Vec2>>) -> Result<Self> {
        if pieces.is_empty() {
            return Err(MotionError::Empty { what: "a terrain" });
        }
        let mut end_m = f32::NEG_INFINITY;
        for (number, piece) in pieces.iter().enumerate() {
            check_piece(piece, end_m).map_err(|(point, problem)| MotionError::Terrain {
                piece: number,
                point,
                problem,
            })?;
            end_m = piece.last().map_or(end_m, |last| last.x);
        }
        Ok(Self { pieces })
    }

    /// The pieces, from left to right.
    pub fn pieces(&self) -> &[Vec<Vec2>] {
        &self.pieces
    }

    /// Returns the start of the ground along the line, in metres.
    pub fn start_m(&self) -> f32 {
        self.pieces[0][0].x
    }

    /// Returns the end of the ground along the line, in metres.
    pub fn end_m(&self) -> f32 {
        self.pieces.last().and_then(|piece| piece.last()).map_or(self.start_m(), |last| last.x)
    }

    /// The lowest height of the ground.
    pub fn lowest_m(&self) -> f32 {
        self.pieces.iter().flatten().map(|point| point.y).fold(f32::INFINITY, f32::min)
    }

    /// The gaps between pieces, from left to right.
    pub fn gaps(&self) -> impl Iterator<Item = Range<f32>> + '_ {
        self.pieces.windows(2).map(|two| two[0][two[0].len() - 1].x..two[1][0].x)
    }

    /// The segments that can be stood on, from left to right: all but the faces of steps.
    pub fn segments(&self) -> impl Iterator<Item = [Vec2; 2]> + '_ {
        let parts = self.pieces.iter().flat_map(|piece| piece.windows(2));
        parts.map(|two| [two[0], two[1]]).filter(|[from, to]| to.x > from.x)
    }

    /// The height of the ground at a position; at a step, its upper edge. `None` over gaps and beyond the
    /// ends.
    pub fn height_at(&self, along_m: f32) -> Option<f32> {
        let height = |[from, to]: [Vec2; 2]| {
            // Exact at both ends, so that a foot can stand on a corner.
            let share = (along_m - from.x) / (to.x - from.x);
            if share >= 1.0 { to.y } else { from.y + share * (to.y - from.y) }
        };
        self.segments_at(along_m).map(height).reduce(f32::max)
    }

    /// The slope of the ground at a position, in radians, positive if it rises; at a corner, that of the next
    /// segment. `None` over gaps and beyond the ends.
    pub fn slope_rad_at(&self, along_m: f32) -> Option<f32> {
        self.segments_at(along_m).last().map(|[from, to]| (to - from).to_angle())
    }

    /// The depth of a point in the ground: its distance from the nearest surface, step or side of a gap; 0
    /// outside.
    pub fn depth_m(&self, point: Vec2) -> f32 {
        if self.height_at(point.x).is_none_or(|height| point.y >= height) {
            return 0.0;
        }
        let faces = self.pieces.iter().flat_map(|piece| piece.windows(2)).map(|two| [two[0], two[1]]);
        let sides = self.pieces.iter().flat_map(|piece| [piece[0], piece[piece.len() - 1]]);
        let sides = sides.map(|top| [top, top.with_y(point.y.min(top.y))]);
        faces.chain(sides).map(|face| distance_m(point, face)).fold(f32::INFINITY, f32::min)
    }

    /// The segments at a position: two at a corner.
    fn segments_at(&self, along_m: f32) -> impl Iterator<Item = [Vec2; 2]> + '_ {
        self.segments().filter(move |[from, to]| from.x <= along_m && along_m <= to.x)
    }
}

/// The distance of a point from a segment.
fn distance_m(point: Vec2, [from, to]: [Vec2; 2]) -> f32 {
    let direction = to - from;
    let share =
        ((point - from).dot(direction) / direction.length_squared().max(f32::MIN_POSITIVE)).clamp(0.0, 1.0);
    point.distance(from + share * direction)
}

/// Checks a piece that must start beyond the end of the previous one. Returns the index of the wrong point
/// and the problem.
fn check_piece(piece: &[Vec2], end_m: f32) -> std::result::Result<(), (usize, &'static str)> {
    if let Some(point) = piece.iter().position(|point| !point.is_finite()) {
        return Err((point, "is not finite"));
    }
    let (Some(first), Some(last)) = (piece.first(), piece.last()) else { return Err((0, "is missing")) };
    if first.x <= end_m {
        return Err((0, "is not beyond the end of the previous piece"));
    }
    if let Some(point) = piece.windows(2).position(|two| two[1].x < two[0].x) {
        return Err((point + 1, "is to the left of the previous one"));
    }
    if let Some(point) = piece.windows(3).position(|three| three[0].x == three[2].x) {
        return Err((point + 2, "is the third at one position; a step has two"));
    }
    if first.x == last.x { Err((piece.len() - 1, "is at the start of the piece")) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Coded;

    /// Points of a piece of ground, from left to right.
    type Piece<'a> = &'a [(f32, f32)];

    fn terrain(pieces: &[Piece<'_>]) -> Result<Terrain> {
        Terrain::new(
            pieces.iter().map(|piece| piece.iter().map(|&(x, y)| Vec2::new(x, y)).collect()).collect(),
        )
    }

    #[test]
    fn invalid_terrains_are_rejected() {
        assert_eq!(terrain(&[]).unwrap_err().code().id, "motion/mismatch");
        let rejected: [(&[Piece<'_>], &str); 6] = [
            (&[&[]], "piece 0: point 0 is missing"),
            (&[&[(0.0, 0.0)]], "piece 0: point 0 is at the start of the piece"),
            (&[&[(0.0, 0.0), (1.0, f32::NAN)]], "piece 0: point 1 is not finite"),
            (&[&[(0.0, 0.0), (1.0, 0.0), (0.5, 0.0)]], "piece 0: point 2 is to the left of the previous one"),
            (
                &[&[(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (1.0, 0.5), (2.0, 0.5)]],
                "piece 0: point 3 is the third",
            ),
            (&[&[(0.0, 0.0), (1.0, 0.0)], &[(1.0, 0.0), (2.0, 0.0)]], "piece 1: point 0 is not beyond"),
        ];
        for (pieces, message) in rejected {
            let error = terrain(pieces).unwrap_err();
            assert_eq!(error.code().id, "motion/terrain");
            assert!(error.to_string().contains(message), "{error}");
        }
    }

    #[test]
    fn gaps_steps_and_corners() {
        let ground =
            terrain(&[&[(0.0, 0.0), (1.0, 0.0), (1.0, -0.2), (2.0, 0.2)], &[(2.5, 1.0), (3.0, 1.0)]])
                .unwrap();
        assert_eq!(ground.gaps().collect::<Vec<_>>(), [2.0..2.5]);
        assert_eq!(ground.segments().count(), 3);
        assert_eq!(ground.height_at(1.0), Some(0.0));
        assert!(ground.slope_rad_at(1.0).unwrap() > 0.3, "the slope after the corner");
        assert_eq!(
            (ground.height_at(-0.1), ground.slope_rad_at(2.2), ground.height_at(3.1)),
            (None, None, None)
        );
        assert_eq!(ground.lowest_m(), -0.2);
    }

    #[test]
    fn depth_is_the_distance_to_the_nearest_surface() {
        let ground =
            terrain(&[&[(0.0, 0.0), (1.0, 0.0), (1.0, 0.5), (2.0, 0.5)], &[(2.2, 0.5), (3.0, 0.5)]]).unwrap();
        for (at, depth) in [
            ((0.5, 0.1), 0.0),
            ((0.5, -0.1), 0.1),
            ((1.03, 0.3), 0.03),
            ((1.5, 0.3), 0.2),
            ((1.98, 0.1), 0.02),
            ((2.1, -3.0), 0.0),
            ((2.25, -1.0), 0.05),
        ] {
            let found = ground.depth_m(Vec2::new(at.0, at.1));
            assert!((found - depth).abs() < 1e-5, "{at:?}: {found}");
        }
    }

    proptest! {
        #[test]
        fn height_at_a_vertex_is_exact(
            steps in proptest::collection::vec((0.1f32..1.0, -0.5f32..0.5), 2..20), share in 0.0f32..1.0,
        ) {
            let mut at = Vec2::ZERO;
            let points: Vec<Vec2> = steps.iter().map(|&(dx, dy)| { at += Vec2::new(dx, dy); at }).collect();
            let ground = Terrain::new(vec![points.clone()]).unwrap();
            for two in points.windows(2) {
                prop_assert_eq!(ground.height_at(two[1].x), Some(two[1].y));
                let between = two[0].lerp(two[1], share);
                prop_assert!((ground.height_at(between.x).unwrap() - between.y).abs() < 1e-4);
            }
            let json = serde_json::to_string(&ground).unwrap();
            prop_assert_eq!(serde_json::from_str::<Terrain>(&json).unwrap(), ground);
        }
    }
}
