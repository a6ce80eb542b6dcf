//! The motion database: every hop or stride of the examples.
//!
//! Lamouret and van de Panne (1996), section 3.1. Question 4 of section 2, how a database can be kept small, is answered by a test
//! on insertion: what begins, leads and ends as one that is there is left out. Like in
//! [`marey_ops::reduction::redundancy`], what stays depends on the order.

use std::sync::Arc;

use marey_motion::Skeleton;
use marey_plan::SourceRef;

use crate::hopper::Hopper;
use crate::index::squared_distance;
use crate::splice::Splice;
use crate::state::StateReader;
use crate::walker::Walker;
use crate::{Error, Example, Index, Primitive, Result, Settings, State};

/// How the ends of all are from the starts of all is worked out beforehand where there are no more.
const FEW: usize = 512;

/// The hops or strides of some examples of one body.
#[derive(Debug, Clone)]
pub struct Database {
    settings: Settings,
    examples: Vec<Example>,
    figure: Figure,
    primitives: Vec<Primitive>,
    index: Index,
    ends: Vec<f32>,
    dims: usize,
    /// d_state from the end of each to the start of each, where they are few.
    apart: Vec<f32>,
    redundant: usize,
    splice: Option<Splice>,
}

/// What kind of figure it is.
#[derive(Debug, Clone)]
pub(crate) enum Figure {
    /// Its root is its one foot.
    Hopper(Hopper),
    /// It has two legs.
    Walker(Box<Walker>),
}

impl Figure {
    fn of(skeleton: &Skeleton) -> Result<Self> {
        let walker = Walker::of(skeleton).map(|walker| Figure::Walker(Box::new(walker)));
        walker.or_else(|_| Ok(Figure::Hopper(Hopper::of(skeleton)?)))
    }

    fn cut(&self, number: usize, example: &Example) -> Result<Vec<Primitive>> {
        match self {
            Figure::Hopper(hopper) => Ok(hopper.hops(number, example)),
            Figure::Walker(walker) => walker.strides(number, example),
        }
    }

    /// From the middle of a sole to its ends, in metres.
    pub(crate) fn half_m(&self) -> f32 {
        match self {
            Figure::Hopper(hopper) => hopper.half_m(),
            Figure::Walker(walker) => walker.half_m(),
        }
    }
}

impl Database {
    /// Cuts examples, which are of one body and one rate.
    pub fn new(examples: Vec<Example>, settings: &Settings) -> Result<Self> {
        settings.validate()?;
        let first = examples.first().ok_or(Error::Empty { examples: 0 })?;
        let figure = Figure::of(first.clip.skeleton())?;
        for example in &examples {
            let unlike = |what| Err(Error::Unlike { take: example.source.take.clone(), what });
            if example.clip.rate_hz() != first.clip.rate_hz() {
                unlike("rate")?;
            }
            let (theirs, ours) = (example.clip.skeleton(), first.clip.skeleton());
            if !Arc::ptr_eq(theirs, ours) && theirs != ours {
                unlike("skeleton")?;
            }
        }
        let reader = StateReader::new(first.clip.skeleton(), settings);
        let mut cut = Cut::default();
        for (number, example) in examples.iter().enumerate() {
            for primitive in figure.cut(number, example)? {
                let row = |frame: usize, stance| reader.row(&example.clip, frame, stance);
                let start = row(primitive.frames.start, &primitive.from);
                let end = row(primitive.frames.end, &primitive.to);
                cut.insert(primitive, start, end, settings.redundant_m);
            }
        }
        let Cut { primitives, starts, ends, redundant } = cut;
        if primitives.is_empty() {
            return Err(Error::Empty { examples: examples.len() });
        }
        let dims = ends.len() / primitives.len();
        let leads = primitives.iter().map(Primitive::lead).collect();
        let few = if primitives.len() <= FEW { primitives.len() } else { 0 };
        let pairs = ends.chunks(dims.max(1)).take(few);
        let apart =
            pairs.flat_map(|end| starts.chunks(dims.max(1)).map(|start| squared_distance(end, start)));
        let apart = apart.collect();
        let index = Index::new(leads, starts, settings.cell_m);
        let splice = match &figure {
            Figure::Walker(walker) => {
                Some(Splice::of(walker, &examples, &primitives, settings.velocity_secs))
            }
            Figure::Hopper(_) => None,
        };
        let settings = *settings;
        Ok(Self { settings, examples, figure, primitives, index, ends, dims, apart, redundant, splice })
    }

