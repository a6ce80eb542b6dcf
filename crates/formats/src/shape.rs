//! The visible shape of written figures.

use glam::Vec3;
use marey_body::{Mannequin, RestSkeleton};
use marey_motion::{Place, Report};

use crate::codes;

/// The visible shape of a figure.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shape {
    /// A simple skinned body, generated from the skeleton.
    #[default]
    Mannequin,
    /// Only the skeleton.
    None,
}

/// A body, and the linear colours of its parts.
pub(crate) struct ColouredMannequin {
    pub(crate) mannequin: Mannequin,
    pub(crate) colours: [Vec3; 2],
}

impl Shape {
    /// The body of the actor with a name and index, if it has one. Reports figures without size.
    pub(crate) fn body(
        self,
        actor: &str,
        index: usize,
        rest: &RestSkeleton<'_>,
        report: &mut Report,
    ) -> Option<ColouredMannequin> {
        if self == Self::None {
            return None;
        }
        let Some(mannequin) = Mannequin::at_rest(rest) else {
            let joints = rest.skeleton.len();
            let message = format!("{actor:?} has {joints} joints, which are too many or have no size");
            report.warn(&codes::NO_MESH, Place::default(), message);
            return None;
        };
        let colours = *COLOURS.get(index % COLOURS.len())?;
        Some(ColouredMannequin { mannequin, colours })
    }
}

/// Colours of the clothed and bare parts of each actor, in linear RGB. They repeat from the seventh actor on.
const COLOURS: [[Vec3; 2]; 6] = [
    [Vec3::new(0.055, 0.235, 0.520), BARE],
    [Vec3::new(0.700, 0.180, 0.030), BARE],
    [Vec3::new(0.080, 0.330, 0.140), BARE],
    [Vec3::new(0.330, 0.110, 0.420), BARE],
    [Vec3::new(0.620, 0.430, 0.050), BARE],
    [Vec3::new(0.030, 0.330, 0.360), BARE],
];

const BARE: Vec3 = Vec3::new(0.640, 0.610, 0.570);
