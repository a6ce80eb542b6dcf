//! Quality of `traverse` with hops: the figures of the paper, and many terrains with and without lookahead.

use marey::traverse::{self, TraverseDetails, TraverseRequest};
use marey::{Context, Outcome};
use marey_examples::luxo::{self, LuxoSettings};
use marey_measure::jolt::{Jolts, jolts, percentile_mps2};
use marey_measure::sink::sink_in;
use marey_motion::{Clip, Terrain, Vec2, WorldPose};
use marey_plan::{Placement, SourceRef};
use marey_traverse::{Landing, PrimitiveDatabase, StateMetric, TraverseExample, TraverseSettings, codes};

use super::{traverse_captured, traverse_walk};
use crate::BoxError;
use crate::args::Args;
use crate::row::{Aim, Row};

/// Number of terrains, and with `--quick`.
const TERRAINS: u64 = 50;
const QUICK: u64 = 12;
/// Roughness of the terrains: steps of up to 15 cm, slopes of up to 20°, gaps of up to 27 cm.
const ROUGHNESS: f32 = 1.5;
/// Redundancy radius of the reduced database, in metres.
const REDUNDANT_M: f32 = 0.04;
/// Window on each side of a join, in seconds.
const JOIN_SECS: f64 = 0.1;

pub(crate) fn rows(args: &Args) -> Vec<Row> {
    measure(args).unwrap_or_else(|error| {
        eprintln!("traverse is not measured: {error}");
        Vec::new()
    })
}

/// Evaluates captured people alone.
pub(crate) fn captured_alone(args: &Args) -> Vec<Row> {
    traverse_captured::rows(args).unwrap_or_else(|error| {
        eprintln!("captured people are not measured: {error}");
        Vec::new()
    })
}

fn measure(args: &Args) -> Result<Vec<Row>, BoxError> {
    let settings = LuxoSettings { seed: args.seed, ..LuxoSettings::default() };
    let [gentle, rough] = luxo::datasets(&settings)?;
    let examples = vec![example(&rough)];
    let mut rows = figures(&examples, &gentle.terrain, &settings)?;
    let terrains = terrains(args)?;
    rows.extend(many(&examples, &terrains)?);
    rows.extend(traverse_walk::rows(args)?);
    Ok(rows)
}

/// A lamp's crossing as an example.
fn example(crossing: &luxo::Crossing) -> TraverseExample {
    TraverseExample {
        source: SourceRef { take: crossing.example.take.name().to_owned(), actor: 0 },
        clip: crossing.example.take.first().clone(),
        contacts: crossing.example.truth.contacts().cloned().unwrap_or_default(),
        tags: crossing.example.truth.labels().to_vec(),
        unusable: Vec::new(),
    }
}

/// Terrains that are not among the examples.
fn terrains(args: &Args) -> Result<Vec<Terrain>, BoxError> {
    let count = if args.quick { QUICK } else { TERRAINS };
    let terrain = |number: u64| {
        let seed = args.seed.wrapping_mul(7919).wrapping_add(1000 + number);
        luxo::terrain(&LuxoSettings { seed, roughness: ROUGHNESS, ..LuxoSettings::default() })
    };
    Ok((0..count).map(terrain).collect::<Result<_, _>>()?)
}

/// A terrain that was crossed.
struct Traversal(Outcome<TraverseDetails>);

fn cross(
    examples: &[TraverseExample],
    settings: &TraverseSettings,
    terrain: &Terrain,
    preferences: &str,
) -> Result<Traversal, marey::Error> {
    let request = TraverseRequest {
        terrain: terrain.clone(),
        preferences: if preferences.is_empty() { Default::default() } else { preferences.parse()? },
        settings: (*settings).into(),
        ..TraverseRequest::default()
    };
    Ok(Traversal(traverse::run_with_examples(&request, examples.to_vec(), &Context::new())?))
}

impl Traversal {
    fn clip(&self) -> &Clip {
        self.0.take.first()
    }

    fn placements(&self) -> &[Placement] {
        self.0.plan.as_ref().map_or(&[], |plan| &plan.actors[0].placements)
    }

    fn hops(&self) -> usize {
        self.0.details.hops()
    }

    fn mean_hop_m(&self) -> f64 {
        f64::from(self.0.details.mean_length_m())
    }

