//! A partner that answers while the control is still going on.
//!
//! Hsu, Gentry and Popović (2004, section 7) leave this open: their search is global. Here decisions are made with a fixed lag. The
//! control is kept from the last decision on; when it is as long as the longest instance may be, it is interpreted, the last
//! piece being free to end in its middle, and going on from where the last decision ended. The first piece of the
//! interpretation is decided then. So what is decided is never later than the longest instance, it knows of everything that was
//! seen, and it is found by the same exact search.
//!
//! Limits: what the control does after the lag cannot change what was decided, so that it may cost more than the best
//! interpretation of the whole.

use std::sync::Arc;

use marey_motion::Vec3;
use marey_ops::OutOfRange;

use crate::index::Index;
use crate::{Error, Interpretation, Mapping, Piece, Problem, Result, Settings};

/// Interprets a control that comes frame by frame.
#[derive(Debug)]
pub struct Live<'a> {
    mapping: &'a Mapping,
    /// With the rate that is really worked at, and a free end.
    settings: Settings,
    index: Arc<Index>,
    /// How many frames of the control make one of the working rate.
    each: usize,
    /// How many frames of the control came.
    seen: usize,
    /// The frame of the working rate up to which all is decided.
    decided: usize,
    /// The control at the working rate since then.
    points: Vec<Vec3>,
    /// Where what was decided last ends.
    tail: Option<Vec<Vec3>>,
}

impl<'a> Live<'a> {
    /// For a control at a rate, of which every second, third … frame is looked at: as near to the settings' rate as can be.
    pub fn new(mapping: &'a Mapping, rate_hz: f64, settings: &Settings) -> Result<Self> {
        settings.validate()?;
        OutOfRange::check("rate_hz", rate_hz, 1.0..=10_000.0)?;
        let each = (rate_hz / settings.rate_hz).round().max(1.0) as usize;
        let settings = Settings { rate_hz: rate_hz / each as f64, free_end: true, beam: None, ..*settings };
        let longest = 0..mapping.instances().len();
        let longest =
            longest.flat_map(|i| crate::cells::durations(mapping.duration_secs(i), &settings)).max();
        let index = Arc::new(Index::new(mapping, &settings, longest.unwrap_or(1)));
        Ok(Self { mapping, settings, index, each, seen: 0, decided: 0, points: vec![], tail: None })
    }

    /// How many frames of the control lie at the most between a frame and the decision what answers it.
    pub fn delay_frames(&self) -> usize {
        self.index.longest * self.each
    }

    /// Takes the next frame of the control; the piece that was decided, if one was. Its frames are those of the control.
    pub fn push(&mut self, points: &[Vec3]) -> Result<Option<Piece>> {
        let wanted = self.mapping.control_weights().len();
        let what = || "the control".to_owned();
        if points.len() != wanted {
            return Err(Error::Points { what: what(), found: points.len(), wanted });
        }
        if let Some(joint) = points.iter().position(|p| !p.is_finite()) {
            return Err(marey_motion::Error::NotFinite { what: "a point", frame: self.seen, joint }.into());
        }
        let is_looked_at = self.seen.is_multiple_of(self.each);
        self.seen += 1;
        if !is_looked_at {
            return Ok(None);
        }
        self.points.extend_from_slice(points);
        if self.points.len() / wanted <= self.index.longest {
            return Ok(None);
        }
        let interpretation = self.interpret()?;
        self.decide(&interpretation.pieces[..1]).map(|pieces| pieces.into_iter().next())
    }

    /// Says that the control is over; the pieces that answer the rest of it.
    pub fn finish(mut self) -> Result<Vec<Piece>> {
        let wanted = self.mapping.control_weights().len();
        // The last frame lasts as long as any.
        let Some(from) = self.points.len().checked_sub(wanted) else { return Ok(Vec::new()) };
        self.points.extend_from_within(from..);
        let interpretation = self.interpret()?;
        let mut pieces = self.decide(&interpretation.pieces)?;
        if let Some(last) = pieces.last_mut() {
            last.frames = self.seen.saturating_sub(last.start).max(1);
        }
        Ok(pieces)
    }

    fn interpret(&self) -> Result<Interpretation> {
        let mut settings = self.settings;
        settings.free_start &= self.decided == 0;
        let problem = Problem::of_points(self.mapping, self.index.clone(), self.points.clone(), &settings);
        problem.after(self.tail.clone()).solve()
    }

    /// Keeps pieces for good; they are given in frames of the control.
    fn decide(&mut self, pieces: &[Piece]) -> Result<Vec<Piece>> {
        let mut decided = Vec::with_capacity(pieces.len());
        for piece in pieces {
            let start = self.decided * self.each;
            decided.push(Piece { start, frames: piece.frames * self.each, ..*piece });
            self.decided += piece.frames;
            self.points.drain(..piece.frames * self.mapping.control_weights().len());
            let target = &self.mapping.example_of(piece.instance).target;
            let step = (piece.to_frame - piece.from_frame) / piece.frames as f64;
            let mut tail = Vec::new();
            for before in (0..self.settings.join_frames).rev() {
                crate::mapping::sample(target, piece.to_frame - f64::from(before) * step, &mut tail);
            }
            let mut carried = Vec::new();
            piece.motion.carry(&tail, &mut carried);
            self.tail = Some(carried);
        }
        Ok(decided)
    }
}
