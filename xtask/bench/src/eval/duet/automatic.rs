//! Free runs, compared with the recordings they were trained on.

use marey::duet::{realisation_of, realise_run, realise_run_with};
use marey::realise::Realisation;
use marey_duet::{Duet, DuetRun, DuetRunSettings, InteractionKind, PlacedMovement, RecordedPair};
use marey_measure::card::{BaselineStatistics, Evidence, QualityCard, Thresholds};
use marey_motion::{Observer, Take};
use marey_plan::Seed;
use marey_realise::{RealiseSettings, Realised, join};

use super::Measured;
use super::relative_positions::RelativePositions;
use super::runs::deepest_cm;
use crate::BoxError;
use crate::args::Args;
use crate::eval::foot_rows::FootTable;
use crate::row::{Aim, Row};

pub(super) fn rows(args: &Args, duet: &Duet, pair: &RecordedPair, example: &Take) -> Measured {
    let secs = if args.quick { 60.0 } else { 300.0 };
    let frames = (secs * duet.rate_hz()) as usize;
    let run = duet.run(frames, None, &DuetRunSettings::default(), Seed(args.seed))?;
    let made = realise_run(&run)?;
    let subject = format!("free run, {secs} s, trained on 122 s of generated taekwondo");
    let mut rows = Vec::new();

    // Frequency of groups.
    let mut distances = [0.0, 0.0];
    for person in [0, 1] {
        let states = &duet.model().people[person].states;
        let total: usize = states.iter().map(|state| state.movements).sum();
        let own: Vec<&PlacedMovement> = run.placed.iter().filter(|played| played.person == person).collect();
        for (group, state) in states.iter().enumerate() {
            let used =
                own.iter().filter(|played| played.group == group).count() as f64 / own.len().max(1) as f64;
            distances[person] += 0.5 * (used - state.movements as f64 / total as f64).abs();
        }
    }
    let half_distance = half_distance(duet);
    let row = Row::new(
        "duet: group frequencies, distance from the examples",
        &subject,
        0.5 * (distances[0] + distances[1]),
        "1",
    );
    rows.push(row.against("two halves of the examples", half_distance));
    let attacks = |played: &[PlacedMovement]| {
        played.iter().filter(|p| p.kind == InteractionKind::Offensive).count() as f64
    };
    let real = duet.model().people.iter().flat_map(|person| &person.states);
    let real = real
        .filter(|state| state.kind == InteractionKind::Offensive)
        .map(|state| state.movements)
        .sum::<usize>();
    rows.push(
        Row::new("duet: attacks per minute", &subject, attacks(&run.placed) * 60.0 / secs, "1/min")
            .against("the examples", real as f64 * 60.0 * example.rate_hz() / example.frames() as f64),
    );

    // Relative positions.
    let recorded = RelativePositions::of([example]);
    let shares = RelativePositions::of([&made.take]).shares_within(&recorded);
    for (what, share) in ["distance to the partner", "bearing of the partner"].into_iter().zip(shares) {
        let name = format!("duet: {what} within the examples' 99 % range");
        rows.push(
            Row::new(&name, &subject, share, "share").against("the examples", 0.99).aim(Aim::AtLeast(0.95)),
        );
    }

    // Attacks and defences.
    let is_whole =
        |played: &&PlacedMovement| played.kind == InteractionKind::Offensive && played.end() + 60 < frames;
    let all: Vec<&PlacedMovement> = run.placed.iter().filter(is_whole).collect();
    let reaction_delay = |attack: &PlacedMovement| {
        let theirs =
            run.placed.iter().filter(|p| p.person != attack.person && p.kind == InteractionKind::Defensive);
        theirs.filter_map(|p| p.contact_frame?.abs_diff(attack.contact_frame?).into()).min()
    };
    let reaction_delays: Vec<usize> =
        all.iter().filter_map(|attack| reaction_delay(attack)).filter(|off| *off <= 15).collect();
    let share = |count: usize| count as f64 / all.len().max(1) as f64;
    rows.push(
        Row::new("duet: attacks with a reaction", &subject, share(reaction_delays.len()), "share")
            .aim(Aim::AtLeast(1.0)),
    );
    let worst = reaction_delays.iter().max().copied().unwrap_or(0);
    rows.push(
        Row::new("duet: difference of contact frames, worst", &subject, worst as f64, "frames")
            .aim(Aim::AtMost(3.0)),
    );
    let analysed = RecordedPair::from_take(&made.take)?;
    // Some attacks are dodged.
    let is_met = |attack: &&&PlacedMovement| {
        let theirs =
            run.placed.iter().filter(|p| p.person != attack.person && p.kind == InteractionKind::Defensive);
        theirs
            .filter(|p| p.makes_contact())
            .any(|p| p.contact_frame.zip(attack.contact_frame).is_some_and(|(a, b)| a.abs_diff(b) <= 3))
    };
    let met: Vec<&&PlacedMovement> = all.iter().filter(is_met).collect();
    let meets = |attack: &&&&PlacedMovement| {
        let touch = attack.contact_frame.unwrap_or(0);
        analysed
            .partner_contacts
            .iter()
            .any(|t| !t.is_miss() && t.frames.start <= touch + 3 && touch <= t.frames.end + 3)
    };
    rows.push(Row::new(
        "duet: attacks that touch the partner, of those not dodged",
        &subject,
        met.iter().filter(meets).count() as f64 / met.len().max(1) as f64,
        "share",
    ));
    let examples_cm = deepest_cm(example);
    rows.push(
        Row::new("duet: deepest overlap of the bodies", &subject, deepest_cm(&made.take), "cm")
            .against("the examples", examples_cm)
            .aim(Aim::AtMost(examples_cm)),
    );
    let [own_feet, example_feet] =
        [&made.take, example].map(|take| FootTable::of(take.actors().iter().map(|actor| &actor.clip)));
    rows.extend(own_feet.rows("duet", &subject, "the examples", &example_feet));
    // The default joins, and the Hermite interpolation of the paper.
    let default = realisation_of(&run).passes;
    let hermite = join::JoinSettings { method: join::JoinMethod::Hermite, ..default.join };
    let hermite = RealiseSettings { join: hermite, ..default };
    let realise_with = |passes: RealiseSettings| {
        realise_run_with(&run, &Realisation { passes, ..realisation_of(&run) }, Observer::ignore())
    };
    let [ours, theirs] =
        [default, hermite].map(|passes| join_acceleration(&run, &realise_with(passes)?, pair));
    rows.push(
        Row::new("duet: acceleration at joins relative to the examples", &subject, ours?, "×")
            .against("Hermite interpolation, as in the paper", theirs?)
            .aim(Aim::AtMost(1.0)),
    );
    Ok(rows)
}

