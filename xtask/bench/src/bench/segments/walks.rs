//! Hours of walking, by people of different builds and styles.

use marey_body::BodyProportions;
use marey_examples::GaitStyle;
use marey_examples::walk::{WalkSettings, walk};
use marey_motion::Clip;

/// The duration of one walk, in seconds.
const WALK_SECS: f64 = 300.0;

/// Walks at 30 Hz, each by another person, with this many frames in total.
pub(super) fn walks(frames: usize, first_seed: u64) -> Vec<Clip> {
    let walks = (frames as f64 / (30.0 * WALK_SECS)).ceil() as u64;
    (first_seed..first_seed + walks)
        .filter_map(|seed| match walk(&settings(seed)) {
            Ok(example) => Some(example.take.first().clone()),
            Err(error) => {
                eprintln!("seed {seed} is skipped: {error}");
                None
            }
        })
        .collect()
}

/// A person whose traits vary independently from seed to seed.
fn settings(seed: u64) -> WalkSettings {
    // The fractional parts of the multiples of an irrational number fill a range evenly.
    let between = |low: f32, high: f32, step: f64| low + (high - low) * (seed as f64 * step).fract() as f32;
    WalkSettings {
        seed,
        duration_secs: WALK_SECS,
        rate_hz: 30.0,
        body: BodyProportions { height_m: between(1.5, 1.88, 0.618_034), ..BodyProportions::default() },
        style: GaitStyle {
            speed_mps: between(0.7, 1.6, 0.414_214),
            step_width_m: between(0.07, 0.2, 0.732_051),
            toe_out_rad: between(-0.05, 0.3, 0.236_068),
            arm_swing: between(0.3, 1.7, 0.645_751),
            bounce: between(0.4, 1.4, 0.316_625),
            sway: between(0.3, 1.7, 0.605_551),
            lean_rad: between(-0.05, 0.2, 0.123_106),
            ..GaitStyle::default()
        },
        noise_mm: 1.0,
        ..WalkSettings::default()
    }
}
