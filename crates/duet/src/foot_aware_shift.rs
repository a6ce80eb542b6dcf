//! Shifts a movement over the floor with the least disturbance of planted feet, along a path or to
//! a position.
//!
//! A movement rarely leads exactly where the path does. The shift s that is added to its root
//! motion is optimised over all frames at once. Among all shifts that start at zero, it minimises
//!
//! ∫ |s − o|² + |T s′|² + |B² s″|² dt + E |s − o|² at the end
//!
//! The terms penalise deviation from the path, speed (weighted by the number of planted feet),
//! acceleration, and deviation at the end, where the next movement starts. The minimum is the
//! solution of one banded linear system with two right-hand sides, one for each axis. A deviation
//! is therefore corrected while feet are in the air, and planted feet move little enough for leg IK
//! to compensate.
//!
//! | symbol | name | unit |
//! |---|---|---|
//! | o | `offsets`: shift that would reach the path | m |
//! | s | the shift | m |
//! | T | [`SPEED_SECS`] | s |
//! | B | [`ACCELERATION_SECS`] | s |
//! | E | [`END_SECS`] | s |
//!
//! Without a path, the same objective without its first term distributes a given shift over the
//! frames ([`fractions`]).
//!
//! Limits: the next movement is not known yet.

use marey_motion::Vec3;

/// Time constant of the speed term while no, one or both feet are planted, in seconds.
const SPEED_SECS: [f64; 3] = [0.02, 0.3, 0.8];
/// Time constant of the acceleration term, in seconds.
const ACCELERATION_SECS: f64 = 0.08;
/// Weight of the last frame, in seconds.
const END_SECS: f64 = 0.3;

/// Returns the shift in each frame. `offsets` lead from each frame's position to the path;
/// `planted_feet` returns the number of planted feet between a frame and the next.
pub(crate) fn shifts_along(
    offsets: &[Vec3],
    planted_feet: impl Fn(usize) -> usize,
    rate_hz: f64,
) -> Vec<Vec3> {
    let mut system = BandedLeastSquares::with_smoothness(offsets.len(), planted_feet, rate_hz);
    for (frame, offsets) in offsets.iter().enumerate().skip(1) {
        system.add(frame, [1.0, 0.0, 0.0], *offsets);
    }
    if let [_, .., last] = offsets {
        let end = (END_SECS * rate_hz).sqrt();
        system.add(offsets.len() - 1, [end, 0.0, 0.0], *last * end as f32);
    }
    system.solve()
}

/// Returns the fraction, from 0 to 1, of a turn and shift that is done by each frame. It minimises
/// the same objective and comes to rest at the end.
pub(crate) fn fractions(frames: usize, planted_feet: impl Fn(usize) -> usize, rate_hz: f64) -> Vec<f32> {
    let mut system = BandedLeastSquares::with_smoothness(frames, planted_feet, rate_hz);
    let last = frames.saturating_sub(1);
    if last > 0 {
        let weight = acceleration_weight(rate_hz);
        system.add(last - 1, [weight, -weight, 0.0], Vec3::ZERO);
        system.add(last, [1.0, 0.0, 0.0], Vec3::X);
    }
    let fractions = system.solve();
    // Scaling the end value scales the whole minimiser.
    let end = fractions.last().map_or(1.0, |fraction| fraction.x).max(f32::MIN_POSITIVE);
    fractions.into_iter().map(|fraction| fraction.x / end).collect()
}

fn acceleration_weight(rate_hz: f64) -> f64 {
    (ACCELERATION_SECS * rate_hz).powi(2)
}

/// A least-squares problem whose equations involve three consecutive unknowns.
struct BandedLeastSquares {
    /// Normal matrix: diagonal, first and second superdiagonal.
    bands: Vec<[f64; 3]>,
    right: Vec<[f64; 2]>,
}

impl BandedLeastSquares {
    /// Penalises the speed and acceleration of the shift. The shift is 0 in the first frame and
    /// before it.
    fn with_smoothness(frames: usize, planted_feet: impl Fn(usize) -> usize, rate_hz: f64) -> Self {
        let mut system = Self { bands: vec![[0.0; 3]; frames], right: vec![[0.0; 2]; frames] };
        let weight = acceleration_weight(rate_hz);
        for frame in 1..frames {
            let speed_weight = SPEED_SECS[planted_feet(frame - 1).min(2)] * rate_hz;
            system.add(frame - 1, [-speed_weight, speed_weight, 0.0], Vec3::ZERO);
            if frame > 1 {
                system.add(frame - 2, [weight, -2.0 * weight, weight], Vec3::ZERO);
            } else {
                system.add(frame, [weight, 0.0, 0.0], Vec3::ZERO);
            }
        }
        system
    }

    /// Adds an equation for three consecutive unknowns. The first unknown is fixed at 0.
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

