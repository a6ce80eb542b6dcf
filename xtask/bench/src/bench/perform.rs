//! Speed of `perform`: microseconds per frame, and the solver along the example's directions compared with one over all joints.
//!
//! It calls the engine, because it times the parts of a frame.

use std::hint::black_box;
use std::time::Instant;

use marey_examples::playground::{PlaygroundSettings, stream};
use marey_perform::{ADVENTURE, PerformSession, PerformSettings, Recording, World, built_in_motions};

use crate::BoxError;
use crate::args::Args;
use crate::row::{Aim, Row};

pub(crate) fn rows(args: &Args) -> Vec<Row> {
    measure(args).unwrap_or_else(|error| {
        eprintln!("perform is not measured: {error}");
        Vec::new()
    })
}

fn measure(args: &Args) -> Result<Vec<Row>, BoxError> {
    let motions = built_in_motions()?;
    let performer = stream(&PlaygroundSettings { seed: args.seed, ..PlaygroundSettings::default() })?;
    let recording = Recording::of_clip(performer.example.take.first())?;
    let world = World::from_toml(ADVENTURE)?;
    let mut session =
        PerformSession::new(world, &motions, &recording.calibration, PerformSettings::default())?;
    let secs = (1.0 / recording.rate_hz) as f32;
    let (mut frame_times, mut other_times) = (Vec::new(), Vec::new());
    let (mut solve_times, mut scratch_times, mut joint_times) = (Vec::new(), Vec::new(), Vec::new());
    let (mut steps, mut scratch_steps, mut joint_steps) = (0, 0, 0);
    let (mut unsolved, mut joint_unsolved) = (0, 0);
    for (pose, closed) in recording.poses.iter().zip(&recording.closed) {
        let start = Instant::now();
        black_box(session.step(pose.view(), *closed, secs));
        frame_times.push(micros(start));
        let start = Instant::now();
        let solved = black_box(session.solve_again());
        let solve = micros(start);
        other_times.push((frame_times[frame_times.len() - 1] - solve).max(0.0));
        // Without an example there are no directions to solve along, only joints.
        if session.state().imitated_feature.is_none() {
            continue;
        }
        solve_times.push(solve);
        let start = Instant::now();
        scratch_steps += black_box(session.solve_by_expansion()).iterations;
        scratch_times.push(micros(start));
        let start = Instant::now();
        let in_joints = black_box(session.solve_in_joint_space());
        joint_times.push(micros(start));
        steps += solved.iterations;
        joint_steps += in_joints.iterations;
        unsolved += usize::from(solved.error_m > 1e-3);
        joint_unsolved += usize::from(in_joints.error_m > 1e-3);
    }
    let subject =
        format!("{} frames at {} Hz in the adventure, one core", recording.poses.len(), recording.rate_hz);
    let imitating = format!("the {} frames that imitate an example", solve_times.len());
    let frames = solve_times.len() as f64;
    Ok(vec![
        Row::new("perform: a frame, p50", &subject, quantile(&frame_times, 0.5), "µs"),
        Row::new("perform: a frame, p99", &subject, quantile(&frame_times, 0.99), "µs")
            .aim(Aim::AtMost(300.0)),
        Row::new("perform: a frame without integration, p50", &subject, quantile(&other_times, 0.5), "µs"),
        Row::new("perform: a frame without integration, p99", subject, quantile(&other_times, 0.99), "µs"),
        Row::new("perform: integration (eq. 12), p50", &imitating, quantile(&solve_times, 0.5), "µs")
            .against("from scratch, in joint space", quantile(&joint_times, 0.5)),
        Row::new("perform: integration, p99", &imitating, quantile(&solve_times, 0.99), "µs")
            .against("from scratch, in joint space", quantile(&joint_times, 0.99)),
        Row::new("perform: iterations of integration", &imitating, steps as f64 / frames, "per frame")
            .against("from scratch, in joint space", joint_steps as f64 / frames),
        Row::new(
            "perform: iterations of integration from scratch",
            &imitating,
            scratch_steps as f64 / frames,
            "per frame",
        )
        .against("from scratch, in joint space", joint_steps as f64 / frames),
        Row::new(
            "perform: speed-up from joint space to expansion, both from scratch",
            &imitating,
            sum(&joint_times) / sum(&scratch_times),
            "×",
        ),
        Row::new(
            "perform: speed-up from joint space, from scratch, to the session's integration",
            &imitating,
            sum(&joint_times) / sum(&solve_times),
            "×",
        )
        .aim(Aim::AtLeast(3.0)),
        Row::new(
            "perform: frames with a hand or foot more than 1 mm off its target",
            imitating,
            unsolved as f64 / frames,
            "share",
        )
        .against("from scratch, in joint space", joint_unsolved as f64 / frames),
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
