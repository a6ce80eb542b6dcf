//! A pair that goes on by itself, beside the examples it learnt from.

use marey::pairs::{passes, realised, realised_by};
use marey_duet::{Duet, Kind, Pair, Performance, Played, RunSettings};
use marey_measure::card::{Card, Evidence, Habits, Thresholds};
use marey_measure::skate::skate;
use marey_motion::{Ground, Take};
use marey_plan::Seed;
use marey_realise::{Realised, Settings, join};

use super::Measured;
use super::runs::{deepest_cm, quantile, seen_skate};
use crate::args::Args;
use crate::row::{Aim, Row};

pub(super) fn rows(args: &Args, duet: &Duet, pair: &Pair, example: &Take) -> Measured {
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
    let examples_cm = deepest_cm(example);
    rows.push(
        Row::new("duet: deepest in each other", &subject, deepest_cm(&made.take), "cm")
            .against("the examples", examples_cm)
            .aim(Aim::AtMost(examples_cm)),
    );
    let worse = |people: [f64; 2]| people[0].max(people[1]);
    let kept = [0, 1].map(|person| skate(&made.take.actors()[person].clip, &made.contacts[person], 0.0));
    let seen = |take: &Take, pair: &Pair| worse([0, 1].map(|person| seen_skate(take, pair, person)));
    rows.push(
        Row::new(
            "duet: foot skate over kept plants, worse of both",
            &subject,
            worse(kept.map(|s| s.cm_per_sec)),
            "cm/s",
        )
        .aim(Aim::AtMost(3.0)),
    );
    rows.push(
        Row::new(
            "duet: foot skate, plants seen anew, worse of both",
            &subject,
            seen(&made.take, &again),
            "cm/s",
        )
        .against("the examples", seen(example, pair))
        .aim(Aim::AtMost(3.0)),
    );
    // By the paper's way of joining, and by ours.
    let usual = passes();
    let hermite = Settings { join: join::Settings { method: join::Method::Hermite, ..usual.join }, ..usual };
    let [ours, theirs] = [usual, hermite].map(|by| sudden(&run, &realised_by(&run, &by)?, pair));
    rows.push(
        Row::new("duet: acceleration at joins over the examples' level", &subject, ours?, "×")
            .against("by Hermite interpolation, as in the paper", theirs?)
            .aim(Aim::AtMost(1.0)),
    );
    Ok(rows)
}

/// The largest acceleration at joins over what nearly all frames of the examples do not exceed, worse of both.
fn sudden(run: &Performance, made: &Realised, pair: &Pair) -> Result<f64, Box<dyn std::error::Error>> {
    let mut worst = 0f64;
    for (person, actor) in made.take.actors().iter().enumerate() {
        let habits = Habits::learn(std::slice::from_ref(&pair.people[person].clip));
        let joins: Vec<usize> = run.plan.actors[person].placements.iter().skip(1).map(|p| p.start).collect();
        let feet = Evidence::of_feet(&made.contacts[person], 0.0);
        let evidence = Evidence { examples: Some(&habits), joins: &joins, ..feet };
        let card = Card::of(&actor.clip, &evidence, &Thresholds::default())?;
        let line = card.lines.iter().find(|line| line.name == "at joins, over examples");
        worst = worst.max(line.map_or(0.0, |line| line.value));
    }
    Ok(worst)
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
