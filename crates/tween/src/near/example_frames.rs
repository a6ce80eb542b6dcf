//! The frames of a corpus at the working rate, with their mirror images.

use std::ops::Range;
use std::sync::Arc;

use glam::{Quat, Vec3};
use marey_motion::{CheckedAccess, Clip, ClipParts, Ground, LocalPoseRef, Observer, Skeleton};
use marey_ops::contacts;
use marey_ops::sole::SolePoint;

use super::GapExample;
use crate::error::check_cancelled;
use crate::style_frames::{SoleBits, StyleFrames, bits};
use crate::{Result, TweenError};

/// Frames of one stretch of motion or of its mirror image.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ExampleStretch {
    /// Its frames among all.
    pub(crate) frames: Range<usize>,
    /// The take that it is from.
    pub(crate) take: usize,
    /// The clip that it is from.
    pub(crate) clip: usize,
    pub(crate) is_mirrored: bool,
}

/// All frames, at [`super::WORKING_RATE_HZ`], on the floor.
#[derive(Debug, Clone)]
pub(crate) struct ExampleFrames {
    pub(crate) skeleton: Arc<Skeleton>,
    pub(crate) stretches: Vec<ExampleStretch>,
    /// Frames × joints.
    pub(crate) rotations: Vec<Quat>,
    /// Frames × movers.
    pub(crate) positions: Vec<Vec3>,
    pub(crate) track: Vec<Ground>,
    pub(crate) contact_bits: Vec<SoleBits>,
}

impl ExampleFrames {
    /// Collects the frames of clips of one skeleton.
    pub(crate) fn gather(examples: &[GapExample], observer: Observer<'_>) -> Result<Self> {
        let none = TweenError::TooShort { frames: 0, rate_hz: super::WORKING_RATE_HZ, min: 2 };
        let skeleton = examples.first().ok_or(none)?.clip.skeleton().clone();
        let points = SolePoint::all(&skeleton);
        let mut all = Self {
            skeleton: skeleton.clone(),
            stretches: Vec::new(),
            rotations: Vec::new(),
            positions: Vec::new(),
            track: Vec::new(),
            contact_bits: Vec::new(),
        };
        for (index, GapExample { clip, take }) in examples.iter().enumerate() {
            check_cancelled(observer)?;
            crate::motion_style::check_same(&skeleton, clip.skeleton(), || format!("clip {index}"))?;
            let detected = contacts::detect(clip, &contacts::ContactSettings::default())?;
            let world = clip.lifted(-StyleFrames::floor_m(&detected.floor))?;
            let world = world.resampled(super::WORKING_RATE_HZ)?.with_skeleton(skeleton.clone())?;
            let source_frames = clip.rate_hz() / super::WORKING_RATE_HZ;
            for is_mirrored in [false, true] {
                let motion = if is_mirrored { world.mirrored() } else { world.clone() };
                let start = all.track.len();
                all.contact_bits.extend((0..motion.frames()).map(|frame| {
                    let seen = ((frame as f64 * source_frames).round() as usize).min(clip.frames() - 1);
                    bits(points.iter().map(|point| {
                        let role = point.part.role(point.side);
                        let role = if is_mirrored { role.mirrored() } else { role };
                        detected.contacts.touches(role, seen)
                    }))
                }));
                all.track.extend(motion.ground_track().frames);
                all.rotations.extend_from_slice(motion.rotations());
                all.positions.extend_from_slice(motion.positions());
                let frames = start..all.track.len();
                all.stretches.push(ExampleStretch { frames, take: *take, clip: index, is_mirrored });
            }
        }
        Ok(all)
    }

    pub(crate) fn len(&self) -> usize {
        self.track.len()
    }

    pub(crate) fn pose(&self, frame: usize) -> Result<LocalPoseRef<'_>> {
        let (joints, movers) = (self.skeleton.len(), self.skeleton.movers().len());
        Ok(LocalPoseRef {
            rotations: self.rotations.at(frame * joints..(frame + 1) * joints)?,
            positions: self.positions.at(frame * movers..(frame + 1) * movers)?,
        })
    }

    /// Ground motion from one frame to another.
    pub(crate) fn travel(&self, from: usize, to: usize) -> Result<Ground> {
        Ok(self.track.at(from)?.inverse() * *self.track.at(to)?)
    }

    /// Frames as a clip.
    pub(crate) fn clip(&self, frames: Range<usize>) -> Result<Clip> {
        let mut parts = ClipParts::default();
        for frame in frames {
            parts.push(self.pose(frame)?);
        }
        Ok(Clip::new(self.skeleton.clone(), super::WORKING_RATE_HZ, parts)?)
    }
}
