//! Leaving out pieces that are in the corpus already.
//!
//! Lamouret and van de Panne, *Motion Synthesis by Example* (1996), section 2, question 4; see [`marey_ops::reduction::redundancy`].

use marey_motion::Take;
use marey_ops::cloud::{self, Cloud};
use marey_ops::reduction::redundancy::covered;

use crate::{Corpus, Maker, Result, Span, TakeId};

/// What pieces are compared with before they are put in: all that were put in by the same maker before.
#[derive(Debug, Clone)]
pub struct Redundancy {
    threshold_m: f32,
    cloud: cloud::Settings,
    there: Vec<Cloud>,
}

impl Corpus {
    /// What is there of a maker, in all takes but some: those that are about to be cut anew. A piece nearer than
    /// `threshold_m` to one that is there, in metres, 0 to 100, is redundant.
    pub fn redundancy(&self, maker: &Maker, but: &[TakeId], threshold_m: f32) -> Result<Redundancy> {
        let mut segments = self.segments()?;
        segments.retain(|segment| segment.maker == *maker && !but.contains(&segment.take));
        let cloud = cloud::Settings::default();
        Ok(Redundancy { threshold_m, there: self.clouds(&segments, &cloud)?, cloud })
    }
}

impl Redundancy {
    /// Leaves out the pieces of a take that are redundant, one after the other; those that stay are there from now on. How
    /// many were left out. A piece without an actor is compared by the first one's motion.
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
