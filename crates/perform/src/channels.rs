//! The parts of a stream that show whether hands are closed, and its reduced marker set.

use marey_motion::{LocalPoseRef, PointClip, Quat, Role, Side, Skeleton};

use crate::puppet::Markers;
use crate::{PerformError, Result};

/// Fingers bent by more than this close a hand, in radians.
const CLOSED_RAD: f32 = 1.0;

/// The fingers of a skeleton, which show whether its hands are closed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fingers {
    joints: [Option<(usize, Quat)>; 2],
}

impl Fingers {
    /// The middle, index or ring fingers of a skeleton.
    pub fn of(skeleton: &Skeleton) -> Self {
        let roles = [Role::LeftMiddleProximal, Role::LeftIndexProximal, Role::LeftRingProximal];
        let joint = |side: Side| {
            let joint = roles.iter().find_map(|role| skeleton.joint_of(role.on(side)))?;
            Some((joint, skeleton.joints()[joint].rest_rotation))
        };
        Self { joints: Side::BOTH.map(joint) }
    }

    /// Whether the skeleton has fingers at all.
    pub fn are_there(&self) -> bool {
        self.joints.iter().any(Option::is_some)
    }

    /// Whether the left and the right hand are closed; without fingers, they are open.
    pub fn closed(&self, pose: LocalPoseRef<'_>) -> [bool; 2] {
        self.joints.map(|joint| {
            joint.is_some_and(|(joint, rest)| {
                pose.rotations.get(joint).is_some_and(|turn| turn.angle_between(rest) > CLOSED_RAD)
            })
        })
    }
}

/// The points of a clip that form the reduced marker set. They are labelled by roles, like `LeftHand`; palms like `LeftHandPalm`.
#[derive(Debug, Clone, PartialEq)]
pub struct MarkerSet {
    waist: usize,
    belt: [Option<usize>; 2],
    hands: [usize; 2],
    feet: [usize; 2],
    palms: [Option<usize>; 2],
}

impl MarkerSet {
    /// Finds the set by the labels of a clip. The belt (`LeftUpperLeg`, `RightUpperLeg`) and the palms are optional.
    pub fn of(points: &PointClip) -> Result<Self> {
        let find = |name: &str| points.labels().iter().position(|label| label == name);
        let need = |name: &str| {
            find(name)
                .ok_or_else(|| PerformError::Calibration { problem: format!("no marker is labelled {name}") })
        };
        let both =
            |role: Role| Ok::<_, PerformError>([need(role.name())?, need(role.on(Side::Right).name())?]);
        let maybe = |end: &str, role: Role| Side::BOTH.map(|side| find(&format!("{}{end}", role.on(side))));
        Ok(Self {
            waist: need(Role::Hips.name())?,
            belt: maybe("", Role::LeftUpperLeg),
            hands: both(Role::LeftHand)?,
            feet: both(Role::LeftFoot)?,
            palms: maybe("Palm", Role::LeftHand),
        })
    }

    /// The markers of a frame.
    ///
    /// # Panics
    /// If the clip has no such frame.
    pub fn at(&self, points: &PointClip, frame: usize) -> Markers {
        let see = |label: usize| points.get(frame, label);
        Markers {
            waist: see(self.waist),
            belt: self.belt.map(|label| label.and_then(see)),
            hands: self.hands.map(see),
            feet: self.feet.map(see),
        }
    }

    /// Whether hands are closed in a frame: a closed hand hides the marker in its palm. `None` if the hand itself is not visible.
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
