//! A control motion, interpreted: which instances, when, how stretched and where.

use crate::problem::Problem;
use crate::{Motion, Result};

/// A control motion as a sequence of instances that were moved and stretched.
#[derive(Debug, Clone, PartialEq)]
pub struct Interpretation {
    /// The rate that frames are counted at.
    pub rate_hz: f64,
    /// How many frames the control has.
    pub frames: usize,
    /// One after another, without gaps.
    pub pieces: Vec<Piece>,
    /// Equation 5, in square metres.
    pub score: f64,
}

/// One instance in use.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Piece {
    /// Which, by number in the mapping.
    pub instance: usize,
    /// The frame it starts at.
    pub start: usize,
    /// How many frames it lasts.
    pub frames: usize,
    /// The frame of its example at which it begins: that of the instance, unless it is cut. It may have a fraction.
    pub from_frame: f64,
    /// The frame of its example at which it ends.
    pub to_frame: f64,
    /// Where the example is put: M.
    pub motion: Motion,
    /// How much of the control it leaves unexplained: D, in square metres.
    pub interpretation: f64,
    /// The same as the root of its weighted mean, in metres: how far the example's control is from the control.
    pub rms_m: f64,
    /// How much it jumps from the piece before: k C, in square metres; 0 for the first.
    pub continuity: f64,
    /// The same without k, as the root of its weighted mean, in metres: how far points of the target jump.
    pub jump_m: f64,
}

impl Interpretation {
    /// The cells and where they start, in time.
    pub(crate) fn of(problem: &Problem<'_>, chosen: &[(usize, usize)]) -> Result<Self> {
        let mut pieces = Vec::with_capacity(chosen.len());
        let (mut tail, mut head) = (Vec::new(), Vec::new());
        let mut score = 0.0;
        for &(number, start) in chosen {
            let cell = &problem.index.cells.all[number];
            let measured = problem.measure(number, start)?;
            head.clear();
            measured.motion.carry(problem.index.cells.head(number), &mut head);
            let joined = match (start, problem.before()) {
                (0, None) => 0.0,
                (0, Some(before)) => problem.join_cost(before, &head),
                _ => problem.join_cost(&tail, &head),
            };
            let continuity = problem.settings.k * joined;
            // As the recurrence sums it up.
            score = score + continuity + measured.squared_m2;
            tail.clear();
            measured.motion.carry(problem.index.cells.tail(number), &mut tail);
            pieces.push(Piece {
                instance: cell.instance,
                start,
                frames: cell.frames,
                from_frame: cell.from,
                to_frame: cell.to,
                motion: measured.motion,
                interpretation: measured.squared_m2,
                rms_m: problem.mapping.rms_m(measured.squared_m2, cell.frames + 1),
                continuity,
                jump_m: problem.mapping.jump_m(joined, problem.settings.join_frames),
            });
        }
        Ok(Self { rate_hz: problem.settings.rate_hz, frames: problem.frames, pieces, score })
    }

    /// The sums of interpretation and of continuity, in square metres: both parts of equation 5.
    pub fn parts(&self) -> (f64, f64) {
        self.pieces.iter().fold((0.0, 0.0), |sum, p| (sum.0 + p.interpretation, sum.1 + p.continuity))
    }
}
