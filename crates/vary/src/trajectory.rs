//! Numerical integration of a trajectory with adaptive step size.
//!
//! J. Dormand and P. Prince, "A family of embedded Runge–Kutta formulae" (1980): a step of order five with an
//! error estimate of order four. Samples between steps use the fourth-order interpolant of E. Hairer, S.
//! Nørsett and G. Wanner, "Solving Ordinary Differential Equations I" (1993), section II.6. Available crates
//! would add a second linear algebra library; this integrator is small and keeps no state beyond one step.
//!
//! | symbol | name | unit |
//! |---|---|---|
//! | h | step size | system time |
//! | kᵢ | derivative at the i-th stage | – |
//! | ε | estimated error of a step, relative to the tolerance | – |
//! | θ | position within a step, 0 to 1 | – |

use crate::{ChaoticSystem, Result, StatePoint, VaryError};

const RELATIVE_TOLERANCE: f64 = 1e-9;
const ABSOLUTE_TOLERANCE: f64 = 1e-9;

/// A trajectory that leaves this box counts as divergent.
const BOUND: f64 = 1e6;

/// Maximum step size in system time. At an equilibrium the step size would otherwise grow without limit.
const MAX_STEP: f64 = 1e3;

/// Runge–Kutta matrix: weights of earlier derivatives in each stage, from the second on.
const A: [[f64; 6]; 6] = [
    [1.0 / 5.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    [3.0 / 40.0, 9.0 / 40.0, 0.0, 0.0, 0.0, 0.0],
    [44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0, 0.0, 0.0, 0.0],
    [19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0, 0.0, 0.0],
    [9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0, 0.0],
    // The last stage is at the end of the step; its derivative is the first stage of the next step.
    [35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0],
];

/// Difference between the weights of order five and order four.
const E: [f64; 7] =
    [71.0 / 57600.0, 0.0, -71.0 / 16695.0, 71.0 / 1920.0, -17253.0 / 339200.0, 22.0 / 525.0, -1.0 / 40.0];

/// Weights of the fourth-order term of the interpolant.
const D: [f64; 7] = [
    -12715105075.0 / 11282082432.0,
    0.0,
    87487479700.0 / 32700410799.0,
    -10690763975.0 / 1880347072.0,
    701980252875.0 / 199316789632.0,
    -1453857185.0 / 822651844.0,
    69997945.0 / 29380423.0,
];

/// A trajectory of a system, sampled at a fixed time step.
#[derive(Debug, Clone)]
pub struct Trajectory<'s> {
    system: &'s ChaoticSystem,
    /// System time between samples.
    sample_step: f64,
    samples: usize,
    step: Step,
    /// Size of the next step.
    next_h: f64,
}

/// One integration step with its interpolant.
#[derive(Debug, Clone, Copy)]
struct Step {
    start_time: f64,
    h: f64,
    start: StatePoint,
    end: StatePoint,
    end_velocity: StatePoint,
    /// Terms of the interpolant beyond the linear one, for each axis.
    terms: [[f64; 3]; 3],
}

impl<'s> Trajectory<'s> {
    /// Starts at a point. `sample_step` is the system time between samples.
    pub fn new(system: &'s ChaoticSystem, start: StatePoint, sample_step: f64) -> Self {
        let end_velocity = system.velocity(start);
        let step = Step { start_time: 0.0, h: 0.0, start, end: start, end_velocity, terms: [[0.0; 3]; 3] };
        Self { system, sample_step, samples: 0, step, next_h: sample_step.min(1e-3) }
    }

    /// Returns the next sample. The first sample is the starting point.
    pub fn sample(&mut self) -> Result<StatePoint> {
        let time = self.samples as f64 * self.sample_step;
        self.samples += 1;
        while self.step.start_time + self.step.h < time {
            self.advance()?;
        }
        Ok(self.step.at(time))
    }

    /// Returns the next `count` samples.
    pub fn samples(&mut self, count: usize) -> Result<Vec<StatePoint>> {
        (0..count).map(|_| self.sample()).collect()
    }

    /// Position at the end of the last step.
    pub(crate) fn position(&self) -> StatePoint {
        self.step.end
    }

    /// System time at the end of the last step.
    pub(crate) fn time(&self) -> f64 {
        self.step.start_time + self.step.h
    }

    /// Whether z increases at the end of the last step.
    pub(crate) fn is_rising(&self) -> bool {
        self.step.end_velocity[2] > 0.0
    }

    /// Makes one step whose error is within the tolerance.
    pub(crate) fn advance(&mut self) -> Result<()> {
        let (start, first) = (self.step.end, self.step.end_velocity);
        let start_time = self.step.start_time + self.step.h;
        let mut h = self.next_h;
        loop {
            let (k, end) = stages(self.system, start, first, h);
            let error = relative_error(&k, start, end, h);
            // The comparison is false for NaN, so such a step is retried with a smaller size.
            if error <= 1.0 {
                self.step = Step::between(start_time, h, start, end, &k);
                let growth = if error > 0.0 { 0.9 * error.powf(-0.2) } else { 5.0 };
                self.next_h = (h * growth.clamp(0.2, 5.0)).min(MAX_STEP);
                if end.iter().all(|x| x.abs() <= BOUND) {
                    return Ok(());
                }
                return Err(VaryError::Diverges { time: start_time, bound: BOUND });
            }
            h *= if error.is_finite() { (0.9 * error.powf(-0.2)).clamp(0.2, 0.9) } else { 0.2 };
            if h <= 1e-14 * start_time.max(1.0) {
                return Err(VaryError::Diverges { time: start_time, bound: BOUND });
            }
        }
    }
}

