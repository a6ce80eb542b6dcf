//! Followers for leaders of captured salsa (CMU subjects 60 and 61), each trial left out in turn. Takes are cut at every second beat,
//! and also into windows of a second that start every half.
//!
//! The generated follower is compared with the captured one: hands, feet and hips, and the direction of the hips. There are three
//! baselines for the same leader: the nearest segments without continuity; for each frame, the follower of the nearest single frame
//! of a leader; random segments.

use std::path::Path;

use marey::follow::{
    self, ControlInput, ControlKind, FollowDetails, FollowRequest, MetricChoice, PointSelection,
};
use marey::{Outcome, sources};
use marey_capture::Half;
use marey_formats::ReadOptions;
use marey_motion::{Actor, Clip, Contacts, Ground, Observer, PointClip, Role, Take, Vec3};
use marey_ops::{align::align, beats};
use marey_plan::Seed;
use rand::RngExt;

use crate::BoxError;
use crate::args::Args;
use crate::data;
use crate::row::{Aim, Row};
use crate::scratch_corpus::ScratchCorpus;

/// The joints that are compared: hands, feet, hips. The last two give the direction of the hips.
const ROLES: [Role; 7] = [
    Role::LeftHand,
    Role::RightHand,
    Role::LeftFoot,
    Role::RightFoot,
    Role::Hips,
    Role::LeftUpperLeg,
    Role::RightUpperLeg,
];

/// The rate at which followers are compared, in frames per second.
const RATE_HZ: f64 = 30.0;

/// A trial: leader and follower at [`RATE_HZ`], and its segments.
struct Trial {
    name: String,
    leader: Clip,
    follower: Clip,
    segments: Vec<std::ops::Range<usize>>,
}

/// The distance of a follower from the captured one: position in centimetres, direction of the hips in degrees.
#[derive(Clone, Copy)]
struct FollowerError {
    cm: f64,
    degrees: f64,
}

impl Trial {
    fn pair(&self) -> Result<Take, BoxError> {
        let actor = |name: &str, clip: &Clip| Actor { name: name.into(), clip: clip.clone() };
        let actors = vec![actor("leader", &self.leader), actor("follower", &self.follower)];
        Ok(Take::new(&self.name, actors)?)
    }

    /// Windows of a second that start every half.
    fn windows(&self) -> impl Iterator<Item = std::ops::Range<usize>> {
        let (length, step) = (RATE_HZ as usize, RATE_HZ as usize / 2);
        (0..self.leader.frames().saturating_sub(length)).step_by(step).map(move |start| start..start + length)
    }

    /// Generates a follower from a corpus.
    fn follow(
        &self,
        corpus: &ScratchCorpus,
        k: f64,
        metric: MetricChoice,
    ) -> Result<Outcome<FollowDetails>, BoxError> {
        let leader = Actor { name: "leader".into(), clip: self.leader.clone() };
        let request = FollowRequest {
            input: ControlInput::Take(Take::new(&self.name, vec![leader])?),
            control: ControlKind::Actor("leader".into()),
            rate_hz: 10.0,
            k,
            metric: Some(metric),
            ..FollowRequest::default()
        };
        Ok(follow::run(&request, corpus.context())?)
    }
}

