//! A couple dances Lindy Hop: the leader chooses, and the follower reads the leader's motion.
//!
//! After Hsu, Gentry and Popović, *Example-Based Control of Human Motion* (2004), section 6.2: four stances, three kinds of transition
//! of four beats each, changes of hands at the end of a transition, patterns of two transitions, cuts every two beats. [`database`]
//! generates dances from their seven database patterns, [`tests`] dances that improvise patterns outside the database. The footwork is
//! that of the dance: two steps and a triple step in each transition, so that left and right always alternate.
//!
//! The leader gives cues: before a turn the weight shifts to one side, the chest rotates, and the joined hands move to that side and up.
//! The clarity of the cues varies, and a change of hands in a step starts like a turn. As in the paper, some leads look alike although
//! the responses differ.
//!
//! Differences from the paper: the stances are those of the printed table. The table does not always state which turns are inside and
//! which are outside turns; these, and novel patterns 5 and 13, are our interpretation. 91 patterns at 120 to 190 beats per minute
//! last five minutes, so the three test dances take about 95 seconds each instead of two to three minutes.
//!
//! Truth: heel and ball contacts and names of both dancers; beats; a cut at every second beat, named by its count in the pattern (`1`,
//! `3`, `5`, `7`, and `end`); labels `ready`, then the transition and half of each two-beat unit, such as `open step closed 1/2`, then
//! `rest`; holds: hand in hand, and hands on the partner's upper chest.

mod cast;
mod hands;
mod lead;
mod moves;
mod pattern;
mod score;
mod sequence;
mod settings;

use marey_motion::{Marker, Tag, Take};
pub use pattern::{DATABASE, NOVEL, Pattern, PatternTransition, Stance, Turn, patterns};
use rand::RngExt;
use score::Score;
pub use settings::LindySettings;

use crate::clock::Clock;
use crate::couple::Couple;
use crate::random::rng_stream;
use crate::{Example, Result, Truth, sensor};

/// The slowest and the fastest music, in beats per minute.
pub const TEMPO_BPM: std::ops::RangeInclusive<f64> = 120.0..=190.0;

/// Number of dances in the database, and of patterns in the test dances.
const DATABASE_DANCES: usize = 12;
const TEST_PATTERNS: [usize; 3] = [24, 30, 37];
const TEST_TEMPO_BPM: [f64; 3] = [120.0, 152.0, 190.0];

/// The database: twelve dances, each of the seven patterns, seven of them with one more, at tempos from 120 to 190.
pub fn database(settings: &LindySettings) -> Result<Vec<Example>> {
    settings.validate()?;
    let mut rng = rng_stream(settings.seed, 0);
    let dances = (0..DATABASE_DANCES).map(|i| {
        let extra = i * 7 / DATABASE_DANCES != (i + 1) * 7 / DATABASE_DANCES;
        let order = sequence::shuffled(extra, &mut rng);
        let share = (i as f64 + rng.random_range(0.0..1.0)) / DATABASE_DANCES as f64;
        let tempo_bpm = TEMPO_BPM.start() + share * (TEMPO_BPM.end() - TEMPO_BPM.start());
        let seed = settings.seed.wrapping_mul(64).wrapping_add(i as u64);
        generate(
            &format!("lindy-{:02}", i + 1),
            &LindySettings { seed, ..settings.clone() },
            &order,
            tempo_bpm,
        )
    });
    dances.collect()
}

/// The test dances: three improvised dances of 91 patterns in total, at 120, 152 and 190 beats per minute.
pub fn tests(settings: &LindySettings) -> Result<Vec<Example>> {
    settings.validate()?;
    let orders = sequence::improvised(&TEST_PATTERNS, &mut rng_stream(settings.seed, 1));
    let dances = orders.iter().zip(TEST_TEMPO_BPM).enumerate().map(|(i, (order, tempo_bpm))| {
        let seed = settings.seed.wrapping_mul(64).wrapping_add(32 + i as u64);
        generate(
            &format!("lindy-test-{}", i + 1),
            &LindySettings { seed, ..settings.clone() },
            order,
            tempo_bpm,
        )
    });
    dances.collect()
}

/// One dance of consecutive patterns.
///
/// ```
/// use marey_examples::lindy::{DATABASE, LindySettings, dance, patterns};
/// let example = dance(&LindySettings::default(), &DATABASE[..2], 150.0)?;
/// assert_eq!(example.take.actors().len(), 2);
/// assert_eq!(patterns(&example.truth), DATABASE[..2]);
/// // Two patterns of eight beats; cuts at every second beat and at the end.
/// assert_eq!((example.truth.beats().len(), example.truth.cuts().len()), (17, 9));
/// // The second pattern ends in a crosshand stance, so the third, which starts in the open stance, does not follow.
/// assert!(dance(&LindySettings::default(), &DATABASE[1..3], 150.0).is_err());
/// # Ok::<(), marey_examples::ExamplesError>(())
/// ```
pub fn dance(settings: &LindySettings, patterns: &[Pattern], tempo_bpm: f64) -> Result<Example> {
    settings.validate()?;
    generate("lindy", settings, patterns, tempo_bpm)
}

fn generate(name: &str, settings: &LindySettings, patterns: &[Pattern], tempo_bpm: f64) -> Result<Example> {
    marey_ops::OutOfRange::check("tempo_bpm", tempo_bpm, TEMPO_BPM)?;
    pattern::check(patterns)?;
    let score = Score::new(patterns, tempo_bpm);
    let couple = cast::couple(settings, &score, &mut rng_stream(settings.seed, 2))?;
    let frames = (score.duration_secs() * settings.rate_hz).round() as usize;
    let take = couple.record(name, Clock { rate_hz: settings.rate_hz, frames })?;
    let truth = truth(&take, &couple, &score)?;
    let take = sensor::captured_take(take, settings.noise_mm, &mut rng_stream(settings.seed, 3))?;
    Ok(Example { take, truth })
}

fn truth(take: &Take, couple: &Couple, score: &Score) -> Result<Truth> {
    let clock = Clock::of(take);
    let (mut cuts, mut labels) = (Vec::new(), Vec::new());
    let mut last = ("ready".to_owned(), 0);
    for (i, transition) in score.transitions.iter().enumerate() {
        for half in 0..2 {
            let at = clock.frame_at(score.secs_at((4 * i + 2 * half) as f64));
            cuts.push(Marker::new(["1", "3", "5", "7"][2 * (i % 2) + half], at, clock.frames)?);
            labels.push(Tag::new(last.0, last.1..at, clock.frames)?);
            last = (transition.label(half), at);
        }
    }
    let end = clock.frame_at(score.secs_at(score.beats() as f64));
    cuts.push(Marker::new("end", end, clock.frames)?);
    labels.push(Tag::new(last.0, last.1..end, clock.frames)?);
    labels.push(Tag::new("rest", end..clock.frames, clock.frames)?);
    let beats: Vec<f64> = (0..=score.beats()).map(|beat| score.secs_at(beat as f64)).collect();
    couple.truth(take, &beats, cuts, labels)
}
