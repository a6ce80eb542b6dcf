//! A placement with its example: placed on the floor, stretched in time.

use marey_motion::{Clip, Ground, LocalPose, Quat};
use marey_plan::Placement;

use crate::join::{exp, log};
use crate::touch::Touch;
use crate::{Error, Example, Result, Settings};

/// In such a time, motion that goes on past the end of its example loses all but a third of its speed, in seconds: it goes as far
/// as it would have gone in this time.
const REST_SECS: f64 = 0.15;

/// A placement that is ready to be played.
#[derive(Debug)]
pub(crate) struct Piece {
    placement: Placement,
    /// From the placement's first frame on, mirrored where it is to be.
    clip: Clip,
    touches: Vec<Touch>,
    ground: Ground,
    turn: Quat,
    /// Frames of the example in one of the plan, where it is not stretched.
    own_pace: Option<f64>,
}

impl Piece {
    /// Checks a placement against its example. `beyond` frames of the plan past its end may be asked for.
    pub(crate) fn new(
        placement: &Placement,
        example: &Example,
        rate_hz: f64,
        settings: &Settings,
        beyond: usize,
    ) -> Result<Self> {
        let has = example.clip.frames();
        if placement.source_end > has {
            return Err(Error::OutOfSpan {
                start: placement.start,
                source_start: placement.source_start,
                source_end: placement.source_end,
                take: placement.source.take.clone(),
                frames: has,
            });
        }
        let last = placement.source_frame_at(placement.frames.saturating_add(beyond) as f64).ceil() as usize;
        let last = last.saturating_add(1);
        let clip = example.clip.slice(placement.source_start..last.clamp(placement.source_end, has))?;
        let span = placement.source_start..placement.source_end;
        let ground = if settings.place { placement.world_from_source } else { Ground::IDENTITY };
        Ok(Self {
            touches: Touch::of(&example.contacts, span, placement.mirrored),
            clip: if placement.mirrored { clip.mirrored() } else { clip },
            ground,
            turn: ground.rotation(),
            own_pace: (!settings.stretch).then(|| example.clip.rate_hz() / rate_hz),
            placement: placement.clone(),
        })
    }

    /// How many frames of the plan it lasts.
    pub(crate) fn frames(&self) -> usize {
        self.placement.frames
    }

    /// The pose so many frames after its start, which may be past its end. Where its example ends with it, it goes on from there as it went
    /// and comes to rest; where the example ended before, it stands.
    pub(crate) fn pose_at(&self, at: usize, pose: &mut LocalPose) {
        let (source, last) = (self.source_at(at), (self.clip.frames() - 1) as f64);
        self.clip.sample_into(source / self.clip.rate_hz(), pose);
        if at >= self.frames() && source > last && last > 0.0 {
            let ended = self.source_at(self.frames() - 1).max(last);
            if ended < last + 1.0 {
                self.go_on(source - ended, pose);
            }
        }
        if let (Some(rotation), Some(position)) = (pose.rotations.first_mut(), pose.positions.first_mut()) {
            *rotation = self.turn * *rotation;
            *position = self.turn * *position + self.ground.translation();
        }
    }

    /// Takes the last pose on, so many frames of the example past its end.
    fn go_on(&self, frames: f64, pose: &mut LocalPose) {
        let rest = REST_SECS * self.clip.rate_hz();
        let by = (rest * (1.0 - (-frames / rest).exp())) as f32;
        let before = self.clip.pose(self.clip.frames() - 2);
        for (turn, before) in pose.rotations.iter_mut().zip(before.rotations) {
            *turn = exp(log(*turn * before.conjugate()) * by) * *turn;
        }
        for (place, before) in pose.positions.iter_mut().zip(before.positions) {
            *place += (*place - *before) * by;
        }
    }

    /// What touches the floor so many frames after its start.
    pub(crate) fn touch_at(&self, at: usize) -> Touch {
        let nearest = self.source_at(at).round().max(0.0) as usize;
        self.touches.get(nearest.min(self.touches.len() - 1)).copied().unwrap_or_default()
    }

    /// Whether another piece goes on where this one ends, as if they were one.
    pub(crate) fn flows_into(&self, next: &Self) -> bool {
        let (a, b) = (&self.placement, &next.placement);
        a.source == b.source
            && a.source_end == b.source_start
            && a.mirrored == b.mirrored
            && self.ground == next.ground
    }

    /// Frames of the example after its first that is used.
    fn source_at(&self, at: usize) -> f64 {
        match self.own_pace {
            Some(pace) => at as f64 * pace,
            None => self.placement.source_frame_at(at as f64) - self.placement.source_start as f64,
        }
    }
}
