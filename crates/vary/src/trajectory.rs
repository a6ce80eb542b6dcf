//! A way through space, followed with steps of controlled size.
//!
//! J. Dormand and P. Prince, "A family of embedded Runge–Kutta formulae" (1980): a step of order five with an error
//! estimate of order four, and the fourth-order interpolant of E. Hairer, S. Nørsett and G. Wanner, "Solving Ordinary
//! Differential Equations I" (1993), section II.6, for samples at even times between steps. A crate for it would bring a second
//! linear algebra along; this is small and has no state beyond one step.
//!
//! | symbol | name | unit |
//! |---|---|---|
//! | h | length of a step | the system's time |
//! | kᵢ | velocity at the i-th stage | – |
//! | ε | estimated error of a step, over what is tolerated | – |
//! | θ | share of a step | – |

use crate::{Error, Point, Result, System};

/// What a step may be wrong by, for each unit of size and at least.
const RELATIVE: f64 = 1e-9;
const ABSOLUTE: f64 = 1e-9;

/// Places beyond this are on the way to infinity.
const BOUND: f64 = 1e6;

/// No step is longer, in the system's time: what rests needs no steps at all.
const LONGEST_STEP: f64 = 1e3;

/// Stages: the shares of earlier velocities in the place of each, from the second on.
const A: [[f64; 6]; 6] = [
    [1.0 / 5.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    [3.0 / 40.0, 9.0 / 40.0, 0.0, 0.0, 0.0, 0.0],
    [44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0, 0.0, 0.0, 0.0],
    [19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0, 0.0, 0.0],
    [9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0, 0.0],
    // The last stage is at the end of the step, and its velocity is the first of the next.
    [35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0],
];

/// The difference between the steps of order five and four.
const E: [f64; 7] =
    [71.0 / 57600.0, 0.0, -71.0 / 16695.0, 71.0 / 1920.0, -17253.0 / 339200.0, 22.0 / 525.0, -1.0 / 40.0];

/// The shares of velocities in the fourth-order term of the interpolant.
const D: [f64; 7] = [
    -12715105075.0 / 11282082432.0,
    0.0,
    87487479700.0 / 32700410799.0,
    -10690763975.0 / 1880347072.0,
    701980252875.0 / 199316789632.0,
    -1453857185.0 / 822651844.0,
    69997945.0 / 29380423.0,
];

/// A trajectory of a system, followed sample by sample at even times.
#[derive(Debug, Clone)]
pub struct Trajectory<'s> {
    system: &'s System,
    /// Between samples, in the system's time.
    sample_step: f64,
    samples: usize,
    step: Step,
    /// How long the next step is to be.
    next_h: f64,
}

/// One step, and what it takes to be anywhere in it.
#[derive(Debug, Clone, Copy)]
struct Step {
    start_time: f64,
    h: f64,
    start: Point,
    end: Point,
    end_velocity: Point,
    /// The interpolant's terms beyond the straight line.
    terms: [Point; 3],
}

impl<'s> Trajectory<'s> {
    /// Starts somewhere; samples are this long apart, in the system's time.
    pub fn new(system: &'s System, start: Point, sample_step: f64) -> Self {
        let end_velocity = system.velocity(start);
        let still = Step { start_time: 0.0, h: 0.0, start, end: start, end_velocity, terms: [[0.0; 3]; 3] };
        Self { system, sample_step, samples: 0, step: still, next_h: sample_step.min(1e-3) }
    }

    /// The next sample; the first is the start.
    pub fn sample(&mut self) -> Result<Point> {
        let time = self.samples as f64 * self.sample_step;
        self.samples += 1;
        while self.step.start_time + self.step.h < time {
            self.advance()?;
        }
        Ok(self.step.at(time))
    }

    /// Some samples.
    pub fn samples(&mut self, count: usize) -> Result<Vec<Point>> {
        (0..count).map(|_| self.sample()).collect()
    }

    /// Where the last step ended.
    pub(crate) fn place(&self) -> Point {
        self.step.end
    }

    /// When the last step ended.
    pub(crate) fn time(&self) -> f64 {
        self.step.start_time + self.step.h
    }

    /// Whether z grows where the last step ended.
    pub(crate) fn is_rising(&self) -> bool {
        self.step.end_velocity[2] > 0.0
    }

    /// Makes a step whose error is tolerated.
    pub(crate) fn advance(&mut self) -> Result<()> {
        let (start, first) = (self.step.end, self.step.end_velocity);
        let start_time = self.step.start_time + self.step.h;
        let mut h = self.next_h;
        loop {
            let (k, end) = stages(self.system, start, first, h);
            let error = error_of(&k, start, end, h);
            // A step is tried again shorter where its error is too large, or no number.
            if error <= 1.0 {
                self.step = Step::between(start_time, h, start, end, &k);
                let growth = if error > 0.0 { 0.9 * error.powf(-0.2) } else { 5.0 };
                self.next_h = h * growth.clamp(0.2, 5.0);
                self.next_h = self.next_h.min(LONGEST_STEP);
                if end.iter().all(|x| x.abs() <= BOUND) {
                    return Ok(());
                }
                return Err(Error::Escapes { time: start_time, bound: BOUND });
            }
            h *= if error.is_finite() { (0.9 * error.powf(-0.2)).clamp(0.2, 0.9) } else { 0.2 };
            if h <= 1e-14 * start_time.max(1.0) {
                return Err(Error::Escapes { time: start_time, bound: BOUND });
            }
        }
    }
}

