//! Quality of `traverse` with strides: feet on stairs, and the effect of the state metric.

use marey::traverse::{self, TraverseRequest};
use marey::{Context, Outcome};
use marey_examples::GaitStyle;
use marey_examples::walk::{WalkSettings, walk};
use marey_measure::jolt::{Jolts, jolts, percentile_mps2};
use marey_measure::sink::sink_in;
use marey_motion::{Clip, Terrain, Vec2};
use marey_ops::sole::SolePoint;
use marey_plan::{Plan, SourceRef};
use marey_traverse::{PrimitiveDatabase, StateMetric, TraverseExample, TraverseSettings};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::BoxError;
use crate::args::Args;
use crate::eval::foot_rows::FootTable;
use crate::row::{Aim, Row};

/// Number of stairs, and with `--quick`.
const STAIRS: usize = 20;
const QUICK: usize = 4;
/// Duration of each of the mixed walks, in seconds.
const MIXED_SECS: f64 = 40.0;
/// Window on each side of a join, in seconds.
const JOIN_SECS: f64 = 0.05;

pub(super) fn rows(args: &Args) -> Result<Vec<Row>, BoxError> {
    let examples = [example(
        "walk",
        &WalkSettings { seed: args.seed, duration_secs: 120.0, ..WalkSettings::default() },
    )?];
    let mut rng = ChaCha8Rng::seed_from_u64(args.seed);
    let count = if args.quick { QUICK } else { STAIRS };
    let stairs = (0..count).map(|_| stairs(&mut rng)).collect::<Result<Vec<_>, _>>()?;
    let default = TraverseSettings::for_walkers();
    let mass = measure(&examples, &stairs, &default)?;
    let raw = measure(&examples, &stairs, &TraverseSettings { metric: StateMetric::RawState, ..default })?;
    let no_velocity = measure(&examples, &stairs, &TraverseSettings { velocity_secs: 0.0, ..default })?;
    let whole = measure(&examples, &stairs, &TraverseSettings { splice_max_correlation: 0.0, ..default })?;
    let spliced = measure(&examples, &stairs, &TraverseSettings { splice_max_correlation: 1.0, ..default })?;
    let correlation = PrimitiveDatabase::new(examples.to_vec(), &default)?.body_correlation().unwrap_or(1.0);
    let level = f64::from(percentile_mps2(&[jolts(&examples[0].clip)], 0.999));
    let of = format!("a walk on level ground over {count} stairs");
    let jolt = "traverse: acceleration of a walk, 99.9th percentile";
    let mut rows = vec![
        Row::new("traverse: stairs refused", &of, mass.refused as f64, "").aim(Aim::AtMost(0.0)),
        Row::new("traverse: depth of soles in the ground, largest", &of, mass.depth_mm, "mm")
            .aim(Aim::AtMost(20.0)),
        Row::new("traverse: depth of joints and toe tips in the ground, largest", &of, mass.sink_mm, "mm")
            .aim(Aim::AtMost(20.0)),
        Row::new(jolt, &of, mass.jolt_mps2, "m/s²").against("the examples", level),
        Row::new(jolt, &of, mass.jolt_mps2, "m/s²").against("raw state vector", raw.jolt_mps2),
        Row::new(jolt, &of, mass.jolt_mps2, "m/s²").against("without velocity", no_velocity.jolt_mps2),
        Row::new("traverse: jerk of a walk", &of, mass.jerk_mps3, "m/s³")
            .against("raw state vector", raw.jerk_mps3),
        Row::new("traverse: jerk of a walk", &of, mass.jerk_mps3, "m/s³")
            .against("without velocity", no_velocity.jerk_mps3),
        Row::new(
            "traverse: correlation of legs and upper body, RV coefficient",
            "strides of a walk",
            correlation,
            "of 1",
        )
        .against("threshold for matching them separately", default.splice_max_correlation),
        Row::new("traverse: jerk of a walk, upper body matched separately", &of, spliced.jerk_mps3, "m/s³")
            .against("whole strides", whole.jerk_mps3),
    ];
    rows.extend(mass.feet.slip("traverse", &of, "the examples", &FootTable::of([&examples[0].clip])));
    rows.extend(mixed(args, &stairs)?);
    Ok(rows)
}

/// Walks of different speed and style. Any stride can follow any other, so the metric decides which.
fn mixed(args: &Args, stairs: &[Terrain]) -> Result<Vec<Row>, BoxError> {
    let usual = GaitStyle::default();
    let styles = [
        ("slow", GaitStyle { speed_mps: 0.7, arm_swing: 0.4, ..usual }),
        ("usual", usual),
        ("brisk", GaitStyle { speed_mps: 1.7, arm_swing: 1.6, lean_rad: 0.12, ..usual }),
        ("bent", GaitStyle { speed_mps: 1.0, lean_rad: 0.3, bounce: 0.5, ..usual }),
    ];
    let examples = styles.into_iter().map(|(name, style)| {
        let settings =
            WalkSettings { seed: args.seed, duration_secs: MIXED_SECS, style, ..WalkSettings::default() };
        example(name, &settings)
    });
    let examples = examples.collect::<Result<Vec<_>, _>>()?;
    let settings = TraverseSettings::for_walkers();
    let mass = measure(&examples, stairs, &settings)?;
    let of = format!("walks of four speeds and styles over {} stairs", stairs.len());
    let mut rows = Vec::new();
    for (what, other) in [
        ("raw state vector", TraverseSettings { metric: StateMetric::RawState, ..settings }),
        ("without velocity", TraverseSettings { velocity_secs: 0.0, ..settings }),
    ] {
        let other = measure(&examples, stairs, &other)?;
        rows.extend([
            Row::new("traverse: acceleration at joins, mean", &of, mass.join_mps2, "m/s²")
                .against(what, other.join_mps2),
            Row::new("traverse: jerk of a walk", &of, mass.jerk_mps3, "m/s³").against(what, other.jerk_mps3),
            Row::new(
                "traverse: strides that follow a stride of another walk",
                &of,
                mass.changes_percent,
                "%",
            )
            .against(what, other.changes_percent),
        ]);
    }
    Ok(rows)
}

