//! Power spectra of signals of any length.
//!
//! The discrete Fourier transform as a convolution (Bluestein, *A linear filtering approach to the computation of discrete
//! Fourier transform*, 1970), which is computed by transforms whose length is a power of two (Stockham's order).
//!
//! | symbol | name |
//! |---|---|
//! | n | length of the signal |
//! | m | the least power of two that is at least 2n − 1 |
//! | wₜ = exp(iπt²/n) | chirp |
//!
//! Time: m log m for each signal; what depends on the length alone is computed once.

use std::f64::consts::{PI, TAU};
use std::ops::{Add, Mul, Sub};

/// The spectra of signals of one length.
pub(crate) struct PowerSpectrum {
    /// wₜ for t from 0 to n − 1.
    chirp: Vec<Complex>,
    /// The transform of the filter, of length m.
    filter: Vec<Complex>,
    /// exp(−2πit/m) for t from 0 to m/2 − 1.
    roots: Vec<Complex>,
}

#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Complex {
    re: f64,
    im: f64,
}

impl PowerSpectrum {
    /// Prepares for signals of a length.
    pub(crate) fn new(length: usize) -> Self {
        // The square modulo 2n keeps the angle exact for long signals.
        let turns = |t: usize| (t * t % (2 * length)) as f64 / length as f64;
        let chirp: Vec<Complex> = (0..length).map(|t| Complex::unit(PI * turns(t))).collect();
        let width = (2 * length).saturating_sub(1).next_power_of_two();
        let roots: Vec<Complex> =
            (0..width / 2).map(|t| Complex::unit(-TAU * t as f64 / width as f64)).collect();
        let mut filter = vec![Complex::default(); width];
        filter.iter_mut().zip(&chirp).for_each(|(slot, w)| *slot = *w);
        filter.iter_mut().rev().zip(chirp.iter().skip(1)).for_each(|(slot, w)| *slot = *w);
        let filter = transform(filter, &roots);
        Self { chirp, filter, roots }
    }

    /// The squared magnitude of the transform of a signal at each frequency.
    pub(crate) fn of(&self, signal: &[f64]) -> Vec<f64> {
        let width = self.filter.len();
        let mut values: Vec<Complex> =
            signal.iter().zip(&self.chirp).map(|(value, w)| w.conjugate().scaled(*value)).collect();
        values.resize(width, Complex::default());
        let values = transform(values, &self.roots);
        // The inverse transform by the transform of the conjugate; a last factor of magnitude 1 is left out.
        let product = values.iter().zip(&self.filter).map(|(a, b)| (*a * *b).conjugate()).collect();
        let convolved = transform(product, &self.roots);
        let scale = 1.0 / (width as f64 * width as f64);
        convolved.iter().take(self.chirp.len()).map(|value| value.squared() * scale).collect()
    }
}

/// The Fourier transform. `roots` are those of unity for this length, a power of two.
fn transform(mut values: Vec<Complex>, roots: &[Complex]) -> Vec<Complex> {
    let mut next = values.clone();
    let half = values.len() / 2;
    let mut stride = 1;
    while stride <= half {
        let (first, second) = values.split_at(half);
        let pairs = first.chunks_exact(stride).zip(second.chunks_exact(stride));
        let pairs = pairs.zip(roots.iter().step_by(stride));
        for (((first, second), root), out) in pairs.zip(next.chunks_exact_mut(2 * stride)) {
            let (sums, differences) = out.split_at_mut(stride);
            let out = sums.iter_mut().zip(differences);
            for ((a, b), (sum, difference)) in first.iter().zip(second).zip(out) {
                *sum = *a + *b;
                *difference = (*a - *b) * *root;
            }
        }
        std::mem::swap(&mut values, &mut next);
        stride *= 2;
    }
    values
}

impl Complex {
    fn unit(angle_rad: f64) -> Self {
        let (im, re) = angle_rad.sin_cos();
        Self { re, im }
    }

    fn conjugate(self) -> Self {
        Self { im: -self.im, ..self }
    }

    fn scaled(self, factor: f64) -> Self {
        Self { re: factor * self.re, im: factor * self.im }
    }

    fn squared(self) -> f64 {
        self.re * self.re + self.im * self.im
    }
}

impl Add for Complex {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { re: self.re + other.re, im: self.im + other.im }
    }
}

impl Sub for Complex {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self { re: self.re - other.re, im: self.im - other.im }
    }
}

impl Mul for Complex {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        Self { re: self.re * other.re - self.im * other.im, im: self.re * other.im + self.im * other.re }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The transform by its definition.
    fn naive(signal: &[f64]) -> Vec<f64> {
        let n = signal.len();
        let at = |frequency: usize| {
            let term = |(time, value): (usize, &f64)| {
                Complex::unit(-TAU * (frequency * time % n) as f64 / n as f64).scaled(*value)
            };
            signal.iter().enumerate().map(term).fold(Complex::default(), Add::add).squared()
        };
        (0..n).map(at).collect()
    }

    proptest! {
        #[test]
        fn the_spectrum_equals_its_definition(signal in prop::collection::vec(-2f64..2.0, 1..70)) {
            let found = PowerSpectrum::new(signal.len()).of(&signal);
            prop_assert_eq!(found.len(), signal.len());
            for (found, wanted) in found.iter().zip(naive(&signal)) {
                prop_assert!((found - wanted).abs() < 1e-10 * (1.0 + wanted), "{} {}", found, wanted);
            }
        }
    }
}
