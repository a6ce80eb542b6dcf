//! Bad plans made good: feet that stand, nothing that jumps.

use std::collections::BTreeMap;

use marey_examples::walk::{WalkSettings, walk};
use marey_measure::jolt::{jolts, percentile_mps2};
use marey_measure::skate::skate;
use marey_motion::{Clip, Contacts};
use marey_ops::sole::SolePoint;
use marey_plan::{Plan, Seed, SourceRef};
use marey_realise::join::Method;
use marey_realise::{Chain, Example, Settings, realise};

use crate::args::Args;
use crate::row::{Aim, Row};

type Failure = Box<dyn std::error::Error>;
type Map = BTreeMap<SourceRef, Example>;

pub(crate) fn rows(args: &Args) -> Vec<Row> {
    measure(args).unwrap_or_else(|error| {
        eprintln!("nothing to measure: {error}");
        Vec::new()
    })
}

fn measure(args: &Args) -> Result<Vec<Row>, Failure> {
    let map = walks(args.seed)?;
    let usual = percentile_mps2(&map.values().map(|example| jolts(&example.clip)).collect::<Vec<_>>(), 0.999);
    let plans = if args.quick { 4 } else { 24 };
    let mut rows = Vec::new();
    let subject = format!("{plans} plans of 10 pieces of any walk at any phase");
    let off = Settings { plant: None, ..Settings::default() };
    let (mut slid, mut stood, mut near, mut near_before) = (0.0, 0.0, 0.0, 0.0);
    let mut all = Vec::new();
    for seed in args.seed..args.seed + plans {
        let plan = bad_plan(&map, seed)?;
        let [before, after] = [off, Settings::default()].map(|settings| realise(&plan, &map, &settings));
        let (before, after) = (before?, after?);
        let skates = [&before, &after].map(|r| skate(r.take.first(), &r.contacts[0], 0.0));
        slid += skates[0].cm_per_sec / plans as f64;
        stood += skates[1].cm_per_sec / plans as f64;
        near_before += skates[0].near_floor_cm_per_sec / plans as f64;
        near += skates[1].near_floor_cm_per_sec / plans as f64;
        all.push(jolts(after.take.first()));
    }
    rows.push(
        Row::new("bad plans: skate of standing feet", &subject, stood, "cm per contact second")
            .against("joined, feet left alone", slid)
            .aim(Aim::AtMost(0.5)),
    );
    rows.push(
        Row::new("bad plans: speed near the floor, contacts unknown", &subject, near, "cm/s")
            .against("joined, feet left alone", near_before),
    );
    rows.push(
        Row::new(
            "bad plans: acceleration, 99.9 % of frames",
            &subject,
            f64::from(percentile_mps2(&all, 0.999)),
            "m/s²",
        )
        .against("the examples", f64::from(usual))
        .aim(Aim::AtMost(f64::from(usual))),
    );
    let largest = all.iter().map(|jolts| jolts.largest_mps2).fold(0.0, f32::max);
    rows.push(
        Row::new("bad plans: acceleration, the largest of all", &subject, f64::from(largest), "m/s²")
            .against("99.9 % of the examples", f64::from(usual))
            .aim(Aim::AtMost(f64::from(usual))),
    );
    for method in Method::ALL {
        let mut settings = off;
        settings.join.method = method;
        let mut sudden = Vec::new();
        for seed in args.seed..args.seed + plans {
            sudden.push(jolts(realise(&bad_plan(&map, seed)?, &map, &settings)?.take.first()));
        }
        let name = format!("join {method:?}, feet left alone: acceleration, 99.9 % of frames").to_lowercase();
        rows.push(
            Row::new(&name, &subject, f64::from(percentile_mps2(&sudden, 0.999)), "m/s²")
                .against("the examples", f64::from(usual)),
        );
    }
    rows.push(stretched(&map)?);
    Ok(rows)
}

/// How far standing feet get in walks that are stretched and joined.
fn stretched(map: &Map) -> Result<Row, Failure> {
    let off = Settings { plant: None, ..Settings::default() };
    let (mut before, mut after) = (0f32, 0f32);
    for source in map.keys() {
        for stretch in [0.8, 1.2] {
            let mut chain = Chain::new(map);
            let frames = (500.0 * stretch) as usize;
            chain.add(source, 60..560, frames)?;
            chain.add(source, 620..1120, frames)?;
            let plan = chain.plan("walker", 60.0);
            for (settings, farthest) in [(off, &mut before), (Settings::default(), &mut after)] {
                let realised = realise(&plan, map, &settings)?;
                *farthest = farthest.max(farthest_m(realised.take.first(), &realised.contacts[0]));
            }
        }
    }
    Ok(Row::new(
        "walks × 0.8 and × 1.2, joined once: a standing foot moves at most",
        "6 walks",
        1e3 * f64::from(after),
        "mm",
    )
    .against("joined, feet left alone", 1e3 * f64::from(before))
    .aim(Aim::AtMost(1.0)))
}

/// The farthest that a part of a sole gets from where it came to stand, in metres.
fn farthest_m(clip: &Clip, contacts: &Contacts) -> f32 {
    let points = SolePoint::all(clip.skeleton());
    let paths = SolePoint::paths(&points, clip);
    let mut farthest = 0f32;
    for (point, path) in points.iter().zip(&paths) {
        for frames in contacts.of(point.part.role(point.side)) {
            let moved = frames.clone().map(|frame| path[frame].distance(path[frames.start]));
            farthest = moved.fold(farthest, f32::max);
        }
    }
    farthest
}

fn walks(seed: u64) -> Result<Map, Failure> {
    let mut map = Map::new();
    for walker in 0..6 {
        let settings = WalkSettings { seed: seed + walker, duration_secs: 20.0, ..WalkSettings::default() };
        let example = walk(&settings)?;
        let contacts = example.truth.contacts().cloned().unwrap_or_default();
        let clip = example.take.first().clone();
        map.insert(
            SourceRef { take: format!("walk-{walker}"), actor: 0 },
            Example { clip, contacts, holds: vec![] },
        );
    }
    Ok(map)
}

/// Pieces of different walks, a third of a second to two seconds long, begun at any phase: as bad as plans get.
fn bad_plan(map: &Map, seed: u64) -> Result<Plan, Failure> {
    use rand::RngExt;
    let mut rng = Seed(seed).rng(0);
    let sources: Vec<&SourceRef> = map.keys().collect();
    let mut chain = Chain::new(map);
    for _ in 0..10 {
        let source = sources[rng.random_range(0..sources.len())];
        let length = rng.random_range(20..120);
        let start = rng.random_range(60..map[source].clip.frames() - length - 60);
        chain.add(source, start..start + length, length)?;
    }
    Ok(chain.plan("walker", 60.0))
}
