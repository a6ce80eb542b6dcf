//! The points of a take by which the search compares it.
//!
//! A search reads every take of the corpus, but only a few points of each. The corpus keeps them for each body that was asked for, so
//! that the next search reads neither frames nor retargeted motion.

use std::sync::Arc;

use sha2::{Digest, Sha256};

use super::PointSelection;
use crate::Error;
use crate::corpus::{Corpus, RETARGETED_METHOD, TakeInfo};
use crate::motion::{MotionError, Observer, PointClip, Skeleton, Vec3};
use crate::sources::{SourceSettings, examples_on};
use crate::take_observation::TakeObservation;

/// Changes whenever other points are compared, so that what was stored before is not used.
const METHOD: u32 = 1;

/// Which points of a take are compared.
pub(super) struct ComparedPoints<'a> {
    selection: &'a PointSelection,
    settings: SourceSettings,
    body: Option<&'a Arc<Skeleton>>,
    /// The name of what is kept, without the actors.
    kind: String,
}

impl<'a> ComparedPoints<'a> {
    /// The points `selection` of the leader, and those of the target on `body`, or else on its own.
    pub(super) fn new(selection: &'a PointSelection, body: Option<&'a Arc<Skeleton>>) -> Result<Self, Error> {
        let settings = SourceSettings::default();
        let described = (selection, PointSelection::body(), body.map(|body| &**body));
        let described = serde_json::to_vec(&described).map_err(Error::settings)?;
        let hash: String = Sha256::digest(described).iter().map(|byte| format!("{byte:02x}")).collect();
        let floor = TakeObservation::version(&settings);
        let kind = format!("compared {METHOD} {RETARGETED_METHOD} {hash} {floor}");
        Ok(Self { selection, settings, body, kind })
    }

    /// The points of the leader and of the target of a take, by their numbers.
    pub(super) fn of(
        &self,
        corpus: &Corpus,
        info: &TakeInfo,
        [lead, target]: [usize; 2],
        observer: Observer<'_>,
    ) -> Result<[PointClip; 2], Error> {
        let read = || -> Result<[PointClip; 2], Error> {
            let body = |actor: usize| self.body.filter(|_| actor == target);
            let actors = examples_on(corpus, &info.name, &self.settings, body, observer)?;
            let clip = |actor: usize| {
                let missing = || MotionError::Empty { what: "the actors of a take" };
                actors.get(actor).map(|actor| &actor.clip).ok_or_else(missing)
            };
            let control = self.selection.points(clip(lead)?)?;
            Ok([control, PointSelection::body().points(clip(target)?)?])
        };
        let kind = format!("{} {lead} {target}", self.kind);
        let bytes = corpus.kept(&kind, info.id, || Ok::<_, Error>(encode(&read()?)))?;
        match self.decode(&bytes, info) {
            Some(points) => Ok(points),
            None => read(),
        }
    }

    /// The points in some bytes; `None` if those are not points of the take.
    fn decode(&self, bytes: &[u8], info: &TakeInfo) -> Option<[PointClip; 2]> {
        let (control_labels, target_labels) = (self.selection.labels(), PointSelection::body().labels());
        let control_bytes = control_labels.len() * info.frames * POINT_BYTES;
        let (control, target) = bytes.split_at_checked(control_bytes)?;
        if target.len() != target_labels.len() * info.frames * POINT_BYTES {
            return None;
        }
        let clip = |labels, bytes| PointClip::complete(labels, info.rate_hz, decode_points(bytes)).ok();
        Some([clip(control_labels, control)?, clip(target_labels, target)?])
    }
}

/// Bytes of a number, little-endian.
const NUMBER_BYTES: usize = 4;
/// Bytes of a point: x, y and z.
const POINT_BYTES: usize = 3 * NUMBER_BYTES;

/// All points of the leader, then all of the target.
fn encode(clips: &[PointClip; 2]) -> Vec<u8> {
    let points = clips.iter().flat_map(|clip| clip.flat());
    points.flat_map(|point| point.to_array()).flat_map(f32::to_le_bytes).collect()
}

fn decode_points(bytes: &[u8]) -> Vec<Vec3> {
    let numbers = bytes.as_chunks::<NUMBER_BYTES>().0.iter().map(|bytes| f32::from_le_bytes(*bytes));
    let numbers: Vec<f32> = numbers.collect();
    numbers.as_chunks::<3>().0.iter().map(|point| Vec3::from_array(*point)).collect()
}
