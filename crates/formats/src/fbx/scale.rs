//! Scale in the nodes of figures: baked into positions, and reported if that loses information.

use glam::DVec3;
use marey_motion::{Place, Report};

use super::codes;
use super::nodes::{Nodes, World};

/// Largest relative difference of scales that count as equal. Exporters round.
const SAME: f64 = 1e-3;

/// Scales below this count as zero.
const ZERO: f64 = 1e-9;

/// Tracks the scale of nodes over the frames.
pub(super) struct ScaleTracker<'a> {
    wanted: &'a [usize],
    ranges: Vec<Option<ScaleRange>>,
}

#[derive(Debug, Clone, Copy)]
struct ScaleRange {
    low: DVec3,
    high: DVec3,
    is_non_uniform: bool,
    is_zero: bool,
}

impl<'a> ScaleTracker<'a> {
    pub(super) fn new(wanted: &'a [usize]) -> Self {
        Self { wanted, ranges: vec![None; wanted.len()] }
    }

    /// Adds a frame.
    pub(super) fn observe(&mut self, world: &World) {
        for (place, range) in self.wanted.iter().zip(&mut self.ranges) {
            let Some(scale) = world.get(*place).map(|placed| placed.scale) else { continue };
            let is_non_uniform = differ(scale.min_element(), scale.max_element());
            let is_zero = scale.abs().min_element() < ZERO;
            *range = Some(match *range {
                None => ScaleRange { low: scale, high: scale, is_non_uniform, is_zero },
                Some(range) => ScaleRange {
                    low: range.low.min(scale),
                    high: range.high.max(scale),
                    is_non_uniform: range.is_non_uniform || is_non_uniform,
                    is_zero: range.is_zero || is_zero,
                },
            });
        }
    }

    /// Reports nodes with a changing, zero or non-uniform scale.
    pub(super) fn report(&self, nodes: &Nodes<'_>, report: &mut Report) {
        for (place, range) in self.wanted.iter().zip(&self.ranges) {
            let (Some(node), Some(ScaleRange { low, high, is_non_uniform, is_zero })) =
                (nodes.node(*place), range)
            else {
                continue;
            };
            let name = &*node.element.name;
            let changes =
                low.to_array().into_iter().zip(high.to_array()).any(|(low, high)| differ(low, high));
            if changes {
                let message = format!("{name}: scale from {low:.3} to {high:.3}");
                report.warn(&codes::SCALE_CHANGES, Place::default().joint(name), message);
            }
            if *is_zero {
                let message = format!("{name}: scale {low:.3}");
                report.warn(&codes::NO_SIZE, Place::default().joint(name), message);
            }
            if *is_non_uniform {
                let message = format!("{name}: scale {low:.3}");
                report.warn(&codes::UNEVEN_SCALE, Place::default().joint(name), message);
            }
        }
    }
}

fn differ(low: f64, high: f64) -> bool {
    high - low > SAME * low.abs().max(high.abs())
}
