//! Every frame that a style is learned from, at the working rate.

use std::ops::Range;
use std::sync::Arc;

use marey_motion::{Clip, Ground, LocalPoseRef, Skeleton};
use marey_ops::contacts;
use marey_ops::floor::Floor;
use marey_ops::sole::SolePoint;

use crate::{Alphabet, Result};

/// Which of a skeleton's [sole points](SolePoint::all) stand, a bit for each.
pub(crate) type Touches = u8;

/// Frames of all clips, one after another: every figure in place, on the floor and facing ahead.
#[derive(Debug, Clone)]
pub struct Frames {
    clip: Clip,
    /// One past the last frame of each clip.
    ends: Vec<usize>,
    /// Where each figure was.
    track: Vec<Ground>,
    touches: Vec<Touches>,
    /// Frames × joints.
    postures: Vec<u16>,
    /// For each joint and orientation, the frames that have it.
    instances: Vec<Vec<Vec<u32>>>,
}

impl Frames {
    /// The frames of clips of one skeleton. Postures are not known yet.
    pub(crate) fn gather(clips: &[Clip], skeleton: &Arc<Skeleton>, rate_hz: f64) -> Result<Self> {
        let points = SolePoint::all(skeleton);
        let (mut in_place, mut ends, mut track, mut touches) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for clip in clips {
            let found = contacts::detect(clip, &contacts::Settings::default())?;
            let world = clip.lifted(-Self::floor_m(&found.floor))?.resampled(rate_hz)?;
            let frames_each = clip.rate_hz() / rate_hz;
            touches.extend((0..world.frames()).map(|frame| {
                let seen = ((frame as f64 * frames_each).round() as usize).min(clip.frames() - 1);
                bits(points.iter().map(|point| found.contacts.touches(point.part.role(point.side), seen)))
            }));
            let ground = world.ground_track();
            in_place.push(world.without_ground(&ground)?.with_skeleton(skeleton.clone())?);
            track.extend(ground.frames);
            ends.push(track.len());
        }
        let clip = Clip::concat(&in_place)?;
        Ok(Self { clip, ends, track, touches, postures: Vec::new(), instances: Vec::new() })
    }

    /// How high a floor is; at 0 where nobody rests on it.
    pub(crate) fn floor_m(floor: &Floor) -> f32 {
        if floor.support > 0.0 { floor.height_m } else { 0.0 }
    }

    /// With the postures that alphabets make of them.
    pub(crate) fn spelled(mut self, alphabets: &[Alphabet]) -> Self {
        self.postures = self
            .clip
            .poses()
            .flat_map(|pose| {
                pose.rotations.iter().zip(alphabets).map(|(turn, alphabet)| alphabet.nearest(*turn))
            })
            .collect();
        self.instances = alphabets.iter().map(|alphabet| vec![Vec::new(); alphabet.len()]).collect();
        for (frame, posture) in self.postures.chunks_exact(alphabets.len().max(1)).enumerate() {
            for (of_joint, &state) in self.instances.iter_mut().zip(posture) {
                if let Some(frames) = of_joint.get_mut(usize::from(state)) {
                    frames.push(frame as u32);
                }
            }
        }
        self
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.track.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.track.is_empty()
    }

    /// The frames of each clip.
    pub fn clips(&self) -> impl Iterator<Item = Range<usize>> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(self.ends.iter().copied()).map(|(start, end)| start..end)
    }

    /// Which clip a frame is of, and which of its frames at the working rate.
    pub fn place(&self, frame: usize) -> (usize, usize) {
        let clip = self.ends.partition_point(|end| *end <= frame);
        let start = clip.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or(0);
        (clip, frame - start)
    }

    /// The frame behind one, in the same clip.
    pub(crate) fn next(&self, frame: usize) -> Option<usize> {
        (self.place(frame).0 == self.place(frame + 1).0).then_some(frame + 1)
    }

    /// The pose of a frame, in place and facing ahead.
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

    /// How the figure goes on from a frame over the floor, as it is seen from there; not at all from a clip's last.
    pub(crate) fn travel(&self, frame: usize) -> Ground {
        let here = self.track.get(frame).copied().unwrap_or_default();
        let next = self.next(frame).and_then(|next| self.track.get(next)).copied();
        next.map_or(Ground::IDENTITY, |next| here.inverse() * next)
    }

    /// What stands in a frame.
    pub(crate) fn touches(&self, frame: usize) -> Touches {
        self.touches.get(frame).copied().unwrap_or(0)
    }
}

/// A bit for each.
pub(crate) fn bits(flags: impl Iterator<Item = bool>) -> Touches {
    flags.enumerate().fold(0, |bits, (index, is_set)| bits | (Touches::from(is_set) << index))
}
