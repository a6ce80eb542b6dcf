//! Detected steps, compared with the ground truth of generated walks.

use marey_examples::GaitStyle;
use marey_examples::walk::{WalkSettings, walk};
use marey_motion::Role;
use marey_ops::{contacts, gait};

use super::score::Score;
use crate::BoxError;
use crate::args::Args;
use crate::row::{Aim, Row};

pub(super) fn rows(args: &Args) -> Vec<Row> {
    let walks = if args.quick { 4 } else { 24 };
    let (mut ours, mut plain) = (Score::default(), Score::default());
    for seed in args.seed..args.seed + walks {
        if let Err(error) = judge_walk(seed, &mut ours, &mut plain) {
            eprintln!("seed {seed} is skipped: {error}");
        }
    }
    let subject = format!("{walks} generated walks, 30 Hz, 5 mm noise, floor at 3 cm");
    let baseline = "every start of a heel contact";
    vec![
        Row::new("steps: precision", &subject, ours.precision(), "share within ±2 frames")
            .against(baseline, plain.precision())
            .aim(Aim::AtLeast(0.97)),
        Row::new("steps: recall", subject, ours.recall(), "share within ±2 frames")
            .against(baseline, plain.recall())
            .aim(Aim::AtLeast(0.97)),
    ]
}

fn judge_walk(seed: u64, ours: &mut Score, plain: &mut Score) -> Result<(), BoxError> {
    // From 0.7 to 1.6 m/s.
    let speed_mps = 0.7 + 0.9 * (seed as f64 * 0.618_034).fract() as f32;
    let style = GaitStyle { speed_mps, ..GaitStyle::default() };
    let settings =
        WalkSettings { seed, style, duration_secs: 40.0, rate_hz: 30.0, noise_mm: 5.0, ..Default::default() };
    let example = walk(&settings)?;
    let clip = example.take.first().lifted(0.03)?;
    let found = contacts::detect(&clip, &contacts::ContactSettings::default())?.contacts;
    let steps = gait::steps(&found, clip.rate_hz(), &gait::GaitSettings::default())?;
    for role in [Role::LeftFoot, Role::RightFoot] {
        let cuts = example.truth.cuts().iter().filter(|cut| cut.name == role.name());
        let real: Vec<usize> = cuts.map(|cut| cut.frame).collect();
        let own = steps.iter().filter(|step| Role::LeftFoot.on(step.foot) == role);
        ours.add(&real, &own.map(|step| step.frame).collect::<Vec<_>>(), 2);
        let starts = found.of(role).map(|frames| frames.start).filter(|&start| start > 0);
        plain.add(&real, &starts.collect::<Vec<_>>(), 2);
    }
    Ok(())
}
