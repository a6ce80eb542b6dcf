//! How a movement is kept to a line at the least cost to its feet.
//!
//! A movement leads where it leads, and the line elsewhere. What is added to its way over the floor is found for all frames at once: of
//! all shifts s that begin with nothing, those for which
//!
//! Σ |o + s|² + Σ |T s′|² + Σ |B² s″|²
//!
//! is least. To be off the line costs; to be dragged costs, by how many feet stand; to be pushed costs a little. It is one banded
//! system of equations, the same for both axes, and is solved from the one end and back. So what a step leads astray is taken back
//! while that step is made, or the next, and what feet that stand have to bear is little enough for their legs.
//!
//! | symbol | name | unit |
//! |---|---|---|
//! | o | `off`: how far it is from the line, if nothing is done | m |
//! | s | the shift | m |
//! | T | [`DRAG_SECS`] | s |
//! | B | [`PUSH_SECS`] | s |
//!
//! Limits: what comes after the movement is not known yet.

use marey_motion::Vec3;

/// How long it takes to be brought back to a line while no, one, or both feet stand, in seconds.
const DRAG_SECS: [f64; 3] = [0.05, 0.4, 0.8];
/// How long it takes to be pushed, in seconds.
const PUSH_SECS: f64 = 0.08;

/// How far a movement is shifted in each frame. `off` is from each frame's place to where it should be, and `standing` how many feet stand
/// from a frame to the next.
pub(crate) fn shifts(off: &[Vec3], standing: impl Fn(usize) -> usize, rate_hz: f64) -> Vec<Vec3> {
    let drag = |frame: usize| DRAG_SECS[standing(frame).min(2)] * rate_hz;
    let push = (PUSH_SECS * rate_hz).powi(2);
    let mut system = Banded::new(off.len().saturating_sub(1));
    for (frame, off) in off.iter().enumerate().skip(1) {
        // The first is known, and so is what was before it: nothing.
        let at = frame as isize - 1;
        system.add(at, [1.0, 0.0, 0.0], *off);
        system.add(at - 1, [-drag(frame - 1), drag(frame - 1), 0.0], Vec3::ZERO);
        system.add(at - 2, [push, -2.0 * push, push], Vec3::ZERO);
    }
    let mut shifts = vec![Vec3::ZERO];
    shifts.extend(system.solved());
    shifts.truncate(off.len());
    shifts
}

/// Linear equations, each between three neighbours, to be met as well as can be.
struct Banded {
    /// Of the normal equations: each with itself, with the next, and with the one after.
    bands: Vec<[f64; 3]>,
    right: Vec<[f64; 2]>,
}

impl Banded {
    fn new(unknowns: usize) -> Self {
        Self { bands: vec![[0.0; 3]; unknowns], right: vec![[0.0; 2]; unknowns] }
    }

    /// Asks three neighbours, from one on, to add up to something. Those before the first are 0.
    fn add(&mut self, first: isize, factors: [f64; 3], sum: Vec3) {
        for (i, &factor) in factors.iter().enumerate() {
            let Ok(row) = usize::try_from(first + i as isize) else { continue };
            if factor == 0.0 || row >= self.bands.len() {
                continue;
            }
            for (band, &other) in factors[i..].iter().enumerate() {
                self.bands[row][band] += factor * other;
            }
            self.right[row][0] += factor * f64::from(sum.x);
            self.right[row][1] += factor * f64::from(sum.z);
        }
    }

    /// The unknowns, by elimination. Every one of them has an equation of its own, so that there is something to divide by.
    fn solved(mut self) -> Vec<Vec3> {
        let count = self.bands.len();
        for i in 0..count {
            let [own, next, after] = self.bands[i];
            for (away, beside) in [(1, next), (2, after)] {
                let share = beside / own;
                if i + away >= count {
                    continue;
                }
                self.bands[i + away][0] -= share * beside;
                if away == 1 {
                    self.bands[i + 1][1] -= share * after;
                }
                for axis in 0..2 {
                    self.right[i + away][axis] -= share * self.right[i][axis];
                }
            }
        }
        let mut found = vec![[0.0; 2]; count + 2];
        for i in (0..count).rev() {
            let [own, next, after] = self.bands[i];
            found[i] = [0, 1].map(|axis| {
                (self.right[i][axis] - next * found[i + 1][axis] - after * found[i + 2][axis]) / own
            });
        }
        found.truncate(count);
        found.into_iter().map(|[x, z]| Vec3::new(x as f32, 0.0, z as f32)).collect()
    }
}