/// The velocities of all seven stages, and the end of the step.
fn stages(system: &System, start: Point, first: Point, h: f64) -> ([Point; 7], Point) {
    let mut k = [first; 7];
    let mut end = start;
    for (stage, shares) in A.iter().enumerate() {
        end = start;
        for (share, velocity) in shares.iter().zip(&k).take(stage + 1) {
            for (x, v) in end.iter_mut().zip(velocity) {
                *x += h * share * v;
            }
        }
        if let Some(slot) = k.get_mut(stage + 1) {
            *slot = system.velocity(end);
        }
    }
    (k, end)
}

/// Velocities added up, each so many times.
fn mixed(shares: &[f64; 7], k: &[Point; 7]) -> Point {
    let mut sum = [0.0; 3];
    for (share, velocity) in shares.iter().zip(k) {
        for (x, v) in sum.iter_mut().zip(velocity) {
            *x += share * v;
        }
    }
    sum
}

/// ε: 1 where a step is just good enough.
fn error_of(k: &[Point; 7], start: Point, end: Point, h: f64) -> f64 {
    let error = mixed(&E, k);
    let squares = error.iter().zip(start.iter().zip(&end)).map(|(error, (a, b))| {
        let tolerated = ABSOLUTE + RELATIVE * a.abs().max(b.abs());
        (h * error / tolerated).powi(2)
    });
    (squares.sum::<f64>() / 3.0).sqrt()
}

impl Step {
    fn between(start_time: f64, h: f64, start: Point, end: Point, k: &[Point; 7]) -> Self {
        let (first, last) = (k[0], k[6]);
        let fourth = mixed(&D, k);
        let mut terms = [[0.0; 3]; 3];
        for axis in 0..3 {
            let line = end[axis] - start[axis];
            let from_start = h * first[axis] - line;
            terms[0][axis] = from_start;
            terms[1][axis] = line - h * last[axis] - from_start;
            terms[2][axis] = h * fourth[axis];
        }
        Self { start_time, h, start, end, end_velocity: last, terms }
    }

    /// The place at a time of the step: y + θ (Δ + (1 − θ) (r₂ + θ (r₃ + (1 − θ) r₄))).
    fn at(&self, time: f64) -> Point {
        let theta = if self.h > 0.0 { ((time - self.start_time) / self.h).clamp(0.0, 1.0) } else { 0.0 };
        let mut place = self.start;
        for (axis, x) in place.iter_mut().enumerate() {
            let [second, third, fourth] = self.terms.map(|term| term[axis]);
            let line = self.end[axis] - self.start[axis];
            *x += theta * (line + (1.0 - theta) * (second + theta * (third + (1.0 - theta) * fourth)));
        }
        place
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn distance(a: Point, b: Point) -> f64 {
        a.iter().zip(&b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
    }

    #[test]
    fn a_circle_is_followed_and_samples_between_steps_lie_on_it() {
        let circle: System = "y; -x; 0".parse().unwrap();
        let mut trajectory = Trajectory::new(&circle, [0.0, 1.0, 2.0], 0.01);
        for n in 0..2000 {
            let (sin, cos) = (n as f64 * 0.01).sin_cos();
            let found = trajectory.sample().unwrap();
            assert!(distance(found, [sin, cos, 2.0]) < 1e-6, "sample {n}");
        }
    }

    /// The classical method with short steps of one size: slow, and plainly right.
    fn slow(system: &System, start: Point, time: f64) -> Point {
        let steps = 20_000;
        let h = time / f64::from(steps);
        let add = |a: Point, b: Point, share: f64| [0, 1, 2].map(|i| a[i] + share * b[i]);
        let mut at = start;
        for _ in 0..steps {
            let k1 = system.velocity(at);
            let k2 = system.velocity(add(at, k1, h / 2.0));
            let k3 = system.velocity(add(at, k2, h / 2.0));
            let k4 = system.velocity(add(at, k3, h));
            at = [0, 1, 2].map(|i| at[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]));
        }
        at
    }

    #[test]
    fn every_system_is_followed_as_slow_steps_do() {
        for system in [System::Lorenz, System::Rossler, System::Chua] {
            let wanted = slow(&system, system.start(), 2.0);
            let found = Trajectory::new(&system, system.start(), 0.125).samples(17).unwrap()[16];
            assert!(distance(found, wanted) < 1e-5, "{system}: {found:?}, not {wanted:?}");
        }
    }

    #[test]
    fn what_leaves_for_infinity_is_refused() {
        for system in ["x^2; 0; 0", "x; y; z", "1/(x-x); 0; 0", "ln(-1); 0; 0"] {
            let system: System = system.parse().unwrap();
            let error = Trajectory::new(&system, system.start(), 0.5).samples(200).unwrap_err();
            assert!(matches!(error, Error::Escapes { .. }), "{system}: {error}");
        }
    }
}
