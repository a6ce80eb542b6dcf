//! A couple waltzes around a floor in unison: boxes, turns to either side, and travelling bars.
//!
//! Each bar has three steps, one per beat: the leader steps forward or back, to the side, and closes; the follower mirrors it. The body
//! is low on the first beat and high between the second and the third. Left and right always alternate, and the leader starts with the
//! left foot in even bars.
//!
//! Truth: heel and ball contacts of both; beats; a cut at each bar, named `bar`, and one at the `end`; labels `ready`,
//! `box`, `left turn`, `right turn`, `ahead`, `rest`; holds: the leader's left hand in the follower's right, the leader's
//! right hand on the follower's back, the follower's left hand on the leader's shoulder, all the time.

mod bars;
mod settings;

use std::f64::consts::{PI, TAU};

use bars::{BEATS, Bars};
use marey_motion::{Marker, Side, Tag, Take};
pub use settings::WaltzSettings;

use crate::clock::Clock;
use crate::couple::{
    Couple, Dancer, DancerPosture, Embrace, Footfall, Goal, Grip, Hands, OFFSET_M, OPEN_RAD, Path, footsteps,
    idle_motion,
};
use crate::curve::Curve;
use crate::figure::Figure;
use crate::random::{SmoothNoise, normal, rng_stream};
use crate::{Example, Result, Truth, sensor};

/// Amplitude of the rise and fall, in metres.
const RISE_M: f64 = 0.018;

/// Generates a waltz.
///
/// ```
/// use marey_examples::waltz::{WaltzSettings, waltz};
/// let settings = WaltzSettings { duration_secs: 12.0, ..WaltzSettings::default() };
/// let example = waltz(&settings)?;
/// assert_eq!(example.take.actors()[1].name, "follower");
/// assert_eq!(example.take.frames(), 720);
/// // Three holds, all the time.
/// assert!(example.truth.holds().iter().all(|hold| hold.frames == (0..720)));
/// assert_eq!(example.truth.holds().len(), 3);
/// # Ok::<(), marey_examples::ExamplesError>(())
/// ```
pub fn waltz(settings: &WaltzSettings) -> Result<Example> {
    settings.validate()?;
    let bars = Bars::plan(settings, &mut rng_stream(settings.seed, 0));
    let couple = couple(settings, &bars)?;
    let frames = (settings.duration_secs * settings.rate_hz).round() as usize;
    let take = couple.record("waltz", Clock { rate_hz: settings.rate_hz, frames })?;
    let truth = truth(&take, &couple, &bars)?;
    let take = sensor::captured_take(take, settings.noise_mm, &mut rng_stream(settings.seed, 2))?;
    Ok(Example { take, truth })
}

fn couple(settings: &WaltzSettings, bars: &Bars) -> Result<Couple> {
    let mut rng = rng_stream(settings.seed, 1);
    let figures = [Figure::new(&settings.leader)?, Figure::new(&settings.follower)?];
    let embrace = Embrace::of(&figures[0], &figures[1]);
    let secs = settings.duration_secs;
    let middle = bars.path(secs);
    let half = 0.5 * embrace.apart_m;
    let paths: [Path; 2] = [
        middle.offset_by(secs, |_| [OFFSET_M, -half, OPEN_RAD]),
        middle.offset_by(secs, |_| [-OFFSET_M, half, PI - OPEN_RAD]),
    ];
    let [leader, follower] = figures;
    let mut dancer = |figure: Figure, path: &Path, first: Side| {
        let mut side = first;
        let falls = (0..bars.beats() + 2).map(|beat| {
            let late_secs = (0.005 * normal(&mut rng)).clamp(-0.012, 0.012);
            let ahead_m = (0.008 * normal(&mut rng) as f32).clamp(-0.015, 0.015);
            let fall = Footfall { side, secs: bars.secs_at(beat as f64) + late_secs, ahead_m, out_m: 0.0 };
            side = side.other();
            fall
        });
        let steps = footsteps(path, &falls.collect::<Vec<_>>());
        let [lean, twist] = [6.0, 5.0].map(|period_secs| SmoothNoise::new(&mut rng, period_secs));
        let posture = DancerPosture {
            rise_m: Curve::sampled(secs, |secs| rise_m(bars, secs)),
            lean_rad: Curve::sampled(secs, |secs| 0.01 + 0.006 * lean.at(secs)),
            twist_rad: Curve::sampled(secs, |secs| 0.015 * twist.at(secs)),
        };
        Dancer::new(figure, path.clone(), steps, posture, secs)
    };
    let dancers = [dancer(leader, &paths[0], Side::Left), dancer(follower, &paths[1], Side::Right)];
    let always = |value: f64| Curve::sampled(0.0, |_| value);
    Ok(Couple {
        dancers,
        hands: [
            [Hands::always(Goal::Held), Hands::always(embrace.on_follower)],
            [Hands::always(embrace.on_leader), Hands::always(Goal::Held)],
        ],
        grip: Grip { embrace: always(1.0), raise: always(0.0), sideways_m: always(0.03), up_m: 0.10 },
        elbows: 0.8,
        idle_motion: idle_motion(&mut rng),
    })
}

/// The rise and fall: low on the first beat, high after the second, zero before and after the dance.
fn rise_m(bars: &Bars, secs: f64) -> f64 {
    let beat = bars.beat_at(secs);
    let begun = ((beat + 1.0) / 2.0).clamp(0.0, 1.0);
    let not_over = ((bars.beats() as f64 + 1.0 - beat) / 2.0).clamp(0.0, 1.0);
    -RISE_M * begun * not_over * (1.0 + (TAU * (beat - 0.25) / BEATS as f64).cos())
}

fn truth(take: &Take, couple: &Couple, bars: &Bars) -> Result<Truth> {
    let clock = Clock::of(take);
    let (mut cuts, mut labels) = (Vec::new(), Vec::new());
    let mut last = ("ready", 0);
    for (i, label) in bars.labels().enumerate() {
        let at = clock.frame_at(bars.secs_at((BEATS * i) as f64));
        cuts.push(Marker::new("bar", at, clock.frames)?);
        if label != last.0 {
            labels.push(Tag::new(last.0, last.1..at, clock.frames)?);
            last = (label, at);
        }
    }
    let end = clock.frame_at(bars.secs_at(bars.beats() as f64));
    cuts.push(Marker::new("end", end, clock.frames)?);
    labels.push(Tag::new(last.0, last.1..end, clock.frames)?);
    labels.push(Tag::new("rest", end..clock.frames, clock.frames)?);
    let beats: Vec<f64> = (0..=bars.beats()).map(|beat| bars.secs_at(beat as f64)).collect();
    couple.truth(take, &beats, cuts, labels)
}
