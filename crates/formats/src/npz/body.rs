//! The default body for poses without a body model: an adult of 1.7 m.
//!
//! SMPL's joint tree (Loper et al. 2015; hands and face after Romero et al. 2017 and Pavlakos et al. 2019), with our own
//! offsets as fractions of the standing height. Heights of ankle 0.039, knee 0.285, hip 0.530 and shoulder 0.818, upper arm 0.186,
//! forearm 0.146, hand 0.108, half the shoulder breadth 0.129 and foot 0.152 follow Drillis and Contini's measurements in D. Winter,
//! "Biomechanics and Motor Control of Human Movement" (2009), figure 4.1. The rest are simple proportions: hips a tenth apart, the
//! pelvis 0.04 above them, a spine of four parts up to the neck at 0.855, the head joint at 0.905, the ball of the foot half a foot
//! length ahead of the ankle, knuckles at half the hand, and phalanges of 0.023, 0.014 and 0.012.
//! The rest pose is a T-pose, Y up, facing +Z, palms down.

use std::sync::Arc;

use glam::Vec3;
use marey_conventions::UpAxis;
use marey_motion::{Joint, Skeleton, Tip};

/// Standing height, in metres.
pub(super) const HEIGHT_M: f32 = 1.7;

/// A joint, its parent, and its offset as fractions of the height: left, up, forward. The right side is mirrored.
type Row = (&'static str, &'static str, [f32; 3]);

/// The joints that all models share, in SMPL's order.
const BODY: [Row; 22] = [
    ("pelvis", "", [0.0, 0.0, 0.0]),
    ("left_hip", "pelvis", [0.050, -0.040, 0.0]),
    ("right_hip", "pelvis", [-0.050, -0.040, 0.0]),
    ("spine1", "pelvis", [0.0, 0.055, 0.0]),
    ("left_knee", "left_hip", [0.0, -0.245, 0.0]),
    ("right_knee", "right_hip", [0.0, -0.245, 0.0]),
    ("spine2", "spine1", [0.0, 0.075, 0.0]),
    ("left_ankle", "left_knee", [0.0, -0.246, 0.0]),
    ("right_ankle", "right_knee", [0.0, -0.246, 0.0]),
    ("spine3", "spine2", [0.0, 0.035, 0.0]),
    ("left_foot", "left_ankle", [0.0, -0.035, 0.070]),
    ("right_foot", "right_ankle", [0.0, -0.035, 0.070]),
    ("neck", "spine3", [0.0, 0.120, 0.0]),
    ("left_collar", "spine3", [0.045, 0.070, 0.0]),
    ("right_collar", "spine3", [-0.045, 0.070, 0.0]),
    ("head", "neck", [0.0, 0.050, 0.0]),
    ("left_shoulder", "left_collar", [0.084, 0.013, 0.0]),
    ("right_shoulder", "right_collar", [-0.084, 0.013, 0.0]),
    ("left_elbow", "left_shoulder", [0.186, 0.0, 0.0]),
    ("right_elbow", "right_shoulder", [-0.186, 0.0, 0.0]),
    ("left_wrist", "left_elbow", [0.146, 0.0, 0.0]),
    ("right_wrist", "right_elbow", [-0.146, 0.0, 0.0]),
];

/// SMPL's hands, one joint each.
const MITTENS: [Row; 2] =
    [("left_hand", "left_wrist", [0.054, 0.0, 0.0]), ("right_hand", "right_wrist", [-0.054, 0.0, 0.0])];

/// SMPL-X's face.
const FACE: [Row; 3] = [
    ("jaw", "head", [0.0, 0.005, 0.010]),
    ("left_eye_smplhf", "head", [0.018, 0.035, 0.045]),
    ("right_eye_smplhf", "head", [-0.018, 0.035, 0.045]),
];

/// Three joints of each finger of the left hand, in SMPL-H's order.
const FINGERS: [(&str, [[f32; 3]; 3]); 5] = [
    ("index", [[0.055, 0.0, 0.014], [0.023, 0.0, 0.0], [0.014, 0.0, 0.0]]),
    ("middle", [[0.056, 0.0, 0.002], [0.023, 0.0, 0.0], [0.014, 0.0, 0.0]]),
    ("pinky", [[0.048, 0.0, -0.019], [0.018, 0.0, 0.0], [0.011, 0.0, 0.0]]),
    ("ring", [[0.053, 0.0, -0.009], [0.022, 0.0, 0.0], [0.013, 0.0, 0.0]]),
    ("thumb", [[0.015, -0.006, 0.016], [0.018, 0.0, 0.014], [0.018, 0.0, 0.008]]),
];

