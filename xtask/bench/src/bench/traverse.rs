//! Benchmarks of `traverse`: against the physics planner, and the grid query against a full scan.
//!
//! It calls the engine, because it times planning and queries without reading a corpus.

use marey_examples::luxo::{self, LuxoSettings};
use marey_motion::{Terrain, Vec2};
use marey_plan::{Seed, SourceRef};
use marey_traverse::{
    CrossingRequest, FitQuery, Footings, GroundPath, PrimitiveDatabase, PrimitiveIndex, StartState,
    TraverseExample, TraverseSettings,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::BoxError;
use crate::args::Args;
use crate::clock::race;
use crate::row::{Aim, Row};

/// Number of primitives in the query benchmark.
const PRIMITIVES: usize = 100_000;
/// Length of their state rows, as for a lamp.
const DIMS: usize = 36;

/// Degrees of freedom of the states: tilt and two joints, with velocities.
const FREEDOMS: usize = 6;
/// Spread of the state per degree of freedom, in metres.
const SPREAD_M: f32 = 0.01;

pub(crate) fn rows(args: &Args) -> Vec<Row> {
    measure(args).unwrap_or_else(|error| {
        eprintln!("traverse is not measured: {error}");
        Vec::new()
    })
}

fn measure(args: &Args) -> Result<Vec<Row>, BoxError> {
    let mut rows = synthesis(args)?;
    rows.push(queries(args)?);
    Ok(rows)
}

/// From terrain to motion: by example, and by simulating hops.
fn synthesis(args: &Args) -> Result<Vec<Row>, BoxError> {
    let settings = LuxoSettings { seed: args.seed, ..LuxoSettings::default() };
    let [gentle, rough] = luxo::datasets(&settings)?;
    let example = TraverseExample {
        source: SourceRef { take: "luxo-2".into(), actor: 0 },
        clip: rough.example.take.first().clone(),
        contacts: rough.example.truth.contacts().cloned().unwrap_or_default(),
        tags: rough.example.truth.labels().to_vec(),
        unusable: Vec::new(),
    };
    let mut rows = Vec::new();
    for (name, terrain) in [("terrain 1", gentle.terrain), ("terrain 2", rough.terrain)] {
        rows.extend(one_terrain(args, name, &terrain, &example, &settings)?);
    }
    Ok(rows)
}

/// Measures both methods on one terrain.
fn one_terrain(
    args: &Args,
    name: &str,
    terrain: &Terrain,
    example: &TraverseExample,
    settings: &LuxoSettings,
) -> Result<Vec<Row>, BoxError> {
    let simulated = luxo::cross(terrain, settings)?;
    let mut simulate = || luxo::cross(terrain, settings).map_or(0, |crossing| crossing.hops);
    let [physics_secs] = race(if args.quick { 1 } else { 4 }, [&mut simulate]);
    let mut rows = Vec::new();
    for lookahead in [TraverseSettings::default().lookahead, 0] {
        let database = PrimitiveDatabase::new(
            vec![example.clone()],
            &TraverseSettings { lookahead, ..TraverseSettings::default() },
        )?;
        let request = CrossingRequest::new(terrain.clone());
        let path = GroundPath::straight();
        let mut run = || {
            let footings = database.footings(terrain);
            let plan = database.plan(&footings, &request, Seed(0), None);
            let made = plan.and_then(|(plan, _)| database.realise(&plan, &footings, &path));
            made.map_or(0, |made| made.clip.frames())
        };
        let [secs] = race(if args.quick { 5 } else { 50 }, [&mut run]);
        let subject = format!("{name}, dataset 2, lookahead of {lookahead} hops");
        rows.push(
            Row::new("traverse: from terrain to motion", subject, 1.0 / secs, "crossings per second")
                .against(
                    &format!("physics planner, {} hops simulated", simulated.simulated),
                    1.0 / physics_secs,
                )
                .aim(Aim::RatioAtLeast(1000.0)),
        );
    }
    Ok(rows)
}

/// The best of many primitives.
fn queries(args: &Args) -> Result<Row, BoxError> {
    let mut rng = ChaCha8Rng::seed_from_u64(args.seed);
    let terrain = luxo::terrain(&LuxoSettings { seed: args.seed, ..LuxoSettings::default() })?;
    let settings = TraverseSettings { cell_m: 0.02, ..TraverseSettings::default() };
    let displacements =
        (0..PRIMITIVES).map(|_| Vec2::new(rng.random_range(0.03..0.6), rng.random_range(-0.25..0.25)));
    let displacements: Vec<Vec2> = displacements.collect();
    // A standing lamp has few degrees of freedom: the states are linear functions of them.
    let directions: Vec<[f32; FREEDOMS]> =
        (0..DIMS).map(|_| [(); FREEDOMS].map(|()| rng.random_range(-SPREAD_M..SPREAD_M))).collect();
    let mut starts = Vec::with_capacity(PRIMITIVES * DIMS);
    for _ in 0..PRIMITIVES {
        let freedoms = [(); FREEDOMS].map(|()| rng.random_range(-1.0..1.0f32));
        starts.extend(directions.iter().map(|row| row.iter().zip(freedoms).map(|(a, b)| a * b).sum::<f32>()));
    }
    let user_costs: Vec<f32> = displacements.iter().map(|lead| (lead.x - 0.2).powi(2)).collect();
    let index = PrimitiveIndex::new(displacements, starts, settings.cell_m);
    let footings = Footings::new(&terrain, 0.1, settings.max_tilt_rad);
    let state = vec![0.0f32; DIMS];
    let places: Vec<Vec2> =
        footings.all().iter().step_by(footings.all().len() / 20).map(|f| f.position).collect();
    let query = |position: Vec2| FitQuery {
        position,
        state: StartState::Row(&state),
        footings: &footings,
        user_costs: &user_costs,
        k_env: settings.k_env,
        k_user: settings.k_user,
        max_shift_m: settings.max_shift_m,
        count: 1,
        max_cost: f64::INFINITY,
    };
    let same = places.iter().all(|at| index.best_fits(&query(*at)).fits == index.scan(&query(*at)).fits);
    if !same {
        return Err("the grid query and the full scan disagree".into());
    }
    let compared: usize = places.iter().map(|at| index.best_fits(&query(*at)).compared).sum();
    let [grid_secs, scan] = race(
        if args.quick { 2 } else { 8 },
        [&mut || places.iter().map(|at| index.best_fits(&query(*at)).fits.len()).sum(), &mut || {
            places.iter().map(|at| index.scan(&query(*at)).fits.len()).sum()
        }],
    );
    let count = places.len() as f64;
    let subject =
        format!("the best of {PRIMITIVES} examples, {:.0} compared on average", compared as f64 / count);
    Ok(Row::new("traverse: grid query", subject, count / grid_secs, "queries per second")
        .against("full scan", count / scan)
        .aim(Aim::RatioAtLeast(10.0)))
}
