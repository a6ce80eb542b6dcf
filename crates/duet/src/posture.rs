//! Feature vector of a single frame.

use marey_ops::reduction::movement::to_common_length;

use crate::subject::Subject;
use crate::{RecordedPair, Result};

/// Positions of feet, hands and head relative to the hips, and the height of the hips.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Posture(Vec<f32>);

impl Posture {
    /// Returns the postures in some frames of recordings.
    pub(crate) fn from_frames<'a>(
        subject: Subject,
        frames: impl Iterator<Item = (&'a RecordedPair, usize)>,
    ) -> Result<Vec<Self>> {
        let frames = frames.map(|(pair, frame)| subject.movement(pair, frame..frame + 1));
        let vectors = to_common_length(&frames.collect::<Result<Vec<_>>>()?, 0.0)?;
        Ok(vectors.into_iter().map(Posture).collect())
    }

    /// Returns the mean posture.
    pub(crate) fn mean<'a>(postures: impl Iterator<Item = &'a Posture> + Clone) -> Self {
        let n = postures.clone().count().max(1) as f32;
        let mut sum = vec![0.0; postures.clone().next().map_or(0, |first| first.0.len())];
        for posture in postures {
            sum.iter_mut().zip(&posture.0).for_each(|(sum, x)| *sum += x / n);
        }
        Self(sum)
    }

    /// Returns the distance between two postures, root mean square over feet, hands, head and hips,
    /// in metres.
    pub(crate) fn distance_m(&self, other: &Posture) -> f32 {
        self.0.iter().zip(&other.0).map(|(a, b)| (a - b).powi(2)).sum::<f32>().sqrt()
    }
}
