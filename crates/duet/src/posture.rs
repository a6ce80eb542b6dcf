//! How a body is in an instant, and how far two such are apart.

use marey_ops::reduction::movement::to_common_length;

use crate::who::Who;
use crate::{Pair, Result};

/// Where feet, hands and head are, seen from the hips, and how high these are.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Posture(Vec<f32>);

impl Posture {
    /// Those of some frames of recordings.
    pub(crate) fn all<'a>(who: Who, frames: impl Iterator<Item = (&'a Pair, usize)>) -> Result<Vec<Self>> {
        let frames = frames.map(|(pair, frame)| who.movement(pair, frame..frame + 1));
        let vectors = to_common_length(&frames.collect::<Result<Vec<_>>>()?, 0.0)?;
        Ok(vectors.into_iter().map(Posture).collect())
    }

    /// The mean of some.
    pub(crate) fn mean<'a>(some: impl Iterator<Item = &'a Posture> + Clone) -> Self {
        let n = some.clone().count().max(1) as f32;
        let mut sum = vec![0.0; some.clone().next().map_or(0, |first| first.0.len())];
        for posture in some {
            sum.iter_mut().zip(&posture.0).for_each(|(sum, x)| *sum += x / n);
        }
        Self(sum)
    }

    /// How far two are apart, root mean square over feet, hands, head and hips, in metres.
    pub(crate) fn apart_m(&self, other: &Posture) -> f32 {
        self.0.iter().zip(&other.0).map(|(a, b)| (a - b).powi(2)).sum::<f32>().sqrt()
    }
}