/// A generated walk as an example.
fn example(name: &str, settings: &WalkSettings) -> Result<TraverseExample, BoxError> {
    let walked = walk(settings)?;
    Ok(TraverseExample {
        source: SourceRef { take: name.into(), actor: 0 },
        clip: walked.take.first().clone(),
        contacts: walked.truth.contacts().cloned().unwrap_or_default(),
        tags: walked.truth.labels().to_vec(),
        unusable: Vec::new(),
    })
}

/// Steps up and down of 8 to 17 cm, with treads of 32 to 60 cm.
fn stairs(rng: &mut ChaCha8Rng) -> Result<Terrain, BoxError> {
    let mut at = Vec2::new(2.0, 0.0);
    let mut points = vec![Vec2::new(-1.0, 0.0), at];
    let (rise, tread) = (rng.random_range(0.08..0.17f32), rng.random_range(0.32..0.6f32));
    for number in 0..8 {
        at.y += if number < 4 { rise } else { -rise };
        points.push(at);
        at.x += if number == 3 { 1.3 } else { tread };
        points.push(at);
    }
    points.push(at + Vec2::X * 3.0);
    Ok(Terrain::new(vec![points])?)
}

/// Measurements of walks over stairs.
#[derive(Default)]
struct Walks {
    depth_mm: f64,
    sink_mm: f64,
    feet: FootTable,
    jolt_mps2: f64,
    jerk_mps3: f64,
    join_mps2: f64,
    changes_percent: f64,
    /// Stairs that were refused.
    refused: usize,
}

fn measure(
    examples: &[TraverseExample],
    stairs: &[Terrain],
    settings: &TraverseSettings,
) -> Result<Walks, BoxError> {
    let (mut walks, mut all) = (Walks::default(), Vec::new());
    for terrain in stairs {
        let request = TraverseRequest {
            terrain: terrain.clone(),
            settings: (*settings).into(),
            ..TraverseRequest::default()
        };
        let outcome = traverse::run_with_examples(&request, examples.to_vec(), &Context::new());
        let Outcome { take, plan, .. } = match outcome {
            // Stairs that strain the body are refused; the figures are those of the others.
            Err(error) if error.code.id == "traverse/strained" => {
                walks.refused += 1;
                continue;
            }
            outcome => outcome?,
        };
        let (clip, plan) = (take.first(), plan.ok_or("no plan")?);
        walks.depth_mm = walks.depth_mm.max(depth_mm(clip, terrain));
        walks.sink_mm = walks.sink_mm.max(10.0 * sink_in(clip, terrain).deepest_cm);
        walks.feet.add(clip);
        let jolts = jolts(clip);
        walks.join_mps2 += join_mps2(&plan, &jolts);
        walks.changes_percent += changes_percent(&plan);
        all.push(jolts);
    }
    let crossed = (stairs.len() - walks.refused).max(1) as f64;
    walks.join_mps2 /= crossed;
    walks.changes_percent /= crossed;
    walks.jolt_mps2 = f64::from(percentile_mps2(&all, 0.999));
    walks.jerk_mps3 = all.iter().map(|jolts| jolts.jerk_mps3).sum::<f64>() / all.len().max(1) as f64;
    Ok(walks)
}

/// Mean of the largest acceleration near each join, in m/s².
fn join_mps2(plan: &Plan, jolts: &Jolts) -> f64 {
    let reach = (JOIN_SECS * plan.rate_hz) as usize;
    let joins = plan.actors[0].placements.iter().skip(1).map(|placement| placement.start);
    let near = joins.filter_map(|join| jolts.largest_within(join.saturating_sub(reach)..join + reach + 1));
    let (sum, count) = near.fold((0.0, 0usize), |(sum, count), found| (sum + f64::from(found.0), count + 1));
    sum / count.max(1) as f64
}

/// Share of strides that come from another walk than the previous one, in percent.
fn changes_percent(plan: &Plan) -> f64 {
    let placements = &plan.actors[0].placements;
    let changes = placements.windows(2).filter(|two| two[0].source != two[1].source).count();
    100.0 * changes as f64 / placements.len().saturating_sub(1).max(1) as f64
}

/// Maximum depth of heels and balls in the ground, in millimetres.
fn depth_mm(clip: &Clip, terrain: &Terrain) -> f64 {
    let points = SolePoint::all(clip.skeleton());
    let paths = SolePoint::paths(&points, clip);
    let deepest = points.iter().zip(&paths).flat_map(|(point, path)| {
        path.iter().map(|at| terrain.depth_m(Vec2::new(at.z, at.y - point.rest_m())))
    });
    1e3 * f64::from(deepest.fold(0.0, f32::max))
}
