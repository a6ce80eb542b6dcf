//! Uneven ground: `traverse`.

use std::path::PathBuf;

use marey::crossings::{self, Crosser};
use marey::failure::Failure;
use marey::ground::{self, Measures, way_of};
use marey::motion::{Report, Terrain, Vec2};
use marey::traverse::Way;
use pyo3::prelude::*;
use serde_json::json;

use super::{Made, Source, look, made};
use crate::corpus::PyCorpus;
use crate::error::{settings, to_json};
use crate::work::{Ending, run};

/// Ground: polylines in profile, or a file.
#[derive(FromPyObject)]
pub(crate) enum Ground {
    Pieces(Vec<Vec<(f32, f32)>>),
    File(PathBuf),
}

#[pyfunction]
#[pyo3(signature = (corpus, terrain, path, wish, scale_m, relief_m, progress))]
#[expect(clippy::too_many_arguments, reason = "each is a keyword of the package's own function")]
pub(crate) fn traverse(
    py: Python<'_>,
    corpus: &PyCorpus,
    terrain: Ground,
    path: Option<Source>,
    wish: &str,
    scale_m: f32,
    relief_m: f32,
    progress: Option<Py<PyAny>>,
) -> PyResult<Made> {
    let wish: crossings::Wish = settings(py, wish)?;
    let (corpus, file) = look(py, corpus)?;
    run(py, progress, Ending::Left, move |watch| {
        let way = path.map(|path| way_of(&path.points()?)).transpose()?;
        let terrain = match terrain {
            Ground::File(path) => ground::read(&path, way.as_ref(), &Measures { scale_m, relief_m })?,
            Ground::Pieces(pieces) => {
                let line = |line: Vec<(f32, f32)>| line.into_iter().map(Vec2::from).collect();
                Terrain::new(pieces.into_iter().map(line).collect())?
            }
        };
        watch.tell("steps", 1, 3)?;
        let crosser = Crosser::of(&corpus, wish).map_err(|failure| failure.in_file(&file))?;
        watch.tell("steps", 2, 3)?;
        crossed(&crosser, &terrain, &way.unwrap_or_else(Way::straight))
    })
}

fn crossed(crosser: &Crosser, terrain: &Terrain, way: &Way) -> Result<Made, Failure> {
    let found = crosser.cross(terrain, way)?;
    let about = json!({
        "hops": found.crossed.landings.len().saturating_sub(1),
        "examples": crosser.hops(),
        "queries": found.effort.queries,
        "looked_at": found.effort.looked_at,
        "cost": found.plan.cost.total,
    });
    let trace = to_json(&found.trace)?;
    let (take, plan, _, report, about) = made(found.take, Some(&found.plan), &Report::default(), about)?;
    Ok((take, plan, Some(trace), report, about))
}
