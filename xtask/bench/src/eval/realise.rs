//! Realising scrambled plans: foot skate and accelerations.
//!
//! It calls the crate, because it compares the result with and without single passes.

use std::collections::BTreeMap;

use marey_examples::walk::{WalkSettings, walk};
use marey_measure::contact_slide::contact_slide;
use marey_measure::jolt::{Jolts, jolts, percentile_mps2};
use marey_measure::knees::knees;
use marey_measure::sink::sink;
use marey_plan::{Plan, Seed, SourceRef};
use marey_realise::join::JoinMethod;
use marey_realise::{PlacementChain, RealiseSettings, Realised, SourceClip, realise, scramble};

use super::join_accelerations::ExampleAccelerations;
use crate::BoxError;
use crate::args::Args;
use crate::eval::foot_rows::FootTable;
use crate::row::{Aim, Row};

type Map = BTreeMap<SourceRef, SourceClip>;

/// The number of pieces of a scrambled plan.
const PIECES: usize = 10;
const RATE_HZ: f64 = 60.0;

/// Sums over plans, or the largest value for measures that are reported as a maximum.
#[derive(Default)]
struct Sums {
    feet: FootTable,
    contact_secs: f64,
    deepest: f64,
    sunk: f64,
    back: f64,
    at_joins: f64,
    /// The largest ratio of an acceleration at a join to that of the pieces there, or to the examples' level if that is more.
    over_pieces: f64,
    jolts: Vec<Jolts>,
}

impl Sums {
    fn add(&mut self, plan: &Plan, realised: &Realised, examples: &ExampleAccelerations) {
        let clip = realised.take.first();
        self.feet.add(clip);
        self.contact_secs += contact_slide(clip, &realised.contacts[0]).contact_secs;
        let sink = sink(clip, 0.0);
        self.deepest += sink.deepest_cm;
        self.sunk += sink.share_of_frames;
        self.back += knees(clip).map_or(0.0, |knees| knees.farthest_back_cm);
        let jolts = jolts(clip);
        let at_joins = examples.at_joins(&plan.actors[0].placements, &jolts);
        self.at_joins = self.at_joins.max(at_joins.largest_mps2);
        self.over_pieces = self.over_pieces.max(at_joins.over_pieces);
        self.jolts.push(jolts);
    }
}

pub(crate) fn rows(args: &Args) -> Vec<Row> {
    measure(args).unwrap_or_else(|error| {
        eprintln!("realise is not measured: {error}");
        Vec::new()
    })
}

