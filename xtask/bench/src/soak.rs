//! `cargo xtask soak [--secs N]`: live follow, duet and perform at 60 Hz, all at once.
//!
//! Each engine has a thread that does the work of a frame at every tick, as a live session does: `follow` interprets a walker's hips
//! among the steps of other walkers, `duet` generates two fighters with their joins and feet, `perform` steps the adventure with a
//! generated performer, again and again. A tick is missed if its work ends after the next tick is due. Memory is compared with that
//! after a tenth of the time, when buffers have their size.

use std::fs;
use std::process::ExitCode;
use std::thread;
use std::time::{Duration, Instant};

use marey::duet::{
    Duet, DuetLabelSettings, DuetModel, DuetModelSettings, DuetRunSettings, LiveDuet, RecordedPair,
};
use marey_examples::playground::{PlaygroundSettings, stream};
use marey_examples::taekwondo::{TaekwondoSettings, taekwondo};
use marey_examples::walk::{WalkSettings, walk};
use marey_follow::{ExamplePair, FollowSettings, Instance, LiveFollower, Mapping, PointSelection};
use marey_motion::Observer;
use marey_perform::{ADVENTURE, PerformSession, PerformSettings, Recording, World, built_in_motions};
use marey_plan::{Seed, SourceRef};

use crate::row::{Aim, Row};
use crate::{BoxError, row};

const RATE_HZ: f64 = 60.0;
/// Width of a bin of the times, in microseconds, and the number of bins. Longer times count as the last.
const BIN_MICROS: usize = 10;
const BINS: usize = 10_000;
/// The person who walks first, as examples.
const EXAMPLE_WALKERS: u64 = 8;

