//! The lamp: size, mass and joints of its three links, and its skeleton.
//!
//! It moves in the plane of +Z (forward) and +Y (up). Angles are in that plane, positive from forward to up, so a link that leans back
//! has a positive angle: a rotation about −X.

use std::sync::Arc;

use marey_motion::{Joint, Quat, Role, Skeleton, Tip, Vec2, Vec3};

use crate::Result;

/// Half the width of the base, in metres.
pub(super) const BASE_HALF_M: f32 = 0.10;
/// Thickness of the base, in metres. The ankle is on its upper face.
pub(super) const BASE_HEIGHT_M: f32 = 0.03;
/// Distance from ankle to elbow, in metres.
pub(super) const LOWER_ARM_M: f32 = 0.22;
/// Distance from elbow to head, in metres.
pub(super) const UPPER_ARM_M: f32 = 0.22;
/// Distance from the joint of the head to the middle of its shade, along the beam, in metres.
pub(super) const SHADE_M: f32 = 0.07;
/// Radius of the shade, in metres.
pub(super) const SHADE_RADIUS_M: f32 = 0.055;
/// Fixed angle of the head against the upper arm. The lamp shines forward and down in standing.
pub(super) const HEAD_RAD: f32 = -1.3;
/// Radius of the arms, in metres.
pub(super) const ARM_RADIUS_M: f32 = 0.012;

/// Masses in kilograms: a stable base, thin arms, and a head heavy enough to pull the base up.
pub(super) const BASE_KG: f32 = 0.6;
pub(super) const LOWER_ARM_KG: f32 = 0.2;
pub(super) const UPPER_ARM_KG: f32 = 0.2;
pub(super) const HEAD_KG: f32 = 0.4;

/// The angles of the two joints, in radians. 0 is straight up.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct JointAngles {
    /// The lower arm against the base; positive leans back.
    pub(super) ankle: f32,
    /// The upper arm against the lower; negative folds ahead.
    pub(super) elbow: f32,
}

impl JointAngles {
    /// The standing posture: slightly folded, with the weight over the middle of the base.
    pub(super) const STANDING: JointAngles = JointAngles { ankle: 0.62, elbow: -1.25 };

    /// Interpolates linearly.
    pub(super) fn lerp(self, other: JointAngles, share: f32) -> JointAngles {
        let between = |a: f32, b: f32| a + share * (b - a);
        JointAngles { ankle: between(self.ankle, other.ankle), elbow: between(self.elbow, other.elbow) }
    }
}

/// All five degrees of freedom.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Posture {
    /// The middle of the sole: forward, up.
    pub(super) sole: Vec2,
    /// Angle of the base, in radians.
    pub(super) tilt: f32,
    pub(super) angles: JointAngles,
}

impl Posture {
    /// Interpolates linearly.
    pub(super) fn lerp(&self, other: &Posture, share: f32) -> Posture {
        Posture {
            sole: self.sole.lerp(other.sole, share),
            tilt: self.tilt + share * (other.tilt - self.tilt),
            angles: self.angles.lerp(other.angles, share),
        }
    }

    /// The local rotations of the skeleton's joints.
    pub(super) fn rotations(&self) -> [Quat; 4] {
        [self.tilt, self.angles.ankle, self.angles.elbow, HEAD_RAD].map(world_rotation)
    }

    /// The position of the skeleton's root.
    pub(super) fn root(&self) -> Vec3 {
        Vec3::new(0.0, self.sole.y, self.sole.x)
    }
}

/// The world rotation of an angle in the plane.
fn world_rotation(angle_rad: f32) -> Quat {
    Quat::from_rotation_x(-angle_rad)
}

/// The skeleton of the lamp, straight up at rest: `base` in the middle of the sole, `lower_arm` at the ankle, `upper_arm` at the elbow,
/// and `head`. The root has the role Hips and the head the role Head; other joints have no role.
pub(super) fn skeleton() -> Result<Arc<Skeleton>> {
    let up = |metres: f32| Vec3::Y * metres;
    let joints = vec![
        Joint::new("base", None, Vec3::ZERO).with_role(Role::Hips),
        Joint::new("lower_arm", Some(0), up(BASE_HEIGHT_M)),
        Joint::new("upper_arm", Some(1), up(LOWER_ARM_M)),
        Joint::new("head", Some(2), up(UPPER_ARM_M)).with_role(Role::Head),
    ];
    let tips = vec![
        Tip { parent: 0, offset: Vec3::Z * -BASE_HALF_M },
        Tip { parent: 0, offset: Vec3::Z * BASE_HALF_M },
        Tip { parent: 3, offset: up(SHADE_M + SHADE_RADIUS_M) },
    ];
    Ok(Arc::new(Skeleton::new(joints, tips)?))
}
