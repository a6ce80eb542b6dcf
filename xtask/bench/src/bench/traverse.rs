//! Crossing ground: against the physics planner, and asking by cells against looking at everything.

use marey_examples::luxo::{self, LuxoSettings};
use marey_motion::{Terrain, Vec2};
use marey_plan::{Seed, SourceRef};
use marey_traverse::{Ask, Crossing, Database, Example, Index, Settings, State};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::args::Args;
use crate::clock::race;
use crate::row::{Aim, Row};

type Failure = Box<dyn std::error::Error>;

/// How many examples are asked among.
const PRIMITIVES: usize = 100_000;
/// How many numbers a state of theirs has: as many as a lamp's.
const DIMS: usize = 36;

/// How many of them are free: the tilt and two joints, and how fast they go.
const FREE: usize = 6;
/// How far a number of a state is spread by each of these, in metres.
const SPREAD_M: f32 = 0.01;

pub(crate) fn rows(args: &Args) -> Vec<Row> {
    measure(args).unwrap_or_else(|error| {
        eprintln!("nothing to measure: {error}");
        Vec::new()
    })
}

fn measure(args: &Args) -> Result<Vec<Row>, Failure> {
    let mut rows = synthesis(args)?;
    rows.push(queries(args)?);
    Ok(rows)
}

/// From ground to motion: by example, and by simulating hops ahead.
fn synthesis(args: &Args) -> Result<Vec<Row>, Failure> {
    let settings = LuxoSettings { seed: args.seed, ..LuxoSettings::default() };
    let [gentle, rough] = luxo::datasets(&settings)?;
    let example = Example {
        source: SourceRef { take: "luxo-2".into(), actor: 0 },
        clip: rough.example.take.first().clone(),
        contacts: rough.example.truth.contacts().cloned().unwrap_or_default(),
        tags: rough.example.truth.labels().to_vec(),
    };
    let mut rows = Vec::new();
    for (name, terrain) in [("terrain 1", gentle.terrain), ("dataset 2's own", rough.terrain)] {
        rows.extend(one_ground(args, name, &terrain, &example, &settings)?);
    }
    Ok(rows)
}

/// One ground, by both.
fn one_ground(
    args: &Args,
    name: &str,
    terrain: &Terrain,
    example: &Example,
    settings: &LuxoSettings,
) -> Result<Vec<Row>, Failure> {
    let simulated = luxo::cross(terrain, settings)?;
    let mut simulate = || luxo::cross(terrain, settings).map_or(0, |crossing| crossing.hops);
    let [physics_secs] = race(if args.quick { 1 } else { 4 }, [&mut simulate]);
    let mut rows = Vec::new();
    for lookahead in [Settings::default().lookahead, 0] {
        let database = Database::new(vec![example.clone()], &Settings { lookahead, ..Settings::default() })?;
        let brief = Crossing::of(terrain.clone(), database.rate_hz());
        let mut run = || {
            let footings = database.footings(terrain);
            let plan = database.plan_on(&footings, &brief, Seed(0), None);
            let made = plan.and_then(|(plan, _)| database.realise(&plan, &footings));
            made.map_or(0, |made| made.clip.frames())
        };
        let [secs] = race(if args.quick { 5 } else { 50 }, [&mut run]);
        let subject = format!("{name}, dataset 2, looking {lookahead} hops ahead");
        rows.push(
            Row::new("traverse: from ground to motion", subject, 1.0 / secs, "crossings a second")
                .against(
                    &format!("physics planner, {} hops simulated", simulated.simulated),
                    1.0 / physics_secs,
                )
                .aim(Aim::RatioAtLeast(1000.0)),
        );
    }
    Ok(rows)
}

/// The best of many examples.
fn queries(args: &Args) -> Result<Row, Failure> {
    let mut rng = ChaCha8Rng::seed_from_u64(args.seed);
    let terrain = luxo::terrain(&LuxoSettings { seed: args.seed, ..LuxoSettings::default() })?;
    let settings = Settings { cell_m: 0.02, ..Settings::default() };
    let leads =
        (0..PRIMITIVES).map(|_| Vec2::new(rng.random_range(0.03..0.6), rng.random_range(-0.25..0.25)));
    let leads: Vec<Vec2> = leads.collect();
    // A lamp that stands has a few ways to stand in: so many numbers, as functions of a few.
    let ways: Vec<[f32; FREE]> =
        (0..DIMS).map(|_| [(); FREE].map(|()| rng.random_range(-SPREAD_M..SPREAD_M))).collect();
    let mut starts = Vec::with_capacity(PRIMITIVES * DIMS);
    for _ in 0..PRIMITIVES {
        let stands = [(); FREE].map(|()| rng.random_range(-1.0..1.0f32));
        starts.extend(
            ways.iter().map(|way| way.iter().zip(stands).map(|(way, stands)| way * stands).sum::<f32>()),
        );
    }
    let user: Vec<f32> = leads.iter().map(|lead| (lead.x - 0.2).powi(2)).collect();
    let index = Index::new(leads, starts, settings.cell_m);
    let footings = marey_traverse::Footings::of(&terrain, 0.1, settings.most_tilt_rad);
    let state = vec![0.0f32; DIMS];
    let places: Vec<Vec2> = footings.all().iter().step_by(footings.all().len() / 20).map(|f| f.at).collect();
    let ask = |at: Vec2| Ask {
        at,
        state: State::Row(&state),
        footings: &footings,
        user: &user,
        k_env: settings.k_env,
        k_user: settings.k_user,
        most_shift_m: settings.most_shift_m,
        count: 1,
        most: f64::INFINITY,
    };
    let same = places.iter().all(|at| index.ask(&ask(*at)).fits == index.scan(&ask(*at)).fits);
    if !same {
        return Err("cells and scan disagree".into());
    }
    let looked: usize = places.iter().map(|at| index.ask(&ask(*at)).looked_at).sum();
    let [cells, scan] = race(
        if args.quick { 2 } else { 8 },
        [&mut || places.iter().map(|at| index.ask(&ask(*at)).fits.len()).sum(), &mut || {
            places.iter().map(|at| index.scan(&ask(*at)).fits.len()).sum()
        }],
    );
    let count = places.len() as f64;
    let subject =
        format!("the best of {PRIMITIVES} examples, {:.0} looked at on average", looked as f64 / count);
    Ok(Row::new("traverse: asking by cells", subject, count / cells, "queries a second")
        .against("looking at every example", count / scan)
        .aim(Aim::RatioAtLeast(10.0)))
}
