//! The part of a style that takes long to learn, as numbers that can be stored.

use glam::Quat;

/// The orientations of each joint, the posture of each frame, and the joint that each joint depends on.
///
/// Learning again from the same clips and settings with these gives the same style, to the bit.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct StyleCodes {
    pub(crate) orientations: Vec<Vec<Quat>>,
    /// Frames × joints.
    pub(crate) postures: Vec<u16>,
    pub(crate) parents: Vec<Option<usize>>,
}

impl StyleCodes {
    /// All as numbers: joints, frames, then for each joint its parent (from 1; 0 for none) and its orientations, then the postures.
    pub fn to_numbers(&self) -> Vec<u32> {
        let frames = self.postures.len() / self.orientations.len().max(1);
        let mut numbers = vec![self.orientations.len() as u32, frames as u32];
        for (orientations, parent) in self.orientations.iter().zip(&self.parents) {
            numbers.push(parent.map_or(0, |parent| parent as u32 + 1));
            numbers.push(orientations.len() as u32);
            numbers.extend(orientations.iter().flat_map(|q| q.to_array()).map(f32::to_bits));
        }
        numbers.extend(self.postures.iter().map(|state| u32::from(*state)));
        numbers
    }

    /// The inverse of [`StyleCodes::to_numbers`]; `None` if the numbers are no codes.
    pub fn from_numbers(numbers: &[u32]) -> Option<Self> {
        let (&[joints, frames], mut rest) = numbers.split_first_chunk()?;
        let mut codes = Self::default();
        for _ in 0..joints {
            let (&[parent, count], after) = rest.split_first_chunk()?;
            let (orientations, after) = after.split_at_checked((count as usize).checked_mul(4)?)?;
            let parent = (parent as usize).checked_sub(1);
            codes.parents.push(parent.filter(|parent| *parent < joints as usize));
            let orientation = |four: &[u32; 4]| Quat::from_array(four.map(f32::from_bits));
            codes.orientations.push(orientations.as_chunks().0.iter().map(orientation).collect());
            rest = after;
        }
        let is_whole = rest.len() == (joints as usize).checked_mul(frames as usize)?;
        codes.postures = rest.iter().map(|state| u16::try_from(*state).ok()).collect::<Option<_>>()?;
        let mut states = codes
            .postures
            .chunks(joints.max(1) as usize)
            .flat_map(|posture| posture.iter().zip(&codes.orientations));
        let is_sound = codes.orientations.iter().flatten().all(|q| q.is_normalized());
        (is_whole && is_sound && states.all(|(state, all)| usize::from(*state) < all.len())).then_some(codes)
    }

    /// Whether these are codes for so many frames and joints.
    pub(crate) fn fit(&self, frames: usize, joints: usize) -> bool {
        self.orientations.len() == joints
            && self.parents.len() == joints
            && self.postures.len() == frames * joints
    }
}
