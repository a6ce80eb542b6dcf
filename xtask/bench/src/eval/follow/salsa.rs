//! Followers for leaders of real salsa (CMU subjects 60 and 61), each trial left out in turn.
//!
//! The follower that is made is compared with the one who danced: hands, feet and hips, and where the hips face. Three
//! baselines answer the same leader: the nearest pieces without continuity; for each frame, the follower of the nearest
//! single frame of a leader; pieces by chance.

use std::path::Path;

use marey::follow::{self, ControlInput, ControlKind, FollowDetails, FollowRequest, PointSelection};
use marey::{Outcome, sources};
use marey_capture::Half;
use marey_formats::ReadOptions;
use marey_motion::{Actor, Clip, Contacts, Ground, Role, Take, Vec3};
use marey_ops::{align::align, beats};
use marey_plan::Seed;
use rand::RngExt;

use super::Failure;
use crate::args::Args;
use crate::data;
use crate::row::{Aim, Row};
use crate::scratch_corpus::ScratchCorpus;

/// What is compared: hands, feet, hips; the last two give where the hips face.
const ROLES: [Role; 7] = [
    Role::LeftHand,
    Role::RightHand,
    Role::LeftFoot,
    Role::RightFoot,
    Role::Hips,
    Role::LeftUpperLeg,
    Role::RightUpperLeg,
];

/// The rate at which followers are compared, in frames a second.
const RATE_HZ: f64 = 30.0;

/// A trial: leader and follower at [`RATE_HZ`], and where it is cut.
struct Trial {
    name: String,
    leader: Clip,
    follower: Clip,
    cuts: Vec<std::ops::Range<usize>>,
}

/// How far a follower is from the real one: centimetres, degrees.
#[derive(Clone, Copy)]
struct Off {
    cm: f64,
    degrees: f64,
}

impl Trial {
    fn pair(&self) -> Result<Take, Failure> {
        let actor = |name: &str, clip: &Clip| Actor { name: name.into(), clip: clip.clone() };
        let actors = vec![actor("leader", &self.leader), actor("follower", &self.follower)];
        Ok(Take::new(&self.name, actors)?)
    }

    /// The leader with a follower from a corpus.
    fn answer(&self, corpus: &ScratchCorpus, k: f64) -> Result<Outcome<FollowDetails>, Failure> {
        let leader = Actor { name: "leader".into(), clip: self.leader.clone() };
        let request = FollowRequest {
            input: ControlInput::Take(Take::new(&self.name, vec![leader])?),
            control: ControlKind::Actor("leader".into()),
            rate_hz: 10.0,
            stretch_secs: 0.2,
            k,
            ..FollowRequest::default()
        };
        Ok(follow::run(&request, corpus.context())?)
    }
}

pub(super) fn rows(args: &Args) -> Result<Vec<Row>, Failure> {
    let Some(folder) = data::captured(args, "") else { return Ok(Vec::new()) };
    let trials = trials(&folder.join("cmu/salsa_60_61"))?;
    let names = ["nearest pieces, no continuity", "nearest single frame", "pieces by chance"];
    let mut rows = Vec::new();
    let mut better = 0;
    let report = data::bvh_files_to_report(&folder.join("cmu/salsa_60_61"));
    let is_reported = |trial: &Trial| report.iter().any(|file| file.name == trial.name);
    let reported = trials.iter().filter(|trial| is_reported(trial)).count();
    for (left, trial) in trials.iter().enumerate().filter(|(_, trial)| is_reported(trial)) {
        let others: Vec<&Trial> =
            trials.iter().enumerate().filter(|(i, _)| *i != left).map(|(_, t)| t).collect();
        let corpus = ScratchCorpus::create()?;
        for other in &others {
            let cuts = other.cuts.iter().map(|frames| (frames.clone(), "beats".to_owned()));
            corpus.add(&other.pair()?, &Contacts::default(), cuts)?;
        }
        let real = trial.follower.points(&ROLES)?;
        let outcome = trial.answer(&corpus, 0.5)?;
        let made = &outcome.take.actors()[1].clip;
        // The verb puts motion on the floor; the baselines keep the heights of the capture.
        let on_floor = sources::seen(&trial.pair()?)?.swap_remove(1).clip.points(&ROLES)?;
        let ours = off(made.points(&ROLES)?.flat(), on_floor.flat());
        let theirs = [
            off(&pieces(&corpus, trial, &others)?, real.flat()),
            off(&nearest_frames(trial, &others)?, real.flat()),
            off(&by_chance(trial, &others, args.seed), real.flat()),
        ];
        let is_better = theirs.iter().all(|their| ours.cm < their.cm && ours.degrees < their.degrees);
        better += usize::from(is_better);
        for (name, their) in names.iter().zip(theirs) {
            rows.push(
                Row::new("salsa: hands, feet, hips off", &trial.name, ours.cm, "cm")
                    .against(name, their.cm)
                    .aim(Aim::AtMost(their.cm)),
            );
            rows.push(
                Row::new("salsa: facing off", &trial.name, ours.degrees, "degrees")
                    .against(name, their.degrees)
                    .aim(Aim::AtMost(their.degrees)),
            );
        }
        let tempo = |clip: &Clip| beats::beats(clip, &beats::BeatSettings::default()).map(|b| b.tempo_bpm);
        rows.push(
            Row::new("salsa: tempo", &trial.name, tempo(made)?, "beats a minute")
                .against("the real follower", tempo(&trial.follower)?),
        );
    }
    let subject = format!("{reported} trials");
    let row = Row::new("salsa: trials better than all three baselines", subject, better as f64, "trials");
    rows.push(row.aim(Aim::AtLeast(reported as f64)));
    Ok(rows.into_iter().map(|row| row.of_half(Half::Report)).collect())
}

