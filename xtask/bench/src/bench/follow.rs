//! Speed of `follow`: seconds of control per second, at the two sizes of Hsu, Gentry and Popović (2004, section 6).
//!
//! It calls the engine, because it compares searches with each other and with the recurrence as written.

use std::time::Instant;

use marey_examples::lindy::{self, LindySettings};
use marey_examples::walk::{WalkSettings, walk};
use marey_follow::{
    ExamplePair, FollowSettings, Instance, LiveFollower, Mapping, PointSelection, Problem, exact_search,
    recurrence,
};
use marey_motion::{Observer, PointClip};
use marey_plan::SourceRef;

use crate::BoxError;
use crate::args::Args;
use crate::clock::race;
use crate::row::{Aim, Row};

/// A mapping, a control, and the settings of the search.
struct Case {
    name: &'static str,
    mapping: Mapping,
    control: PointClip,
    settings: FollowSettings,
}

pub(crate) fn rows(args: &Args) -> Vec<Row> {
    measure(args).unwrap_or_else(|error| {
        eprintln!("follow is not measured: {error}");
        Vec::new()
    })
}

fn measure(args: &Args) -> Result<Vec<Row>, BoxError> {
    let mut rows = Vec::new();
    let walks = walks(args.seed, 70, 57.0)?;
    for case in [&walks, &dances(args.seed, 168, 150.0)?] {
        rows.extend(searches(case, args)?);
    }
    rows.extend(growth(&walks, args)?);
    rows.extend(large(args)?);
    rows.push(live(&dances(args.seed, 168, 40.0)?)?);
    Ok(rows)
}

/// The exact search and the recurrence as written.
fn searches(case: &Case, args: &Args) -> Result<Vec<Row>, BoxError> {
    let secs = case.control.duration_secs();
    let problem = Problem::new(&case.mapping, &case.control, &[], &case.settings)?;
    let subject = format!(
        "{}: {} instances, {} cells, {:.0} s at {} Hz",
        case.name,
        case.mapping.instances().len(),
        problem.cell_count(),
        secs,
        case.settings.rate_hz
    );
    let (fast, slow) = (
        exact_search::solve(&problem, Observer::ignore())?,
        recurrence::solve(&problem, Observer::ignore())?,
    );
    let rounds = if args.quick { 2 } else { 12 };
    let [exact_secs] = race(rounds, [&mut || solve(case, &case.settings)]);
    let [slow_secs] = race(
        if args.quick { 1 } else { 2 },
        [&mut || recurrence::solve(&problem, Observer::ignore()).map_or(0, |found| found.pieces.len())],
    );
    Ok(vec![
        Row::new("follow: exact search", &subject, secs / exact_secs, "s of control per second")
            .against("the recurrence as written", secs / slow_secs)
            .aim(Aim::RatioAtLeast(40.0)),
        Row::new("follow: exact search", &subject, secs / exact_secs, "s of control per second")
            .against("the paper, with a beam", 47.0)
            .aim(Aim::AtLeast(2000.0)),
        Row::new("follow: score of the exact search", &subject, fast.score, "m²")
            .against("the recurrence as written", slow.score)
            .aim(Aim::AtMost(slow.score * (1.0 + 1e-6))),
    ])
}

/// Sets up the problem and solves it.
fn solve(case: &Case, settings: &FollowSettings) -> usize {
    let problem = Problem::new(&case.mapping, &case.control, &[], settings);
    problem.and_then(|problem| problem.solve()).map_or(0, |found| found.pieces.len())
}

/// The growth of time with the length of the control and with the size of the mapping.
fn growth(base: &Case, args: &Args) -> Result<Vec<Row>, BoxError> {
    let (longer, larger) = (walks(args.seed, 70, 570.0)?, walks(args.seed, 700, 57.0)?);
    let mut run = [base, &longer, &larger].map(|case| move || solve(case, &case.settings));
    let [one, two, three] = &mut run;
    let [base_secs, longer_secs, larger_secs] = race(if args.quick { 1 } else { 4 }, [one, two, three]);
    let (few, many) = (base.mapping.instances().len(), larger.mapping.instances().len());
    Ok(vec![
        Row::new("follow: time for ten times the control", "walk: 570 s", longer_secs / base_secs, "×")
            .aim(Aim::AtMost(12.0)),
        Row::new(
            "follow: time for ten times the instances",
            format!("walk: {many} instead of {few}"),
            larger_secs / base_secs,
            "×",
        )
        .aim(Aim::AtMost(12.0)),
    ])
}

