//! The reduced marker set of a stream (section 9.2).

use marey_motion::{PointClip, Role, Side};

use crate::marker_solver::Markers;
use crate::{PerformError, Result};

/// The points of a clip that form the reduced marker set. Labels are role names, like `LeftHand`, and `LeftHandPalm` for a palm.
#[derive(Debug, Clone, PartialEq)]
pub struct MarkerSet {
    waist: usize,
    belt: [Option<usize>; 2],
    hands: [usize; 2],
    feet: [usize; 2],
    palms: [Option<usize>; 2],
}

impl MarkerSet {
    /// Finds the markers by their labels. The belt (`LeftUpperLeg`, `RightUpperLeg`) and the palms are optional.
    pub fn of(points: &PointClip) -> Result<Self> {
        let find = |name: &str| points.labels().iter().position(|label| label == name);
        let require = |name: &str| {
            find(name)
                .ok_or_else(|| PerformError::Calibration { problem: format!("no marker is labelled {name}") })
        };
        let require_both = |role: Role| {
            Ok::<_, PerformError>([require(role.name())?, require(role.on(Side::Right).name())?])
        };
        let find_both =
            |suffix: &str, role: Role| Side::BOTH.map(|side| find(&format!("{}{suffix}", role.on(side))));
        Ok(Self {
            waist: require(Role::Hips.name())?,
            belt: find_both("", Role::LeftUpperLeg),
            hands: require_both(Role::LeftHand)?,
            feet: require_both(Role::LeftFoot)?,
            palms: find_both("Palm", Role::LeftHand),
        })
    }

    /// The markers of a frame.
    ///
    /// # Panics
    /// If the clip has no such frame.
    pub fn at(&self, points: &PointClip, frame: usize) -> Markers {
        let point = |label: usize| points.get(frame, label);
        Markers {
            waist: point(self.waist),
            belt: self.belt.map(|label| label.and_then(point)),
            hands: self.hands.map(point),
            feet: self.feet.map(point),
        }
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
