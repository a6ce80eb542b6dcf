//! Residuals of gaps to their base, in sine terms.

use glam::Vec3;
use marey_motion::CheckedAccess;
use nalgebra::{DMatrix, SVD};
use rayon::prelude::*;

use super::example_frames::ExampleFrames;
use super::gap_curve::{Channels, GapEnds, outward_velocity, relative};
use crate::Result;

/// Number of sine terms.
const TERMS: usize = 8;
/// Maximum number of frames of a gap that its residual is computed at.
const MAX_SAMPLES: usize = 12;

/// The frames of a gap that residuals are computed at, and how they become sine terms.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ResidualSamples {
    /// T, in working frames.
    length: usize,
    /// Frames after the start.
    pub(crate) frames: Vec<usize>,
    /// Terms × samples.
    terms_from_samples: DMatrix<f32>,
}

impl ResidualSamples {
    /// The samples of gaps that change frames 1 to `length` − 1.
    pub(crate) fn new(length: usize) -> Self {
        let inner = length.saturating_sub(1);
        let count = inner.min(MAX_SAMPLES);
        let frames: Vec<usize> = (0..count)
            .map(|index| 1 + ((index as f64 + 0.5) * inner as f64 / count as f64) as usize)
            .collect();
        let terms = count.min(TERMS);
        let shares = || frames.iter().map(|frame| *frame as f32 / length as f32);
        // Column by column.
        let sines = (0..terms).flat_map(|term| shares().map(move |share| sine(term, share)));
        let sines = DMatrix::from_iterator(count, terms, sines);
        let inverse = if count == 0 { None } else { SVD::new(sines, true, true).pseudo_inverse(1e-6).ok() };
        Self { length, frames, terms_from_samples: inverse.unwrap_or_else(|| DMatrix::zeros(0, 0)) }
    }

    /// The residual of an example gap at each sample: samples × channels. `knows` says whether the velocities at the start and at the
    /// end count as known.
    pub(crate) fn of_example(
        &self,
        examples: &ExampleFrames,
        start: usize,
        knows: [bool; 2],
    ) -> Result<Vec<Vec3>> {
        let (first, ground) = (examples.pose(start)?, *examples.track.at(start)?);
        let mut near: Channels = Vec::new();
        let mut curve = Vec::with_capacity(self.frames.len());
        let mut x = Channels::new();
        for frame in self.frames.iter().copied().chain([self.length]) {
            relative(first, ground, examples.pose(start + frame)?, &near, &mut x);
            near.clone_from(&x);
            curve.push(x.clone());
        }
        let change = curve.pop().unwrap_or_default();
        let mut outward = |one: usize, two: usize, at: &Channels| -> Result<Channels> {
            relative(first, ground, examples.pose(one)?, at, &mut x);
            let near = x.clone();
            relative(first, ground, examples.pose(two)?, &near, &mut x);
            Ok(outward_velocity(&near, &x, at))
        };
        let start_velocity = if knows[0] {
            let none = vec![Vec3::ZERO; change.len()];
            Some(outward(start - 1, start - 2, &none)?.into_iter().map(|back| -back).collect())
        } else {
            None
        };
        let end = start + self.length;
        let end_velocity = if knows[1] { Some(outward(end + 1, end + 2, &change)?) } else { None };
        let ends = GapEnds { frames: self.length as f32, change, start_velocity, end_velocity };
        let residual = |(x, frame): (&Channels, &usize)| -> Vec<Vec3> {
            x.iter().zip(ends.base(*frame as f32)).map(|(x, base)| *x - base).collect()
        };
        Ok(curve.iter().zip(&self.frames).flat_map(residual).collect())
    }

    /// The weighted sum of residuals: samples × channels.
    pub(crate) fn weighted_sum(
        &self,
        examples: &ExampleFrames,
        gaps: &[(usize, f32)],
        knows: [bool; 2],
    ) -> Result<Vec<Vec3>> {
        let chunks: Vec<Vec<Vec3>> = gaps
            .par_chunks(64)
            .map(|chunk| {
                let mut sum: Vec<Vec3> = Vec::new();
                for (start, weight) in chunk {
                    let residual = self.of_example(examples, *start, knows)?;
                    sum.resize(residual.len(), Vec3::ZERO);
                    sum.iter_mut().zip(&residual).for_each(|(sum, value)| *sum += *weight * *value);
                }
                Ok(sum)
            })
            .collect::<Result<_>>()?;
        let mut chunks = chunks.into_iter();
        let mut sum = chunks.next().unwrap_or_default();
        for chunk in chunks {
            sum.iter_mut().zip(&chunk).for_each(|(sum, value)| *sum += *value);
        }
        Ok(sum)
    }

    /// Sine terms of a residual: terms × channels.
    pub(crate) fn terms(&self, residual: &[Vec3]) -> SineTerms {
        let channels = residual.len() / self.frames.len().max(1);
        let terms = self
            .terms_from_samples
            .row_iter()
            .map(|weights| {
                let mut sum = vec![Vec3::ZERO; channels];
                for (weight, row) in weights.iter().zip(residual.chunks_exact(channels.max(1))) {
                    sum.iter_mut().zip(row).for_each(|(sum, value)| *sum += *weight * *value);
                }
                sum
            })
            .collect();
        SineTerms(terms)
    }
}

/// sin((term + 1) π u).
fn sine(term: usize, share: f32) -> f32 {
    ((term + 1) as f32 * std::f32::consts::PI * share).sin()
}

/// A residual in sine terms: terms × channels.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct SineTerms(Vec<Channels>);

impl SineTerms {
    /// The residual of all channels at a share of the gap.
    pub(crate) fn sample(&self, share: f32, channels: usize) -> Channels {
        let mut residual = vec![Vec3::ZERO; channels];
        for (term, values) in self.0.iter().enumerate() {
            let sine = sine(term, share);
            residual.iter_mut().zip(values).for_each(|(sum, value)| *sum += sine * *value);
        }
        residual
    }

    /// The slopes of the residual of all channels at the start and at the end, per gap.
    pub(crate) fn slopes(&self, channels: usize) -> Vec<[Vec3; 2]> {
        let mut slopes = vec![[Vec3::ZERO; 2]; channels];
        for (term, values) in self.0.iter().enumerate() {
            for ([start, end], value) in slopes.iter_mut().zip(values) {
                let slope = (term + 1) as f32 * std::f32::consts::PI * *value;
                *start += slope;
                *end += if term % 2 == 0 { -slope } else { slope };
            }
        }
        slopes
    }

    /// The residual times a factor.
    pub(crate) fn scaled(mut self, factor: f32) -> Self {
        self.0.iter_mut().flatten().for_each(|value| *value *= factor);
        self
    }
}
