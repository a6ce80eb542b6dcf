//! Runs with one person controlled by a path or by commands.

use marey::duet::realise_run;
use marey_duet::{Duet, DuetCommand, DuetPath, DuetRunSettings, DuetSession, InteractionKind};
use marey_motion::Ground;
use marey_plan::Seed;
use marey_realise::Realised;

use super::Measured;
use super::runs::quantile;
use crate::args::Args;
use crate::eval::foot_rows::FootTable;
use crate::row::{Aim, Row};

/// One person follows a circle with a radius of 2 m in 60 s, as in figure 9 of the paper.
pub(super) fn along_path(args: &Args, duet: &Duet) -> Measured {
    let points = (0..=120).map(|i| {
        let turn = std::f64::consts::TAU * f64::from(i) / 120.0;
        [0.5 * f64::from(i), 2.0 * turn.sin(), 2.0 * turn.cos()]
    });
    let path = DuetPath { person: 0, points: points.collect() };
    let frames = (60.0 * duet.rate_hz()) as usize;
    let run = duet.run(frames, Some(path.clone()), &DuetRunSettings::default(), Seed(args.seed))?;
    let made = realise_run(&run)?;
    let free = realise_run(&duet.run(frames, None, &DuetRunSettings::default(), Seed(args.seed))?)?;
    let tracks = [&made, &free].map(|made| made.take.first().ground_track().frames);
    let at = |frame: usize, later_secs: f64| path.at(frame as f64 / duet.rate_hz() + later_secs);
    // Distance from the path, and from its position at the time.
    let distance_from_line = |(frame, ground): (usize, &Ground)| {
        let near = (-20..=20).map(|i| at(frame, 0.1 * f64::from(i)).distance(ground.translation()));
        f64::from(near.fold(f32::INFINITY, f32::min))
    };
    let distance_at_time =
        |(frame, ground): (usize, &Ground)| f64::from(at(frame, 0.0).distance(ground.translation()));
    let mut distances: Vec<f64> = tracks[0].iter().enumerate().map(distance_from_line).collect();
    distances.sort_by(f64::total_cmp);
    let mean = |all: &[f64]| 100.0 * all.iter().sum::<f64>() / all.len().max(1) as f64;
    let [late, free_mean] = tracks
        .each_ref()
        .map(|track| mean(&track.iter().enumerate().map(distance_at_time).collect::<Vec<f64>>()));
    let [feet, free_feet] = [&made, &free].map(|made| FootTable::of([made.take.first()]));
    // Heels and balls of both feet.
    let contact_fraction = |made: &Realised| {
        let frames: usize = made.contacts[0].all().iter().map(|contact| contact.frames.len()).sum();
        frames as f64 / (4 * made.take.frames()) as f64
    };
    let subject = "path: once around a circle of 2 m in 60 s";
    let mut rows = vec![
        Row::new("duet: distance from the path, mean", subject, mean(&distances), "cm")
            .against("without a path", free_mean)
            .aim(Aim::AtMost(10.0)),
        Row::new(
            "duet: distance from the path, 95th percentile",
            subject,
            100.0 * quantile(&distances, 0.95),
            "cm",
        )
        .aim(Aim::AtMost(10.0)),
        Row::new("duet: distance from the path's position at the time, mean", subject, late, "cm")
            .aim(Aim::AtMost(10.0)),
        Row::new(
            "duet: fraction of time that soles are in contact, person on the path",
            subject,
            contact_fraction(&made),
            "share",
        )
        .against("without a path", contact_fraction(&free)),
    ];
    rows.extend(feet.rows("duet, person on the path", subject, "without a path", &free_feet));
    Ok(rows)
}

/// One person executes a list of commands.
pub(super) fn by_commands(args: &Args, duet: &Duet) -> Measured {
    let states = duet.model().people[0].states.iter().enumerate();
    let mut wanted: Vec<usize> = states
        .filter(|(_, state)| state.kind != InteractionKind::Defensive && state.movements > 1)
        .map(|(g, _)| g)
        .collect();
    wanted.extend(wanted.clone());
    let mut session = DuetSession::new(duet, &DuetRunSettings::default(), Seed(args.seed))?;
    for &group in &wanted {
        session.command(0, DuetCommand { group: Some(group), ..DuetCommand::default() })?;
    }
    let mut played = Vec::new();
    while session.pending_commands(0) > 0 && session.planned_frames() < 20_000 {
        played.extend(session.advance()?);
    }
    played.extend(session.advance()?);
    let mut left = wanted.iter().peekable();
    for own in played.iter().filter(|played| played.person == 0) {
        left.next_if(|group| **group == own.group);
    }
    let executed = wanted.len() - left.count();
    let made = played.iter().filter(|played| played.person == 0).count();
    let subject = format!("interactive, a queue of {} commands", wanted.len());
    Ok(vec![
        Row::new(
            "duet: commands executed in order",
            &subject,
            executed as f64 / wanted.len().max(1) as f64,
            "share",
        )
        .aim(Aim::AtLeast(1.0)),
        Row::new("duet: movements until all commands were executed", subject, made as f64, "movements")
            .against("at best", wanted.len() as f64),
    ])
}
