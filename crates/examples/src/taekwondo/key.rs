//! How a fighter carries the body at an instant, beside where the feet are.

use crate::curve::Curve;

/// How many numbers a [`Key`] has.
const COUNT: usize = 17;
/// How far lines between keys are smoothed: three means of this many seconds.
const SMOOTHING_SECS: f64 = 0.065;

/// A carriage of the body, for a fighter whose left foot is ahead and who faces +Z; the other one's is its mirror image. In
/// metres and radians; lengths are for a body of 1.72 m.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Key {
    /// The pelvis above what the legs allow, and ahead and to the left of the stance's middle.
    pub(super) rise: f64,
    pub(super) ahead: f64,
    pub(super) aside: f64,
    /// The pelvis turned to the left, tipped to the right, tipped forward.
    pub(super) hips: [f64; 3],
    /// The chest likewise, in the world.
    pub(super) chest: [f64; 3],
    /// The wrist of the leading side from the upper chest, in the chest's frame: to the left, up, ahead.
    pub(super) lead: [f64; 3],
    /// The wrist of the rear side.
    pub(super) rear: [f64; 3],
    /// The head tipped to the right and forward.
    pub(super) head: [f64; 2],
}

impl Key {
    /// The fighting stance.
    pub(super) const GUARD: Key = Key {
        rise: -0.035,
        ahead: 0.0,
        aside: 0.0,
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
        [self.rise, self.ahead, self.aside, a, b, c, d, e, f, g, h, i, j, k, l, m, n]
    }

    fn of(values: [f64; COUNT]) -> Self {
        let [rise, ahead, aside, a, b, c, d, e, f, g, h, i, j, k, l, m, n] = values;
        Self {
            rise,
            ahead,
            aside,
            hips: [a, b, c],
            chest: [d, e, f],
            lead: [g, h, i],
            rear: [j, k, l],
            head: [m, n],
        }
    }
}

/// Keys in time, read between them.
#[derive(Debug, Clone)]
pub(super) struct Keys {
    curves: [Curve; COUNT],
}

impl Keys {
    /// Smooth lines through keys, sorted by time.
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
