//! From a control motion to a plan.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use marey_motion::{Ground, PointClip};
use marey_plan::{ActorPlan, Candidate, Choice, Cost, Placement, Plan, Seed, Trace};

use crate::refine::refine;
use crate::{Error, Interpretation, Mapping, Motion, Piece, Problem, Result, Settings, Watch, Wish};

/// How many candidates of each choice are told.
const TOLD: usize = 8;

/// What parts of costs are called in plans and traces.
const INTERPRETATION: &str = "interpretation";
const CONTINUITY: &str = "continuity";

/// Interprets a control motion; frames are those of the control.
pub fn follow(
    mapping: &Mapping,
    control: &PointClip,
    wishes: &[Wish],
    settings: &Settings,
) -> Result<Interpretation> {
    follow_watched(mapping, control, wishes, settings, &|_, _| ControlFlow::Continue(()))
}

/// [`follow`], with somebody watching the search.
pub fn follow_watched(
    mapping: &Mapping,
    control: &PointClip,
    wishes: &[Wish],
    settings: &Settings,
    watch: Watch<'_>,
) -> Result<Interpretation> {
    let coarse = Problem::new(mapping, control, wishes, settings)?.solve_watched(watch)?;
    at_rate(&coarse, mapping, control, wishes, settings)
}

/// [`follow_watched`], and why each piece was chosen: at the working rate, the pieces that would have lasted as long from the same
/// instant on, best first, with what each leaves unexplained and how far it jumps from the piece before.
pub fn follow_explained(
    mapping: &Mapping,
    control: &PointClip,
    wishes: &[Wish],
    settings: &Settings,
    watch: Watch<'_>,
) -> Result<(Interpretation, Trace)> {
    let problem = Problem::new(mapping, control, wishes, settings)?;
    let coarse = problem.solve_watched(watch)?;
    let trace = problem.trace(&coarse)?;
    Ok((at_rate(&coarse, mapping, control, wishes, settings)?, trace))
}

/// An interpretation in frames of the control.
fn at_rate(
    coarse: &Interpretation,
    mapping: &Mapping,
    control: &PointClip,
    wishes: &[Wish],
    settings: &Settings,
) -> Result<Interpretation> {
    if settings.refine {
        return refine(coarse, mapping, control, wishes, settings);
    }
    Ok(coarse.scaled(control.rate_hz(), control.frames()))
}

impl Interpretation {
    /// The same in frames of a higher rate: a path that was drawn with few points is walked along smoothly all the same. A lower
    /// rate changes nothing.
    pub fn at_rate(&self, rate_hz: f64) -> Self {
        if rate_hz > self.rate_hz && rate_hz.is_finite() {
            let frames = (self.frames as f64 / self.rate_hz * rate_hz).round() as usize;
            return self.scaled(rate_hz, frames);
        }
        self.clone()
    }

    fn scaled(&self, rate_hz: f64, frames: usize) -> Self {
        let scale = frames as f64 / self.frames as f64;
        let at = |frame: usize| (frame as f64 * scale).round() as usize;
        let pieces = self.pieces.iter().map(|piece| {
            let (start, end) = (at(piece.start), at(piece.start + piece.frames));
            Piece { start, frames: end - start, ..*piece }
        });
        Self { rate_hz, frames, pieces: pieces.collect(), score: self.score }
    }

    /// The plan of one actor who does what the targets of the pieces did, where they did it relative to the control.
    pub fn plan(&self, mapping: &Mapping, actor: &str) -> Result<Plan> {
        let placements = self.pieces.iter().map(|piece| piece.placement(mapping)).collect::<Result<_>>()?;
        let (interpretation, continuity) = self.parts();
        let parts = [(INTERPRETATION, interpretation), (CONTINUITY, continuity)];
        let parts: BTreeMap<String, f64> =
            parts.into_iter().map(|(name, cost)| (name.to_owned(), cost)).collect();
        Ok(Plan {
            rate_hz: self.rate_hz,
            seed: Seed::default(),
            cost: Cost { total: self.score, parts },
            actors: vec![ActorPlan { name: actor.into(), placements }],
            meetings: vec![],
            targets: vec![],
        })
    }
}

impl Piece {
    /// Where on the floor the example is put.
    pub fn ground(&self) -> Result<Ground> {
        match self.motion {
            Motion::Ground(ground) => Ok(ground),
            Motion::Rigid { .. } => Err(Error::Tilted),
        }
    }

    /// The piece as a plan has it; frames are those of the interpretation.
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

impl Problem<'_> {
    /// What else there was to choose for each piece of an interpretation of this problem.
    fn trace(&self, interpretation: &Interpretation) -> Result<Trace> {
        let mut choices = Vec::new();
        let (mut tail, mut head) = (Vec::new(), Vec::new());
        for (number, piece) in interpretation.pieces.iter().enumerate() {
            let mut candidates = Vec::new();
            let mut next_tail = Vec::new();
            for (index, cell) in self.index.cells.all.iter().enumerate() {
                if cell.frames != piece.frames || !self.is_legal(index, piece.start) {
                    continue;
                }
                let measured = self.measure(index, piece.start)?;
                head.clear();
                measured.motion.carry(self.index.cells.head(index), &mut head);
                let jump = if number == 0 { 0.0 } else { self.settings.k * self.join_cost(&tail, &head) };
                let taken = cell.instance == piece.instance && cell.from == piece.from_frame;
                if taken {
                    measured.motion.carry(self.index.cells.tail(index), &mut next_tail);
                }
                let cost = [(INTERPRETATION, measured.squared_m2), (CONTINUITY, jump)];
                let candidate = Candidate {
                    source: self.mapping.example_of(cell.instance).source.clone(),
                    from_frame: cell.from.round() as usize,
                    cost: cost.into_iter().map(|(name, cost)| (name.to_owned(), cost)).collect(),
                };
                candidates.push((candidate, taken));
            }
            candidates.sort_by(|a, b| a.0.total_cost().total_cmp(&b.0.total_cost()).then(b.1.cmp(&a.1)));
            // What was taken is told, however far down it stands.
            let taken = candidates.iter().position(|(_, taken)| *taken).unwrap_or(0);
            if taken >= TOLD {
                candidates.swap(taken, TOLD - 1);
            }
            candidates.truncate(TOLD);
            choices.push(Choice {
                actor: 0,
                placement: number,
                taken: taken.min(TOLD - 1),
                candidates: candidates.into_iter().map(|(candidate, _)| candidate).collect(),
            });
            tail = next_tail;
        }
        Ok(Trace { choices })
    }
}
