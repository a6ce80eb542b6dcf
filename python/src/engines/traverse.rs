//! `traverse`: motion over terrain.

use std::path::PathBuf;

use marey::Context;
use marey::formats::terrain::TerrainSettings;
use marey::ground::{self, way_of};
use marey::motion::{Terrain, Vec2};
use marey::traverse::{TraverseRequest, run as run_traverse};
use pyo3::prelude::*;
use serde_json::json;

use super::{OutcomeParts, Source, open_to_read, outcome_parts};
use crate::cast::PyCast;
use crate::corpus::PyCorpus;
use crate::error::{settings, to_json};
use crate::work::{OnCancel, run};

/// A terrain: polylines in profile, or a file.
#[derive(FromPyObject)]
pub(crate) enum TerrainSource {
    Pieces(Vec<Vec<(f32, f32)>>),
    File(PathBuf),
}

#[pyfunction]
#[pyo3(signature = (corpus, terrain, path, request, scale_m, relief_m, cast, progress))]
#[expect(clippy::too_many_arguments, reason = "each is a keyword of the package's own function")]
pub(crate) fn traverse(
    py: Python<'_>,
    corpus: &PyCorpus,
    terrain: TerrainSource,
    path: Option<Source>,
    request: &str,
    scale_m: Option<f32>,
    relief_m: Option<f32>,
    cast: PyCast,
    progress: Option<Py<PyAny>>,
) -> PyResult<OutcomeParts> {
    let mut request: TraverseRequest = settings(py, request)?;
    let (corpus, file) = open_to_read(py, corpus)?;
    run(py, progress, OnCancel::Detach, move |observer| {
        let path = path.map(|path| way_of(&path.points()?)).transpose()?;
        request.terrain = match terrain {
            TerrainSource::File(file) => {
                let default = TerrainSettings::default();
                let settings = TerrainSettings {
                    scale_m: scale_m.unwrap_or(default.scale_m),
                    relief_m: relief_m.unwrap_or(default.relief_m),
                    ..default
                };
                ground::read(&file, path.as_ref(), &settings)?
            }
            TerrainSource::Pieces(pieces) => {
                let line = |line: Vec<(f32, f32)>| line.into_iter().map(Vec2::from).collect();
                Terrain::new(pieces.into_iter().map(line).collect())?
            }
        };
        request.path = path.unwrap_or_default();
        let context = cast.context(Context::with_corpus(corpus).observed_by(observer));
        let outcome = run_traverse(&request, &context).map_err(|error| error.in_file(&file))?;
        let summary = json!({
            "hops": outcome.details.hops(),
            "examples": outcome.details.primitives,
            "queries": outcome.details.effort.queries,
            "compared": outcome.details.effort.compared,
            "cost": outcome.plan.as_ref().map(|plan| plan.cost.total),
        });
        let trace = Some(to_json(&outcome.trace)?);
        outcome_parts(&cast, outcome.take, outcome.plan.as_ref(), trace, &outcome.report, summary)
    })
}
