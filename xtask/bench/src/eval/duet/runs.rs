//! Pairs that go on: by themselves, along a way, by commands; beside the examples they learnt from.

use std::collections::BTreeMap;

use marey_duet::{
    Command, Duet, Kind, LabelSettings, Model, ModelSettings, Pair, Performance, Played, RunSettings,
    Session, Shape, Way, kept_apart,
};
use marey_measure::skate::skate;
use marey_motion::{Ground, Take, WorldPose};
use marey_plan::{Seed, SourceRef};
use marey_realise::{Example, Realised, Settings, join, realise};

use super::Measured;
use super::labels::labelled_bout;
use crate::args::Args;
use crate::row::{Aim, Row};

pub(super) fn rows(args: &Args) -> Measured {
    let settings =
        LabelSettings { iterations: if args.quick { 200 } else { 2000 }, ..LabelSettings::default() };
    // Not one of those that labels are judged by.
    let (example, labels) = labelled_bout(args.seed * 100 + 50, &settings)?;
    let pairs = [Pair::of_take(&example.take)?];
    let model = Model::train(&pairs, &labels, &ModelSettings::default())?;
    let duet = Duet::new(&pairs, model)?;
    let mut rows = automatic(args, &duet, &pairs[0], &example.take)?;
    rows.extend(along_a_way(args, &duet)?);
    rows.extend(by_commands(args, &duet)?);
    Ok(rows)
}

/// A run as motion.
pub(super) fn realised(run: &Performance) -> Result<Realised, Box<dyn std::error::Error>> {
    let sources: BTreeMap<SourceRef, Example> = run
        .movements
        .iter()
        .map(|(source, clip, contacts)| {
            (source.clone(), Example { clip: clip.clone(), contacts: contacts.clone(), holds: Vec::new() })
        })
        .collect();
    let usual = Settings::default();
    let join = join::Settings { window_secs: 0.25, ..usual.join };
    let made = realise(&run.plan, &sources, &Settings { join, ..usual })?;
    if run.in_unison {
        return Ok(made);
    }
    Ok(Realised { take: kept_apart(&made.take, &made.contacts)?, ..made })
}