/// Runs for the seconds that the arguments name, and prints the figures. Fails if an aim is missed.
pub(crate) fn run(args: &[String]) -> ExitCode {
    let secs = match args {
        [] => Some(3600),
        [flag, secs] if flag == "--secs" => secs.parse::<u32>().ok().filter(|secs| *secs > 0),
        _ => None,
    };
    let Some(secs) = secs else {
        eprintln!("usage: soak [--secs N]");
        return ExitCode::from(2);
    };
    match measure(f64::from(secs)) {
        Ok(rows) => {
            let is_met = rows.iter().all(|row| row.ok != Some(false));
            println!("{}", row::table(&rows.iter().collect::<Vec<_>>()));
            if is_met { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn measure(secs: f64) -> Result<Vec<Row>, BoxError> {
    let ticks = (secs * RATE_HZ) as usize;
    let early = Duration::from_secs_f64(0.1 * secs);
    // Every thread prepares its engine first; the clock starts when all have.
    let barrier = std::sync::Barrier::new(4);
    let barrier = &barrier;
    let (ticks_of, memory) = thread::scope(|scope| {
        let engines: [(&str, thread::ScopedJoinHandle<'_, Result<Ticks, String>>); 3] = [
            ("follow", scope.spawn(move || follow(ticks, barrier).map_err(|error| error.to_string()))),
            ("duet", scope.spawn(move || duet(ticks, barrier).map_err(|error| error.to_string()))),
            ("perform", scope.spawn(move || perform(ticks, barrier).map_err(|error| error.to_string()))),
        ];
        barrier.wait();
        thread::sleep(early);
        let before = resident_bytes();
        let done = engines
            .map(|(name, engine)| (name, engine.join().unwrap_or_else(|_| Err(format!("{name} panicked")))));
        (done, before.zip(resident_bytes()))
    });
    let mut rows = Vec::new();
    for (name, ticks) in ticks_of {
        let ticks = ticks?;
        let subject = format!("{name}, {secs:.0} s at {RATE_HZ} Hz, beside the others");
        rows.push(
            Row::new("soak: missed ticks", &subject, ticks.missed as f64, "ticks").aim(Aim::AtMost(0.0)),
        );
        rows.push(Row::new("soak: work of a tick, p50", &subject, ticks.quantile_ms(0.5), "ms"));
        rows.push(
            Row::new("soak: work of a tick, p99.9", &subject, ticks.quantile_ms(0.999), "ms")
                .aim(Aim::AtMost(12.0)),
        );
        rows.push(Row::new("soak: longest tick", subject, ticks.longest_ms, "ms"));
    }
    if let Some((before, after)) = memory {
        let growth = 100.0 * (after as f64 / before as f64 - 1.0);
        let subject = format!("from {:.1} MB after a tenth of the time", before as f64 / 1e6);
        rows.push(Row::new("soak: memory growth", subject, growth, "%").aim(Aim::AtMost(1.0)));
    }
    Ok(rows)
}

/// The times of the ticks of an engine.
struct Ticks {
    bins: Vec<u32>,
    missed: usize,
    longest_ms: f64,
}

impl Ticks {
    /// Does the work of each tick when it is due.
    fn run(
        ticks: usize,
        start: &std::sync::Barrier,
        mut work: impl FnMut() -> Result<(), BoxError>,
    ) -> Result<Self, BoxError> {
        let mut times = Self { bins: vec![0; BINS], missed: 0, longest_ms: 0.0 };
        start.wait();
        let start = Instant::now();
        for tick in 0..ticks {
            let due = start + Duration::from_secs_f64(tick as f64 / RATE_HZ);
            if let Some(early) = due.checked_duration_since(Instant::now()) {
                thread::sleep(early);
            }
            let begun = Instant::now();
            work()?;
            let took = begun.elapsed();
            times.missed += usize::from(due.elapsed().as_secs_f64() > 1.0 / RATE_HZ);
            times.longest_ms = times.longest_ms.max(1e3 * took.as_secs_f64());
            let bin = (took.as_micros() as usize / BIN_MICROS).min(BINS - 1);
            times.bins[bin] += 1;
        }
        Ok(times)
    }

    fn quantile_ms(&self, share: f64) -> f64 {
        let total: u32 = self.bins.iter().sum();
        let mut left = share * f64::from(total);
        for (bin, count) in self.bins.iter().enumerate() {
            left -= f64::from(*count);
            if left <= 0.0 {
                return ((bin + 1) * BIN_MICROS) as f64 / 1e3;
            }
        }
        self.longest_ms
    }
}

fn follow(ticks: usize, start: &std::sync::Barrier) -> Result<Ticks, BoxError> {
    let (control, target) = (PointSelection::hips(), PointSelection::ends());
    let (mut examples, mut segments) = (Vec::new(), Vec::new());
    let walker = |seed, duration_secs| {
        walk(&WalkSettings { seed, duration_secs, rate_hz: RATE_HZ, ..WalkSettings::default() })
    };
    for seed in 1..=EXAMPLE_WALKERS {
        let example = walker(seed, 30.0)?;
        let clip = example.take.first();
        let source = SourceRef { take: format!("walk-{seed}"), actor: 0 };
        examples.push(ExamplePair { source, control: control.points(clip)?, target: target.points(clip)? });
        for pair in example.truth.cuts().windows(2).filter(|pair| pair[0].frame + 2 <= pair[1].frame) {
            let frames = pair[0].frame..pair[1].frame;
            segments.push(Instance { example: examples.len() - 1, frames, label: pair[0].name.clone() });
        }
    }
    let mapping = Mapping::new(examples, segments, control.weights(), target.weights())?;
    let unseen = control.points(walker(EXAMPLE_WALKERS + 1, 60.0)?.take.first())?;
    let settings = FollowSettings { rate_hz: 10.0, ..FollowSettings::default() };
    let mut live = LiveFollower::new(&mapping, RATE_HZ, &settings)?;
    let mut frame = 0;
    Ticks::run(ticks, start, || {
        live.push(unseen.frame(frame % unseen.frames()))?;
        frame += 1;
        Ok(())
    })
}

fn duet(ticks: usize, start: &std::sync::Barrier) -> Result<Ticks, BoxError> {
    let bout = TaekwondoSettings { duration_secs: 60.0, rate_hz: RATE_HZ, ..TaekwondoSettings::default() };
    let pairs = [RecordedPair::from_take(&taekwondo(&bout)?.take)?];
    let settings = DuetLabelSettings { iterations: 100, ..DuetLabelSettings::default() };
    let labels = marey::duet::label(&pairs, &settings, Seed(1), Observer::ignore())?;
    let duet = Duet::new(&pairs, DuetModel::train(&pairs, &labels, &DuetModelSettings::default())?)?;
    let mut live = LiveDuet::new(&duet, &DuetRunSettings::default(), Seed(1))?;
    Ticks::run(ticks, start, || {
        live.advance()?;
        Ok(())
    })
}

fn perform(ticks: usize, start: &std::sync::Barrier) -> Result<Ticks, BoxError> {
    let motions = built_in_motions()?;
    let performer = stream(&PlaygroundSettings::default())?;
    let recording = Recording::of_clip(performer.example.take.first())?;
    let world = World::from_toml(ADVENTURE)?;
    let mut session =
        PerformSession::new(world, &motions, &recording.calibration, PerformSettings::default())?;
    let frames = recording.poses.len();
    let mut frame = 0;
    Ticks::run(ticks, start, || {
        let (pose, closed) = (&recording.poses[frame % frames], recording.closed[frame % frames]);
        session.step(pose.view(), closed, (1.0 / RATE_HZ) as f32);
        frame += 1;
        Ok(())
    })
}

/// The resident memory of this process, on systems that report it.
fn resident_bytes() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? * 1024)
}
