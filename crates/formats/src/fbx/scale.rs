//! Scale in the nodes of figures: baked into positions, and reported if that loses information.

use glam::DVec3;
use marey_motion::{Place, Report};

use super::codes;
use super::nodes::{Nodes, World};

/// Largest relative difference of scales that count as equal. Exporters round.
const SAME: f64 = 1e-3;

/// Scales below this are nothing.
const NOTHING: f64 = 1e-9;

/// Watches the scale of nodes from frame to frame.
pub(super) struct ScaleWatch<'a> {
    wanted: &'a [usize],
    seen: Vec<Option<Seen>>,
}

#[derive(Debug, Clone, Copy)]
struct Seen {
    low: DVec3,
    high: DVec3,
    is_uneven: bool,
    is_nothing: bool,
}

impl<'a> ScaleWatch<'a> {
    pub(super) fn new(wanted: &'a [usize]) -> Self {
        Self { wanted, seen: vec![None; wanted.len()] }
    }

    /// Looks at a frame.
    pub(super) fn look(&mut self, world: &World) {
        for (place, seen) in self.wanted.iter().zip(&mut self.seen) {
            let Some(scale) = world.get(*place).map(|placed| placed.scale) else { continue };
            let is_uneven = differ(scale.min_element(), scale.max_element());
            let is_nothing = scale.abs().min_element() < NOTHING;
            *seen = Some(match *seen {
                None => Seen { low: scale, high: scale, is_uneven, is_nothing },
                Some(seen) => Seen {
                    low: seen.low.min(scale),
                    high: seen.high.max(scale),
                    is_uneven: seen.is_uneven || is_uneven,
                    is_nothing: seen.is_nothing || is_nothing,
                },
            });
        }
    }

    /// Says which nodes' scale changes or is uneven.
    pub(super) fn report(&self, nodes: &Nodes<'_>, report: &mut Report) {
        for (place, seen) in self.wanted.iter().zip(&self.seen) {
            let (Some(node), Some(Seen { low, high, is_uneven, is_nothing })) = (nodes.node(*place), seen)
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
            if *is_nothing {
                let message = format!("{name}: scale {low:.3}");
                report.warn(&codes::NO_SIZE, Place::default().joint(name), message);
            }
            if *is_uneven {
                let message = format!("{name}: scale {low:.3}");
                report.warn(&codes::UNEVEN_SCALE, Place::default().joint(name), message);
            }
        }
    }
}

fn differ(low: f64, high: f64) -> bool {
    high - low > SAME * low.abs().max(high.abs())
}