fn trials(folder: &Path) -> Result<Vec<Trial>, Failure> {
    let files = data::bvh_files(folder);
    let clip = |name: &str| -> Result<Clip, Failure> {
        let file = files.iter().find(|file| file.name == name).ok_or("a partner is missing")?;
        let import = marey_formats::read(&file.bytes, Some("bvh"), &ReadOptions::default())?;
        // The first frame is a pose to calibrate by; the files say 120 Hz, but were taken at 60.
        let clip = import.take()?.first().clone();
        Ok(clip.slice(1..clip.frames())?.with_rate(60.0)?.resampled(RATE_HZ)?)
    };
    let mut trials = Vec::new();
    for leader in files.iter().filter(|file| file.name.starts_with("60_")) {
        let (one, other) = (clip(&leader.name)?, clip(&leader.name.replace("60_", "61_"))?);
        let found = beats::beats(&one, &beats::BeatSettings::default())?;
        let frames: Vec<usize> = found.cuts(2).iter().map(|cut| cut.frame).collect();
        let cuts = frames.windows(2).map(|two| two[0]..two[1]).collect();
        trials.push(Trial { name: leader.name.clone(), leader: one, follower: other, cuts });
    }
    Ok(trials)
}

/// How far points are from others, on average; and how far hips are turned from each other.
fn off(made: &[Vec3], real: &[Vec3]) -> Off {
    let (mut metres, mut radians, mut frames) = (0.0, 0.0, 0.0);
    for (made, real) in made.chunks_exact(ROLES.len()).zip(real.chunks_exact(ROLES.len())) {
        let ends = made[..5].iter().zip(&real[..5]).map(|(a, b)| f64::from(a.distance(*b)));
        metres += ends.sum::<f64>() / 5.0;
        let side = |points: &[Vec3]| (points[5] - points[6]).with_y(0.0);
        radians += f64::from(side(made).angle_between(side(real)));
        frames += 1.0;
    }
    Off { cm: 100.0 * metres / frames, degrees: (radians / frames).to_degrees() }
}

/// Points of a follower, moved.
fn moved(trial: &Trial, frame: f64, ground: Ground) -> Vec<Vec3> {
    let at = (frame.max(0.0).round() as usize).min(trial.follower.frames() - 1);
    let points = trial.follower.slice(at..at + 1).and_then(|clip| clip.points(&ROLES));
    points.map_or_else(
        |_| vec![Vec3::ZERO; ROLES.len()],
        |p| p.flat().iter().map(|&p| ground.point(p)).collect(),
    )
}

/// The nearest pieces, whatever comes before and after.
fn pieces(corpus: &ScratchCorpus, trial: &Trial, others: &[&Trial]) -> Result<Vec<Vec3>, Failure> {
    let plan = trial.answer(corpus, 0.0)?.plan.ok_or("no plan")?;
    let mut made = Vec::new();
    for placement in &plan.actors[1].placements {
        let other = others.iter().find(|other| other.name == placement.source.take).ok_or("unknown take")?;
        for frame in 0..placement.frames {
            made.extend(moved(other, placement.source_frame_at(frame as f64), placement.world_from_source));
        }
    }
    Ok(made)
}

/// For each frame of the leader, the follower of the leader's frame that is nearest to it.
fn nearest_frames(trial: &Trial, others: &[&Trial]) -> Result<Vec<Vec3>, Failure> {
    let control = PointSelection::body();
    let leader = control.points(&trial.leader)?;
    let pool = others.iter().map(|other| control.points(&other.leader)).collect::<Result<Vec<_>, _>>()?;
    let weights = control.weights();
    let mut made = Vec::new();
    for frame in 0..leader.frames() {
        let mut best = (f64::INFINITY, 0, 0, Ground::IDENTITY);
        for (number, points) in pool.iter().enumerate() {
            for at in (0..points.frames()).step_by(2) {
                let aligned = align(leader.frame(frame), points.frame(at), &weights)?;
                if aligned.squared_m2 < best.0 {
                    best = (aligned.squared_m2, number, at, aligned.x_from_a);
                }
            }
        }
        made.extend(moved(others[best.1], best.2 as f64, best.3));
    }
    Ok(made)
}

/// Pieces by chance, each put where the leader is when it starts.
fn by_chance(trial: &Trial, others: &[&Trial], seed: u64) -> Vec<Vec3> {
    let mut rng = Seed(seed).rng(0);
    let track = trial.leader.ground_track().frames;
    let mut made = Vec::new();
    let frames = trial.leader.frames();
    while made.len() < frames * ROLES.len() {
        let other = others[rng.random_range(0..others.len())];
        if other.cuts.is_empty() {
            continue;
        }
        let cut = other.cuts[rng.random_range(0..other.cuts.len())].clone();
        let here = track[made.len() / ROLES.len()];
        let there = other.leader.ground_track().frames[cut.start];
        for frame in cut {
            made.extend(moved(other, frame as f64, here * there.inverse()));
        }
    }
    made.truncate(frames * ROLES.len());
    made
}