    /// Maximum distance of the support points of the sole from the terrain when the lamp stands, in millimetres.
    fn landing_error_mm(&self, terrain: &Terrain) -> f64 {
        let gap = |Landing { frame, .. }: &Landing| {
            let world = WorldPose::of(self.clip().skeleton(), self.clip().pose(*frame));
            let tips: Vec<_> = world.tips().take(2).map(|tip| Vec2::new(tip.z, tip.y)).collect();
            // The minimum distance on each side of the sole's middle.
            let side = |from: f32, to: f32| {
                let at = |i: i32| tips[0].lerp(tips[1], from + (to - from) * i as f32 / 400.0);
                let gaps = (0..=400).filter_map(|i| Some((at(i).y - terrain.height_at(at(i).x)?).abs()));
                gaps.fold(f32::INFINITY, f32::min)
            };
            side(0.0, 0.5).max(side(0.5, 1.0))
        };
        1e3 * f64::from(self.0.details.landings.iter().map(gap).fold(0.0, f32::max))
    }

    /// The largest acceleration near a join, in m/s².
    fn join_mps2(&self) -> f64 {
        let jolts = jolts(self.clip());
        let reach = (JOIN_SECS * self.clip().rate_hz()) as usize;
        let joins = self.placements().iter().skip(1).map(|placement| placement.start);
        let near = |join: usize| {
            jolts.largest_within(join.saturating_sub(reach)..join + reach).map_or(0.0, |found| found.0)
        };
        f64::from(joins.map(near).fold(0.0, f32::max))
    }
}

/// Figures 10 to 12 of the paper.
fn figures(
    examples: &[TraverseExample],
    terrain_1: &Terrain,
    settings: &LuxoSettings,
) -> Result<Vec<Row>, BoxError> {
    let cross = |terrain: &Terrain, preferences: &str| {
        cross(examples, &TraverseSettings::default(), terrain, preferences)
    };
    let terrain_3 = luxo::terrain(&LuxoSettings { seed: settings.seed.wrapping_add(2), ..settings.clone() })?;
    let default = cross(terrain_1, "")?;
    let big = cross(terrain_1, "length=long")?;
    let small = cross(terrain_1, "length=short")?;
    let other = cross(&terrain_3, "")?;
    let subject = |traversal: &Traversal, figure: &str| {
        format!("{figure}: {} hops from {} examples", traversal.hops(), traversal.0.details.primitives)
    };
    let name = "traverse: mean length of a hop";
    let row = |traversal: &Traversal, figure: &str| {
        Row::new(name, subject(traversal, figure), traversal.mean_hop_m(), "m")
    };
    Ok(vec![
        row(&default, "terrain 1, dataset 2, no preference"),
        row(&big, "terrain 1, dataset 2, big hops (figure 10)"),
        row(&small, "terrain 1, dataset 2, small hops (figure 11)")
            .against("no preference", default.mean_hop_m())
            .aim(Aim::AtMost(rounded(0.7 * default.mean_hop_m()))),
        row(&other, "terrain 3, dataset 2 (figure 12)"),
    ])
}