/// Returns the largest acceleration at joins relative to a high quantile of the recordings, the worse of both people.
fn join_acceleration(run: &DuetRun, made: &Realised, pair: &RecordedPair) -> Result<f64, BoxError> {
    let mut worst = 0f64;
    for (person, actor) in made.take.actors().iter().enumerate() {
        let statistics = BaselineStatistics::learn(std::slice::from_ref(&pair.people[person].clip));
        let joins: Vec<usize> = run.plan.actors[person].placements.iter().skip(1).map(|p| p.start).collect();
        let evidence = Evidence { examples: Some(&statistics), joins: &joins, ..Evidence::on_floor(0.0) };
        let card = QualityCard::of(&actor.clip, &evidence, &Thresholds::default())?;
        let line = card.lines.iter().find(|line| line.name == "at joins, over examples");
        worst = worst.max(line.map_or(0.0, |line| line.value));
    }
    Ok(worst)
}

/// Returns the distance between the group frequencies of two halves of the recordings.
fn half_distance(duet: &Duet) -> f64 {
    let mut distance = 0.0;
    for movements in &duet.model().labels.people {
        let (one, other) = movements.all.split_at(movements.all.len() / 2);
        for group in 0..movements.groups {
            let share = |part: &[marey_duet::LabelledMovement]| {
                part.iter().filter(|m| m.group == group).count() as f64 / part.len().max(1) as f64
            };
            distance += 0.25 * (share(one) - share(other)).abs();
        }
    }
    distance
}
