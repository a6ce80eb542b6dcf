//! The joints that the markers of a clip show.

use marey_motion::{PointClip, Role, Side};

use crate::markers::Markers;
use crate::{PerformError, Result};

/// The points of a clip that show joints. Labels are role names, like `LeftHand`, and `LeftHandPalm` for a palm.
#[derive(Debug, Clone, PartialEq)]
pub struct MarkerSet {
    /// Each joint, and the index of its label.
    joints: Vec<(Role, usize)>,
    hands: [usize; 2],
    palms: [Option<usize>; 2],
}

impl MarkerSet {
    /// Finds the markers by their labels. Hips, hands and feet are required (the reduced set of section 9.2); every other joint and the
    /// palms are optional.
    pub fn of(points: &PointClip) -> Result<Self> {
        let find = |name: &str| points.labels().iter().position(|label| label == name);
        let require = |role: Role| {
            find(role.name()).ok_or_else(|| PerformError::Calibration {
                problem: format!(
                    "no marker is labelled {role}; the labels are {}",
                    points.labels().join(", ")
                ),
            })
        };
        for role in [Role::Hips, Role::LeftFoot, Role::RightFoot] {
            require(role)?;
        }
        Ok(Self {
            joints: Role::ALL.iter().filter_map(|role| Some((*role, find(role.name())?))).collect(),
            hands: [require(Role::LeftHand)?, require(Role::RightHand)?],
            palms: Side::BOTH.map(|side| find(&format!("{}Palm", Role::LeftHand.on(side)))),
        })
    }

    /// The markers of a frame.
    ///
    /// # Panics
    /// If the clip has no such frame.
    pub fn at(&self, points: &PointClip, frame: usize) -> Markers {
        let mut markers = Markers::default();
        for (role, label) in &self.joints {
            if let Some(point) = points.get(frame, *label) {
                markers.set_point(*role, point);
            }
        }
        markers
    }

    /// Whether each hand is closed in a frame: a closed hand hides the marker in its palm. `None` if the hand itself is not visible, or
    /// has no palm marker.
    ///
    /// # Panics
    /// If the clip has no such frame.
    pub fn closed(&self, points: &PointClip, frame: usize) -> [Option<bool>; 2] {
        [0, 1].map(|side| {
            points.get(frame, self.hands[side])?;
            Some(points.get(frame, self.palms[side]?).is_none())
        })
    }
}
