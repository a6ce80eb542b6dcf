//! Easing curves: from 0 to 1 without a jump in velocity.

use std::ops::{Add, Mul, Sub};

/// `f32` or `f64`.
pub trait EaseNumber:
    Copy + PartialOrd + From<f32> + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self>
{
}

impl EaseNumber for f32 {}
impl EaseNumber for f64 {}

/// The cubic 3t² − 2t³: level at 0 and 1. Values outside 0 to 1 are clamped.
///
/// ```
/// use marey_motion::smoothstep;
/// assert_eq!([-1.0, 0.0, 0.5, 1.0, 2.0].map(smoothstep::<f32>), [0.0, 0.0, 0.5, 1.0, 1.0]);
/// ```
pub fn smoothstep<T: EaseNumber>(t: T) -> T {
    let t = clamped(t);
    t * t * (T::from(3.0) - T::from(2.0) * t)
}

/// The quintic 10t³ − 15t⁴ + 6t⁵ of minimum jerk: neither velocity nor acceleration jumps at 0 and 1. Values outside 0 to 1
/// are clamped.
///
/// ```
/// use marey_motion::smootherstep;
/// assert_eq!([-1.0, 0.0, 0.5, 1.0, 2.0].map(smootherstep::<f32>), [0.0, 0.0, 0.5, 1.0, 1.0]);
/// ```
pub fn smootherstep<T: EaseNumber>(t: T) -> T {
    let t = clamped(t);
    t * t * t * (T::from(10.0) + t * (T::from(6.0) * t - T::from(15.0)))
}

/// `t`, at least 0 and at most 1. NaN stays NaN.
fn clamped<T: EaseNumber>(t: T) -> T {
    let (low, high) = (T::from(0.0), T::from(1.0));
    if t < low {
        low
    } else if t > high {
        high
    } else {
        t
    }
}
