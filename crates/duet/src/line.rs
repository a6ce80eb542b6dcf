//! How a movement is shifted at the least cost to its feet: along a line, or to a place.
//!
//! A movement leads where it leads, and the line elsewhere. What is added to its way over the floor is found for all frames at once: of
//! all shifts s that begin with nothing, those for which
//!
//! ∫ |s − o|² + |T s′|² + |B² s″|² dt + E |s − o|² at the end
//!
//! is least. To be off the line costs; to be dragged costs, by how many feet stand; to be pushed costs a little; and where it ends is where
//! the next one begins. It is one banded system of equations, the same for both axes, solved from the one end and back. So what a
//! step leads astray is taken back while that step is made, or the next, and what feet that stand have to bear is little enough for
//! their legs.
//!
//! | symbol | name | unit |
//! |---|---|---|
//! | o | `off`: what it would take to be on the line | m |
//! | s | the shift | m |
//! | T | [`DRAG_SECS`] | s |
//! | B | [`PUSH_SECS`] | s |
//! | E | [`END_SECS`] | s |
//!
//! Where there is no line but only somewhere to get to, the same measure without its first term says how to get there ([`shares`]).
//!
//! Limits: what comes after the movement is not known yet.

use marey_motion::Vec3;

/// How long it takes to be brought back to a line while no, one, or both feet stand, in seconds.
const DRAG_SECS: [f64; 3] = [0.02, 0.3, 0.8];
/// How long it takes to be pushed, in seconds.
const PUSH_SECS: f64 = 0.08;
/// For how long the last frame counts, in seconds.
const END_SECS: f64 = 0.3;

/// How far a movement is shifted in each frame. `off` is from each frame's place to where it should be, and `standing` how many feet
/// stand from a frame to the next.
pub(crate) fn shifts(off: &[Vec3], standing: impl Fn(usize) -> usize, rate_hz: f64) -> Vec<Vec3> {
    let mut system = Banded::dragged(off.len(), standing, rate_hz);
    for (frame, off) in off.iter().enumerate().skip(1) {
        system.add(frame, [1.0, 0.0, 0.0], *off);
    }
    if let [_, .., last] = off {
        let end = (END_SECS * rate_hz).sqrt();
        system.add(off.len() - 1, [end, 0.0, 0.0], *last * end as f32);
    }
    system.solved()
}

/// How much of a turn and a shift is done by each frame until the last, from 0 to 1, where nothing is asked but that it be done: at the least
/// cost by the same measure, and at rest at the end.
pub(crate) fn shares(frames: usize, standing: impl Fn(usize) -> usize, rate_hz: f64) -> Vec<f32> {
    let mut system = Banded::dragged(frames, standing, rate_hz);
    let last = frames.saturating_sub(1);
    if last > 0 {
        let push = push(rate_hz);
        system.add(last - 1, [push, -push, 0.0], Vec3::ZERO);
        system.add(last, [1.0, 0.0, 0.0], Vec3::X);
    }
    let shares = system.solved();
    // What it comes to at the end does not change what is least on the way to it.
    let whole = shares.last().map_or(1.0, |share| share.x).max(f32::MIN_POSITIVE);
    shares.into_iter().map(|share| share.x / whole).collect()
}

fn push(rate_hz: f64) -> f64 {
    (PUSH_SECS * rate_hz).powi(2)
}

/// Linear equations, each between three neighbours, to be met as well as can be.
struct Banded {
    /// Of the normal equations: each with itself, with the next, and with the one after.
    bands: Vec<[f64; 3]>,
    right: Vec<[f64; 2]>,
}

impl Banded {
    /// Frames that are not to be dragged or pushed; the first is 0, as what was before it.
    fn dragged(frames: usize, standing: impl Fn(usize) -> usize, rate_hz: f64) -> Self {
        let mut system = Self { bands: vec![[0.0; 3]; frames], right: vec![[0.0; 2]; frames] };
        let push = push(rate_hz);
        for frame in 1..frames {
            let drag = DRAG_SECS[standing(frame - 1).min(2)] * rate_hz;
            system.add(frame - 1, [-drag, drag, 0.0], Vec3::ZERO);
            if frame > 1 {
                system.add(frame - 2, [push, -2.0 * push, push], Vec3::ZERO);
            } else {
                system.add(frame, [push, 0.0, 0.0], Vec3::ZERO);
            }
        }
        system
    }

    /// Asks three neighbours, from one on, to add up to something. The first of all is 0.
    fn add(&mut self, first: usize, factors: [f64; 3], sum: Vec3) {
        for (i, &factor) in factors.iter().enumerate() {
            let row = first + i;
            if factor == 0.0 || row == 0 || row >= self.bands.len() {
                continue;
            }
            for (band, &other) in factors[i..].iter().enumerate() {
                self.bands[row][band] += factor * other;
            }
            self.right[row][0] += factor * f64::from(sum.x);
            self.right[row][1] += factor * f64::from(sum.z);
        }
    }

