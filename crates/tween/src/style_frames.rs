//! The frames that a style is learned from, at the rate of the style.

use std::ops::Range;
use std::sync::Arc;

use marey_motion::{Clip, Ground, LocalPoseRef, Observer, Skeleton};
use marey_ops::contacts;
use marey_ops::floor::FloorEstimate;
use marey_ops::sole::SolePoint;

use crate::error::check_cancelled;
use crate::{JointCodebook, Result};

/// Which of a skeleton's [sole points](SolePoint::all) are in contact with the floor, one bit each.
pub(crate) type SoleBits = u8;

/// The frames of all clips, with the character at the origin, on the floor and facing +Z.
#[derive(Debug, Clone)]
pub struct StyleFrames {
    clip: Clip,
    /// One past the last frame of each clip.
    ends: Vec<usize>,
    /// Ground position of the character in each frame.
    track: Vec<Ground>,
    contact_bits: Vec<SoleBits>,
    /// Frames × joints.
    postures: Vec<u16>,
    /// For each joint and orientation, the frames that have it.
    instances: Vec<Vec<Vec<u32>>>,
}

impl StyleFrames {
    /// Collects the frames of clips of one skeleton, without postures.
    pub(crate) fn gather(
        clips: &[Clip],
        skeleton: &Arc<Skeleton>,
        rate_hz: f64,
        observer: Observer<'_>,
    ) -> Result<Self> {
        let points = SolePoint::all(skeleton);
        let (mut in_place, mut ends, mut track, mut contact_bits) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for clip in clips {
            check_cancelled(observer)?;
            let detected = contacts::detect(clip, &contacts::ContactSettings::default())?;
            let world = clip.lifted(-Self::floor_m(&detected.floor))?.resampled(rate_hz)?;
            let frames_each = clip.rate_hz() / rate_hz;
            contact_bits.extend((0..world.frames()).map(|frame| {
                let seen = ((frame as f64 * frames_each).round() as usize).min(clip.frames() - 1);
                bits(points.iter().map(|point| detected.contacts.touches(point.part.role(point.side), seen)))
            }));
            let ground = world.ground_track();
            in_place.push(world.without_ground(&ground)?.with_skeleton(skeleton.clone())?);
            track.extend(ground.frames);
            ends.push(track.len());
        }
        let clip = Clip::concat(&in_place)?;
        Ok(Self { clip, ends, track, contact_bits, postures: Vec::new(), instances: Vec::new() })
    }

    /// Height of a floor in metres; 0 if nothing rests on it.
    pub(crate) fn floor_m(floor: &FloorEstimate) -> f32 {
        marey_ops::floor::shared_height_m([*floor]).unwrap_or(0.0)
    }

    /// The posture of each frame, by the codebook of each joint: frames × joints.
    pub(crate) fn nearest_postures(&self, codebooks: &[JointCodebook]) -> Vec<u16> {
        let nearest = |pose: LocalPoseRef<'_>| {
            let turns = pose.rotations.iter().zip(codebooks);
            turns.map(|(turn, codebook)| codebook.nearest(*turn)).collect::<Vec<_>>()
        };
        self.clip.poses().flat_map(nearest).collect()
    }

    /// Adds the postures of all frames.
    pub(crate) fn with_postures(mut self, codebooks: &[JointCodebook], postures: Vec<u16>) -> Self {
        self.postures = postures;
        self.instances = codebooks.iter().map(|codebook| vec![Vec::new(); codebook.len()]).collect();
        for (frame, posture) in self.postures.chunks_exact(codebooks.len().max(1)).enumerate() {
            for (of_joint, &state) in self.instances.iter_mut().zip(posture) {
                if let Some(frames) = of_joint.get_mut(usize::from(state)) {
                    frames.push(frame as u32);
                }
            }
        }
        self
    }

    /// Number of frames.
    pub fn len(&self) -> usize {
        self.track.len()
    }

    /// Whether there are no frames.
    pub fn is_empty(&self) -> bool {
        self.track.is_empty()
    }

    /// The frames of each clip.
    pub fn clips(&self) -> impl Iterator<Item = Range<usize>> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(self.ends.iter().copied()).map(|(start, end)| start..end)
    }

    /// Returns the clip of a frame, and the frame's index in that clip at the rate of the style.
    pub fn clip_frame(&self, frame: usize) -> (usize, usize) {
        let clip = self.ends.partition_point(|end| *end <= frame);
        let start = clip.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or(0);
        (clip, frame - start)
    }

    /// The next frame, if it is in the same clip.
    pub(crate) fn next(&self, frame: usize) -> Option<usize> {
        (self.clip_frame(frame).0 == self.clip_frame(frame + 1).0).then_some(frame + 1)
    }

    /// The pose of a frame, at the origin and facing +Z.
    pub fn pose(&self, frame: usize) -> LocalPoseRef<'_> {
        self.clip.pose(frame.min(self.len().saturating_sub(1)))
    }

    /// The posture of a frame.
    pub fn posture(&self, frame: usize) -> &[u16] {
        let joints = self.clip.skeleton().len();
        self.postures.get(frame * joints..(frame + 1) * joints).unwrap_or_default()
    }

    /// All postures, frames × joints.
    pub(crate) fn postures(&self) -> &[u16] {
        &self.postures
    }

    /// The frames in which a joint has an orientation.
    pub(crate) fn instances(&self, joint: usize, state: u16) -> &[u32] {
        self.instances
            .get(joint)
            .and_then(|of_joint| of_joint.get(usize::from(state)))
            .map_or(&[], Vec::as_slice)
    }

    /// Ground motion from a frame to the next, in the frame's own coordinates; none for the last frame of a
    /// clip.
    pub(crate) fn travel(&self, frame: usize) -> Ground {
        let current = self.track.get(frame).copied().unwrap_or_default();
        let next = self.next(frame).and_then(|next| self.track.get(next)).copied();
        next.map_or(Ground::IDENTITY, |next| current.inverse() * next)
    }

    /// Sole contacts of a frame.
    pub(crate) fn contact_bits(&self, frame: usize) -> SoleBits {
        self.contact_bits.get(frame).copied().unwrap_or(0)
    }
}

/// Packs flags into bits.
pub(crate) fn bits(flags: impl Iterator<Item = bool>) -> SoleBits {
    flags.enumerate().fold(0, |bits, (index, is_set)| bits | (SoleBits::from(is_set) << index))
}
