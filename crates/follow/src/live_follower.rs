//! Interpretation of a control while it is still going on.
//!
//! Hsu, Gentry and Popović (2004, section 7) leave this open, since their search is global. Here decisions are made with a
//! fixed lag. The follower buffers the control from the last decision on. As soon as the buffer is as long as the longest
//! stretched instance, the follower interprets it, continuing from the end of the last decision and allowing the last piece
//! to be cut. It then commits to the first piece of that interpretation. So every decision comes at most one longest
//! instance late, takes all received frames into account, and is found by the same exact search.
//!
//! Limits: control frames that arrive after a decision cannot change it, so the total cost may be higher than that of the
//! optimal interpretation of the whole.

use std::sync::Arc;

use marey_motion::Vec3;
use marey_ops::OutOfRange;

use crate::search_index::SearchIndex;
use crate::{FollowError, FollowSettings, Interpretation, Mapping, Piece, Problem, Result};

/// Interprets a control that arrives frame by frame.
#[derive(Debug)]
pub struct LiveFollower<'a> {
    mapping: &'a Mapping,
    /// The caller's settings with the actual working rate and a free end.
    settings: FollowSettings,
    index: Arc<SearchIndex>,
    /// Control frames per frame of the working rate.
    frames_per_step: usize,
    /// Number of control frames received.
    received: usize,
    /// The frame of the working rate up to which everything is decided.
    decided: usize,
    /// The control at the working rate since `decided`.
    points: Vec<Vec3>,
    /// The target's points at the end of the last decision.
    tail: Option<Vec<Vec3>>,
}

impl<'a> LiveFollower<'a> {
    /// Prepares to follow a control at `rate_hz`. The working rate is the fraction 1/n of it that is nearest to the
    /// settings' rate.
    pub fn new(mapping: &'a Mapping, rate_hz: f64, settings: &FollowSettings) -> Result<Self> {
        settings.validate()?;
        OutOfRange::check("rate_hz", rate_hz, 1.0..=10_000.0)?;
        let frames_per_step = (rate_hz / settings.rate_hz).round().max(1.0) as usize;
        let settings =
            FollowSettings { rate_hz: rate_hz / frames_per_step as f64, free_end: true, ..*settings };
        let longest = 0..mapping.instances().len();
        let longest =
            longest.flat_map(|i| crate::cells::durations(mapping.duration_secs(i), &settings)).max();
        let index = Arc::new(SearchIndex::new(mapping, &settings, longest.unwrap_or(1))?);
        Ok(Self {
            mapping,
            settings,
            index,
            frames_per_step,
            received: 0,
            decided: 0,
            points: vec![],
            tail: None,
        })
    }

    /// The maximum number of control frames between a frame and the decision that covers it.
    pub fn delay_frames(&self) -> usize {
        self.index.longest * self.frames_per_step
    }

    /// Takes the next control frame. Returns a piece, in frames of the control, if one was decided.
    pub fn push(&mut self, points: &[Vec3]) -> Result<Option<Piece>> {
        let wanted = self.mapping.control_weights().len();
        let what = || "the control".to_owned();
        if points.len() != wanted {
            return Err(FollowError::Points { what: what(), found: points.len(), wanted });
        }
        if let Some(joint) = points.iter().position(|p| !p.is_finite()) {
            return Err(marey_motion::MotionError::NotFinite {
                what: "a point",
                frame: self.received,
                joint,
            }
            .into());
        }
        let is_sampled = self.received.is_multiple_of(self.frames_per_step);
        self.received += 1;
        if !is_sampled {
            return Ok(None);
        }
        self.points.extend_from_slice(points);
        if self.points.len() / wanted <= self.index.longest {
            return Ok(None);
        }
        let interpretation = self.interpret()?;
        self.decide(&interpretation.pieces[..1]).map(|pieces| pieces.into_iter().next())
    }

    /// Ends the control and returns the pieces that cover the rest of it.
    pub fn finish(mut self) -> Result<Vec<Piece>> {
        let wanted = self.mapping.control_weights().len();
        // Repeat the last sample, since the last frame has a duration too.
        let Some(from) = self.points.len().checked_sub(wanted) else { return Ok(Vec::new()) };
        self.points.extend_from_within(from..);
        let interpretation = self.interpret()?;
        let mut pieces = self.decide(&interpretation.pieces)?;
        if let Some(last) = pieces.last_mut() {
            last.frames = self.received.saturating_sub(last.start).max(1);
        }
        Ok(pieces)
    }

    fn interpret(&self) -> Result<Interpretation> {
        let mut settings = self.settings;
        settings.free_start &= self.decided == 0;
        let problem = Problem::from_points(self.mapping, self.index.clone(), self.points.clone(), &settings);
        problem.after(self.tail.clone()).solve()
    }

    /// Commits to pieces and returns them in frames of the control.
    fn decide(&mut self, pieces: &[Piece]) -> Result<Vec<Piece>> {
        let mut decided = Vec::with_capacity(pieces.len());
        for piece in pieces {
            let start = self.decided * self.frames_per_step;
            decided.push(Piece { start, frames: piece.frames * self.frames_per_step, ..*piece });
            self.decided += piece.frames;
            self.points.drain(..piece.frames * self.mapping.control_weights().len());
            let target = &self.mapping.example_of(piece.instance).target;
            let step = (piece.to_frame - piece.from_frame) / piece.frames as f64;
            let mut tail = Vec::new();
            for before in (0..self.settings.join_frames).rev() {
                crate::mapping::sample(target, piece.to_frame - f64::from(before) * step, &mut tail);
            }
            let mut moved = Vec::new();
            piece.motion.apply(&tail, &mut moved);
            self.tail = Some(moved);
        }
        Ok(decided)
    }
}
