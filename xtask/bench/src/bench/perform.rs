//! A performer in a world: microseconds a frame, and the solve in the example's directions against all joints at once.
//!
//! It calls the engine, because it times the parts of a frame.

use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

use marey_examples::playground::{PlaygroundSettings, stream};
use marey_perform::{ADVENTURE, PerformSession, PerformSettings, Recording, World, built_in_motions};

use crate::args::Args;
use crate::row::{Aim, Row};

pub(crate) fn rows(args: &Args) -> Vec<Row> {
    measure(args).unwrap_or_else(|error| {
        eprintln!("nothing to measure: {error}");
        Vec::new()
    })
}

fn measure(args: &Args) -> Result<Vec<Row>, Box<dyn Error>> {
    let motions = built_in_motions()?;
    let performer = stream(&PlaygroundSettings { seed: args.seed, ..PlaygroundSettings::default() })?;
    let recording = Recording::of_clip(performer.example.take.first())?;
    let world = World::from_toml(ADVENTURE)?;
    let mut session =
        PerformSession::new(world, &motions, &recording.calibration, PerformSettings::default())?;
    let secs = (1.0 / recording.rate_hz) as f32;
    let (mut whole, mut rest) = (Vec::new(), Vec::new());
    let (mut solves, mut anew, mut joints) = (Vec::new(), Vec::new(), Vec::new());
    let (mut steps, mut anew_steps, mut joint_steps) = (0, 0, 0);
    let (mut unsolved, mut joint_unsolved) = (0, 0);
    for (pose, closed) in recording.poses.iter().zip(&recording.closed) {
        let start = Instant::now();
        black_box(session.step(pose.view(), *closed, secs));
        whole.push(micros(start));
        let start = Instant::now();
        let solved = black_box(session.solve_again());
        let solve = micros(start);
        rest.push((whole[whole.len() - 1] - solve).max(0.0));
        // Without an example there are no directions of its own: joints are all that there is.
        if session.now().imitates.is_none() {
            continue;
        }
        solves.push(solve);
        let start = Instant::now();
        anew_steps += black_box(session.solve_by_expansion()).iterations;
        anew.push(micros(start));
        let start = Instant::now();
        let in_joints = black_box(session.solve_in_joint_space());
        joints.push(micros(start));
        steps += solved.iterations;
        joint_steps += in_joints.iterations;
        unsolved += usize::from(solved.error_m > 1e-3);
        joint_unsolved += usize::from(in_joints.error_m > 1e-3);
    }
    let subject =
        format!("{} frames at {} Hz in the adventure, one core", recording.poses.len(), recording.rate_hz);
    let imitating = format!("the {} of them that imitate", solves.len());
    let frames = solves.len() as f64;
    Ok(vec![
        Row::new("perform: a frame, p50", &subject, quantile(&whole, 0.5), "µs"),
        Row::new("perform: a frame, p99", &subject, quantile(&whole, 0.99), "µs").aim(Aim::AtMost(300.0)),
        Row::new(
            "perform: of that, physics, intention, composition, p50",
            &subject,
            quantile(&rest, 0.5),
            "µs",
        ),
        Row::new(
            "perform: of that, physics, intention, composition, p99",
            subject,
            quantile(&rest, 0.99),
            "µs",
        ),
        Row::new("perform: integration (eq. 12), p50", &imitating, quantile(&solves, 0.5), "µs")
            .against("anew, in joint space", quantile(&joints, 0.5)),
        Row::new("perform: integration, p99", &imitating, quantile(&solves, 0.99), "µs")
            .against("anew, in joint space", quantile(&joints, 0.99)),
        Row::new("perform: iterations of integration", &imitating, steps as f64 / frames, "a frame")
            .against("anew, in joint space", joint_steps as f64 / frames),
        Row::new(
            "perform: iterations of integration, anew",
            &imitating,
            anew_steps as f64 / frames,
            "a frame",
        )
        .against("anew, in joint space", joint_steps as f64 / frames),
        Row::new(
            "perform: time of integration anew in joint space over that by expansion",
            &imitating,
            sum(&joints) / sum(&anew),
            "×",
        ),
        Row::new(
            "perform: time of integration anew in joint space over that as performed",
            &imitating,
            sum(&joints) / sum(&solves),
            "×",
        )
        .aim(Aim::AtLeast(3.0)),
        Row::new(
            "perform: frames with an end more than 1 mm off",
            imitating,
            unsolved as f64 / frames,
            "share",
        )
        .against("anew, in joint space", joint_unsolved as f64 / frames),
    ])
}

fn micros(start: Instant) -> f64 {
    start.elapsed().as_secs_f64() * 1e6
}

fn sum(values: &[f64]) -> f64 {
    values.iter().sum()
}

fn quantile(values: &[f64], share: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get((share * (sorted.len().saturating_sub(1)) as f64) as usize).copied().unwrap_or(0.0)
}