/// Ends of bones beyond their last joint, for the middle and the left side.
const ENDS: [Row; 3] = [
    ("", "head", [0.0, 0.095, 0.0]),
    ("", "left_foot", [0.0, -0.004, 0.042]),
    ("", "left_hand", [0.054, 0.0, 0.0]),
];

/// Length of a finger beyond its last joint.
const FINGER_END: f32 = 0.012;

/// A known body model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Model {
    /// SMPL's body without hands.
    Body,
    Smpl,
    SmplH,
    SmplX,
}

impl Model {
    /// The model with this number of values in a pose, three for each joint.
    pub(super) fn of_width(values: usize) -> Option<Self> {
        match values {
            66 => Some(Self::Body),
            72 => Some(Self::Smpl),
            156 => Some(Self::SmplH),
            165 => Some(Self::SmplX),
            _ => None,
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Body => "SMPL without hands",
            Self::Smpl => "SMPL",
            Self::SmplH => "SMPL-H",
            Self::SmplX => "SMPL-X",
        }
    }

    /// Joints with their parents and offsets, in the order of the poses.
    fn rows(self) -> Vec<(String, String, Vec3)> {
        let plain = |rows: &[Row]| -> Vec<(String, String, Vec3)> {
            rows.iter()
                .map(|(name, parent, at)| (name.to_string(), parent.to_string(), Vec3::from_array(*at)))
                .collect()
        };
        let hands = || ["left", "right"].into_iter().flat_map(hand).collect::<Vec<_>>();
        match self {
            Self::Body => plain(&BODY),
            Self::Smpl => [plain(&BODY), plain(&MITTENS)].concat(),
            Self::SmplH => [plain(&BODY), hands()].concat(),
            Self::SmplX => [plain(&BODY), plain(&FACE), hands()].concat(),
        }
    }

    /// The default body, standing along an axis. Joints are in the order of the poses.
    pub(super) fn skeleton(self, up: UpAxis) -> Result<Arc<Skeleton>, marey_motion::MotionError> {
        let rows = self.rows();
        let index = |name: &str| rows.iter().position(|(other, _, _)| other == name);
        let metres = |share: Vec3| up.from_y_up(share * HEIGHT_M);
        let joints =
            rows.iter().map(|(name, parent, at)| Joint::new(name.as_str(), index(parent), metres(*at)));
        let mut tips = Vec::new();
        let mut end = |name: &str, at: Vec3| {
            tips.extend(index(name).map(|parent| Tip { parent, offset: metres(at) }));
        };
        for (_, parent, at) in ENDS {
            let at = Vec3::from_array(at);
            end(parent, at);
            if let Some(right) = parent.strip_prefix("left_") {
                end(&format!("right_{right}"), mirrored(at));
            }
        }
        for (finger, _) in FINGERS {
            end(&format!("left_{finger}3"), Vec3::X * FINGER_END);
            end(&format!("right_{finger}3"), Vec3::NEG_X * FINGER_END);
        }
        Ok(Arc::new(Skeleton::new(joints.collect(), tips)?))
    }
}

fn mirrored(at: Vec3) -> Vec3 {
    Vec3::new(-at.x, at.y, at.z)
}

/// The finger joints of a side.
fn hand(side: &'static str) -> impl Iterator<Item = (String, String, Vec3)> {
    FINGERS.into_iter().flat_map(move |(finger, joints)| {
        joints.into_iter().enumerate().map(move |(index, at)| {
            let parent = if index == 0 { format!("{side}_wrist") } else { format!("{side}_{finger}{index}") };
            let at = Vec3::from_array(at);
            let at = if side == "left" { at } else { mirrored(at) };
            (format!("{side}_{finger}{}", index + 1), parent, at)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_body_is_symmetric_and_has_the_stated_height() {
        for (values, model) in
            [(66, Model::Body), (72, Model::Smpl), (156, Model::SmplH), (165, Model::SmplX)]
        {
            assert_eq!(Model::of_width(values), Some(model));
            let body = model.skeleton(UpAxis::Y).unwrap();
            assert_eq!(body.len() * 3, values);
            let at = body.rest_positions();
            for (joint, position) in body.joints().iter().zip(&at) {
                let Some(left) = joint.name.strip_prefix("left_") else { continue };
                let right = body.joint_named(&format!("right_{left}")).unwrap();
                assert!(at[right].distance(mirrored(*position)) < 1e-6, "{left}");
            }
            let ends: Vec<Vec3> = body.tips().iter().map(|tip| at[tip.parent] + tip.offset).collect();
            let height = |points: &[Vec3]| {
                let (low, high) =
                    points.iter().fold((f32::MAX, f32::MIN), |(l, h), p| (l.min(p.y), h.max(p.y)));
                high - low
            };
            assert!((height(&ends) - HEIGHT_M).abs() < 1e-5, "{}", height(&ends));
        }
        assert_eq!(Model::of_width(63), None);
    }
}