    /// The unknowns, by elimination. None is dragged for nothing, so that there is always something to divide by.
    fn solved(mut self) -> Vec<Vec3> {
        let count = self.bands.len();
        for i in 1..count {
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
        for i in (1..count).rev() {
            let [own, next, after] = self.bands[i];
            found[i] = [0, 1].map(|axis| {
                (self.right[i][axis] - next * found[i + 1][axis] - after * found[i + 2][axis]) / own
            });
        }
        found.truncate(count);
        found.into_iter().map(|[x, z]| Vec3::new(x as f32, 0.0, z as f32)).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// What is to be least, as it is defined, a frame at a time.
    fn cost(shifts: &[Vec3], off: &[Vec3], standing: &[usize], rate_hz: f64) -> f64 {
        let at = |frame: usize| shifts[frame].as_dvec3();
        let away = |frame: usize| (at(frame) - off[frame].as_dvec3()).length_squared();
        let mut sum = END_SECS * rate_hz * away(shifts.len() - 1);
        for frame in 1..shifts.len() {
            let before = if frame > 1 { at(frame - 2) } else { at(0) };
            let speed = (at(frame) - at(frame - 1)) * rate_hz;
            let push = (at(frame) - 2.0 * at(frame - 1) + before) * rate_hz.powi(2);
            sum += away(frame)
                + (DRAG_SECS[standing[frame - 1]] * speed).length_squared()
                + (PUSH_SECS.powi(2) * push).length_squared();
        }
        sum
    }

    fn places(count: usize) -> impl Strategy<Value = Vec<Vec3>> {
        prop::collection::vec((-0.3f32..0.3, -0.3f32..0.3).prop_map(|(x, z)| Vec3::new(x, 0.0, z)), count)
    }

    proptest! {
        #[test]
        fn no_other_shifts_cost_less(
            off in places(24), standing in prop::collection::vec(0usize..3, 24), other in places(24), rate_hz in 10f64..120.0,
        ) {
            let found = shifts(&off, |frame| standing[frame], rate_hz);
            prop_assert_eq!(found[0], Vec3::ZERO);
            let least = cost(&found, &off, &standing, rate_hz);
            for by in [1e-3f32, -1e-2, 1.0] {
                let mixed: Vec<Vec3> = (0..24).map(|i| found[i] + if i > 0 { other[i] * by } else { Vec3::ZERO }).collect();
                prop_assert!(cost(&mixed, &off, &standing, rate_hz) >= least * (1.0 - 1e-5));
            }
        }
    }

    #[test]
    fn what_is_off_is_made_up_for_in_the_air() {
        // 10 cm off all the way; both feet stand, then none for a third of a second, then both.
        let off = vec![Vec3::X * 0.1; 41];
        let found = shifts(&off, |frame| if (15..25).contains(&frame) { 0 } else { 2 }, 30.0);
        let went = |from: usize, to: usize| found[to].x - found[from].x;
        assert!(went(15, 25) > 0.07, "{}", went(15, 25));
        assert!(went(0, 15) < 0.025 && went(25, 40) < 0.01, "{} {}", went(0, 15), went(25, 40));
        assert!(found.iter().all(|shift| shift.z == 0.0 && shift.x <= 0.105));
    }

    #[test]
    fn what_has_to_be_done_is_done_in_the_air_and_at_rest_at_the_end() {
        let shares = shares(31, |frame| if (10..20).contains(&frame) { 0 } else { 1 }, 30.0);
        assert_eq!((shares[0], shares[30]), (0.0, 1.0));
        assert!(shares.windows(2).all(|pair| pair[0] <= pair[1] + 1e-6));
        assert!(shares[10] < 0.2 && shares[20] > 0.8, "{} {}", shares[10], shares[20]);
        assert!(shares[1] < 0.01 && shares[29] > 0.99);
        // No frame jumps.
        assert!(shares.windows(3).all(|three| (three[0] - 2.0 * three[1] + three[2]).abs() < 0.04));
        assert_eq!(super::shares(1, |_| 0, 30.0), [0.0]);
        assert_eq!(super::shares(2, |_| 0, 30.0), [0.0, 1.0]);
    }

    #[test]
    fn one_frame_stays_where_it_is() {
        assert!(shifts(&[], |_| 0, 30.0).is_empty());
        assert_eq!(shifts(&[Vec3::X], |_| 0, 30.0), [Vec3::ZERO]);
        // Two: the second for 1 frame and 9 more of the end, against the drag of 0.6 frames and the push of 5.76.
        let share = 10.0 / (10.0 + 0.6f32.powi(2) + 5.76f32.powi(2));
        assert!((shifts(&[Vec3::X, Vec3::X], |_| 0, 30.0)[1].x - share).abs() < 1e-6);
    }
}
