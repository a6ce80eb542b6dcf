//! The motion database: every hop or stride of the examples.
//!
//! Lamouret and van de Panne (1996), section 3.1. Question 4 of section 2 asks how a database can be kept small. Here a
//! test on insertion leaves out primitives whose start, displacement and end are close to those of one in the
//! database. As in [`marey_ops::reduction::redundancy`], the result depends on the order of the examples.

use std::collections::BTreeMap;
use std::sync::Arc;

use marey_motion::Skeleton;
use marey_plan::SourceRef;

use crate::hopper::Hopper;
use crate::primitive_index::squared_distance;
use crate::standing::StandingFrame;
use crate::state_metric::StateReader;
use crate::stride_limits::StrideLimits;
use crate::upper_body_splice::UpperBodySplice;
use crate::walker::Walker;
use crate::{
    MotionPrimitive, PrimitiveIndex, Result, StartState, TraverseError, TraverseExample, TraverseSettings,
    UnusedStride,
};

/// Up to this many primitives, d_state of all pairs is precomputed.
const MAX_PRECOMPUTED: usize = 512;

/// The hops or strides of the examples of one character.
#[derive(Debug, Clone)]
pub struct PrimitiveDatabase {
    settings: TraverseSettings,
    examples: Vec<TraverseExample>,
    locomotion: Locomotion,
    primitives: Vec<MotionPrimitive>,
    index: PrimitiveIndex,
    /// State rows at the ends of the primitives.
    ends: Vec<f32>,
    /// Length of a state row.
    dims: usize,
    /// d_state from the end of each primitive to the start of each; empty above [`MAX_PRECOMPUTED`].
    distances: Vec<f32>,
    redundant: usize,
    unusable: usize,
    /// What is no stride, and how often.
    unused: BTreeMap<UnusedStride, usize>,
    splice: Option<UpperBodySplice>,
    limits: Option<StrideLimits>,
    /// A frame in which a walker stands, if the examples have one.
    standing: Option<StandingFrame>,
}

/// How the character moves.
#[derive(Debug, Clone)]
pub(crate) enum Locomotion {
    /// The root is its only foot.
    Hopping(Hopper),
    /// On two legs.
    Walking(Box<Walker>),
}

impl Locomotion {
    fn of(skeleton: &Skeleton) -> Result<Self> {
        let walker = Walker::of(skeleton).map(|walker| Locomotion::Walking(Box::new(walker)));
        walker.or_else(|_| Ok(Locomotion::Hopping(Hopper::of(skeleton)?)))
    }

    fn primitives(
        &self,
        index: usize,
        example: &TraverseExample,
    ) -> Result<(Vec<MotionPrimitive>, Vec<UnusedStride>)> {
        match self {
            Locomotion::Hopping(hopper) => Ok((hopper.hops(index, example), Vec::new())),
            Locomotion::Walking(walker) => walker.strides(index, example),
        }
    }

    /// Half the length of a sole, in metres.
    fn half_length_m(&self) -> f32 {
        match self {
            Locomotion::Hopping(hopper) => hopper.half_length_m(),
            Locomotion::Walking(walker) => walker.half_length_m(),
        }
    }
}

impl PrimitiveDatabase {
    /// Segments examples into primitives. All examples must have the same skeleton and frame rate.
    pub fn new(examples: Vec<TraverseExample>, settings: &TraverseSettings) -> Result<Self> {
        settings.validate()?;
        let first = examples.first().ok_or_else(|| TraverseError::Empty {
            examples: 0,
            unusable: 0,
            unused: Vec::new(),
        })?;
        let locomotion = Locomotion::of(first.clip.skeleton())?;
        for example in &examples {
            let mismatch =
                |property| Err(TraverseError::Mismatch { take: example.source.take.clone(), property });
            if example.clip.rate_hz() != first.clip.rate_hz() {
                mismatch("rate")?;
            }
            let (other, skeleton) = (example.clip.skeleton(), first.clip.skeleton());
            if !Arc::ptr_eq(other, skeleton) && other != skeleton {
                mismatch("skeleton")?;
            }
        }
        let reader = StateReader::new(first.clip.skeleton(), settings);
        let mut builder = DatabaseBuilder::default();
        let mut unusable = 0;
        let mut unused = BTreeMap::new();
        for (index, example) in examples.iter().enumerate() {
            let (primitives, reasons) = locomotion.primitives(index, example)?;
            reasons.into_iter().for_each(|reason| *unused.entry(reason).or_default() += 1);
            let found = primitives.len();
            let usable: Vec<MotionPrimitive> =
                primitives.into_iter().filter(|primitive| example.can_use(primitive)).collect();
            unusable += found - usable.len();
            for primitive in usable {
                let row = |frame: usize, stance| reader.row(&example.clip, frame, stance);
                let start = row(primitive.frames.start, &primitive.from);
                let end = row(primitive.frames.end, &primitive.to);
                builder.insert(primitive, start, end, settings.redundancy_radius_m);
            }
        }
        let DatabaseBuilder { primitives, starts, ends, redundant } = builder;
        if primitives.is_empty() {
            let unused = unused.into_iter().collect();
            return Err(TraverseError::Empty { examples: examples.len(), unusable, unused });
        }
        let dims = ends.len() / primitives.len();
        let displacements = primitives.iter().map(MotionPrimitive::displacement).collect();
        let precomputed = if primitives.len() <= MAX_PRECOMPUTED { primitives.len() } else { 0 };
        let rows = ends.chunks(dims.max(1)).take(precomputed);
        let distances =
            rows.flat_map(|end| starts.chunks(dims.max(1)).map(|start| squared_distance(end, start)));
        let distances = distances.collect();
        let index = PrimitiveIndex::new(displacements, starts, settings.cell_m);
        let splice = match &locomotion {
            Locomotion::Walking(walker) => {
                Some(UpperBodySplice::new(walker, &examples, &primitives, settings.velocity_secs))
            }
            Locomotion::Hopping(_) => None,
        };
        let (limits, standing) = match &locomotion {
            Locomotion::Walking(walker) => (
                Some(StrideLimits::new(walker, &examples, &primitives)),
                StandingFrame::find(walker, &examples),
            ),
            Locomotion::Hopping(_) => (None, None),
        };
        let settings = *settings;
        Ok(Self {
            settings,
            examples,
            locomotion,
            primitives,
            index,
            ends,
            dims,
            distances,
            redundant,
            unusable,
            unused,
            splice,
            limits,
            standing,
        })
    }

