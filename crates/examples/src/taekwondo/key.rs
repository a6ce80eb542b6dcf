//! Key poses of a fighter, without the feet.

use crate::curve::Curve;

/// Number of values in a [`Key`].
const COUNT: usize = 17;
/// Smoothing between keys: a moving average over this many seconds, applied three times.
const SMOOTHING_SECS: f64 = 0.065;

/// A key pose of a fighter in a left-foot-forward stance who faces +Z. It is mirrored for the other stance. In metres and radians;
/// lengths are for a body of 1.72 m.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Key {
    /// Offset of the pelvis: above the level of the legs, forward of the middle of the stance, and to the left of it.
    pub(super) rise: f64,
    pub(super) ahead: f64,
    pub(super) sideways: f64,
    /// Rotation of the pelvis: to the left, tilted to the right, tilted forward.
    pub(super) hips: [f64; 3],
    /// World rotation of the chest, likewise.
    pub(super) chest: [f64; 3],
    /// Position of the lead wrist relative to the upper chest, in its frame: to the left, up, forward.
    pub(super) lead: [f64; 3],
    /// Position of the rear wrist, likewise.
    pub(super) rear: [f64; 3],
    /// Tilt of the head to the right and forward.
    pub(super) head: [f64; 2],
}

impl Key {
    /// The fighting stance.
    pub(super) const GUARD: Key = Key {
        rise: -0.035,
        ahead: 0.0,
        sideways: 0.0,
        hips: [-0.55, 0.0, 0.06],
        chest: [-0.45, 0.0, 0.16],
        lead: [0.12, 0.09, 0.36],
        rear: [-0.11, 0.08, 0.24],
        head: [0.0, 0.06],
    };

    fn values(&self) -> [f64; COUNT] {
        let [a, b, c] = self.hips;
        let [d, e, f] = self.chest;
        let [g, h, i] = self.lead;
        let [j, k, l] = self.rear;
        let [m, n] = self.head;
        [self.rise, self.ahead, self.sideways, a, b, c, d, e, f, g, h, i, j, k, l, m, n]
    }

    fn of(values: [f64; COUNT]) -> Self {
        let [rise, ahead, sideways, a, b, c, d, e, f, g, h, i, j, k, l, m, n] = values;
        Self {
            rise,
            ahead,
            sideways,
            hips: [a, b, c],
            chest: [d, e, f],
            lead: [g, h, i],
            rear: [j, k, l],
            head: [m, n],
        }
    }
}

/// Interpolated keys.
#[derive(Debug, Clone)]
pub(super) struct Keys {
    curves: [Curve; COUNT],
}

impl Keys {
    /// Smooth interpolation of keys, which are sorted by time.
    pub(super) fn through(keys: &[(f64, Key)], duration_secs: f64) -> Self {
        let curves = std::array::from_fn(|i| {
            let nodes: Vec<(f64, f64)> = keys.iter().map(|(secs, key)| (*secs, key.values()[i])).collect();
            Curve::polyline(duration_secs, &nodes).smoothed(SMOOTHING_SECS)
        });
        Self { curves }
    }

    pub(super) fn at(&self, secs: f64) -> Key {
        Key::of(self.curves.each_ref().map(|curve| curve.at(secs)))
    }
}
