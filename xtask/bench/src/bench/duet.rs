//! Speed of `duet`: labelling and generation.
//!
//! It calls the engine, because it compares the search with one without caches, and times generation without realising.

use std::time::Instant;

use marey_duet::{
    Duet, DuetLabelSettings, DuetModel, DuetModelSettings, DuetRunSettings, Labelling, RecordedPair, label,
    label_reference,
};
use marey_examples::taekwondo::{TaekwondoSettings, taekwondo};
use marey_motion::Observer;
use marey_plan::Seed;

use crate::BoxError;
use crate::args::Args;
use crate::row::{Aim, Row};

/// Length and frame rate of the paper's taekwondo.
const FRAMES: f64 = 3670.0;
const RATE_HZ: f64 = 30.0;
/// Number of generations to time the reference search with; all of them would take hours.
const REFERENCE_GENERATIONS: u32 = 4;

pub(crate) fn rows(args: &Args) -> Vec<Row> {
    measure(args).unwrap_or_else(|error| {
        eprintln!("duet is not measured: {error}");
        Vec::new()
    })
}

fn measure(args: &Args) -> Result<Vec<Row>, BoxError> {
    let bout = TaekwondoSettings {
        seed: args.seed,
        duration_secs: FRAMES / RATE_HZ,
        rate_hz: RATE_HZ,
        ..TaekwondoSettings::default()
    };
    let pairs = [RecordedPair::from_take(&taekwondo(&bout)?.take)?];
    let full = DuetLabelSettings::default();
    let iterations = if args.quick { 500 } else { full.iterations };
    let settings = DuetLabelSettings { iterations, ..full.clone() };
    let start = Instant::now();
    let labels: Labelling = label(&pairs, &settings, Seed(args.seed), Observer::ignore())?;
    let search_secs = start.elapsed().as_secs_f64() * f64::from(full.iterations) / f64::from(iterations);
    let few_generations = DuetLabelSettings { iterations: REFERENCE_GENERATIONS, ..full.clone() };
    let start = Instant::now();
    label_reference(&pairs, &few_generations, Seed(args.seed), Observer::ignore())?;
    // The first population is scored too.
    let scale = f64::from(full.iterations + 1) / f64::from(REFERENCE_GENERATIONS + 1);
    let reference_secs = start.elapsed().as_secs_f64() * scale;
    let subject = format!("{FRAMES} frames, two people, 10,000 × 40; {iterations} generations measured");
    let mut rows = vec![
        Row::new("duet: search for movements; all cores", &subject, search_secs, "s")
            .against("the paper: 156 minutes", 156.0 * 60.0)
            .aim(Aim::AtMost(120.0)),
        Row::new(
            "duet: generations per second of the search; all cores",
            subject,
            f64::from(full.iterations) / search_secs,
            "1/s",
        )
        .against(
            &format!("without caches, {REFERENCE_GENERATIONS} generations measured"),
            f64::from(full.iterations) / reference_secs,
        )
        .aim(Aim::RatioAtLeast(100.0)),
    ];
    let duet = Duet::new(&pairs, DuetModel::train(&pairs, &labels, &DuetModelSettings::default())?)?;
    let frames = if args.quick { 3000 } else { 18_000 };
    let mut best = f64::INFINITY;
    for round in 0..4 {
        let start = Instant::now();
        std::hint::black_box(duet.run(frames, None, &DuetRunSettings::default(), Seed(args.seed))?);
        if round > 0 {
            best = best.min(start.elapsed().as_secs_f64());
        }
    }
    rows.push(
        Row::new(
            "duet: generated frames per second, both people; one core",
            format!("{frames} frames"),
            frames as f64 / best,
            "frames/s",
        )
        .against("the paper: 1,500", 1500.0)
        .aim(Aim::AtLeast(50_000.0)),
    );
    Ok(rows)
}
