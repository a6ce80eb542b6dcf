//! Recognises takes that are nearly equal: the same motion in another file, at another rate or precision.

use std::collections::BTreeMap;

use marey_motion::{Clip, Role, Take, Vec3, WorldPose};
use serde::{Deserialize, Serialize};

use crate::derived::{WHOLE, put};
use crate::{Corpus, Result, TakeId};

/// Number of instants at which takes are compared, evenly spread from the first to the last frame.
const INSTANTS: usize = 9;
/// The parts of the body that are compared, besides the root.
const PARTS: [Role; 5] = [Role::Head, Role::LeftHand, Role::RightHand, Role::LeftFoot, Role::RightFoot];
/// Largest distance of a coordinate in nearly equal takes, in metres. Two performances of a motion differ by far more.
const NEAR_M: f32 = 0.01;
/// Largest difference in duration of nearly equal takes, in milliseconds.
const NEAR_MS: u64 = 25;
/// The kind of derived data under which fingerprints are stored.
const KIND: &str = "fingerprint";

/// Where a body is at a few instants of a take.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Fingerprint {
    /// Duration in seconds, then coordinates in metres, relative to where the first actor starts.
    numbers: Vec<f32>,
}

impl Fingerprint {
    /// The fingerprint of a take.
    pub(crate) fn of(take: &Take) -> Self {
        let duration_secs = (take.frames() - 1) as f64 / take.rate_hz();
        let mut numbers = vec![duration_secs as f32];
        let start = take.first().pose(0).root_position();
        let origin = Vec3::new(start.x, 0.0, start.z);
        for actor in take.actors() {
            for instant in 0..INSTANTS {
                let frame = ((take.frames() - 1) as f64 * instant as f64 / (INSTANTS - 1) as f64).round();
                numbers.extend(places(&actor.clip, frame as usize).flat_map(|at| (at - origin).to_array()));
            }
        }
        Self { numbers }
    }

    fn millis(&self) -> u64 {
        self.numbers.first().map_or(0, |secs| (f64::from(*secs) * 1000.0).round() as u64)
    }

    fn is_near(&self, other: &Self) -> bool {
        let pairs = || self.numbers.iter().zip(&other.numbers).skip(1);
        self.numbers.len() == other.numbers.len() && pairs().all(|(a, b)| (a - b).abs() <= NEAR_M)
    }
}

/// Positions of the root and the compared parts that the body has.
fn places(clip: &Clip, frame: usize) -> impl Iterator<Item = Vec3> {
    let world = WorldPose::of(clip.skeleton(), clip.pose(frame));
    let parts = PARTS.map(|role| clip.skeleton().joint_of(role)).into_iter().flatten();
    std::iter::once(0).chain(parts).filter_map(move |joint| world.positions.get(joint).copied())
}

/// The fingerprints of the takes of a corpus, by duration.
#[derive(Debug, Default)]
pub struct KnownFingerprints {
    by_millis: BTreeMap<u64, Vec<(TakeId, Fingerprint)>>,
}

impl KnownFingerprints {
    /// Reads the fingerprints of a corpus. Those that are missing are computed and stored.
    pub fn load(corpus: &mut Corpus) -> Result<Self> {
        let mut known = Self::default();
        for info in corpus.takes()? {
            let fingerprint = match corpus.derived::<f32>(KIND, Some(info.id))? {
                Some(numbers) => Fingerprint { numbers },
                None => {
                    let fingerprint = Fingerprint::of(&corpus.take(info.id)?);
                    corpus.change(|transaction| fingerprint.store(transaction, info.id))?;
                    fingerprint
                }
            };
            known.insert(info.id, fingerprint);
        }
        Ok(known)
    }

    pub(crate) fn insert(&mut self, take: TakeId, fingerprint: Fingerprint) {
        self.by_millis.entry(fingerprint.millis()).or_default().push((take, fingerprint));
    }

    /// The first take that is nearly equal to another.
    pub(crate) fn find(&self, fingerprint: &Fingerprint) -> Option<TakeId> {
        let millis = fingerprint.millis();
        let near = self.by_millis.range(millis.saturating_sub(NEAR_MS)..=millis + NEAR_MS);
        let equal = near.flat_map(|(_, takes)| takes).filter(|(_, other)| other.is_near(fingerprint));
        equal.map(|(take, _)| *take).min()
    }
}

impl Fingerprint {
    pub(crate) fn store(
        &self,
        transaction: &rusqlite::Transaction<'_>,
        take: TakeId,
    ) -> rusqlite::Result<()> {
        put(transaction, KIND, Some(take), &self.numbers, WHOLE)
    }
}

#[cfg(test)]
mod tests {
    use marey_examples::walk::{WalkSettings, walk};

    use super::*;

    fn walked(seed: u64, rate_hz: f64) -> Take {
        let settings = WalkSettings { seed, rate_hz, duration_secs: 6.0, ..WalkSettings::default() };
        walk(&settings).unwrap().take
    }

    #[test]
    fn the_same_motion_is_recognised_at_another_rate_and_place() {
        let mut known = KnownFingerprints::default();
        for seed in 0..4 {
            known.insert(TakeId(seed + 1), Fingerprint::of(&walked(seed as u64, 120.0)));
        }
        assert_eq!(known.find(&Fingerprint::of(&walked(9, 120.0))), None);
        let take = walked(2, 120.0);
        let clip = take.first();
        let moved = clip.lifted(0.004).unwrap();
        assert_eq!(known.find(&Fingerprint::of(&Take::solo("x", moved))), Some(TakeId(3)));
        let slower = clip.resampled(60.0).unwrap();
        assert_eq!(known.find(&Fingerprint::of(&Take::solo("x", slower))), Some(TakeId(3)));
        let part = clip.slice(0..500).unwrap();
        assert_eq!(known.find(&Fingerprint::of(&Take::solo("x", part))), None);
    }
}