/// Returns the derivatives of all seven stages and the end of the step.
fn stages(
    system: &ChaoticSystem,
    start: StatePoint,
    first: StatePoint,
    h: f64,
) -> ([StatePoint; 7], StatePoint) {
    let mut k = [first; 7];
    let mut end = start;
    for (stage, weights) in A.iter().enumerate() {
        end = start;
        for (weight, velocity) in weights.iter().zip(&k).take(stage + 1) {
            for (x, v) in end.iter_mut().zip(velocity) {
                *x += h * weight * v;
            }
        }
        if let Some(slot) = k.get_mut(stage + 1) {
            *slot = system.velocity(end);
        }
    }
    (k, end)
}

fn weighted_sum(weights: &[f64; 7], k: &[StatePoint; 7]) -> StatePoint {
    let mut sum = [0.0; 3];
    for (weight, velocity) in weights.iter().zip(k) {
        for (x, v) in sum.iter_mut().zip(velocity) {
            *x += weight * v;
        }
    }
    sum
}

/// ε: 1 if the error equals the tolerance.
fn relative_error(k: &[StatePoint; 7], start: StatePoint, end: StatePoint, h: f64) -> f64 {
    let error = weighted_sum(&E, k);
    let squares = error.iter().zip(start.iter().zip(&end)).map(|(error, (a, b))| {
        let tolerance = ABSOLUTE_TOLERANCE + RELATIVE_TOLERANCE * a.abs().max(b.abs());
        (h * error / tolerance).powi(2)
    });
    (squares.sum::<f64>() / 3.0).sqrt()
}

impl Step {
    fn between(start_time: f64, h: f64, start: StatePoint, end: StatePoint, k: &[StatePoint; 7]) -> Self {
        let [first, .., last] = *k;
        let fourth = weighted_sum(&D, k);
        let mut terms = [[0.0; 3]; 3];
        let ends = start.iter().zip(&end);
        let velocities = first.iter().zip(&last).zip(&fourth);
        for (terms, ((start, end), ((first, last), fourth))) in terms.iter_mut().zip(ends.zip(velocities)) {
            let delta = end - start;
            let from_start = h * first - delta;
            *terms = [from_start, delta - h * last - from_start, h * fourth];
        }
        Self { start_time, h, start, end, end_velocity: last, terms }
    }

    /// Interpolates at a time within the step: y + θ (Δ + (1 − θ) (r₂ + θ (r₃ + (1 − θ) r₄))).
    fn at(&self, time: f64) -> StatePoint {
        let theta = if self.h > 0.0 { ((time - self.start_time) / self.h).clamp(0.0, 1.0) } else { 0.0 };
        let mut position = self.start;
        for (x, (end, [second, third, fourth])) in position.iter_mut().zip(self.end.iter().zip(&self.terms)) {
            let delta = end - *x;
            *x += theta * (delta + (1.0 - theta) * (second + theta * (third + (1.0 - theta) * fourth)));
        }
        position
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn distance(a: StatePoint, b: StatePoint) -> f64 {
        a.iter().zip(&b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
    }

    #[test]
    fn samples_of_a_circle_lie_on_it() {
        let circle: ChaoticSystem = "y; -x; 0".parse().unwrap();
        let mut trajectory = Trajectory::new(&circle, [0.0, 1.0, 2.0], 0.01);
        for n in 0..2000 {
            let (sin, cos) = (n as f64 * 0.01).sin_cos();
            let found = trajectory.sample().unwrap();
            assert!(distance(found, [sin, cos, 2.0]) < 1e-6, "sample {n}");
        }
    }

    /// The classical fourth-order method with short fixed steps.
    fn integrate_slowly(system: &ChaoticSystem, start: StatePoint, time: f64) -> StatePoint {
        let steps = 20_000;
        let h = time / f64::from(steps);
        let add = |a: StatePoint, b: StatePoint, factor: f64| [0, 1, 2].map(|i| a[i] + factor * b[i]);
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
    fn adaptive_steps_agree_with_fixed_steps() {
        for system in [ChaoticSystem::Lorenz, ChaoticSystem::Rossler, ChaoticSystem::Chua] {
            let expected = integrate_slowly(&system, system.start(), 2.0);
            let found = Trajectory::new(&system, system.start(), 0.125).samples(17).unwrap()[16];
            assert!(distance(found, expected) < 1e-5, "{system}: {found:?}, expected {expected:?}");
        }
    }

    #[test]
    fn divergent_trajectories_are_errors() {
        for system in ["x^2; 0; 0", "x; y; z", "1/(x-x); 0; 0", "ln(-1); 0; 0"] {
            let system: ChaoticSystem = system.parse().unwrap();
            let error = Trajectory::new(&system, system.start(), 0.5).samples(200).unwrap_err();
            assert!(matches!(error, VaryError::Diverges { .. }), "{system}: {error}");
        }
    }
}
