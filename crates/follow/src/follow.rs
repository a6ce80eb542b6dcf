//! From a control motion to an interpretation, a plan and a trace.

use std::collections::BTreeMap;

use marey_motion::{Ground, Observer, PointClip};
use marey_plan::{ActorPlan, Candidate, Choice, Cost, Placement, Plan, Trace};

use crate::problem::Measured;
use crate::refine::refine;
use crate::{
    FollowError, FollowSettings, Interpretation, Mapping, Piece, Problem, Result, RigidMotion,
    SegmentConstraint,
};

/// Number of candidates that a trace lists for each choice.
const MAX_CANDIDATES: usize = 8;

/// Names of the cost terms in plans and traces.
const INTERPRETATION: &str = "interpretation";
const CONTINUITY: &str = "continuity";
const STRETCH: &str = "stretch";

/// Interprets a control motion. The frames of the result are those of the control, or of the working rate if that is
/// higher.
pub fn follow(
    mapping: &Mapping,
    control: &PointClip,
    constraints: &[SegmentConstraint],
    settings: &FollowSettings,
) -> Result<Interpretation> {
    follow_observed(mapping, control, constraints, settings, Observer::ignore())
}

/// [`follow`] with progress reports and cancellation.
pub fn follow_observed(
    mapping: &Mapping,
    control: &PointClip,
    constraints: &[SegmentConstraint],
    settings: &FollowSettings,
    observer: Observer<'_>,
) -> Result<Interpretation> {
    let problem = Problem::new(mapping, control, constraints, settings)?;
    at_rate(&problem.solve_observed(observer)?, &problem, control, constraints)
}

/// [`follow_observed`] with a trace of alternatives. For each piece, the trace lists the candidates of equal duration at the
/// same frame of the working rate, best first, with the costs of interpretation by each control point, of continuity and of
/// stretch.
pub fn follow_explained(
    mapping: &Mapping,
    control: &PointClip,
    constraints: &[SegmentConstraint],
    settings: &FollowSettings,
    observer: Observer<'_>,
) -> Result<(Interpretation, Trace)> {
    let problem = Problem::new(mapping, control, constraints, settings)?;
    let coarse = problem.solve_observed(observer)?;
    let trace = problem.trace(&coarse)?;
    Ok((at_rate(&coarse, &problem, control, constraints)?, trace))
}

/// Converts an interpretation to frames of the control.
fn at_rate(
    coarse: &Interpretation,
    problem: &Problem<'_>,
    control: &PointClip,
    constraints: &[SegmentConstraint],
) -> Result<Interpretation> {
    if control.rate_hz() <= coarse.rate_hz {
        return Ok(coarse.clone());
    }
    if problem.settings.refine {
        let controls = &problem.index.controls;
        return refine(coarse, problem.mapping, controls, control, constraints, &problem.settings);
    }
    Ok(coarse.rescaled(control.rate_hz(), control.frames()))
}

impl Interpretation {
    /// The same interpretation in frames of a higher rate, so that a path drawn with few points still yields smooth motion.
    /// A lower rate changes nothing.
    pub fn at_rate(&self, rate_hz: f64) -> Self {
        if rate_hz > self.rate_hz && rate_hz.is_finite() {
            let frames = (self.frames as f64 / self.rate_hz * rate_hz).round() as usize;
            return self.rescaled(rate_hz, frames);
        }
        self.clone()
    }

    fn rescaled(&self, rate_hz: f64, frames: usize) -> Self {
        let scale = frames as f64 / self.frames as f64;
        let at = |frame: usize| (frame as f64 * scale).round() as usize;
        let pieces = self.pieces.iter().map(|piece| {
            let (start, end) = (at(piece.start), at(piece.start + piece.frames));
            Piece { start, frames: end - start, ..*piece }
        });
        Self { rate_hz, frames, pieces: pieces.collect(), score: self.score, gap: self.gap }
    }

    /// The plan of one actor that performs the targets of the pieces, placed relative to the control as in the examples.
    ///
    /// Fails if an example was rotated out of the vertical ([`FollowError::Tilted`]).
    pub fn plan(&self, mapping: &Mapping, actor: &str) -> Result<Plan> {
        let placements = self.pieces.iter().map(|piece| piece.placement(mapping)).collect::<Result<_>>()?;
        let (interpretation, continuity, stretch) = self.parts();
        let parts = [(INTERPRETATION, interpretation), (CONTINUITY, continuity), (STRETCH, stretch)];
        let parts: BTreeMap<String, f64> =
            parts.into_iter().map(|(name, cost)| (name.to_owned(), cost)).collect();
        let actors = vec![ActorPlan { name: actor.into(), placements }];
        Ok(Plan { cost: Cost { total: self.score, parts }, ..Plan::new(self.rate_hz, actors) })
    }
}