/// Many terrains, with different settings of the engine.
fn many(examples: &[TraverseExample], terrains: &[Terrain]) -> Result<Vec<Row>, BoxError> {
    let default = TraverseSettings::default();
    let own = jolts(&examples[0].clip);
    let level = f64::from(percentile_mps2(std::slice::from_ref(&own), 0.999));
    let ahead = Table::of(examples, &default, terrains)?;
    // Terrains that no sequence of examples can cross do not count as failures.
    let reachable = &ahead.reachable[..];
    let greedy = Table::of(examples, &TraverseSettings { lookahead: 0, ..default }, reachable)?;
    let raw = Table::of(examples, &TraverseSettings { metric: StateMetric::RawState, ..default }, reachable)?;
    let no_velocity = Table::of(examples, &TraverseSettings { velocity_secs: 0.0, ..default }, reachable)?;
    let of = format!("{} terrains, {} reachable", terrains.len(), reachable.len());
    let mut rows = vec![
        Row::new("traverse: terrains not crossed, lookahead of 4 hops", &of, ahead.failed as f64, "terrains")
            .against("lookahead of 0 hops", greedy.failed as f64)
            .aim(Aim::AtMost(0.5 * greedy.failed as f64)),
        Row::new("traverse: landing error, largest", &of, ahead.worst(|measures| measures.landing_mm), "mm")
            .aim(Aim::AtMost(1.0)),
        Row::new(
            "traverse: depth in the ground, largest",
            &of,
            ahead.worst(|measures| measures.depth_mm),
            "mm",
        )
        .aim(Aim::AtMost(0.1)),
        Row::new(
            "traverse: acceleration at joins, largest",
            &of,
            ahead.worst(|measures| measures.join_mps2),
            "m/s²",
        )
        .against("the examples, 99.9th percentile", level)
        .aim(Aim::AtMost(rounded(level))),
    ];
    for (what, other) in [("raw state vector", &raw), ("without velocity", &no_velocity)] {
        let rms = |table: &Table| table.mean(|measures| measures.distortion_mps2);
        rows.push(
            Row::new(
                "traverse: acceleration added by adaptation, root mean square",
                &of,
                rms(&ahead),
                "m/s²",
            )
            .against(what, rms(other)),
        );
        rows.push(
            Row::new(
                "traverse: acceleration at joins, mean",
                &of,
                ahead.mean(|measures| measures.join_mps2),
                "m/s²",
            )
            .against(what, other.mean(|measures| measures.join_mps2)),
        );
    }
    let reduced_settings = TraverseSettings { redundancy_radius_m: REDUNDANT_M, ..default };
    let (kept, all) = (
        PrimitiveDatabase::new(examples.to_vec(), &reduced_settings)?,
        PrimitiveDatabase::new(examples.to_vec(), &default)?,
    );
    let reduced = Table::of(examples, &reduced_settings, terrains)?;
    let without = format!("without examples within {} cm of another", 100.0 * REDUNDANT_M);
    rows.push(
        Row::new("traverse: examples", &without, kept.primitives().len() as f64, "hops")
            .against("all", all.primitives().len() as f64),
    );
    rows.push(
        Row::new(
            "traverse: terrains not crossed",
            &without,
            (terrains.len() - reduced.all.len()) as f64,
            "terrains",
        )
        .against("all", (terrains.len() - ahead.all.len()) as f64),
    );
    Ok(rows)
}

/// Measurements of one terrain.
struct TerrainMeasures {
    landing_mm: f64,
    depth_mm: f64,
    join_mps2: f64,
    distortion_mps2: f64,
}

/// Measurements of many terrains.
struct Table {
    all: Vec<TerrainMeasures>,
    reachable: Vec<Terrain>,
    failed: usize,
}

impl Table {
    fn of(
        examples: &[TraverseExample],
        settings: &TraverseSettings,
        terrains: &[Terrain],
    ) -> Result<Self, BoxError> {
        let own = jolts(&examples[0].clip);
        let mut table = Table { all: vec![], reachable: vec![], failed: 0 };
        for terrain in terrains {
            match cross(examples, settings, terrain, "") {
                Ok(traversal) => {
                    table.reachable.push(terrain.clone());
                    table.all.push(TerrainMeasures {
                        landing_mm: traversal.landing_error_mm(terrain),
                        depth_mm: 10.0 * sink_in(traversal.clip(), terrain).deepest_cm,
                        join_mps2: traversal.join_mps2(),
                        distortion_mps2: distortion(&traversal, &own),
                    });
                }
                Err(error) if error.code.id == codes::STUCK.id => {
                    table.reachable.push(terrain.clone());
                    table.failed += 1;
                }
                // No sequence of the dataset's examples crosses it.
                Err(error) if error.code.id == codes::UNREACHABLE.id => {}
                Err(other) => return Err(other.into()),
            }
        }
        Ok(table)
    }

    fn worst(&self, of: impl Fn(&TerrainMeasures) -> f64) -> f64 {
        self.all.iter().map(of).fold(0.0, f64::max)
    }

    fn mean(&self, of: impl Fn(&TerrainMeasures) -> f64) -> f64 {
        self.all.iter().map(of).sum::<f64>() / self.all.len().max(1) as f64
    }
}

/// Root mean square difference of the accelerations from those of the example at the same frames.
fn distortion(traversal: &Traversal, own: &Jolts) -> f64 {
    let made = jolts(traversal.clip());
    let (mut sum, mut count) = (0.0, 0usize);
    for placement in traversal.placements().iter().skip(1) {
        for frame in 0..placement.frames {
            let pair = (
                made.by_frame_mps2.get(placement.start + frame),
                own.by_frame_mps2.get(placement.source_start + frame),
            );
            if let (Some(made), Some(own)) = pair {
                sum += f64::from((made - own).powi(2));
                count += 1;
            }
        }
    }
    (sum / count.max(1) as f64).sqrt()
}

/// Rounds a number for the table.
fn rounded(value: f64) -> f64 {
    (1e3 * value).round() / 1e3
}
