//! How often the generated lamp crosses random terrains, with and without look-ahead.

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
    let ways = |lookahead| -> Result<Vec<Crossing>, marey_examples::ExamplesError> {
        let seeds = args.seed..args.seed + terrains;
        seeds
            .map(|seed| {
                let settings = LuxoSettings { seed, lookahead, ..LuxoSettings::default() };
                cross(&terrain(&settings)?, &settings)
            })
            .collect()
    };
    let crossed =
        |ways: &[Crossing]| 100.0 * ways.iter().filter(|way| way.crossed).count() as f64 / ways.len() as f64;
    let [none, one, three] = [ways(0)?, ways(1)?, ways(3)?];
    let subject = format!("{terrains} random terrains of 5 m");
    let simulated = |ways: &[Crossing]| {
        let sum = |count: fn(&Crossing) -> usize| ways.iter().map(count).sum::<usize>() as f64;
        sum(|way| way.simulated) / sum(|way| way.hops)
    };
    Ok(vec![
        Row::new("luxo: terrains crossed, looking 3 hops ahead", &subject, crossed(&three), "%")
            .against("no look-ahead", crossed(&none))
            .aim(Aim::AtLeast(90.0)),
        Row::new("luxo: terrains crossed, looking 1 hop ahead", &subject, crossed(&one), "%")
            .against("no look-ahead", crossed(&none)),
        Row::new("luxo: hops simulated for each made, looking 3 ahead", &subject, simulated(&three), "hops")
            .against("1 ahead", simulated(&one)),
    ])
}
