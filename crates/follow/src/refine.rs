//! The second pass: durations at the control's own rate.
//!
//! Section 4.4 of the paper: an interpretation found at a low rate is brought to the rate of the control by a constrained
//! version of the same search that only adjusts durations. Here the sequence of instances is kept, and each boundary between
//! two pieces may move by one frame of the working rate to either side. This is a small search over pairs of boundaries,
//! with the same equations 5 and 6.
//!
//! Changed: above 60 Hz, boundaries are placed at every second, third … frame, since the difference is not visible. k is
//! multiplied by the ratio of the rates, because D sums over more frames and C does not.

use std::ops::RangeInclusive;

use marey_motion::{PointClip, Vec3};
use rayon::prelude::*;

use crate::compared_controls::ComparedControls;
use crate::mapping::sample;
use crate::problem::stretch_cost;
use crate::transform::squared;
use crate::{FollowSettings, Interpretation, Mapping, Piece, Result, RigidMotion, SegmentConstraint};

/// The highest rate at which boundaries are placed.
const FINEST_HZ: f64 = 60.0;

/// A piece between two boundaries.
struct DurationOption {
    start: usize,
    end: usize,
    motion: RigidMotion,
    squared_m2: f64,
    stretch: f64,
    stretch_cost: f64,
    head: Vec<Vec3>,
    tail: Vec<Vec3>,
}

/// The input of the pass.
struct RefinePass<'a> {
    mapping: &'a Mapping,
    settings: &'a FollowSettings,
    constraints: &'a [SegmentConstraint],
    controls: &'a ComparedControls,
    /// The control at the rate of the pass: samples × points.
    given: Vec<Vec3>,
    /// The control as it is compared.
    input: Vec<Vec3>,
    rate_hz: f64,
    coarse_hz: f64,
    k: f64,
}

/// Refines the durations of an interpretation at the rate of the control.
pub(crate) fn refine(
    coarse: &Interpretation,
    mapping: &Mapping,
    controls: &ComparedControls,
    control: &PointClip,
    constraints: &[SegmentConstraint],
    settings: &FollowSettings,
) -> Result<Interpretation> {
    let coarsest = (control.rate_hz() / coarse.rate_hz).floor();
    let each = (control.rate_hz() / FINEST_HZ).ceil().min(coarsest).max(1.0) as usize;
    let rate_hz = control.rate_hz() / each as f64;
    let frames = (control.frames() / each).max(coarse.pieces.len());
    let mut given = Vec::new();
    for frame in 0..=frames {
        sample(control, (frame * each) as f64, &mut given);
    }
    let input = controls.mapped(given.clone());
    let k = settings.k * rate_hz / coarse.rate_hz;
    let coarse_hz = coarse.rate_hz;
    let pass = RefinePass { mapping, settings, constraints, controls, given, input, rate_hz, coarse_hz, k };
    let boundaries = pass.boundary_ranges(coarse, frames);
    let options: Vec<Vec<DurationOption>> = coarse
        .pieces
        .par_iter()
        .enumerate()
        .map(|(i, piece)| pass.options(piece, boundaries[i].clone(), boundaries[i + 1].clone()))
        .collect::<Result<_>>()?;
    let (chosen, score) = pass.find_best(&options);
    let mut pieces: Vec<Piece> = Vec::with_capacity(chosen.len());
    for (i, (&number, piece)) in chosen.iter().zip(&coarse.pieces).enumerate() {
        let option = &options[i][number];
        let before = i.checked_sub(1).map(|i| &options[i][chosen[i]]);
        let joined = before.map_or(0.0, |before| pass.join_cost(before, option));
        let end = if i + 1 == chosen.len() { control.frames() } else { option.end * each };
        pieces.push(Piece {
            start: option.start * each,
            frames: end - option.start * each,
            motion: option.motion,
            interpretation: option.squared_m2,
            rms_m: pass.rms_m(piece, option),
            continuity: pass.k * joined,
            jump_m: mapping.jump_m(joined, settings.join_frames),
            stretch: option.stretch,
            stretch_cost: option.stretch_cost,
            ..*piece
        });
    }
    let gap = coarse.gap;
    Ok(Interpretation { rate_hz: control.rate_hz(), frames: control.frames(), pieces, score, gap })
}

/// The frames of a piece in a clip of its example, stretched to a duration.
fn sampled(clip: &PointClip, piece: &Piece, frames: usize) -> Vec<Vec3> {
    let step = (piece.to_frame - piece.from_frame) / frames as f64;
    let mut points = Vec::with_capacity((frames + 1) * clip.labels().len());
    for frame in 0..=frames {
        sample(clip, piece.from_frame + frame as f64 * step, &mut points);
    }
    points
}

impl DurationOption {
    fn cost(&self) -> f64 {
        self.squared_m2 + self.stretch_cost
    }
}

