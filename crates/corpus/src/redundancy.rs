//! Leaves out segments that the corpus contains already.
//!
//! Lamouret and van de Panne, *Motion Synthesis by Example* (1996), section 2, question 4; see [`marey_ops::reduction::redundancy`].

use marey_motion::Take;
use marey_ops::cloud::{self, Cloud};
use marey_ops::reduction::redundancy::covered;

use crate::{Corpus, Maker, Result, Span, TakeId};

/// The stored segments of a maker, to which new ones are compared.
#[derive(Debug, Clone)]
pub struct Redundancy {
    threshold_m: f32,
    cloud: cloud::CloudSettings,
    there: Vec<Cloud>,
}

impl Corpus {
    /// Loads the segments of a maker in all takes except some, which are about to be segmented again. A segment
    /// closer than `threshold_m` (metres, 0 to 100) to a stored one is redundant.
    pub fn redundancy(&self, maker: &Maker, but: &[TakeId], threshold_m: f32) -> Result<Redundancy> {
        let mut segments = self.segments()?;
        segments.retain(|segment| segment.maker == *maker && !but.contains(&segment.take));
        let cloud = cloud::CloudSettings::default();
        Ok(Redundancy { threshold_m, there: self.clouds(&segments, &cloud)?, cloud })
    }
}

impl Redundancy {
    /// Removes the redundant segments of a take, one after the other, and returns their number. The remaining ones
    /// are added to the comparison. A segment without an actor is compared by the motion of the first actor.
    pub fn sift(&mut self, take: &Take, spans: &mut Vec<Span>) -> Result<usize> {
        let before = spans.len();
        for span in std::mem::take(spans) {
            let actor = take.actors().get(span.actor.unwrap_or(0));
            let clip = actor.map_or_else(|| take.first(), |actor| &actor.clip);
            let cloud = Cloud::of(clip, span.start..span.end, &self.cloud)?;
            if covered(&cloud, &self.there, self.threshold_m)?.is_none() {
                self.there.push(cloud);
                spans.push(span);
            }
        }
        Ok(before - spans.len())
    }
}
