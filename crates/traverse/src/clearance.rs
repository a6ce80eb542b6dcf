//! What is in the way between start and landing.

use crate::profile::Profile;
use crate::{Footing, Phase, Primitive};
use marey_motion::Vec2;

/// What is in the ground by less touches it, in metres.
pub(crate) const TOUCH_M: f32 = 1e-5;

/// A base that stands rocks on the ground no deeper, in metres; what is deeper would stand in it.
pub(crate) const ROCK_M: f32 = 0.01;

/// How far the arc of a hop must be lifted in its middle to be nowhere in the ground, in metres, when it is bent from one
/// footing to another: at the instants of its outline. 0 where nothing is in the way, ∞ where the figure would stand in the ground.
pub(crate) fn lift_m(
    primitive: &Primitive,
    [from, to]: [&Footing; 2],
    half_m: f32,
    phase: Phase,
    profile: &Profile,
) -> f32 {
    let bend = (to.at - from.at) - primitive.lead();
    let mut lift_m = 0f32;
    for instant in &primitive.outline {
        let alpha = phase.alpha(instant.share);
        let sole = from.at + instant.sole + alpha * bend;
        let slope = instant.tilt_rad + from.slope_rad + alpha * (to.slope_rad - from.slope_rad);
        // What is known to be needed lifts it here already, and a base may rock where it stands.
        let lifted = phase.lifted(instant.share);
        let there_m = if lifted > 0.0 { lift_m * lifted } else { ROCK_M };
        // Mostly all of the figure is above all of the ground near it.
        let lowest_m = sole.y + instant.low.y.min(-half_m * slope.abs());
        let from_m = sole.x + instant.low.x.min(-half_m);
        let to_m = sole.x + instant.high.x.max(half_m);
        if profile.ceiling_m(from_m, to_m) <= lowest_m + there_m {
            continue;
        }
        let half = half_m * Vec2::from_angle(slope);
        let sole_m = profile.lift_beyond(there_m, sole - half, sole + half);
        let bones = instant.bones.iter();
        let bones_m = bones.fold(there_m, |m, [a, b]| profile.lift_beyond(m, sole + *a, sole + *b));
        let needed_m = sole_m.max(bones_m);
        if lifted > 0.0 {
            lift_m = lift_m.max(needed_m / lifted);
        } else if needed_m > ROCK_M {
            return f32::INFINITY;
        }
    }
    lift_m
}

/// A curve that is nowhere less than is needed, 0 at both ends where nothing is needed there, and smooth between: the mean
/// over a window of the most that is needed within a window. Towards the ends windows narrow.
pub(crate) fn smooth_lift(needed_m: &[f32], window: usize) -> Vec<f32> {
    let last = needed_m.len().saturating_sub(1);
    let around = |frame: usize| {
        let reach = (window / 2).min(frame / 2).min((last - frame) / 2);
        frame - reach..frame + reach + 1
    };
    let most: Vec<f32> = (0..needed_m.len())
        .map(|frame| needed_m[around(frame)].iter().copied().fold(0.0, f32::max))
        .collect();
    let mean = |frame: usize| {
        let window = around(frame);
        let count = window.len() as f32;
        most[window].iter().sum::<f32>() / count
    };
    (0..needed_m.len()).map(|frame| mean(frame).max(needed_m[frame])).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn lifts_are_enough_and_end_where_nothing_is_needed(
            middle in prop::collection::vec(0f32..0.1, 1..60), window in 0usize..20,
        ) {
            let needed: Vec<f32> = std::iter::once(0.0).chain(middle).chain([0.0]).collect();
            let lift = smooth_lift(&needed, window);
            prop_assert!(lift.iter().zip(&needed).all(|(lift, needed)| lift >= needed && *lift <= 0.1));
            prop_assert_eq!((lift[0], *lift.last().unwrap()), (0.0, 0.0));
        }
    }
}