pub(super) fn rows(args: &Args) -> Result<Vec<Row>, BoxError> {
    let Some(folder) = data::captured(args, "") else { return Ok(Vec::new()) };
    let trials = trials(&folder.join("cmu/salsa_60_61"))?;
    let names = ["nearest segments, no continuity", "nearest single frame", "random segments"];
    let mut rows = Vec::new();
    let mut better = 0;
    let report = data::bvh_files_to_report(&folder.join("cmu/salsa_60_61"));
    let is_reported = |trial: &Trial| report.iter().any(|file| file.name == trial.name);
    let reported = trials.iter().filter(|trial| is_reported(trial)).count();
    for (left_out, trial) in trials.iter().enumerate().filter(|(_, trial)| is_reported(trial)) {
        let others: Vec<&Trial> =
            trials.iter().enumerate().filter(|(i, _)| *i != left_out).map(|(_, t)| t).collect();
        let corpus = ScratchCorpus::create()?;
        for other in &others {
            let segments = other.segments.iter().map(|frames| (frames.clone(), "beats".to_owned()));
            corpus.add(&other.pair()?, &Contacts::default(), segments)?;
        }
        let real = trial.follower.points(&ROLES)?;
        let outcome = trial.follow(&corpus, 0.5, MetricChoice::Learnt)?;
        let made = &outcome.take.actors()[1].clip;
        // The verb moves the result to the floor; the baselines keep the captured heights.
        let on_floor =
            sources::seen(&trial.pair()?, Observer::ignore())?.swap_remove(1).clip.points(&ROLES)?;
        let ours = follower_error(made.points(&ROLES)?.flat(), on_floor.flat());
        let baselines = [
            follower_error(&nearest_segments(&corpus, trial, &others)?, real.flat()),
            follower_error(&nearest_frames(trial, &others)?, real.flat()),
            follower_error(&random_segments(trial, &others, args.seed), real.flat()),
        ];
        let is_better =
            baselines.iter().all(|baseline| ours.cm < baseline.cm && ours.degrees < baseline.degrees);
        better += usize::from(is_better);
        for (name, baseline) in names.iter().zip(baselines) {
            rows.push(
                Row::new("salsa: error of hands, feet and hips", &trial.name, ours.cm, "cm")
                    .against(name, baseline.cm)
                    .aim(Aim::AtMost(baseline.cm)),
            );
            rows.push(
                Row::new("salsa: error of the hip direction", &trial.name, ours.degrees, "degrees")
                    .against(name, baseline.degrees)
                    .aim(Aim::AtMost(baseline.degrees)),
            );
        }
        let error_of =
            |corpus: &ScratchCorpus, metric: MetricChoice| -> Result<(FollowerError, Take), BoxError> {
                let take = trial.follow(corpus, 0.5, metric)?.take;
                let error = follower_error(take.actors()[1].clip.points(&ROLES)?.flat(), on_floor.flat());
                Ok((error, take))
            };
        let (plain, _) = error_of(&corpus, MetricChoice::Plain)?;
        let windows = ScratchCorpus::create()?;
        for other in &others {
            let segments = other.windows().map(|frames| (frames, "window".to_owned()));
            windows.add(&other.pair()?, &Contacts::default(), segments)?;
        }
        let (by_windows, windows_take) = error_of(&windows, MetricChoice::Learnt)?;
        for (name, baseline, ours, other) in [
            ("salsa: error of hands, feet and hips with a learnt metric", "the plain metric", ours, plain),
            ("salsa: error of hands, feet and hips by windows", "every second beat", by_windows, ours),
        ] {
            rows.push(
                Row::new(name, &trial.name, ours.cm, "cm").against(baseline, other.cm).lower_is_better(),
            );
        }
        let name = "salsa: error of the hip direction by windows";
        let row = Row::new(name, &trial.name, by_windows.degrees, "degrees");
        rows.push(row.against("every second beat", ours.degrees).lower_is_better());
        let captured = trial.pair()?;
        let joined = |take: &Take| joined_share(&captured, take);
        rows.push(
            Row::new("salsa: hands that are joined as captured", &trial.name, joined(&windows_take)?, "%")
                .against("every second beat", joined(&outcome.take)?)
                .aim(Aim::AtLeast(75.0)),
        );
        let tempo = |clip: &Clip| beats::beats(clip, &beats::BeatSettings::default()).map(|b| b.tempo_bpm);
        rows.push(
            Row::new("salsa: tempo", &trial.name, tempo(made)?, "beats per minute")
                .against("the captured follower", tempo(&trial.follower)?),
        );
    }
    let subject = format!("{reported} trials");
    let row = Row::new("salsa: trials better than all three baselines", subject, better as f64, "trials");
    rows.push(row.aim(Aim::AtLeast(reported as f64)));
    Ok(rows.into_iter().map(|row| row.of_half(Half::Report)).collect())
}

fn trials(folder: &Path) -> Result<Vec<Trial>, BoxError> {
    let files = data::bvh_files(folder);
    let clip = |name: &str| -> Result<Clip, BoxError> {
        let file = files.iter().find(|file| file.name == name).ok_or("the file of a partner is missing")?;
        let import = marey_formats::read(&file.bytes, Some("bvh"), &ReadOptions::default())?;
        // The first frame is a calibration pose. The files state 120 Hz, but were captured at 60 Hz.
        let clip = import.take()?.first().clone();
        Ok(clip.slice(1..clip.frames())?.with_rate(60.0)?.resampled(RATE_HZ)?)
    };
    let mut trials = Vec::new();
    for leader in files.iter().filter(|file| file.name.starts_with("60_")) {
        let (one, other) = (clip(&leader.name)?, clip(&leader.name.replace("60_", "61_"))?);
        let found = beats::beats(&one, &beats::BeatSettings::default())?;
        let frames: Vec<usize> = found.cuts(2).iter().map(|cut| cut.frame).collect();
        let segments = frames.windows(2).map(|two| two[0]..two[1]).collect();
        trials.push(Trial { name: leader.name.clone(), leader: one, follower: other, segments });
    }
    Ok(trials)
}