fn automatic(args: &Args, duet: &Duet, pair: &Pair, example: &Take) -> Measured {
    let secs = if args.quick { 60.0 } else { 300.0 };
    let frames = (secs * duet.rate_hz()) as usize;
    let run = duet.perform(frames, None, &RunSettings::default(), Seed(args.seed))?;
    let made = realised(&run)?;
    let subject = format!("automatic, {secs} s, learnt from 122 s of generated taekwondo");
    let mut rows = Vec::new();

    // What is used how often.
    let mut apart = [0.0, 0.0];
    for person in [0, 1] {
        let states = &duet.model().people[person].states;
        let total: usize = states.iter().map(|state| state.movements).sum();
        let own: Vec<&Played> = run.played.iter().filter(|played| played.person == person).collect();
        for (group, state) in states.iter().enumerate() {
            let used =
                own.iter().filter(|played| played.group == group).count() as f64 / own.len().max(1) as f64;
            apart[person] += 0.5 * (used - state.movements as f64 / total as f64).abs();
        }
    }
    let halves = halves_apart(duet);
    let row = Row::new(
        "duet: use of groups, distance from the examples'",
        &subject,
        0.5 * (apart[0] + apart[1]),
        "1",
    );
    rows.push(row.against("of the two halves of the examples", halves));
    let attacks = |played: &[Played]| played.iter().filter(|p| p.kind == Kind::Offensive).count() as f64;
    let real = duet.model().people.iter().flat_map(|person| &person.states);
    let real = real.filter(|state| state.kind == Kind::Offensive).map(|state| state.movements).sum::<usize>();
    rows.push(
        Row::new("duet: attacks a minute", &subject, attacks(&run.played) * 60.0 / secs, "1/min")
            .against("in the examples", real as f64 * 60.0 * example.rate_hz() / example.frames() as f64),
    );

    // How they stand to each other.
    let seen = Standing::of(example);
    let now = Standing::of(&made.take);
    for (what, low, high, values, own) in [
        ("distance", 0.005, 0.995, &now.distances, &seen.distances),
        ("bearing of the other", 0.005, 0.995, &now.bearings, &seen.bearings),
    ] {
        let (low, high) = (quantile(own, low), quantile(own, high));
        let inside =
            values.iter().filter(|v| (low..=high).contains(*v)).count() as f64 / values.len().max(1) as f64;
        let name = format!("duet: {what} within 99% of the examples'");
        rows.push(
            Row::new(&name, &subject, inside, "share").against("the examples", 0.99).aim(Aim::AtLeast(0.95)),
        );
    }

    // Attacks and answers.
    let is_whole = |played: &&Played| played.kind == Kind::Offensive && played.end() + 60 < frames;
    let all: Vec<&Played> = run.played.iter().filter(is_whole).collect();
    let answer = |attack: &Played| {
        let theirs = run.played.iter().filter(|p| p.person != attack.person && p.kind == Kind::Defensive);
        theirs.filter_map(|p| p.touch?.abs_diff(attack.touch?).into()).min()
    };
    let answered: Vec<usize> =
        all.iter().filter_map(|attack| answer(attack)).filter(|off| *off <= 15).collect();
    let share = |count: usize| count as f64 / all.len().max(1) as f64;
    rows.push(
        Row::new("duet: attacks that have a reaction", &subject, share(answered.len()), "share")
            .aim(Aim::AtLeast(1.0)),
    );
    let worst = answered.iter().max().copied().unwrap_or(0);
    rows.push(
        Row::new("duet: contact instants of both apart, worst", &subject, worst as f64, "frames")
            .aim(Aim::AtMost(3.0)),
    );
    let again = Pair::of_take(&made.take)?;
    // Of some attacks the other gets out of the way.
    let is_met = |attack: &&&Played| {
        let theirs = run.played.iter().filter(|p| p.person != attack.person && p.kind == Kind::Defensive);
        theirs
            .filter(|p| p.meets())
            .any(|p| p.touch.zip(attack.touch).is_some_and(|(a, b)| a.abs_diff(b) <= 3))
    };
    let met: Vec<&&Played> = all.iter().filter(is_met).collect();
    let meets = |attack: &&&&Played| {
        let touch = attack.touch.unwrap_or(0);
        again.touches.iter().any(|t| !t.misses() && t.frames.start <= touch + 3 && touch <= t.frames.end + 3)
    };
    rows.push(Row::new(
        "duet: attacks that touch in the motion, of those not dodged",
        &subject,
        met.iter().filter(meets).count() as f64 / met.len().max(1) as f64,
        "share",
    ));
    let deepest = |take: &Take, pair: &Pair| deepest_cm(take, pair);
    rows.push(
        Row::new("duet: deepest in each other", &subject, deepest(&made.take, pair), "cm")
            .against("the examples", deepest(example, pair))
            .aim(Aim::AtMost(deepest(example, pair))),
    );
    let skates = |take: &Take, contacts: &[marey_motion::Contacts]| {
        take.actors().iter().zip(contacts).map(|(a, c)| skate(&a.clip, c, 0.0).cm_per_sec).fold(0.0, f64::max)
    };
    let own: Vec<_> = pair.people.iter().map(|person| person.contacts.clone()).collect();
    rows.push(
        Row::new("duet: foot skate, worse of both", &subject, skates(&made.take, &made.contacts), "cm/s")
            .against("the examples", skates(example, &own))
            .aim(Aim::AtMost(3.0)),
    );
    Ok(rows)
}

/// How the use of groups differs between the halves of the examples.
fn halves_apart(duet: &Duet) -> f64 {
    let mut apart = 0.0;
    for movements in &duet.model().labels.people {
        let (one, other) = movements.all.split_at(movements.all.len() / 2);
        for group in 0..movements.groups {
            let share = |part: &[marey_duet::Labelled]| {
                part.iter().filter(|m| m.group == group).count() as f64 / part.len().max(1) as f64
            };
            apart += 0.25 * (share(one) - share(other)).abs();
        }
    }
    apart
}

/// How two stand to each other, frame by frame, sorted.
struct Standing {
    distances: Vec<f64>,
    bearings: Vec<f64>,
}

impl Standing {
    fn of(take: &Take) -> Self {
        let tracks: Vec<Vec<Ground>> = take.actors().iter().map(|a| a.clip.ground_track().frames).collect();
        let (mut distances, mut bearings) = (Vec::new(), Vec::new());
        for (one, other) in tracks[0].iter().zip(&tracks[1]) {
            let to = one.inverse().point(other.translation());
            distances.push(f64::from(to.x.hypot(to.z)));
            bearings.push(f64::from(to.x.atan2(to.z)));
        }
        distances.sort_by(f64::total_cmp);
        bearings.sort_by(f64::total_cmp);
        Self { distances, bearings }
    }
}

