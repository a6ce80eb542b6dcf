//! A placement with its source clip: placed on the floor, stretched in time.

use marey_motion::{Clip, Ground, LocalPose, Quat};
use marey_plan::Placement;

use crate::join::{exp, log};
use crate::reference_joints::ReferenceJoints;
use crate::sole_touch::SoleTouch;
use crate::{RealiseError, RealiseSettings, Result, SourceClip};

/// Time constant of the extrapolation past the end of a source, in seconds. The motion slows down
/// exponentially and travels as far as it would in this time at full speed.
const REST_SECS: f64 = 0.15;

/// A placement with its source clip, ready to play.
#[derive(Debug)]
pub(crate) struct Piece {
    placement: Placement,
    /// The source clip from the first frame of the placement, mirrored if the placement is.
    clip: Clip,
    touches: Vec<SoleTouch>,
    ground: Ground,
    turn: Quat,
    /// Source frames per plan frame, without stretching.
    rate_ratio: Option<f64>,
    reference_joints: Option<ReferenceJoints>,
}

impl Piece {
    /// Checks a placement against its source. Up to `beyond` frames past its end can be evaluated.
    pub(crate) fn new(
        placement: &Placement,
        example: &SourceClip,
        rate_hz: f64,
        settings: &RealiseSettings,
        beyond: usize,
    ) -> Result<Self> {
        let has = example.clip.frames();
        if placement.source_end > has {
            return Err(RealiseError::OutOfSpan {
                start: placement.start,
                source_start: placement.source_start,
                source_end: placement.source_end,
                take: placement.source.take.clone(),
                frames: has,
            });
        }
        let last = placement.source_frame_at(placement.frames.saturating_add(beyond) as f64).ceil() as usize;
        let last = last.saturating_add(1);
        let span = placement.source_start..last.clamp(placement.source_end, has);
        let clip = example.clip.slice(span.clone())?;
        let ground = if settings.place { placement.world_from_source } else { Ground::IDENTITY };
        Ok(Self {
            touches: SoleTouch::of(&example.contacts, span, placement.mirrored),
            clip: if placement.mirrored { clip.mirrored() } else { clip },
            ground,
            turn: ground.rotation(),
            rate_ratio: (!settings.stretch).then(|| example.clip.rate_hz() / rate_hz),
            reference_joints: ReferenceJoints::of(example.clip.skeleton()),
            placement: placement.clone(),
        })
    }

    /// Length in frames of the plan.
    pub(crate) fn frames(&self) -> usize {
        self.placement.frames
    }

    /// The pose `at` frames after the start, which may be past the end. If the source ends with the piece,
    /// the motion is extrapolated and comes to rest; if it ended before, it holds its last pose. Joints above
    /// the hips rest.
    pub(crate) fn pose_at(&self, at: usize, pose: &mut LocalPose) {
        let (source, last) = (self.source_at(at), (self.clip.frames() - 1) as f64);
        self.clip.sample_into(source / self.clip.rate_hz(), pose);
        if at >= self.frames() && source > last && last > 0.0 {
            let ended = self.source_at(self.frames() - 1).max(last);
            if ended < last + 1.0 {
                self.extrapolate(source - ended, pose);
            }
        }
        if let (Some(rotation), Some(position)) = (pose.rotations.first_mut(), pose.positions.first_mut()) {
            *rotation = self.turn * *rotation;
            *position = self.turn * *position + self.ground.translation();
        }
        if let Some(reference_joints) = &self.reference_joints {
            reference_joints.settle(pose);
        }
    }

    /// Extrapolates the last pose by some source frames.
    fn extrapolate(&self, frames: f64, pose: &mut LocalPose) {
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

    /// The foot contacts `at` frames after the start, which may be past the end.
    pub(crate) fn touch_at(&self, at: usize) -> SoleTouch {
        let nearest = self.source_at(at).round().max(0.0) as usize;
        self.touches.get(nearest.min(self.touches.len() - 1)).copied().unwrap_or_default()
    }

    /// Whether another piece continues this one in the same source and at the same place.
    pub(crate) fn flows_into(&self, next: &Self) -> bool {
        let (a, b) = (&self.placement, &next.placement);
        a.source == b.source
            && a.source_end == b.source_start
            && a.mirrored == b.mirrored
            && self.ground == next.ground
    }

    /// Source frame relative to the first one used.
    fn source_at(&self, at: usize) -> f64 {
        match self.rate_ratio {
            Some(ratio) => at as f64 * ratio,
            None => self.placement.source_frame_at(at as f64) - self.placement.source_start as f64,
        }
    }
}
