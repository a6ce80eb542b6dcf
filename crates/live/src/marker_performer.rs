//! A performer that is posed by markers.

use std::collections::VecDeque;
use std::sync::Arc;

use marey_body::BodyProportions;
use marey_motion::{Report, Skeleton};
use marey_perform::{CharacterState, MarkerSolver, Markers, Recording};

use crate::{MarkerFrame, PerformedFrame, Performer, Result};

/// A performer of default proportions, posed by markers of hands, feet and waist.
pub struct MarkerPerformer<'a> {
    solver: MarkerSolver,
    standing: VecDeque<MarkerFrame>,
    source: Box<dyn FnMut() -> Result<Option<MarkerFrame>> + 'a>,
    rate_hz: Option<f64>,
}

impl<'a> MarkerPerformer<'a> {
    /// Measures the performer, who must stand, by the first frames of `source`.
    ///
    /// # Errors
    /// If the source fails, or its first frames do not show the performer's size.
    pub fn new(mut source: impl FnMut() -> Result<Option<MarkerFrame>> + 'a) -> Result<Self> {
        let mut standing = Vec::new();
        while standing.len() < Recording::STANDING
            && let Some(frame) = source()?
        {
            standing.push(frame);
        }
        Self::measured(standing, source, None)
    }

    /// A performer that is measured by `standing`. It performs those frames first, then those of `source`.
    pub(crate) fn measured(
        standing: Vec<MarkerFrame>,
        source: impl FnMut() -> Result<Option<MarkerFrame>> + 'a,
        rate_hz: Option<f64>,
    ) -> Result<Self> {
        let markers: Vec<Markers> = standing.iter().map(MarkerFrame::markers).collect();
        let solver = MarkerSolver::calibrate(&*BodyProportions::default().skeleton()?, &markers)?;
        Ok(Self { solver, standing: standing.into(), source: Box::new(source), rate_hz })
    }
}

impl Performer for MarkerPerformer<'_> {
    fn skeleton(&self) -> &Arc<Skeleton> {
        self.solver.skeleton()
    }

    fn rate_hz(&self) -> Option<f64> {
        self.rate_hz
    }

    fn next_frame(&mut self, _: &CharacterState) -> Result<Option<PerformedFrame>> {
        let frame = match self.standing.pop_front() {
            Some(frame) => Some(frame),
            None => (self.source)()?,
        };
        Ok(frame.map(|frame| {
            let pose = self.solver.solve(&frame.markers()).clone();
            PerformedFrame { pose, closed: frame.closed, secs: frame.secs }
        }))
    }

    fn report(&self) -> Report {
        self.solver.report().clone()
    }
}