fn quantile(sorted: &[f64], share: f64) -> f64 {
    sorted.get(((sorted.len().max(1) - 1) as f64 * share).round() as usize).copied().unwrap_or(0.0)
}

pub(super) fn deepest_cm(take: &Take, pair: &Pair) -> f64 {
    let shapes = pair.people.each_ref().map(|person| Shape::of(person.clip.skeleton()));
    let mut worlds = [0, 1].map(|i| WorldPose::scratch(take.actors()[i].clip.skeleton()));
    let mut deepest = f32::NEG_INFINITY;
    for frame in 0..take.frames() {
        for (i, world) in worlds.iter_mut().enumerate() {
            world.set(take.actors()[i].clip.pose(frame));
        }
        deepest = deepest.max(Shape::depth_m([&shapes[0], &shapes[1]], [&worlds[0], &worlds[1]]));
    }
    f64::from(deepest) * 100.0
}

/// One goes round a circle of 2 m in 60 seconds; as the paper's figure 9 has it.
fn along_a_way(args: &Args, duet: &Duet) -> Measured {
    let points = (0..=120).map(|i| {
        let turn = std::f64::consts::TAU * f64::from(i) / 120.0;
        [0.5 * f64::from(i), 2.0 * turn.sin(), 2.0 * turn.cos()]
    });
    let way = Way { person: 0, points: points.collect() };
    let frames = (60.0 * duet.rate_hz()) as usize;
    let run = duet.perform(frames, Some(way.clone()), &RunSettings::default(), Seed(args.seed))?;
    let made = realised(&run)?;
    let track = made.take.first().ground_track().frames;
    let off = track.iter().enumerate().map(|(frame, ground)| {
        // From the line, not from where it is at that time.
        let secs = frame as f64 / duet.rate_hz();
        let near = (-20..=20).map(|i| way.at(secs + 0.1 * f64::from(i)).distance(ground.translation()));
        f64::from(near.fold(f32::INFINITY, f32::min))
    });
    let mut off: Vec<f64> = off.collect();
    off.sort_by(f64::total_cmp);
    let subject = "constrained: one round a circle of 2 m in 60 s".to_owned();
    let free = duet.perform(frames, None, &RunSettings::default(), Seed(args.seed))?;
    let free = realised(&free)?.take.first().ground_track().frames;
    let stray = free.iter().enumerate().map(|(frame, ground)| {
        f64::from(way.at(frame as f64 / duet.rate_hz()).distance(ground.translation()))
    });
    let stray = stray.sum::<f64>() / free.len().max(1) as f64;
    let mean = off.iter().sum::<f64>() / off.len().max(1) as f64;
    Ok(vec![
        Row::new("duet: off the path, mean", &subject, 100.0 * mean, "cm")
            .against("without the path", 100.0 * stray)
            .aim(Aim::AtMost(10.0)),
        Row::new("duet: off the path, 95% of the time within", subject, 100.0 * quantile(&off, 0.95), "cm"),
    ])
}

/// A list of commands.
fn by_commands(args: &Args, duet: &Duet) -> Measured {
    let states = duet.model().people[0].states.iter().enumerate();
    let mut wanted: Vec<usize> = states
        .filter(|(_, state)| state.kind != Kind::Defensive && state.movements > 1)
        .map(|(g, _)| g)
        .collect();
    wanted.extend(wanted.clone());
    let mut session = Session::new(duet, &RunSettings::default(), Seed(args.seed))?;
    for &group in &wanted {
        session.command(0, Command { group: Some(group), ..Command::default() })?;
    }
    let mut played = Vec::new();
    while session.waiting(0) > 0 && session.planned() < 20_000 {
        played.extend(session.advance()?);
    }
    played.extend(session.advance()?);
    let mut left = wanted.iter().peekable();
    for own in played.iter().filter(|played| played.person == 0) {
        left.next_if(|group| **group == own.group);
    }
    let obeyed = wanted.len() - left.count();
    let made = played.iter().filter(|played| played.person == 0).count();
    let subject = format!("interactive, a queue of {} commands", wanted.len());
    Ok(vec![
        Row::new(
            "duet: commands obeyed, in order",
            &subject,
            obeyed as f64 / wanted.len().max(1) as f64,
            "share",
        )
        .aim(Aim::AtLeast(1.0)),
        Row::new("duet: movements until all were", subject, made as f64, "movements")
            .against("at the best", wanted.len() as f64),
    ])
}
