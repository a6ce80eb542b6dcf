//! Variation of a dance that is given as keyframes, after the paper: their order changes, and `tween` makes the motion between them.

use std::path::Path;

use super::symbols::SymbolJob;
use super::{TravelMode, VaryDetails, VaryRequest};
use crate::formats::keyframes::{Keyframe, KeyframeTable};
use crate::plan::{Plan, Seed};
use crate::tween::{TweenRequest, of_keyframes, read_keyframes};
use crate::{Context, Error, Outcome, tween};

/// A table of keyframes that is wrapped around the attractor of a request, one keyframe per cell.
pub(super) struct KeyframeJob {
    table: KeyframeTable,
    symbols: SymbolJob,
}

impl KeyframeJob {
    /// Reads a table and wraps it around the attractor.
    pub(super) fn new(path: &Path, request: &VaryRequest) -> Result<Self, Error> {
        let table = read_keyframes(path)?;
        let symbols = SymbolJob::new(table.keyframes.len(), request).map_err(|error| error.in_file(path))?;
        Ok(Self { table, symbols })
    }

    /// Makes the variation with a seed, as a take of this name. The duration of a cell in the details is 0.
    pub(super) fn run(
        &self,
        request: &VaryRequest,
        seed: u64,
        name: &str,
        context: &Context<'_>,
    ) -> Result<Outcome<VaryDetails>, Error> {
        let (order, details) = self.symbols.run(seed)?;
        let keyframes = self.in_order(&order, request);
        let defaults = TweenRequest {
            only: request.only.clone(),
            name: name.to_owned(),
            gap_only: true,
            ..TweenRequest::default()
        };
        let made = tween::run(&of_keyframes(keyframes, defaults), context)?;
        let mut report = self.table.report.clone();
        report.absorb(made.report);
        Ok(Outcome {
            take: made.take,
            contacts: made.contacts,
            plan: made.plan.map(|plan| Plan { seed: Seed(seed), ..plan }),
            trace: made.trace,
            report,
            details,
        })
    }

    /// The keyframes in another order. Each takes as long to reach as in the table, relative to the others, and all together take as long
    /// as the table does, or as long as the request asks for.
    fn in_order(&self, order: &[usize], request: &VaryRequest) -> Vec<Keyframe> {
        let intervals = intervals(&self.table.keyframes);
        let interval = |index: usize| intervals.get(index).copied().unwrap_or(1.0);
        let total: f64 = order.iter().skip(1).map(|index| interval(*index)).sum();
        let last = self.table.keyframes.last().and_then(|keyframe| keyframe.secs);
        let factor = request.secs.or(last).map(|secs| secs / total);
        let mut at = 0.0;
        let mut keyframes = Vec::with_capacity(order.len());
        for (number, index) in order.iter().enumerate() {
            let Some(keyframe) = self.table.keyframes.get(*index) else { continue };
            if number > 0 {
                at += interval(*index);
            }
            let place = keyframe.place.filter(|_| request.travel == TravelMode::Absolute);
            let secs = factor.map(|factor| at * factor);
            keyframes.push(Keyframe { pose: keyframe.pose.clone(), secs, place });
        }
        keyframes
    }
}

/// How long it takes to reach each keyframe from the one before, in seconds. The first takes the mean of the others. Equal if the table
/// has no times.
fn intervals(keyframes: &[Keyframe]) -> Vec<f64> {
    let secs = || keyframes.iter().filter_map(|keyframe| keyframe.secs);
    let mut intervals: Vec<f64> = secs().zip(secs().skip(1)).map(|(before, secs)| secs - before).collect();
    let mean = match intervals.len() {
        0 => 1.0,
        count => intervals.iter().sum::<f64>() / count as f64,
    };
    intervals.insert(0, mean);
    intervals
}