    /// Solves by banded elimination. Every unknown has a speed term, so no pivot is zero.
    fn solve(mut self) -> Vec<Vec3> {
        let count = self.bands.len();
        for i in 1..count {
            let [own, next, after] = self.bands[i];
            for (ahead, following) in [(1, next), (2, after)] {
                let factor = following / own;
                if i + ahead >= count {
                    continue;
                }
                self.bands[i + ahead][0] -= factor * following;
                if ahead == 1 {
                    self.bands[i + 1][1] -= factor * after;
                }
                for axis in 0..2 {
                    self.right[i + ahead][axis] -= factor * self.right[i][axis];
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

    /// Evaluates the objective from its definition.
    fn cost(shifts: &[Vec3], offsets: &[Vec3], planted_feet: &[usize], rate_hz: f64) -> f64 {
        let at = |frame: usize| shifts[frame].as_dvec3();
        let squared_deviation = |frame: usize| (at(frame) - offsets[frame].as_dvec3()).length_squared();
        let mut sum = END_SECS * rate_hz * squared_deviation(shifts.len() - 1);
        for frame in 1..shifts.len() {
            let before = if frame > 1 { at(frame - 2) } else { at(0) };
            let speed = (at(frame) - at(frame - 1)) * rate_hz;
            let acceleration = (at(frame) - 2.0 * at(frame - 1) + before) * rate_hz.powi(2);
            sum += squared_deviation(frame)
                + (SPEED_SECS[planted_feet[frame - 1]] * speed).length_squared()
                + (ACCELERATION_SECS.powi(2) * acceleration).length_squared();
        }
        sum
    }

    fn places(count: usize) -> impl Strategy<Value = Vec<Vec3>> {
        prop::collection::vec((-0.3f32..0.3, -0.3f32..0.3).prop_map(|(x, z)| Vec3::new(x, 0.0, z)), count)
    }

    proptest! {
        #[test]
        fn no_other_shifts_cost_less(
            offsets in places(24), planted_feet in prop::collection::vec(0usize..3, 24), other in places(24), rate_hz in 10f64..120.0,
        ) {
            let found = shifts_along(&offsets, |frame| planted_feet[frame], rate_hz);
            prop_assert_eq!(found[0], Vec3::ZERO);
            let min_cost = cost(&found, &offsets, &planted_feet, rate_hz);
            for scale in [1e-3f32, -1e-2, 1.0] {
                let mixed: Vec<Vec3> = (0..24).map(|i| found[i] + if i > 0 { other[i] * scale } else { Vec3::ZERO }).collect();
                prop_assert!(cost(&mixed, &offsets, &planted_feet, rate_hz) >= min_cost * (1.0 - 1e-5));
            }
        }
    }

    #[test]
    fn offsets_are_corrected_while_feet_are_in_the_air() {
        // Offsets of 10 cm everywhere. Both feet are planted, then none for a third of a second, then
        // both.
        let offsets = vec![Vec3::X * 0.1; 41];
        let found = shifts_along(&offsets, |frame| if (15..25).contains(&frame) { 0 } else { 2 }, 30.0);
        let shift_between = |from: usize, to: usize| found[to].x - found[from].x;
        assert!(shift_between(15, 25) > 0.07, "{}", shift_between(15, 25));
        assert!(
            shift_between(0, 15) < 0.025 && shift_between(25, 40) < 0.01,
            "{} {}",
            shift_between(0, 15),
            shift_between(25, 40)
        );
        assert!(found.iter().all(|shift| shift.z == 0.0 && shift.x <= 0.105));
    }

    #[test]
    fn fractions_grow_in_the_air_and_come_to_rest() {
        let fractions = fractions(31, |frame| if (10..20).contains(&frame) { 0 } else { 1 }, 30.0);
        assert_eq!((fractions[0], fractions[30]), (0.0, 1.0));
        assert!(fractions.windows(2).all(|pair| pair[0] <= pair[1] + 1e-6));
        assert!(fractions[10] < 0.2 && fractions[20] > 0.8, "{} {}", fractions[10], fractions[20]);
        assert!(fractions[1] < 0.01 && fractions[29] > 0.99);
        // The result is smooth.
        assert!(fractions.windows(3).all(|three| (three[0] - 2.0 * three[1] + three[2]).abs() < 0.04));
        assert_eq!(super::fractions(1, |_| 0, 30.0), [0.0]);
        assert_eq!(super::fractions(2, |_| 0, 30.0), [0.0, 1.0]);
    }

    #[test]
    fn short_movements_have_exact_shifts() {
        assert!(shifts_along(&[], |_| 0, 30.0).is_empty());
        assert_eq!(shifts_along(&[Vec3::X], |_| 0, 30.0), [Vec3::ZERO]);
        // Two frames: weight 1 plus 9 for the end, against 0.6² for speed and 5.76² for
        // acceleration.
        let expected = 10.0 / (10.0 + 0.6f32.powi(2) + 5.76f32.powi(2));
        assert!((shifts_along(&[Vec3::X, Vec3::X], |_| 0, 30.0)[1].x - expected).abs() < 1e-6);
    }
}
