//! Easing curves: from 0 to 1 without a jump in velocity.

/// The cubic 3t² − 2t³: level at 0 and 1. Values outside 0 to 1 are clamped.
///
/// ```
/// use marey_motion::smoothstep;
/// assert_eq!([-1.0, 0.0, 0.5, 1.0, 2.0].map(smoothstep), [0.0, 0.0, 0.5, 1.0, 1.0]);
/// ```
pub fn smoothstep(t: f32) -> f32 {
    let t = t.clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// The quintic 10t³ − 15t⁴ + 6t⁵ of minimum jerk: neither velocity nor acceleration jumps at 0 and 1. Values outside 0 to 1
/// are clamped.
///
/// ```
/// use marey_motion::smootherstep;
/// assert_eq!([-1.0, 0.0, 0.5, 1.0, 2.0].map(smootherstep), [0.0, 0.0, 0.5, 1.0, 1.0]);
/// ```
pub fn smootherstep(t: f32) -> f32 {
    let t = t.clamp(0.0, 1.0);
    t * t * t * (10.0 - 15.0 * t + 6.0 * t * t)
}