/// A large mapping, as of a whole archive: the time, the gap to the optimum, and what all candidates would have saved.
fn large(args: &Args) -> Result<Vec<Row>, BoxError> {
    let instances = if args.quick { 2_000 } else { 17_000 };
    let case = walks(args.seed, instances, 10.0)?;
    let settings = FollowSettings { free_start: true, free_end: true, ..case.settings };
    let start = Instant::now();
    let found = Problem::new(&case.mapping, &case.control, &[], &settings)?.solve()?;
    let secs = start.elapsed().as_secs_f64();
    let subject = format!("walk: {instances} instances, 10 s");
    let fewer = case.mapping.with_only(&(0..instances / 10).collect::<Vec<_>>())?;
    let few = Problem::new(&fewer, &case.control, &[], &settings)?;
    let (some, all) = (few.solve()?, {
        let settings = FollowSettings { candidates: Some(u32::MAX), ..settings };
        Problem::new(&fewer, &case.control, &[], &settings)?.solve()?
    });
    Ok(vec![
        Row::new("follow: time of a large mapping", &subject, secs, "s").aim(Aim::AtMost(5.0)),
        Row::new("follow: proven gap to the optimum", &subject, 100.0 * found.gap, "% of the score"),
        Row::new(
            "follow: score with few candidates",
            format!("walk: {} instances, 10 s", instances / 10),
            some.score,
            "m²",
        )
        .against("all candidates", all.score)
        .aim(Aim::AtMost(1.05 * all.score)),
    ])
}

/// The slowest frames of a live control.
fn live(case: &Case) -> Result<Row, BoxError> {
    let mut live = LiveFollower::new(&case.mapping, case.control.rate_hz(), &case.settings)?;
    let mut times = Vec::new();
    for frame in 0..case.control.frames() {
        let start = Instant::now();
        live.push(case.control.frame(frame))?;
        times.push(1e3 * start.elapsed().as_secs_f64());
    }
    times.sort_by(f64::total_cmp);
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    let subject = format!("{}: {} instances, live", case.name, case.mapping.instances().len());
    Ok(Row::new("follow: live frame, 99th percentile", subject, at(0.99), "ms")
        .against("the median frame", at(0.5))
        .aim(Aim::AtMost(5.0)))
}

/// Walks cut at steps: hips as control, hands and feet as target.
fn walks(seed: u64, instances: usize, secs: f64) -> Result<Case, BoxError> {
    let (control, target) = (PointSelection::hips(), PointSelection::ends());
    let (mut examples, mut segments) = (Vec::new(), Vec::new());
    for walker in 0.. {
        let settings = WalkSettings {
            seed: seed.wrapping_mul(1000).wrapping_add(walker),
            duration_secs: 120.0,
            rate_hz: 30.0,
            ..WalkSettings::default()
        };
        let example = walk(&settings)?;
        let clip = example.take.first();
        let source = SourceRef { take: format!("walk-{walker}"), actor: 0 };
        examples.push(ExamplePair { source, control: control.points(clip)?, target: target.points(clip)? });
        for pair in example.truth.cuts().windows(2).filter(|pair| pair[0].frame + 2 <= pair[1].frame) {
            segments.push(Instance {
                example: examples.len() - 1,
                frames: pair[0].frame..pair[1].frame,
                label: pair[0].name.clone(),
            });
        }
        if segments.len() >= instances {
            break;
        }
    }
    segments.truncate(instances);
    let mapping = Mapping::new(examples, segments, control.weights(), target.weights())?;
    let unseen = WalkSettings {
        seed: seed.wrapping_mul(1000).wrapping_add(999),
        duration_secs: secs,
        rate_hz: 30.0,
        ..WalkSettings::default()
    };
    let control = control.points(walk(&unseen)?.take.first())?;
    let settings =
        FollowSettings { rate_hz: 10.0, free_start: false, free_end: false, ..FollowSettings::default() };
    Ok(Case { name: "walk", mapping, control, settings })
}

/// Lindy Hop cut at every second beat: the leader's hands and feet as control, the follower's as target.
fn dances(seed: u64, instances: usize, secs: f64) -> Result<Case, BoxError> {
    let ends = PointSelection::ends();
    let settings = LindySettings { seed, rate_hz: 30.0, ..LindySettings::default() };
    let (mut examples, mut segments) = (Vec::new(), Vec::new());
    for dance in lindy::database(&settings)? {
        let [leader, follower] = dance.take.actors() else { continue };
        let source = SourceRef { take: dance.take.name().into(), actor: 1 };
        let (control, target) = (ends.points(&leader.clip)?, ends.points(&follower.clip)?);
        examples.push(ExamplePair { source, control, target });
        for label in dance.truth.labels() {
            let (frames, label) = (label.start..label.end, label.name.clone());
            segments.push(Instance { example: examples.len() - 1, frames, label });
        }
    }
    // Evenly spread, as clustering would keep them.
    let count = segments.len();
    let kept = (0..instances).map(|i| segments[i * count / instances].clone()).collect();
    let mapping = Mapping::new(examples, kept, ends.weights(), ends.weights())?;
    let test = lindy::tests(&settings)?.into_iter().next().ok_or("no test dance")?;
    let leader = ends.points(&test.take.actors()[0].clip)?;
    // Repeats the dance to the requested length.
    let frames = (secs * leader.rate_hz()).round() as usize;
    let points = leader.flat().iter().copied().map(Some).cycle().take(frames * leader.labels().len());
    let control = PointClip::new(leader.labels().to_vec(), leader.rate_hz(), points.collect())?;
    let settings =
        FollowSettings { rate_hz: 7.5, free_start: false, free_end: false, ..FollowSettings::default() };
    Ok(Case { name: "dance", mapping, control, settings })
}