    /// The settings of the database.
    pub fn settings(&self) -> &TraverseSettings {
        &self.settings
    }

    /// The hops or strides, in the order of the examples.
    pub fn primitives(&self) -> &[MotionPrimitive] {
        &self.primitives
    }

    /// The primitives in a grid by displacement.
    pub fn index(&self) -> &PrimitiveIndex {
        &self.index
    }

    /// Number of primitives that were left out as redundant.
    pub fn redundant_count(&self) -> usize {
        self.redundant
    }

    /// Number of primitives that were left out because of unusable frames.
    pub fn unusable_count(&self) -> usize {
        self.unusable
    }

    /// What lies between two plants of the examples and is no stride: the reasons, and how often each applies.
    pub fn unused_strides(&self) -> impl Iterator<Item = (UnusedStride, usize)> + '_ {
        self.unused.iter().map(|(reason, count)| (*reason, *count))
    }

    /// The frame in which the character stands before or after a primitive.
    pub(crate) fn standing_frame(&self, primitive: &MotionPrimitive) -> StandingFrame {
        match (&self.locomotion, self.standing) {
            (Locomotion::Walking(_), Some(standing)) => standing,
            (Locomotion::Walking(walker), None) => {
                StandingFrame::of_stride(walker, &self.examples, primitive)
            }
            (Locomotion::Hopping(_), _) => StandingFrame {
                example: primitive.example,
                frame: primitive.frames.start,
                stance: primitive.from,
            },
        }
    }

    /// What the strides of a walker do.
    pub(crate) fn limits(&self) -> Option<&StrideLimits> {
        self.limits.as_ref()
    }

    /// RV coefficient between legs and upper body over all strides, 0 to 1; `None` for characters without legs and
    /// for too few strides.
    pub fn body_correlation(&self) -> Option<f64> {
        self.splice.as_ref()?.correlation
    }

    /// The upper bodies, if they are matched separately.
    pub(crate) fn splice(&self) -> Option<&UpperBodySplice> {
        let is_separable = self
            .body_correlation()
            .is_some_and(|correlation| correlation < self.settings.splice_max_correlation);
        self.splice.as_ref().filter(|_| is_separable)
    }

    /// The skeleton of the examples.
    pub fn skeleton(&self) -> &Arc<Skeleton> {
        self.examples[0].clip.skeleton()
    }

    /// The frame rate of the examples, in frames per second.
    pub fn rate_hz(&self) -> f64 {
        self.examples[0].clip.rate_hz()
    }

    /// The examples.
    pub fn examples(&self) -> &[TraverseExample] {
        &self.examples
    }

    /// Half the length of a sole, in metres.
    pub fn half_sole_m(&self) -> f32 {
        self.locomotion.half_length_m()
    }

    pub(crate) fn locomotion(&self) -> &Locomotion {
        &self.locomotion
    }

    /// The state at the end of a primitive; unconstrained before the first one.
    pub(crate) fn state_after(&self, primitive: Option<usize>) -> StartState<'_> {
        match primitive {
            None => StartState::Any,
            Some(primitive) if self.distances.is_empty() => {
                StartState::Row(&self.ends[primitive * self.dims..][..self.dims])
            }
            Some(primitive) => {
                let count = self.primitives.len();
                StartState::Distances(&self.distances[primitive * count..][..count])
            }
        }
    }

    /// The example that plans refer to by this name.
    pub(crate) fn example(&self, source: &SourceRef) -> Option<&TraverseExample> {
        self.examples.iter().find(|example| example.source == *source)
    }

    /// Length of the longest primitive, in metres.
    pub fn max_length_m(&self) -> f32 {
        self.primitives.iter().map(|primitive| primitive.length_m).fold(0.0, f32::max)
    }
}

/// The primitives and their state rows, while the database is built.
#[derive(Default)]
struct DatabaseBuilder {
    primitives: Vec<MotionPrimitive>,
    starts: Vec<f32>,
    ends: Vec<f32>,
    redundant: usize,
}

impl DatabaseBuilder {
    /// Adds a primitive unless another one is within the radius in start, displacement and end.
    fn insert(&mut self, primitive: MotionPrimitive, start: Vec<f32>, end: Vec<f32>, radius_m: f32) {
        let (dims, radius_m2) = (start.len().max(1), radius_m * radius_m);
        let rows = self.starts.chunks(dims).zip(self.ends.chunks(dims));
        let is_redundant = self.primitives.iter().zip(rows).any(|(other, (other_start, other_end))| {
            other.style == primitive.style
                && other.foot == primitive.foot
                && other.displacement().distance_squared(primitive.displacement()) < radius_m2
                && squared_distance(other_start, &start) < radius_m2
                && squared_distance(other_end, &end) < radius_m2
        });
        if is_redundant {
            self.redundant += 1;
            return;
        }
        self.primitives.push(primitive);
        self.starts.extend(start);
        self.ends.extend(end);
    }
}
