//! How often the generated lamp crosses random terrains, with and without lookahead.

use marey_examples::luxo::{Crossing, LuxoSettings, cross, terrain};

use crate::args::Args;
use crate::row::{Aim, Row};

pub(crate) fn rows(args: &Args) -> Vec<Row> {
    measure(args).unwrap_or_else(|error| {
        eprintln!("examples are not measured: {error}");
        Vec::new()
    })
}

fn measure(args: &Args) -> Result<Vec<Row>, marey_examples::ExamplesError> {
    let terrains = if args.quick { 5 } else { 20 };
    let crossings = |lookahead| -> Result<Vec<Crossing>, marey_examples::ExamplesError> {
        let seeds = args.seed..args.seed + terrains;
        seeds
            .map(|seed| {
                let settings = LuxoSettings { seed, lookahead, ..LuxoSettings::default() };
                cross(&terrain(&settings)?, &settings)
            })
            .collect()
    };
    let crossed = |crossings: &[Crossing]| {
        100.0 * crossings.iter().filter(|crossing| crossing.crossed).count() as f64 / crossings.len() as f64
    };
    let [none, one, three] = [crossings(0)?, crossings(1)?, crossings(3)?];
    let subject = format!("{terrains} random terrains of 5 m");
    let simulated = |crossings: &[Crossing]| {
        let sum = |count: fn(&Crossing) -> usize| crossings.iter().map(count).sum::<usize>() as f64;
        sum(|crossing| crossing.simulated) / sum(|crossing| crossing.hops)
    };
    Ok(vec![
        Row::new("luxo: terrains crossed, lookahead of 3 hops", &subject, crossed(&three), "%")
            .against("no lookahead", crossed(&none))
            .aim(Aim::AtLeast(90.0)),
        Row::new("luxo: terrains crossed, lookahead of 1 hop", &subject, crossed(&one), "%")
            .against("no lookahead", crossed(&none)),
        Row::new("luxo: simulated hops per hop, lookahead of 3 hops", &subject, simulated(&three), "hops")
            .against("lookahead of 1 hop", simulated(&one)),
    ])
}
