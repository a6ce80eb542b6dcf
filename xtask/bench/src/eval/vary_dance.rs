//! Variations of captured dances: feet and joins, compared with the same plans without joining.

use marey::vary::{Bridge, VaryDetails, VaryJob, VaryRequest};
use marey::{Context, Outcome};
use marey_capture::Half;
use marey_formats::ReadOptions;
use marey_measure::card::{BaselineStatistics, Evidence, QualityCard, Thresholds};
use marey_measure::jolt::jolts;
use marey_motion::{Clip, Take};
use marey_ops::contacts::{self, detect};
use marey_plan::SourceRef;

use super::join_accelerations::ExampleAccelerations;
use crate::BoxError;
use crate::args::Args;
use crate::data;
use crate::eval::foot_rows::FootTable;
use crate::row::{Aim, Row};

/// Dances of CMU's library of the report half, and the rate they were captured at.
const DANCES: [(&str, f64); 4] = [
    ("dance_gymnastics/05_06.bvh", 120.0),
    ("dance_gymnastics/05_10.bvh", 120.0),
    ("dance_gymnastics/55_02.bvh", 120.0),
    ("salsa_60_61/60_03.bvh", 60.0),
];

/// Frame rate of the variations.
const RATE_HZ: f64 = 60.0;

/// Number of variations per dance.
const VARIATIONS: u64 = 5;

pub(super) fn rows(args: &Args) -> Result<Vec<Row>, BoxError> {
    let Some(folder) = data::captured(args, "cmu") else { return Ok(Vec::new()) };
    let variations = if args.quick { 2 } else { VARIATIONS };
    let mut rows = Vec::new();
    for (file, rate_hz) in DANCES {
        let bytes = marey_capture::bytes(&folder.join(file));
        let import = marey_formats::read(&bytes, Some("bvh"), &ReadOptions::default())?;
        let clip = import.take()?.first().clone().with_rate(rate_hz)?;
        let clip = clip.slice(1..clip.frames())?.resampled(RATE_HZ)?;
        let found = detect(&clip, &contacts::ContactSettings::default())?;
        let clip = clip.lifted(-found.floor.height_m)?;
        let dance = Take::solo("dance", clip.clone());
        let references = References {
            statistics: BaselineStatistics::learn(std::slice::from_ref(&clip)),
            accelerations: ExampleAccelerations::of(
                [(SourceRef { take: "dance".into(), actor: 0 }, &clip)].into_iter(),
            ),
        };
        let (mut joined, mut cut) = (Worst::default(), Worst::default());
        for (bridge, worst) in [(Bridge::Join, &mut joined), (Bridge::None, &mut cut)] {
            let request =
                VaryRequest { motion: vec![dance.clone().into()], bridge, ..VaryRequest::default() };
            let context = Context::new();
            let job = VaryJob::new(&request, &context)?;
            for number in 0..variations {
                worst.add(&job.run(args.seed * 1000 + number, "variation")?, &references)?;
            }
        }
        let subject = format!("CMU {file}, {variations} variations");
        rows.extend(joined.feet.rows("vary", &subject, "the dance", &FootTable::of([&clip])));
        rows.push(
            Row::new("vary: acceleration at joins relative to the dance, worst", &subject, joined.jolt, "×")
                .against("cuts only", cut.jolt)
                .aim(Aim::AtMost(1.0)),
        );
        rows.push(
            Row::new(
                "vary: acceleration at joins relative to the chunks, worst",
                &subject,
                joined.over_pieces,
                "×",
            )
            .against("cuts only", cut.over_pieces)
            .aim(Aim::AtMost(1.0)),
        );
    }
    Ok(rows.into_iter().map(|row| row.of_half(Half::Report)).collect())
}

/// The worst of several variations, and their feet.
#[derive(Default)]
struct Worst {
    feet: FootTable,
    jolt: f64,
    over_pieces: f64,
}

/// References for the measures of a variation.
struct References {
    statistics: BaselineStatistics,
    accelerations: ExampleAccelerations,
}

impl Worst {
    fn add(&mut self, made: &Outcome<VaryDetails>, references: &References) -> Result<(), BoxError> {
        let clip: &Clip = made.take.first();
        let plan = made.plan.as_ref().ok_or("no plan")?;
        let joins: Vec<usize> =
            plan.actors[0].placements.iter().skip(1).map(|placement| placement.start).collect();
        let evidence =
            Evidence { examples: Some(&references.statistics), joins: &joins, ..Evidence::on_floor(0.0) };
        let card = QualityCard::of(clip, &evidence, &Thresholds::default())?;
        let value =
            |name: &str| card.lines.iter().find(|line| line.name == name).map_or(0.0, |line| line.value);
        self.feet.add(clip);
        self.jolt = self.jolt.max(value("at joins, over examples"));
        let at_joins = references.accelerations.at_joins(&plan.actors[0].placements, &jolts(clip));
        self.over_pieces = self.over_pieces.max(at_joins.over_pieces);
        Ok(())
    }
}
