//! Obstacles between take-off and landing.

use crate::terrain_profile::TerrainProfile;
use crate::{AdaptationEasing, Footing, MotionPrimitive};
use marey_motion::Vec2;

/// Penetration below this counts as touching, in metres.
pub(crate) const TOUCH_M: f32 = 1e-5;

/// Penetration of a standing base up to this counts as rocking, in metres; beyond it the hop is impossible.
pub(crate) const ROCK_M: f32 = 0.01;

/// The lift that a hop needs in the middle of its flight to clear the terrain between two footings, in metres, tested at
/// its outline frames. 0 without an obstacle, ∞ if the character would stand in the ground.
pub(crate) fn lift_m(
    primitive: &MotionPrimitive,
    [from, to]: [&Footing; 2],
    half_length_m: f32,
    easing: AdaptationEasing,
    profile: &TerrainProfile,
) -> f32 {
    let adaptation = (to.position - from.position) - primitive.displacement();
    let mut lift_m = 0f32;
    for frame in &primitive.outline {
        let alpha = easing.alpha(frame.fraction);
        let sole = from.position + frame.sole + alpha * adaptation;
        let slope = frame.tilt_rad + from.slope_rad + alpha * (to.slope_rad - from.slope_rad);
        // The lift found so far already raises this frame, and a standing base may rock.
        let weight = easing.bump(frame.fraction);
        let raised_m = if weight > 0.0 { lift_m * weight } else { ROCK_M };
        // Fast path: most of the time the whole character is above the terrain near it.
        let lowest_m = sole.y + frame.low.y.min(-half_length_m * slope.abs());
        let from_m = sole.x + frame.low.x.min(-half_length_m);
        let to_m = sole.x + frame.high.x.max(half_length_m);
        if profile.ceiling_m(from_m, to_m) <= lowest_m + raised_m {
            continue;
        }
        let half = half_length_m * Vec2::from_angle(slope);
        let sole_m = profile.lift_beyond(raised_m, sole - half, sole + half);
        let bones = frame.bones.iter();
        let bones_m = bones.fold(raised_m, |m, [a, b]| profile.lift_beyond(m, sole + *a, sole + *b));
        let needed_m = sole_m.max(bones_m);
        if weight > 0.0 {
            lift_m = lift_m.max(needed_m / weight);
        } else if needed_m > ROCK_M {
            return f32::INFINITY;
        }
    }
    lift_m
}

/// A smooth curve that is nowhere below the needed height and is 0 at both ends if nothing is needed there: the moving
/// average of the moving maximum. Windows narrow towards the ends.
pub(crate) fn smooth_lift(needed_m: &[f32], window: usize) -> Vec<f32> {
    let last = needed_m.len().saturating_sub(1);
    let around = |frame: usize| {
        let half = (window / 2).min(frame / 2).min((last - frame) / 2);
        frame - half..frame + half + 1
    };
    let maxima: Vec<f32> = (0..needed_m.len())
        .map(|frame| needed_m[around(frame)].iter().copied().fold(0.0, f32::max))
        .collect();
    let mean = |frame: usize| {
        let window = around(frame);
        let count = window.len() as f32;
        maxima[window].iter().sum::<f32>() / count
    };
    (0..needed_m.len()).map(|frame| mean(frame).max(needed_m[frame])).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn smooth_lift_is_nowhere_below_the_needed_lift_and_ends_at_zero(
            middle in prop::collection::vec(0f32..0.1, 1..60), window in 0usize..20,
        ) {
            let needed: Vec<f32> = std::iter::once(0.0).chain(middle).chain([0.0]).collect();
            let lift = smooth_lift(&needed, window);
            prop_assert!(lift.iter().zip(&needed).all(|(lift, needed)| lift >= needed && *lift <= 0.1));
            prop_assert_eq!((lift[0], *lift.last().unwrap()), (0.0, 0.0));
        }
    }
}
