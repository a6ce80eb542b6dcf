//! A rotation that follows a target without a jerk.

use marey_motion::Vec3;

/// Growth rate, in 1/s; reaching the target takes about four times its inverse.
const GROWTH_PER_SEC: f32 = 60.0;

/// Decay rate, in 1/s; slower, because a released foot stays near the floor for a while.
const DECAY_PER_SEC: f32 = 30.0;

/// Smaller rotations are set to zero, in radians.
const NEGLIGIBLE_RAD: f32 = 1e-4;

/// A rotation that follows another as a critically damped spring.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct SmoothedRotation {
    at: Vec3,
    per_sec: Vec3,
}

impl SmoothedRotation {
    /// Advances by `secs` seconds; resets to zero at once if no rotation is allowed.
    pub(super) fn towards(&mut self, wanted: Option<Vec3>, secs: f32) -> Vec3 {
        let Some(wanted) = wanted else {
            *self = Self::default();
            return Vec3::ZERO;
        };
        let grows = wanted.length_squared() > self.at.length_squared();
        let per_sec = if grows { GROWTH_PER_SEC } else { DECAY_PER_SEC };
        let (off, left) = (self.at - wanted, (-per_sec * secs).exp());
        let carried = (self.per_sec + off * per_sec) * secs;
        self.per_sec = (self.per_sec - carried * per_sec) * left;
        self.at = wanted + (off + carried) * left;
        if wanted == Vec3::ZERO && self.at.abs().max_element() < NEGLIGIBLE_RAD {
            *self = Self::default();
        }
        self.at
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_converges_and_decays_to_zero() {
        let (mut smoothed_rotation, secs) = (SmoothedRotation::default(), 1.0 / 60.0);
        let mut last = 0.0;
        for _ in 0..30 {
            let at = smoothed_rotation.towards(Some(Vec3::X), secs).x;
            assert!((last..=1.0 + 1e-5).contains(&at), "{last} {at}");
            last = at;
        }
        assert!(last > 0.999);
        let back: Vec<f32> = (0..60).map(|_| smoothed_rotation.towards(Some(Vec3::ZERO), secs).x).collect();
        assert!(back.windows(2).all(|pair| pair[1] <= pair[0] && pair[1] >= 0.0) && back[59] == 0.0);
        smoothed_rotation.towards(Some(Vec3::X), secs);
        assert_eq!(smoothed_rotation.towards(None, secs), Vec3::ZERO);
        assert_eq!(smoothed_rotation.towards(Some(Vec3::ZERO), secs), Vec3::ZERO);
    }
}
