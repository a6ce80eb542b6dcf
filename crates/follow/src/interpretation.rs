//! The result of a search: which instances are used, when, how stretched, and where.

use crate::problem::Problem;
use crate::{Result, RigidMotion};

/// A control motion as a sequence of moved and stretched instances.
#[derive(Debug, Clone, PartialEq)]
pub struct Interpretation {
    /// Frame rate of `frames` and of the pieces' frames.
    pub rate_hz: f64,
    /// Number of frames of the control.
    pub frames: usize,
    /// The pieces in order, without gaps.
    pub pieces: Vec<Piece>,
    /// Total cost (equation 5, and the cost of stretch), in square metres.
    pub score: f64,
    /// The share of the score that the optimal interpretation could save, at most; 0 if this one is proven optimal, 1 if
    /// nothing is known.
    pub gap: f64,
}

/// One use of an instance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Piece {
    /// Number of the instance in the mapping.
    pub instance: usize,
    /// First frame.
    pub start: usize,
    /// Duration in frames.
    pub frames: usize,
    /// The example frame at which the piece begins; may be fractional. Differs from the instance's first frame if the
    /// instance is cut.
    pub from_frame: f64,
    /// The example frame at which the piece ends.
    pub to_frame: f64,
    /// The placement of the example: M.
    pub motion: RigidMotion,
    /// Interpretation cost D, in square metres.
    pub interpretation: f64,
    /// Weighted RMS distance between the example's control and the control, in metres.
    pub rms_m: f64,
    /// Continuity cost k C to the previous piece, in square metres; 0 for the first piece.
    pub continuity: f64,
    /// Weighted RMS distance by which target points jump from the previous piece, in metres; does not depend on k.
    pub jump_m: f64,
    /// Duration as a multiple of the example's.
    pub stretch: f64,
    /// Cost of the stretch, in square metres.
    pub stretch_cost: f64,
}

impl Interpretation {
    /// Measures the chosen cells, given with their start frames in order. Every other interpretation that is cheaper costs at
    /// least `least_cost`.
    pub(crate) fn from_cells(
        problem: &Problem<'_>,
        chosen: &[(usize, usize)],
        least_cost: f64,
    ) -> Result<Self> {
        let mut pieces = Vec::with_capacity(chosen.len());
        let (mut tail, mut head) = (Vec::new(), Vec::new());
        let mut score = 0.0;
        for &(number, start) in chosen {
            let cell = &problem.index.cells.all[number];
            let measured = problem.measure(number, start)?;
            head.clear();
            measured.motion.apply(problem.index.cells.head(number), &mut head);
            let join_cost = match (start, problem.before()) {
                (0, None) => 0.0,
                (0, Some(before)) => problem.join_cost(before, &head),
                _ => problem.join_cost(&tail, &head),
            };
            let continuity = problem.settings.k * join_cost;
            // Summed in the order of the recurrence, so that scores are equal to the last bit.
            let stretch_cost = problem.stretch_cost(number);
            score = score + continuity + (measured.squared_m2 + stretch_cost);
            tail.clear();
            measured.motion.apply(problem.index.cells.tail(number), &mut tail);
            pieces.push(Piece {
                instance: cell.instance,
                start,
                frames: cell.frames,
                from_frame: cell.from,
                to_frame: cell.to,
                motion: measured.motion,
                interpretation: measured.squared_m2,
                rms_m: problem.mapping.rms_m(&problem.deviations(number, start, measured.motion)),
                continuity,
                jump_m: problem.mapping.jump_m(join_cost, problem.settings.join_frames),
                stretch: cell.stretch,
                stretch_cost,
            });
        }
        let gap = if least_cost < score { 1.0 - least_cost / score } else { 0.0 };
        Ok(Self { rate_hz: problem.settings.rate_hz, frames: problem.frames, pieces, score, gap })
    }

    /// Total costs of interpretation, continuity and stretch, in square metres: both terms of equation 5, and the third.
    pub fn parts(&self) -> (f64, f64, f64) {
        self.pieces.iter().fold((0.0, 0.0, 0.0), |sum, p| {
            (sum.0 + p.interpretation, sum.1 + p.continuity, sum.2 + p.stretch_cost)
        })
    }
}
