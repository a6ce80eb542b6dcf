//! Which parts of a terrain a request can reach, without planning.

use serde::Serialize;

use super::{FOOTING_SPACING_M, Footings, TraverseRequest, examples};
use crate::motion::Terrain;
use crate::{Context, Error};

/// Footings within this distance of the start count as the start, in metres.
const AT_START_M: f32 = 0.03;
/// Footings up to this far apart belong to one span, in metres.
const MAX_SPAN_GAP_M: f32 = 3.0 * FOOTING_SPACING_M;

/// The parts of a terrain that a character cannot use.
#[derive(Debug, Clone, Serialize)]
pub struct TerrainSurvey {
    /// Spans on which a sole cannot stand: start and end, in metres along the terrain. The ends of the terrain and the
    /// edges of gaps, where half a sole never has ground, are not listed.
    pub no_footing: Vec<[f32; 2]>,
    /// Spans that have footings but cannot be reached.
    pub unreachable: Vec<[f32; 2]>,
    /// Why the goal cannot be reached, if it cannot.
    #[serde(skip)]
    pub error: Option<Error>,
    /// Length of the longest hop or stride of the examples, in metres.
    pub max_length_m: f32,
}

/// Finds the parts of a terrain that a request cannot reach. Fast enough to run while the terrain is edited.
pub fn survey(request: &TraverseRequest, context: &Context<'_>) -> Result<TerrainSurvey, Error> {
    context.budget().check_terrain(&request.terrain)?;
    let prepared = examples::database(request, context)?;
    let database = &prepared.database;
    let footings = database.footings(&request.terrain);
    let (reachable, error) = match database.reachable_footings(&footings, &request.crossing()) {
        Ok((reachable, error)) => (reachable, error),
        Err(error) => (vec![false; footings.all().len()], Some(error)),
    };
    let along = footings.all().iter().map(|footing| footing.position.x);
    // Footings before the first landing are of no interest: the character starts ahead of them or jumps over them.
    let start_m = request.terrain.start_m().max(0.0);
    let mut landings = along
        .clone()
        .zip(&reachable)
        .filter(|(along_m, reachable)| **reachable && *along_m > start_m + AT_START_M);
    let first_m = landings.next().map_or(start_m, |(along_m, _)| along_m);
    Ok(TerrainSurvey {
        no_footing: spans_without_footing(&request.terrain, &footings, database.half_sole_m()),
        unreachable: unreachable_spans(along.zip(reachable).filter(|(along_m, _)| *along_m >= first_m)),
        error: error.map(Error::from),
        max_length_m: database.max_length_m(),
    })
}

/// Joins consecutive unreachable footings to spans.
fn unreachable_spans(footings: impl Iterator<Item = (f32, bool)>) -> Vec<[f32; 2]> {
    let mut spans: Vec<[f32; 2]> = Vec::new();
    let mut continues = false;
    for (along_m, reachable) in footings {
        match spans.last_mut() {
            _ if reachable => {}
            Some([_, end_m]) if continues && along_m - *end_m <= MAX_SPAN_GAP_M => *end_m = along_m,
            _ => spans.push([along_m, along_m]),
        }
        continues = !reachable;
    }
    spans
}

fn spans_without_footing(terrain: &Terrain, footings: &Footings, half_sole_m: f32) -> Vec<[f32; 2]> {
    let mut spans = Vec::new();
    for piece in terrain.pieces() {
        let (Some(first), Some(last)) = (piece.first(), piece.last()) else { continue };
        let inner = first.x + half_sole_m..=last.x - half_sole_m;
        let along = footings.all().iter().map(|footing| footing.position.x);
        let mut from_m = *inner.start();
        for along_m in along.filter(|along| inner.contains(along)).chain([*inner.end()]) {
            if along_m - from_m > MAX_SPAN_GAP_M {
                spans.push([from_m, along_m]);
            }
            from_m = along_m.max(from_m);
        }
    }
    spans
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_join_neighbours_and_break_at_reachable_footings() {
        let footings =
            [(0.0, true), (0.005, false), (0.01, false), (0.015, true), (0.02, false), (0.5, false)];
        let spans = unreachable_spans(footings.into_iter());
        assert_eq!(spans, [[0.005, 0.01], [0.02, 0.02], [0.5, 0.5]]);
    }
}