impl RefinePass<'_> {
    /// The range of frames for each boundary.
    fn boundary_ranges(&self, coarse: &Interpretation, frames: usize) -> Vec<RangeInclusive<usize>> {
        let scale = frames as f64 / coarse.frames as f64;
        let slack = (self.rate_hz / coarse.rate_hz).ceil() as usize;
        let last = coarse.pieces.len();
        let starts = coarse.pieces.iter().map(|piece| piece.start).chain([coarse.frames]).enumerate();
        starts
            .map(|(i, start)| {
                let near = (start as f64 * scale).round() as usize;
                // Leave at least one frame for every piece before and after.
                let (low, high) = (i, frames - (last - i));
                match i {
                    0 => 0..=0,
                    i if i == last => frames..=frames,
                    _ => near.saturating_sub(slack).clamp(low, high)..=(near + slack).clamp(low, high),
                }
            })
            .collect()
    }

    /// A piece with all its possible boundaries, ordered by start, then end.
    fn options(
        &self,
        piece: &Piece,
        starts: RangeInclusive<usize>,
        ends: RangeInclusive<usize>,
    ) -> Result<Vec<DurationOption>> {
        let mut options = Vec::new();
        let nearest = |range: &RangeInclusive<usize>| (range.start() + range.end()) / 2;
        let usual = (nearest(&starts), nearest(&ends));
        for start in starts {
            for end in ends.clone().filter(|&end| end > start) {
                if (start, end) == usual || self.is_legal(piece, start, end) {
                    options.push(self.option(piece, start, end)?);
                }
            }
        }
        Ok(options)
    }

    fn is_legal(&self, piece: &Piece, start: usize, end: usize) -> bool {
        let secs = |frame: usize| frame as f64 / self.rate_hz;
        self.stretch(piece, end - start).ln().abs() <= self.settings.stretch.ln_1p()
            && self
                .constraints
                .iter()
                .all(|constraint| constraint.allows(piece.instance, secs(start)..secs(end)))
    }

    /// A duration as a multiple of a piece's own.
    fn stretch(&self, piece: &Piece, frames: usize) -> f64 {
        let example = self.mapping.example_of(piece.instance);
        frames as f64 / self.rate_hz / ((piece.to_frame - piece.from_frame) / example.control.rate_hz())
    }

    fn option(&self, piece: &Piece, start: usize, end: usize) -> Result<DurationOption> {
        let example = self.mapping.example_of(piece.instance);
        let frames = end - start;
        let step = (piece.to_frame - piece.from_frame) / frames as f64;
        let a = sampled(self.controls.of(self.mapping, piece.instance), piece, frames);
        let points = self.controls.weights.len();
        let x = &self.input[start * points..][..a.len()];
        let weights = self.controls.weights.repeat(frames + 1);
        let (motion, squared_m2) = self.settings.transform.align(x, &a, &weights)?;
        let motion = self.controls.motion(motion);
        // Join frames are counted at the working rate, as in the first pass.
        let step = step * self.rate_hz / self.coarse_hz;
        let ends = [piece.from_frame, piece.to_frame].map(|at| {
            let (mut points, mut moved) = (Vec::new(), Vec::new());
            for before in (0..self.settings.join_frames).rev() {
                sample(&example.target, at - f64::from(before) * step, &mut points);
            }
            motion.apply(&points, &mut moved);
            moved
        });
        let [head, tail] = ends;
        let stretch = self.stretch(piece, frames);
        let stretch_cost = stretch_cost(self.mapping, self.settings, stretch, frames + 1);
        Ok(DurationOption { start, end, motion, squared_m2, stretch, stretch_cost, head, tail })
    }

    /// Weighted RMS distance of a piece from the control, in metres.
    fn rms_m(&self, piece: &Piece, option: &DurationOption) -> f64 {
        let example = self.mapping.example_of(piece.instance);
        let mut moved = Vec::new();
        option.motion.apply(&sampled(&example.control, piece, option.end - option.start), &mut moved);
        let x = &self.given[option.start * self.mapping.control_weights().len()..];
        let deviations: Vec<Vec3> = moved.iter().zip(x).map(|(moved, x)| *x - *moved).collect();
        self.mapping.rms_m(&deviations)
    }

    /// C.
    fn join_cost(&self, before: &DurationOption, after: &DurationOption) -> f64 {
        let weights = self.mapping.target_weights();
        let each = before.tail.chunks_exact(weights.len()).zip(after.head.chunks_exact(weights.len()));
        each.map(|(tail, head)| squared(tail, head, weights)).sum()
    }

    /// Equation 6 over the options of each piece; returns the chosen options and the total cost.
    fn find_best(&self, options: &[Vec<DurationOption>]) -> (Vec<usize>, f64) {
        let mut costs: Vec<f64> = options[0].iter().map(DurationOption::cost).collect();
        let mut from: Vec<Vec<usize>> = vec![vec![0; costs.len()]];
        for pair in options.windows(2) {
            let arrive = pair[1].iter().map(|next| {
                let mut best = (f64::INFINITY, 0);
                for (number, (before, &cost)) in pair[0].iter().zip(&costs).enumerate() {
                    if before.end == next.start && cost < best.0 {
                        let cost = cost + self.k * self.join_cost(before, next);
                        if cost < best.0 {
                            best = (cost, number);
                        }
                    }
                }
                (best.0 + next.cost(), best.1)
            });
            let (arrived, back): (Vec<f64>, Vec<usize>) = arrive.unzip();
            costs = arrived;
            from.push(back);
        }
        let least = costs.iter().enumerate().min_by(|a, b| a.1.total_cmp(b.1));
        let (mut at, score) = least.map_or((0, 0.0), |(at, &score)| (at, score));
        let mut chosen = vec![at];
        for back in from[1..].iter().rev() {
            at = back[at];
            chosen.push(at);
        }
        chosen.reverse();
        (chosen, score)
    }
}