fn measure(args: &Args) -> Result<Vec<Row>, BoxError> {
    let map = walks(args.seed)?;
    let examples =
        ExampleAccelerations::of(map.iter().map(|(source, example)| (source.clone(), &example.clip)));
    let plans = if args.quick { 4 } else { 24 };
    let mut rows = Vec::new();
    let subject = format!("{plans} plans of {PIECES} pieces of random walks at random phases");
    let off = RealiseSettings { plant: None, ..RealiseSettings::default() };
    let mut before = Sums::default();
    let mut after = Sums::default();
    for seed in args.seed..args.seed + plans {
        let plan = scramble(&map, Seed(seed), PIECES, RATE_HZ)?;
        before.add(&plan, &realise(&plan, &map, &off)?, &examples);
        after.add(&plan, &realise(&plan, &map, &RealiseSettings::default())?, &examples);
    }
    let unplanted = "joined, feet not planted";
    let row = |name: &str, of: fn(&Sums) -> f64, unit| {
        let mean = |sums: &Sums| of(sums) / plans as f64;
        Row::new(&format!("scrambled plans: {name}"), &subject, mean(&after), unit)
            .against(unplanted, mean(&before))
    };
    rows.extend(after.feet.rows("scrambled plans", &subject, unplanted, &before.feet));
    rows.push(row("contact time", |sums| sums.contact_secs, "s a plan"));
    rows.push(row("depth in the floor, largest", |sums| sums.deepest, "cm").lower_is_better());
    rows.push(row("frames more than 1 cm in the floor", |sums| 100.0 * sums.sunk, "%").lower_is_better());
    rows.push(row("knees bent backwards, largest", |sums| sums.back, "cm").lower_is_better());
    let level = percentile_mps2(&after.jolts, 0.999);
    rows.push(
        Row::new("scrambled plans: acceleration, 99.9th percentile", &subject, f64::from(level), "m/s²")
            .against("the examples", f64::from(examples.level_mps2))
            .aim(Aim::AtMost(f64::from(examples.level_mps2))),
    );
    rows.push(
        Row::new("scrambled plans: acceleration at joins, largest", &subject, after.at_joins, "m/s²")
            .against(unplanted, before.at_joins)
            .aim(Aim::AtMost(f64::from(examples.level_mps2))),
    );
    rows.push(
        Row::new(
            "scrambled plans: acceleration at joins, largest ratio to the pieces",
            &subject,
            after.over_pieces,
            "×",
        )
        .against(unplanted, before.over_pieces)
        .aim(Aim::AtMost(1.0)),
    );
    let largest = examples.by_source.values().map(|jolts| jolts.largest_mps2).fold(0.0, f32::max);
    let anywhere = after.jolts.iter().map(|jolts| jolts.largest_mps2).fold(0.0, f32::max);
    rows.push(
        Row::new("scrambled plans: acceleration, largest", &subject, f64::from(anywhere), "m/s²")
            .against("the examples", f64::from(largest))
            .aim(Aim::AtMost(f64::from(largest))),
    );
    for method in JoinMethod::ALL {
        let mut settings = off;
        settings.join.method = method;
        let mut all_jolts = Vec::new();
        for seed in args.seed..args.seed + plans {
            let plan = scramble(&map, Seed(seed), PIECES, RATE_HZ)?;
            all_jolts.push(jolts(realise(&plan, &map, &settings)?.take.first()));
        }
        let name =
            format!("join {method:?}, feet not planted: acceleration, 99.9th percentile").to_lowercase();
        rows.push(
            Row::new(&name, &subject, f64::from(percentile_mps2(&all_jolts, 0.999)), "m/s²")
                .against("the examples", f64::from(examples.level_mps2)),
        );
    }
    rows.push(stretched(&map)?);
    Ok(rows)
}

/// The largest movement of a foot in contact in walks that are stretched and joined.
fn stretched(map: &Map) -> Result<Row, BoxError> {
    let off = RealiseSettings { plant: None, ..RealiseSettings::default() };
    let (mut before, mut after) = (0f64, 0f64);
    for source in map.keys() {
        for stretch in [0.8, 1.2] {
            let mut chain = PlacementChain::new(map);
            let frames = (500.0 * stretch) as usize;
            chain.add(source, 60..560, frames)?;
            chain.add(source, 620..1120, frames)?;
            let plan = chain.plan("walker", 60.0);
            for (settings, farthest) in [(off, &mut before), (RealiseSettings::default(), &mut after)] {
                let realised = realise(&plan, map, &settings)?;
                let slide = contact_slide(realised.take.first(), &realised.contacts[0]);
                *farthest = farthest.max(slide.farthest_mm);
            }
        }
    }
    Ok(Row::new(
        "walks stretched by 0.8 and 1.2, joined once: movement of a foot in contact, largest",
        "6 walks",
        after,
        "mm",
    )
    .against("joined, feet not planted", before)
    .aim(Aim::AtMost(1.0)))
}

fn walks(seed: u64) -> Result<Map, BoxError> {
    let mut map = Map::new();
    for walker in 0..6 {
        let settings = WalkSettings { seed: seed + walker, duration_secs: 20.0, ..WalkSettings::default() };
        let example = walk(&settings)?;
        let contacts = example.truth.contacts().cloned().unwrap_or_default();
        let clip = example.take.first().clone();
        map.insert(
            SourceRef { take: format!("walk-{walker}"), actor: 0 },
            SourceClip { clip, contacts, holds: vec![] },
        );
    }
    Ok(map)
}