impl Piece {
    /// The placement of the example on the floor.
    pub fn ground(&self) -> Result<Ground> {
        match self.motion {
            RigidMotion::Ground(ground) => Ok(ground),
            RigidMotion::Rigid { .. } => Err(FollowError::Tilted),
        }
    }

    /// The piece as a placement of a plan, in frames of the interpretation.
    pub fn placement(&self, mapping: &Mapping) -> Result<Placement> {
        let source_start = self.from_frame.round() as usize;
        let source_end = (self.to_frame.round() as usize).max(source_start + 1);
        Ok(Placement {
            source: mapping.example_of(self.instance).source.clone(),
            source_start,
            source_end,
            start: self.start,
            frames: self.frames,
            key_times: vec![],
            world_from_source: self.ground()?,
            mirrored: false,
        })
    }
}

/// How a cell fits the control where a piece was chosen.
struct CandidateFit {
    cell: usize,
    measured: Measured,
    continuity: f64,
    is_taken: bool,
}

impl Problem<'_> {
    /// Lists the alternatives to each piece of an interpretation of this problem.
    fn trace(&self, interpretation: &Interpretation) -> Result<Trace> {
        let mut choices = Vec::new();
        let (mut tail, mut head) = (Vec::new(), Vec::new());
        for (number, piece) in interpretation.pieces.iter().enumerate() {
            let mut fits = Vec::new();
            let mut next_tail = Vec::new();
            for (index, cell) in self.index.cells.all.iter().enumerate() {
                if cell.frames != piece.frames || !self.is_legal(index, piece.start) {
                    continue;
                }
                let measured = self.measure(index, piece.start)?;
                head.clear();
                measured.motion.apply(self.index.cells.head(index), &mut head);
                let continuity =
                    if number == 0 { 0.0 } else { self.settings.k * self.join_cost(&tail, &head) };
                let is_taken = cell.instance == piece.instance && cell.from == piece.from_frame;
                if is_taken {
                    measured.motion.apply(self.index.cells.tail(index), &mut next_tail);
                }
                fits.push(CandidateFit { cell: index, measured, continuity, is_taken });
            }
            fits.sort_by(|a, b| {
                let order = self.total_cost(a).total_cmp(&self.total_cost(b));
                order.then(b.is_taken.cmp(&a.is_taken))
            });
            // The chosen candidate is always listed, even if many others cost less.
            let taken = fits.iter().position(|fit| fit.is_taken).unwrap_or(0);
            if taken >= MAX_CANDIDATES {
                fits.swap(taken, MAX_CANDIDATES - 1);
            }
            fits.truncate(MAX_CANDIDATES);
            choices.push(Choice {
                actor: 0,
                placement: number,
                taken: taken.min(MAX_CANDIDATES - 1),
                candidates: fits.iter().map(|fit| self.candidate(fit, piece.start)).collect(),
            });
            tail = next_tail;
        }
        Ok(Trace { choices })
    }

    fn total_cost(&self, fit: &CandidateFit) -> f64 {
        fit.measured.squared_m2 + fit.continuity + self.stretch_cost(fit.cell)
    }

    /// A candidate with its costs. Those of interpretation are named after the points of the control.
    fn candidate(&self, fit: &CandidateFit, start: usize) -> Candidate {
        let cell = &self.index.cells.all[fit.cell];
        let example = self.mapping.example_of(cell.instance);
        let deviations = self.deviations(fit.cell, start, fit.measured.motion);
        let costs = self.index.controls.costs(&deviations);
        let labels = example.control.labels().iter();
        let interpretation =
            labels.zip(costs).map(|(label, cost)| (format!("{INTERPRETATION} {label}"), cost));
        let others = [(CONTINUITY, fit.continuity), (STRETCH, self.stretch_cost(fit.cell))];
        let others = others.into_iter().map(|(name, cost)| (name.to_owned(), cost));
        Candidate {
            source: example.source.clone(),
            from_frame: cell.from.round() as usize,
            label: self.mapping.instances()[cell.instance].label.clone(),
            cost: interpretation.chain(others).collect(),
        }
    }
}
