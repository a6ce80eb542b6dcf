//! Bad plans made good: feet that stand, nothing that jumps.

use std::collections::BTreeMap;

use marey_examples::walk::{WalkSettings, walk};
use marey_measure::jolt::{Jolts, jolts, percentile_mps2};
use marey_measure::knees::knees;
use marey_measure::sink::sink;
use marey_measure::skate::skate;
use marey_plan::{Plan, Seed, SourceRef};
use marey_realise::join::Method;
use marey_realise::{Chain, Example, Realised, Settings, realise, scramble};

use super::usual::Usual;
use crate::args::Args;
use crate::row::{Aim, Row};

type Failure = Box<dyn std::error::Error>;
type Map = BTreeMap<SourceRef, Example>;

/// How many pieces a bad plan has.
const PIECES: usize = 10;
const RATE_HZ: f64 = 60.0;

/// What is measured of plans, summed up; of what is told at its most, the most.
#[derive(Default)]
struct Sums {
    skate: f64,
    contact_secs: f64,
    near: f64,
    deepest: f64,
    sunk: f64,
    back: f64,
    at_joins: f64,
    /// The largest at joins over the examples' usual level, or what the pieces themselves have there where that is more.
    over_own: f64,
    jolts: Vec<Jolts>,
}

impl Sums {
    fn add(&mut self, plan: &Plan, realised: &Realised, usual: &Usual) {
        let clip = realised.take.first();
        let skate = skate(clip, &realised.contacts[0], 0.0);
        self.skate += skate.cm_per_sec;
        self.contact_secs += skate.contact_secs;
        self.near += skate.near_floor_cm_per_sec;
        let sink = sink(clip, 0.0);
        self.deepest += sink.deepest_cm;
        self.sunk += sink.share_of_frames;
        self.back += knees(clip).map_or(0.0, |knees| knees.farthest_back_cm);
        let jolts = jolts(clip);
        let at_joins = usual.at_joins(&plan.actors[0].placements, &jolts);
        self.at_joins = self.at_joins.max(at_joins.largest_mps2);
        self.over_own = self.over_own.max(at_joins.over_own);
        self.jolts.push(jolts);
    }
}

pub(crate) fn rows(args: &Args) -> Vec<Row> {
    measure(args).unwrap_or_else(|error| {
        eprintln!("nothing to measure: {error}");
        Vec::new()
    })
}

fn measure(args: &Args) -> Result<Vec<Row>, Failure> {
    let map = walks(args.seed)?;
    let usual = Usual::of(map.iter().map(|(source, example)| (source.clone(), &example.clip)));
    let plans = if args.quick { 4 } else { 24 };
    let mut rows = Vec::new();
    let subject = format!("{plans} plans of {PIECES} pieces of any walk at any phase");
    let off = Settings { plant: None, ..Settings::default() };
    let mut before = Sums::default();
    let mut after = Sums::default();
    for seed in args.seed..args.seed + plans {
        let plan = scramble(&map, Seed(seed), PIECES, RATE_HZ)?;
        before.add(&plan, &realise(&plan, &map, &off)?, &usual);
        after.add(&plan, &realise(&plan, &map, &Settings::default())?, &usual);
    }
    let alone = "joined, feet left alone";
    let row = |name: &str, of: fn(&Sums) -> f64, unit| {
        let mean = |sums: &Sums| of(sums) / plans as f64;
        Row::new(&format!("bad plans: {name}"), &subject, mean(&after), unit).against(alone, mean(&before))
    };
    rows.push(
        row("skate of standing feet", |sums| sums.skate, "cm per contact second").aim(Aim::AtMost(0.5)),
    );
    rows.push(row("contact that is kept", |sums| sums.contact_secs, "s a plan"));
    rows.push(row("speed near the floor, contacts unknown", |sums| sums.near, "cm/s"));
    rows.push(row("deepest in the floor", |sums| sums.deepest, "cm"));
    rows.push(row("frames more than 1 cm in the floor", |sums| 100.0 * sums.sunk, "%"));
    rows.push(row("knees backwards, at the most", |sums| sums.back, "cm"));
    let level = percentile_mps2(&after.jolts, 0.999);
    rows.push(
        Row::new("bad plans: acceleration, 99.9 % of frames", &subject, f64::from(level), "m/s²")
            .against("the examples", f64::from(usual.level_mps2))
            .aim(Aim::AtMost(f64::from(usual.level_mps2))),
    );
    rows.push(
        Row::new("bad plans: acceleration at joins, the largest of all", &subject, after.at_joins, "m/s²")
            .against(alone, before.at_joins)
            .aim(Aim::AtMost(f64::from(usual.level_mps2))),
    );
    rows.push(
        Row::new("bad plans: that over the pieces' own there, or usual", &subject, after.over_own, "×")
            .against(alone, before.over_own)
            .aim(Aim::AtMost(1.0)),
    );
    let largest = usual.by_source.values().map(|jolts| jolts.largest_mps2).fold(0.0, f32::max);
    let anywhere = after.jolts.iter().map(|jolts| jolts.largest_mps2).fold(0.0, f32::max);
    rows.push(
        Row::new(
            "bad plans: acceleration anywhere, the largest of all",
            &subject,
            f64::from(anywhere),
            "m/s²",
        )
        .against("the examples", f64::from(largest))
        .aim(Aim::AtMost(f64::from(largest))),
    );
    for method in Method::ALL {
        let mut settings = off;
        settings.join.method = method;
        let mut sudden = Vec::new();
        for seed in args.seed..args.seed + plans {
            let plan = scramble(&map, Seed(seed), PIECES, RATE_HZ)?;
            sudden.push(jolts(realise(&plan, &map, &settings)?.take.first()));
        }
        let name = format!("join {method:?}, feet left alone: acceleration, 99.9 % of frames").to_lowercase();
        rows.push(
            Row::new(&name, &subject, f64::from(percentile_mps2(&sudden, 0.999)), "m/s²")
                .against("the examples", f64::from(usual.level_mps2)),
        );
    }
    rows.push(stretched(&map)?);
    Ok(rows)
}

/// How far standing feet get in walks that are stretched and joined.
fn stretched(map: &Map) -> Result<Row, Failure> {
    let off = Settings { plant: None, ..Settings::default() };
    let (mut before, mut after) = (0f64, 0f64);
    for source in map.keys() {
        for stretch in [0.8, 1.2] {
            let mut chain = Chain::new(map);
            let frames = (500.0 * stretch) as usize;
            chain.add(source, 60..560, frames)?;
            chain.add(source, 620..1120, frames)?;
            let plan = chain.plan("walker", 60.0);
            for (settings, farthest) in [(off, &mut before), (Settings::default(), &mut after)] {
                let realised = realise(&plan, map, &settings)?;
                let skate = skate(realised.take.first(), &realised.contacts[0], 0.0);
                *farthest = farthest.max(skate.farthest_mm);
            }
        }
    }
    Ok(Row::new("walks × 0.8 and × 1.2, joined once: a standing foot moves at most", "6 walks", after, "mm")
        .against("joined, feet left alone", before)
        .aim(Aim::AtMost(1.0)))
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