/// The distance at which hands are joined, in metres.
const JOINED_M: f32 = 0.18;

/// The share of the time that hands of a captured pair are joined in which those of another one are as well.
fn joined_share(captured: &Take, made: &Take) -> Result<f64, BoxError> {
    let hands = [Role::LeftHand, Role::RightHand];
    let points = |take: &Take| -> Result<Vec<PointClip>, BoxError> {
        Ok(take.actors().iter().map(|actor| actor.clip.points(&hands)).collect::<Result<_, _>>()?)
    };
    let (captured, made) = (points(captured)?, points(made)?);
    let (mut joined, mut as_captured) = (0.0, 0.0);
    for frame in 0..captured[0].frames().min(made[0].frames()) {
        for (one, other) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            let is_joined = |pair: &[PointClip]| {
                pair[0].frame(frame)[one].distance(pair[1].frame(frame)[other]) < JOINED_M
            };
            if is_joined(&captured) {
                joined += 1.0;
                as_captured += f64::from(u8::from(is_joined(&made)));
            }
        }
    }
    Ok(100.0 * as_captured / f64::max(joined, 1.0))
}

/// The mean distance between the points of two followers, and the mean angle between baseline hips.
fn follower_error(made: &[Vec3], real: &[Vec3]) -> FollowerError {
    let (mut metres, mut radians, mut frames) = (0.0, 0.0, 0.0);
    for (made, real) in made.chunks_exact(ROLES.len()).zip(real.chunks_exact(ROLES.len())) {
        let ends = made[..5].iter().zip(&real[..5]).map(|(a, b)| f64::from(a.distance(*b)));
        metres += ends.sum::<f64>() / 5.0;
        let side = |points: &[Vec3]| (points[5] - points[6]).with_y(0.0);
        radians += f64::from(side(made).angle_between(side(real)));
        frames += 1.0;
    }
    FollowerError { cm: 100.0 * metres / frames, degrees: (radians / frames).to_degrees() }
}

/// The points of a follower in a frame, transformed in the ground plane.
fn moved(trial: &Trial, frame: f64, ground: Ground) -> Vec<Vec3> {
    let at = (frame.max(0.0).round() as usize).min(trial.follower.frames() - 1);
    let points = trial.follower.slice(at..at + 1).and_then(|clip| clip.points(&ROLES));
    points.map_or_else(
        |_| vec![Vec3::ZERO; ROLES.len()],
        |p| p.flat().iter().map(|&p| ground.point(p)).collect(),
    )
}

/// The nearest segments, without continuity.
fn nearest_segments(corpus: &ScratchCorpus, trial: &Trial, others: &[&Trial]) -> Result<Vec<Vec3>, BoxError> {
    let plan = trial.follow(corpus, 0.0, MetricChoice::Learnt)?.plan.ok_or("no plan")?;
    let mut made = Vec::new();
    for placement in &plan.actors[1].placements {
        let other = others.iter().find(|other| other.name == placement.source.take).ok_or("unknown take")?;
        for frame in 0..placement.frames {
            made.extend(moved(other, placement.source_frame_at(frame as f64), placement.world_from_source));
        }
    }
    Ok(made)
}

/// For each frame of the leader, the follower of the most similar frame of the other leaders.
fn nearest_frames(trial: &Trial, others: &[&Trial]) -> Result<Vec<Vec3>, BoxError> {
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

/// Random segments, each placed at the position of the leader at its start.
fn random_segments(trial: &Trial, others: &[&Trial], seed: u64) -> Vec<Vec3> {
    let mut rng = Seed(seed).rng(0);
    let track = trial.leader.ground_track().frames;
    let mut made = Vec::new();
    let frames = trial.leader.frames();
    while made.len() < frames * ROLES.len() {
        let other = others[rng.random_range(0..others.len())];
        if other.segments.is_empty() {
            continue;
        }
        let segment = other.segments[rng.random_range(0..other.segments.len())].clone();
        let here = track[made.len() / ROLES.len()];
        let there = other.leader.ground_track().frames[segment.start];
        for frame in segment {
            made.extend(moved(other, frame as f64, here * there.inverse()));
        }
    }
    made.truncate(frames * ROLES.len());
    made
}
