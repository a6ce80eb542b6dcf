//! What is learned from a corpus to fill gaps.

use std::sync::Arc;

use marey_motion::{Clip, Observer, Skeleton};

use super::NearSettings;
use super::calibration::{LengthCalibration, calibrate, for_length};
use super::example_frames::ExampleFrames;
use super::local_ridge::LocalRidge;
use super::moment_features::{FeatureSpace, FeatureTable, MomentFeatures};
use super::neighbours::{ExampleGap, GapIndex, GapQuery};
use crate::Result;

/// One clip to learn from.
#[derive(Debug, Clone)]
pub struct GapExample {
    /// The motion. Its floor is found.
    pub clip: Clip,
    /// The take that it is from, numbered from 0. Takes are held out as a whole when the model is calibrated.
    pub take: usize,
}

/// How people of a corpus move through gaps.
#[derive(Debug, Clone)]
pub struct GapModel {
    pub(crate) frames: ExampleFrames,
    pub(crate) space: FeatureSpace,
    table: FeatureTable,
    settings: NearSettings,
    calibration: Vec<LengthCalibration>,
}

/// The part of a model that takes long to learn, as numbers.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct GapCalibration(Vec<LengthCalibration>);

/// Numbers that a length of the calibration is stored as.
const NUMBERS: usize = 4;

impl GapCalibration {
    /// The calibration as numbers.
    pub fn to_numbers(&self) -> Vec<u32> {
        let numbers = |of: &LengthCalibration| {
            [of.length as u32, of.penalty.to_bits(), of.retreat.to_bits(), of.usual.to_bits()]
        };
        self.0.iter().flat_map(numbers).collect()
    }

    /// The calibration that was stored as numbers; `None` if they are none.
    pub fn from_numbers(numbers: &[u32]) -> Option<Self> {
        let (rows, rest) = numbers.as_chunks::<NUMBERS>();
        let calibration = rows.iter().map(|[length, penalty, retreat, usual]| LengthCalibration {
            length: *length as usize,
            penalty: f32::from_bits(*penalty),
            retreat: f32::from_bits(*retreat),
            usual: f32::from_bits(*usual),
        });
        let calibration: Vec<LengthCalibration> = calibration.collect();
        let is_valid = |of: &LengthCalibration| {
            of.length > 0 && of.penalty > 0.0 && of.retreat > 0.0 && of.usual > 0.0 && of.retreat.is_finite()
        };
        (rest.is_empty() && calibration.iter().all(is_valid)).then_some(Self(calibration))
    }
}

impl GapModel {
    /// Learns from clips of one skeleton. Position and heading on the floor do not matter. A known calibration of the same clips and
    /// settings saves most of the time.
    ///
    /// # Errors
    ///
    /// `tween/short` if there is no clip; `tween/skeleton` if skeletons differ.
    pub fn learn(
        examples: &[GapExample],
        settings: &NearSettings,
        known: Option<GapCalibration>,
        observer: Observer<'_>,
    ) -> Result<Self> {
        settings.validate()?;
        let frames = ExampleFrames::gather(examples, observer)?;
        let (space, table) = FeatureSpace::learn(&frames, observer)?;
        let mut model = Self { frames, space, table, settings: *settings, calibration: Vec::new() };
        model.calibration = match known {
            Some(known) => known.0,
            None => calibrate(&model, settings, observer)?,
        };
        Ok(model)
    }

    /// The skeleton of the examples.
    pub fn skeleton(&self) -> &Arc<Skeleton> {
        &self.frames.skeleton
    }

    /// The settings that the model was learned with.
    pub fn settings(&self) -> &NearSettings {
        &self.settings
    }

    /// The part of the model that takes long to learn.
    pub fn calibration(&self) -> GapCalibration {
        GapCalibration(self.calibration.clone())
    }

    pub(crate) fn calibration_for(&self, length: usize) -> LengthCalibration {
        for_length(&self.calibration, length)
    }

    pub(crate) fn index(&self) -> GapIndex<'_> {
        GapIndex { frames: &self.frames, space: &self.space, table: &self.table }
    }

    /// The root mean square distance of two arbitrary gaps of the examples.
    pub(crate) fn spread(&self) -> f32 {
        let variance = |rows: &[f32], components: usize| {
            // Components have a mean of zero.
            let squares: f32 = rows.iter().map(|value| value * value).sum();
            squares / (rows.len() / components.max(1)).max(1) as f32
        };
        let pose = variance(&self.table.pose, self.space.pose.components());
        let before = variance(&self.table.before, self.space.before.components());
        (2.0 * (2.0 * pose + before)).sqrt()
    }

    /// The features of a frame of the examples.
    pub(crate) fn known_moment(&self, frame: usize) -> Result<MomentFeatures> {
        let row =
            |rows: &[f32], components: usize| GapIndex::row(rows, components, frame).map(<[f32]>::to_vec);
        Ok(MomentFeatures {
            pose: row(&self.table.pose, self.space.pose.components())?,
            before: row(&self.table.before, self.space.before.components())?,
            after: row(&self.table.after, self.space.after.components())?,
        })
    }

    /// The features of a frame of the examples, as if the frames around it were unknown.
    pub(crate) fn known_pose(&self, frame: usize) -> Result<MomentFeatures> {
        Ok(MomentFeatures { pose: self.known_moment(frame)?.pose, ..MomentFeatures::default() })
    }

    /// A gap of the examples, as if frames before its start and after its end were known.
    pub(crate) fn known_gap(&self, start: usize, length: usize) -> Result<GapQuery> {
        Ok(GapQuery {
            start: MomentFeatures { after: Vec::new(), ..self.known_moment(start)? },
            end: MomentFeatures { before: Vec::new(), ..self.known_moment(start + length)? },
            travel: Some(self.frames.travel(start, start + length)?),
        })
    }

    /// The regression on neighbours of a query.
    pub(crate) fn ridge(
        &self,
        query: &GapQuery,
        gaps: &[ExampleGap],
        length: usize,
        settings: &NearSettings,
    ) -> Result<LocalRidge> {
        let index = self.index();
        let rows = gaps.iter().map(|gap| index.features(query, gap.start, length));
        let rows: Vec<Vec<f32>> = rows.collect::<Result<_>>()?;
        Ok(LocalRidge::new(&rows, kernel(gaps, settings.falloff), &index.query_features(query)))
    }
}

/// Weights of gaps by their distances; they sum to 1.
pub(crate) fn kernel(gaps: &[ExampleGap], falloff: f32) -> Vec<f32> {
    let least = gaps.first().map_or(1.0, |gap| gap.distance.max(1e-6));
    let weights: Vec<f32> = gaps.iter().map(|gap| (least / gap.distance.max(1e-6)).powf(falloff)).collect();
    let sum: f32 = weights.iter().sum();
    weights.into_iter().map(|weight| weight / sum).collect()
}