    /// What it was made with.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The hops or strides, in the order of the examples.
    pub fn primitives(&self) -> &[Primitive] {
        &self.primitives
    }

    /// They in a grid.
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// How many were left out as redundant.
    pub fn redundant(&self) -> usize {
        self.redundant
    }

    /// How much legs and the rest of the body go together in the strides, 0 to 1; `None` for figures without legs, and where there are too
    /// few strides to tell.
    pub fn together(&self) -> Option<f64> {
        self.splice.as_ref()?.together
    }

    /// The upper bodies, where they are matched apart.
    pub(crate) fn splice(&self) -> Option<&Splice> {
        let apart = self.together().is_some_and(|together| together < self.settings.splice_below);
        self.splice.as_ref().filter(|_| apart)
    }

    /// Whose motion it is.
    pub fn skeleton(&self) -> &Arc<Skeleton> {
        self.examples[0].clip.skeleton()
    }

    /// The rate of the examples, in frames a second.
    pub fn rate_hz(&self) -> f64 {
        self.examples[0].clip.rate_hz()
    }

    /// The examples.
    pub fn examples(&self) -> &[Example] {
        &self.examples
    }

    /// From the middle of a sole to its ends, in metres.
    pub fn half_sole_m(&self) -> f32 {
        self.figure.half_m()
    }

    pub(crate) fn figure(&self) -> &Figure {
        &self.figure
    }

    /// How a figure is after a primitive; before the first it is as any of them likes.
    pub(crate) fn state_after(&self, primitive: Option<usize>) -> State<'_> {
        match primitive {
            None => State::Any,
            Some(primitive) if self.apart.is_empty() => {
                State::Row(&self.ends[primitive * self.dims..][..self.dims])
            }
            Some(primitive) => {
                State::Known(&self.apart[primitive * self.primitives.len()..][..self.primitives.len()])
            }
        }
    }

    /// The example that plans call so.
    pub(crate) fn example(&self, source: &SourceRef) -> Option<&Example> {
        self.examples.iter().find(|example| example.source == *source)
    }

    /// The longest lead ahead, in metres.
    pub fn longest_m(&self) -> f32 {
        self.primitives.iter().map(|primitive| primitive.length_m).fold(0.0, f32::max)
    }
}

/// A database as it grows.
#[derive(Default)]
struct Cut {
    primitives: Vec<Primitive>,
    starts: Vec<f32>,
    ends: Vec<f32>,
    redundant: usize,
}

impl Cut {
    /// Puts a primitive in, unless one is there that is nearer than a threshold in how it begins, leads and ends.
    fn insert(&mut self, primitive: Primitive, start: Vec<f32>, end: Vec<f32>, redundant_m: f32) {
        let (dims, most) = (start.len().max(1), redundant_m * redundant_m);
        let rows = self.starts.chunks(dims).zip(self.ends.chunks(dims));
        let covered = self.primitives.iter().zip(rows).any(|(there, (begins, ends))| {
            there.style == primitive.style
                && there.foot == primitive.foot
                && there.lead().distance_squared(primitive.lead()) < most
                && squared_distance(begins, &start) < most
                && squared_distance(ends, &end) < most
        });
        if covered {
            self.redundant += 1;
            return;
        }
        self.primitives.push(primitive);
        self.starts.extend(start);
        self.ends.extend(end);
    }
}
